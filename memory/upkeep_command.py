"""The commands that look after the ledger itself: verify, backup, restore, migrate."""

from __future__ import annotations

import argparse
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from memory.asking import make_sure
from memory.backup import back_up, restore, sqlite_file
from memory.facts import Json
from memory.ledger import Ledger
from memory.transfer import transfer
from memory.verify import verify


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> list[argparse.ArgumentParser]:
    """Add the commands; each sets ``upkeep``, a function of the ledger's address and the options."""
    check = commands.add_parser(
        "verify",
        help="check that nothing was altered behind the memory's back",
        epilog="example: python -m memory verify --json",
    )
    check.set_defaults(upkeep=_verify)
    keep = commands.add_parser(
        "backup",
        help="copy the memory into one checked file; it may be in use meanwhile",
        epilog="example: python -m memory backup /mnt/disk/precedent",
    )
    keep.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="where to put it (default: backups in the data folder)"
    )
    keep.set_defaults(upkeep=_backup)
    again = commands.add_parser(
        "restore",
        help="make the memory what a backup holds; what is there is backed up first",
        epilog="example: python -m memory restore data/backups/precedent-20261130T100000.db",
    )
    again.add_argument("file", metavar="FILE", help="a file that backup made")
    again.add_argument("--yes", action="store_true", help="do not ask before a memory that is in use is replaced")
    again.set_defaults(upkeep=_restore)
    move = commands.add_parser(
        "migrate",
        help="copy the memory into an empty ledger elsewhere, SQLite or Postgres; what is here stays",
        epilog="example: python -m memory migrate --to postgresql://precedent@127.0.0.1/precedent "
        "(a password is better kept in PGPASSWORD or ~/.pgpass than in a command)",
    )
    move.add_argument("--to", required=True, metavar="URL", help="sqlite:///path or postgresql://user@host/database")
    move.set_defaults(upkeep=_migrate)
    return [check, keep, again, move]


def _verify(url: str, options: argparse.Namespace) -> tuple[Json, str]:
    with closing(Ledger.open(url)) as ledger:
        found = verify(ledger)
    data: Json = {
        "clean": found.clean, "changes": found.changes, "records": found.records, "problem": found.problem,
        "break_at": found.break_at, "failed": not found.clean,
    }  # fmt: skip
    text = f"Clean: {found.changes} changes, {found.records} records." if found.clean else f"Not clean. {found.problem}"
    return data, text


def _backup(url: str, options: argparse.Namespace) -> tuple[Json, str]:
    database = sqlite_file(url)
    with closing(Ledger.open(url)) as ledger:
        folder = Path(options.folder) if options.folder else database.parent / "backups"
        made = back_up(ledger, folder, datetime.now(UTC))
    data = {"file": str(made.path), "sha256": made.sha256, "changes": made.changes, "records": made.records}
    return data, f"{made.path}: {made.records} records, {made.changes} changes, sha256 {made.sha256}"


def _restore(url: str, options: argparse.Namespace) -> tuple[Json, str]:
    database = sqlite_file(url)
    if database.exists() and not options.yes:
        make_sure(
            f"{database} holds a memory. Replace it by the backup? What is here is backed up first.",
            unasked=f"{database} holds a memory; say --yes to replace it. What is here is backed up first.",
            declined="Nothing was restored.",
        )
    done = restore(database, Path(options.file), datetime.now(UTC))
    former = str(done.former) if done.former else None
    data = {"changes": done.changes, "records": done.records, "former": former}
    return data, f"Restored {done.records} records. What was there before: {former or 'nothing'}"


def _migrate(url: str, options: argparse.Namespace) -> tuple[Json, str]:
    with closing(Ledger.open(url)) as source, closing(Ledger.open(options.to)) as target:
        done = transfer(source, target)
        place = target.engine.url.render_as_string(hide_password=True)
    data: Json = {
        "to": place, "rows": dict(done.rows), "changes": done.changes, "head": done.head, "later": done.later,
        "failed": done.later > 0,
    }  # fmt: skip
    text = (
        f"Copied {done.rows['records']} records, {done.changes} changes and {done.rows['audits']} audits to {place}.\n"
        f"Both chains end in {done.head}.\nSet PRECEDENT_LEDGER_URL to use the copy; what was here stays as it is."
    )
    if done.later:
        text += f"\nMeanwhile, {done.later} changes were made here: stop Precedent and copy again, to an empty ledger."
    return data, text
