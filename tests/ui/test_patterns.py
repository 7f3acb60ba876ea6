"""The Track record shows patterns as labelled observations, with their records, and says where there are too few."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from audit.decisions import Settled
from memory.patterns import Form, Pattern, Trait
from memory.records import BugFacts, Door, InvestmentFacts, Kind, Outcome
from tests.ui import samples
from tests.ui.conftest import ROOT
from tests.ui.looking import words
from ui import runtime
from ui.components.forecasts import group_rows
from ui.components.memory_map import map_now
from ui.components.patterns import chance_words, pattern_sentence

THINGS = (
    "Kites", "Bread", "Ferries", "Lamps", "Tunnels", "Violins", "Vaccines", "Carpets", "Radios", "Oysters", "Helmets",
    "Bridges", "Perfume", "Tractors", "Puzzles", "Glaciers", "Hammers", "Tulips", "Anchors", "Muffins", "Rockets",
    "Blankets", "Compasses", "Saddles",
)  # fmt: skip


@pytest.fixture
def patterns_page(seeded_app: None) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page("pages/5_Track_Record.py")
    app.query_params["view"] = "patterns"
    return app.run()


def test_a_small_memory_is_told_that_there_are_too_few_to_say(patterns_page: AppTest) -> None:
    assert not patterns_page.exception
    shown = words(patterns_page)
    assert "never a precedent" in shown
    assert "Too few to say" in shown
    assert "7 / 10" in shown
    assert "Which kinds end badly: 7 of your past bugs have a known ending." in shown


def test_a_pattern_is_shown_with_its_records_and_the_rest_as_chance(patterns_page: AppTest) -> None:
    services = runtime.services()
    head = services.ledger.head()
    drawn = map_now(Kind.INVESTMENT)
    assert map_now(Kind.INVESTMENT) is drawn, "a map is laid out once"
    for at in range(24):
        lost = at % 2 == 0
        facts = InvestmentFacts(
            f"Firm {at}", "payments" if lost else "farming", f"{THINGS[at]} for {THINGS[-at - 1]}.", 2000 + at,
            outcome=Outcome.SHUT_DOWN if lost else Outcome.EXITED,
        )  # fmt: skip
        services.intake.remember(
            services.workspace, Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="person", now=samples.NOW
        )
    assert services.ledger.head() > head
    assert len(map_now(Kind.INVESTMENT).records) == len(drawn.records) + 24, "and again after a change"
    stood = services.ledger.head()
    patterns_page.run()
    assert not patterns_page.exception
    shown = words(patterns_page)
    assert "payments ended badly more often than the rest: 12 of 12" in shown
    assert "observation, derived" in shown
    links = [str(it.proto.label) for it in patterns_page.get("page_link")]
    assert any("Firm 22" in it for it in links)
    assert services.ledger.head() == stood, "a pattern is never stored"


@pytest.mark.parametrize("kind", [Kind.INVESTMENT, Kind.BUG])
@pytest.mark.parametrize("form", list(Form))
def test_every_form_is_said_in_words_for_every_kind(kind: Kind, form: Form) -> None:
    traits = {
        Form.ENDINGS: Trait.SECTOR, Form.REPEATS: Trait.CAUSE, Form.STREAKS: Trait.ORDER, Form.SEASONS: Trait.MONTH,
    }  # fmt: skip
    for worse in (True, False):
        it = Pattern(kind, form, traits[form], "12", ("a",), 4, 9, 1.5, worse, 0.01)
        said = pattern_sentence(it)
        assert "4" in said and "1.5" in said and "{" not in said
    assert ("December" in said) is (form is Form.SEASONS)


def test_a_groups_name_is_shown_as_text() -> None:
    it = Pattern(Kind.INVESTMENT, Form.ENDINGS, Trait.SECTOR, samples.NASTY, (), 4, 9, 1.5, True, 0.01)
    assert "<img" not in pattern_sentence(it).replace("\\<", "")


@pytest.mark.parametrize(("chance", "said"), [(0.00001, "under 0.01%"), (0.004, "0.40%"), (0.03, "3.0%"), (0.4, "40%")])
def test_a_chance_is_never_rounded_to_nothing(chance: float, said: str) -> None:
    assert chance_words(chance) == said


def test_forecasts_are_grouped_by_writer_kind_and_sector_and_small_groups_are_not_scored() -> None:
    one = Settled("a", "investment", "Deck", "rules", 70.0, "Promising", samples.NOW, True, "inv-1", samples.NOW)
    bug = Settled("b", "bug", "Code", "m", 20.0, "Fix", samples.NOW, False, "bug-1", samples.NOW)
    rows = group_rows([one] * 10 + [bug], {"inv-1": samples.payments(), "bug-1": samples.injection()})
    by = {it["Group"]: (it["Outcomes"], it["Brier score"]) for it in rows}
    assert by["payments"] == (10, "0.09 (0.09 to 0.09)")
    assert by["CWE-89"] == (1, "too few to say")
    assert by["rule analyst"][0] == 10
    gone = group_rows([bug], {"bug-1": samples.record("bug-1", Kind.BUG, BugFacts("B"))})
    assert gone[-1]["Group"] == "none recorded"
