"""Regular expressions that do not compile, and those that can take exponential time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.code.patterns import is_invalid, is_slow


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(a+)+$",
        r"(a|a)*",
        r"(\w+\s?)*$",
        r"(\d+,?)+",
        r"([a-zA-Z]+)*",
        r"(\d|\w)*",
        r"(x+x+)+y",
        r"^(([a-z])+.)+[A-Z]$",
        r"(.*a){20}",
    ],
)
def test_an_ambiguous_repetition_is_slow(pattern: str) -> None:
    assert is_slow(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^\w+@\w+\.\w+$",
        r"([a-z]+\.)*",
        r'("[^"]*")*',
        r"(a|b)*",
        r"(\s*\w+\s*,)*",
        r"^(\d{1,3}\.){3}\d{1,3}$",
        r"(?:[^\\]|\\.)*",
        r"(a++)+",
    ],
)
def test_a_repetition_with_a_fixed_separator_is_not_slow(pattern: str) -> None:
    assert not is_slow(pattern)


@pytest.mark.parametrize(
    ("pattern", "invalid"),
    [
        ("(", True),
        ("*a", True),
        ("[a", True),
        ("a)", True),
        ("\\", True),
        ("[(]", False),
        ("(?:a|b)+", False),
        ("a*?", False),
    ],
)
def test_a_pattern_that_opens_what_it_does_not_close_is_invalid(pattern: str, invalid: bool) -> None:
    assert is_invalid(pattern) is invalid


@given(st.text(alphabet="ab()[]{}|*+?\\^$-.1,:=!<>", max_size=80))
def test_any_pattern_is_judged(pattern: str) -> None:
    assert is_slow(pattern) in {True, False}
    assert is_invalid(pattern) in {True, False}
