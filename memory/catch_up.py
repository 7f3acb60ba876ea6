"""Bring a vector index to the ledger's last change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry, Hit, VectorIndex
from memory.ledger_reader import Change, LedgerReader
from memory.records import Kind

BATCH = 1_000


def catch_up(ledger: LedgerReader, index: VectorIndex, place: tuple[int, str] | None = None) -> int:
    """Apply to ``index`` all changes it has not seen, and give the change number it has come to.

    ``place`` is the ledger's, where it has been read already. An index that is ahead of the ledger, or whose entries do
    not agree with it, is thrown away and rebuilt. Raises IndexUnavailable where it fails even then, LedgerUnavailable.
    """
    position = index.position()
    if (position, index.timeline()) == (place or ledger.place()) and index.trusted():
        return position
    with index.catching_up():
        try:
            return _follow(ledger, index)
        except IndexUnavailable:
            index.reset()
            return _follow(ledger, index)


def search(
    ledger: LedgerReader, index: VectorIndex, workspace: str, kind: Kind, vectors: Vectors, limit: int
) -> list[list[Hit]]:
    """Query ``index``; one that was thrown away because it failed is rebuilt and asked once more.

    Raises IndexUnavailable where it fails even then, LedgerUnavailable.
    """
    try:
        return index.query(workspace, kind, vectors, limit)
    except IndexUnavailable:
        if index.position():
            raise
        catch_up(ledger, index)
        return index.query(workspace, kind, vectors, limit)


def _follow(ledger: LedgerReader, index: VectorIndex) -> int:
    head, timeline = ledger.place()
    index.belong_to(timeline)
    if index.position() > head:
        index.reset()
    while index.position() < head and (changes := ledger.changes(index.position(), BATCH)):
        _apply(ledger, index, changes)
        index.advance(changes[-1].number)
    if not index.trusted():
        _compare(ledger, index)
    return index.position()


def _apply(ledger: LedgerReader, index: VectorIndex, changes: Sequence[Change]) -> None:
    """Make the index hold what the ledger holds now for every record that changed; so the order does not matter."""
    held: dict[str, list[Entry]] = defaultdict(list)
    for entry in ledger.entries([change.record_id for change in changes], active_only=True):
        held[entry.record_id].append(entry)
    add: dict[tuple[str, Kind], list[Entry]] = defaultdict(list)
    remove: dict[tuple[str, Kind], list[str]] = defaultdict(list)
    first = {change.record_id for change in changes if change.action == "add"}
    for change in {it.record_id: it for it in changes}.values():
        scope = (change.workspace, change.kind)
        if change.record_id not in first:
            remove[scope].append(change.record_id)
        add[scope] += held[change.record_id]
    for workspace, kind in {**add, **remove}:
        index.apply(workspace, kind, add[workspace, kind], remove[workspace, kind])


def _compare(ledger: LedgerReader, index: VectorIndex) -> None:
    """Compare the number of entries with the ledger's. Raises IndexUnavailable where they differ at the same change."""
    expected, head = ledger.entry_counts(), ledger.head()
    if head != index.position():
        return
    if dict(index.counts()) != expected:
        raise IndexUnavailable("The vector index does not agree with the ledger.")
    index.trust()
