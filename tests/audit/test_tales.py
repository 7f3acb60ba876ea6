"""A past told in any words: who, which case, in which tense, with which end."""

from __future__ import annotations

import time

import pytest

from audit.modes import BUG
from audit.names import names, ordinary
from audit.types import DraftAudit
from tests.audit.guarding import INJECTION, LOOP, LOOP_PROOF, grounded, recalled

TOLD = (
    "The prior venture with this pricing was wound down at a loss.",
    "Your syndicate paid dearly for such a round.",
    "The stored case ended in receivership.",
    "It was tried and it failed.",
    "Your notes hold a double of this deck.",
    "Reread the post-mortem of the failed investment.",
    "What made the previous holding collapse?",
    "La operación anterior acabó en liquidación.",
    "Nuestro archivo contiene un gemelo que quebró.",
    "Der frühere Fall endete in der Insolvenz.",
    "Unser Archiv kennt einen solchen Verlust.",
    "Le cas précédent a fini en faillite.",
    "Votre dernier fonds a sombré ainsi.",
    "O caso anterior terminou em falência.",
    "Seus sócios perderam tudo da outra vez.",
    "上一个项目以清算告终。",
    "之前的案例已经破产。",
    "पिछला मामला दिवालिया हुआ।",
    "आपका पुराना निवेश डूब गया।",
)
GENERAL = (
    "Most student apps lose their users at graduation.",
    "Since 2016 the use of cash has declined in cities.",
    "Banks invested heavily in their own apps after 2018.",
    "The founder's previous company was acquired.",
    "La empresa anterior de la fundadora fue adquirida.",
    "Das frühere Unternehmen der Gründerin wurde übernommen.",
    "La société précédente de la fondatrice a été rachetée.",
    "A empresa anterior da fundadora foi adquirida.",
    "2020年数字支付需求大幅上升。",
    "You could lose the whole investment.",
    "We looked at users, revenue and team.",
    "No similar investment was found among your records.",
    "No hay casos parecidos en sus registros.",
    "In Ihren Unterlagen gibt es keinen ähnlichen Fall.",
    "Il n'y a aucun cas semblable dans vos archives.",
    "您的记录中没有类似案例。",
    "आपके रिकॉर्ड में ऐसा कोई मामला नहीं है।",
)

IN_OTHER_WRITING = (
    "你以前投資過類似的公司,結果虧損。",
    "貴基金上一個支付項目血本無歸。",
    "Il tuo ultimo investimento nei pagamenti è fallito.",
    "Daha önce böyle bir uygulamaya yatırım yapıp para kaybettiniz.",
    "Już raz straciłeś pieniądze na takim portfelu.",
    "Bạn đã từng mất tiền vào một ứng dụng như thế này.",
    "Ni yiqian touzi guo zhe ge gongsi.",
    "In ②⓪①⑧ a wallet like this folded.",
    "It happened in 20–18.",
    "A quarter million was burned on it.",
)
OF_THE_WORLD = (
    "Silicon Valley Bank failed in March 2023.",
    "He closed his first shop in 2018 and learned to code.",
    "The average seed round was $2.5 million in 2023.",
    "Ask what was learned from the first 1,000 users.",
    "Nothing similar was found.",
    "2016年以后,许多钱包失去了用户。",
    "Desde 2016 muchas billeteras perdieron usuarios.",
    "Wirecard collapsed in 2020 after a fraud.",
    "The Reserve Bank of India changed the rules in 2023.",
    "Der Weltmarkt erreichte 2022 zwei Billionen Dollar.",
    "许多支付公司因为成本过高而倒闭。",
    "Beaucoup de portefeuilles ont échoué faute de revenus.",
    "Payment licences cost at least ₹15 crore in net worth.",
    "Nothing in the deck says what happened to earlier cohorts.",
    "Es wurde kein ähnlicher Fall gefunden.",
    "Aucun investissement semblable n'a été trouvé.",
)


@pytest.mark.parametrize("sentence", IN_OTHER_WRITING)
def test_another_writing_or_language_hides_no_past(sentence: str) -> None:
    assert grounded(DraftAudit(summary=sentence)).summary == ()


@pytest.mark.parametrize("sentence", OF_THE_WORLD)
def test_what_is_told_of_the_world_or_of_an_empty_history_stays(sentence: str) -> None:
    assert grounded(DraftAudit(summary=sentence)).refusals == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "See incident 4411.",
        "PR #231 fixed the same bug.",
        "Commit a1b2c3d introduced it.",
        "On 14 March this query leaked 3,000 rows.",
        "It took the checkout down once.",
        "/* fixed in 2019, came back in 2021 */",
        "The pager remembers this line.",
    ],
)
def test_in_code_a_ticket_or_a_dated_event_is_a_past(sentence: str) -> None:
    assert grounded(DraftAudit(summary=sentence), mode=BUG).summary == ()


@pytest.mark.parametrize("sentence", TOLD)
def test_a_told_past_is_struck_whatever_its_words(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence))
    assert audit.summary == () and audit.refusals


@pytest.mark.parametrize("sentence", TOLD[:4])
def test_a_proved_precedent_does_not_open_the_door_to_another_past(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence, precedents=(LOOP_PROOF,)), recalled(LOOP))
    assert audit.precedents and audit.summary == ()


@pytest.mark.parametrize("sentence", GENERAL)
def test_what_is_said_of_the_founder_of_the_market_or_of_many_stays(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence))
    assert audit.refusals == () and [it.text for it in audit.summary] == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "The outage in June began with a query like this.",
        "Production went down because of this line.",
        "La fuga de datos anterior nació de una consulta así.",
    ],
)
def test_an_incident_is_a_past_as_well(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence), recalled(INJECTION), mode=BUG)
    assert audit.summary == ()


@pytest.mark.parametrize(
    "sentence", ["No known flaw was found in this Java by 129 rules.", "Platform's default charset used in line 8."]
)
def test_what_the_rules_say_of_code_stays(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence), mode=BUG)
    assert audit.refusals == () and audit.summary


def test_a_letter_that_is_a_number_is_read_as_any_other() -> None:
    assert ordinary("ⅷ") and grounded(DraftAudit(summary="ⅷ ⅷⅷ")) is not None


def test_a_long_run_of_letters_and_digits_is_read_in_proportion() -> None:
    began = time.process_time()
    grounded(DraftAudit(summary="9" * 8000))
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("name", ["2Zorvexpay", "0Z0Rvexpay", "3Commas", "23andMe"])
def test_a_name_that_begins_with_a_digit_is_a_name(name: str) -> None:
    assert [it.key for it in names(f"{name} is unclear.")] == [name.lower()]


@pytest.mark.parametrize("word", ["2FA", "10Mbps", "100Mbit", "30Minutes", "2Factor", "3D", "5x"])
def test_a_number_with_its_unit_or_an_ordinary_word_is_no_name(word: str) -> None:
    assert names(f"The {word} plan.") == []


@pytest.mark.parametrize(
    ("said", "shown"), [('Z"0rvexpay', False), ("Zorv”expay", False), ('It says "we grow".', True)]
)
def test_of_a_deck_no_word_may_be_broken_by_a_quotation_mark(said: str, shown: bool) -> None:
    audit = grounded(DraftAudit(said, (), (), (), (), (), ()))
    assert bool(audit.summary) == shown
