"""A Chroma server: reached when it is needed, and what it fails with in words that say what to do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import httpx

from memory.errors import IndexUnavailable

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

MAJOR = "1"
PORT = 8_000
DEFAULT_NAME = "precedent"
PATIENCE = httpx.Timeout(60.0, connect=5.0)


class ChromaServer:
    """The server at ``url`` (``http://host:port/name``); ``name`` sets this memory apart from others on it.

    Nothing is sent before the first use. Raises IndexUnavailable for an address that cannot be meant.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise IndexUnavailable(f"The address of the Chroma server has no usable port: {error}.") from error
        self.name = parts.path.strip("/") or DEFAULT_NAME
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
            raise IndexUnavailable("A Chroma server is named like http://127.0.0.1:8000 or http://127.0.0.1:8000/name.")
        if not all(it.isascii() and (it.isalnum() or it in "-_") for it in self.name):
            raise IndexUnavailable("The name behind a Chroma server's address may hold letters, digits, - and _.")
        self._host, self._tls = parts.hostname, parts.scheme == "https"
        self._port = port or (443 if self._tls else PORT)
        self.address = f"{parts.scheme}://{self._host}:{self._port}"
        self._mutex = threading.Lock()
        self._client: ClientAPI | None = None

    def client(self) -> ClientAPI:
        """Give the client, connected at the first call that succeeds."""
        with self._mutex:
            if self._client is None:
                self._check_version()
                self._client = self._connect()
            return self._client

    def close(self) -> None:
        """Close the connection."""
        with self._mutex:
            client, self._client = self._client, None
        if client is not None:
            _session(client).close()
            cast(Any, client).close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn every failure of the server or of the way to it into IndexUnavailable."""
        from chromadb.errors import ChromaError, NotFoundError

        try:
            yield
        except httpx.TransportError as error:
            raise IndexUnavailable(
                f"The Chroma server at {self.address} does not answer ({type(error).__name__}). Start it with "
                "`chroma run`, or correct PRECEDENT_INDEX. Your records are safe in the ledger."
            ) from error
        except NotFoundError as error:
            raise IndexUnavailable(
                f"The index on the Chroma server at {self.address} was thrown away meanwhile. Try again."
            ) from error
        except (ChromaError, httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise IndexUnavailable(f"The Chroma server at {self.address} failed: {error}") from error
        except Exception as error:
            # Chroma's client raises Exception itself for replies it does not know, such as a proxy's.
            if type(error) is not Exception:
                raise
            raise IndexUnavailable(f"The Chroma server at {self.address} failed: {error}") from error

    def _check_version(self) -> None:
        answer = httpx.get(f"{self.address}/api/v2/version", timeout=PATIENCE)
        told = answer.text.strip().strip('"')
        if not answer.is_success or told.partition(".")[0] != MAJOR:
            version = f"version {told[:20]}" if answer.is_success else f"status {answer.status_code}"
            raise IndexUnavailable(
                f"What answers at {self.address} ({version}) is no Chroma server of version {MAJOR}. Start one with "
                "`chroma run` of the chromadb this product pins, or correct PRECEDENT_INDEX."
            )

    def _connect(self) -> ClientAPI:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.HttpClient(
            self._host, self._port, ssl=self._tls, settings=Settings(anonymized_telemetry=False)
        )
        _session(client).timeout = PATIENCE
        # It asked whether the database exists, through connections of its own, and is of no more use.
        _session(cast(Any, client)._admin_client).close()
        return client


def _session(client: ClientAPI) -> httpx.Client:
    """Reach the connections of a client, which would wait for an answer without end and never closes them itself."""
    return cast(httpx.Client, cast(Any, client)._server._session)
