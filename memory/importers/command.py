"""``python -m memory import``: the importers on the command line, for scripts."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from memory.asking import make_sure
from memory.errors import ImportRefused, RecordInvalid
from memory.facts import Json
from memory.hindsight_bank import HindsightBank
from memory.hindsight_import import import_bank
from memory.importers.mapping import ColumnMapping, guess_mapping
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.plan_report import plan_json, plan_text
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.register import BATCH, Imports
from memory.importers.remembered import answered, corrected, recall_mapping, remember_mapping
from memory.importers.tables import Table, counted
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Kind

_LONG = 1_000
_NAMED = 5
EXAMPLE = """examples:
  python -m memory import portfolio.xlsx --kind investment --dry-run
  python -m memory import portfolio.csv --map invested="Cheque" --answer currency=USD --answer date_order=day_first
  python -m memory import --undo 4f0c..."""


class Services(Protocol):
    """The parts an import needs."""

    @property
    def workspace(self) -> str: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def intake(self) -> Intake: ...
    @property
    def bank(self) -> HindsightBank | None: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``import``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("file", nargs="?", metavar="FILE", help="CSV, XLSX, JSON or JSON Lines")
    parser.add_argument("--kind", choices=[Kind.INVESTMENT.value, Kind.BUG.value], help="what the rows are")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and store nothing")
    parser.add_argument("--sheet", default="", help="the sheet of a workbook")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="correct the mapping")
    parser.add_argument("--answer", action="append", default=[], metavar="QUESTION=VALUE", help="answer a question")
    parser.add_argument("--include", default="", metavar="LINES", help="also store rows set aside: 7,12 or all")
    parser.add_argument("--only", default="", metavar="LINES", help="store these accepted rows alone: 2,3,4")
    parser.add_argument("--author", default="command line")
    parser.add_argument("--undo", metavar="IMPORT", help="remove exactly the records of one import")
    parser.add_argument("--yes", action="store_true", help="do not ask before an undo that takes corrections away")
    parser.add_argument("--list", action="store_true", help="list past imports")
    parser.add_argument("--hindsight", action="store_true", help="import from the Hindsight bank that is set")


def run(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    """Plan, apply, list or undo; give the result as JSON data and as text. Raises StoreError."""
    imports = Imports(services.ledger, services.intake, services.workspace)
    now = datetime.now(UTC)
    if options.list:
        return _listed(imports)
    if options.undo:
        return _undo(imports, options, now)
    if options.hindsight:
        return _bank(services, imports, options, now)
    if not options.file:
        raise ImportRefused("Name a file to import, or --undo, or --list, or --hindsight.")
    table, mapping = _read(services, options)
    plan = plan_import(table, mapping)
    result: Json = plan_json(plan)
    lines = [plan_text(plan)]
    if changed := imports.changed(plan):
        result["changed"] = changed
        before = ", ".join(sorted(set(changed.values())))
        lines.append(
            f"  note: {counted(len(changed), 'row')} came from this file before with other facts (import {before}); "
            f"undo that import first, or both will stand."
        )
    if options.dry_run:
        return result | {"stored": 0}, "\n".join([*lines, "Dry run: nothing was stored."])
    rows = _chosen(plan, options.only, options.include)
    if mapping != guess_mapping(table, mapping.kind):
        remember_mapping(services.ledger, services.workspace, table, mapping)
    with _stopping() as stopped:
        done = imports.apply(
            plan, author=options.author, now=now, rows=rows, on_progress=_progress, cancelled=stopped.is_set
        )
    lines.append(f"{counted(len(done.record_ids), 'record')} stored, {done.already} were there already.")
    if done.waiting:
        lines.append(f"{done.waiting} of them: waiting for a person, under To review on the Memory page.")
    if done.import_id:
        lines.append(f"Undo with: python -m memory import --undo {done.import_id}")
    told = {"stored": len(done.record_ids), "already": done.already, "waiting": done.waiting, "import": done.import_id}
    return result | told, "\n".join(lines)


def _undo(imports: Imports, options: argparse.Namespace, now: datetime) -> tuple[Json, str]:
    """Undo one import; where records of it were corrected since, ask first, with ``--json`` say so and do nothing."""
    if options.dry_run:
        raise ImportRefused("--undo cannot be tried; --list shows the imports and how many rows each has.")
    edited = imports.edited(options.undo)
    if edited and not options.yes:
        if options.json:
            return {"failed": True, "removed": [], "protected": [], "edited": edited}, ""
        names = ", ".join(edited[:_NAMED]) + (f" and {len(edited) - _NAMED} more" if len(edited) > _NAMED else "")
        lost = f"{counted(len(edited), 'record')} of this import, corrected since: {names}."
        make_sure(
            f"{lost} Remove them with their corrections?",
            unasked=f"{lost} Nothing was removed; say --yes to remove them with their corrections.",
            declined="Nothing was removed.",
        )
    undone = imports.undo(options.undo, author=options.author, now=now)
    text = f"{counted(len(undone.removed), 'record')} removed, {len(undone.protected)} protected and left."
    if edited:
        text += f" Corrections went with {len(edited)} of them."
    return {"removed": list(undone.removed), "protected": list(undone.protected), "edited": edited}, text


def _bank(services: Services, imports: Imports, options: argparse.Namespace, now: datetime) -> tuple[Json, str]:
    if services.bank is None:
        raise ImportRefused("No bank is set: name it with PRECEDENT_HINDSIGHT_URL and PRECEDENT_HINDSIGHT_BANK.")
    done = import_bank(
        services.bank, imports, services.intake,
        author=options.author, now=now, dry_run=options.dry_run,
    )  # fmt: skip
    stored = 0 if options.dry_run else done.fresh
    lines = [f"  {source}: {reason}" for source, reason in done.refused]
    lines.append(f"New memories: {done.fresh}; {done.already} were there already.")
    if done.derived:
        lines.append(f"Left out, as the bank derived them from its own memories: {done.derived}.")
    if options.dry_run:
        lines.append("Dry run: nothing was stored.")
    elif stored:
        lines.append("They wait for a person on the Memory page, unverified.")
        lines.append(f"Undo with: python -m memory import --undo {done.import_id}")
    refused = [{"source": source, "reason": reason} for source, reason in done.refused]
    result: Json = {
        "stored": stored, "fresh": done.fresh, "already": done.already, "derived": done.derived,
        "import": done.import_id, "refused": refused,
    }  # fmt: skip
    return result, "\n".join(lines)


def _read(services: Services, options: argparse.Namespace) -> tuple[Table, ColumnMapping]:
    path = Path(options.file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ImportRefused(f"{options.file} cannot be read: {error.strerror}.") from error
    table = read_table(content, path.name, options.sheet)
    kind = Kind(options.kind) if options.kind else None
    mapping = recall_mapping(services.ledger, services.workspace, table, kind)
    changes = [_pair(it, "--map") for it in options.map]
    mapping = corrected(table, mapping, {"columns": {field: column or () for field, column in changes}})
    for key, value in (_pair(it, "--answer") for it in options.answer):
        mapping = answered(table, mapping, key, value)
    return table, mapping


def _pair(text: str, option: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise RecordInvalid(f"{option} takes NAME=VALUE, not {text!r}.")
    return key.strip(), value.strip()


def _chosen(plan: ImportPlan, only: str, include: str) -> Sequence[PlannedRow]:
    rows = list(plan.accepted)
    if only:
        wanted = _lines(only)
        rows = [row for row in rows if row.line in wanted]
    if include:
        wanted = {row.line for row in plan.choosable} if include == "all" else _lines(include)
        rows += [row for row in plan.choosable if row.line in wanted]
    return rows


def _lines(text: str) -> set[int]:
    try:
        return {int(part) for part in text.split(",") if part.strip()}
    except ValueError as error:
        raise RecordInvalid(f"{text!r} is not a list of line numbers such as 2,3,4.") from error


def _listed(imports: Imports) -> tuple[Json, str]:
    past = imports.past()
    lines = [
        f"{it.id}  {it.at:%Y-%m-%d %H:%M}  {it.kind.value}  {it.file}  {counted(it.rows, 'row')}"
        f"{'  undone' if it.undone_at else ''}"
        for it in past
    ]
    data = [
        {"id": it.id, "at": it.at.isoformat(), "kind": it.kind.value, "file": it.file, "rows": it.rows,
         "undone_at": it.undone_at.isoformat() if it.undone_at else None}
        for it in past
    ]  # fmt: skip
    return {"imports": data}, "\n".join(lines) or "Nothing was imported yet."


def _progress(done: int, total: int) -> None:
    """Tell a long import's progress on standard error: on one line of a terminal, else a line each tenth."""
    if total < _LONG:
        return
    if sys.stderr.isatty():
        print(f"\r{done:,} of {total:,} rows", end="" if done < total else "\n", file=sys.stderr)
    elif done == total or done * 10 // total > max(0, done - BATCH) * 10 // total:
        print(f"{done:,} of {total:,} rows", file=sys.stderr, flush=True)


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Turn the first Ctrl+C into a stop after the rows at hand; a second one ends the program at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(signum: int, frame: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
