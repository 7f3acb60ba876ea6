"""What is said to the reader: advice and what follows from the submission stand, anything else is taken for a past."""

from __future__ import annotations

import pytest

from audit.modes import BUG
from audit.types import DraftAudit
from tests.audit.guarding import LOOP, LOOP_PROOF, grounded, recalled

LAID = (
    "You already own the scars of this model.",
    "You know this pattern from the inside.",
    "You are no stranger to this burn rate.",
    "This is familiar territory for your fund.",
    "The ghost of your wallet bet hangs over this deck.",
    "If your first fintech had charged fees, it would still be alive.",
    "If you had listened to your own post-mortem, you would pass.",
    "Had the fund not doubled down on its last wallet, it would have kept half its money.",
    "Your best exit had the same growth curve.",
    "Given what happened with your lending stake, stay away.",
    "Since the wallet fiasco you should be stricter.",
    "Knowing what you know about dead wallets, pass.",
    "The syndicate behind this account still mourns a wallet.",
    "The account holder watched a similar app burn through its seed.",
    "The investor in question has a history with free apps.",
    "Few investors know the smell of this better than you.",
    "Tu bolsillo aún se resiente de aquella aventura.",
    "Mit Einzelgründern haben Sie schlechte Erfahrungen gemacht.",
    "Vous connaissez la musique, et la fin aussi.",
    "Se você tivesse saído antes, o prejuízo seria menor.",
    "如果当年早点卖掉股份,你就不会亏那么多。",
    "अगर आपने समय पर बेच दिया होता तो नुकसान कम होता।",
)
SAID = (
    "You are buying growth, not revenue.",
    "You get little protection in this round.",
    "You have no way to check the growth from this deck.",
    "You would own less after the next round.",
    "The investor bears the risk of dilution.",
    "Your downside is the whole cheque.",
    "We could not verify the user count.",
    "If your own experience differs, trust it.",
    "Check whether this fits your portfolio.",
    "Usted asume todo el riesgo si no hay ingresos.",
    "Sie tragen das ganze Risiko.",
    "Fragen Sie nach den aktiven Nutzern der letzten sechs Monate.",
    "Vous prenez tout le risque.",
    "Você assume todo o risco.",
    "您将承担全部风险。",
    "पूरा जोखिम आप पर है।",
)


@pytest.mark.parametrize("sentence", LAID)
def test_what_is_laid_to_the_reader_is_struck_whatever_its_words(sentence: str) -> None:
    for draft, recall in ((DraftAudit(summary=sentence), None), (DraftAudit(sentence, precedents=(LOOP_PROOF,)), LOOP)):
        audit = grounded(draft, recalled(recall)) if recall else grounded(draft)
        assert audit.summary == () and audit.refusals


@pytest.mark.parametrize("sentence", SAID)
def test_advice_and_what_an_investment_brings_stand(sentence: str) -> None:
    audit = grounded(DraftAudit(summary=sentence))
    assert audit.refusals == () and [it.text for it in audit.summary] == [sentence]


@pytest.mark.parametrize("sentence", ["You forgot to close the cursor.", "Your function returns before it is done."])
def test_what_is_said_of_the_code_at_hand_stands(sentence: str) -> None:
    assert grounded(DraftAudit(summary=sentence), mode=BUG).refusals == ()


def test_a_sentence_of_the_submissions_own_words_may_not_add_a_past_to_them() -> None:
    told = "The previous peer-to-peer payments app with users, revenue and a single founder collapsed, everything gone."
    assert grounded(DraftAudit(summary=told)).summary == ()


@pytest.mark.parametrize(
    ("claim", "rest"),
    [
        ("You held shares in a wallet.", "They are worthless now."),
        ("There was one like it in your books.", "It did not end well."),
        ("Your loss in 2018", "The model was the same."),
        ("You invested in something similar", "and it failed."),
        ("Quillpay (2018): total loss", "Zippo: same path"),
    ],
)
def test_what_goes_on_from_a_refused_claim_goes_with_it(claim: str, rest: str) -> None:
    assert grounded(DraftAudit(summary=f"{claim}\n{rest}")).summary == ()
    assert grounded(DraftAudit(advice=(claim, rest))).advice == ()


@pytest.mark.parametrize(
    "text",
    [
        'The team <span title="you lost this bet in 2018">is thin</span>.',
        "The team is thin <you lost this bet in 2018>.",
        "See inv-quill-0007 for how this went.",
        "Compare rec_wallet.",
    ],
)
def test_what_a_tag_or_an_id_hides_is_read(text: str) -> None:
    assert grounded(DraftAudit(summary=text)).summary == ()
