"""Audit without a browser: ``python -m audit investment deck.pdf``, ``python -m audit bug my.diff --diff``.

A folder is audited file by file: ``python -m audit investment decks --jobs 2 --json``.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from audit.bulk import MOST_JOBS
from audit.bulk_command import audit_folder
from audit.decided import decided_behind
from audit.diff import NOTHING_ADDED, Diff
from audit.errors import AuditError, SubmissionRefused
from audit.judge import Handed, judge, read
from audit.modes import MODES, Mode
from audit.reports import precedents_in, report, write_sarif
from audit.speech.language import choose
from audit.types import Submission
from memory.asking import standard_input
from memory.errors import StoreError
from memory.file_names import name_in_words
from memory.standard_output import as_json, take_any_text, to_a_reader

if TYPE_CHECKING:
    from settings import Settings

DONE, FAILED, BAD_USAGE, REPEATED = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 when done, 1 when it failed, 2 for bad usage and 3 where a past bug recurs."""
    parser = argparse.ArgumentParser(
        prog="python -m audit",
        description="Audit a deck or a piece of code against your own records.",
        epilog="examples: python -m audit investment deck.pptx --json; git diff | python -m audit bug - --diff --sarif "
        "out.sarif --fail-on-repeat",
    )
    parser.add_argument("mode", choices=sorted(MODES), help="what FILE holds: a deck or code")
    parser.add_argument("file", metavar="FILE", help='the file or folder to audit, or "-" for standard input')
    parser.add_argument(
        "--json", action="store_true", help="print JSON instead of Markdown; of a folder, a line a file"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="audit N files of a folder at a time (default 1)")
    parser.add_argument("--no-save", action="store_true", help="keep nothing of it")
    parser.add_argument("--diff", action="store_true", help="refuse FILE where it is no git diff (bug only)")
    parser.add_argument("--sarif", metavar="OUT", type=Path, help="also write findings as SARIF 2.1.0 (bug only)")
    parser.add_argument(
        "--fail-on-repeat", action="store_true", help="exit with 3 where a past bug is confirmed (bug only)"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    take_any_text()
    mode = MODES[options.mode]
    if not mode.takes_diffs and (options.diff or options.sarif or options.fail_on_repeat):
        parser.error("--diff, --sarif and --fail-on-repeat are for code: python -m audit bug FILE")
    is_folder = options.file != "-" and Path(options.file).is_dir()
    if is_folder and (options.diff or options.sarif):
        parser.error("--diff and --sarif are for a single file")
    if options.jobs is not None and not is_folder:
        parser.error("--jobs is for a folder")
    if options.jobs is not None and not 1 <= options.jobs <= MOST_JOBS:
        parser.error(f"--jobs must be from 1 to {MOST_JOBS}")
    try:
        content, name = (b"", "") if is_folder else _read(options.file)
    except OSError as error:
        print(f"{options.file} cannot be read: {error.strerror}.", file=sys.stderr)
        return BAD_USAGE
    from settings import SettingsInvalid, read_settings
    from wiring import build_services

    try:
        settings = read_settings()
    except SettingsInvalid as error:
        print(error, file=sys.stderr)
        return BAD_USAGE
    now, save = datetime.now(UTC), not options.no_save
    if is_folder:
        return _folder(options, settings)
    try:
        handed = _read_handed(mode, content, name, options.diff, settings)
        services = build_services(settings)
        try:
            judged = judge(services, mode, handed, now=now, save=save)
            decided = decided_behind(services.decisions, precedents_in(judged))
            told = report(judged, name, choose(settings.language), decided)
        finally:
            services.close()
        if options.sarif:
            write_sarif(options.sarif, told)
    except (AuditError, StoreError) as error:
        print(error, file=sys.stderr)
        return FAILED
    print(as_json(told.data) if options.json else told.text)
    return REPEATED if options.fail_on_repeat and told.repeats else DONE


def _folder(options: argparse.Namespace, settings: Settings) -> int:
    """Audit a folder; the data folder is opened here first, so that it is migrated and seeded once."""
    from wiring import build_services

    jobs = options.jobs or 1
    try:
        build_services(settings).close()
    except StoreError as error:
        print(error, file=sys.stderr)
        return FAILED
    went_well, repeats = audit_folder(
        Path(options.file),
        options.mode,
        partial(build_services, settings, threads=2 if jobs == 1 else 1),
        jobs=jobs,
        save=not options.no_save,
        as_json=options.json,
    )
    if options.fail_on_repeat and repeats:
        return REPEATED
    return DONE if went_well else FAILED


def _read_handed(mode: Mode, content: bytes, name: str, must_be_diff: bool, settings: Settings) -> Handed:
    if must_be_diff and not content.strip():
        return Diff("", (), (NOTHING_ADDED,))
    handed = read(
        mode, content, name, max_bytes=settings.document_max_mb * 2**20, max_pages=settings.document_max_pages
    )
    if must_be_diff and isinstance(handed, Submission):
        raise SubmissionRefused("This is no diff. Give what `git diff` prints, from `diff --git` on.")
    return handed


def _read(file: str) -> tuple[bytes, str]:
    if file == "-":
        return standard_input(), ""
    return Path(file).read_bytes(), name_in_words(Path(file).name)


if __name__ == "__main__":
    sys.exit(to_a_reader(main))
