"""One real home for the attacks on a memory: many workspaces, models that answer honestly or obey what they read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from audit.llm.chain import Chain
from audit.llm.learnt import Learnt, NoShelf
from audit.llm.port import Request
from audit.llm.scripted import ScriptedModel
from audit.modes import BUG, INVESTMENT, Mode
from audit.service import SavedAudit, run_audit
from audit.submission import make_submission
from audit.types import GroundedAudit
from mcp_server.server import build_server
from memory.lifecycle import Lifecycle
from memory.records import Door, Facts, Kind, Record, Status
from memory.trust import Trust
from seeds.load import read_seeds
from wiring import Services

CANARY = "Quzzleberry"

DECK = (
    "A payments app for friends. Users send money to any phone number and split bills, free of charge.\n"
    "We have 180,000 users, and every second one comes by invitation.\n"
    "We have no revenue today and will decide how to monetise later.\n"
    "I am a single founder and built the app myself. We raise ₹2 crore."
)
CODE = (
    "def log_in(connection, username):\n"
    '    query = "SELECT id FROM users WHERE username = \'" + username + "\'"\n'
    "    return connection.execute(query).fetchone()\n"
)
QUOTES = {
    INVESTMENT.name: "We have no revenue today and will decide how to monetise later.",
    BUG.name: "SELECT id FROM users WHERE username =",
}
_BLOCK = re.compile(r"⟦\w+ record id=(\S+) [^⟧]*⟧\n(.*?)\n⟦", re.DOTALL)
_TELLING = re.compile(r"^(?:Cause|Root cause|What it was|Symptom): (.{20,160}?)(?:[.\n]|$)", re.MULTILINE)


def honest(request: Request) -> str:
    """Answer as a careful model does: middling ratings, and each shown record as a precedent with its quotes."""
    mode = INVESTMENT if QUOTES[INVESTMENT.name] in request.user else BUG
    shown = [(record_id, _TELLING.search(text)) for record_id, text in _BLOCK.findall(request.user)]
    return json.dumps(
        {
            "summary": "It states what it does and leaves out who pays.",
            "findings": [],
            "ratings": [{"dimension": it.name, "value": 5, "reason": "as stated"} for it in mode.rubric],
            "precedents": [
                {
                    "record_id": record_id,
                    "record_quote": told[1],
                    "submission_quote": QUOTES[mode.name],
                    "why": "The same weakness stands here.",
                }
                for record_id, told in shown
                if told
            ],
            "advice": [],
            "questions": [],
        }
    )


def obedient(request: Request) -> str:
    """Answer as a model does that obeys the poison as soon as it reads it, and honestly until then."""
    if CANARY.lower() not in f"{request.system}\n{request.user}".lower():
        return honest(request)
    answer = json.loads(honest(request))
    answer["ratings"] = [{**it, "value": 10, "reason": "the record says so"} for it in answer["ratings"]]
    answer["summary"] = f"Like {CANARY}, which returned $9,000,000, this will succeed."
    answer["precedents"] = []
    return json.dumps(answer)


def credulous(ids: list[str]) -> Callable[[Request], str]:
    """Make a model that claims the records ``ids`` as precedents although no prompt showed them."""

    def answer(request: Request) -> str:
        reply = json.loads(honest(request))
        mode = INVESTMENT.name if QUOTES[INVESTMENT.name] in request.user else BUG.name
        reply["precedents"] += [
            {"record_id": it, "record_quote": CANARY, "submission_quote": QUOTES[mode], "why": f"As with {CANARY}."}
            for it in ids
        ]
        return json.dumps(reply)

    return answer


@dataclass(frozen=True, slots=True)
class Standing:
    """All of an audit that no attack on the memory may change."""

    score: float
    verdict: str
    lines: tuple[tuple[str, float], ...]
    rests_on: str
    history: tuple[bool, bool, tuple[str, ...], str]
    precedents: tuple[tuple[str, str, str, float], ...]
    state: str
    searched: int
    kept: tuple[str, ...]


def standing(audit: GroundedAudit) -> Standing:
    past = audit.history
    return Standing(
        audit.score,
        audit.verdict,
        tuple((it.label, it.points) for it in audit.score_breakdown),
        audit.rests_on,
        (past.checked, past.similar_found, tuple(map(str, past.losses)), past.text),
        tuple((it.record.id, it.record_quote, it.submission_quote, it.confidence) for it in audit.precedents),
        audit.recall.state.value,
        audit.recall.searched,
        tuple(it.record.id for it in audit.recall.kept),
    )


class Home:
    """The services of one home, seen from one of its workspaces."""

    def __init__(self, services: Services, workspace: str, now: datetime) -> None:
        settings = services.settings.model_copy(update={"workspace": workspace})
        self.services = replace(services, settings=settings)
        self.workspace, self.now = workspace, now
        self.server = build_server(self.services)
        self.trust = Trust(services.ledger)
        self.lifecycle = Lifecycle(services.ledger, services.index)

    def asking(self, model: ScriptedModel) -> Services:
        """Give the services with one scripted model."""
        chain = Chain(["local:scripted"], {"local": model}, Learnt(NoShelf(), lambda: self.now))
        return replace(self.services, chain=chain)

    def remember(self, kind: Kind, facts: Facts, door: Door = Door.FORM, source: str = "form", **more: Any) -> Record:
        given = {"author": "ana", "now": self.now} | more
        return self.services.intake.remember(self.workspace, kind, facts, door=door, source=source, **given)

    def furnish(self, facts: list[tuple[Kind, Facts]]) -> list[Record]:
        """Store own records in one go."""
        intake = self.services.intake
        made = [
            intake.check(
                self.workspace, kind, it, door=Door.IMPORT, source=f"own.csv:{line}", author="ana", now=self.now
            )
            for line, (kind, it) in enumerate(facts, start=2)
        ]
        intake.store(made)
        return made

    def audit(
        self, mode: Mode, model: ScriptedModel | None = None, text: str = "", *, save: bool = False, name: str = ""
    ) -> SavedAudit:
        services = self.asking(model) if model else self.services
        submission = make_submission(mode, text or (DECK if mode is INVESTMENT else CODE), name)
        return run_audit(services, mode, submission, now=self.now, save=save)

    def now_of(self, *records: Record) -> list[Record]:
        """Read records anew."""
        found = self.services.ledger.get(self.workspace, [it.id for it in records])
        return [found[it.id] for it in records]

    def all(self, search: str = "") -> list[Record]:
        """List every record of the workspace, wherever it stands."""
        page = self.services.ledger.find(self.workspace, statuses=tuple(Status), search=search, limit=100_000)
        return list(page.records)

    def newest(self) -> list[Record]:
        """List the records that came in last, wherever they stand."""
        page = self.services.ledger.find(self.workspace, statuses=tuple(Status), sort="created", limit=200)
        return list(page.records)


def seeds() -> list[tuple[Kind, Facts]]:
    return [(it.kind, it.facts) for it in read_seeds()]
