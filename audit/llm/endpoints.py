"""Providers as configured, and which of them can be asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from audit.llm.capabilities import capabilities, providers
from audit.llm.port import ModelClient


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider as configured. ``base_url`` "" means the provider's own; ``key`` is never shown."""

    provider: str
    base_url: str
    key: SecretStr


def connect(endpoints: Iterable[Endpoint]) -> tuple[dict[str, ModelClient], dict[str, str]]:
    """Make the client of each usable endpoint; say of every other provider why it has none."""
    clients: dict[str, ModelClient] = {}
    absent = dict.fromkeys(providers(), "no key is set for it")
    for it in endpoints:
        takes = capabilities(f"{it.provider}:")
        base_url = it.base_url.strip() or takes.base_url
        key = it.key.get_secret_value().strip()
        if not base_url:
            absent[it.provider] = "no address is set for it"
        elif not _is_address(base_url):
            absent[it.provider] = "its address is not one of the form http://host:port/v1"
        elif key or not takes.base_url:
            clients[it.provider] = _client(it.provider, base_url, key)
            absent.pop(it.provider, None)
    return clients, absent


def _client(provider: str, base_url: str, key: str) -> ModelClient:
    # Imported where it is needed: the SDKs take most of a second to load, and a start without a model needs none.
    from audit.llm.clients import SdkClient

    return SdkClient(provider, base_url, key)


def _is_address(base_url: str) -> bool:
    try:
        parts = urlsplit(base_url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
