"""Text that speaks to a model: found in a record, so that the record is set apart before any model can read it.

A record that tells of such an attack, as a bug of a chatbot does, quotes it. A phrase therefore does not count where it
stands in quotation marks, or is reported as what a model was told, and the rest of the record says in words that it is
about an attack on a model. What is excused so is blotted out before a prompt shows the record (``without_quoted``).
What no phrase finds is told by its kind (``memory.leaning``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from memory.disguises import readings
from memory.leaning import leaning, tilting
from memory.records import Kind, Record
from memory.tilting import ACROSS, PLAINLY

DATA = Path(__file__).parent / "data" / "instructions.toml"
AROUND = 120
LEANS = "leans on how an audit comes out"

_CODE = frozenset({"faulty_code", "fixed_code"})
_PROSE = frozenset({"summary", "cause", "lesson", "symptom", "root_cause", "fix", "impact", "text"})
_COMMENT = re.compile(r"(?:^|\s)(?:#+|//+|--|/\*+)\s*([^\n]{8,600})")
# Without one of these no phrase that is cut in two is looked for: it would cost more than all the rest.
_CUES = re.compile(
    r"instruct|prompt|rules?\b|guidel|guidance|scor|rat(?:e|ing)|verdict|answer|respond|reply|\bais?\b|llm|assistant|"
    r"mention|precedent|indicaci|instruc|consigne|anweisung|reglas|regras|指令|指示|提示|评|निर्देश|अंक",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'"""[\s\S]{1,4000}?"""|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」|'
    r"(?<!\w)'[^'\n]{3,300}'(?!\w)|(?<!\w)‘[^’\n]{3,300}’(?!\w)|`[^`]{1,300}`"
)
_ABOUT_ATTACKS = re.compile(
    r"prompt.{0,2}injection|jailbreak|indirect injection|injected (?:prompt|instruction|text)|poisoned|"
    r"hidden (?:text|prompt)|\b(?:bot|chatbot|model|assistant|agent|llm|summari[sz]er|copilot|screener|scorer)\b"
    r".{0,80}\b(?:obeyed|followed|complied|leaked|repeated|revealed|"
    r"believed it|paid out|refunded|pushed|did (?:as|so)|approved it|printed it)\b|"
    r"\b(?:obeyed|followed|complied with|obeying|following)\b.{0,80}"
    r"\b(?:e-?mail|page|document|ticket|comment|review|text|instruction)|"
    r"(?:bot|modelo?|modell|asistente|assistent\w*|modèle)\b.{0,60}\b(?:obedeció|obedeceu|befolgte|gehorchte|a obéi)|"
    r"inyección de (?:instrucciones|prompts?)|injeção de prompt|injection de prompt|提示词?注入|注入攻击|越狱|照做了",
    re.IGNORECASE | re.DOTALL,
)
_REPORTED = re.compile(
    r"\b(?<!you are )(?<!you were )(?:told|asked|instructed|tricked|persuaded|convinced|got|led|made|ordered|caused|"
    r"let|allowed|that (?:told|asked|said|read))\s+(?:the|its|our|their|an?|it|them)\b.{0,30}$",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:said|says|saying|wrote|writing|read|reading|adding|added|typed|typing|asked|asking|contain(?:s|ed|ing)|told|"
    r"with|text|comment|note|e-?mail|message|line|words?|obey(?:ed|ing|s)?|follow(?:ed|ing)|like|of)\s*[:,]?\s*$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?。！？…।:;][\"'”’)\]]*\s*$")


@dataclass(frozen=True, slots=True)
class _Phrase:
    name: str
    code: bool
    audit: bool
    bugs: bool
    patterns: tuple[re.Pattern[str], ...]
    unless: re.Pattern[str] | None

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        return chain.from_iterable(pattern.finditer(text) for pattern in self.patterns)


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
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    texts["source"] = record.provenance.source  # a file is named by whoever sent it
    about_attacks = any(_ABOUT_ATTACKS.search(_QUOTED.sub(" ", text)) for text in texts.values())
    found: dict[tuple[str, str], Address] = {}
    for name, text in texts.items():
        for address in _addresses(name, text, about_attacks, record.kind is Kind.BUG):
            found.setdefault((address.field, address.how), address)
        for address in _leaning(name, _told(name, text), record.kind is Kind.BUG, about_attacks):
            found.setdefault((address.field, address.how), address)
    told = [text for name, text in texts.items() if name in _PROSE and text]
    if not found and not about_attacks:
        found |= {("", it.how): it for it in _across(told)}
    return tuple(found.values())


def spoken_together(records: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """Say how records, each harmless by itself, speak to a model where one is read after the other; by id."""
    found: dict[str, dict[str, None]] = {}
    for one, other in pairwise(records):
        if (one.workspace, one.kind) != (other.workspace, other.kind):
            continue
        for field in fields(one.facts):
            parts = getattr(one.facts, field.name), getattr(other.facts, field.name)
            if field.name in _PROSE and all(parts):
                for it in _across(parts):
                    how = f"{field.name.replace('_', ' ')} {it.how}, read with the record beside it"
                    for record in (one, other):
                        found.setdefault(record.id, {})[how] = None
    return {record_id: tuple(hows) for record_id, hows in found.items()}


def without_quoted(text: str) -> str:
    """Blot out what speaks to a model within quotation marks, as a record of such an attack quotes it."""

    def blotted(match: re.Match[str]) -> str:
        inner = match[0][1:-1]
        speaks = any(next(it.matches(reading), None) for it in _phrases() for reading in readings(inner))
        return f"{match[0][0]}…{match[0][-1]}" if speaks else match[0]

    return _QUOTED.sub(blotted, text)


def _addresses(name: str, text: str, about_attacks: bool, is_bug: bool) -> Iterator[Address]:
    """Search each reading of one field; in code only for phrases that no code holds by itself."""
    in_code = name in _CODE
    phrases = [it for it in _phrases() if (it.code or not in_code) and (it.bugs or not is_bug)]
    if about_attacks and not is_bug:
        told = _QUOTED.sub(lambda it: " … " if _TELLS.search(text[: it.start()]) else it[0], text)
        yield from _search(name, told, [it for it in phrases if it.audit], about_attacks)
        phrases = [it for it in phrases if not it.audit]
    yield from _search(name, _QUOTED.sub(" … ", text) if about_attacks else text, phrases, about_attacks)


def _told(name: str, text: str) -> str:
    """Give what a field says in words: the whole of an account, the comments of code, nothing of a name."""
    if name in _CODE:
        return "\n".join(it[1] for it in _COMMENT.finditer(text))
    return text if name in _PROSE else ""


def _leaning(name: str, text: str, of_code: bool, about_attacks: bool) -> Iterator[Address]:
    plain = next(readings(text)) if text else ""
    if about_attacks:  # it retells what leans, so that only the plainest outside quotation marks counts
        plain = _QUOTED.sub(" … ", plain)
        spans: Iterable[tuple[int, int]] = tilting(plain, PLAINLY)
    else:
        spans = leaning(plain, of_code=of_code)
    for start, end in spans:
        around = plain[max(0, start - AROUND) : start], plain[end : end + AROUND]
        yield Address(name.replace("_", " "), LEANS, around[0], plain[start:end], around[1])


def _search(name: str, text: str, phrases: Sequence[_Phrase], about_attacks: bool) -> Iterator[Address]:
    for reading in readings(text):
        if not any(it.search(reading) for it in _at_once()):
            continue
        for phrase in phrases:
            for match in phrase.matches(reading):
                if not _excused(phrase, reading, match, about_attacks):
                    yield _address(name, phrase, reading, match)
                    break


def _across(parts: Sequence[str]) -> Iterator[Address]:
    """Search for phrases that are cut in two, between parts of which the first does not end a sentence."""
    for one, other in pairwise(parts):
        if _ENDED.search(one):
            continue
        ends, begins = next(readings(one))[-AROUND:], next(readings(other))[:AROUND]
        whole = f"{ends} {begins}"
        if not _CUES.search(whole):
            continue
        yield from _tilts_across(ends, begins)
        for phrase in _phrases():
            for match in phrase.matches(whole):
                start, end = _span(match)
                if start < len(ends) < end - 1 and not _excused(phrase, whole, match, False):
                    yield _address("several fields", phrase, whole, match)
                    break


def _tilts_across(ends: str, begins: str) -> Iterator[Address]:
    """Give the sentence that goes on from one part into the next and tilts an audit only as a whole."""
    if not begins[:1].islower():
        return
    whole = f"{ends} {begins}"
    for start, end in tilting(whole, ACROSS):
        if start < len(ends) < end - 1:
            yield Address("several fields", LEANS, whole[:start], whole[start:end], whole[end:])


def _address(name: str, phrase: _Phrase, text: str, match: re.Match[str]) -> Address:
    start, end = _span(match)
    around = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return Address(name.replace("_", " "), phrase.name, around[0], text[start:end], around[1])


def _span(match: re.Match[str]) -> tuple[int, int]:
    """Give where the phrase itself stands, without the mark of where a command begins."""
    return match.start(match.lastindex or 0), match.end()


def _excused(phrase: _Phrase, text: str, match: re.Match[str], about_attacks: bool) -> bool:
    """Whether the phrase tells of what somebody did ('the team ignored the rules'), or of what a model was told."""
    at, _ = _span(match)
    start = max(0, at - 60)
    if about_attacks and _REPORTED.search(text[start:at]):
        return True
    if phrase.unless is None:
        return False
    return any(start + it.end() > at for it in phrase.unless.finditer(text[start : at + 30]))


@cache
def _at_once() -> tuple[re.Pattern[str], ...]:
    """Join the patterns of all phrases by how they begin: where none of these is found, no phrase stands.

    That is told in half the time of asking each pattern, and nearly every text has none.
    """
    begun: dict[str, list[str]] = {_written_out("%START%"): [], r"\b": [], "": []}
    for pattern in (pattern.pattern for it in _phrases() for pattern in it.patterns):
        beginning = next(it for it in begun if pattern.startswith(it))
        begun[beginning].append(f"(?:{pattern.removeprefix(beginning)})")
    return tuple(re.compile(f"{it}(?:{'|'.join(rest)})", re.IGNORECASE | re.DOTALL) for it, rest in begun.items())


@cache
def _phrases() -> tuple[_Phrase, ...]:
    return tuple(
        _Phrase(
            row["name"],
            row["code"],
            row.get("audit", False),
            row.get("bugs", True),
            tuple(map(_made, row["patterns"])),
            _made(row["unless"]) if "unless" in row else None,
        )
        for row in _data()["phrase"]
    )


def _made(pattern: str) -> re.Pattern[str]:
    return re.compile(_written_out(pattern), re.IGNORECASE | re.DOTALL)


def _written_out(pattern: str) -> str:
    """Put in the parts that a pattern names."""
    while named := re.search(r"%([A-Z]+)%", pattern):
        pattern = pattern.replace(named[0], _data()["parts"][named[1]])
    return pattern


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))
