"""The port to any chat model: a request, a reply, and the bounds within which it must come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

JsonSchema = Mapping[str, Any]


class JsonMode(StrEnum):
    """How a model is asked for JSON, from the firmest to the loosest.

    STRICT sends the schema as one to be enforced, without the length bounds that strict dialects reject; SCHEMA sends
    it whole; OBJECT asks for any JSON object; TEXT asks in words alone and the JSON is cut out of the prose.
    """

    STRICT = "strict_schema"
    SCHEMA = "schema"
    OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. ``tokens`` is an estimate of its size; ``notes`` say what was cut to keep to a budget."""

    system: str
    user: str
    schema: JsonSchema
    tokens: int = 0
    notes: tuple[str, ...] = ()


PromptMaker = Callable[[int], Prompt]
"""Builds the prompt that fits a budget, given in tokens."""


@dataclass(frozen=True, slots=True)
class Request:
    """One call. ``reply_tokens`` bounds what the model may write, reasoning included.

    ``effort`` is a reasoning effort, or "" where the model takes none; ``stream`` asks for the reply in pieces;
    ``without`` names request fields that this server is known to reject.
    """

    model: str
    system: str
    user: str
    schema: JsonSchema
    mode: JsonMode
    reply_tokens: int
    effort: str = ""
    stream: bool = False
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. ``finish`` is the server's reason for stopping; ``refusal`` its stated refusal, or ""."""

    text: str
    finish: str = ""
    refusal: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that one call may take: ``seconds`` in all, ``characters`` of reply, ``wire_bytes`` off the network.

    Setting ``stop`` makes a running call end at the next piece it reads.
    """

    seconds: float
    characters: int = 100_000
    wire_bytes: int = 4_000_000
    stop: threading.Event = field(default_factory=threading.Event)


class ModelClient(Protocol):
    """A server of models. Safe to share between threads."""

    @property
    def server(self) -> str:
        """The server's address, without credentials."""
        ...

    def complete(self, request: Request, bounds: Bounds) -> Reply:
        """Ask once, without retries. Raises ModelFailure and nothing else."""
        ...

    def close(self) -> None:
        """Release its connections."""
        ...
