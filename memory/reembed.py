"""Embed a memory again with another embedder; a run that is stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

from memory.embed import Embedder, EmbedderId
from memory.ledger import Ledger
from memory.passages import entries_of_many

BATCH = 64
MARKER = "reembedding"
_UNDER_WAY = EmbedderId("several embedders, being made one", 0, "")


def reembed(
    ledger: Ledger,
    embedder: Embedder,
    *,
    author: str,
    now: datetime,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> bool:
    """Replace all vectors by those of ``embedder``; say True when done, False when ``cancelled`` said to stop.

    ``on_progress`` is told how many records are done, and of how many. Until the last one is, the ledger names no
    embedder of its vectors that any real one equals, so recall keeps saying that the embedder has changed. Raises
    LedgerUnavailable, EmbedderUnavailable.
    """
    if ledger.embedder() == embedder.id:
        return True
    target = asdict(embedder.id)
    state = ledger.setting(MARKER)
    done_to, done = (state["key"], state["done"]) if state and state["embedder"] == target else (0, 0)
    total = ledger.size()
    while records := ledger.scan(done_to, BATCH):
        if cancelled():
            return False
        entries = entries_of_many([record for _, record in records], embedder)
        with ledger.transaction() as tx:
            if done == 0:
                ledger.set_embedder(_UNDER_WAY, tx=tx)
            for (_, record), made in zip(records, entries, strict=True):
                ledger.replace_entries(
                    record.workspace,
                    {record.id: made},
                    author=author,
                    reason=f"embedded by {embedder.id.name}",
                    at=now,
                    tx=tx,
                )
            done_to, done = records[-1][0], done + len(records)
            ledger.set_setting(MARKER, {"embedder": target, "key": done_to, "done": done}, tx=tx)
        on_progress(done, total)
    with ledger.transaction() as tx:
        ledger.set_embedder(embedder.id, tx=tx)
        ledger.set_setting(MARKER, None, tx=tx)
    return True
