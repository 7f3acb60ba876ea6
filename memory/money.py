"""Money as value and currency, its display, and a parser for the amounts people write.

Understood: symbols and ISO codes before or after the number; the scales k, m, mn, bn, b, t, thousand, million,
billion, lakh, crore, 千, 万, 百万, 亿; brackets for negatives; grouping by comma, point, apostrophe or space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

SYMBOLS = {
    "₹": "INR", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₦": "NGN",
    "₫": "VND", "₱": "PHP", "₪": "ILS", "₴": "UAH", "฿": "THB",
    "us$": "USD", "a$": "AUD", "c$": "CAD", "s$": "SGD", "hk$": "HKD", "r$": "BRL", "rs.": "INR", "rs": "INR",
    "au$": "AUD", "ca$": "CAD", "nz$": "NZD", "nt$": "TWD", "￥": "JPY", "zł": "PLN", "kč": "CZK",
    "元": "CNY", "人民币": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "卢比": "INR",
    "日元": "JPY", "円": "JPY", "원": "KRW", "韩元": "KRW", "港元": "HKD", "港币": "HKD", "新台币": "TWD",
    "rupees": "INR", "rupee": "INR", "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR",
    "pounds": "GBP", "pound": "GBP", "yuan": "CNY", "rmb": "CNY", "yen": "JPY",
}  # fmt: skip
CODES = frozenset(
    (
        "INR",
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "KRW",
        "RUB",
        "TRY",
        "NGN",
        "VND",
        "PHP",
        "ILS",
        "UAH",
        "THB",
        "AUD",
        "CAD",
        "SGD",
        "HKD",
        "BRL",
        "CNY",
        "CHF",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "CZK",
        "HUF",
        "ZAR",
        "MXN",
        "IDR",
        "MYR",
        "AED",
        "SAR",
        "KES",
        "EGP",
        "NZD",
        "TWD",
        "ARS",
        "CLP",
        "COP",
        "PKR",
        "BDT",
        "LKR",
    )
)
DISPLAY = {code: symbol for symbol, code in reversed(SYMBOLS.items()) if len(symbol) == 1 and not symbol.isalnum()}
SCALES = {
    "k": 10**3, "thousand": 10**3, "千": 10**3, "万": 10**4, "lakh": 10**5, "lakhs": 10**5, "lac": 10**5,
    "tsd": 10**3, "萬": 10**4, "만": 10**4, "lacs": 10**5,
    "m": 10**6, "mn": 10**6, "mm": 10**6, "mio": 10**6, "million": 10**6, "millions": 10**6, "百万": 10**6,
    "cr": 10**7, "crore": 10**7, "crores": 10**7, "千万": 10**7, "亿": 10**8, "億": 10**8, "억": 10**8,
    "mrd": 10**9, "十亿": 10**9, "万亿": 10**12,
    "b": 10**9, "bn": 10**9, "billion": 10**9, "billions": 10**9, "t": 10**12, "tn": 10**12, "trillion": 10**12,
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount in one currency.

    ``amount`` is in major units (rupees, not paise); ``currency`` is an ISO 4217 code, or "" where none was written.
    """

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        symbol = DISPLAY.get(self.currency)
        number = f"{self.amount.normalize():,f}"
        if symbol:
            return f"-{symbol}{number[1:]}" if number.startswith("-") else f"{symbol}{number}"
        return f"{self.currency} {number}".strip()


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount as it stands in a text: ``text[start:end]`` says ``money``."""

    start: int
    end: int
    money: Money


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CURRENCY = f"(?:{_alternatives(SYMBOLS)}|(?-i:{_alternatives(CODES)}))"
_NUMBER = r"(?:\d{1,3}(?:[,.'’\u00a0\u202f ]\d{2,3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?!\d)"
_SCALE = f"(?:{_alternatives(SCALES)})"
_AMOUNT = re.compile(
    rf"(?<![\w.])(?P<open>\()?(?P<minus>[-−])?(?P<before>{_CURRENCY})?\s?(?P<number>{_NUMBER})"
    rf"(?:\s?(?P<scale>{_SCALE})(?![a-z]))?(?:\s?(?P<after>{_CURRENCY})(?![a-z]))?(?P<close>\))?",
    re.IGNORECASE,
)
_THREE_DECIMALS = re.compile(r"\d{1,3}\.\d{3}")
_GROUPED_BY_POINTS = frozenset({"mio", "mrd", "tsd"})


def parse_number(text: str) -> Decimal:
    """Read a grouped decimal number; the last separator is decimal unless exactly three digits follow it.

    Raises ValueError where ``text`` is no number.
    """
    digits = re.sub(r"['’\u00a0\u202f ]", "", text)
    separators = re.findall(r"[.,]", digits)
    if separators:
        last = separators[-1]
        whole, _, fraction = digits.rpartition(last)
        grouped = len(fraction) == 3 and whole.lstrip("0") != "" and len(set(separators)) != 2
        if separators.count(last) > 1 or (grouped and (last == "," or len(separators) > 1 or len(whole) <= 3)):
            digits = re.sub(r"[.,]", "", digits)
        else:
            digits = re.sub(r"[.,]", "", whole) + "." + fraction
    try:
        return Decimal(digits)
    except InvalidOperation as error:
        raise ValueError(f"not a number: {text!r}") from error


def _scaled(number: str, scale: str) -> Decimal:
    """Read a number that a scale follows: before one, three digits after a point are decimals, as in ``$1.125M``.

    Not before the scales of languages that group by points.
    """
    if scale and scale not in _GROUPED_BY_POINTS and _THREE_DECIMALS.fullmatch(number):
        return Decimal(number) * SCALES[scale]
    return parse_number(number) * SCALES.get(scale, 1)


def find_amounts(text: str) -> Iterator[Amount]:
    """Yield every amount of money in ``text``, in order: a number with a currency on either side."""
    for match in _AMOUNT.finditer(text):
        currency = match["before"] or match["after"]
        if not currency:
            continue
        key = currency.lower()
        code = SYMBOLS.get(key) or currency.upper()
        value = _scaled(match["number"], (match["scale"] or "").lower())
        negative = match["minus"] or (match["open"] and match["close"])
        start, end = match.span()
        if match["open"] and not match["close"]:
            start += 1
        if match["close"] and not match["open"]:
            end -= 1
        yield Amount(start, end, Money(-value if negative else value, code))


def parse_money(text: str, default_currency: str = "") -> Money:
    """Read one amount from a cell or a form field; a bare number takes ``default_currency``.

    Raises ValueError, naming the text, where it holds no amount or more than one.
    """
    found = list(find_amounts(text))
    if not found and default_currency:
        found = list(find_amounts(f"{default_currency} {text.strip()}"))
    if len(found) != 1:
        raise ValueError(f"{text!r} is not one amount of money; write it like ₹50,000, $1.2M or EUR 300k")
    return found[0].money


def total(amounts: Iterable[Money]) -> tuple[Money, ...]:
    """Sum ``amounts`` per currency, ordered by currency code."""
    sums: dict[str, Decimal] = {}
    for money in amounts:
        sums[money.currency] = sums.get(money.currency, Decimal(0)) + money.amount
    return tuple(Money(amount, currency) for currency, amount in sorted(sums.items()))
