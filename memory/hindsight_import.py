"""Import the memories of a Hindsight bank: as observations that wait for a person, once each, and undone as one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.errors import IntakeRefused, RecordInvalid
from memory.hindsight_bank import TOLD, HindsightBank, digest_of
from memory.importers.register import Imports
from memory.intake import Intake
from memory.records import Door, Kind, Note, Record
from memory.report import Heard

LABEL = "Memory of a Hindsight bank, unverified"


@dataclass(frozen=True, slots=True)
class BankImport:
    """What an import did; ``fresh`` memories were not there yet; ``refused`` were not stored, with the reason.

    ``derived`` counts the observations that the bank's own model made of its facts: they are left out, since they would
    say the facts a second time.
    """

    import_id: str
    fresh: int
    already: int
    derived: int
    refused: tuple[tuple[str, str], ...]


def import_bank(
    bank: HindsightBank,
    imports: Imports,
    intake: Intake,
    *,
    author: str,
    now: datetime,
    dry_run: bool = False,
) -> BankImport:
    """Store every memory that the bank was told and that no import has brought yet, all or none. Raises StoreError."""
    remembered = list(bank.memories())
    memories = {digest_of(it): it for it in remembered if it.kind in TOLD}
    derived = len(remembered) - len(memories)
    known = imports.known(list(memories))
    made: list[tuple[str, int, Record]] = []
    refused: list[tuple[str, str]] = []
    for line, (digest, memory) in enumerate(memories.items(), start=1):
        if digest in known:
            continue
        try:
            record = intake.check(
                imports.workspace, Kind.OBSERVATION, _note(memory), door=Door.AGENT, source=memory.source,
                author=f"Hindsight bank {bank.bank}", now=now,
            )  # fmt: skip
        except (IntakeRefused, RecordInvalid) as error:
            refused.append((memory.source, str(error)))
        else:
            made.append((digest, line, record))
    if dry_run:
        return BankImport("", len(made), len(known), derived, tuple(refused))
    import_id = imports.store(Kind.OBSERVATION, f"hindsight:{bank.bank}", made, author=author, now=now)
    return BankImport(import_id, len(made), len(known), derived, tuple(refused))


def _note(memory: Heard) -> Note:
    first = memory.text.split("\n")[0]
    title = first if len(first) <= 80 else f"{first[:79].rstrip()}…"
    year = int(memory.when[:4]) if memory.when[:4].isdecimal() else None
    return Note(title, LABEL, memory.text, year)
