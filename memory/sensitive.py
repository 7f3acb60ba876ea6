"""Secrets and personal data in a text: found by form and, where there is one, by checksum; and masked.

The forms, with their sources, are the data file ``sensitive.toml``.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal

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
    patterns: tuple[re.Pattern[str], ...]
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
    plain = _plain(text)
    for form in _forms():
        for pattern in form.patterns:
            for match in pattern.finditer(plain):
                if form.real(match):
                    start, end = match.span("it") if "it" in pattern.groupindex else match.span()
                    yield Sensitive(form.name, form.sort, start, end)


def _plain(text: str) -> str:
    """Write digits, letters and signs of other widths and scripts as plain ones, each in its place."""
    return text if text.isascii() else text.translate(_PLAIN)


class _PlainTable(dict[int, str]):
    def __missing__(self, code: int) -> str:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        folded = unicodedata.normalize("NFKC", char) if 0xFF01 <= code <= 0xFF5E else _DRESSED.get(char, char)
        self[code] = folded if digit is None else str(digit)
        return self[code]


_DRESSED = {"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2007": " ", "\u3000": " ", "‐": "-", "‑": "-", "−": "-"}
_PLAIN = _PlainTable()


def _digits(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _is_card(match: re.Match[str]) -> bool:
    digits = _digits(match)
    issued = re.fullmatch(
        r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
        r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
        r"|(?:508|60|65|81|82)\d{13,14}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15}|9792\d{12}|220[0-4]\d{12,15}",
        digits,
    )
    return bool(issued) and luhn(digits) and len(set(digits)) > 1


# GB/T 2260: the provinces by which an identity number begins.
_PROVINCE = re.compile(r"1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]")


def _is_ssn(match: re.Match[str]) -> bool:
    area, group, serial = match["area"], match["group"], match["serial"]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _is_aadhaar(match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match["it"] if "it" in match.re.groupindex else match[0])
    return len(set(digits)) > 2 and verhoeff(digits)


def _is_chinese_identity(match: re.Match[str]) -> bool:
    number = re.sub(r"[ -]", "", match[0]).upper()
    if not _PROVINCE.match(number):
        return False
    try:
        born = date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return 1900 <= born.year <= 2100 and chinese_identity(number)


def _is_phone(match: re.Match[str]) -> bool:
    digits = _digits(match)
    return 8 <= len(digits) <= 15 and len(set(digits)) > 2


_PLACEHOLDER = re.compile(
    r"\$|\{|<|%[A-Z_]+%|\*{3}|^(?:x+|pass(?:word)?|passwd|pwd|pw|secret|token|your.*|my.*|change.?me|example.*|placeholder|none|"
    r"null|true|false|redacted|test|user|username)$",
    re.IGNORECASE,
)


def _is_password(match: re.Match[str]) -> bool:
    return not _PLACEHOLDER.search(match["it"])


_CODE = re.compile(r"[()\[\]{}$]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^(?:[a-z]+[_-])*[a-z]+\d{0,2}$")


def _is_assigned_secret(match: re.Match[str]) -> bool:
    """Rule out what is no value but a name or an expression of code, and placeholders."""
    value = match["it"]
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return mixed and len(set(value)) >= 6 and not _PLACEHOLDER.search(value) and not _CODE.search(value)


def _is_varied(match: re.Match[str]) -> bool:
    """Rule out placeholders such as sk-xxxxxxxx: a real key uses many different characters."""
    value = match["it"]
    return len(set(value)) >= 8 and not re.search(r"(?i)x{6}|\.{3}|your|placeholder|0{8}|1234567890", value)


def _is_mixed(match: re.Match[str]) -> bool:
    """Tell a random token from words and digests: a long run of both cases and digits, and few characters twice."""
    run = max(re.split(r"[_-]", match["it"]), key=len)
    counts = [sum(map(kind, run)) for kind in (str.isupper, str.islower, str.isdigit)]
    return len(run) >= 16 and min(counts) >= 2 and counts[2] >= 3 and len(set(run)) >= 12 and _is_varied(match)


_CHECKS: Mapping[str, Callable[[re.Match[str]], bool]] = {
    "aadhaar": _is_aadhaar,
    "assigned": _is_assigned_secret,
    "card": _is_card,
    "chinese_identity": _is_chinese_identity,
    "iban": lambda match: iban(re.sub(r"[ -]", "", match[0]).upper()),
    "mixed": _is_mixed,
    "password": _is_password,
    "phone": _is_phone,
    "ssn": _is_ssn,
    "varied": _is_varied,
    "": lambda match: True,
}


@cache
def _forms() -> tuple[_Form, ...]:
    rows = tomllib.loads(DATA.read_text(encoding="utf-8"))["form"]
    return tuple(_Form(row["name"], row["sort"], tuple(_compiled(row)), _CHECKS[row.get("check", "")]) for row in rows)


def _compiled(row: Mapping[str, Any]) -> Iterator[re.Pattern[str]]:
    for pattern in row.get("patterns", ()):
        yield re.compile(pattern, re.ASCII)
    if tokens := row.get("tokens"):
        whole = "|".join(tokens)
        named = whole if "(?P<it>" in whole else f"(?P<it>{whole})"
        yield re.compile(rf"(?<![A-Za-z0-9_-])(?:{named})(?![A-Za-z0-9_])", re.ASCII)
