"""``python -m memory export``: the memory as a file, for scripts."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from memory.errors import RecordInvalid, StoreError
from memory.export import FORMATS, export
from memory.facts import Json
from memory.ledger_reader import LedgerReader
from memory.records import Kind, Record, Status

EXAMPLE = """examples:
  python -m memory export memory.jsonl
  python -m memory export deals.csv --kind investment"""
_ALL = 2**31 - 1


class Services(Protocol):
    """The parts an export needs."""

    @property
    def workspace(self) -> str: ...
    @property
    def ledger(self) -> LedgerReader: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``export``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("file", metavar="FILE", help="where to write; its ending says how: .jsonl or .csv")
    parser.add_argument("--kind", choices=[kind.value for kind in Kind], help="records of this kind alone")


def run(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    """Write the file, whole or not at all; say what was written. Raises StoreError."""
    path = Path(options.file)
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise RecordInvalid(f"{options.file} must end with .{' or .'.join(FORMATS)}, which says how it is written.")
    records = to_export(services.ledger, services.workspace, [Kind(options.kind)] if options.kind else None)
    _write(path, export(records, form))
    return {"file": str(path), "records": len(records)}, f"{path}: {len(records)} records"


def to_export(ledger: LedgerReader, workspace: str, kinds: Sequence[Kind] | None = None) -> tuple[Record, ...]:
    """Give the active records of a workspace, as one state, oldest first. Raises LedgerUnavailable."""
    return ledger.find(
        workspace, kinds=kinds, statuses=[Status.ACTIVE], sort="created", descending=False, limit=_ALL
    ).records


def _write(path: Path, content: bytes) -> None:
    """Put ``content`` in place of the file in one step, readable by its owner alone."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                file.write(content)
                file.flush()
                Path(file.name).replace(path)
            except OSError:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from error
