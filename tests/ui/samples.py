"""Audits to show, built as the guard would build them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from audit.types import (
    Attempt,
    Finding,
    GroundedAudit,
    History,
    Mark,
    MarkedTerm,
    Precedent,
    Refusal,
    ScoreLine,
    Sentence,
    Span,
    Submission,
    grounding_permit,
)
from memory.money import Money
from memory.records import BugFacts, Door, Facts, InvestmentFacts, Kind, Origin, Outcome, Provenance, Record
from memory.report import Candidate, Decision, Gate, RecallReport, RecallState

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
DECK = """SwiftSend: send money to a friend in two taps.

We grew from 2,000 to 140,000 users in nine months, all by word of mouth.
Sending is free, and it will stay free while we grow. We will think about revenue later.
Priya built all of it herself and runs it alone.

We raise $1.5M at a $12M cap to reach two million users."""
CODE = """def find_user(cursor, name):
    # look the user up
    query = "SELECT * FROM users WHERE name = '" + name + "'"
    cursor.execute(query)
    return cursor.fetchone()
"""
NASTY = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script> [x](javascript:alert(1)) $x$ :red[r]'


def record(record_id: str, kind: Kind, facts: Facts) -> Record:
    made = Provenance(Door.SEED, Origin.OWN_RECORD, "seeds", "seed", NOW, 0.9)
    return Record(record_id, "local", kind, facts, made, 0.9, updated_at=NOW)


def payments(company: str = "QuickPe") -> Record:
    return record(
        "inv-1",
        Kind.INVESTMENT,
        InvestmentFacts(
            company=company,
            sector="payments",
            summary="Free transfers between friends. Grew fast and never charged anyone.",
            year=2022,
            outcome=Outcome.WRITTEN_OFF,
            invested=Money(Decimal(50_000), "INR"),
            cause="No revenue model",
            lesson="Growth without a price is a cost. Ask who pays before asking how many.",
        ),
    )


def injection() -> Record:
    return record(
        "bug-1",
        Kind.BUG,
        BugFacts(
            title="SQL injection in the login query",
            language="python",
            cwe="CWE-89",
            severity="critical",
            year=2021,
            symptom="A quote in the name logged anyone in.",
            root_cause="The query was built by concatenation.",
            fix="Bind parameters; never join SQL from strings.",
            loss=Money(Decimal(12_000), "EUR"),
        ),
    )


def candidate(it: Record, probability: float, decision: Decision, rule: str) -> Candidate:
    return Candidate(it, probability - 0.1, probability, decision, rule, matched_terms=("free", "transfers"))


def report(state: RecallState, *candidates: Candidate, message: str = "said in a sentence") -> RecallReport:
    return RecallReport(state, message, candidates, Gate(0.6, 0.4), searched=7, steps_ms={"embed": 12.0, "query": 3.0})


def find(text: str, quote: str) -> Span:
    start = text.index(quote)
    return Span(start, start + len(quote))


def audit(**changes: object) -> GroundedAudit:
    """A deck with one precedent, three findings and one refusal, changed by ``changes``."""
    quote, missing = "Sending is free, and it will stay free while we grow.", "No runway is stated"
    alone = "Priya built all of it herself and runs it alone."
    it = payments()
    with grounding_permit():
        base = GroundedAudit(
            mode="investment",
            submission=Submission("investment", DECK, hashlib.sha256(DECK.encode()).hexdigest(), language="en"),
            created_at=NOW,
            verdict="Weak as stated",
            score=34.0,
            score_breakdown=(
                ScoreLine("Problem and customer", 9, 15, "A clear use, no named customer."),
                ScoreLine("Revenue and unit economics", 2, 25, "Nobody pays."),
                ScoreLine("Traction and growth", 15, 20, "Users are stated with dates."),
                ScoreLine("Market and competition", 5, 15, "No rival is named."),
                ScoreLine("Team", 6, 15, "One founder."),
                ScoreLine("Runway and terms", 5, 10, "The round is stated, the runway is not."),
                ScoreLine("Past losses like this one", -8, 0, "One proved precedent, written off."),
            ),
            rests_on="the deck's fundamentals and one precedent of yours",
            summary=(Sentence("Users grow fast, and nothing is charged."), Sentence("One person carries it all.")),
            findings=(
                Finding(
                    "revenue", "No revenue model", "critical", quote, find(DECK, quote), None,
                    "The deck says that sending stays free and puts revenue off.", "Ask who will pay.", "rule",
                ),
                Finding("team", "One founder", "high", alone, find(DECK, alone), None, "All rests on one.", "", "rule"),
            ),
            unproved_findings=(
                Finding("terms", missing, "medium", "", None, None, "Burn and runway are left out.", "", "rule"),
            ),
            precedents=(
                Precedent(
                    it, "Grew fast and never charged anyone.", quote, find(DECK, quote),
                    "Both grow by giving transfers away.", 0.91, 0.9,
                ),
            ),
            history=History(True, True, (Money(Decimal(50_000), "INR"),), "₹50,000"),
            advice=(Sentence("Ask for a pricing test before the round."),),
            questions=(
                Sentence("What did Paytm charge in 2015?", (MarkedTerm("2015", Mark.UNVERIFIED),)),
            ),
            refusals=(
                Refusal("similar_past_cases", "Like WePay, $4M lost in 2014", "unknown record", "No such record."),
            ),
            notes=(),
            recall=report(
                RecallState.FOUND,
                candidate(it, 0.91, Decision.KEPT, "at or above the gate"),
                candidate(replace(payments("Loopcash"), id="inv-2"), 0.47, Decision.NEAR, "below the gate"),
                candidate(replace(payments("Farmly"), id="inv-3"), 0.08, Decision.DROPPED, "another field"),
            ),
            model="groq:openai/gpt-oss-120b",
            attempts=(Attempt("groq:openai/gpt-oss-120b", "schema", "answered", "", 812.0, 1400, 420),),
        )  # fmt: skip
        return replace(base, **changes)


def without_history(state: RecallState, message: str = "said in a sentence") -> GroundedAudit:
    """The same deck where recall ended in ``state`` and nothing was kept."""
    misses = (candidate(payments("Loopcash"), 0.47, Decision.NEAR, "below the gate"),)
    looked = state is RecallState.NONE_RELEVANT
    return audit(
        precedents=(),
        history=History(state.looked, False, (), "None found" if state.looked else "not checked"),
        recall=report(state, *(misses if looked else ()), message=message),
        refusals=(),
        rests_on="fundamentals only",
    )


def code_audit() -> GroundedAudit:
    """A login query built by concatenation, with its past bug."""
    quote = 'query = "SELECT * FROM users WHERE name = \'" + name + "\'"'
    it = injection()
    return audit(
        mode="bug",
        submission=Submission("bug", CODE, hashlib.sha256(CODE.encode()).hexdigest(), language="python"),
        verdict="Fix before merge",
        findings=(
            Finding(
                "CWE-89", "SQL built from input", "critical", quote, find(CODE, quote), 3,
                "A name with a quote in it changes the query.", "Bind the name as a parameter.", "rule",
            ),
        ),
        precedents=(
            Precedent(it, "The query was built by concatenation.", quote, find(CODE, quote), "", 0.97, 0.9),
        ),
        history=History(True, True, (Money(Decimal(12_000), "EUR"),), "€12,000"),
        recall=report(RecallState.FOUND, candidate(it, 0.97, Decision.KEPT, "confirmed by CWE-89")),
        refusals=(),
        model="rules",
        attempts=(),
    )  # fmt: skip
