"""What the command line says of a folder: one line for each finished file, and at the end what became of all."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from audit.bulk import OpenServices, State, audit_all, files_in
from memory.standard_output import as_json as line_of_json


def audit_folder(
    folder: Path, mode: str, open_services: Callable[[], OpenServices], *, jobs: int, save: bool, as_json: bool
) -> tuple[bool, int]:
    """Audit the files of ``folder``, telling of each as it is finished; say if all went well, and the repeats found."""
    files = files_in(folder)
    counts: Counter[State] = Counter()
    repeats = 0
    stopped = False
    with closing(audit_all(folder, files, mode, open_services, jobs=jobs, save=save)) as finished:
        try:
            for done in finished:
                counts[done.state] += 1
                repeats += done.repeats
                line = f"{done.file}: {done.state.value}: {done.headline}"
                print(line_of_json(done.as_dict(), None) if as_json else line, flush=True)
        except KeyboardInterrupt:
            stopped = True
    told = [f"{counts[State.AUDITED]} audited"]
    told += [f"{counts[State.SKIPPED]} skipped, audited before"] if counts[State.SKIPPED] else []
    told += [f"{counts[State.FAILED]} failed"] if counts[State.FAILED] else []
    left = len(files) - counts.total()
    told += [f"stopped with {left} to go; run the same command again to go on"] if stopped else []
    print(f"{len(files)} {'file' if len(files) == 1 else 'files'} in {folder}: {'; '.join(told)}.", file=sys.stderr)
    return not stopped and not counts[State.FAILED], repeats
