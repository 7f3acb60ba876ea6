"""Cleaning: what is done to facts before they are kept. Rules are checked, secrets masked, long notes condensed."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal

from memory.condense import condense
from memory.embed import Embedder
from memory.errors import IntakeRefused
from memory.noise import noise
from memory.records import Facts, Kind, Note, Outcome
from memory.sensitive import mask
from memory.validation import checked

Secrets = Literal["mask", "refuse"]


def cleaned(kind: Kind, facts: Facts, embedder: Embedder, secrets: Secrets) -> Facts:
    """Check, mask and condense facts. Raises RecordInvalid, and IntakeRefused for noise and for secrets to refuse."""
    facts = _masked(checked(kind, facts), secrets)
    if isinstance(facts, Note):
        if why := noise(facts.text):
            raise IntakeRefused(f"Not stored: {why}.")
        facts = replace(facts, text=condense(facts.text, embedder))
    return facts


def _masked(facts: Facts, secrets: Secrets) -> Facts:
    values: dict[str, Any] = {}
    for field in fields(facts):
        value = getattr(facts, field.name)
        if isinstance(value, str) and not isinstance(value, Outcome):
            masked, names = mask(value)
            if names and secrets == "refuse":
                raise IntakeRefused(f"Not stored: {field.name} holds {', '.join(names)}. Take it out first.")
            values[field.name] = masked
    return replace(facts, **values)
