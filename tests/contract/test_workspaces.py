"""Two workspaces never cross: every public method is called from one with the ids and names of the other."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

import audit
import memory
from audit.archive import NO_EXCHANGE, Archive
from audit.decisions import Decisions
from audit.errors import AuditError, AuditNotFound
from audit.feedback import Feedback, Opinion
from audit.modes import BUG, INVESTMENT
from audit.versions import earlier_version
from mcp_server.tools import Tools
from memory.bulk import Action, carry_out
from memory.chroma_index import ChromaIndex
from memory.concerns import Concern, Concerns, Worry
from memory.corrections import Corrected, Correction, CorrectionsRefused, correct, faults_of, take_back
from memory.errors import RecordInvalid, RecordNotFound, StoreError
from memory.export_command import to_export
from memory.family import deeds, family_of
from memory.importers.mapping import guess_mapping
from memory.importers.plan import ImportPlan
from memory.importers.planning import content_hash, plan_import
from memory.importers.reading import read_table
from memory.importers.register import Imports
from memory.importers.remembered import corrected, recall_mapping, remember_mapping
from memory.intake import Intake
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle
from memory.opinions import opinions
from memory.recall import Recaller
from memory.records import Door, InvestmentFacts, Kind, Note, Outcome, Record, Status
from memory.report import RecallQuery
from memory.review import Review
from memory.review import Step as ReviewStep
from memory.saved_views import SavedViews
from memory.trust import Judgement, Trust
from settings import Settings
from tests.adversarial.memory.home import CODE, DECK, Home, seeds
from wiring import Services, build_services

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
LATE = NOW + timedelta(days=400)
SECRET = "Zanthoxylum"
FILE = b"company,year,outcome,cheque\nZanthoxylum Albatros,2019,dead,$5k\nZanthoxylum Biber,2020,live,$6k\n"


@dataclass(frozen=True)
class Ours:
    """What the other workspace is after: ids of all that ours holds."""

    home: Home
    records: tuple[Record, ...]
    audit_id: str
    import_id: str
    plan: ImportPlan
    step: ReviewStep

    @property
    def ids(self) -> list[str]:
        return [it.id for it in self.records]

    @property
    def one(self) -> str:
        return self.records[0].id


@dataclass(frozen=True)
class World:
    ours: Ours
    theirs: Home
    own: Record

    @property
    def space(self) -> str:
        return self.theirs.workspace


def _plan() -> ImportPlan:
    table = read_table(FILE, "deals.csv")
    return plan_import(table, guess_mapping(table))


@pytest.fixture(scope="module")
def world(seeded_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("two-workspaces")
    shutil.copy(seeded_ledger, folder)
    services = build_services(Settings(_env_file=None, home=folder, models=""))
    home, theirs = Home(services, "ours", NOW), Home(services, "theirs", NOW)
    home.furnish(seeds())
    twin = InvestmentFacts(f"{SECRET} Pay", summary=DECK, year=2021, outcome=Outcome.SHUT_DOWN)
    first = home.remember(Kind.INVESTMENT, twin, source=f"{SECRET} letter", author=SECRET)
    note = Note(SECRET, "Observation", f"{SECRET} burns cash on vouchers")
    parent = home.remember(Kind.OBSERVATION, note)
    home.remember(Kind.OBSERVATION, Note(SECRET, "Observation", f"{SECRET} grew anyway"), derived_from=[parent.id])
    home.remember(Kind.INVESTMENT, InvestmentFacts(f"{SECRET} Held"), Door.AGENT, SECRET)
    told = home.remember(Kind.INVESTMENT, InvestmentFacts(f"{SECRET} Told"), Door.AGENT, SECRET)
    step = Review(services.ledger, services.intake).verify(home.workspace, told.id, author=SECRET, at=NOW)
    gone = home.remember(Kind.INVESTMENT, InvestmentFacts(f"{SECRET} Gone"))
    home.trust.reject(home.workspace, gone.id, author=SECRET, reason=SECRET, at=NOW)
    imported = Imports(services.ledger, services.intake, home.workspace).apply(_plan(), author=SECRET, now=NOW)
    saved = home.audit(INVESTMENT, text=f"{SECRET}\n{DECK}", save=True).saved_as
    assert saved
    shown = services.archive.open(home.workspace, saved).recall.kept[0].record.id
    Feedback(services.ledger, services.archive).give(
        home.workspace, saved, shown, Opinion.USEFUL, author=SECRET, now=NOW
    )
    services.decisions.decide(
        home.workspace, saved, "watching", reason=SECRET, review_on=date(2026, 12, 1), author=SECRET, now=NOW
    )
    services.saved_views.add(home.workspace, SECRET, {"search": SECRET}, author=SECRET, now=NOW)
    table = _plan().table
    remember_mapping(services.ledger, home.workspace, table, corrected(table, _plan().mapping, {"currency": "CHF"}))
    own = theirs.remember(Kind.INVESTMENT, InvestmentFacts("Their Payments", summary=DECK, outcome=Outcome.ACQUIRED))
    theirs.remember(Kind.OBSERVATION, Note("Theirs", "Observation", "Vouchers do burn cash at last"))
    records = (first, *(it for it in home.all() if it.id != first.id))
    yield World(Ours(home, records, saved, imported.import_id, _plan(), step), theirs, own)
    services.close()


def snapshot(ours: Ours) -> list[object]:
    """Take all that is ours, as it stands."""
    services, space = ours.home.services, ours.home.workspace
    return [
        sorted(ours.home.all(), key=lambda it: it.id),
        services.ledger.counts(space),
        [services.ledger.revisions(space, it) for it in ours.ids],
        [services.ledger.descendants(space, it) for it in ours.ids],
        Concerns(services.ledger).waiting(space),
        Review(services.ledger, services.intake).queue(space),
        Feedback(services.ledger, services.archive).of(space),
        services.saved_views.list(space),
        services.archive.list(space),
        services.archive.open(space, ours.audit_id),
        services.decisions.of(space, ours.audit_id),
        services.decisions.settled(space),
        Imports(services.ledger, services.intake, space).past(),
        services.index.holds(space, Kind.INVESTMENT, ours.ids),
        [Trust(services.ledger).judgement(space, it) for it in ours.ids],
        recall_mapping(services.ledger, space, ours.plan.table).currency,
    ]


# How each method is called from the other workspace. What it gives must hold nothing of ours; what is ours must stay.

Call = Callable[[World], object]
_SAID = {"author": "eve", "reason": "mine now", "at": NOW}


def refused(error: type[Exception], attempt: Callable[[], object]) -> None:
    with pytest.raises(error) as caught:
        attempt()
    assert SECRET not in str(caught.value)


def _ledger(call: Callable[[Ledger, World], object]) -> Call:
    return lambda world: call(world.theirs.services.ledger, world)


def _missing(call: Callable[[Ledger, World], object]) -> Call:
    return lambda world: refused(RecordNotFound, lambda: call(world.theirs.services.ledger, world))


def _trust(call: Callable[[Trust, World], object]) -> Call:
    return lambda world: refused(RecordNotFound, lambda: call(world.theirs.trust, world))


def _views(call: Callable[[SavedViews, World], object]) -> Call:
    return lambda world: call(world.theirs.services.saved_views, world)


def _no_view(call: Callable[[SavedViews, World], object]) -> Call:
    """Name a view of ours; the name that was asked for is all that is told."""

    def run(world: World) -> None:
        with pytest.raises(RecordNotFound, match=f"^There is no view named {SECRET}.$"):
            call(world.theirs.services.saved_views, world)

    return run


def _life(call: Callable[[Lifecycle, World], object]) -> Call:
    return lambda world: call(world.theirs.lifecycle, world)


def _archive(call: Callable[[Archive, World], object]) -> Call:
    return lambda world: call(world.theirs.services.archive, world)


def _no_audit(call: Callable[[Any, World], object], part: str) -> Call:
    return lambda world: refused(AuditNotFound, lambda: call(getattr(world.theirs.services, part), world))


def _refresh(world: World) -> None:
    with world.theirs.services.ledger.transaction() as tx:
        refused(RecordNotFound, lambda: world.theirs.trust.refresh(world.space, world.ours.one, **_SAID, tx=tx))


def _enter(world: World) -> object:
    concerns = Concerns(world.theirs.services.ledger)
    with world.theirs.services.ledger.transaction() as tx:
        concern = Concern(Worry.CONFLICT, "mine", world.ours.one)
        concerns.enter(world.space, world.own.id, [concern], NOW, tx=tx)
        concerns.settle(world.space, world.own.id, settled_as="done", author="eve", at=NOW, tx=tx)
    return None


def _settle_concerns(world: World) -> None:
    with world.theirs.services.ledger.transaction() as tx:
        for record_id in world.ours.ids:
            concerns = Concerns(world.theirs.services.ledger)
            assert concerns.settle(world.space, record_id, settled_as="done", author="eve", at=NOW, tx=tx) == 0


def _digest(world: World) -> str:
    return world.ours.home.services.archive.open("ours", world.ours.audit_id).submission.sha256


def _save(world: World) -> object:
    audit_ = world.theirs.audit(INVESTMENT).audit
    with world.theirs.services.ledger.transaction() as tx:
        return world.theirs.services.archive.save(world.space, audit_, NO_EXCHANGE, tx=tx)


def _check(world: World, **more: Any) -> Record:
    return world.theirs.services.intake.check(
        world.space, Kind.INVESTMENT, InvestmentFacts(f"Mine {len(more)}"), door=Door.FORM, source="form",
        author="eve", now=NOW, **more,
    )  # fmt: skip


def _derive(world: World) -> None:
    for record_id in world.ours.ids:
        refused(RecordNotFound, lambda record_id=record_id: _check(world, derived_from=[record_id]))


def _store(world: World) -> None:
    made = _check(world, record_id=world.ours.one)
    refused(RecordInvalid, lambda: world.theirs.services.intake.store([made]))


def _concerns_of(world: World) -> object:
    """A record that contradicts one of ours contradicts nothing of theirs."""
    facts = InvestmentFacts(f"{SECRET} Pay", year=2021, outcome=Outcome.ACQUIRED)
    intake = world.theirs.services.intake
    made = intake.check(world.space, Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="eve", now=NOW)
    assert made.status is Status.ACTIVE
    assert not intake.concerns(made)
    return None


def _recall(world: World) -> object:
    recaller = world.theirs.services.recaller
    asked = [(Kind.INVESTMENT, DECK), (Kind.BUG, CODE), (Kind.INVESTMENT, "burns cash on vouchers and grew anyway")]
    reports = [
        recaller.recall(RecallQuery(world.space, (kind,), text, needs_cue=kind is Kind.BUG), NOW)
        for kind, text in asked
    ]
    found = {it.record.workspace for report in reports for it in report.candidates}
    assert found == {world.space}
    return reports


def _evict(world: World) -> object:
    life = world.theirs.lifecycle
    would = life.to_evict(world.space, Kind.INVESTMENT, 0, NOW)
    moved = life.evict(world.space, Kind.INVESTMENT, 0, author="eve", now=NOW)
    ids = [it.id for it in would]
    assert life.move(world.space, ids, Status.ACTIVE, author="eve", reason="back", now=NOW) == moved == len(ids)
    return would


def _imports(call: Callable[[Imports, World], object]) -> Call:
    def run(world: World) -> object:
        services = world.theirs.services
        return call(Imports(services.ledger, services.intake, world.space), world)

    return run


def _apply_import(imports: Imports, world: World) -> None:
    """The same file is new to them, and taking it back takes nothing of ours."""
    mine = imports.apply(world.ours.plan, author="eve", now=NOW)
    assert mine.already == 0
    assert set(imports.undo(mine.import_id, author="eve", now=NOW).removed) == set(mine.record_ids)
    world.theirs.lifecycle.purge(world.space, author="eve", now=LATE)


def _keep_mapping(world: World) -> object:
    ledger, table = world.theirs.services.ledger, world.ours.plan.table
    remember_mapping(ledger, world.space, table, corrected(table, world.ours.plan.mapping, {"currency": "EUR"}))
    return None


def _read_mapping(world: World) -> object:
    found = recall_mapping(world.theirs.services.ledger, world.space, world.ours.plan.table)
    assert found.currency != "CHF"
    return None


def _review(call: Callable[[Review, World], object], error: type[Exception] = RecordNotFound) -> Call:
    def run(world: World) -> object:
        services = world.theirs.services
        return refused(error, lambda: call(Review(services.ledger, services.intake), world))

    return run


def _look_at_queues(world: World) -> object:
    review = Review(world.theirs.services.ledger, world.theirs.services.intake)
    queue = review.queue(world.space)
    waiting = [*queue.conflicts, *queue.unverified, *queue.quarantined]
    assert review.count(world.space) == len(waiting)
    assert {it.record.workspace for it in waiting} <= {world.space}
    return queue


def _corrections(world: World) -> list[Correction]:
    return [Correction(it.id, InvestmentFacts("Mine"), it.revision) for it in (world.own, *world.ours.records)]


def _corrects(call: Callable[[Services, World], object]) -> Call:
    return lambda world: refused(CorrectionsRefused, lambda: call(world.theirs.services, world))


def _feedback(call: Callable[[Feedback, World], object]) -> Call:
    return lambda world: call(Feedback(world.theirs.services.ledger, world.theirs.services.archive), world)


def _reopen(world: World) -> None:
    with world.theirs.services.ledger.transaction() as tx:
        concerns = Concerns(world.theirs.services.ledger)
        assert world.ours.step.settled
        assert concerns.reopen(world.space, world.ours.step.settled, tx=tx) == 0


def _index(call: Callable[[ChromaIndex, World], object]) -> Call:
    return lambda world: call(world.theirs.services.index, world)


def _vectors(world: World) -> np.ndarray[Any, Any]:
    entries = world.ours.home.services.ledger.entries(world.ours.ids)
    return np.stack([it.vector for it in entries])


def _query_index(index: ChromaIndex, world: World) -> object:
    hits = [it for found in index.query(world.space, Kind.INVESTMENT, _vectors(world), 50) for it in found]
    assert hits
    assert not {it.record_id for it in hits} & set(world.ours.ids)
    return hits


def _tool(name: str, each: Callable[[str], dict[str, Any]] | None = None, **given: Any) -> Call:
    """Call a tool over MCP, once for each of our ids where ``each`` makes arguments of one."""

    def run(world: World) -> object:
        async def session() -> list[str]:
            async with Client(world.theirs.server) as client:
                calls = [each(it) for it in world.ours.ids] if each else [given]
                answers = [await client.call_tool(name, arguments) for arguments in calls]
                assert each is None or all(it.is_error for it in answers)
                assert each is not None or not any(it.is_error for it in answers), answers
                return [f"{it.content}{it.structured_content}" for it in answers]

        return anyio.run(session)

    return run


_MINE = {"kind": "investment", "company": "Mine too", "summary": "Told by an agent"}
_DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -0,0 +1,3 @@\n" + "".join(
    f"+{line}\n" for line in CODE.splitlines()
)

CALLS: dict[str, Call] = {
    "Ledger.get": _ledger(lambda it, w: [it.get(w.space, w.ours.ids), it.get(w.space, [*w.ours.ids, w.own.id])]),
    "Ledger.find": _ledger(
        lambda it, w: [
            it.find(w.space, statuses=tuple(Status), search=SECRET),
            it.find(w.space, statuses=tuple(Status), kinds=tuple(Kind), limit=500),
            it.find(w.space, year=2021, outcome=Outcome.SHUT_DOWN, sort="loss"),
        ]
    ),
    "Ledger.counts": _ledger(lambda it, w: [it.counts(w.space), it.counts(w.space)[Kind.INVESTMENT]]),
    "Ledger.keywords": _ledger(lambda it, w: it.keywords(w.space, Kind.INVESTMENT, [SECRET.lower(), "payments"], 99)),
    "Ledger.keyword_lists": _ledger(
        lambda it, w: it.keyword_lists(w.space, Kind.INVESTMENT, [([SECRET.lower()], 99), (["payments"], 99)])
    ),
    "Ledger.standing": _ledger(lambda it, w: [it.standing(w.space), it.standing(w.space).counts[Kind.INVESTMENT]]),
    "Ledger.children": _ledger(lambda it, w: it.children(w.space, w.ours.ids)),
    "Ledger.descendants": _ledger(lambda it, w: [it.descendants(w.space, record_id) for record_id in w.ours.ids]),
    "Ledger.revisions": _ledger(lambda it, w: [it.revisions(w.space, record_id) for record_id in w.ours.ids]),
    "Ledger.stale": _ledger(lambda it, w: it.stale(w.space, LATE, 99)),
    "Ledger.note_use": _ledger(lambda it, w: it.note_use(w.space, w.ours.ids, LATE)),
    "Ledger.revise": _missing(lambda it, w: it.revise(w.space, w.ours.one, InvestmentFacts("Mine"), [], **_SAID)),
    "Ledger.set_status": _missing(lambda it, w: it.set_status(w.space, w.ours.one, Status.FORGOTTEN, **_SAID)),
    "Ledger.set_statuses": _missing(
        lambda it, w: it.set_statuses(w.space, [w.own.id, w.ours.one], Status.ARCHIVED, **_SAID)
    ),
    "Ledger.protect": _missing(lambda it, w: it.protect(w.space, w.ours.one, True, **_SAID)),
    "Ledger.set_confidences": _missing(lambda it, w: it.set_confidences(w.space, {w.ours.one: 0.0}, **_SAID)),
    "Ledger.replace_entries": _missing(lambda it, w: it.replace_entries(w.space, {w.ours.one: []}, **_SAID)),
    "Ledger.erase": _missing(lambda it, w: it.erase(w.space, w.ours.ids, **_SAID)),
    "Intake.remember": lambda world: refused(
        RecordNotFound,
        lambda: world.theirs.remember(Kind.OBSERVATION, Note("Mine", "Note", "It rests on theirs"),
                                      derived_from=[world.own.id, world.ours.one]),
    ),
    "Intake.check": _derive,
    "Intake.store": _store,
    "Intake.concerns": _concerns_of,
    "Intake.redraft": lambda world: refused(
        RecordNotFound,
        lambda: world.theirs.services.intake.redraft(world.space, world.ours.one, InvestmentFacts("Mine")),
    ),
    "Intake.revise": lambda world: refused(
        RecordNotFound,
        lambda: world.theirs.services.intake.revise(
            world.space, world.ours.one, InvestmentFacts("Mine"), author="eve", reason="mine", now=NOW
        ),
    ),
    "Recaller.recall": _recall,
    "Archive.open": _no_audit(lambda it, w: it.open(w.space, w.ours.audit_id), "archive"),
    "Archive.exchange": _no_audit(lambda it, w: it.exchange(w.space, w.ours.audit_id), "archive"),
    "Archive.list": _archive(lambda it, w: [it.list(w.space, limit=99), it.list(w.space, sha256=_digest(w))]),
    "Archive.answer_times_ms": _archive(
        lambda it, w: [it.answer_times_ms(w.space, row.model, 99) for row in it.list(w.ours.home.workspace, limit=99)]
    ),
    "Archive.texts": _archive(lambda it, w: it.texts(w.space, [w.ours.audit_id])),
    "carry_out": lambda world: [
        carry_out(
            world.theirs.services.ledger,
            world.theirs.services.lifecycle,
            world.space,
            world.ours.ids,
            action,
            author="eve",
            reason="x",
            now=NOW,
        )
        for action in Action
    ],
    "correct": _corrects(
        lambda it, w: correct(it.ledger, it.intake, w.space, _corrections(w), author="eve", reason="x", now=NOW)
    ),
    "faults_of": lambda w: {
        type(it) for it in faults_of(w.theirs.services.intake, w.space, _corrections(w)[1:]).values()
    } - {RecordNotFound},
    "take_back": _corrects(
        lambda it, w: take_back(
            it.ledger, it.intake, w.space, Corrected(w.ours.records, w.ours.records, NOW), author="eve", now=NOW
        )
    ),
    "opinions": lambda world: opinions(world.theirs.services.ledger, world.space, world.ours.ids),
    "earlier_version": lambda world: earlier_version(
        world.theirs.services.archive,
        world.space,
        world.ours.home.services.archive.open(world.ours.home.workspace, world.ours.audit_id),
    ),
    "Archive.count": _archive(lambda it, w: [it.count(w.space, "bug") + it.count("nobody")]),
    "Archive.save": _save,
    "Decisions.decide": _no_audit(
        lambda it, w: it.decide(w.space, w.ours.audit_id, "passed", reason="mine", author="eve", now=NOW), "decisions"
    ),
    "Decisions.settle": _no_audit(
        lambda it, w: it.settle(
            w.space, w.ours.audit_id, InvestmentFacts("Mine"), went_well=True, author="eve", now=NOW
        ),
        "decisions",
    ),
    "Decisions.of": lambda w: w.theirs.services.decisions.of(w.space, w.ours.audit_id),
    "Decisions.newest": lambda w: w.theirs.services.decisions.newest(w.space, [w.ours.audit_id]),
    "Decisions.ended_well": lambda w: w.theirs.services.decisions.ended_well(w.space, [w.ours.audit_id]),
    "Decisions.due": lambda w: w.theirs.services.decisions.due(w.space, date(2100, 1, 1)),
    "Decisions.settled": lambda w: w.theirs.services.decisions.settled(w.space),
    "SavedViews.list": _views(lambda it, w: it.list(w.space)),
    "SavedViews.add": _views(
        lambda it, w: [it.add(w.space, SECRET, {}, author="eve", now=NOW).filters, it.delete(w.space, SECRET)]
    ),
    "SavedViews.replace": _no_view(lambda it, w: it.replace(w.space, SECRET, {}, author="eve", now=NOW)),
    "SavedViews.rename": _no_view(lambda it, w: it.rename(w.space, SECRET, "Mine")),
    "SavedViews.delete": _no_view(lambda it, w: it.delete(w.space, SECRET)),
    "Lifecycle.move": _life(
        lambda it, w: [it.move(w.space, w.ours.ids, to, author="eve", reason="x", now=NOW)
                       for to in (Status.ARCHIVED, Status.FORGOTTEN, Status.ACTIVE)]
    ),
    "Lifecycle.evict": _evict,
    "Lifecycle.to_evict": _life(lambda it, w: it.to_evict(w.space, Kind.INVESTMENT, 0, NOW)),
    "Lifecycle.to_purge": _life(lambda it, w: it.to_purge(w.space, LATE)),
    "Lifecycle.purge": _life(lambda it, w: it.purge(w.space, author="eve", now=LATE)),
    "Lifecycle.near_duplicates": _life(lambda it, w: it.near_duplicates(w.space, Kind.INVESTMENT)),
    "Lifecycle.merge": lambda w: refused(
        RecordInvalid, lambda: w.theirs.lifecycle.merge(w.space, w.own.id, w.ours.ids, author="eve", now=NOW)
    ),
    "Trust.judgement": _trust(lambda it, w: it.judgement(w.space, w.ours.one)),
    "Trust.effect": _trust(lambda it, w: it.effect(w.space, w.ours.one, Judgement(0.0))),
    "Trust.judge": _trust(lambda it, w: it.judge(w.space, w.ours.one, Judgement(0.0), **_SAID)),
    "Trust.refresh": _refresh,
    "Trust.verify": _trust(lambda it, w: it.verify(w.space, w.ours.one, **_SAID)),
    "Trust.reject": _trust(lambda it, w: it.reject(w.space, w.ours.one, **_SAID)),
    "Trust.disprove": _trust(lambda it, w: it.disprove(w.space, w.own.id, by=w.ours.one, author="eve", at=NOW)),
    "Trust.quarantine": _trust(lambda it, w: it.quarantine(w.space, w.ours.one, **_SAID)),
    "Concerns.enter": _enter,
    "Concerns.settle": _settle_concerns,
    "Concerns.waiting": lambda w: [
        Concerns(w.theirs.services.ledger).waiting(w.space, record_id=it) for it in ("", *w.ours.ids)
    ],
    "Imports.apply": _imports(_apply_import),
    "Imports.changed": _imports(lambda it, w: it.changed(w.ours.plan)),
    "Imports.known": _imports(
        lambda it, w: it.known([content_hash(Kind.INVESTMENT, row.facts) for row in w.ours.plan.accepted])
    ),
    "Imports.edited": _imports(lambda it, w: it.edited(w.ours.import_id)),
    "Imports.past": _imports(lambda it, w: it.past()),
    "Imports.undo": _imports(
        lambda it, w: refused(RecordNotFound, lambda: it.undo(w.ours.import_id, author="eve", now=NOW))
    ),
    "Concerns.reopen": _reopen,
    "Review.count": _look_at_queues,
    "Review.queue": _look_at_queues,
    "Review.verify": _review(lambda it, w: it.verify(w.space, w.ours.one, author="eve", at=NOW)),
    "Review.reject": _review(lambda it, w: it.reject(w.space, w.ours.one, author="eve", at=NOW)),
    "Review.prefer": _review(lambda it, w: it.prefer(w.space, w.own.id, [w.ours.one], author="eve", at=NOW)),
    "Review.correct": _review(
        lambda it, w: it.correct(w.space, w.ours.one, InvestmentFacts("Mine"), author="eve", at=NOW)
    ),
    "Review.undo": _review(lambda it, w: it.undo(w.space, w.ours.step, author="eve", at=NOW), RecordInvalid),
    "family_of": _missing(lambda it, w: family_of(it, w.space, w.ours.one)),
    "to_export": _ledger(lambda it, w: to_export(it, w.space)),
    "deeds": _ledger(lambda it, w: [deeds(it, w.space, record_id) for record_id in w.ours.ids]),
    "Feedback.give": _feedback(
        lambda it, w: refused(
            AuditNotFound,
            lambda: it.give(w.space, w.ours.audit_id, w.ours.one, Opinion.OUTDATED, author="eve", now=NOW),
        )
    ),
    "Feedback.take_back": _feedback(lambda it, w: it.take_back(w.space, w.ours.audit_id, w.ours.one)),
    "Feedback.of": _feedback(lambda it, w: [it.of(w.space), it.of(w.space, w.ours.audit_id)]),
    "remember_mapping": _keep_mapping,
    "recall_mapping": _read_mapping,
    "ChromaIndex.query": _index(_query_index),
    "ChromaIndex.holds": _index(lambda it, w: it.holds(w.space, Kind.INVESTMENT, w.ours.ids)),
    "ChromaIndex.apply": _index(lambda it, w: it.apply(w.space, Kind.INVESTMENT, [], w.ours.ids)),
    "Tools.memory_search": _tool("memory_search", query=f"{SECRET[:4]} payments between friends", kind="investment"),
    "Tools.memory_explain": _tool("memory_explain", lambda it: {"query": "payments app", "record_id": it}),
    "Tools.memory_forget": _tool("memory_forget", lambda it: {"record_id": it, "reason": "tidying up"}),
    "Tools.memory_write": _tool("memory_write", record=_MINE, source="mail"),
    "Tools.audit_investment": _tool("audit_investment", deck=DECK),
    "Tools.triage_code": _tool("triage_code", code=CODE),
    "Tools.triage_diff": _tool("triage_diff", diff=_DIFF),
}  # fmt: skip

EXEMPT = {
    **dict.fromkeys(
        ("Ledger.open", "Ledger.identity", "Ledger.close", "Ledger.transaction", "Ledger.reading", "Ledger.scrub"),
        "holds no records",
    ),
    "Recaller.begin": "embeds the asker's own text and looks at no record",
    **dict.fromkeys(
        ("Ledger.add", "Ledger.add_many", "Intake.embed", "Intake.keep_revised", "Imports.store", "Review.reasons"),
        "each record names its own workspace",
    ),
    **dict.fromkeys(
        ("Ledger.head", "Ledger.place", "Ledger.size", "Ledger.scan", "Ledger.changes", "Ledger.entry_counts"),
        "upkeep of the whole ledger: verifying, indexing and backing up; no door leads to it",
    ),
    "Ledger.entries": "vectors of ids that were resolved within a workspace before",
    "Ledger.readings": "close readings of ids that were resolved within a workspace before",
    **dict.fromkeys(
        ("Ledger.embedder", "Ledger.set_embedder", "Ledger.setting", "Ledger.set_setting"), "settings, not records"
    ),
    **dict.fromkeys(
        (
            "ChromaIndex.advance", "ChromaIndex.belong_to", "ChromaIndex.catching_up", "ChromaIndex.close",
            "ChromaIndex.counts", "ChromaIndex.position", "ChromaIndex.reset", "ChromaIndex.timeline",
            "ChromaIndex.trust", "ChromaIndex.trusted",
        ),
        "upkeep of the whole index",
    ),
}  # fmt: skip

WALKED = (
    Ledger, Intake, Recaller, Archive, Decisions, Feedback, Lifecycle, Trust, Concerns, Review, Imports, ChromaIndex,
    SavedViews, Tools,
)  # fmt: skip
FUNCTIONS = {
    "to_export",
    "remember_mapping",
    "recall_mapping",
    "family_of",
    "deeds",
    "earlier_version",
    "opinions",
    "carry_out",
    "correct",
    "faults_of",
    "take_back",
}
# Values and adapters that pass a workspace on to a class that is walked.
PASSED_ON = {"LedgerReader", "VectorIndex", "ChromaServerIndex", "PgvectorIndex", "OtherLanguages", "CloseReader"}


def public_methods(owner: type) -> set[str]:
    return {
        f"{owner.__name__}.{name}"
        for name, member in inspect.getmembers(owner)
        if not name.startswith("_") and callable(member)
    }


def test_every_public_method_is_called_across_workspaces_or_exempt_for_a_reason() -> None:
    methods = set().union(*map(public_methods, WALKED)) | FUNCTIONS
    assert methods - set(CALLS) - set(EXEMPT) == set()
    assert (set(CALLS) | set(EXEMPT)) - methods == set()
    assert not set(CALLS) & set(EXEMPT)
    assert all(EXEMPT.values())


def modules_of(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def takes_workspace(member: object) -> bool:
    try:
        return "workspace" in inspect.signature(member).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def test_whatever_takes_a_workspace_is_walked() -> None:
    known = {it.__name__ for it in WALKED} | PASSED_ON
    unknown: set[str] = set()
    for module in (*modules_of(memory), *modules_of(audit)):
        for name, member in inspect.getmembers(module):
            if name.startswith("_") or getattr(member, "__module__", "") != module.__name__:
                continue
            if inspect.isclass(member) and name not in known:
                methods = [it for key, it in inspect.getmembers(member, callable) if not key.startswith("_")]
                if any(map(takes_workspace, methods)):
                    unknown.add(f"{module.__name__}.{name}")
            elif inspect.isfunction(member) and takes_workspace(member) and name not in CALLS:
                unknown.add(f"{module.__name__}.{name}")
    passed = {
        "memory.ledger_reader.within", "memory.finding.rules", "memory.chroma_collections.name_of",
        "memory.catch_up.search", "memory.finding.kept_count", "memory.sqlite.find_keys",
        "memory.postgres_keywords.find_keys", "memory.dialects.Dialect", "audit.pace.pace_of",
    }  # fmt: skip
    assert unknown - passed == set()


@pytest.mark.parametrize("method", CALLS)
def test_a_method_called_from_another_workspace_tells_and_changes_nothing_of_ours(world: World, method: str) -> None:
    before = snapshot(world.ours)
    given_ = repr(CALLS[method](world))
    at = given_.find(SECRET)
    assert at < 0, given_[max(0, at - 300) : at + 200]
    for record_id in world.ours.ids:
        assert f"'{record_id}'" not in given_ or method.startswith("Tools.")
    assert snapshot(world.ours) == before
    assert world.theirs.now_of(world.own)[0].status is Status.ACTIVE


PIECES = st.sampled_from(
    [SECRET, SECRET.lower(), f"{SECRET}%", f"'{SECRET}' OR '1'='1", "ours", "workspace:ours", "*", "\"", "(", "%", "_",
     "\\", "payments app for friends", "NEAR(", "kind:investment", "\x00", "💸", "' UNION SELECT id FROM records --"]
)  # fmt: skip
QUERIES = st.lists(PIECES | st.text(max_size=20), min_size=1, max_size=5).map(" ".join)
FUZZED = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(
    query=QUERIES,
    kinds=st.none() | st.sets(st.sampled_from(Kind)).map(tuple),
    outcome=st.none() | st.sampled_from(Outcome),
    year=st.none() | st.integers(2018, 2023),
    sort=st.sampled_from(["updated", "created", "title", "year", "loss", "confidence", "used"]),
    offset=st.integers(0, 3),
)
@FUZZED
def test_no_search_or_filter_crosses(
    world: World, query: str, kinds: tuple[Kind, ...] | None, outcome: Outcome | None, year: int | None, sort: Any,
    offset: int,
) -> None:  # fmt: skip
    ledger = world.theirs.services.ledger
    page = ledger.find(
        world.space, kinds=kinds, statuses=tuple(Status), search=query, outcome=outcome, year=year, sort=sort,
        offset=offset,
    )  # fmt: skip
    assert {it.workspace for it in page.records} <= {world.space}
    assert page.total <= len(world.theirs.all())
    hits = [it.record_id for kind in Kind for it in ledger.keywords(world.space, kind, query.split(), 99)]
    assert not set(hits) & set(world.ours.ids)


@given(data=st.data(), query=QUERIES, text=st.text(max_size=40))
@FUZZED
def test_no_id_crosses(world: World, data: st.DataObject, query: str, text: str) -> None:
    bent = st.sampled_from([str.upper, str.strip, lambda it: it + " ", lambda it: f"ours.{it}", lambda it: it + "%"])
    taken = data.draw(st.sampled_from(world.ours.ids))
    record_id = data.draw(st.just(taken) | bent.map(lambda bend: bend(taken)) | st.just(text))
    services, space = world.theirs.services, world.space
    assert services.ledger.get(space, [record_id, taken]) == {}
    assert services.ledger.children(space, [record_id]) == services.ledger.descendants(space, record_id) == []
    for attempt in (
        lambda: world.theirs.trust.judge(space, record_id, Judgement(0.0), **_SAID),
        lambda: services.archive.open(space, record_id),
        lambda: services.ledger.set_status(space, record_id, Status.FORGOTTEN, **_SAID),
    ):
        with pytest.raises((StoreError, AuditError)) as caught:
            attempt()
        assert SECRET not in str(caught.value).replace(record_id, "")


@given(query=QUERIES.filter(lambda it: len(it) >= 3), kind=st.sampled_from(["investment", "bug"]))
@settings(FUZZED, max_examples=8)
def test_no_call_of_a_tool_crosses(world: World, query: str, kind: Any) -> None:
    tools = Tools(world.theirs.services)
    found = tools.memory_search(query, kind, top_k=12)
    shown = [*(it.record for it in (*found.records, *found.near)), *found.unverified]
    assert not {it.id for it in shown} & set(world.ours.ids)
    assert found.searched <= len(world.theirs.all())
    with suppress(AuditError):
        mode = INVESTMENT if kind == "investment" else BUG
        recall = world.theirs.audit(mode, text=f"{query} {DECK}").audit.recall
        assert {it.record.workspace for it in recall.candidates} <= {world.space}
