"""What a column tells of its amounts, by its header, its other cells and the lines above the table. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.importers.units import CURRENCY_SIGN, unit_of, without_signs
from memory.importers.vocabulary import fold
from memory.money import CODES, SYMBOLS, find_amounts

_THOUSANDS = re.compile(r"['’]000s?|\b000s?\b")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_STATED = re.compile(
    r"\b(?:in|amounts?|figures?|values?|stated|reported|expressed|currency|angaben|betr[äa]ge|montants|en)\b|单位|金额|単位",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(（\[]([^()（）\[\]]*)[)）\]]")
_KANA = re.compile(r"[\u3041-\u30ff]|円")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LEAST_SCALE = 100_000


@dataclass(frozen=True, slots=True)
class AmountColumn:
    """What a column says of its amounts: their currency ("" where silent), their scale, and how they are written.

    ``decimal`` is the mark before decimals where other cells prove it, "" where none does; ``yuan`` says that ¥ is
    the Chinese one.
    """

    currency: str = ""
    scale: int = 1
    decimal: str = ""
    yuan: bool = False

    def reads_decimal(self, number: str, *, scaled: bool) -> bool:
        """Say whether three digits after a number's only mark are decimals: ``1.125`` in millions, not ``1.125`` euros.

        ``scaled`` says that the cell names a scale of its own; an amount without any scale has no such decimals.
        """
        mark = next((character for character in number if character in ".,"), "")
        whole, _, fraction = number.partition(mark) if mark else (number, "", "")
        if not mark or len(fraction) != 3 or not 0 < len(whole) <= 3 or not fraction.isdigit():
            return False
        if self.scale == 1 and not scaled:
            return False
        return self.decimal == mark or (not self.decimal and mark == "." and self.scale >= _LEAST_SCALE)


@lru_cache(maxsize=256)
def read_header(header: str) -> AmountColumn:
    """Read currency and scale from a header: ``Invested (USD mm)``, ``amount_inr``, ``Cheque T€``, ``金额（万元）``."""
    currency, scale = "", 1_000 if _THOUSANDS.search(header) else 1
    for word in reversed(fold(without_signs(header)).split()):
        if (unit := unit_of(word)) is not None:
            currency, scale = currency or unit.currency, unit.scale if scale == 1 else scale
    named = next((word for word in header.split() if word in CODES), "")
    sign = CURRENCY_SIGN.search(header.lower())
    return AmountColumn(named or (SYMBOLS[sign[0]] if sign else "") or currency, scale)


def said_above(lines: Sequence[str]) -> tuple[AmountColumn, str]:
    """Read a line above a table that says what all its amounts are in, such as ``All figures in USD thousands``.

    Gives what it says, with the line; nothing where no line does, or where it states an amount itself.
    """
    for line in lines:
        bracketed = " ".join(_BRACKETED.findall(line))
        for text in (bracketed, line if _STATED.search(line) else ""):
            found = read_header(text)
            if (found.currency or found.scale > 1) and not any(True for _ in find_amounts(text)) and _units_only(text):
                return found, line
    return AmountColumn(), ""


def _units_only(text: str) -> bool:
    return not any(character.isdigit() for character in _THOUSANDS.sub("", text))


def decimal_mark(cells: Iterable[str]) -> str:
    """Find which mark stands before decimals, where cells prove it and do not contradict each other; else ""."""
    proved = set()
    for cell in cells:
        for number in _NUMBER.findall(cell):
            marks = [character for character in number if character in ".,"]
            if not marks:
                continue
            last, fraction = marks[-1], re.split(r"[.,]", number)[-1]
            if len(set(marks)) == 2:
                proved.add(last if marks.count(last) == 1 else "")
            elif len(marks) > 1:
                proved.add("," if last == "." else ".")
            elif len(fraction) != 3 or number.startswith("0"):
                proved.add(last)
    proved.discard("")
    return proved.pop() if len(proved) == 1 else ""


def means_yuan(texts: Iterable[str]) -> bool:
    """Say whether a file's ¥ is the Chinese one: its words are Chinese, and none is Japanese."""
    text = "\n".join(texts)
    return bool(_HAN.search(text)) and not _KANA.search(text) and "JPY" not in text
