"""History compares two audits of a kind, and a finished audit offers the last one of an earlier version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from audit.compare import compare
from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from tests.ui import samples
from tests.ui.conftest import ROOT
from tests.ui.looking import words
from ui import runtime
from ui.components.comparison import comparison_sentence, moved_figure, moved_sentence
from ui.views.history import first_with_another

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def app(seeded_app: None) -> Iterator[AppTest]:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    yield page
    st.cache_data.clear()


def kept(mode_name: str, text: str, days: int) -> str:
    mode = MODES[mode_name]
    return str(
        run_audit(
            runtime.services(), mode, make_submission(mode, text), now=NOW + timedelta(days=days)
        ).saved_as
    )  # fmt: skip


def history(app: AppTest, **query: str) -> AppTest:
    app.switch_page("pages/4_History.py")
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.parametrize("mode", MODES)
def test_an_address_compares_two_audits_of_either_kind(app: AppTest, mode: str) -> None:
    text = examples(mode)[0].text
    a, b = kept(mode, text, 0), kept(mode, f"{text}\n\n# one more remark of three words", 1)
    shown = words(history(app, a=b, b=a))
    assert not app.exception
    assert "1 passage was rewritten" in shown
    assert re.search(r"\d+ findings? (are|is) the same in both", shown)
    assert "one more remark" in shown


def test_two_audits_are_picked_and_compared_and_the_list_comes_back(app: AppTest) -> None:
    kept("investment", examples("investment")[0].text, 1)
    a = kept("investment", examples("investment")[0].text, 2)
    kept("investment", examples("investment")[1].text, 3)
    app.session_state["compare"] = True
    history(app)
    app.selectbox(key="compare-one").select_index(1).run()
    {it.label: it for it in app.button}["Compare"].click().run()
    assert not app.exception
    chosen = ["".join(app.query_params[name]) for name in ("a", "b")]
    rows = {it.id: it.title for it in runtime.services().archive.list(runtime.settings().workspace)}
    assert chosen[0] == a
    assert rows[chosen[1]] == rows[a], "those of the same title are offered first"
    assert "What moved the score" in words(app)
    {it.label: it for it in app.button}["All audits"].click().run()
    assert len(app.dataframe) == 1
    assert "a" not in app.query_params


def test_the_newest_audit_that_has_another_of_its_kind_is_offered_first(app: AppTest) -> None:
    kept("investment", examples("investment")[0].text, 1)
    kept("investment", examples("investment")[1].text, 2)
    kept("bug", examples("bug")[0].text, 3)
    rows = runtime.services().archive.list(runtime.settings().workspace)
    decks, code = ([it for it in rows if it.mode == mode] for mode in ("investment", "bug"))
    assert first_with_another([code[0], *decks]) == 1
    assert first_with_another([decks[0], code[0]]) == 0


def test_a_deck_and_code_are_refused_in_words(app: AppTest) -> None:
    a, b = kept("investment", examples("investment")[0].text, 4), kept("bug", examples("bug")[0].text, 5)
    history(app, a=a, b=b)
    assert not app.exception
    assert "can only be compared with another of its kind" in words(app)


def test_an_audit_that_is_gone_from_an_address_is_a_calm_message(app: AppTest) -> None:
    history(app, a="aud-1", b="aud-2")
    assert not app.exception
    assert "No saved audit has the id" in words(app)


def test_a_finished_audit_offers_its_earlier_version(app: AppTest) -> None:
    text = "Kelp Rack dries kelp by the sea.\nWe sell to three hotels. Revenue is €4,000 a month.\nTwo founders run it."
    first = kept("investment", text, 6)
    again = kept("investment", f"{text}\nWe raise €200,000.", 7)
    for name, offered in ((again, True), (first, False)):
        app.switch_page("pages/1_Investment_Audit.py")
        app.query_params["audit"] = name
        app.run()
        assert not app.exception
        links = [str(it.proto.label) for it in app.get("page_link")]
        assert any(it.startswith("Compare with the last audit of this deck") for it in links) is offered


def test_the_sentence_says_what_an_unchanged_text_differs_by() -> None:
    one = samples.audit()
    assert "are the same" in comparison_sentence(compare(one, one))
    other = samples.audit(model="local:other", score=40.0)
    said = comparison_sentence(compare(one, other))
    assert "rose by 6.0" in said
    assert "comes from who wrote it" in said
    assert "what your memory held" in comparison_sentence(compare(one, samples.audit(precedents=())))


def test_the_plot_of_moves_holds_every_moved_term_with_its_sign() -> None:
    one = samples.audit()
    lines = (replace(one.score_breakdown[0], points=12.0), *one.score_breakdown[1:-1])
    it = compare(one, samples.audit(score_breakdown=lines, score=45.0))
    figure = moved_figure(it.moved)
    assert sorted(figure.data[0].x) == [3.0, 8.0]
    assert "Past losses like this one** moved the score most (+8.0)" in moved_sentence(it.moved)


def test_an_audit_without_a_score_is_compared_without_one() -> None:
    it = compare(samples.audit(), samples.audit(score_breakdown=(), score=50.0))
    assert not it.moved
    assert "has no score" in comparison_sentence(it)


def test_hostile_words_are_shown_as_text_in_a_comparison(app: AppTest) -> None:
    nasty = samples.NASTY
    a = kept("investment", f"A deck {nasty}\nWe sell kites and have no revenue.", 8)
    b = kept("investment", f"A deck {nasty}\nWe sell kites {nasty} and have revenue of €5.", 9)
    history(app, a=a, b=b)
    for it in app.get("html"):
        assert "<img" not in it.proto.body
        assert "<script" not in it.proto.body
    for it in app.markdown:
        assert not re.search(r"(?<!\\)<img", it.value)
