"""Find names, years and amounts in prose, as values. Pure, linear; reads digits and words of seven languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from audit.folding import skeleton
from audit.number_words import (
    AMBIGUOUS_ALONE,
    AND,
    HUNDREDS,
    NUMBERS,
    SCALES,
    UNITS,
    chinese_number,
    german_number,
    is_digits,
    is_number_word,
    roman_number,
    value_of,
)
from memory.money import CODES, SYMBOLS, Money, parse_number

_CURRENCIES = {skeleton(word).casefold(): code for word, code in NUMBERS["currencies"].items()}
_CURRENCIES |= {skeleton(word).casefold(): code for word, code in SYMBOLS.items()}
_CURRENCIES |= {code.lower(): code for code in CODES if code not in {"TRY", "ALL", "COP"}}
_EARLIEST, _LATEST = 1950, 2049
_LONGEST_NUMBER = 24
_HAN_UNITS = {"千": 10**3, "万": 10**4, "萬": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "億": 10**8}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_LONGEST_CURRENCY = max(map(len, _CURRENCIES))
_CURRENCY_FIRST = frozenset(word[0] for word in _CURRENCIES) | {"o", "d"}
_CURRENCY_TAILS = frozenset(word[-2:] for word in _CURRENCIES)
_SCALE_FIRST = frozenset(word[0] for word in (*SCALES, *_HAN_UNITS))
_CURRENCY_AFTER = re.compile(rf"[\s-]?(?:of\s|de\s)?(?P<unit>{_any_of(_CURRENCIES)})(?![a-z])", re.IGNORECASE)
_DIGITS = r"\d{1,3}(?:[,.'’]\d{2,3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_FIGURES = re.compile(rf"(?P<digits>{_DIGITS})|(?P<han>[零〇一二三四五六七八九十百千万亿两萬億兩]+)")
_FIGURE = re.compile(r"[\d零〇一二三四五六七八九十百千万亿两萬億兩]")
_COUNTED_HAN = re.compile(
    r"[零〇一二三四五六七八九十百千万亿两萬億兩]+"
    r"(?=个|個|家|年|月|天|日|周|次|倍|人|名|位|款|轮|笔|条|行|处|成|%|％|元|美元|卢比|小时|分钟|秒)"
)
_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0903\u093a-\u094f\u0962\u0963]+[^\W\d_]*)*")
_SCALE_AFTER = re.compile(
    rf"[\s-]?(?:(?P<han>千万|百万|[千万亿萬億])|(?P<word>{_any_of(SCALES)})(?![a-z0-9]))",
    re.IGNORECASE,
)
_NOT_A_YEAR = re.compile(
    r"\s?-?(?:%|bits?|bytes?|ms|kb|mb|gb|users?|customers?|people|requests?|lines?|rows?|items?|chars?|characters?|"
    r"milliseconds?|seconds?|records?|entries|employees|merchants?|orders?|downloads?|px|times|iterations|tokens?)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[A-Z]-(?:\d{4}-)?$")
_SHORT_YEAR = re.compile(r"(?:(?<![\w'])'|\bfy ?'?)(\d{2})\b(?!')", re.IGNORECASE)
_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_PART = re.compile(
    r"(half|quarter)(?: of)?(?: an?)?[ -](thousand|million|billion|lakh|crore)\b(?! (?:rup|doll|eur|pound))"
)
_ROMAN_YEAR = re.compile(r"\bM(?:CM|M)(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b")


class Kind(StrEnum):
    """What a mention is."""

    NAME = "name"
    YEAR = "year"
    AMOUNT = "amount"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, year, amount or large number in a text: ``text[start:end]``.

    ``value`` is exact; ``currency`` is an ISO code, or "" for a number; a name has its folded spelling as ``key``.
    """

    kind: Kind
    start: int
    end: int
    key: str = ""
    value: Decimal = Decimal(0)
    currency: str = ""

    def same_amount(self, other: Money) -> bool:
        """True where value and currency agree; a number without a currency agrees with any."""
        return self.value == abs(other.amount) and self.currency in {"", other.currency}


def quantities(text: str) -> list[Mention]:
    """Find years, amounts and numbers from 1,000 in a text that ``audit.folding.skeleton`` has read, in order."""
    found = [*_figures(text), *_spelled(text)]
    found += _parts(text)
    if "'" in text or "fy" in text.lower():
        shorts = (match for match in _SHORT_YEAR.finditer(text) if match.group(1) < "50")
        found += [_year(match, 2000 + int(match.group(1))) for match in shorts]
    found += [
        _year(match, roman_number(match.group())) for match in _ROMAN_YEAR.finditer(text) if len(match.group()) > 2
    ]
    return sorted(found, key=lambda it: it.start)


def _parts(text: str) -> Iterator[Mention]:
    """Yield "half a million" and its kin."""
    low = text.lower()
    for it in _PART.finditer(low) if "half" in low or "quarter" in low else ():
        yield Mention(Kind.NUMBER, *it.span(), value=_PARTS[it[1]] * SCALES[it[2]])


def _year(match: re.Match[str], value: int) -> Mention:
    return Mention(Kind.YEAR, match.start(), match.end(), value=Decimal(value))


def _figures(text: str) -> Iterator[Mention]:
    for token in _figure_tokens(text):
        if token.lastgroup == "digits":
            yield from _in_digits(text, token)
        elif (value := chinese_number(token.group())) is not None:
            year_like = "年" in text[token.end() : token.end() + 2] or is_digits(token.group())
            yield from _number(text, token.start(), token.end(), Decimal(value), year_like=year_like)


