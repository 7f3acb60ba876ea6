"""A comparison accounts for every finding, precedent and point of both audits, and for every rewritten line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.compare import Comparison, Side, compare
from audit.errors import NotComparable
from audit.examples import examples
from audit.modes import BUG, INVESTMENT, MODES, Mode
from audit.revisions import overlap, revised_passages
from audit.service import SavedAudit, run_audit
from audit.submission import make_submission
from audit.types import Finding
from audit.versions import earlier_version
from tests.ui import samples
from wiring import Services

PRICED = examples("investment")[0].text.replace(
    "Payments are free and will stay free. We have no revenue today.",
    "We charge 0.4% of each payment. Revenue was ₹3 lakh last month.",
)
GUARDED = """def find_user(cursor, name):
    # look the user up
    cursor.execute("SELECT * FROM users WHERE name = ?", (name,))
    return cursor.fetchone()
"""


def audited(services: Services, mode: Mode, text: str, now: datetime, name: str = "") -> SavedAudit:
    return run_audit(services, mode, make_submission(mode, text, name), now=now)


def whole(it: Comparison) -> tuple[Counter[str], Counter[str]]:
    pairs = (*it.changed, *it.same)
    before = Counter(f.title for f in (*it.gone, *(pair.earlier for pair in pairs)))
    return before, Counter(f.title for f in (*it.new, *(pair.later for pair in pairs)))


def test_two_versions_of_a_deck_differ_by_what_was_rewritten(services: Services, now: datetime) -> None:
    first = audited(services, INVESTMENT, examples("investment")[0].text, now).audit
    second = audited(services, INVESTMENT, PRICED, now + timedelta(days=1)).audit
    it = compare(second, first)
    assert it.earlier is first
    assert it.score_change == round(second.score - first.score, 1) > 0
    assert any(finding.subject == "revenue" for finding in it.gone)
    assert sum(term.change for term in it.terms) == pytest.approx(it.score_change, abs=0.11)
    assert [passage.earlier_line for passage in it.passages] == [16]
    assert "We charge 0.4%" in "".join(piece.text for piece in it.passages[0].later)
    assert [pair[0].record.id for pair in it.kept] == [it.record.id for it in first.precedents]


def test_a_repaired_query_loses_its_flaw_and_its_past_bug(services: Services, now: datetime) -> None:
    faulty = audited(services, BUG, samples.CODE, now).audit
    repaired = audited(services, BUG, GUARDED, now + timedelta(hours=1)).audit
    it = compare(faulty, repaired)
    assert "CWE-89" in {finding.subject for finding in it.gone}
    assert it.lost and not it.gained
    assert not it.same_text


def test_an_audit_compared_with_itself_differs_in_nothing() -> None:
    one = samples.audit()
    it = compare(one, one)
    assert not (it.gone or it.new or it.changed or it.lost or it.gained or it.passages or it.moved)
    assert it.same_text
    assert len(it.same) == 3


def test_a_finding_that_stays_is_told_apart_by_severity_passage_and_wording() -> None:
    one = samples.audit()
    sterner = replace(one.findings[0], severity="high", title="Nobody pays")
    [changed] = compare(one, samples.audit(findings=(sterner, one.findings[1]))).changed
    assert changed.differs == (Side.SEVERITY, Side.WORDING)


def test_a_flaw_whose_line_moved_is_the_same_flaw() -> None:
    code = samples.code_audit()
    moved = "# a remark\n\n" + samples.CODE
    shifted = replace(code.findings[0], span=samples.find(moved, code.findings[0].quote), line=5)
    later = samples.audit(mode="bug", submission=replace(code.submission, text=moved), findings=(shifted,))
    it = compare(code, later)
    assert shifted in [pair.later for pair in it.same]


def test_a_deck_and_code_are_not_compared() -> None:
    with pytest.raises(NotComparable):
        compare(samples.audit(), samples.code_audit())


FINDINGS = st.lists(
    st.builds(
        Finding,
        subject=st.sampled_from(["revenue", "team", "CWE-89"]),
        title=st.sampled_from(["One", "Two", "Three"]),
        severity=st.sampled_from(["high", "low"]),
        quote=st.sampled_from(["", "nobody pays for it", "nobody paid for any of it"]),
        span=st.none(), line=st.none(), explanation=st.just(""), fix=st.just(""), source=st.just("rule"),
    ),
    max_size=8,
)  # fmt: skip


@settings(deadline=None)
@given(FINDINGS, FINDINGS)
def test_every_finding_of_both_audits_is_accounted_for_once(a: list[Finding], b: list[Finding]) -> None:
    one = samples.audit(findings=(), unproved_findings=tuple(a))
    other = samples.audit(findings=(), unproved_findings=tuple(b))
    it = compare(one, other)
    assert whole(it) == (Counter(f.title for f in a), Counter(f.title for f in b))
    there, back = compare(one, other), compare(other, one)
    assert len(there.gone) - len(there.new) == len(back.new) - len(back.gone)


LINES = st.lists(st.sampled_from(["We sell kites.", "Nobody pays.", "", "Users grow fast."]), max_size=12)


@settings(deadline=None)
@given(LINES, LINES)
def test_a_text_is_rewritten_only_where_its_words_differ(a: list[str], b: list[str]) -> None:
    passages, cut = revised_passages("\n".join(a), "\n".join(b))
    assert not cut
    same = " ".join(a).split() == " ".join(b).split()
    assert same <= (not passages)
    for it in passages:
        assert any(piece.differs for piece in (*it.earlier, *it.later))
        assert 1 <= it.earlier_line <= len(a) + 1 and 1 <= it.later_line <= len(b) + 1


def test_texts_too_long_to_compare_say_so() -> None:
    passages, cut = revised_passages("\n".join(map(str, range(9_000))), "\n".join(map(str, range(1, 9_000))))
    assert cut
    assert "".join(it.text for it in passages[0].earlier) == "0"


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_overlap_is_a_share_and_the_same_from_both_sides(a: str, b: str) -> None:
    assert 0 <= overlap(a, b) == overlap(b, a) <= 1
    assert overlap(a, a) == 1


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda it: it.name)
def test_an_earlier_version_is_found_by_its_wording_and_no_other_submission_is(
    services: Services, now: datetime, mode: Mode
) -> None:
    one = examples(mode.name)[0].text
    first = audited(services, mode, one, now)
    audited(services, mode, "An entirely different text, of nothing that was ever seen before.", now)
    again = audited(services, mode, f"{one}\n\n# and one more remark at the end", now + timedelta(days=2)).audit
    found = earlier_version(services.archive, services.workspace, again)
    assert found is not None
    assert found.id == first.saved_as
    assert earlier_version(services.archive, services.workspace, first.audit) is None
    assert earlier_version(services.archive, "another", again) is None


def test_a_saved_text_that_was_altered_is_not_read(services: Services, now: datetime) -> None:
    saved = str(audited(services, INVESTMENT, PRICED, now).saved_as)
    assert services.archive.texts(services.workspace, [saved]) == {saved: PRICED}
    with services.ledger.transaction() as tx:
        tx.exec_driver_sql("UPDATE audits SET document = CAST(replace(document, 'charge', 'change') AS BLOB)")
    assert services.archive.texts(services.workspace, [saved]) == {}
