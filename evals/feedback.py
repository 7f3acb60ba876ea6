"""The user's own feedback as sets to fit on: audited texts, and which of their records were real precedents."""

from __future__ import annotations

from collections import defaultdict

from audit.feedback import Given, Opinion
from audit.modes import MODES
from audit.types import GroundedAudit
from evals.dataset import DataSet, Query
from memory.records import Record
from wiring import Services

PAGE = 1_000


def feedback_sets(services: Services) -> list[DataSet]:
    """Make a set for each mode with feedback: its active facts, and one query for each audited text.

    A record called useful or outdated was a precedent; a text all of whose judged records are "not the same" has none.
    The newest audit of a text counts.
    """
    given: dict[str, list[Given]] = defaultdict(list)
    for it in services.feedback.of(services.workspace):
        given[it.audit_id].append(it)
    queries: dict[str, dict[str, Query]] = defaultdict(dict)
    for audit_id, opinions in given.items():
        audit = services.archive.open(services.workspace, audit_id)
        queries[audit.mode][audit.submission.sha256] = _query(audit_id, audit, opinions)
    return [
        DataSet(f"feedback on {name}s", mode.fact_kind, tuple(_facts(services, name)), tuple(queries[name].values()))
        for name, mode in MODES.items()
        if queries[name]
    ]


def _query(audit_id: str, audit: GroundedAudit, opinions: list[Given]) -> Query:
    gold = frozenset(it.record_id for it in opinions if it.opinion is not Opinion.NOT_THE_SAME)
    return Query(audit_id, audit.submission.text, "feedback", gold, frozenset(), audit.submission.language)


def _facts(services: Services, mode_name: str) -> list[Record]:
    found: list[Record] = []
    while True:
        page = services.ledger.find(
            services.workspace, kinds=(MODES[mode_name].fact_kind,), limit=PAGE, offset=len(found)
        )
        found += page.records
        if len(found) >= page.total or not page.records:
            return found
