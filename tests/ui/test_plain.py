"""Untrusted words shown as Markdown or HTML stay words."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ui.plain import UNSEEN, as_html, as_markdown, revealed, shorten


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=80))
def test_markdown_gives_back_the_words_and_nothing_else(text: str) -> None:
    [paragraph] = [it for it in MarkdownIt("commonmark").parse(as_markdown(text)) if it.type == "inline"] or [None]
    if paragraph is None:
        assert not text.split()
        return
    shown = "".join(it.content for it in paragraph.children)
    assert {it.type for it in paragraph.children} <= {"text", "text_special"}
    assert shown.replace("\u2060", "") == " ".join(text.replace("\u2060", "").split())


def test_html_cannot_leave_its_element_or_attribute() -> None:
    assert not set("<>\"'") & set(as_html("<b a=\"1\" c='2'>"))


@given(st.text(max_size=200), st.integers(1, 60))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    assert len(shorten(text, width)) <= width


@given(st.text("ab \u202e\u2066\u200b\u00ad\U000e0041é👩‍🚀", max_size=30))
def test_no_mark_that_turns_or_hides_text_stays_unseen(text: str) -> None:
    shown = revealed(text)
    assert not UNSEEN.search(shown)
    assert shown.count("⟨U+202E⟩") == text.count("\u202e")
    assert UNSEEN.sub("", text) == re.sub("⟨U\\+[0-9A-F]+⟩", "", shown)
