"""Every door tells a diff, code, a stack trace and prose apart in the same way."""

from __future__ import annotations

from datetime import datetime

import pytest

from audit.diff import Diff
from audit.diff_triage import DiffTriage
from audit.errors import CannotJudge
from audit.judge import judge, read
from audit.modes import BUG, INVESTMENT, NOT_JUDGED
from audit.service import SavedAudit
from audit.types import Submission
from tests.audit.test_diff import DIFF
from tests.audit.test_stack_trace_triage import NEW
from wiring import Services

PROSE = (
    "Acme Pay lets friends settle bills in seconds.\nOur team of three grew to 40,000 users in a year.\n"
    "We have no revenue yet; the plan is to charge merchants.\nWe are raising $2 million to hire five engineers.\n"
)
CODE = "def double(number):\n    total = number * 2\n    return total\n"


@pytest.mark.parametrize("content", [DIFF, DIFF.encode(), DIFF.encode("utf-16"), DIFF.replace("\n", "\r\n")])
def test_a_diff_is_read_as_one_in_any_encoding(content: str | bytes) -> None:
    handed = read(BUG, content, "" if isinstance(content, str) else "change.patch")
    assert isinstance(handed, Diff)
    assert [it.path for it in handed.files] == ["shop/login.py", "café.py"]


def test_only_code_is_read_as_a_diff() -> None:
    assert isinstance(read(INVESTMENT, DIFF), Submission)


def test_each_file_of_a_diff_is_kept_with_the_numbers_of_its_own_lines(services: Services, now: datetime) -> None:
    judged = judge(services, BUG, read(BUG, DIFF), now=now)
    assert isinstance(judged, DiffTriage)
    saved = judged.files[0].saved
    assert saved.saved_as
    again = services.archive.open(services.workspace, saved.saved_as)
    assert again == saved.audit
    assert {again.submission.line_in_file(it.line) for it in again.findings} == {14}
    assert "line 14" in " ".join(it.text for it in again.summary)


def test_prose_is_not_judged_as_code_unless_the_user_says_what_code_it_is() -> None:
    with pytest.raises(CannotJudge, match="prose"):
        read(BUG, PROSE)
    handed = read(BUG, PROSE, language="ruby")
    assert isinstance(handed, Submission)
    assert handed.language == "ruby"
    assert isinstance(read(INVESTMENT, PROSE), Submission)


def test_a_guess_at_the_language_is_noted_and_a_stated_language_is_not() -> None:
    guessed = read(BUG, CODE)
    assert isinstance(guessed, Submission)
    assert guessed.notes == ("Read as Python, by guess.",)
    for handed in (read(BUG, CODE, language="python"), read(BUG, CODE.encode(), "double.py")):
        assert isinstance(handed, Submission)
        assert handed.notes == ()


@pytest.mark.parametrize("before", ["", "It failed again last night; please look when you can.\n\n"])
def test_a_stack_trace_has_no_verdict_and_says_what_it_is_known_by(
    services: Services, now: datetime, before: str
) -> None:
    judged = judge(services, BUG, read(BUG, before + NEW), now=now, save=False)
    assert isinstance(judged, SavedAudit)
    assert judged.audit.verdict == NOT_JUDGED
    assert judged.audit.score_breakdown == ()
    assert "stack trace of TypeError: 3 calls" in judged.audit.notes[-1]
    assert "total in cart.py" in judged.audit.notes[-1]
