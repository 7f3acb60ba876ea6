"""What is typed into a form becomes facts, or a sentence that says what is missing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from memory.money import Money
from memory.records import BugFacts, InvestmentFacts, Kind, Outcome
from ui.components.record_form import SHEETS, facts_from

TYPED = {
    "company": "  Otter Ferry ",
    "summary": "Electric ferries.",
    "year": 2021,
    "year_end": None,
    "outcome": Outcome.WRITTEN_OFF,
    "invested": "₹5 lakh",
    "returned": "",
}


def test_typed_values_become_facts_with_their_types() -> None:
    facts = facts_from(Kind.INVESTMENT, TYPED)
    assert facts == InvestmentFacts(
        company="Otter Ferry",
        summary="Electric ferries.",
        year=2021,
        outcome=Outcome.WRITTEN_OFF,
        invested=Money(Decimal(500_000), "INR"),
    )
    assert type(facts.outcome) is Outcome


def test_a_bare_amount_returned_takes_the_currency_that_was_invested() -> None:
    assert facts_from(Kind.INVESTMENT, TYPED | {"returned": "1000"}).returned == Money(Decimal(1000), "INR")


@pytest.mark.parametrize("kind", list(SHEETS))
def test_a_form_left_empty_names_every_field_it_needs(kind: Kind) -> None:
    with pytest.raises(ValueError, match="Still needed") as said:
        facts_from(kind, {})
    labels = {field.name: field.label.rstrip(" *") for field in SHEETS[kind].fields}
    assert all(labels[name] in str(said.value) for name in SHEETS[kind].required)


def test_an_amount_that_is_none_names_its_field_and_what_would_do() -> None:
    with pytest.raises(ValueError, match=r"Invested: .*write it like"):
        facts_from(Kind.INVESTMENT, TYPED | {"invested": "a lot"})


def test_a_form_asks_for_every_fact_of_its_kind() -> None:
    for kind, facts in ((Kind.INVESTMENT, InvestmentFacts), (Kind.BUG, BugFacts)):
        assert {field.name for field in SHEETS[kind].fields} == set(facts.__slots__)
