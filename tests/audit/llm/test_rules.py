"""The rule analyst writes what a model may write, and proves it."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from audit.llm.rules import LONGEST_QUOTE, write_draft
from audit.modes import BUG, INVESTMENT
from audit.quotes import find_quote, substantial
from audit.types import Analysis, DraftPrecedent, Submission
from memory.records import render
from memory.report import Cue, Decision
from tests.audit.llm.samples import ANALYSIS, DECK, LOGIN, candidate, deck, recalled, record

CODE = (
    'def login(name):\n    query = "SELECT * FROM users WHERE name = \'" + name + "\'"\n    return db.execute(query)\n'
)


def proved(it: DraftPrecedent, text: str, shown: str) -> bool:
    return (
        substantial(it.record_quote)
        and substantial(it.submission_quote)
        and it.record_quote in shown
        and it.submission_quote in text
        and find_quote(it.record_quote, shown) is not None
        and find_quote(it.submission_quote, text) is not None
    )


def test_the_analysis_is_passed_on_whole() -> None:
    draft = write_draft(INVESTMENT, deck(), ANALYSIS, recalled())
    assert (draft.summary, draft.findings, draft.ratings) == (ANALYSIS.summary, ANALYSIS.findings, ANALYSIS.ratings)
    assert (draft.questions, draft.advice) == (ANALYSIS.questions, ANALYSIS.advice)
    assert (draft.precedents, draft.history_claims) == ((), ())


def test_every_kept_record_is_a_precedent_with_both_quotes_and_no_other_is() -> None:
    it, other = record(), record(record_id="inv-2")
    draft = write_draft(INVESTMENT, deck(), ANALYSIS, recalled(candidate(it), candidate(other, Decision.NEAR)))
    (precedent,) = draft.precedents
    assert precedent.record_id == "inv-1"
    assert proved(precedent, DECK, render(it))


def test_the_passage_that_recall_matched_is_quoted() -> None:
    passage = "We do not charge anybody yet; revenue comes later.\nOne founder does everything."
    (precedent,) = write_draft(INVESTMENT, deck(), ANALYSIS, recalled(candidate(record(), passage=passage))).precedents
    assert precedent.submission_quote == "We do not charge anybody yet;"
    assert "never charged anybody" in precedent.record_quote


def test_the_line_that_confirmed_a_bug_is_quoted() -> None:
    line = CODE.splitlines()[1].strip()
    cue = Cue("CWE-89", "SQL built by joining strings", line, 2)
    it = record(LOGIN, "bug-1")
    (precedent,) = write_draft(
        BUG, Submission("bug", CODE, "h"), Analysis("x"), recalled(candidate(it, confirmed_by=cue))
    ).precedents
    assert precedent.submission_quote == line
    assert proved(precedent, CODE, render(it))


def test_a_passage_that_is_not_verbatim_falls_back_to_a_sentence_that_is() -> None:
    passages = ("we ARE a p2p payments app", "totally unrelated words that stand nowhere", "")
    for passage in passages:
        (precedent,) = write_draft(
            INVESTMENT, deck(), ANALYSIS, recalled(candidate(record(), passage=passage))
        ).precedents
        assert proved(precedent, DECK, render(record()))


def test_why_holds_no_number_and_no_name() -> None:
    cue = Cue("CWE-89", "SQL of PayLoop in 2022", "We do not charge anybody yet")
    for confirmed_by in (None, cue):
        (precedent,) = write_draft(
            INVESTMENT, deck(), ANALYSIS, recalled(candidate(record(), confirmed_by=confirmed_by))
        ).precedents
        assert precedent.why
        assert not re.search(r"\d|[a-z] [A-Z]", precedent.why)


def test_a_submission_that_can_prove_nothing_has_no_precedent() -> None:
    assert write_draft(INVESTMENT, deck("App app"), ANALYSIS, recalled(candidate(record()))).precedents == ()


@given(st.text(max_size=600), st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_whatever_was_pasted_quotes_are_verbatim_or_there_is_no_precedent(text: str, passage: str) -> None:
    it = record()
    drafted = write_draft(INVESTMENT, deck(text), ANALYSIS, recalled(candidate(it, passage=passage)))
    for precedent in drafted.precedents:
        assert proved(precedent, text, render(it))
        assert len(precedent.submission_quote) <= LONGEST_QUOTE
