"""The guard: what it keeps, what it overwrites, what it refuses."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from audit import guard
from audit.code.rulebook import weaknesses
from audit.errors import ArchiveCorrupt
from audit.modes import BUG
from audit.reading import read_sentence
from audit.types import DraftAudit, DraftFinding, DraftPrecedent, HistoryClaim, Mark, Rating, grounding_permit
from memory.money import Money
from memory.records import InvestmentFacts, Kind, Note, Outcome, Status
from memory.report import RecallState
from tests.audit.guarding import (
    CODE,
    CUE,
    FORK,
    INJECTION,
    LOOP,
    LOOP_PROOF,
    NOTHING,
    grounded,
    recalled,
    record,
    shown,
)

ROOT = Path(__file__).parents[2]


def test_a_recalled_record_with_two_quotes_is_a_precedent_and_its_facts_come_from_the_record() -> None:
    audit = grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(LOOP))
    (precedent,) = audit.precedents
    assert precedent.record is LOOP
    assert audit.submission.text[precedent.span.start : precedent.span.end] == "peer-to-peer payments app"
    assert precedent.why == "Both grow without charging anybody."
    assert audit.history.text == "₹50,000"
    assert audit.history.losses == (Money(Decimal(50_000), "INR"),)
    assert audit.refusals == ()


def test_what_is_shown_of_a_quote_is_the_source_not_the_writer() -> None:
    proof = replace(
        LOOP_PROOF,
        record_quote="FAST USER\u200b GROWTH, never monetised",
        submission_quote="Peer-To-Peer  payments app",
    )
    (precedent,) = grounded(DraftAudit(precedents=(proof,)), recalled(LOOP)).precedents
    assert precedent.record_quote == "fast user growth, never monetised"
    assert precedent.submission_quote == "peer-to-peer payments app"


def test_an_empty_recall_overwrites_whatever_the_writer_said_of_history() -> None:
    claims = (HistoryClaim("similar_idea_found", "true"), HistoryClaim("historical_loss", "₹90,000"))
    audit = grounded(DraftAudit(history_claims=claims, precedents=(LOOP_PROOF,)))
    assert (audit.history.checked, audit.history.similar_found, audit.history.text) == (True, False, "None found")
    assert audit.precedents == ()
    assert {it.field for it in audit.refusals} == {"similar_idea_found", "historical_loss", "precedents[0]"}


@pytest.mark.parametrize("state", [RecallState.UNAVAILABLE, RecallState.EMBEDDER_CHANGED])
def test_an_unsearched_history_is_not_checked_never_none_found(state: RecallState) -> None:
    draft = DraftAudit(precedents=(LOOP_PROOF,), summary="No similar past investment was found.")
    audit = grounded(draft, recalled(LOOP, state=state))
    assert (audit.history.checked, audit.history.text) == (False, "not checked")
    assert audit.precedents == () and audit.summary == ()


WRONG = {
    "invented id": replace(LOOP_PROOF, record_id="inv-404"),
    "near miss": DraftPrecedent("inv-fork", "Weekly meal kits for offices", "peer-to-peer payments app"),
    "quote of another record": replace(LOOP_PROOF, record_quote="Weekly meal kits for offices"),
    "near quote": replace(LOOP_PROOF, record_quote="fast user growth, never monetized"),
    "wrong amount": replace(LOOP_PROOF, record_quote="Invested: ₹50,001\nLoss: ₹50,000\nCause: It never charged"),
    "amount cut short": replace(LOOP_PROOF, record_quote="shut down Invested: ₹50"),
    "swapped currency": replace(LOOP_PROOF, record_quote="Outcome: shut down Invested: $50,000"),
    "labels only": replace(LOOP_PROOF, record_quote="Company:"),
    "common row": replace(LOOP_PROOF, record_quote="Outcome: shut down"),
    "stitched": replace(LOOP_PROOF, record_quote="fast user growth it never charged anybody"),
    "invented submission quote": replace(LOOP_PROOF, submission_quote="we lost our licence"),
    "tiny submission quote": replace(LOOP_PROOF, submission_quote="We have"),
    "no quotes": replace(LOOP_PROOF, record_quote="", submission_quote=""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_precedent_without_its_proof_is_refused_with_a_reason(name: str) -> None:
    audit = grounded(DraftAudit(precedents=(WRONG[name],)), recalled(LOOP, near=(FORK,)))
    assert audit.precedents == () and audit.history.text == "None found"
    (refusal,) = audit.refusals
    assert refusal.field == "precedents[0]" and refusal.rule and refusal.reason


@pytest.mark.parametrize(
    "weak",
    [
        replace(LOOP, confidence=0.3),
        replace(LOOP, confidence=float("nan")),
        replace(LOOP, status=Status.QUARANTINED),
        record(
            "inv-loop",
            Note("PaisaLoop", "Evaluated deck, not an investment", "fast user growth, never monetised"),
            Kind.EVALUATED_DECK,
        ),
        record("inv-loop", Note("PaisaLoop", "Preference", "fast user growth, never monetised"), Kind.PREFERENCE),
        record("inv-loop", Note("PaisaLoop", "Observation", "fast user growth, never monetised"), Kind.OBSERVATION),
        replace(INJECTION, id="inv-loop"),
    ],
    ids=["weak", "unknown", "quarantined", "evaluation", "preference", "observation", "bug"],
)
def test_only_a_trusted_fact_of_the_mode_can_be_a_precedent(weak: object) -> None:
    audit = grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(weak))  # type: ignore[arg-type]
    assert audit.precedents == () and audit.history.losses == ()


def test_a_record_counts_once_however_often_it_is_claimed() -> None:
    audit = grounded(DraftAudit(precedents=(LOOP_PROOF,) * 3), recalled(LOOP))
    assert len(audit.precedents) == 1 and audit.history.text == "₹50,000"
    assert [it.rule for it in audit.refusals] == ["claimed twice", "claimed twice"]


def test_losses_are_summed_for_each_currency_and_a_missing_amount_is_said() -> None:
    text = "A peer-to-peer payments app with weekly meal kits for offices."
    proof = DraftPrecedent("inv-fork", "Weekly meal kits for offices", "weekly meal kits for offices")
    both = grounded(DraftAudit(precedents=(LOOP_PROOF, proof)), recalled(LOOP, FORK), text=text)
    assert both.history.text == "₹50,000 and $20,000"
    assert isinstance(LOOP.facts, InvestmentFacts)
    unknown = replace(LOOP, facts=replace(LOOP.facts, invested=None))
    assert grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(unknown)).history.text == "no amount recorded"


@pytest.mark.parametrize(
    "why",
    [
        "Both lost ₹60,000.",
        "Both ended in 2017.",
        "Both had seven founders.",
        "Both resemble Zorvexpay.",
        "You lost money on both.",
        "x" * 400,
        "It grew by 90%.",
        "Both lost fifty thousand rupees.",
        "九十一天后它就倒下了。",
        "इक्यानवे दिन बाद वही हुआ।",
        "它们像派萨环一样。",
        "यह क्विलपे जैसा है।",
        "两者都像“趣付”。",
    ],
)
def test_a_reason_that_says_more_than_its_quotes_is_dropped_and_the_precedent_stays(why: str) -> None:
    audit = grounded(DraftAudit(precedents=(replace(LOOP_PROOF, why=why),)), recalled(LOOP))
    assert [it.why for it in audit.precedents] == [""]
    assert [it.field for it in audit.refusals] == ["precedents[inv-loop].why"]


def test_a_confirmed_bug_must_be_quoted_where_it_was_confirmed() -> None:
    confirmed = recalled(INJECTION, cue=CUE)
    good = DraftPrecedent("bug-sql", "built by string concatenation", 'name = \'" + name + "\'"')
    audit = grounded(DraftAudit(precedents=(good,)), confirmed, mode=BUG)
    assert len(audit.precedents) == 1 and audit.history.text == "$12,000"
    elsewhere = replace(good, submission_quote="return cursor.fetchone()")
    assert grounded(DraftAudit(precedents=(elsewhere,)), confirmed, mode=BUG).precedents == ()


def test_a_finding_is_proved_by_its_quote_and_a_wrong_line_is_corrected() -> None:
    finding = DraftFinding(
        "CWE-89", "SQL injection", "high", "cursor.execute(query)", 1, "The query holds user input.", "Bind it."
    )
    audit = grounded(DraftAudit(findings=(finding,)), mode=BUG)
    (found,) = audit.findings
    assert found.line == 3 and found.span is not None
    assert CODE[found.span.start : found.span.end] == "cursor.execute(query)"


def test_a_finding_whose_quote_is_not_there_is_kept_apart_without_it() -> None:
    finding = DraftFinding("CWE-89", "SQL injection", "high", "cursor.run(everything)", 3)
    audit = grounded(DraftAudit(findings=(finding,)), mode=BUG)
    assert audit.findings == ()
    (left,) = audit.unproved_findings
    assert (left.quote, left.span, left.line) == ("", None, None)
    assert audit.refusals[0].text == "cursor.run(everything)"


def test_a_line_and_a_quote_that_disagree_in_two_places_prove_nothing() -> None:
    text = "x = load(data)\ny = 1\nz = 2\nx = load(data)\n"
    finding = DraftFinding("CWE-502", "Unsafe load", "high", "load(data)", 3)
    audit = grounded(DraftAudit(findings=(finding,)), mode=BUG, text=text)
    assert audit.findings == () and audit.refusals[0].rule == "line and quote disagree"
    on_line = grounded(DraftAudit(findings=(replace(finding, line=4),)), mode=BUG, text=text)
    assert on_line.findings[0].span is not None and on_line.findings[0].span.start > 20


@pytest.mark.parametrize("quote", ["50% (approx", "a+b(c", "[", "*", "\\", "(?P<", "%s", "\ud800", "\x00", "𝕏" * 9])
def test_a_quote_of_any_characters_breaks_nothing(quote: str) -> None:
    finding = DraftFinding("revenue", quote, "high", quote, 10**9, quote, quote)
    draft = DraftAudit(
        quote,
        (finding,),
        (Rating("revenue", 5, quote),),
        (DraftPrecedent(quote, quote, quote, quote),),
        (quote,),
        (quote,),
    )
    assert guard.restore(guard.dump(grounded(draft, recalled(LOOP)))).precedents == ()


def test_ratings_out_of_range_unknown_or_repeated_are_refused() -> None:
    ratings = (
        Rating("revenue", 11),
        Rating("revenue", float("nan")),
        Rating("charm", 5),
        Rating("team", 4),
        Rating("team", 9),
    )
    audit = grounded(DraftAudit(ratings=ratings))
    assert [it.field for it in audit.refusals] == [f"ratings[{at}]" for at in (0, 1, 2, 4)]


def test_names_years_and_amounts_are_marked_by_where_they_were_found() -> None:
    summary = (
        "Zippo grows as PaisaLoop did in 2022. Stripe offers the same to merchants. A seed round is $2M in general."
    )
    audit = grounded(DraftAudit(summary=summary, precedents=(LOOP_PROOF,)), recalled(LOOP))
    marks = {term.text: term.mark for sentence in audit.summary for term in sentence.terms}
    assert marks == {
        "Zippo": Mark.IN_SUBMISSION,
        "PaisaLoop": Mark.IN_RECORD,
        "2022": Mark.IN_RECORD,
        "Stripe": Mark.UNVERIFIED,
        "$2M": Mark.UNVERIFIED,
    }


def test_refused_text_stands_in_the_refusals_alone() -> None:
    lie = "You lost ₹613,419 on Zorvexpay in 2017."
    finding = DraftFinding(lie, lie, "high", lie, None, lie, lie, lie)
    draft = DraftAudit(
        lie,
        (finding,),
        (Rating("team", 3, lie),),
        (replace(LOOP_PROOF, why=lie),),
        (lie,),
        (lie,),
        (HistoryClaim(lie, lie),),
    )
    audit = grounded(draft, recalled(LOOP))
    document = json.loads(guard.dump(audit))
    refused = json.dumps(document.pop("refusals"))
    assert "Zorvexpay" in refused and "613" in refused
    assert "Zorvexpay" not in json.dumps(document) and "613,419" not in json.dumps(document)


def test_an_audit_is_written_and_reopened_exactly() -> None:
    draft = DraftAudit(
        "Zippo has no revenue. You lost it all in 2017.",
        (DraftFinding("revenue", "No revenue", "high", "no revenue yet"),),
        (Rating("team", 3, "One founder."),),
        (LOOP_PROOF,),
        ("Ask for contracts.",),
        ("Who pays?",),
    )
    note = record("eva-1", Note("Zippo", "Evaluated deck, not an investment", "weak", 2024), Kind.EVALUATED_DECK)
    audit = grounded(draft, recalled(LOOP, INJECTION, near=(note,)))
    saved = guard.dump(audit)
    assert guard.restore(saved) == audit
    assert guard.restore(json.loads(saved)) == audit
    assert guard.dump(guard.restore(saved)) == saved


@pytest.mark.parametrize("document", [b"", b"{}", b"[1]", b"\xff", {"mode": 1}])
def test_what_is_no_saved_audit_is_named_corrupt(document: object) -> None:
    with pytest.raises(ArchiveCorrupt):
        guard.restore(document)  # type: ignore[arg-type]


def test_a_restored_outcome_keeps_its_type() -> None:
    audit = grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(LOOP))
    assert guard.restore(guard.dump(audit)).precedents[0].record.outcome is Outcome.SHUT_DOWN


def test_only_the_guard_takes_the_grounding_permit() -> None:
    takers = set()
    for path in ROOT.glob("*/**/*.py"):
        if path.parts[len(ROOT.parts)].startswith((".", "tests")):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                {node.id} if isinstance(node, ast.Name) else {node.attr} if isinstance(node, ast.Attribute) else set()
            )
            names |= {it.name for it in node.names} if isinstance(node, ast.ImportFrom) else set()
            if names & {"grounding_permit", "_permit"}:
                takers.add(path.relative_to(ROOT).as_posix())
    assert takers == {"audit/guard.py", "audit/types.py"}


def test_no_audit_is_built_outside_the_guard() -> None:
    audit = grounded(DraftAudit())
    with pytest.raises(TypeError, match=r"only audit\.guard"):
        replace(audit, verdict="Promising")
    with grounding_permit():
        assert replace(audit, verdict="Promising").verdict == "Promising"


def test_the_text_shown_holds_no_control_or_direction_marks() -> None:
    audit = grounded(DraftAudit(summary="Zippo\u200b has\u200e no\x07 revenue\ufeff."))
    assert shown(audit).strip() == "Zippo has no revenue."
    assert audit.recall is NOTHING


@pytest.mark.parametrize("subject", ["you_lost_on_wallets", "previous_wallet_collapse", "your-dead-wallet"])
def test_a_label_tells_no_past(subject: str) -> None:
    audit = grounded(DraftAudit(findings=(DraftFinding(subject, "No revenue", "high"),)))
    assert [it.subject for it in audit.unproved_findings] == ["other"]
    assert any(it.field.endswith(".subject") for it in audit.refusals)


@pytest.mark.parametrize(
    "who", ["The partner who reads this", "Whoever opens this memo", "He who signs here", "Those who read this page"]
)
def test_a_reader_named_by_the_reading_has_no_past_either(who: str) -> None:
    for past in ("has been burned by a wallet startup before", "have already buried a wallet", "lost a fund on one"):
        assert grounded(DraftAudit(advice=(f"{who} {past}.",))).advice == ()
    for honest in ("will ask how it earns money", "should ask for monthly figures"):
        assert len(grounded(DraftAudit(advice=(f"{who} {honest}.",))).advice) == 1


def test_what_befalls_somebody_else_who_reads_may_be_told() -> None:
    decks = ("Users who open an account have to show a passport.", "Customers who read the terms leave before paying.")
    assert len(grounded(DraftAudit(advice=decks)).advice) == 2
    code = ("Anyone who reads this file knows the key.", "Whoever opens the page sees the rows of others.")
    assert len(grounded(DraftAudit(advice=code), mode=BUG).advice) == 2


def test_a_past_that_lies_buried_or_has_happened_before_is_struck_in_other_languages_too() -> None:
    decks = (
        "Two of the last five wallets in the book are gone.", "One burnt hand should be enough.",
        "Vierzigtausend liegen schon in Pune begraben.", "Cuarenta mil ya están enterrados en Pune.",
        "Esse ralo já engoliu quarenta mil.", "四十万已经埋在普纳了，别再埋第二次。",
    )  # fmt: skip
    code = (
        "The same concatenation cost twelve thousand in March.", "Ya pasó en marzo con esta misma consulta.",
        "The fix that was shipped in release 4.2 has been undone here.", "这个漏洞去年三月就出过事。",
        "Un client avait déjà perdu ses données à cause de cela.",
    )  # fmt: skip
    assert grounded(DraftAudit(advice=decks)).advice == ()
    assert grounded(DraftAudit(advice=code), mode=BUG).advice == ()


def test_what_sounds_like_it_and_tells_no_past_stays() -> None:
    decks = ("Die Gebühren liegen bereits im Preis.", "La fase piloto ya pasó con éxito.", "先埋点，再看留存。")
    code = (
        "Upgrade to the fix released in version 2.3 of the driver.", "The same query costs a scan in each loop.",
        "The same bean leaked connections in Spring until its pool was closed.",
    )  # fmt: skip
    assert len(grounded(DraftAudit(advice=decks)).advice) == 3
    assert len(grounded(DraftAudit(advice=code), mode=BUG).advice) == 3


def test_what_the_rules_say_of_any_weakness_is_read_as_english() -> None:
    found = sorted(it.name for it in weaknesses().values())
    told = [f"Found: {name}, OS command injection, {other}." for name, other in pairwise(found)]
    assert {read_sentence(it).language for it in told} == {"en"}
    assert read_sentence("Os fundadores perderam o dinheiro da empresa.").language == "pt"
    assert read_sentence("OS FUNDADORES PERDERAM O DINHEIRO DA EMPRESA.").language == "pt"
