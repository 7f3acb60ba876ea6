"""Sentences that are written in one place and told in another: constants, and what background jobs report. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def N_(text: str) -> str:
    """Mark a text for translation where it is written; ``ui.language._`` translates it where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence said where there is no session, as in a background job; ``numbers`` fill its placeholders."""

    text: str
    numbers: Mapping[str, int] = field(default_factory=dict)
