"""Text that speaks to a model: found in a record, so that the record is set apart before any model can read it.

A record that tells of such an attack, as a bug of a chatbot does, quotes it. A phrase therefore does not count where it
stands in quotation marks and the rest of the record says in words that it is about an attack on a model.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from memory.look_alikes import unmask
from memory.records import Record

DATA = Path(__file__).parent / "data" / "instructions.toml"
AROUND = 120

_CODE = frozenset({"faulty_code", "fixed_code"})
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」|(?<!\w)'[^'\n]{3,300}'(?!\w)|`[^`\n]{1,300}`"
)
_ABOUT_ATTACKS = re.compile(
    r"prompt.injection|jailbreak|indirect injection|injected (?:prompt|instruction|text)|poisoned|"
    r"\b(?:bot|chatbot|model|assistant|agent|llm|summari[sz]er|copilot)\b.{0,80}"
    r"\b(?:obeyed|followed|complied|leaked|repeated|revealed|did as)\b|"
    r"\b(?:obeyed|followed|complied with)\b.{0,80}\b(?:e-?mail|page|document|ticket|comment|review|text|instruction)|"
    r"提示注入|注入攻击|越狱",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    name: str
    code: bool
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Address:
    """A passage that speaks to a model: in which field, how, and the words with what stands around them, unmasked."""

    field: str
    how: str
    before: str
    words: str
    after: str


def find_instructions(record: Record) -> tuple[str, ...]:
    """Say in words each way in which ``record`` speaks to a model; nothing where it does not."""
    return tuple(dict.fromkeys(f"{it.field} {it.how}" for it in find_addresses(record)))


def find_addresses(record: Record) -> tuple[Address, ...]:
    """Find the first passage of each sort, in each field, in which ``record`` speaks to a model."""
    values = {field.name: getattr(record.facts, field.name) for field in fields(record.facts)}
    texts = {name: _fold(value) for name, value in values.items() if isinstance(value, str)}
    texts["source"] = _fold(record.provenance.source)  # a file is named by whoever sent it
    about_attacks = any(_ABOUT_ATTACKS.search(_QUOTED.sub(" ", text)) for text in texts.values())
    found: list[Address] = []
    for name, text in texts.items():
        seen = _QUOTED.sub(" … ", text) if about_attacks and name not in _CODE else text
        for phrase in _phrases():
            if name in _CODE and (not phrase.code or about_attacks):
                continue
            match = next((it for it in phrase.pattern.finditer(seen) if not _excused(phrase, seen, it)), None)
            if match:
                around = seen[max(0, match.start() - AROUND) : match.start()], seen[match.end() : match.end() + AROUND]
                found.append(Address(name.replace("_", " "), phrase.name, around[0], match[0], around[1]))
    return tuple(found)


def _excused(phrase: _Phrase, text: str, match: re.Match[str]) -> bool:
    """Whether the phrase tells of what somebody did: 'the team ignored the rules'."""
    if phrase.unless is None:
        return False
    start = max(0, match.start() - 40)
    return any(start + it.end() > match.start() for it in phrase.unless.finditer(text[start : match.start() + 30]))


def _fold(text: str) -> str:
    """Undo what hides a phrase from a pattern: compatibility forms, look-alike letters, marks and odd spaces."""
    folded = re.sub(r"[^\S\n]+", " ", unmask(text))
    return re.sub(r"\b(?:\w[ .\-_*]){4,}\w\b", lambda match: re.sub(r"[ .\-_*]", "", match[0]), folded)


@cache
def _phrases() -> tuple[_Phrase, ...]:
    rows = tomllib.loads(DATA.read_text(encoding="utf-8"))["phrase"]
    flags = re.IGNORECASE
    return tuple(
        _Phrase(
            row["name"],
            row["code"],
            re.compile(row["pattern"], flags),
            re.compile(row["unless"], flags) if "unless" in row else None,
        )
        for row in rows
    )
