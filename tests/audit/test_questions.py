"""A question that asks stands; one that takes a past for granted is read as the statement it makes."""

from __future__ import annotations

import pytest

from audit.types import DraftAudit
from tests.audit.guarding import grounded

PRESUMING = (
    "Have you forgotten how the scooter company burned you?",
    "Why would this end differently from the one you wrote down?",
    "Who else but you knows what a dead P2P app costs?",
    "Remember when you backed a wallet with exactly this burn?",
    "Do you really want a third write-off in lending?",
    "¿Recuerdas cómo terminó tu apuesta por los pagos?",
    "Erinnern Sie sich an Ihre erste Wallet-Beteiligung?",
    "Vous souvenez-vous de votre premier pari dans les paiements ?",
    "Lembra da carteira digital em que você apostou?",
    "还记得你投的那家钱包公司吗?",
    "क्या आपको अपना पिछला पेमेंट निवेश याद है?",
)
ASKING = (
    "Did you raise money in 2024?",
    "Who failed to renew in 2025, and why?",
    "Have you built a similar product before?",
    "What did you learn from your previous company?",
    "How much of your own money have you invested?",
    "¿Cuántos usuarios perdieron el mes pasado?",
    "Wie viele Kunden haben Sie im letzten Jahr verloren?",
    "Combien de clients avez-vous perdus l'an dernier ?",
    "Quantos clientes vocês perderam no ano passado?",
    "您在创业之前做过什么?",
    "कंपनी शुरू करने से पहले आपने क्या किया?",
)


@pytest.mark.parametrize("question", PRESUMING)
def test_a_question_that_presumes_is_struck(question: str) -> None:
    assert grounded(DraftAudit(questions=(question,))).questions == ()


@pytest.mark.parametrize("question", ASKING)
def test_a_question_of_a_founder_stands(question: str) -> None:
    audit = grounded(DraftAudit(questions=(question,)))
    assert audit.refusals == () and len(audit.questions) == 1
