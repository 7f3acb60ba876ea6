"""Every setting of the product, read from the environment or ``.env``. The only reader of the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory.validation import WORKSPACE

IN_WORDS = {
    "workspace": "use small letters, digits, - and _, beginning with a letter or a digit, 64 at most",
    "index": "say embedded, or give an address that begins with postgresql://, http:// or https://",
    "hindsight_url": "give an address that begins with http:// or https://",
}


class SettingsInvalid(Exception):
    """A setting has a value that is not allowed; the message names each and is safe to show."""


class Settings(BaseSettings):
    """Settings, each from ``PRECEDENT_<NAME>`` unless it names another variable.

    ``language`` is that of the pages; on ``auto`` it is each browser's own.
    ``people`` names who may sign in, as ``identity=workspace`` by commas; empty, there is no sign-in.
    ``ledger_url`` is where the ledger lives, an SQLite file or a Postgres database. ``index`` says where records are
    found by meaning: ``embedded`` in the data folder, or the address of a server.
    ``models`` is a comma-separated list of ``provider:model``, tried in order; the rule analyst always comes last.
    ``secrets`` says what becomes of a record that holds secrets or personal data: it is stored with them masked, or
    refused. The ``hindsight_`` settings name a bank of another memory that is asked beside the workspace's own records.
    ``audit_deadline_s`` bounds all model calls of one audit, in seconds. ``document_max_mb`` and
    ``document_max_pages`` bound the files that are read as submissions. The ``mcp_`` settings are for the agents'
    server: over HTTP it needs a token; ``mcp_origins`` lists further browser origins, by commas.
    """

    model_config = SettingsConfigDict(env_prefix="PRECEDENT_", env_file=".env", extra="ignore", frozen=True)

    language: Literal["auto", "en", "zh"] = "auto"
    home: Path = Path("data")
    workspace: str = Field(default="local", pattern=f"^{WORKSPACE}$")
    people: str = ""
    ledger_url: str = ""
    index: str = Field(default="embedded", pattern=r"^(embedded|(postgresql(\+psycopg)?|https?)://.+)$")
    secrets: Literal["mask", "refuse"] = "mask"
    embedder: Literal["minilm", "openai"] = "minilm"
    embedding_model: str = "text-embedding-3-small"
    embedding_dimension: int = Field(default=1536, ge=8, le=8192)

    models: str = "groq:openai/gpt-oss-120b,groq:openai/gpt-oss-20b,openai:gpt-5-mini"
    local_base_url: str = ""
    local_api_key: SecretStr = SecretStr("")
    groq_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="GROQ_API_KEY")
    groq_base_url: str = ""
    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="OPENAI_API_KEY")
    openai_base_url: str = ""
    audit_deadline_s: float = Field(default=60.0, gt=0, le=600)

    hindsight_url: str = Field(default="", pattern=r"^(https?://.+)?$")
    hindsight_bank: str = ""
    hindsight_api_key: SecretStr = SecretStr("")

    document_max_mb: int = Field(default=25, ge=1, le=500)
    document_max_pages: int = Field(default=200, ge=1, le=5_000)

    mcp_token: SecretStr = SecretStr("")
    mcp_host: str = "127.0.0.1"
    mcp_port: int = Field(default=8765, ge=1, le=65_535)
    mcp_read_only: bool = False
    mcp_origins: str = ""

    @field_validator("people")
    @classmethod
    def _names_people(cls, text: str) -> str:
        _read_people(text)
        return text

    @property
    def people_by_identity(self) -> Mapping[str, str]:
        """The workspace of each person who may sign in, by e-mail address in small letters or by subject."""
        return _read_people(self.people)


@cache
def _read_people(text: str) -> Mapping[str, str]:
    people: dict[str, str] = {}
    for number, entry in enumerate((it.strip() for it in text.split(",") if it.strip()), start=1):
        identity, _, workspace = (part.strip() for part in entry.rpartition("="))
        if not identity or not identity.isascii() or not re.fullmatch(WORKSPACE, workspace):
            raise ValueError(f"entry {number} is not an e-mail address or a subject, then =, then a workspace")
        if "@" in identity:
            identity = identity.lower()
        if identity in people:
            raise ValueError(f"entry {number} names somebody who was named before")
        people[identity] = workspace
    return MappingProxyType(people)


def read_settings() -> Settings:
    """Read the settings. Raises SettingsInvalid, which names each bad variable but never its value."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [f"{_variable(str(it['loc'][0]))}: {_words(it)}" for it in error.errors()]
        raise SettingsInvalid(f"Settings that are not allowed: {'; '.join(wrong)}. See docs/settings.md.") from None


def _words(error: ErrorDetails) -> str:
    if error["type"] == "string_pattern_mismatch":
        return IN_WORDS[str(error["loc"][0])]
    return error["msg"].removeprefix("Value error, ")


def _variable(name: str) -> str:
    return name if name.isupper() else f"PRECEDENT_{name.upper()}"
