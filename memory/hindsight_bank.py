"""An existing Hindsight bank: memories of another system, heard beside a recall and importable, never believed.

What a bank remembers nobody here has vouched for. Beside a recall it is told with its source and is no precedent; what
is imported comes in through the agents' door and waits for a person. Hindsight's client is asynchronous and bound to
the event loop of its first call, so it lives on one loop of its own, whichever thread asks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import SecretStr

from memory.background_loop import BackgroundLoop
from memory.errors import BankUnavailable
from memory.prepare import MOST_CHARS, MOST_RECORDS, alike, fold
from memory.report import Heard, Hearsay, RecallQuery
from memory.sensitive import mask
from memory.terms import tokens

if TYPE_CHECKING:
    from hindsight_client import Hindsight

ASK_WITHIN_S = 8.0
READ_WITHIN_S = 60.0
ASKED_CHARS = 1_000
PAGE = 100
# What was told to a bank, by somebody or by the agent itself. Its third kind, the observation, its own model derives
# from these: it would tell them a second time, and names no document.
TOLD = ("world", "experience")
# Nothing lies in this window, as no time is asked about. Without one the server reads dates out of what was pasted,
# which takes it seconds for code, and lifts memories of the years that a deck happens to name.
NO_TIME = {"start": "1900-01-01T00:00:00Z", "end": "1900-01-02T00:00:00Z"}

T = TypeVar("T")


class HindsightBank:
    """The bank called ``bank`` at ``url``, which belongs to one workspace. Safe to share between threads.

    Nothing is sent before the first use. ``ask_within_s`` bounds how long a recall waits for it, in seconds.
    """

    def __init__(
        self, url: str, bank: str, api_key: SecretStr, workspace: str, *, ask_within_s: float = ASK_WITHIN_S
    ) -> None:
        self._url, self._key, self._workspace = url.rstrip("/"), api_key, workspace
        self.bank = bank
        self._ask_within_s = ask_within_s
        self._loop = BackgroundLoop("hindsight")
        self._client: Hindsight | None = None

    def asked(self, query: RecallQuery) -> Callable[[], Hearsay | None]:
        """Begin to ask the bank; the function that is given waits for what it says. That never raises StoreError.

        Another workspace than the bank's is told nothing, and a text without a letter or number is not asked: the
        server refuses it.
        """
        text = query.text[:ASKED_CHARS]
        if query.workspace != self._workspace or not any(map(str.isalnum, text)):
            return lambda: None
        future = self._loop.start(self._recall(text))
        return lambda: self._heard(future)

    def memories(self) -> Iterator[Heard]:
        """Read the whole bank, page by page, each text once; also what it derived itself. Raises BankUnavailable."""
        seen: set[tuple[str, bool]] = set()
        offset = 0
        while True:
            items, total = self._wait(self._loop.start(self._page(offset)), READ_WITHIN_S)
            for it in items:
                known = (it.text, it.kind in TOLD)
                if it.text and known not in seen:
                    seen.add(known)
                    yield it
            offset += PAGE
            if offset >= total:
                return

    def close(self) -> None:
        """Close the client on its loop, and the loop."""
        client, self._client = self._client, None
        if client is not None:
            self._wait(self._loop.start(cast(Any, client).aclose()), READ_WITHIN_S)
        self._loop.close()

    def _heard(self, future: Future[list[Heard]]) -> Hearsay:
        try:
            said = self._wait(future, self._ask_within_s)
        except BankUnavailable as error:
            return Hearsay(self.bank, f"{error} Your own records were searched all the same.", answered=False)
        kept: list[Heard] = []
        terms: list[frozenset[str]] = []
        for it in said:
            words = frozenset(tokens(it.text))
            if it.text and not any(alike(words, other) for other in terms):
                kept.append(it)
                terms.append(words)
        kept = kept[:MOST_RECORDS]
        count = "1 memory" if len(kept) == 1 else f"{len(kept)} memories"
        told = f"The Hindsight bank {self.bank} told {count}. Nobody has verified them; none is a precedent."
        nothing = f"The Hindsight bank {self.bank} remembers nothing like this."
        return Hearsay(self.bank, told if kept else nothing, tuple(kept))

    async def _recall(self, text: str) -> list[Heard]:
        reply = await self._connected().arecall(
            self.bank, text, list(TOLD), max_tokens=2_048, budget="low", temporal_window=NO_TIME
        )
        return [self._made(it.id, it.text, it.document_id, it.type, it.occurred_start) for it in reply.results]

    async def _page(self, offset: int) -> tuple[list[Heard], int]:
        reply = await self._connected().alist_memories(self.bank, limit=PAGE, offset=offset, state="valid")
        found = [
            self._made(it.id, it.text or "", it.document_id, it.fact_type, it.occurred_start) for it in reply.items
        ]
        return found, int(reply.total)

    def _made(self, memory_id: str, text: str, document: str | None, kind: str | None, when: str | None) -> Heard:
        clean = mask(fold(text))[0][:MOST_CHARS].rstrip()
        source = f"hindsight:{self.bank}/{document or memory_id}"
        return Heard(memory_id, clean, source, kind or "", (when or "")[:10])

    def _connected(self) -> Hindsight:
        """Make the client on the loop that it will live on."""
        if self._client is None:
            from hindsight_client import Hindsight

            key = self._key.get_secret_value() or None
            self._client = Hindsight(self._url, api_key=key, timeout=READ_WITHIN_S, max_attempts=2)
        return self._client

    def _wait(self, future: Future[T], seconds: float) -> T:
        with self._translated():
            try:
                return future.result(seconds)
            except TimeoutError:
                future.cancel()
                raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        import aiohttp
        from hindsight_client_api.exceptions import ApiException, OpenApiException

        try:
            yield
        except (TimeoutError, CancelledError) as error:
            raise BankUnavailable(f"The Hindsight bank {self.bank} did not answer in time.") from error
        except ApiException as error:
            why = {
                401: "refused the key; correct PRECEDENT_HINDSIGHT_API_KEY",
                403: "refused the key; correct PRECEDENT_HINDSIGHT_API_KEY",
                404: "is not there; correct PRECEDENT_HINDSIGHT_BANK or _URL",
            }.get(error.status or 0, f"failed with status {error.status}")
            raise BankUnavailable(f"The Hindsight bank {self.bank} {why}.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise BankUnavailable(
                f"The Hindsight bank {self.bank} cannot be reached; start it or correct PRECEDENT_HINDSIGHT_URL."
            ) from error
        except (OpenApiException, ValueError, TypeError) as error:
            raise BankUnavailable(f"What answers in place of the Hindsight bank {self.bank} is no bank.") from error


def digest_of(memory: Heard) -> str:
    """Give the sha256 by which a memory of a bank is known again: its text."""
    return hashlib.sha256(f"hindsight\n{memory.text}".encode()).hexdigest()
