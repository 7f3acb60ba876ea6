"""The main job, end to end on real parts: real ledger, real Chroma, real embedder."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime

import pytest

from audit.errors import ArchiveCorrupt, AuditNotFound, Cancelled
from audit.examples import examples
from audit.export import as_dict
from audit.html_report import as_html
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.port import ModelClient, Request
from audit.llm.scripted import ScriptedModel
from audit.markdown_report import as_markdown
from audit.modes import BUG, INVESTMENT, Mode
from audit.service import SavedAudit, Step, run_audit
from audit.submission import make_submission
from audit.turns import AT_ONCE, turn
from memory.embed import EmbedderId
from memory.money import Money
from memory.records import Door, Kind
from memory.report import RecallQuery, RecallReport, RecallState
from wiring import Services

PAYMENTS, FARMING = (example.text for example in examples("investment"))
CONCATENATED, BOUND = (example.text for example in examples("bug"))

INVENTED = "Zephyrpay"
INVENTED_PAST = {
    "similar_idea_found": True,
    "similar_bug_found": True,
    "historical_loss": f"$777,000 lost in {INVENTED} in 1987",
    "similar_past_cases": [{"company": INVENTED, "year": 1987, "amount": "$777,000"}],
    "summary": f"You invested $777,000 in {INVENTED} in 1987 and lost it all. The deck names a customer.",
    "findings": [
        {
            "subject": "problem",
            "title": f"As with {INVENTED}, you lost $777,000",
            "severity": "high",
            "quote": "",
            "explanation": f"Last time, with {INVENTED} in 1987, you lost everything.",
            "fix": f"Remember {INVENTED}.",
        }
    ],
    "ratings": [
        {"dimension": "problem", "value": 3, "reason": f"You saw this in {INVENTED}, which cost you $777,000."}
    ],
    "precedents": [
        {
            "record_id": "inv-invented",
            "record_quote": INVENTED,
            "submission_quote": "customer",
            "why": "You lost $777,000",
        }
    ],
    "advice": [f"Do not repeat {INVENTED}.", "Your loss of $777,000 in 1987 should be a warning."],
    "questions": [f"Why would this end differently from your {INVENTED} in 1987?"],
}
CANARY = re.compile(r"zephyrpay|(?<![\w.])(?:777,?000|1987)(?!\w)", re.IGNORECASE)


def audit(services: Services, mode: Mode, text: str, now: datetime, **options: object) -> SavedAudit:
    return run_audit(services, mode, make_submission(mode, text), now=now, **options)  # type: ignore[arg-type]


def test_the_payments_deck_brings_back_the_2022_start_up_with_amount_and_lesson(
    services: Services, now: datetime
) -> None:
    done = audit(services, INVESTMENT, PAYMENTS, now).audit
    record = done.precedents[0].record
    assert record.year == 2022
    assert str(record.loss) == "₹50,000"
    assert record.lesson
    assert done.history.text == "₹50,000"
    assert done.history.losses == (Money(record.loss.amount, "INR"),)  # type: ignore[union-attr]
    assert done.model == "rules"


def test_a_deck_with_no_likeness_brings_none_found(services: Services, now: datetime) -> None:
    told = as_dict(audit(services, INVESTMENT, FARMING, now).audit)
    assert told["similar_idea_found"] is False
    assert told["historical_loss"] == "None found"
    assert told["similar_past_cases"] == []
    assert told["recall"]["state"] == RecallState.NONE_RELEVANT


def test_a_query_built_by_concatenation_brings_the_sql_injection_its_fix_and_its_loss(
    services: Services, now: datetime
) -> None:
    done = audit(services, BUG, CONCATENATED, now).audit
    finding = next(it for it in done.findings if it.subject == "CWE-89")
    assert finding.span is not None
    assert finding.line
    record = done.precedents[0].record
    assert record.facts.cwe == "CWE-89"  # type: ignore[union-attr]
    assert record.lesson
    assert record.loss is not None
    assert str(record.loss) in done.history.text


def test_the_same_query_with_bound_parameters_has_no_flaw_and_no_past_bug(services: Services, now: datetime) -> None:
    done = audit(services, BUG, BOUND, now).audit
    assert not done.findings
    assert not done.precedents
    assert done.history.text == "None found"


@pytest.mark.parametrize(("mode", "text"), [(INVESTMENT, FARMING), (BUG, BOUND)])
def test_a_model_that_fabricates_a_past_in_every_field_is_not_believed_in_one(
    served_by: Callable[[ModelClient], Services], now: datetime, mode: Mode, text: str
) -> None:
    services = served_by(ScriptedModel([json.dumps(INVENTED_PAST)]))
    done = audit(services, mode, text, now)
    assert done.audit.model == "local:scripted"
    assert done.audit.history.similar_found is False
    assert_no_canary(services, done)
    assert done.audit.refusals


def test_invented_ids_beside_real_precedents_are_refused(
    served_by: Callable[[ModelClient], Services], now: datetime
) -> None:
    services = served_by(ScriptedModel([json.dumps(INVENTED_PAST)]))
    done = audit(services, INVESTMENT, PAYMENTS, now)
    assert [it.record.id for it in done.audit.precedents if it.record.id == "inv-invented"] == []
    assert_no_canary(services, done)


def assert_no_canary(services: Services, done: SavedAudit) -> None:
    """Look for the invented facts in all that is shown, saved or remembered, the list of refusals aside."""
    told = as_dict(done.audit, done.saved_as)
    told.pop("refused")
    shown = [json.dumps(told, ensure_ascii=False)]
    for page in (as_markdown(done.audit), as_html(done.audit)):
        shown.append(page.partition("Refused: said by the writer")[0].partition("## Refused")[0])
    assert done.saved_as is not None
    reopened = as_dict(services.archive.open(services.workspace, done.saved_as))
    reopened.pop("refused")
    shown.append(json.dumps(reopened, ensure_ascii=False))
    page = services.ledger.find(services.workspace, kinds=tuple(Kind), limit=100)
    shown.extend(repr(record.facts) for record in page.records)
    for text in shown:
        assert CANARY.search(text) is None


def test_a_saved_audit_opens_again_exactly_as_it_was(services: Services, now: datetime) -> None:
    done = audit(services, INVESTMENT, PAYMENTS, now)
    assert done.saved_as is not None
    assert services.archive.open(services.workspace, done.saved_as) == done.audit
    summary = services.archive.list(services.workspace)[0]
    assert (summary.id, summary.score, summary.verdict) == (done.saved_as, done.audit.score, done.audit.verdict)


def test_an_audit_not_to_be_saved_leaves_no_trace(services: Services, now: datetime) -> None:
    head = services.ledger.head()
    assert audit(services, BUG, CONCATENATED, now, save=False).saved_as is None
    assert services.archive.count(services.workspace) == 0
    assert services.ledger.head() == head


def test_an_altered_archive_is_told_and_not_shown(services: Services, now: datetime) -> None:
    done = audit(services, BUG, BOUND, now)
    with services.ledger.transaction() as tx:
        tx.exec_driver_sql("UPDATE audits SET document = CAST(replace(document, 'bug', 'bag') AS BLOB)")
    with pytest.raises(ArchiveCorrupt, match="altered"):
        services.archive.open(services.workspace, str(done.saved_as))
    with pytest.raises(AuditNotFound):
        services.archive.open("another", str(done.saved_as))


def test_an_audit_written_back_is_an_evaluation_and_never_a_precedent(services: Services, now: datetime) -> None:
    audit(services, BUG, CONCATENATED, now)
    for ending in ("", ".", "?"):
        done = audit(services, INVESTMENT, f"A deck about farms{ending}\n{FARMING}", now).audit
    assert done.history.text == "None found"
    assert not done.precedents
    notes = services.ledger.find(services.workspace, kinds=(Kind.EVALUATED_DECK,)).records
    assert len(notes) == 3
    told = sorted(note.facts.text for note in notes)  # type: ignore[union-attr]
    verdict = f"Verdict: {done.verdict}, {done.score:.0f} of 100."
    assert services.ledger.find(services.workspace, kinds=(Kind.REVIEWED_CODE,)).total == 1
    assert told == [
        f"Evaluated deck, not an investment: A deck about farms{mark} {verdict}" for mark in (".", ".", "?")
    ]


def test_a_stopped_audit_saves_nothing(services: Services, now: datetime) -> None:
    steps: list[Step] = []
    with pytest.raises(Cancelled):
        audit(
            services,
            INVESTMENT,
            FARMING,
            now,
            on_step=lambda step, detail: steps.append(step),
            cancelled=lambda: Step.RECALLING in steps,
        )
    assert services.archive.count(services.workspace) == 0


def test_audits_take_turns_at_work_and_wait_for_their_models_together(
    served_by: Callable[[ModelClient], Services], now: datetime
) -> None:
    many = AT_ONCE + 2
    all_asked = threading.Barrier(many)
    working: list[int] = []
    most: list[int] = []

    def asked(request: Request) -> str:
        all_asked.wait(30)
        return reply_quoting("")

    services = served_by(ScriptedModel([asked]))

    class Watched:
        begin = services.recaller.begin

        def recall(self, query: RecallQuery, now: datetime) -> RecallReport:
            working.append(1)
            most.append(len(working))
            try:
                return services.recaller.recall(query, now)
            finally:
                working.pop()

    watched = replace(services, recaller=Watched())  # type: ignore[arg-type]
    with ThreadPoolExecutor(many) as pool:
        done = list(pool.map(lambda number: audit(watched, INVESTMENT, f"{PAYMENTS} {number}", now), range(many)))
    assert all(it.saved_as for it in done)
    assert max(most) <= AT_ONCE
    assert {it.audit.model for it in done} == {"local:scripted"}


def test_a_stopped_audit_does_not_wait_for_its_turn(services: Services, now: datetime) -> None:
    with ExitStack() as held:
        for _ in range(AT_ONCE):
            held.enter_context(turn(lambda: False))
        with pytest.raises(Cancelled):
            audit(services, INVESTMENT, PAYMENTS, now, cancelled=lambda: True)


def test_an_empty_memory_says_no_records(services: Services, now: datetime) -> None:
    other = services.settings.model_copy(update={"workspace": "nobody"})
    done = audit(replace(services, settings=other), INVESTMENT, PAYMENTS, now, save=False).audit
    assert done.recall.state is RecallState.NO_RECORDS
    assert done.history.text == "None found"


def test_an_audit_that_cannot_be_saved_is_still_shown_and_says_so(services: Services, now: datetime) -> None:
    with services.ledger.transaction() as tx:
        tx.exec_driver_sql("DROP TABLE audits")
    done = audit(services, INVESTMENT, FARMING, now)
    assert done.audit.verdict
    assert done.saved_as is None
    assert "could not be saved" in done.problem


def test_an_audit_is_kept_while_the_memory_waits_to_be_indexed_again(services: Services, now: datetime) -> None:
    services.ledger.set_embedder(EmbedderId("an older model", 384, "0" * 64))
    done = audit(services, INVESTMENT, PAYMENTS, now)
    assert done.audit.recall.state is RecallState.EMBEDDER_CHANGED
    assert done.audit.history.text == "not checked"
    assert not done.audit.history.similar_found
    assert done.saved_as is not None
    assert services.archive.open(services.workspace, done.saved_as) == done.audit


UNSEEN_BY_RULES = """
def find_member(db, name):
    template = Template("select id, password_hash from members where login = '$login'")
    return db.run(template.substitute(login=name))
