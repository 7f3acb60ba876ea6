"""An opinion repeated a thousand times stays one: no confidence rises, no past appears, no real record sinks."""

from __future__ import annotations

import pytest

from audit.archive import Exchange
from audit.llm.scripted import ScriptedModel
from audit.modes import BUG, INVESTMENT, Mode
from memory.confidence import FIRST, RETAINED
from memory.errors import RecordInvalid
from memory.index import Entry
from memory.records import Door, Kind, Nature, Note, Origin, Record
from memory.report import RecallQuery, RecallReport
from memory.verify import verify
from tests.adversarial.memory.home import CODE, DECK, Home, credulous, honest, seeds, standing


def keep_many(home: Home, mode: Mode, times: int) -> list[Record]:
    """Keep one audit many times as the service does, with its evaluations embedded once and stored in one go."""
    services = home.services
    done = home.audit(mode, save=True)
    first = services.ledger.find(home.workspace, kinds=[mode.evaluation_kind]).records[0]
    entries = services.intake.embed([first])[0]
    made: list[Record] = []
    with services.ledger.transaction() as tx:
        for _ in range(times - 1):
            saved_as = services.archive.save(home.workspace, done.audit, Exchange("", ""), tx=tx)
            made.append(
                services.intake.check(
                    home.workspace, mode.evaluation_kind, first.facts, door=Door.AUDIT, source=saved_as,
                    author="rules", now=home.now, tx=tx,
                )
            )  # fmt: skip
        copies = [[Entry(it.id, entry.facet, entry.passage, entry.vector) for entry in entries] for it in made]
        services.intake.store(made, copies, tx=tx)
    return [first, *made]


def rank(report: RecallReport, title: str) -> tuple[int, float]:
    """Give the place and the chance of a real record among what recall kept."""
    return next((at, it.probability) for at, it in enumerate(report.kept) if it.record.title == title)


@pytest.mark.parametrize(
    ("mode", "text", "real", "times"),
    [(INVESTMENT, DECK, "PaisaLoop", 1_000), (BUG, CODE, "SQL injection in the customer login", 100)],
)
def test_an_audit_kept_a_thousand_times_changes_nothing(
    home: Home, mode: Mode, text: str, real: str, times: int
) -> None:
    home.furnish(seeds())
    clean = home.audit(mode, ScriptedModel([honest]))
    kept = keep_many(home, mode, times)
    assert home.services.archive.count(home.workspace, mode.name) == times
    assert home.services.ledger.counts(home.workspace)[mode.evaluation_kind] == times
    assert {it.confidence for it in kept} == {FIRST[Origin.MODEL_REASONING]} == {0.6}

    # Asked for by their own kind, they are no history; nor can they enter as a fact.
    asked = RecallQuery(home.workspace, (mode.evaluation_kind, mode.fact_kind), text, needs_cue=False)
    report = home.services.recaller.recall(asked, home.now)
    assert all(it.record.kind.nature is Nature.FACT for it in report.candidates)
    with pytest.raises(RecordInvalid):
        home.remember(mode.fact_kind, home.now_of(kept[0])[0].facts, Door.AUDIT, kept[0].provenance.source)

    # Derived from all of them, whatever it is made into, it is worth less than the least of them.
    sources = [it.id for it in kept]
    note = Note("Sum of all audits", "Observation", "A thousand audits agree that this kind of thing loses money")
    for kind, content in ((Kind.OBSERVATION, note), (Kind.PREFERENCE, note)):
        child = home.remember(kind, content, derived_from=sources)
        assert child.confidence == pytest.approx(0.6 * RETAINED)
        again = home.remember(kind, content, derived_from=[child.id] * 3 + sources)
        assert again.confidence == pytest.approx(0.6 * RETAINED * RETAINED)

    # Audited again, also by a model that insists on them, the answer is the one before.
    for model in (ScriptedModel([honest]), ScriptedModel([credulous(sources[:30])])):
        later = home.audit(mode, model)
        assert standing(later.audit) == standing(clean.audit)
        assert rank(later.audit.recall, real) == rank(clean.audit.recall, real)
    assert {it.confidence for it in home.now_of(*kept)} == {0.6}
    assert verify(home.services.ledger).clean


def test_what_is_concluded_from_an_audit_again_and_again_is_worth_less_each_time(home: Home) -> None:
    """A chain in which each step cites all before it only falls."""
    home.audit(INVESTMENT, save=True)
    sources = list(home.all())
    for step in range(25):
        note = Note(f"Step {step}", "Observation", f"Conclusion {step} follows from everything before it")
        made = home.remember(Kind.OBSERVATION, note, derived_from=[it.id for it in sources])
        assert made.confidence == pytest.approx(0.6 * RETAINED ** (step + 1))
        sources.append(made)
