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


def test_joining_by_the_first_letter_keeps_every_pattern() -> None:
    joined = by_first_letter(["a|b", "(?:lost|gone) now", r"\bold", "x?y", r"\d+ lost"])
    assert joined.count("a|b") == 1
    assert "(?=l)(?:(?:lost|gone) now)" in joined
    assert "(?=g)(?:(?:lost|gone) now)" in joined
    assert r"(?=o)(?:\bold)" in joined
    assert joined.endswith(r"a|b|x?y|\d+ lost")