def _figure_tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in digits; looks for their first character alone, which is many times quicker."""
    begin = _FIGURE.search(text)
    while begin and (token := _FIGURES.match(text, begin.start())):
        yield token
        begin = _FIGURE.search(text, token.end())


def counted(text: str) -> list[Mention]:
    """Find the numbers above two that are written in words or Chinese digits, however small."""
    found = [it for run in _runs(text) if (it := _count(run)) is not None]
    for token in _COUNTED_HAN.finditer(text):
        value = chinese_number(token.group())
        if value is not None and value > 2:
            found.append(Mention(Kind.NUMBER, *token.span(), value=Decimal(value)))
    return found


def _count(run: list[re.Match[str]]) -> Mention | None:
    lows = [token.group().lower() for token in run]
    value = None if len(run) == 1 and lows[0] in AMBIGUOUS_ALONE else value_of(lows)
    if value is None or value <= 2 or all(low in AND or low in SCALES for low in lows):
        return None
    return Mention(Kind.NUMBER, run[0].start(), run[-1].end(), value=Decimal(value))


def _spelled(text: str) -> Iterator[Mention]:
    for run in _runs(text):
        yield from _in_words(text, run)


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the words of each number in words."""
    run: list[re.Match[str]] = []
    for token in _number_tokens(text):
        if run and not _adjacent(text, run[-1], token):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _number_tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the words of numbers, of lines that hold more of one than an "and": no number goes over a line's end."""
    words = {it for it in _WORD.findall(" ".join(set(text.split()))) if is_number_word(it)}
    telling = [it for it in words if it.lower() not in AND]
    start = 0
    while telling and start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if any(it in line for it in telling):
            yield from (token for token in _WORD.finditer(text, start, end) if token.group() in words)
        start = end + 1


def _adjacent(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    gap = text[before.end() : after.start()]
    return len(gap) <= 2 and gap.strip(" -") == ""


def _in_digits(text: str, token: re.Match[str]) -> Iterator[Mention]:
    start, end = token.span()
    before = text[start - 1 : start]
    joined = before.isalnum() and before.isascii()
    if len(token.group()) > _LONGEST_NUMBER or (joined and not _currency_before(text, start)[0]):
        return
    if before == "-" and _LABEL.search(text[max(0, start - 12) : start]):
        return
    try:
        value = Decimal(token.group()) if token.group().isdecimal() else parse_number(token.group())
    except ValueError:
        return
    yield from _number(text, start, end, value, year_like=token.group().isdigit() and len(token.group()) == 4)


def _number(text: str, start: int, end: int, value: Decimal, *, year_like: bool) -> Iterator[Mention]:
    scaled = False
    while _first(text, end) in _SCALE_FIRST and (scale := _SCALE_AFTER.match(text, end)):
        value *= _HAN_UNITS.get(scale["han"] or "") or SCALES[scale["word"].lower()]
        end, scaled = scale.end(), True
        if value > Decimal(10) ** 18:
            break
    currency, length = _currency_before(text, start)
    start -= length
    if not currency and _first(text, end) in _CURRENCY_FIRST and (after := _CURRENCY_AFTER.match(text, end)):
        currency, end = _CURRENCIES[after["unit"].lower()], after.end()
    if currency == "PHP" and value < 10:  # a version of the language, not pesos
        return
    if currency:
        yield Mention(Kind.AMOUNT, start, end, value=value, currency=currency)
    elif year_like and not scaled and value == int(value) and _EARLIEST <= value <= _LATEST:
        if not _NOT_A_YEAR.match(text, end):
            yield Mention(Kind.YEAR, start, end, value=value)
    elif value >= 1000:
        yield Mention(Kind.NUMBER, start, end, value=value)


def _currency_before(text: str, start: int) -> tuple[str, int]:
    """Read the currency that ends at ``start``, perhaps with a space between; its code and length, or ("", 0)."""
    near = text[max(0, start - _LONGEST_CURRENCY - 1) : start]
    gap = int(near[-1:] == " ")
    word = near[: len(near) - gap].lower().rpartition(" ")[2]
    if word[-2:] not in _CURRENCY_TAILS and word[-1:] not in _CURRENCY_TAILS:
        return "", 0
    for size in range(len(word), 0, -1):
        code = _CURRENCIES.get(word[-size:])
        if code and not (word[-size].isalpha() and word[-size - 1 : -size].isalpha()):
            return code, size + gap
    return "", 0


def _first(text: str, at: int) -> str:
    """The first character from ``at``, past one space or hyphen, in lower case."""
    char = text[at : at + 1]
    return (text[at + 1 : at + 2] if char in {" ", "-"} else char).lower()


def _in_words(text: str, tokens: list[re.Match[str]]) -> Iterator[Mention]:
    while tokens and tokens[0].group().lower() in AND:
        tokens = tokens[1:]
    while tokens and tokens[-1].group().lower() in AND:
        tokens = tokens[:-1]
    if not tokens or (len(tokens) == 1 and tokens[0].group().lower() in AMBIGUOUS_ALONE):
        return
    lows = [token.group().lower() for token in tokens]
    if not any(low in UNITS or low in HUNDREDS or german_number(low) for low in lows):
        return
    value = value_of(lows)
    if value is None or len(tokens) > 16:
        return
    year_like = len(tokens) > 1 or len(lows[0]) > 10
    yield from _number(text, tokens[0].start(), tokens[-1].end(), Decimal(value), year_like=year_like)
