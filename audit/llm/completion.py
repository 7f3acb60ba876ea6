"""Read a chat completion of any shape, whole or in pieces, within bounds.

Servers answer with what they like; nothing here trusts that a field is there or of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from audit.llm.bounded import Meter
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.port import Bounds, Reply

LONGEST_BLANK = 2_000


def read_whole(answer: object, bounds: Bounds) -> Reply:
    """Read an answer that came in one piece. Raises ModelFailure where it is too long or no chat completion."""
    choice = at(answer, "choices", 0)
    if at(choice, "message") is None:
        raise ModelFailure(FailureKind.NOT_AN_API)
    text = _string(at(choice, "message", "content"))
    if len(text) > bounds.characters or _blank_tail(text) > LONGEST_BLANK:
        raise _rambling(_usage(answer))
    return _reply(text, choice, _string(at(choice, "message", "refusal")), _usage(answer))


def read_stream(chunks: Iterable[object], bounds: Bounds, meter: Meter) -> Reply:
    """Read an answer that comes in pieces, and stop where it goes on too long or writes blanks without end.

    Raises ModelFailure; where no piece came the server knows no streaming, and the failure says so.
    """
    pieces: list[str] = []
    refusal: list[str] = []
    length = blank = 0
    usage = (0, 0)
    last: object = None
    events = 0
    for chunk in chunks:
        meter.check()
        events += at(chunk, "choices") is not None
        choice = at(chunk, "choices", 0)
        usage = max(usage, _usage(chunk))
        if _string(at(choice, "finish_reason")):
            last = choice
        refusal.append(_string(at(choice, "delta", "refusal")))
        piece = _string(at(choice, "delta", "content"))
        pieces.append(piece)
        length += len(piece)
        tail = _blank_tail(piece)
        blank = blank + tail if tail == len(piece) else tail
        if length > bounds.characters or blank > LONGEST_BLANK:
            raise _rambling(usage)
    if not events:
        raise ModelFailure(FailureKind.UNSUPPORTED, parameter="stream")
    return _reply("".join(pieces), last, "".join(refusal), usage)


def _reply(text: str, choice: object, refusal: str, usage: tuple[int, int]) -> Reply:
    return Reply(text, _string(at(choice, "finish_reason")), refusal, *usage)


def _rambling(usage: tuple[int, int]) -> ModelFailure:
    return ModelFailure(FailureKind.RAMBLING, tokens_in=usage[0], tokens_out=usage[1])


def _usage(answer: object) -> tuple[int, int]:
    return _count(at(answer, "usage", "prompt_tokens")), _count(at(answer, "usage", "completion_tokens"))


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0


def _blank_tail(text: str) -> int:
    return len(text) - len(text.rstrip())


def at(value: object, *path: str | int) -> object:
    """Walk an answer of any shape; None where it does not have the path."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)
    return value


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
