"""Numbers as decks write them: their value, what they count, and how far a rounded figure may be off. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.money import CODES, SCALES, SYMBOLS, parse_number


class Unit(StrEnum):
    """What a number counts. The value is the character that stands for it in a skeleton."""

    MONEY = "¤"
    PERCENT = "‰"
    MULTIPLE = "×"
    COUNT = "№"
    YEAR = "‡"
    ZERO = "∅"


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands at ``text[start:end]``.

    ``value`` is in plain units (4.2k is 4200; a percentage of 12 is 12); the true value lies in ``low``..``high``,
    which allows for rounding to the digits written and for words such as "about" and "over".
    """

    start: int
    end: int
    value: float
    low: float
    high: float
    unit: Unit
    currency: str = ""


_SCALES = {
    **{word: float(factor) for word, factor in SCALES.items()},
    "mio.": 1e6, "millionen": 1e6, "millones": 1e6, "millón": 1e6, "mrd.": 1e9, "mrd": 1e9, "milliarden": 1e9,
    "milliarde": 1e9, "tsd.": 1e3, "tsd": 1e3, "tausend": 1e3, "mil": 1e3, "mil millones": 1e9, "十万": 1e5,
    "千万": 1e7, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12, "萬": 1e4, "億": 1e8,
}  # fmt: skip
_CURRENCIES = {
    **SYMBOLS, "dólares": "USD", "dolares": "USD", "de euros": "EUR", "de dólares": "USD", "de pesos": "MXN",
    "pesos": "MXN", "块": "CNY", "円": "JPY", "港元": "HKD", "港币": "HKD", "元人民币": "CNY", "万元": "CNY",
}  # fmt: skip
del _CURRENCIES["万元"]
_MONEY_VERB = re.compile(
    r"(?:融|融资|收入|营收|销售额|营业额|利润|净利|花|支出|消耗|成本|账上(?:还有|有)?|现金|估值|损失|亏|投入|募集|流水|年销)"
    r"[了为约达到出净近共有还：:]{0,3}$"
)
_COUNTED = re.compile(r"[名家个人套次亩户台条单多余辆只头件张间座所篇本款位用订吨平公米月年天小]")
# First names that small letters would turn into the names of figures.
_FIRST_NAMES = re.compile(r"\b(Sam|Tam|Som)\b")
# The marks of a skeleton, where they stand in the text itself.
_NO_MARKS = {ord(unit): " " for unit in Unit}
# Letters that scale a number only where they touch it, or where money is meant: "5m users", never "12 m".
_SHORT = frozenset({"k", "m", "b", "t", "cr", "mm"})


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_DIGITS = r"(?:\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d{1,3}(?:[.'’\u00a0\u202f]\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
_TAIL = re.compile(
    rf"(?:(?P<gap>[ \u00a0]?)(?P<scale>{_any_of(_SCALES)})(?![^\W\d_\u3040-\uffff]))?"
    rf"(?P<plus>\+)?(?:[ \u00a0]?(?P<after>{_any_of(_CURRENCIES)}|(?-i:{_any_of(CODES)}))(?![^\W\d_\u3040-\uffff]))?"
    r"(?:[ \u00a0]?(?P<percent>%|％|per ?cent\b|prozent\b|por ciento\b|个百分点)"
    r"|[ -]?(?P<times>[x×](?!\w)|倍|-?fold\b))?",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?:(?<![^\W\d_])(?:{_any_of(CODES)})|(?i:{_any_of(SYMBOLS)}))[ \u00a0]?$")
# Numbers in words are read only before units of time, where decks write them.
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "eighteen": 18, "twenty-four": 24, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "seis": 6, "ocho": 8, "nueve": 9, "diez": 10, "doce": 12, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9, "十": 10, "十二": 12, "十八": 18,
}  # fmt: skip
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:{_DIGITS})|(?<=[^\W\d_])(?<![A-Za-zÀ-ÿ])(?:{_DIGITS})|(?<=[Ss₹])(?:{_DIGITS})"
    rf"|(?i:(?<![^\W_\u3040-\u9fff])(?P<word>{_any_of(_WORDS)})"
    r"(?=[ -](?:months?|weeks?|days?|hours?|minutes?|years?)\b| (?:meses|semanas|días|años|monaten?"
    r"|wochen|tagen?|jahren?)\b|"
    r"个月|年|天|周|小时))"
)
_ABOUT = re.compile(
    r"(?:about|around|approx(?:imately|\.)?|roughly|nearly|almost|close to|ca\.?|circa|rund|etwa|fast|casi|unos|unas|"
    r"cerca de|[~≈]|约|近|大约|将近)\s*$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"(?:over|more than|above|at least|north of|exceed(?:s|ed|ing)?|[>≥]|超过|逾|突破|más de|über|mehr als)\s*$", re.I
)
_UNDER = re.compile(
    r"(?:under|less than|below|up to|at most|[<≤]|不到|低于|menos de|unter|weniger als|bis zu)\s*$", re.I
)
_LOOKBACK = 16


def numbers(text: str) -> tuple[Number, ...]:
    """Read every number of ``text``, in order. A range such as "10-15%" is one number."""
    return tuple(_ranges(text, list(_singles(text))))


