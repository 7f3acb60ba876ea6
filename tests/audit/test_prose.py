"""Prose: what claims a past is struck, what does not is left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.folding import skeleton
from audit.mentions import Kind, quantities
from audit.modes import BUG
from audit.types import DraftAudit
from memory.money import Money
from tests.audit.guarding import FORK, INJECTION, LOOP, LOOP_PROOF, NOTHING, grounded, recalled

CLAIMS = (
    "You invested in a company like this.",
    "You've lost money on this before.",
    "Last time this ended badly.",
    "As with your 2021 deal, growth hides it.",
    "We saw this before.",
    "History shows you lose on payments.",
    "Your records show a loss.",
    "One of your earlier bets failed.",
    "Zorvexpay, 2017: written off.",
    "It reminds me of Zorvexpay.",
    "This fixes the bug you shipped in 2019.",
    "The 2019 outage had this cause.",
    "In two thousand and seventeen you lost fifty thousand rupees.",
    "An evaluation of yours was a loss of ₹75,000.",
    "You never got your money back.",
    "Ya perdiste dinero en esto.",
    "Usted invirtió en algo así en 2017.",
    "La historia muestra que pierde.",
    "Sie haben schon einmal in so etwas investiert.",
    "Du hast damit 2017 Geld verloren.",
    "Die Geschichte zeigt, dass das scheitert.",
    "Vous avez déjà investi dans une telle idée.",
    "Comme lors de votre investissement de 2017.",
    "L'histoire montre que vous perdez.",
    "Você já investiu em algo assim.",
    "Como no seu investimento de 2017.",
    "Da última vez você perdeu.",
    "你之前投资过类似的公司。",
    "上次你亏了钱。",
    "历史表明这会失败。",
    "आपने पहले भी इसमें निवेश किया था।",
    "पिछली बार आपको घाटा हुआ था।",
    "इतिहास बताता है कि यह विफल होगा।",
)
DISGUISES = {
    "homoglyphs": "Yоu invеstеd in this before.",
    "zero width": "Y\u200bou inv\u200bested in this.",
    "direction marks": "You\u200f invested\u200e in this.",
    "override": "\u202e.siht ni detsevni uoY\u202c",
    "bold": "**You** inve**st**ed in this.",
    "tags": "<b>You</b> <i>invested</i> in this.",
    "comment": "Fine. <!-- You invested in this -->",
    "entities": "&#89;ou invested in this.",
    "full width": "Ｙｏｕ ｉｎｖｅｓｔｅｄ in this.",
    "letters apart": "Y o u i n v e s t e d in this.",
    "leet": "Y0u 1nv3st3d 1n th15.",
    "hyphens": "You in-vest-ed in this be-fore.",
    "circled": "Ⓨⓞⓤ ⓘⓝⓥⓔⓢⓣⓔⓓ here.",
    "struck": "Y̶o̶u̶ ̶i̶n̶v̶e̶s̶t̶e̶d̶ here.",
    "heading": "# You invested in this",
    "list": "- No revenue\n- You invested in this",
    "code": "x = 1  # you invested in this",
    "table": "| a | you invested in this |",
    "json": '{"similar_past_cases": ["Zorvexpay"]}',
    "base64": "WW91IGludmVzdGVkIGluIFpvcnZleHBheQ==",
    "a word a line": "You\ninvested\nin\nthis\nbefore",
}
BENIGN = (
    "The founder's previous company was sold to a bank.",
    "In 2021 the market was growing quickly.",
    "You should ask who pays.",
    "Last month's revenue is not stated.",
    "Once you have seen audited accounts, look again.",
    "If you invested now, the price would be high.",
    "How many customers have you lost?",
    "Which experiments have failed so far?",
    "Similar start-ups usually charge a fee.",
    "Stripe and Adyen offer this to merchants.",
    "A data breach could cost the company its licence.",
    "No precedent was found in the records.",
    "You concatenate user input on line 3.",
    "The same mistake appears on line 12.",
    "Use PreparedStatement instead of Statement.",
    "SQL Injection in the Login Query",
    "Single Founder Risk",
    "The deck asks for ₹2 crore and names 80,000 users.",
    "El mercado creció en 2021.",
    "Der Markt wuchs im Jahr 2021.",
    "Le marché a grandi en 2021.",
    "O mercado cresceu em 2021.",
    "2021年市场增长很快。",
    "2021 में बाज़ार तेज़ी से बढ़ा।",
)


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_sentence_that_claims_a_past_is_struck_and_shown_as_refused(claim: str) -> None:
    audit = grounded(DraftAudit(summary=f"Zippo has no revenue. {claim}"))
    assert [it.text for it in audit.summary] == ["Zippo has no revenue."]
    assert audit.refusals and all(it.field == "summary" and it.rule and it.reason for it in audit.refusals)


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguised_claim_is_struck(name: str) -> None:
    audit = grounded(DraftAudit(advice=(DISGUISES[name],)))
    assert not [it.text for it in audit.advice if "inv" in skeleton(it.text).lower() or "You" in it.text]
    assert audit.refusals


@pytest.mark.parametrize("sentence", BENIGN)
def test_a_benign_sentence_stays(sentence: str) -> None:
    mode = {"mode": BUG} if "Statement" in sentence or "line" in sentence else {}
    audit = grounded(DraftAudit(summary=sentence), **mode)  # type: ignore[arg-type]
    assert audit.refusals == () and [it.text for it in audit.summary] == [sentence]


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("PaisaLoop cost you ₹60,000.", "₹50,000"),
        ("PaisaLoop cost you $50,000.", "₹50,000"),
        ("PaisaLoop closed in 2021.", "2022, 2023"),
        ("PaisaLoop was acquired.", "shut down"),
        ("You lost 5 lakh rupees on PaisaLoop.", "₹50,000"),
        ("PaisaLoop made you a profit.", "shut down"),
        ("About ₹52,000 went into such an app.", "₹50,000"),
    ],
)
def test_what_differs_from_a_proved_record_is_struck_and_the_right_fact_named(sentence: str, right: str) -> None:
    audit = grounded(DraftAudit(summary=sentence, precedents=(LOOP_PROOF,)), recalled(LOOP))
    assert audit.summary == ()
    assert right in audit.refusals[0].reason


@pytest.mark.parametrize(
    "sentence",
    [
        "You invested ₹50k in PaisaLoop in 2022.",
        "PaisaLoop shut down in 2023.",
        "You lost half a lakh or 0.5 lakh rupees on PaisaLoop.",
        "This resembles a past investment of yours.",
        "In twenty twenty-two you invested fifty thousand rupees in PaisaLoop.",
    ],
)
def test_what_a_proved_record_says_may_be_repeated(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence, precedents=(LOOP_PROOF,)), recalled(LOOP))
    assert audit.refusals == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Green Fork is the case to read.",
        "green fork again",
        "See inv-fork.",
        "Keep $20,000 in mind.",
        "Keep USD 20k in mind.",
        "What it was: Weekly meal kits for offices",
    ],
)
def test_a_record_that_is_no_proved_precedent_is_not_named(sentence: str) -> None:
    audit = grounded(DraftAudit(advice=(sentence,)), recalled(LOOP, near=(FORK,)))
    assert audit.advice == ()


def test_a_lie_cut_over_list_entries_and_fields_is_struck_whole() -> None:
    audit = grounded(
        DraftAudit(
            "Zorvexpay was a company.",
            advice=("Zorvexpay", "2017", "₹613,419", "written off"),
            questions=("It was written off in 2017.",),
        )
    )
    assert audit.summary == audit.advice == audit.questions == ()


def test_a_bug_of_the_reader_is_a_past_as_well() -> None:
    audit = grounded(
        DraftAudit(summary="You fixed this in 2019. Your service was breached through it."),
        recalled(INJECTION),
        mode=BUG,
    )
    assert audit.summary == ()


def test_a_language_that_cannot_be_read_is_not_checked_so_not_shown() -> None:
    audit = grounded(DraftAudit(summary="Вы уже инвестировали в это."))
    assert audit.summary == () and "not checked" in audit.refusals[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "₹50k",
        "50,000 rupees",
        "0.5 lakh rupees",
        "Rs 50,000",
        "INR 50000",
        "fifty thousand rupees",
        "5万卢比",
        "五万卢比",
        "50 mil rupias",
        "पचास हज़ार रुपये",
        "₹５０,０００",
        "५०,००० रुपये",
    ],
)
def test_an_amount_is_the_same_however_it_is_written(text: str) -> None:
    (found,) = [it for it in quantities(skeleton(text)) if it.kind is Kind.AMOUNT]
    assert found.same_amount(Money(50_000, "INR"))  # type: ignore[arg-type]
    assert not found.same_amount(Money(50_000, "USD"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "2021",
        "twenty twenty-one",
        "two thousand and twenty-one",
        "dos mil veintiuno",
        "zweitausendeinundzwanzig",
        "deux mille vingt et un",
        "dois mil e vinte e um",
        "二〇二一年",
        "दो हज़ार इक्कीस",
        "FY21",
        "'21",
        "MMXXI",
        "two zero two one",
    ],
)
def test_a_year_is_the_same_however_it_is_written(text: str) -> None:
    assert [int(it.value) for it in quantities(skeleton(text)) if it.kind is Kind.YEAR] == [2021]


@given(st.text(max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    audit = grounded(DraftAudit(summary=text, advice=(text, text)), NOTHING)
    assert len(audit.summary) <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "a " * 4000,
        "1,1" * 2600,
        "you " * 2000,
        "((((" * 2000,
        "<" * 8000,
        "You have " * 880,
        "9" * 8000,
        "w0" * 4000,
        "&" * 8000,
        "-a" * 4000,
        "​" * 8000,
    ],
)
def test_reading_takes_time_in_proportion_to_the_text(text: str) -> None:
    began = time.process_time()
    grounded(DraftAudit(summary=text, advice=(text,)))
    assert time.process_time() - began < 2
