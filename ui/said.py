"""What the audit core and the memory say, in the session's language."""

from __future__ import annotations

from collections.abc import Sequence

from ui.language import speech

PRODUCT = "Precedent"


def said(text: str) -> str:
    """Say what the core said in the session's language; unchanged where it is not of the closed set."""
    return speech().said(text)


def said_all(texts: Sequence[str]) -> str:
    """Say several reasons in one breath."""
    return speech().said_all(texts)


def said_author(author: str) -> str:
    """Name who wrote something: Precedent by its name, somebody of the closed set in words, others as they are."""
    return PRODUCT if author == PRODUCT.casefold() else said(author)


def in_english(text: str) -> bool:
    """True where ``text`` stays English on a page of another language, so that the page can mark it so."""
    return speech().left_in_english(text)
