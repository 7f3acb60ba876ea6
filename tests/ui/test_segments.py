"""Cutting a text into marked pieces loses nothing and marks nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.components.segments import Mark, segments
from ui.components.syntax import tokens

marks = st.lists(
    st.builds(Mark, st.text("abc", min_size=1, max_size=2), st.integers(-3, 60), st.integers(-3, 60), st.just("high")),
    max_size=6,
)


@given(st.text(max_size=50), marks)
def test_the_pieces_joined_are_the_text(text: str, given_marks: list[Mark]) -> None:
    assert "".join(it.text for it in segments(text, given_marks)) == text


@given(st.text(max_size=50), marks)
def test_a_piece_is_covered_by_exactly_the_marks_that_reach_over_it(text: str, given_marks: list[Mark]) -> None:
    at = 0
    for piece in segments(text, given_marks):
        for place in range(at, at + len(piece.text)):
            over = sorted(it.id for it in given_marks if it.start <= place < it.end)
            assert sorted(it.id for it in piece.marks) == over
        at += len(piece.text)


def test_syntax_classes_and_marks_hold_at_once() -> None:
    code = 'return "a" + name  # join'
    pieces = segments(code, [Mark("f0", 7, 17, "high")], tokens(code, "python"))
    assert "".join(it.text for it in pieces) == code
    looks = {it.text: (it.style, [mark.id for mark in it.marks]) for it in pieces}
    assert looks["return"] == ("keyword", [])
    assert looks["# join"] == ("comment", [])
    assert any(style == "string" and ids == ["f0"] for style, ids in looks.values())


def test_a_language_nobody_knows_is_shown_without_colours() -> None:
    assert tokens("anything", "klingon") == ()


def test_each_audited_language_has_colours() -> None:
    for language in ("python", "javascript", "typescript", "java", "go", "php", "c", "csharp", "ruby"):
        assert tokens('x = "text"; return 1;', language), language
