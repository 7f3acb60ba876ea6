"""The commands that look after the data folder itself: verify, backup, restore."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from memory.backup import back_up, restore
from memory.facts import Json
from memory.ledger import Ledger
from memory.verify import verify


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> list[argparse.ArgumentParser]:
    """Add the commands; each sets ``upkeep``, a function of the database's path and the options."""
    check = commands.add_parser("verify", help="check that nothing was altered behind the memory's back")
    check.set_defaults(upkeep=_verify)
    keep = commands.add_parser("backup", help="copy the memory into one checked file; it may be in use meanwhile")
    keep.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="where to put it (default: backups in the data folder)"
    )
    keep.set_defaults(upkeep=_backup)
    again = commands.add_parser("restore", help="make the memory what a backup holds; what is there is backed up first")
    again.add_argument("file", metavar="FILE", help="a file that backup made")
    again.set_defaults(upkeep=_restore)
    return [check, keep, again]


def _verify(database: Path, options: argparse.Namespace) -> tuple[Json, str]:
    ledger = Ledger.open(f"sqlite:///{database}")
    try:
        found = verify(ledger)
    finally:
        ledger.close()
    data: Json = {
        "clean": found.clean, "changes": found.changes, "records": found.records, "problem": found.problem,
        "break_at": found.break_at, "failed": not found.clean,
    }  # fmt: skip
    text = f"Clean: {found.changes} changes, {found.records} records." if found.clean else f"Not clean. {found.problem}"
    return data, text


def _backup(database: Path, options: argparse.Namespace) -> tuple[Json, str]:
    ledger = Ledger.open(f"sqlite:///{database}")
    try:
        folder = Path(options.folder) if options.folder else database.parent / "backups"
        made = back_up(ledger, folder, datetime.now(UTC))
    finally:
        ledger.close()
    data = {"file": str(made.path), "sha256": made.sha256, "changes": made.changes, "records": made.records}
    return data, f"{made.path}: {made.records} records, {made.changes} changes, sha256 {made.sha256}"


def _restore(database: Path, options: argparse.Namespace) -> tuple[Json, str]:
    done = restore(database, Path(options.file), datetime.now(UTC))
    former = str(done.former) if done.former else None
    data = {"changes": done.changes, "records": done.records, "former": former}
    return data, f"Restored {done.records} records. What was there before: {former or 'nothing'}"
