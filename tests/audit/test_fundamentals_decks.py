"""Decks of many trades, forms and languages, read by hand: what each states, denies, promises and leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from audit.fundamentals import analyse
from audit.types import Submission

STANDS = ("stated", "none", "promised", "vague", "missing")
FOLDER = Path(__file__).parent / "decks"
SUBJECTS = (
    "problem",
    "customer",
    "revenue",
    "revenue_model",
    "pricing",
    "traction",
    "growth",
    "unit_economics",
    "market_size",
    "competition",
    "moat",
    "team",
    "runway",
    "terms",
    "regulation",
)


@dataclass(frozen=True)
class Expected:
    """What a careful reader finds. Every subject not named in the other fields is stated."""

    none: str = ""
    promised: str = ""
    vague: str = ""
    missing: str = ""
    risks: str = ""
    contradictions: str = ""
    quotes: tuple[tuple[str, str], ...] = ()


DECKS = {
    "dental_slides": Expected(quotes=(("pricing", "$249 per practice per month."), ("revenue", "MRR is $102,600."))),
    "food_waste_email": Expected(
        none="moat",
        promised="revenue_model pricing",
        missing="revenue growth unit_economics market_size regulation",
        risks="traction:not_launched",
    ),
    "lending_memo": Expected(none="regulation", missing="moat", contradictions="use_of_funds"),
    "journaling_bullets": Expected(
        none="customer pricing competition",
        promised="revenue_model",
        vague="market_size",
        missing="revenue growth unit_economics moat runway regulation",
        risks="team:single_founder team:part_time team:no_technical_founder",
    ),
    "eldercare_zh": Expected(quotes=(("pricing", "每小时收费85元，平台抽成25%。"),)),
    "social_zh": Expected(
        none="revenue revenue_model competition",
        missing="problem pricing unit_economics market_size moat regulation",
        risks="team:single_founder team:no_technical_founder growth:subsidised runway:short",
        contradictions="part_whole stake",
    ),
    "restaurantes_es": Expected(missing="unit_economics moat regulation"),
    "waermepumpe_de": Expected(missing="regulation"),
    "battery_recycling": Expected(
        none="revenue", promised="revenue_model pricing", missing="growth", risks="traction:not_launched"
    ),
    "pet_food": Expected(
        none="unit_economics",
        missing="customer market_size moat regulation",
        risks="churn:high growth:subsidised team:founder_left",
        contradictions="runway",
    ),
    "blurb": Expected(
        missing="problem revenue traction growth unit_economics market_size competition moat team runway terms "
        "regulation"
    ),
    "edtech_update": Expected(
        missing="problem market_size moat", risks="customer:concentration", contradictions="mrr_arr"
    ),
    "biotech": Expected(
        none="revenue", promised="revenue_model regulation", missing="pricing traction growth unit_economics"
    ),
    "machines_table": Expected(missing="market_size moat runway regulation", contradictions="ltv_cac"),
    "satellite_prose": Expected(),
    "insurance_slides": Expected(missing="unit_economics"),
    "greenhouse_email_zh": Expected(missing="regulation"),
    "salud_es": Expected(
        none="revenue",
        promised="revenue_model pricing",
        missing="growth unit_economics moat",
        risks="traction:not_launched team:single_founder team:no_technical_founder",
    ),
    "saas_onepager_de": Expected(missing="runway"),
    "tutoring_bad": Expected(
        none="competition",
        promised="revenue revenue_model",
        vague="growth",
        missing="pricing unit_economics moat runway regulation",
        contradictions="market_share",
    ),
    "devtool_readme": Expected(missing="market_size moat terms regulation"),
    "coffee_chain": Expected(missing="market_size"),
    "hold_hearing": Expected(none="regulation", missing="growth market_size moat"),
    "hold_farmfin_zh": Expected(),
    "hold_creator": Expected(
        none="revenue pricing revenue_model",
        missing="problem unit_economics market_size moat regulation",
        risks="team:part_time",
    ),
    "hold_construction_de": Expected(
        missing="unit_economics market_size moat regulation",
        risks="team:single_founder team:no_technical_founder",
    ),
    "hold_energy_es": Expected(missing="market_size runway"),
    "hold_agentai": Expected(missing="market_size moat"),
    "hold_fashion": Expected(missing="revenue pricing growth unit_economics moat runway regulation"),
    "hold_space_memo": Expected(none="revenue regulation", missing="growth competition"),
    "final_hr": Expected(missing="moat"),
    "final_crypto": Expected(
        none="customer competition team",
        promised="revenue_model pricing",
        vague="growth",
        missing="problem revenue unit_economics moat runway regulation",
        contradictions="market_share use_of_funds",
    ),
    "final_toy_zh": Expected(missing="moat regulation"),
    "final_hotel_email": Expected(missing="unit_economics market_size runway regulation", risks="team:founder_left"),
    "final_hw_bad": Expected(
        missing="customer revenue growth moat runway regulation",
        risks="team:no_technical_founder",
        contradictions="funds_round part_whole",
    ),
}


def findings_of(name: str):
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return text, analyse(Submission("investment", text, "")).findings


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_is_read_as_a_careful_reader_reads_it(name: str) -> None:
    expected = DECKS[name]
    _, findings = findings_of(name)
    stands = {}
    for it in findings:
        subject, _, stand = it.source.removeprefix("rule:").partition(".")
        if stand in STANDS:
            stands[subject] = stand
    named = {
        subject: stand
        for stand in ("none", "promised", "vague", "missing")
        for subject in getattr(expected, stand).split()
    }
    assert {subject: stands[subject] for subject in SUBJECTS} == {it: named.get(it, "stated") for it in SUBJECTS}


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_s_weaknesses_and_contradictions_are_found_and_none_is_invented(name: str) -> None:
    expected = DECKS[name]
    _, findings = findings_of(name)
    sources = [it.source.removeprefix("rule:") for it in findings]
    assert sorted({it for it in sources if ":" in it}) == sorted(expected.risks.split())
    numbers = {it.removeprefix("numbers.") for it in sources if it.startswith("numbers.")}
    assert sorted(numbers) == sorted(expected.contradictions.split())


@pytest.mark.parametrize("name", DECKS)
def test_every_quote_stands_in_the_deck(name: str) -> None:
    text, findings = findings_of(name)
    assert all(it.quote in text for it in findings)
    assert all(it.quote for it in findings if not it.source.endswith(".missing"))


@pytest.mark.parametrize("name", [name for name, it in DECKS.items() if it.quotes])
def test_the_quote_is_the_passage_that_says_it(name: str) -> None:
    _, findings = findings_of(name)
    quotes = {it.source: it.quote for it in findings}
    for subject, quote in DECKS[name].quotes:
        assert quotes[f"rule:{subject}.stated"] == quote
