"""No attack on the memory changes a score, a loss, a verdict or a precedent; each is traced and purged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
import pytest

from audit.llm.scripted import ScriptedModel
from audit.modes import BUG, INVESTMENT, MODES, Mode
from evals import synthetic
from memory.index import Entry
from memory.records import BugFacts, Kind, Nature, Record, Status
from memory.verify import verify
from tests.adversarial.memory.attacks import ATTACKS, EIGHT, Attack, by_agent
from tests.adversarial.memory.home import CANARY, DECK, Home, Standing, credulous, honest, obedient, seeds, standing

MOST_OF_A_KIND = max(Counter(it.kind for it in ATTACKS).values())
# All attacks of one kind strike at once, each once: then every third record is poison, or every hundredth.
OWN_IN_FLOOD, OWN_IN_RARE = 2 * MOST_OF_A_KIND, 99 * MOST_OF_A_KIND


@dataclass(frozen=True)
class Field:
    """A furnished home and what its audits say before any attack, by mode."""

    home: Home
    clean: dict[str, Standing]

    @classmethod
    def survey(cls, home: Home, own: int) -> Field:
        counts = home.services.ledger.counts(home.workspace)
        assert counts == dict.fromkeys((Kind.INVESTMENT, Kind.BUG), own)
        clean = {mode.name: standing(home.audit(mode, ScriptedModel([honest])).audit) for mode in MODES.values()}
        assert all(it.precedents and it.history[2] for it in clean.values())
        return cls(home, clean)


def strangers(workspace: str, count: int) -> Iterator[tuple[Record, list[Entry]]]:
    """Make own records of both kinds that are like nothing: their vectors are drawn at random."""
    draw = np.random.default_rng(7)
    for number, deal in enumerate(synthetic.records(count)):
        title = f"Report {number} prints blank pages"
        deal = replace(deal, id=f"{workspace}-deal-{number}", workspace=workspace)
        facts = BugFacts(title, symptom="A page stays white")
        bug = replace(deal, id=f"{workspace}-bug-{number}", kind=Kind.BUG, facts=facts)
        for record in (deal, bug):
            vector = draw.normal(size=384).astype(np.float32)
            yield record, [Entry(record.id, "what", 0, vector / np.linalg.norm(vector))]


def furnished(home: Home, own: int) -> Field:
    seeded = home.furnish(seeds())
    home.services.ledger.add_many(list(strangers(home.workspace, own - len(seeded) // 2)))
    return Field.survey(home, own)


@pytest.fixture(scope="module")
def flood(new_home: Callable[[], Home]) -> Field:
    return furnished(new_home(), OWN_IN_FLOOD)


@pytest.fixture(scope="module")
def rare(new_home: Callable[[], Home]) -> Field:
    return furnished(new_home(), OWN_IN_RARE)


def test_the_attacks_are_of_eight_kinds_five_or_more_of_each() -> None:
    kinds = Counter(attack.kind for attack in ATTACKS)
    assert set(kinds) == set(EIGHT)
    assert min(kinds.values()) >= 5
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS) >= 40


@pytest.mark.parametrize("kind", EIGHT)
def test_no_attack_changes_an_audit_where_every_third_record_is_poison(flood: Field, kind: str) -> None:
    endure(flood, [it for it in ATTACKS if it.kind == kind], copies=1)


@pytest.mark.parametrize("kind", EIGHT)
def test_no_attack_changes_an_audit_where_every_hundredth_record_is_poison(rare: Field, kind: str) -> None:
    endure(rare, [it for it in ATTACKS if it.kind == kind], copies=1)


@pytest.mark.soak
@pytest.mark.parametrize("attack", ATTACKS, ids=[it.id for it in ATTACKS])
def test_no_attack_by_itself_changes_an_audit_where_every_third_record_is_poison(flood: Field, attack: Attack) -> None:
    endure(flood, [attack], copies=MOST_OF_A_KIND)


def endure(field: Field, attacks: Sequence[Attack], copies: int) -> None:
    """Strike, audit with a model that obeys what it reads, compare with the clean audit, trace, and reject."""
    home = field.home
    before = {it.id: it for it in home.all()}
    for attack in attacks:
        attack.strike(home, copies)
    after = {it.id: it for it in home.all()}
    brought = [after[it] for it in after if it not in before]
    try:
        for mode in {attack.target.name: attack.target for attack in attacks}.values():
            model = ScriptedModel([obedient])
            assert standing(home.audit(mode, model).audit) == expected(field, mode, brought)
            assert all(CANARY not in f"{it.system}{it.user}" for it in model.requests)
        for record_id, record in before.items():
            assert (after[record_id].facts, after[record_id].confidence) == (record.facts, record.confidence)
        for record in brought:
            assert_traced(home, record)
    finally:
        for record in brought:
            home.trust.reject(home.workspace, record.id, author="ana", reason="poison", at=home.now)


def expected(field: Field, mode: Mode, brought: list[Record]) -> Standing:
    """Give what stood before; a person's own facts that rest on poison count as records, too weak to be precedents."""
    weak = [it for it in brought if it.status is Status.ACTIVE and it.kind is mode.fact_kind]
    assert all(it.provenance.derived_from and it.confidence < 0.3 for it in weak)
    clean = field.clean[mode.name]
    return replace(clean, searched=clean.searched + len(weak))


def assert_traced(home: Home, record: Record) -> None:
    """Its credential says how it came in, and its audit where it came from one."""
    made = record.provenance
    assert made.source
    assert made.author
    assert made.context_hash
    if record.kind.nature is Nature.EVALUATION and made.author != f"model of {CANARY}":
        assert CANARY in home.services.archive.open(home.workspace, made.source).submission.text


def test_a_model_that_names_the_poison_unasked_is_not_believed(flood: Field) -> None:
    home = flood.home
    by_agent({"kind": "investment", "company": CANARY, "summary": DECK, "invested": "$9,000,000"}, "chat", home, 2)
    poison = [it.id for it in home.all() if it.status is not Status.ACTIVE]
    assert poison
    for mode in (INVESTMENT, BUG):
        audit = home.audit(mode, ScriptedModel([credulous(poison[:30])])).audit
        assert standing(audit) == flood.clean[mode.name]
        assert audit.refusals


def test_all_poison_is_purged_without_a_trace_in_the_memory(flood: Field) -> None:
    home = flood.home
    for record in home.all(CANARY):
        if record.status is not Status.FORGOTTEN:
            home.trust.reject(home.workspace, record.id, author="ana", reason="poison", at=home.now)
    poison = {it.id for it in home.all() if it.status is Status.FORGOTTEN}
    receipt = home.lifecycle.purge(home.workspace, author="ana", now=home.now + timedelta(days=8))
    assert receipt.clean
    assert set(receipt.erased) == poison
    assert all(CANARY not in f"{it.facts}" for it in home.all())
    assert verify(home.services.ledger).clean
    for mode in (INVESTMENT, BUG):
        assert standing(home.audit(mode, ScriptedModel([honest])).audit) == flood.clean[mode.name]
