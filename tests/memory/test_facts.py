"""Facts as JSON: what people write is read, and what cannot be read is named."""

from __future__ import annotations

from decimal import Decimal

import pytest

from memory.errors import RecordInvalid
from memory.facts import from_json
from memory.money import Money
from memory.records import InvestmentFacts, Kind
from memory.validation import checked


@pytest.mark.parametrize("data", [{"invested": "₹50,000", "returned": "0"}, {"returned": "0", "invested": "₹50,000"}])
def test_what_was_returned_is_in_the_currency_of_what_was_invested_unless_it_names_its_own(
    data: dict[str, object],
) -> None:
    facts = from_json(Kind.INVESTMENT, {"company": "Acme", **data})
    assert isinstance(facts, InvestmentFacts)
    assert facts.returned == Money(Decimal(0), "INR")
    assert str(facts.loss) == "₹50,000"
    own = from_json(Kind.INVESTMENT, {"company": "Acme", "invested": "₹50,000", "returned": "$10"})
    assert isinstance(own, InvestmentFacts)
    assert str(own.returned) == "$10"


def test_an_amount_that_has_no_currency_anywhere_is_refused_by_its_field_s_name() -> None:
    with pytest.raises(RecordInvalid, match="returned"):
        from_json(Kind.INVESTMENT, {"company": "Acme", "returned": "0"})
    with pytest.raises(RecordInvalid, match="invested"):
        from_json(Kind.INVESTMENT, {"company": "Acme", "invested": "50000", "returned": "$0"})


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("year", "9" * 5_000, "must be a year"),
        ("year", float("inf"), "must be a year"),
        ("invested", {"amount": "1e-9999999", "currency": "USD"}, "at most 30 decimal places"),
        ("invested", {"amount": "1e9999999", "currency": "USD"}, "must lie between"),
        ("invested", {"amount": "NaN", "currency": "USD"}, "must lie between"),
    ],
)
def test_a_number_beyond_all_measure_is_refused_in_a_sentence(field: str, value: object, says: str) -> None:
    with pytest.raises(RecordInvalid, match=says) as told:
        checked(Kind.INVESTMENT, from_json(Kind.INVESTMENT, {"company": "Acme", field: value}))
    assert len(str(told.value)) < 200
