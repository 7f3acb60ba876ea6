"""No attack on the memory changes a score, a loss, a verdict or a precedent; each is traced and purged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from audit.llm.scripted import ScriptedModel
from audit.modes import BUG, INVESTMENT, MODES
from evals import synthetic
from memory.records import BugFacts, Facts, Kind, Nature, Record, Status
from memory.verify import verify
from tests.adversarial.memory.attacks import ATTACKS, EIGHT, Attack
from tests.adversarial.memory.home import CANARY, Home, Standing, credulous, honest, obedient, seeds, standing

RARE, FLOOD = "1 in 100", "1 in 3"
COPIES = {RARE: 1, FLOOD: 4}
OWN_OF_A_KIND = {RARE: 99, FLOOD: 8}


def furniture(of_a_kind: int) -> list[tuple[Kind, Facts]]:
    """Make own records up to a number of each kind: the seeds and some strangers."""
    own = seeds()
    strangers = synthetic.records(of_a_kind)
    for number, it in zip(range(of_a_kind - 7), strangers, strict=False):
        own.append((Kind.INVESTMENT, it.facts))
        own.append((Kind.BUG, BugFacts(f"Report {number} prints blank pages", symptom=f"Page {number} stays white")))
    return own


@dataclass(frozen=True)
class Field:
    """A furnished home and what its audits say before any attack, by mode."""

    home: Home
    copies: int
    clean: dict[str, Standing]


@pytest.fixture(scope="module", params=[RARE, FLOOD])
def battle(request: pytest.FixtureRequest, new_home: Callable[[], Home]) -> Field:
    home = new_home()
    home.furnish(furniture(OWN_OF_A_KIND[request.param]))
    counts = home.services.ledger.counts(home.workspace)
    assert counts == dict.fromkeys((Kind.INVESTMENT, Kind.BUG), OWN_OF_A_KIND[request.param])
    clean = {mode.name: standing(home.audit(mode, ScriptedModel([honest])).audit) for mode in MODES.values()}
    assert all(it.precedents and it.history[2] for it in clean.values())
    return Field(home, COPIES[request.param], clean)


def test_the_attacks_are_of_eight_kinds_five_or_more_of_each() -> None:
    kinds = Counter(attack.kind for attack in ATTACKS)
    assert set(kinds) == set(EIGHT)
    assert min(kinds.values()) >= 5
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS) >= 40


@pytest.mark.parametrize("attack", ATTACKS, ids=[it.id for it in ATTACKS])
def test_no_attack_changes_an_audit_and_all_of_it_is_traced(battle: Field, attack: Attack) -> None:
    home = battle.home
    before = {it.id: it for it in home.all()}
    attack.strike(home, battle.copies)
    after = {it.id: it for it in home.all()}
    brought = [after[it] for it in after if it not in before]
    try:
        model = ScriptedModel([obedient])
        found = standing(home.audit(attack.target, model).audit)
        assert found == expected(battle, attack, brought)
        assert all(CANARY not in f"{it.system}{it.user}" for it in model.requests)
        for record_id, record in before.items():
            assert (after[record_id].facts, after[record_id].confidence) == (record.facts, record.confidence)
        for record in brought:
            assert_traced(home, record)
    finally:
        for record in brought:
            home.trust.reject(home.workspace, record.id, author="ana", reason=f"poison: {attack.id}", at=home.now)


def expected(battle: Field, attack: Attack, brought: list[Record]) -> Standing:
    """Give what stood before; a person's own facts that rest on poison count as records, too weak to be precedents."""
    weak = [it for it in brought if it.status is Status.ACTIVE and it.kind.nature is Nature.FACT]
    assert all(it.provenance.derived_from and it.confidence < 0.3 for it in weak)
    clean = battle.clean[attack.target.name]
    return replace(clean, searched=clean.searched + len(weak))


def assert_traced(home: Home, record: Record) -> None:
    """Its credential says how it came in, and its audit where it came from one."""
    made = record.provenance
    assert made.source
    assert made.author
    assert made.context_hash
    if record.kind.nature is Nature.EVALUATION and made.author != f"model of {CANARY}":
        assert CANARY in home.services.archive.open(home.workspace, made.source).submission.text


def test_a_model_that_names_the_poison_unasked_is_not_believed(battle: Field) -> None:
    home = battle.home
    poison = [it.id for it in home.all() if it.status is not Status.ACTIVE]
    for mode in (INVESTMENT, BUG):
        audit = home.audit(mode, ScriptedModel([credulous(poison[:30])])).audit
        assert standing(audit) == battle.clean[mode.name]
        assert audit.refusals


def test_all_poison_is_purged_without_a_trace_in_the_memory(battle: Field) -> None:
    home = battle.home
    poison = {it.id for it in home.all() if it.status is Status.FORGOTTEN}
    later = home.now + timedelta(days=8)
    receipt = home.lifecycle.purge(home.workspace, author="ana", now=later)
    assert receipt.clean
    assert set(receipt.erased) == poison
    assert not home.all(CANARY)
    assert all(CANARY not in f"{it.facts}" for it in home.all())
    assert verify(home.services.ledger).clean
    for mode in (INVESTMENT, BUG):
        assert standing(home.audit(mode, ScriptedModel([honest])).audit) == battle.clean[mode.name]
