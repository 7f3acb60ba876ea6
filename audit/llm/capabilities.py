"""What each provider and model takes: read from ``models.json``, which carries source and date."""

from __future__ import annotations

import fnmatch
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from audit.llm.port import JsonMode

_FILE = Path(__file__).with_name("models.json")


class Capabilities(BaseModel):
    """What a model takes.

    ``modes`` are its JSON modes, firmest first. ``prompt_tokens`` is the budget of a prompt, ``reply_tokens`` what a
    reply may use at first and ``most_reply_tokens`` after it was cut off. ``limit_field`` names the request field of
    that limit. ``effort`` is the reasoning effort asked for, "" for none. ``retired_s`` is for how many seconds a model
    that is retired or unknown is not asked again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    base_url: str
    modes: tuple[JsonMode, ...] = Field(min_length=1)
    stream: bool
    limit_field: str
    prompt_tokens: int = Field(gt=0)
    reply_tokens: int = Field(gt=0)
    most_reply_tokens: int = Field(gt=0)
    effort: str
    retired_s: float = Field(ge=0)


class _Override(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    modes: tuple[JsonMode, ...] | None = None
    stream: bool | None = None
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    most_reply_tokens: int | None = None
    effort: str | None = None


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str
    reviewed: str
    providers: dict[str, Capabilities]
    models: dict[str, _Override]


@cache
def _data() -> _Data:
    return _Data.model_validate_json(_FILE.read_text(encoding="utf-8"))


def providers() -> tuple[str, ...]:
    """Name the providers that are known."""
    return tuple(_data().providers)


def capabilities(model: str) -> Capabilities:
    """Return what ``model`` (``provider:model``) takes: its provider's, with the most exact pattern's changes.

    Raises KeyError for an unknown provider.
    """
    data = _data()
    base = data.providers[model.partition(":")[0]]
    fitting = [pattern for pattern in data.models if fnmatch.fnmatchcase(model, pattern)]
    if not fitting:
        return base
    changes = data.models[max(fitting, key=len)]
    return base.model_copy(update=changes.model_dump(exclude_none=True))
