"""Read single values of a model's JSON, whatever their type: texts, line numbers, ratings. Pure."""

from __future__ import annotations

import math
import re
from typing import Any

LONGEST_TEXT = 2_000
_NUMBER = re.compile(r"(-?\d{1,9}(?:[.,]\d{1,6})?)\s*(?:(?:/|out of|von|de|sur)\s*(\d{1,4}(?:\.\d+)?)|(%))?")

Json = Any


def rating_value(value: Json) -> float | None:
    """Read a rating on 0..10 from a number or words such as "7/10" and "70%"; None where it is none.

    Above 10 and up to 100 a bare number is taken as a percentage; anything else out of range is none.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = _NUMBER.search(value[:200])
        if not found:
            return None
        number = float(found[1].replace(",", "."))
        if found[2]:
            out_of = float(found[2])
            return rating_value(number * 10 / out_of) if out_of else None
        return rating_value(number / 10 if found[3] else number)
    if not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 100:
        return None
    return float(value if value <= 10 else value / 10)


def text_of(value: Json, *, folded: bool = True) -> str:
    """Read a text, or a number in its place, cut to 2,000 characters; "" for anything else."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = value[: 2 * LONGEST_TEXT]
    elif isinstance(value, int | float):
        text = f"{value:g}" if math.isfinite(value) else ""
    else:
        return ""
    # Half of a surrogate pair can be written in JSON but neither stored nor shown.
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return (" ".join(text.split()) if folded else text.strip())[:LONGEST_TEXT]


def line_of(value: Json) -> int | None:
    """Read the number of a line, from 1; None where there is none."""
    number = value
    if isinstance(value, str):
        found = re.search(r"\d{1,7}", value[:40])
        number = int(found[0]) if found else None
    if isinstance(number, bool) or not isinstance(number, int | float) or not 1 <= number < 10_000_000:
        return None
    return int(number)
