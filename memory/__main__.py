"""Use the memory without a browser: ``python -m memory list|add|recall|import|export|verify|... [--json]``."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory import export_command, index_command, upkeep_command
from memory.asking import standard_input
from memory.concerns import Concerns
from memory.errors import RecordInvalid, StoreError
from memory.facts import Json, from_json
from memory.importers import command
from memory.records import Door, Kind, Outcome, Record, Status
from memory.report import RecallQuery, RecallReport
from memory.standard_output import as_json, take_any_text, to_a_reader
from memory.view import record_json

if TYPE_CHECKING:
    from wiring import Services

DONE, FAILED, BAD_USAGE = 0, 1, 2
FACTS = (Kind.INVESTMENT.value, Kind.BUG.value)


class BadUsage(Exception):
    """What was asked cannot be meant; the message says what is wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 when done, 1 when it failed and 2 for bad usage."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    take_any_text()
    from audit.errors import AuditError
    from settings import SettingsInvalid, read_settings
    from wiring import build_services, ledger_url

    try:
        settings = read_settings()
        if options.upkeep:
            result, text = options.upkeep(ledger_url(settings), options)
        else:
            services = build_services(settings)
            try:
                result, text = options.run(services, options)
            finally:
                services.close()
    except (BadUsage, SettingsInvalid) as error:
        print(error, file=sys.stderr)
        return BAD_USAGE
    except (StoreError, AuditError) as error:
        print(error, file=sys.stderr)
        return FAILED
    print(as_json(result) if options.json else text)
    return FAILED if isinstance(result, dict) and result.get("failed") else DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m memory", description="Look into your records and add to them.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    show = commands.add_parser(
        "list", help="list records", epilog="example: python -m memory list --kind bug --search 'sql injection'"
    )
    show.add_argument("--kind", choices=[kind.value for kind in Kind])
    show.add_argument("--status", choices=[status.value for status in Status], default=Status.ACTIVE.value)
    show.add_argument("--outcome", choices=[outcome.value for outcome in Outcome])
    show.add_argument("--year", type=int)
    show.add_argument("--search", default="", metavar="WORDS", help="words that must all occur")
    show.add_argument("--limit", type=int, default=100)
    show.add_argument("--offset", type=int, default=0)
    show.set_defaults(run=_list)
    add = commands.add_parser(
        "add",
        help="add records from JSON",
        epilog="""example: echo '{"company": "Acme", "year": 2022, "outcome": "written_off", "invested": "$10k"}' """
        "| python -m memory add investment -",
    )
    add.add_argument("kind", choices=FACTS)
    add.add_argument("file", metavar="FILE", help='JSON: one record, a list, or one a line; "-" is standard input')
    add.add_argument("--author", default="command line")
    add.set_defaults(run=_add)
    recall = commands.add_parser(
        "recall",
        help="say which records a deck or a piece of code brings back, and why",
        epilog="example: python -m memory recall investment deck.txt --json",
    )
    recall.add_argument("kind", choices=FACTS)
    recall.add_argument("file", metavar="FILE", help='a deck or code; "-" is standard input')
    recall.set_defaults(run=_recall)
    bring = commands.add_parser("import", help="import records from a spreadsheet or a tracker's export")
    command.add_arguments(bring)
    bring.set_defaults(run=command.run)
    send = commands.add_parser("export", help="write your records to a CSV or JSON Lines file")
    export_command.add_arguments(send)
    send.set_defaults(run=export_command.run)
    anew = commands.add_parser("reindex", help="make the search index anew, and the vectors of another embedder")
    index_command.add_arguments(anew)
    anew.set_defaults(run=index_command.run)
    parser.set_defaults(upkeep=None)
    for each in (show, add, recall, bring, send, anew, *upkeep_command.add_commands(commands)):
        each.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _list(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    page = services.ledger.find(
        services.workspace,
        kinds=[Kind(options.kind)] if options.kind else None,
        statuses=[Status(options.status)],
        search=options.search,
        outcome=Outcome(options.outcome) if options.outcome else None,
        year=options.year,
        limit=max(0, options.limit),
        offset=max(0, options.offset),
    )
    lines = [_line(record) for record in page.records]
    lines.append(f"{len(page.records)} of {page.total} records")
    return {"total": page.total, "records": [record_json(record) for record in page.records]}, "\n".join(lines)


def _add(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    kind = Kind(options.kind)
    name = "standard input" if options.file == "-" else Path(options.file).name
    now = datetime.now(UTC)
    records = [
        services.intake.check(
            services.workspace, kind, from_json(kind, row), door=Door.IMPORT, source=f"{name}:{number}",
            author=options.author, now=now,
        )
        for number, row in enumerate(_rows(_read(options.file)), start=1)
    ]  # fmt: skip
    services.intake.store(records)
    kept = services.ledger.get(services.workspace, [it.id for it in records])
    added = [kept[it.id] for it in records]
    return {"added": [record_json(record) for record in added]}, "\n".join(_added(services, it) for it in added)


def _recall(services: Services, options: argparse.Namespace) -> tuple[Json, str]:
    from audit.modes import MODES
    from audit.submission import make_submission

    mode = next(mode for mode in MODES.values() if mode.fact_kind == options.kind)
    submission = make_submission(mode, _read(options.file), "" if options.file == "-" else Path(options.file).name)
    query = RecallQuery(
        services.workspace, (mode.fact_kind,), submission.text, mode.analyse(submission).cues, submission.language,
        mode.needs_cue,
    )  # fmt: skip
    report = services.recaller.recall(query, datetime.now(UTC))
    return _report_json(report), _report_text(report)


def _report_json(report: RecallReport) -> Json:
    return {
        "state": report.state.value,
        "message": report.message,
        "searched": report.searched,
        "gate": {"keep": report.gate.keep, "near": report.gate.near},
        "candidates": [
            {
                "decision": it.decision.value,
                "rule": it.rule,
                "probability": it.probability,
                "similarity": it.similarity,
                "matched_terms": list(it.matched_terms),
                "confirmed_by": it.confirmed_by.key if it.confirmed_by else None,
                "passage": it.passage,
                "record_passage": it.record_passage,
                "record": record_json(it.record),
            }
            for it in report.candidates
        ],
        "steps_ms": dict(report.steps_ms),
        "hearsay": asdict(report.hearsay) if report.hearsay else None,
        "failed": not report.state.looked,
    }


def _report_text(report: RecallReport) -> str:
    lines = [report.message]
    lines += [
        f"{it.decision.value:8}{it.probability:6.2f}  {_line(it.record)}\n{'':16}{it.rule}" for it in report.candidates
    ]
    if report.hearsay:
        lines += [report.hearsay.message, *(f"  {it.source}  {it.text}" for it in report.hearsay.memories)]
    return "\n".join(lines)


def _added(services: Services, record: Record) -> str:
    """Say that a record was added, and of one that waits for a person why."""
    if record.status is Status.ACTIVE:
        return f"added {_line(record)}"
    waiting = Concerns(services.ledger).waiting(services.workspace, record_id=record.id)
    why = "; ".join(it.concern.detail for it in waiting)
    told = f"added, {record.status.value}: {_line(record)}"
    return f"{told}\n  {why}. It is no precedent before you settle it on the Memory page, under To review."


def _line(record: Record) -> str:
    parts = [str(record.year or ""), record.outcome.label if record.outcome else "", str(record.loss or "")]
    return "  ".join([record.id, record.kind.value, record.title, *filter(None, parts)])


def _read(file: str) -> bytes:
    if file == "-":
        return standard_input()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise BadUsage(f"{file} cannot be read: {error.strerror}.") from error


def _rows(content: bytes) -> list[Json]:
    """Read one JSON object, a list of them, or one a line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordInvalid("The input is not UTF-8 text.") from error
    try:
        try:
            data = json.loads(text)
        except ValueError:
            data = [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError as error:
        raise RecordInvalid(f"The input is not JSON: {error}") from error
    except ValueError as error:
        raise RecordInvalid("The input holds a number with more digits than can be read.") from error
    except RecursionError as error:
        raise RecordInvalid("The input is nested too deeply.") from error
    rows = data if isinstance(data, list) else [data]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise RecordInvalid("Each record must be a JSON object with the fields of its kind.")
    return rows


if __name__ == "__main__":
    sys.exit(to_a_reader(main))
