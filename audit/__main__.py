"""Audit a file without a browser: ``python -m audit investment deck.txt --json``."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from audit.errors import AuditError
from audit.export import as_dict, as_markdown
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from memory.errors import StoreError

DONE, FAILED, BAD_USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 when done, 1 when it failed and 2 for bad usage."""
    parser = argparse.ArgumentParser(
        prog="python -m audit",
        description="Audit a deck or a piece of code against your own records.",
        epilog="example: python -m audit bug login.py --json",
    )
    parser.add_argument("mode", choices=sorted(MODES), help="what FILE holds: a deck or code")
    parser.add_argument("file", metavar="FILE", help='the file to audit, or "-" for standard input')
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--no-save", action="store_true", help="keep nothing of it")
    options = parser.parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    mode = MODES[options.mode]
    try:
        content, name = _read(options.file)
    except OSError as error:
        print(f"{options.file} cannot be read: {error.strerror}.", file=sys.stderr)
        return BAD_USAGE
    from settings import Settings
    from wiring import build_services

    try:
        submission = make_submission(mode, content, name)
        services = build_services(Settings())
        try:
            done = run_audit(services, mode, submission, now=datetime.now(UTC), save=not options.no_save)
        finally:
            services.close()
    except (AuditError, StoreError) as error:
        print(error, file=sys.stderr)
        return FAILED
    if options.json:
        print(json.dumps(as_dict(done.audit, done.saved_as), ensure_ascii=False, indent=2))
    else:
        print(as_markdown(done.audit))
    return DONE


def _read(file: str) -> tuple[bytes, str]:
    if file == "-":
        return sys.stdin.buffer.read(), ""
    return Path(file).read_bytes(), Path(file).name


if __name__ == "__main__":
    sys.exit(main())
