"""``python -m memory reindex``: the vectors and the search index made anew."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import Protocol

from memory.catch_up import catch_up
from memory.embed import Embedder
from memory.facts import Json
from memory.index import VectorIndex
from memory.ledger import Ledger
from memory.reembed import reembed

EXAMPLE = "example: python -m memory reindex"


class Services(Protocol):
    """The parts an index is made of."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def index(self) -> VectorIndex: ...
    @property
    def embedder(self) -> Embedder: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``reindex``."""
    parser.epilog = EXAMPLE
    parser.add_argument("--author", default="command line")


def run(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    """Embed the records anew where the embedder has changed, and rebuild the index. Raises StoreError.

    A run that is stopped goes on where it was.
    """
    before = services.ledger.embedder()
    changed = before is not None and before != services.embedder.id
    reembed(services.ledger, services.embedder, author=options.author, now=datetime.now(UTC), on_progress=_progress)
    services.index.reset()
    catch_up(services.ledger, services.index)
    name, records = services.embedder.id.name, services.ledger.size()
    anew = ", made anew" if changed else ""
    text = f"The index was rebuilt from {records} records; their vectors are of {name}{anew}."
    return {"records": records, "embedder": name, "embedded_anew": changed}, text


def _progress(done: int, total: int) -> None:
    print(f"{done:,} of {total:,} records", file=sys.stderr, flush=True)
