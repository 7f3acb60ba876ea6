"""Secrets of a submission, kept out of what leaves the owner's page: reports, SARIF, an agent's answer. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from audit.types import GroundedAudit
from memory.sensitive import find_sensitive

_HARD_CODED = frozenset({"CWE-259", "CWE-321", "CWE-547", "CWE-798"})
_LITERAL = re.compile(r"\"([^\"\n]{3,})\"|'([^'\n]{3,})'|`([^`\n]{3,})`")
# What is shorter, or letters alone, may be a common word: it is covered only between its quotation marks.
_TELLING, _HEAD = 8, 12
_ARMOUR = "-----"


def secrets_in(audits: Iterable[GroundedAudit]) -> tuple[str, ...]:
    """List what must not be shown, longest first: secrets by their form, and the literals of hard-coded ones found."""
    found = {it for audit in audits for it in _secrets(audit)}
    return tuple(sorted(found, key=lambda it: (-len(it), it)))


@lru_cache(maxsize=8)
def _by_form(text: str) -> tuple[str, ...]:
    secrets = (text[it.start : it.end] for it in find_sensitive(text) if it.sort == "secret")
    lines = (line.strip() for secret in secrets for line in secret.splitlines())
    return tuple(line for line in lines if len(line) >= _TELLING and not line.startswith(_ARMOUR))


def _secrets(audit: GroundedAudit) -> Iterator[str]:
    yield from _by_form(audit.submission.text)
    for finding in (*audit.findings, *audit.unproved_findings):
        if finding.subject in _HARD_CODED:
            for literal in _LITERAL.finditer(finding.quote):
                bare = literal[literal.lastindex or 0]
                yield bare if len(bare) >= _TELLING and not bare.isalpha() else literal.group()


def covered(text: str, secrets: Iterable[str], written: Callable[[str], str] = str) -> str:
    """Cover each secret in ``text`` but for its first two to four characters, and what is left of one that was cut.

    ``written`` says how the text's format writes words that are not its own, such as ``html.escape``.
    """
    for secret in secrets:
        ways = [re.escape(written(secret)), re.escape(" ".join(secret.split()))]
        if len(secret) >= _HEAD:
            ways.append(re.escape(written(secret[:_TELLING])) + r"[^\s\"'`<>&]*")
        cover = written(_beginning(secret))
        text = re.sub("|".join(dict.fromkeys(ways)), lambda _, cover=cover: cover, text)  # type: ignore[misc]
    return text


def all_covered(value: Any, secrets: tuple[str, ...]) -> Any:
    """Cover the secrets in every string of JSON data."""
    match value:
        case str():
            return covered(value, secrets)
        case dict():
            return {key: all_covered(it, secrets) for key, it in value.items()}
        case list() | tuple():
            return [all_covered(it, secrets) for it in value]
        case _:
            return value


def _beginning(secret: str) -> str:
    quoted = _LITERAL.fullmatch(secret)
    mark, bare = (secret[0], secret[1:-1]) if quoted else ("", secret)
    return f"{mark}{bare[: min(4, max(2, len(bare) // 4))]}…{mark}"