def skeleton(text: str, found: Iterable[Number]) -> str:
    """Write ``text`` in small letters with each number as the one character of its unit."""
    parts, at = [], 0
    for number in found:
        parts += [text[at : number.start].translate(_NO_MARKS), Unit.ZERO if number.value == 0 else number.unit]
        at = number.end
    written = "".join((*parts, text[at:].translate(_NO_MARKS)))
    return _FIRST_NAMES.sub(r"\1x", written).lower().replace("’", "'")


def overlap(one: tuple[float, float], other: tuple[float, float], slack: float = 0.02) -> bool:
    """Say whether two ranges meet once each is widened by ``slack`` (a share)."""
    return one[0] * (1 - slack) <= other[1] * (1 + slack) and other[0] * (1 - slack) <= one[1] * (1 + slack)


def _singles(text: str) -> Iterator[Number]:
    at = 0
    while match := _NUMBER.search(text, at):
        number = _number(text, match)
        at = match.end()
        if number is not None:
            at = max(at, number.end)
            yield number


def _number(text: str, match: re.Match[str]) -> Number | None:
    digits = match.group()
    if match["word"]:
        value = float(_WORDS[digits.lower()])
        return Number(match.start(), match.end(), value, value - 0.5, value + 0.5, Unit.COUNT)
    following = text[match.end() : match.end() + 1]
    if len(digits) > 30:
        return None
    lead = text[max(0, match.start() - 8) : match.start()]
    before = _BEFORE.search(lead)
    tail = _TAIL.match(text, match.end())
    if tail is None:
        return None
    scale, end = (tail["scale"] or "").lower(), tail.end()
    symbol = (before.group().strip() if before else tail["after"]) or ""
    if scale in _SHORT and tail["gap"] and not symbol:
        scale, end = "", match.end()
    if not scale and not symbol and not tail["percent"] and not tail["times"] and following.isascii():
        if following.isalpha():
            return None
        end = tail.end("plus") if tail["plus"] else match.end()
    try:
        plain = float(parse_number(digits))
    except ValueError:
        return None
    value = plain * _SCALES.get(scale, 1.0)
    start = match.start() - (len(before.group()) if before else 0)
    unit = _unit(digits, scale, symbol, tail)
    if unit is Unit.COUNT and _is_chinese_money(text, match.start(), end, scale):
        unit, symbol = Unit.MONEY, "元"
    currency = _CURRENCIES.get(symbol.lower(), symbol.upper()) if unit is Unit.MONEY else ""
    low, high = _bounds(value, digits, _SCALES.get(scale, 1.0), text[max(0, start - _LOOKBACK) : start])
    return Number(start, end, value, low, high * 1.3 if tail["plus"] else high, unit, currency)


def _is_chinese_money(text: str, start: int, end: int, scale: str) -> bool:
    """Say whether a bare "800万" is money: a verb of money stands before it and no counted thing behind it."""
    if not scale or scale[-1] not in "万亿萬億":
        return False
    return bool(_MONEY_VERB.search(text, max(0, start - 8), start)) and not _COUNTED.match(text, end)


def _unit(digits: str, scale: str, symbol: str, tail: re.Match[str]) -> Unit:
    if tail["percent"]:
        return Unit.PERCENT
    if tail["times"]:
        return Unit.MULTIPLE
    if symbol:
        return Unit.MONEY
    if len(digits) == 4 and digits.isdigit() and 1950 <= int(digits) <= 2100 and not scale:
        return Unit.YEAR
    return Unit.COUNT


def _bounds(value: float, digits: str, scale: float, lead: str) -> tuple[float, float]:
    if value == 0:
        return 0.0, 0.0
    decimals = re.search(r"[.,](\d{1,2})$", digits)
    written = scale * 10.0 ** -len(decimals[1]) if decimals else scale
    two_digits = 10.0 ** (math.floor(math.log10(value)) - 1)
    zeros = len(digits) - len(digits.rstrip("0")) if digits.isdigit() or "," in digits else 0
    half = min(max(written, scale * 10.0**zeros if not decimals else 0.0), max(two_digits, 1e-9)) / 2
    low, high = value - half, value + half
    if _ABOUT.search(lead):
        return low * 0.9, high * 1.1
    if _OVER.search(lead):
        return low, high * 1.3
    if _UNDER.search(lead):
        return low * 0.7, high
    return low, high


def _ranges(text: str, singles: list[Number]) -> Iterator[Number]:
    at = 0
    while at < len(singles):
        number = singles[at]
        following = singles[at + 1] if at + 1 < len(singles) else None
        if following is not None and _is_range(text, number, following):
            yield _joined(number, following)
            at += 2
        else:
            yield number
            at += 1


def _is_range(text: str, one: Number, other: Number) -> bool:
    between = text[one.end : other.start]
    if len(between) > 3 or not re.fullmatch(r"\s?[-–—~～至]\s?", between):
        return False
    if one.unit is Unit.YEAR or other.unit is Unit.YEAR:
        return False
    same = one.unit is other.unit or Unit.COUNT in {one.unit, other.unit}
    return same and one.value < other.high


def _joined(one: Number, other: Number) -> Number:
    """Join the ends of a range; a scale written once, as in "$10-15M", holds for both ends."""
    factor = other.value / one.value if one.value else 1.0
    scale = 10.0 ** (3 * math.floor(math.log10(factor) / 3)) if factor >= 1000 else 1.0
    unit = one.unit if other.unit is Unit.COUNT else other.unit
    middle = (one.value * scale + other.value) / 2
    low = min(one.low * scale, other.low)
    return Number(one.start, other.end, middle, low, other.high, unit, one.currency or other.currency)
