"""Opinions order precedents within the user's own workspace; they admit nothing and change no confidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from audit.examples import examples
from audit.feedback import Opinion
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from memory.opinions import Tally, opinions
from memory.ranking import by_opinion, opinion_weight
from memory.records import Door, InvestmentFacts, Kind, Outcome
from memory.report import Candidate, Decision
from tests.ui import samples
from wiring import Services

AT = datetime(2026, 11, 1, tzinfo=UTC)
TALLIES = st.builds(Tally, st.integers(0, 50), st.integers(0, 50))


@given(TALLIES)
def test_an_opinion_moves_the_order_by_a_quarter_at_most(tally: Tally) -> None:
    assert 0.75 < opinion_weight(tally) < 1.25
    assert opinion_weight(replace(tally, useful=tally.useful + 1)) > opinion_weight(tally) - 1e-12
    assert opinion_weight(replace(tally, against=tally.against + 1)) < opinion_weight(tally) + 1e-12
    assert opinion_weight(Tally(0, 0)) == 1


CANDIDATES = st.lists(
    st.tuples(st.sampled_from(list(Decision)), st.floats(0, 1), st.floats(0, 1)), max_size=10
)  # fmt: skip


@given(CANDIDATES, st.dictionaries(st.integers(0, 9).map(str), TALLIES))
def test_opinions_never_admit_and_never_touch_chance_or_confidence(
    drawn: list[tuple[Decision, float, float]], tallies: dict[str, Tally]
) -> None:
    before = [
        Candidate(replace(samples.payments(), id=str(at)), 0.5, chance, decision, "rule", order=order)
        for at, (decision, chance, order) in enumerate(drawn)
    ]
    after = by_opinion(before, tallies)
    assert [it.decision for it in after] == [it.decision for it in before]
    judged = {it.record.id: (it.decision, it.probability, it.record, it.rule) for it in before}
    assert {it.record.id: (it.decision, it.probability, it.record, it.rule) for it in after} == judged
    assert [it for it in after if it.decision is not Decision.KEPT] == [
        it for it in before if it.decision is not Decision.KEPT
    ]
    kept = [it.order for it in after if it.decision is Decision.KEPT]
    assert kept == sorted(kept, reverse=True)


def test_what_was_called_useful_comes_first_and_the_same_records_are_kept(services: Services) -> None:
    text = examples("investment")[0].text
    for at, place in enumerate(("Lagos", "Lima", "Oslo")):
        facts = InvestmentFacts(
            f"Pay {place}", "payments", f"A peer-to-peer payments app for students in {place}; transfers are free.",
            2019 + at, outcome=Outcome.SHUT_DOWN, cause="Nobody was charged.",
        )  # fmt: skip
        services.intake.remember(
            services.workspace, Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="person", now=AT
        )
    submission = make_submission(INVESTMENT, text)
    first = run_audit(services, INVESTMENT, submission, now=AT)
    kept = [it.record.id for it in first.audit.recall.kept]
    assert len(kept) >= 2
    said = {kept[-1]: Opinion.USEFUL, kept[0]: Opinion.OUTDATED}
    for record_id, opinion in said.items():
        services.feedback.give(
            services.workspace, str(first.saved_as), record_id, opinion, author="ana", now=AT
        )  # fmt: skip
    assert opinions(services.ledger, services.workspace, kept)[kept[-1]] == Tally(1, 0)
    assert opinions(services.ledger, "another", kept) == {}
    again = run_audit(services, INVESTMENT, submission, now=AT, save=False).audit
    after = {it.record.id: it for it in again.recall.kept}
    assert set(after) == set(kept)
    assert after[kept[-1]].opinion > 1 > after[kept[0]].opinion
    before = {it.record.id: it for it in first.audit.recall.kept}
    for record_id, it in after.items():
        assert it.probability == before[record_id].probability
        assert it.record.confidence == before[record_id].record.confidence
    orders = [it.order for it in again.recall.kept]
    assert orders == sorted(orders, reverse=True)
    assert again.score == first.audit.score


def test_an_opinion_taken_back_leaves_no_trace_in_the_order(services: Services) -> None:
    submission = make_submission(INVESTMENT, examples("investment")[0].text)
    first = run_audit(services, INVESTMENT, submission, now=AT)
    record_id = first.audit.recall.kept[0].record.id
    args = (services.workspace, str(first.saved_as), record_id)
    services.feedback.give(*args, Opinion.NOT_THE_SAME, author="ana", now=AT)
    assert run_audit(services, INVESTMENT, submission, now=AT, save=False).audit.recall.kept[0].opinion < 1
    services.feedback.take_back(*args)
    assert run_audit(services, INVESTMENT, submission, now=AT, save=False).audit.recall.kept[0].opinion == 1
