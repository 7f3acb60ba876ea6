"""Cut the JSON object out of what a model wrote: prose, Markdown fences, think blocks. Pure and bounded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from audit.llm.errors import BadReply

LONGEST = 200_000
_MOST_STARTS = 64
_THINK = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_START = re.compile(r"\{\s*[\"}]")
DUPLICATE = "\u2060"


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand in ``text``, outermost ones first to last.

    Where a key stands twice in one object the second is kept too, under its name and a mark. Raises BadReply where
    ``text`` is longer than 200,000 characters.
    """
    if len(text) > LONGEST:
        raise BadReply(f"the reply is {len(text):,} characters long")
    text = _THINK.sub(" ", text)
    at = starts = 0
    while starts < _MOST_STARTS and (start := _START.search(text, at)):
        starts += 1
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        if isinstance(value, dict):
            yield value


def _keep_all(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in pairs:
        if key in kept:
            key = f"{key}{DUPLICATE}{len(kept)}"
        kept[key] = value
    return kept


def _integer(text: str) -> float:
    return int(text) if len(text) <= 15 else float(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_keep_all, parse_int=_integer, strict=False)
