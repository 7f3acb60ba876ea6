"""The golden sets, through the real analysts and the real recall: exact answers for the obvious cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.__main__ import main
from evals.bugs import rows as bug_rows
from evals.dataset import DataSet, find_sets
from evals.decks import rows as deck_rows
from evals.memory import NOW, Remembering, asked_all
from evals.outcome import Outcome
from memory.embed import MiniLmEmbedder
from memory.report import Decision

GOLDEN = Path(__file__).parent.parent / "golden"
# Insects bred for fish feed and seaweed farmed for carbon: near enough that a person may want to see it.
ARGUABLE = {"n04"}


def answers(name: str) -> dict[str, Outcome]:
    (data,) = find_sets(GOLDEN / name, NOW)
    return {it.query.id: it for it in asked_all(data, Remembering(MiniLmEmbedder()))}


@pytest.fixture(scope="module")
def decks() -> dict[str, Outcome]:
    return answers("investments")


@pytest.fixture(scope="module")
def bugs() -> dict[str, Outcome]:
    return answers("bugs")


def shown(it: Outcome) -> list[str]:
    return [seen.record_id for seen in it.shown(Decision.KEPT)]


def test_there_are_forty_queries_a_mode() -> None:
    sets: dict[str, DataSet] = {it.name: it for it in find_sets(GOLDEN, NOW)}
    assert len(sets["investments"].queries) == len(sets["bugs"].queries) == len(sets["secure"].queries) == 40
    assert sum(it.type == "pos_chinese" for it in sets["languages"].queries) == 20


def test_every_deck_with_a_precedent_has_it_first(decks: dict[str, Outcome]) -> None:
    assert {name for name, it in decks.items() if it.has and it.rank() != 1} == set()


def test_the_precedent_of_a_deck_is_shown_as_one(decks: dict[str, Outcome]) -> None:
    with_one = [it for it in decks.values() if it.has]
    right = [it for it in with_one if it.query.gold & set(shown(it))]
    assert len(right) >= len(with_one) - 1


def test_decks_without_a_precedent_get_none(decks: dict[str, Outcome]) -> None:
    assert {name for name, it in decks.items() if not it.has and shown(it)} <= ARGUABLE


def test_a_same_name_company_in_another_business_is_not_shown(decks: dict[str, Outcome]) -> None:
    assert shown(decks["n11"]) == []


def test_flawed_code_is_confirmed_by_the_past_bug_of_its_kind(bugs: dict[str, Outcome]) -> None:
    unconfirmed = {name for name, it in bugs.items() if it.has and not it.query.gold & set(shown(it))}
    assert unconfirmed == set()


def test_clean_and_repaired_code_confirms_nothing(bugs: dict[str, Outcome]) -> None:
    assert {name: shown(it) for name, it in bugs.items() if not it.has and shown(it)} == {}


def test_the_floors_hold_on_the_golden_sets(decks: dict[str, Outcome], bugs: dict[str, Outcome]) -> None:
    rows = [*deck_rows(list(decks.values())), *bug_rows(list(bugs.values()))]
    assert [row.name for row in rows if row.verdict == "below"] == []


def test_a_folder_without_data_is_skipped_with_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--data", str(tmp_path)]) == 1
    assert "skipped" in capsys.readouterr().err
