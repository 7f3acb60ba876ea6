"""Audit a file without a browser: ``python -m audit investment deck.pdf``, ``python -m audit bug my.diff --diff``."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from audit.errors import AuditError, SubmissionRefused
from audit.judge import Handed, judge, read
from audit.modes import MODES, Mode
from audit.reports import report, write_sarif
from audit.types import Submission
from memory.errors import StoreError

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
    parser.add_argument("file", metavar="FILE", help='the file to audit, or "-" for standard input')
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--no-save", action="store_true", help="keep nothing of it")
    parser.add_argument("--diff", action="store_true", help="refuse FILE where it is no git diff (bug only)")
    parser.add_argument("--sarif", metavar="OUT", type=Path, help="also write findings as SARIF 2.1.0 (bug only)")
    parser.add_argument(
        "--fail-on-repeat", action="store_true", help="exit with 3 where a past bug is confirmed (bug only)"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    mode = MODES[options.mode]
    if not mode.takes_diffs and (options.diff or options.sarif or options.fail_on_repeat):
        parser.error("--diff, --sarif and --fail-on-repeat are for code: python -m audit bug FILE")
    try:
        content, name = _read(options.file)
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
    try:
        handed = _read_handed(mode, content, name, options.diff, settings)
        services = build_services(settings)
        try:
            told = report(judge(services, mode, handed, now=now, save=save), name)
        finally:
            services.close()
        if options.sarif:
            write_sarif(options.sarif, told)
    except (AuditError, StoreError) as error:
        print(error, file=sys.stderr)
        return FAILED
    print(json.dumps(told.data, ensure_ascii=False, indent=2) if options.json else told.text)
    return REPEATED if options.fail_on_repeat and told.repeats else DONE


def _read_handed(mode: Mode, content: bytes, name: str, must_be_diff: bool, settings: Settings) -> Handed:
    handed = read(
        mode, content, name, max_bytes=settings.document_max_mb * 2**20, max_pages=settings.document_max_pages
    )
    if must_be_diff and isinstance(handed, Submission):
        raise SubmissionRefused("This is no diff. Give what `git diff` prints, from `diff --git` on.")
    return handed


def _read(file: str) -> tuple[bytes, str]:
    if file == "-":
        return sys.stdin.buffer.read(), ""
    return Path(file).read_bytes(), Path(file).name


if __name__ == "__main__":
    sys.exit(main())
