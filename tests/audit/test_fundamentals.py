"""The rule analyst for decks: denials, promises, people, cues, ratings, and any text at all."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.deck.figures import figure_names
from audit.deck.vocabulary import vocabulary
from audit.examples import examples
from audit.fundamentals import SHORT_WORDS, UNREAD, analyse
from audit.modes import INVESTMENT
from audit.types import Analysis, Submission

DECKS = sorted((Path(__file__).parent / "decks").glob("*.txt"))


def read(text: str) -> Analysis:
    return analyse(Submission("investment", text, ""))


def sources(text: str) -> set[str]:
    return {it.source.removeprefix("rule:") for it in read(text).findings}


DENIALS = [
    ("revenue.none", "We have no revenue today."),
    ("revenue.none", "The company is pre-revenue."),
    ("revenue.none", "We have not yet generated any revenue."),
    ("revenue.none", "MRR: $0"),
    ("revenue.none", "目前尚无收入。"),
    ("revenue.none", "公司还没有产生任何收入。"),
    ("revenue.none", "Todavía no tenemos ingresos."),
    ("revenue.none", "Wir haben noch keinen Umsatz."),
    ("revenue.stated", "We went from no revenue to $30k MRR in six months."),
    ("revenue.stated", "MRR is $30k and we take no revenue share from our partners."),
    ("revenue.missing", "Competitors have no revenue."),
    ("revenue.promised", "We expect revenue of $2M by 2028."),
    ("revenue.promised", "预计明年收入将达到500万元。"),
    ("competition.none", "We have no competitors."),
    ("competition.none", "There is no direct competition."),
    ("competition.none", "We are the only company that does this."),
    ("competition.none", "我们没有竞争对手。"),
    ("competition.none", "No tenemos competencia directa."),
    ("competition.none", "Es gibt keine direkten Wettbewerber."),
    ("competition.stated", "Our competitors are Xero and QuickBooks."),
    ("revenue_model.none", "We will figure out how to monetise later."),
    ("revenue_model.none", "There is no business model yet."),
    ("revenue_model.none", "盈利模式尚不明确。"),
    ("revenue_model.stated", "We charge a subscription of $20 a month."),
    ("pricing.none", "The app is completely free."),
    ("pricing.stated", "Free trial for a month, then $12 per seat per month."),
    ("pricing.missing", "We burn $50,000 a month."),
    ("pricing.missing", "Hospitals spend $10,000 a year on this."),
    ("customer.none", "Everyone with a phone is a potential customer."),
    ("moat.none", "We have no patents."),
    ("moat.stated", "We hold two patents on the valve."),
    ("moat.promised", "We will file a patent next year."),
    ("regulation.none", "We do not yet have a licence."),
    ("regulation.none", "尚未取得支付牌照。"),
    ("regulation.stated", "We are licensed by the FCA."),
    ("growth.none", "Growth has stalled since May."),
    ("growth.missing", "The market grew 20% last year."),
    ("growth.stated", "Our revenue grew 20% last month."),
    ("growth.vague", "Our growth is explosive."),
    ("unit_economics.none", "We lose $4 on every order."),
    ("unit_economics.vague", "Our unit economics are strong and churn is low."),
    ("runway.none", "We are out of cash now."),
    ("runway.missing", "Students settle shared bills in cash."),
    ("terms.vague", "We are raising a seed round."),
    ("terms.missing", "The app helps landlords raise rents fairly."),
    ("team.missing", "A CRM for solo founders."),
    ("market_size.vague", "The market is a huge opportunity, a massive market."),
    ("market_size.missing", "We sell at the farmers market on Sundays."),
]


@pytest.mark.parametrize(("source", "text"), DENIALS)
def test_stating_denying_promising_and_leaving_out_are_told_apart(source: str, text: str) -> None:
    assert source in sources(text)


PEOPLE = [
    ("team:single_founder", "I am a single founder."),
    ("team:single_founder", "I built the product by myself."),
    ("team:single_founder", "团队目前只有创始人一个人。"),
    ("team:single_founder", "Soy el único fundador."),
    ("team:single_founder", "Ich bin Einzelgründer."),
    ("team:part_time", "Our CEO works part time until the round closes."),
    ("team:part_time", "I keep my day job and work on this in the evenings."),
    ("team:part_time", "创始人目前兼职创业。"),
    ("team:key_person", "Only our CTO knows how the model works."),
    ("team:no_technical_founder", "Development is outsourced to an agency in Minsk."),
    ("team:founder_left", "Our co-founder left in March."),
    ("customer:concentration", "Our largest customer makes up 62% of revenue."),
    ("platform:dependence", "We rely entirely on the Instagram API."),
    ("growth:subsidised", "We subsidise every ride to win drivers."),
    ("traction:not_launched", "We have not launched yet."),
    ("runway:short", "We have three months of runway."),
    ("churn:high", "Churn is 11% a month."),
    ("unit_economics:thin_margin", "Our gross margin is 9%."),
    ("unit_economics:negative", "LTV/CAC is 0.6."),
]
NOBODY = [
    "Our tool helps solo founders find a co-founder.",
    "A marketplace for part-time jobs: students find shifts.",
    "We are not a single founder: three of us started it.",
    "Dana left Google to start this company; she is our founder.",
    "The state pays government subsidies to farmers.",
    "We have eighteen months of runway. Churn is 1% a month. Gross margin is 82%. LTV/CAC is 4.",
    "一个兼职招聘平台，帮助学生找工作。",
    "No customer makes up more than 4% of revenue.",
]


@pytest.mark.parametrize(("risk", "text"), PEOPLE)
def test_a_weakness_the_deck_admits_to_is_a_finding_with_its_passage_and_a_cue(risk: str, text: str) -> None:
    analysis = read(text)
    finding = next(it for it in analysis.findings if it.source == f"rule:{risk}")
    assert finding.quote in text and finding.quote and finding.fix
    assert any(cue.key == risk and cue.quote == finding.quote for cue in analysis.cues)


@pytest.mark.parametrize("text", NOBODY)
def test_weaknesses_of_others_are_not_the_deck_s_own(text: str) -> None:
    assert {it for it in sources(text) if ":" in it} == set()


def test_the_payments_example_shows_growth_no_revenue_and_a_single_founder() -> None:
    analysis = read(examples("investment")[0].text)
    keys = {cue.key for cue in analysis.cues}
    assert {"revenue:none", "revenue_model:none", "pricing:none", "team:single_founder", "runway:short"} <= keys
    assert "growth.stated" in {it.source.removeprefix("rule:") for it in analysis.findings}


def test_the_robot_example_states_every_subject_and_contradicts_nothing() -> None:
    analysis = read(examples("investment")[1].text)
    assert {it.source.rpartition(".")[2] for it in analysis.findings} == {"stated"}
    assert analysis.cues == ()


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_every_dimension_of_the_rubric_is_rated_in_range_with_a_reason(path: Path) -> None:
    ratings = read(path.read_text(encoding="utf-8")).ratings
    assert sorted(it.dimension for it in ratings) == sorted(it.name for it in INVESTMENT.rubric)
    assert all(0 <= it.value <= 10 and it.reason for it in ratings)


def test_a_deck_that_states_more_is_rated_higher() -> None:
    weak, strong = (sum(it.value for it in read(example.text).ratings) for example in examples("investment"))
    assert weak < strong


def test_revenue_that_is_both_stated_and_denied_is_a_contradiction() -> None:
    assert "numbers.revenue_denied" in sources("We have no revenue today.\nMRR is $12k.")
    assert "numbers.revenue_denied" not in sources("We had no revenue last year.\nMRR is $12k.")


def test_a_contradiction_lowers_the_rating_of_its_dimension() -> None:
    def revenue(arr: str) -> float:
        ratings = read(f"We charge $99 per seat a month. MRR is $40k. ARR is {arr}. Gross margin is 80%.").ratings
        return next(it.value for it in ratings if it.dimension == "revenue")

    assert revenue("$1.9M") < revenue("$480k")


@pytest.mark.parametrize("mode", ["bug"])
def test_code_pasted_as_a_deck_is_said_to_be_no_deck(mode: str) -> None:
    for example in examples(mode):
        analysis = read(example.text)
        assert analysis.findings == () and analysis.cues == ()
        assert "looks like code" in analysis.notes[0]


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_no_deck_is_taken_for_code(path: Path) -> None:
    assert not any("code" in note for note in read(path.read_text(encoding="utf-8")).notes)


def test_a_short_text_is_marked_and_what_it_leaves_out_says_little() -> None:
    analysis = read("Tapkey is a phone-based key for holiday flats.")
    assert "short" in analysis.notes[0]
    assert not any(cue.key.endswith(":missing") for cue in analysis.cues)
    assert {it.severity for it in analysis.findings if it.source.endswith(".missing")} == {"low"}


def test_a_regulated_trade_without_a_word_on_licences_is_a_finding() -> None:
    filler = " ".join(["The product is simple and people like it."] * SHORT_WORDS)
    assert "regulation.unaddressed" in sources(f"We lend to traders. Our loans take ten minutes. {filler}")
    assert "regulation.unaddressed" not in sources(f"We sell shoes. Our shoes are light. {filler}")


def test_every_phrase_of_the_vocabulary_has_a_fixed_part_and_compiles() -> None:
    sets = (*vocabulary().sets(), *figure_names())
    members = [member for it in sets for member in it.members]
    assert len(members) > 1500
    assert all(member.pattern and all(member.anchors) for member in members)


def test_there_is_a_subject_for_everything_a_deck_must_say() -> None:
    subjects = vocabulary().subjects
    assert len(subjects) >= 14
    assert {it.dimension for it in subjects} == {it.name for it in INVESTMENT.rubric}
    assert {it.subject for it in vocabulary().risks} <= {it.key for it in subjects}


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_an_analysis_whose_quotes_stand_in_it(text: str) -> None:
    analysis = read(text)
    assert all(it.quote in text for it in analysis.findings)
    assert all(cue.quote in text for cue in analysis.cues)


SALAD = (
    "MRR ARR is of $ ₹ € 40k 1,2 3.5 % 100% 999999999999 0 from to grew doubled users burn runway months cash 万 亿 元 "
    "收入 没有 。 ， \n - • : ( ) no not will by 2030 use of funds raise pre-money post-money LTV/CAC 4:1 x × ¤ ‰ №"
)
FRAGMENTS = st.sampled_from(SALAD.split(" "))


@given(st.lists(FRAGMENTS, max_size=60).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_any_salad_of_figures_gives_an_analysis_whose_quotes_stand_in_it(text: str) -> None:
    analysis = read(text)
    assert all(it.quote in text for it in analysis.findings)


def test_a_deck_of_fifty_thousand_words_is_read_in_linear_time() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DECKS)
    text = text * (50_000 // len(text.split()) + 1)
    read(text[:2000])
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 8


@pytest.mark.parametrize("unit", ["a", "$1 ", "from 1 to ", "no ", "收入", "(", "1,", "MRR "])
def test_a_long_line_without_a_stop_does_not_hang(unit: str) -> None:
    began = time.process_time()
    read(unit * (100_000 // len(unit)))
    assert time.process_time() - began < 10


def test_summary_and_questions_read_as_sentences_with_abbreviations_whole() -> None:
    analysis = read("MRR is $24k. Our ARR is $500k. Our team has one founder and the market is worth $2 billion.")
    assert "Weakest points: MRR and ARR do not agree" in analysis.summary
    assert "MRR and ARR do not agree: which holds?" in analysis.questions
    assert re.search(r"it leaves out (?:[\w ]+, )+[\w ]+ and \d+ more\.", analysis.summary)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("تطبيق دفع بين الأفراد. نمو سريع في عدد المستخدمين ولا توجد إيرادات.", True),
        ("Ми здаємо в оренду велосипеди пекарням. Виторгу поки немає, засновник один.", True),
        ("Nous louons des vélos aux boulangers de la ville et nos clients paient pour cela chaque mois.", True),
        ("We rent bikes to bakers and our customers pay for them each month.", False),
        ("Wir vermieten Räder an die Bäcker der Stadt und die Kunden zahlen dafür jeden Monat.", False),
        ("我们把自行车租给面包店，客户每月付费。", False),
    ],
)
def test_a_language_that_the_rules_do_not_read_is_said_beside_what_they_miss(text: str, unread: bool) -> None:
    assert (UNREAD in read(text).notes) is unread


def test_growth_over_the_last_months_is_no_runway_and_money_that_will_last_some_is() -> None:
    def runway(text: str) -> list[str]:
        return [it.quote for it in read(text).findings if it.subject == "runway" and it.severity == "info"]

    assert runway("We sell boats. Revenue grew 18% month over month for the last 9 months.") == []
    assert runway("We sell boats. Revenue grew 18% for the last 9 months. The money will last us 14 months.") == [
        "The money will last us 14 months."
    ]
