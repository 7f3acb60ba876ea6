"""Small worlds for the guard's tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any

from audit.guard import ground
from audit.modes import INVESTMENT, Mode
from audit.types import DraftAudit, DraftPrecedent, GroundedAudit, Submission
from memory.money import Money
from memory.records import BugFacts, Door, Facts, InvestmentFacts, Kind, Origin, Outcome, Provenance, Record
from memory.report import Candidate, Cue, Decision, RecallReport, RecallState

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DECK = (
    "Zippo is a peer-to-peer payments app.\nWe have 80,000 users and grow 20% a month.\n"
    "There is no revenue yet. A single founder, Asha, does everything.\nRaising ₹2 crore in 2026."
)
CODE = (
    'def login(name):\n    query = "SELECT * FROM users WHERE name = \'" + name + "\'"\n'
    "    cursor.execute(query)\n    return cursor.fetchone()\n"
)


def record(identifier: str, facts: Facts, kind: Kind = Kind.INVESTMENT, **changes: Any) -> Record:
    provenance = Provenance(Door.FORM, Origin.OWN_RECORD, "test", "test", NOW, 0.8)
    return replace(Record(identifier, "local", kind, facts, provenance, 0.8), **changes)


LOOP = record(
    "inv-loop",
    InvestmentFacts(
        company="PaisaLoop",
        sector="payments",
        summary="Peer-to-peer payments app with fast user growth, never monetised",
        year=2022,
        year_end=2023,
        outcome=Outcome.SHUT_DOWN,
        invested=Money(Decimal(50_000), "INR"),
        cause="It never charged anybody while transfer costs grew.",
        lesson="Growth without revenue is a cost.",
    ),
)
FORK = record(
    "inv-fork",
    InvestmentFacts(
        company="Green Fork",
        sector="food",
        summary="Weekly meal kits for offices",
        year=2019,
        outcome=Outcome.WRITTEN_OFF,
        invested=Money(Decimal(20_000), "USD"),
    ),
)
INJECTION = record(
    "bug-sql",
    BugFacts(
        title="SQL injection in the login query",
        language="python",
        cwe="CWE-89",
        year=2021,
        root_cause="The query was built by string concatenation",
        fix="Bind the parameters of the query",
        loss=Money(Decimal(12_000), "USD"),
    ),
    Kind.BUG,
)
LOOP_PROOF = DraftPrecedent(
    "inv-loop", "fast user growth, never monetised", "peer-to-peer payments app", "Both grow without charging anybody."
)
CUE = Cue("CWE-89", "SQL built by concatenation", '"SELECT * FROM users WHERE name = \'" + name')


def submission(text: str = DECK, mode: str = "investment") -> Submission:
    return Submission(mode, text, sha256(text.encode(errors="replace")).hexdigest())


def recalled(
    *kept: Record, near: tuple[Record, ...] = (), state: RecallState = RecallState.FOUND, **cue: Cue
) -> RecallReport:
    candidates = [Candidate(it, 0.8, 0.9, Decision.KEPT, "gate", confirmed_by=cue.get("cue")) for it in kept]
    candidates += [Candidate(it, 0.3, 0.2, Decision.NEAR, "near") for it in near]
    return RecallReport(state, "as told", tuple(candidates), searched=len(candidates))


NOTHING = RecallReport(RecallState.NONE_RELEVANT, "none relevant", searched=2)


def grounded(
    draft: DraftAudit, recall: RecallReport = NOTHING, *, mode: Mode = INVESTMENT, text: str | None = None
) -> GroundedAudit:
    given = submission(DECK if mode is INVESTMENT else CODE, mode.name) if text is None else submission(text, mode.name)
    return ground(draft, given, recall, mode=mode, model="a model", attempts=(), now=NOW)


def shown(audit: GroundedAudit) -> str:
    findings = [f"{it.title} {it.explanation} {it.fix}" for it in (*audit.findings, *audit.unproved_findings)]
    return "\n".join([*(it.text for it in (*audit.summary, *audit.advice, *audit.questions)), *findings])
