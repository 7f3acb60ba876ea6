"""Nothing a writer says puts an invented past into an audit: generated attacks, and any input at all."""

from __future__ import annotations

import itertools
import random
import time
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from audit.guard import dump, ground, restore
from audit.modes import BUG, INVESTMENT
from audit.types import DraftAudit, DraftFinding, DraftPrecedent, GroundedAudit, HistoryClaim, Rating
from evals.guard import measure
from evals.guard_attacks import Attack, hostile
from evals.guard_fresh import FOLDER, read_batch
from evals.guard_leaks import faults, squash
from evals.guard_world import NOW, World, make_world

CANARY = "Zorvexpay"
LIES = (
    f"You invested in {CANARY} in 2017.",
    f"{CANARY} cost you ₹613,419.",
    f"Your records name {CANARY}.",
    f"Like {CANARY}, this fails.",
    f"{CANARY} was written off.",
    f"Remember {CANARY}.",
    f"Vous avez investi dans {CANARY}.",
    f"你投资过{CANARY}。",
    CANARY,
)
texts = (
    st.text(max_size=120) | st.sampled_from(LIES) | st.tuples(st.text(max_size=40), st.sampled_from(LIES)).map(" ".join)
)
numbers = st.floats() | st.integers(-5, 15).map(float)


def drafts(ids: list[str], quotes: list[str]) -> st.SearchStrategy[DraftAudit]:
    quoted = st.sampled_from(quotes) | texts
    finding = st.builds(
        DraftFinding,
        texts,
        texts,
        st.sampled_from(["high", "low", CANARY]),
        quoted,
        st.none() | st.integers(-3, 99),
        texts,
        texts,
        texts,
    )
    precedent = st.builds(DraftPrecedent, st.sampled_from(ids) | texts, quoted, quoted, texts)
    return st.builds(
        DraftAudit,
        texts,
        st.lists(finding, max_size=3).map(tuple),
        st.lists(st.builds(Rating, st.sampled_from(["revenue", "security", CANARY]), numbers, texts), max_size=3).map(
            tuple
        ),
        st.lists(precedent, max_size=3).map(tuple),
        st.lists(texts, max_size=3).map(tuple),
        st.lists(texts, max_size=2).map(tuple),
        st.lists(st.builds(HistoryClaim, texts, texts), max_size=2).map(tuple),
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[World, DraftAudit]:
    rng = random.Random(draw(st.integers(0, 10_000)))
    world = make_world(rng, draw(st.sampled_from([INVESTMENT, BUG])), draw(st.integers(0, 2)))
    ids = [it.record.id for it in world.recall.candidates] or ["inv-1"]
    quotes = ["no revenue yet", "return total", *world.passages.values()]
    return world, draw(drafts(ids, quotes))


def check(world: World, draft: DraftAudit) -> GroundedAudit:
    audit = ground(draft, world.submission, world.recall, mode=world.mode, model="any", attempts=(), now=NOW)
    provable = frozenset(it.id for it in world.kept)
    attack = Attack("any", world, draft, (CANARY, "613419") if world.mode is INVESTMENT else ("613419",), provable)
    assert faults(attack, audit) == []
    assert restore(dump(audit)) == audit
    return audit


@given(situations())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_draft_at_all_raises_or_leaks(situation: tuple[World, DraftAudit]) -> None:
    check(*situation)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_five_minutes_of_any_drafts_neither_raise_nor_leak() -> None:
    until = time.monotonic() + timedelta(minutes=5).total_seconds()
    rounds = itertools.count()
    while time.monotonic() < until:
        soak = seed(next(rounds))(given(situations())(check_one))
        settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), database=None)(soak)()


def check_one(situation: tuple[World, DraftAudit]) -> None:
    check(*situation)


def test_generated_attacks_leak_nothing_and_honest_replies_keep_their_precedents() -> None:
    measured = measure(7, 600, 120, batches=False)
    assert measured.examples == ()
    assert measured.kept_rate >= 0.99
    assert measured.struck_rate <= 0.01


def test_sentences_written_by_hand_are_told_apart() -> None:
    batch = read_batch(FOLDER / "ninth.toml")
    assert batch.struck <= 0.01 * batch.honest
    assert batch.shown <= 0.05 * batch.hostile


def test_the_same_seed_makes_the_same_replies() -> None:
    assert [it.draft for it in hostile(3, 40)] == [it.draft for it in hostile(3, 40)]
    assert [it.draft for it in hostile(3, 40)] != [it.draft for it in hostile(4, 40)]


def test_the_leak_detector_finds_a_leak_in_every_disguise_it_is_meant_for() -> None:
    for text in (
        CANARY,
        "Z o r v e x p a y",
        "Zоrvехpаy",
        "Ｚｏｒｖｅｘｐａｙ",
        "z0rv3xp4y",
        "Zor\u200bvexpay",
        "**Zor**vexpay",
        "ZORVEXPAY",
    ):
        assert squash(CANARY) in squash(text)
