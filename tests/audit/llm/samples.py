"""A deck, a record that it recalls, and the analysis and recall between them."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from audit.types import Analysis, DraftFinding, Rating, Submission
from memory.money import Money
from memory.records import (
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Origin,
    Outcome,
    Provenance,
    Record,
)
from memory.report import Candidate, Cue, Decision, RecallReport, RecallState

AT = datetime(2026, 11, 1, tzinfo=UTC)

DECK = """We are a peer-to-peer payments app for students.
200,000 users joined in six months and we grow 40% a month.
We do not charge anybody yet; revenue comes later.
One founder does everything."""

PAYLOOP = InvestmentFacts(
    company="PayLoop",
    sector="payments",
    summary="A peer-to-peer payments app that grew fast among students",
    year=2022,
    year_end=2023,
    outcome=Outcome.SHUT_DOWN,
    invested=Money(Decimal(50_000), "INR"),
    cause="It never charged anybody and ran out of money",
    lesson="Ask who pays before asking how many use it",
)
LOGIN = BugFacts(
    title="Login bypass by SQL injection",
    language="python",
    cwe="CWE-89",
    severity="critical",
    year=2023,
    symptom="Anybody could log in as administrator",
    root_cause="The query was built by joining strings with the user name",
    faulty_code='query = "SELECT * FROM users WHERE name = \'" + name + "\'"',
    fix="Bind parameters instead of joining strings",
    loss=Money(Decimal(12_000), "USD"),
)


def record(facts: Facts = PAYLOOP, record_id: str = "inv-1", source: str = "seeds/investments.jsonl:1") -> Record:
    kind = Kind.BUG if isinstance(facts, BugFacts) else Kind.INVESTMENT
    return Record(record_id, "local", kind, facts, Provenance(Door.SEED, Origin.OWN_RECORD, source, "me", AT, 0.9), 0.9)


def candidate(
    of: Record, decision: Decision = Decision.KEPT, passage: str = "", confirmed_by: Cue | None = None
) -> Candidate:
    return Candidate(of, 0.7, 0.9, decision, "close enough", passage=passage, confirmed_by=confirmed_by)


def recalled(*candidates: Candidate) -> RecallReport:
    state = RecallState.FOUND if candidates else RecallState.NONE_RELEVANT
    return RecallReport(state, "said in a sentence", candidates)


def deck(text: str = DECK) -> Submission:
    return Submission("investment", text, "hash")


ANALYSIS = Analysis(
    summary="A payments app without revenue.",
    findings=(DraftFinding("revenue", "No revenue", "high", "We do not charge anybody yet", source="rules"),),
    ratings=(Rating("revenue", 2.0, "No price."),),
    questions=("Who pays?",),
    advice=("Name a price.",),
)
