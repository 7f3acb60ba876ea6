"""Secrets and personal data in a text: found by form and, where there is one, by checksum; and masked.

The forms, with their sources, are the data file ``sensitive.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal

from memory.checksums import chinese_identity, iban, luhn, verhoeff

DATA = Path(__file__).parent / "data" / "sensitive.toml"

Sort = Literal["secret", "personal"]


@dataclass(frozen=True, slots=True)
class Sensitive:
    """A stretch ``text[start:end]`` that is ``name`` (``card number``), a secret or personal data."""

    name: str
    sort: Sort
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    name: str
    sort: Sort
    pattern: re.Pattern[str]
    real: Callable[[re.Match[str]], bool]


def find_sensitive(text: str) -> tuple[Sensitive, ...]:
    """Find all secrets and personal data in ``text``, in order, none overlapping another."""
    taken: list[Sensitive] = []
    for found in _candidates(text):
        if all(found.end <= other.start or found.start >= other.end for other in taken):
            taken.append(found)
    return tuple(sorted(taken, key=lambda it: it.start))


def mask(text: str) -> tuple[str, tuple[str, ...]]:
    """Replace each find by its name in brackets, as in ``[card number]``; give the text and the names found."""
    found = find_sensitive(text)
    pieces: list[str] = []
    at = 0
    for it in found:
        pieces += [text[at : it.start], f"[{it.name}]"]
        at = it.end
    return "".join([*pieces, text[at:]]), tuple(dict.fromkeys(it.name for it in found))


def _candidates(text: str) -> Iterator[Sensitive]:
    for form in _forms():
        for match in form.pattern.finditer(text):
            if form.real(match):
                start, end = match.span("it") if "it" in form.pattern.groupindex else match.span()
                yield Sensitive(form.name, form.sort, start, end)


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _is_card(match: re.Match[str]) -> bool:
    digits = _digits(match)
    issued = re.fullmatch(
        r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
        r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
        r"|(?:508|60|65|81|82)\d{13,14}",
        digits,
    )
    return bool(issued) and luhn(digits) and len(set(digits)) > 1


def _is_ssn(match: re.Match[str]) -> bool:
    area, group, serial = match["area"], match["group"], match["serial"]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _is_aadhaar(match: re.Match[str]) -> bool:
    digits = _digits(match)
    return len(set(digits)) > 2 and verhoeff(digits)


def _is_chinese_identity(match: re.Match[str]) -> bool:
    number = match[0].upper()
    try:
        born = date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return 1900 <= born.year <= 2100 and chinese_identity(number)


def _is_phone(match: re.Match[str]) -> bool:
    digits = _digits(match)
    return 8 <= len(digits) <= 15 and len(set(digits)) > 2


_PICTURES = r"(?:png|jpe?g|gif|svg|webp|css|js|ts|py|md|html?)"
_PLACEHOLDER = re.compile(
    r"\$|\{|<|%[A-Z_]+%|\*{3}|^(?:x+|pass(?:word)?|passwd|pwd|pw|secret|token|your.*|my.*|change.?me|example.*|placeholder|none|"
    r"null|true|false|redacted|test|user|username)$",
    re.IGNORECASE,
)


def _is_password(match: re.Match[str]) -> bool:
    return not _PLACEHOLDER.search(match["it"])


def _is_assigned_secret(match: re.Match[str]) -> bool:
    value = match["it"]
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return mixed and len(set(value)) >= 6 and not _PLACEHOLDER.search(value)


def _is_varied(match: re.Match[str]) -> bool:
    """Rule out placeholders such as sk-xxxxxxxx: a real key uses many different characters."""
    value = match["it"]
    return len(set(value)) >= 8 and not re.search(r"(?i)x{6}|\.{3}|your|placeholder|0{8}|1234567890", value)


_CHECKS: Mapping[str, Callable[[re.Match[str]], bool]] = {
    "aadhaar": _is_aadhaar,
    "assigned": _is_assigned_secret,
    "card": _is_card,
    "chinese_identity": _is_chinese_identity,
    "iban": lambda match: iban(match[0]),
    "password": _is_password,
    "phone": _is_phone,
    "ssn": _is_ssn,
    "varied": _is_varied,
    "": lambda match: True,
}


@cache
def _forms() -> tuple[_Form, ...]:
    rows = tomllib.loads(DATA.read_text(encoding="utf-8"))["form"]
    return tuple(
        _Form(row["name"], row["sort"], re.compile(row["pattern"]), _CHECKS[row.get("check", "")]) for row in rows
    )
