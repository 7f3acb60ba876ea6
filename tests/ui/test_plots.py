"""Every plot stands under its sentence, on the pages where a user would look for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.speech.language import choose
from audit.submission import make_submission
from tests.ui import samples
from tests.ui.looking import words
from ui import formats, runtime
from ui.components import palette
from ui.looks import LOOKS


def alts(page: AppTest) -> list[str]:
    return [str(it.proto.alt) for it in page.get("plotly_chart")]


def test_the_memory_is_seen_in_plots_each_under_its_sentence(memory_page: AppTest) -> None:
    memory_page.segmented_control(key="memory-view").set_value("In plots").run()
    assert not memory_page.exception
    said = words(memory_page)
    seen = alts(memory_page)
    assert len(seen) == 6
    for alt in seen:
        assert alt.strip() and alt in said
    assert "Each mark is one of 7 past investments" in said
    assert "Each mark is one of 7 past bugs" in said


def test_home_shows_the_past_at_a_glance(memory_page: AppTest) -> None:
    memory_page.switch_page("app.py").run()
    assert not memory_page.exception
    assert len(alts(memory_page)) == 2


def test_an_audit_is_placed_among_the_records_when_asked(memory_page: AppTest) -> None:
    for name, mode in MODES.items():
        done = run_audit(
            runtime.services(), mode, make_submission(mode, examples(name)[0].text), now=samples.NOW
        )  # fmt: skip
        memory_page.switch_page(LOOKS[name].place.path)
        memory_page.query_params["audit"] = str(done.saved_as)
        memory_page.run()
        assert "The star is this" not in words(memory_page)
        memory_page.session_state[f"place-{done.saved_as}-open"] = True
        memory_page.run()
        assert not memory_page.exception
        assert f"The star is this {mode.wording.submission}. Of 7" in words(memory_page)


@given(st.floats(-1e9, 0), st.floats(0, 1e9))
def test_an_axis_of_amounts_has_a_few_round_marks_within_its_reach(low: float, high: float) -> None:
    axis = palette.amounts(low, high)
    slack = 1e-6 * max(1.0, high - low)
    assert 0 < len(axis["tickvals"]) <= palette.MOST_TICKS + 1
    assert all(low - slack <= it <= high + slack for it in axis["tickvals"])
    assert len(axis["ticktext"]) == len(axis["tickvals"])


@pytest.mark.parametrize(("tag", "told"), [("en-US", "200K"), ("en-IN", "2L"), ("zh-CN", "20万")])
def test_an_axis_of_amounts_is_written_as_the_locale_writes_it(
    monkeypatch: pytest.MonkeyPatch, tag: str, told: str
) -> None:
    monkeypatch.setattr(formats, "speech", lambda: choose("auto", tag))
    assert told in palette.amounts(-150_000, 900_000)["ticktext"]
