"""A quote is found verbatim after folding, or it is not found."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.folding import fold, fold_text, skeleton, visible
from audit.quotes import Source, find_quote, substantial

TEXT = "We grew 50% (approx. 40,000 users) — “fast”, said Zoë.\nC++: a+b(c) [x]\\d{2} $^ costs ₹50,000 a month."


@pytest.mark.parametrize(
    "quote",
    [
        "50% (approx",
        "a+b(c",
        "[x]\\d{2} $^",
        "“fast”, said",
        '"fast", said',
        "WE GREW 50%",
        "said zoë",
        "said Zoe\u0308",
        "approx. 40,000\u00a0users",
        "approx.\n  40,000 users",
        "“We grew 50%”",
        "costs ₹50,000 a month.",
        "fa\u200bst",
        "C++: a+b(c)",
    ],
)
def test_a_quote_is_found_whatever_its_case_quote_marks_white_space_or_form(quote: str) -> None:
    span = find_quote(quote, TEXT)
    assert span is not None
    found = fold_text(TEXT[span.start : span.end])
    assert found.strip("\"'. ") == fold_text(quote).strip("\"'. ")


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " ",
        "...",
        "we grew 51%",
        "grew fast",
        "e grew 50",
        "costs ₹50",
        "costs ₹50,00",
        "0,000 users",
        "said Zoe",
        "month. We",
    ],
)
def test_a_quote_that_is_changed_cut_or_stitched_is_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None


def test_two_parts_of_four_words_may_be_joined_in_order_by_an_ellipsis() -> None:
    text = "one two three four five six seven eight nine ten"
    assert find_quote("one two three four … seven eight nine ten", text) is not None
    assert find_quote("one two three four [...] seven eight nine ten", text) is not None
    assert find_quote("one two three … seven eight nine ten", text) is None
    assert find_quote("seven eight nine ten … one two three four", text) is None
    assert find_quote("one two three four … three four five six", text) is None
    assert find_quote("one two three four … five six seven eight … seven eight nine ten", text) is None


def test_the_span_points_into_the_text_as_it_was_pasted() -> None:
    text = "\u200b  Straße — ﬁne\u202e  №5  ends"
    span = find_quote("strasse - fine", text)
    assert span is not None
    assert text[span.start : span.end] == "Straße — ﬁne"


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_any_stretch_between_spaces_is_found_and_folds_to_itself(text: str, start: int, length: int) -> None:
    words = text.split()
    quote = " ".join(words[start % (len(words) + 1) :][: length % 7 + 1])
    folded = fold_text(quote).strip(" \"'.,;:!?")
    found = Source(text).find(quote)
    if re.search(r"[^\W_]", folded) and "..." not in folded and found is not None:
        assert folded in fold_text(text[found.span.start : found.span.end]) or folded in fold_text(found.text)


@given(st.text(max_size=300))
def test_folding_keeps_an_offset_for_every_character(text: str) -> None:
    folded = fold(text)
    assert folded.text == fold_text(text)
    assert len(folded.offsets) == len(folded.text) + 1
    assert list(folded.offsets) == sorted(folded.offsets)


@given(st.text(max_size=300))
def test_no_text_makes_folding_or_reading_fail(text: str) -> None:
    skeleton(text)
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x7f]", visible(text))


def test_a_quote_says_enough_from_three_words_or_two_that_mean_something() -> None:
    for enough in ("no revenue yet", "single founder", "eval(request.data)", "os.system(cmd)", "没有任何收入"):
        assert substantial(enough)
    for little in ("", "the", "of the", "a b c", "we", "Outcome:", "revenue", "it is the", "收入"):
        assert not substantial(little)


def test_finding_is_linear_in_hostile_text() -> None:
    began = time.process_time()
    Source("a " * 200_000).find("a " * 1500 + "b")
    Source("aaaa" * 100_000).find("aaa")
    Source("1,1" * 100_000).find("1,1")
    assert time.process_time() - began < 3
