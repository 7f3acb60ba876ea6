"""The texts to try an audit with."""

from __future__ import annotations

import pytest

from audit.examples import examples
from audit.modes import MODES


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_offers_one_example_with_a_precedent_and_one_without(mode: str) -> None:
    first, second = examples(mode)
    assert first.title != second.title
    assert first.text.strip() and second.text.strip()


def test_titles_are_read_from_the_file_names_in_their_order() -> None:
    assert [it.title for it in examples("investment")] == ["Payments app", "Vertical farming robot"]
    assert [it.title for it in examples("bug")] == ["Login by concatenation", "Login with parameters"]


def test_an_unknown_mode_has_no_examples() -> None:
    with pytest.raises(KeyError):
        examples("../../etc")
