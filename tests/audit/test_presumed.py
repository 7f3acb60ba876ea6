"""A past that a sentence takes for granted is struck by what triggers it; what the submission holds is not."""

from __future__ import annotations

import pytest

from audit.modes import BUG
from audit.types import DraftAudit
from audit.vocabulary import by_first_letter
from tests.audit.guarding import CODE, DECK, grounded

PRESUMED = [
    "Why would wallets work this time?",
    "Since the earlier wallet exit paid three times the money, the sector deserves trust.",
    "Your co-investors from the wallet write-off will recognise this slide.",
    "The numbers are close to those of a company that is no longer with us.",
    "Old wounds from payments argue for caution here.",
    "Prior outcome in this category: bankruptcy.",
    "That bet returned nine times the money, so lean in.",
    "The committee declined a comparable wallet in 2020, which proved right.",
    "This would be the third wallet in the portfolio, and the first two failed.",
    "An earlier assessment of such a wallet predicted the outcome.",
    "Last year's review of a payments company reached the same verdict.",
    "As the partners will recall, that channel dries up.",
    "A prior loss of this kind is on record.",
    "How will this avoid the fate of your earlier payments investment?",
    "El comité ya descartó una cartera idéntica en 2020.",
    "Der Ausschuss lehnte 2020 ein vergleichbares Unternehmen ab.",
    "Wie schon bei Rentora droht der Bruch der Auflagen.",
    "投委会在2020年否决过类似项目。",
    "De aquella inversión no volvió ni un euro.",
    "Ein gebranntes Kind sollte bei Zahlungen vorsichtig sein.",
    "De cette mise il n'est rien revenu.",
    "又是熟悉的剧本：试点没签约，随后清盘。",
]
HONEST = [
    "Ask for the terms at this time next year.",
    "What did you learn from your previous company?",
    "Does this change the likely exit?",
    "The last time the price was changed is not stated.",
    "The founder's previous company was sold to a bank.",
    "Think about how this would fit beside the rest of your portfolio.",
    "Rivals such as Doctolib serve France, Germany and Italy.",
    "You'd be paying for growth that nobody pays for.",
    "None of your recorded investments resembles this deck.",
    "The cash is nearly gone.",
    "It still burns more than it earns.",
    "Remember that users are not customers.",
    "Tesla, BP Pulse and Shell Recharge have far deeper pockets.",
    "Los fundadores afirman que España se parece a Portugal.",
]


@pytest.mark.parametrize("text", PRESUMED)
def test_a_past_taken_for_granted_is_struck(text: str) -> None:
    assert grounded(DraftAudit(summary=text)).summary == ()


@pytest.mark.parametrize("text", HONEST)
def test_what_presumes_nothing_stands(text: str) -> None:
    assert [it.text for it in grounded(DraftAudit(summary=text)).summary] == [text]


def test_what_the_submission_holds_may_be_taken_for_granted() -> None:
    text = "Old wounds are what the dressing treats."
    assert grounded(DraftAudit(summary=text)).summary == ()
    assert grounded(DraftAudit(summary=text), text=f"{DECK}\nThe dressing treats old wounds.").summary


def test_an_incident_of_the_reader_is_struck_in_code_and_a_word_of_the_code_is_none() -> None:
    struck = "As in your payments incident, nothing tells a timeout from a decline."
    assert grounded(DraftAudit(summary=struck), mode=BUG).summary == ()
    kept = "The word HACK suggests that the author knew this was temporary."
    assert grounded(DraftAudit(summary=kept), mode=BUG, text=f"{CODE}# HACK: remove\n").summary


LOSING_DECK = (
    f"{DECK}\nWe lost our customer Havenfield in April. A failed backup took 410 accounts offline in 2024."
    "\nNet loss $140,000."
)
OWN = [
    "Growth continued even after the loss of Havenfield.",
    "That single loss amounted to a tenth of the accounts.",
    "That outage affected a few hundred accounts.",
    "It is unclear whether backups have been tested since the failure.",
    "The company lost money last year and may lose more.",
    "La empresa perdió 140.000 dólares el año pasado.",
    "A empresa perdeu 140.000 dólares no último ano.",
    "L'entreprise a perdu 140 000 dollars l'an dernier.",
    "Die fehlerhafte Sicherung legte 410 Konten lahm.",
    "公司去年亏损14万美元。",
]


@pytest.mark.parametrize("text", OWN)
def test_what_befell_the_company_itself_may_be_told_in_other_words(text: str) -> None:
    assert [it.text for it in grounded(DraftAudit(summary=text), text=LOSING_DECK).summary] == [text]


def test_a_loss_of_the_companys_lends_no_words_to_one_of_the_readers() -> None:
    for text in ("That loss cost the fund its year.", "After the loss of an earlier holding, be careful."):
        assert grounded(DraftAudit(summary=text), text=LOSING_DECK).summary == ()


@pytest.mark.parametrize(
    "text",
    [
        "When this pattern last reached production, orders went unpaid.",
        "The team has fixed this injection twice and reintroduced it.",
        "Previous pentest reports list this injection as open.",
        "This is a repeat of the one that leaked names.",
    ],
)
def test_a_history_of_the_code_is_struck(text: str) -> None:
    assert grounded(DraftAudit(summary=text), mode=BUG).summary == ()


@pytest.mark.parametrize(
    "text",
    [
        "MD5 was broken years ago and is too fast for passwords.",
        "SQL injection entered the OWASP Top 10 in 2003 and is still exploited.",
        "A similar mistake is made in the second query.",
        "Earlier entries are never evicted.",
        "I have seen no validation in this function.",
    ],
)
def test_lore_of_code_and_what_the_code_does_stand(text: str) -> None:
    assert [it.text for it in grounded(DraftAudit(summary=text), mode=BUG).summary] == [text]


def test_joining_by_the_first_letter_keeps_every_pattern() -> None:
    joined = by_first_letter(["a|b", "(?:lost|gone) now", r"\bold", "x?y", r"\d+ lost"])
    assert joined.count("a|b") == 1
    assert "(?=l)(?:(?:lost|gone) now)" in joined
    assert "(?=g)(?:(?:lost|gone) now)" in joined
    assert r"(?=o)(?:\bold)" in joined
    assert joined.endswith(r"a|b|x?y|\d+ lost")