"""


def reply_quoting(line: str) -> str:
    finding = {"subject": "CWE-89", "title": "SQL built from input", "severity": "high", "quote": line}
    return json.dumps(
        {"summary": "The query is built from input.", "findings": [finding | {"explanation": "", "fix": ""}]}
    )


def test_a_model_that_quotes_the_flawed_line_confirms_a_past_bug_that_was_near(
    served_by: Callable[[ModelClient], Services], now: datetime
) -> None:
    line = "template = Template(\"select id, password_hash from members where login = '$login'\")"
    alone = audit(served_by(ScriptedModel([ModelFailure(FailureKind.OVERLOADED)])), BUG, UNSEEN_BY_RULES, now).audit
    assert not alone.precedents
    assert any(it.record.facts.cwe == "CWE-89" for it in alone.recall.near)  # type: ignore[union-attr]
    told = audit(served_by(ScriptedModel([reply_quoting(line)])), BUG, UNSEEN_BY_RULES, now).audit
    assert [it.record.facts.cwe for it in told.precedents] == ["CWE-89"]  # type: ignore[union-attr]
    assert told.precedents[0].submission_quote in line


def test_a_model_that_quotes_a_line_that_is_not_there_confirms_nothing(
    served_by: Callable[[ModelClient], Services], now: datetime
) -> None:
    services = served_by(ScriptedModel([reply_quoting("cursor.execute('select ' + name)")]))
    assert not audit(services, BUG, UNSEEN_BY_RULES, now).audit.precedents


def test_a_loss_recorded_twice_in_other_words_is_summed_once(services: Services, now: datetime) -> None:
    before = audit(services, INVESTMENT, PAYMENTS, now).audit
    facts = before.precedents[0].record.facts
    again = replace(facts, summary="An app to pay friends by phone number and to split the bill, at no charge.")  # type: ignore[type-var]
    services.intake.remember(
        services.workspace, Kind.INVESTMENT, again, door=Door.FORM, source="form", author="ana", now=now
    )
    after = audit(services, INVESTMENT, PAYMENTS, now).audit
    assert after.history.text == before.history.text
    assert sum(it.alike for it in after.precedents) == 1


def test_the_same_text_again_is_called_evaluated_before_and_nothing_more(services: Services, now: datetime) -> None:
    first = audit(services, INVESTMENT, FARMING, now).audit
    second = audit(services, INVESTMENT, FARMING, now).audit
    assert not any("evaluated this before" in note for note in first.notes)
    assert f"You evaluated this before, on 01 November 2026: {first.verdict}, {first.score:.0f} of 100." in second.notes
    assert second.history == first.history
    assert second.score == first.score
