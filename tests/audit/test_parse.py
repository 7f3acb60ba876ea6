"""Whatever a model writes becomes a draft or a BadReply; no claim about the past is lost on the way."""

from __future__ import annotations

import contextlib
import json
import math
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.json_values import LONGEST_TEXT, rating_value
from audit.llm.errors import BadReply
from audit.modes import BUG, INVESTMENT, MODES, Mode
from audit.parse import MOST_CLAIMS, MOST_FINDINGS, parse
from audit.types import DraftAudit
from memory.records import SEVERITIES

AUDIT: dict[str, Any] = {
    "summary": "A payments deck.",
    "findings": [
        {
            "subject": "revenue",
            "title": "No price",
            "severity": "high",
            "quote": "We charge nobody.",
            "explanation": "Nobody pays.",
            "fix": "Name a price.",
        }
    ],
    "ratings": [{"dimension": "revenue", "value": 2, "reason": "No price."}],
    "precedents": [
        {"record_id": "r1", "record_quote": "never monetised", "submission_quote": "We charge nobody.", "why": "Alike."}
    ],
    "advice": ["Name a price."],
    "questions": ["Who pays?"],
}


def read(value: Any, mode: Mode = INVESTMENT) -> DraftAudit:
    return parse(value if isinstance(value, str) else json.dumps(value), mode)


def claims(draft: DraftAudit) -> dict[str, str]:
    return {it.field: it.text for it in draft.history_claims}


def test_a_reply_of_the_form_asked_for_is_read_whole() -> None:
    draft = read(AUDIT)
    assert draft.summary == "A payments deck."
    assert (draft.findings[0].subject, draft.findings[0].severity) == ("revenue", "high")
    assert draft.findings[0].quote == "We charge nobody."
    assert draft.ratings[0].value == 2
    assert draft.precedents[0].record_id == "r1"
    assert (draft.advice, draft.questions) == (("Name a price.",), ("Who pays?",))
    assert draft.history_claims == ()


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "Sure! Here is the audit: {}",
        "```json\n{}\n```\nLet me know!",
        '<think>Maybe {{"summary": "wrong"}}? </think>\n{}',
        "<THINK>never closed? no</THINK>{}",
        "\ufeff\n\n{}\n\n",
        'The form is {{"type": "object"}} and my answer is {}',
        "{{ not json }} {}",
        '{{"audit": {}}}',
    ],
)
def test_the_audit_is_cut_out_of_what_stands_around_it(wrapped: str) -> None:
    assert read(wrapped.format(json.dumps(AUDIT))) == read(AUDIT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "null",
        "[]",
        "7",
        "I'm sorry, I can't help with that.",
        "{}",
        '{"summary": ""}',
        '{"summary": null, "findings": null, "ratings": {}}',
        '{"unrelated": "field"}',
        '{"similar_idea_found": true, "historical_loss": "₹50,000"}',
        '{"summary": "cut off in the mid',
        '{"summary": "x", "findings": [{"subject": "revenue", "title": "a complete inner object"}',
        "<think>" + json.dumps(AUDIT),
        "{" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000,
        "9" * 150_000,
    ],
)
def test_what_holds_no_audit_is_a_bad_reply(text: str) -> None:
    with pytest.raises(BadReply):
        read(text)


def test_a_reply_of_any_length_is_read_or_refused_quickly() -> None:
    for text in (
        "{" + '"' * 190_000,
        '{"' * 99_000,
        '{"summary":"' + "x" * 180_000 + '"}',
        " " * 10_000_000,
        "{ }" * 60_000,
    ):
        began = time.monotonic()
        with contextlib.suppress(BadReply):
            assert len(read(text).summary) <= 6_000
        assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ({"revenue": 7}, {"revenue": 7}),
        ({"revenue": "7/10", "team": "55%", "market": "8,5"}, {"revenue": 7, "team": 5.5, "market": 8.5}),
        ({"Revenue and unit economics": {"score": 40, "why": "x"}}, {"revenue": 4}),
        ([{"name": "TEAM", "rating": "3 out of 5"}], {"team": 6}),
        ([{"dimension": "revenue", "value": 1e308}, {"dimension": "team", "value": -3}], {}),
        ([{"dimension": "revenue", "value": True}, {"dimension": "team", "value": "high"}], {}),
        ([{"dimension": "invented", "value": 7}], {}),
        ("7/10 overall", {}),
        ([{"dimension": "team", "value": 3}, {"dimension": "team", "value": 9}], {"team": 3}),
        (None, {}),
    ],
)
def test_ratings_are_read_in_any_shape_and_only_on_their_scale(ratings: Any, expected: dict[str, float]) -> None:
    draft = read({"summary": "x", "ratings": ratings})
    assert {it.dimension: it.value for it in reversed(draft.ratings)} == expected


def test_infinities_and_numbers_beyond_all_measure_are_no_ratings() -> None:
    text = '{"summary": "x", "ratings": {"revenue": Infinity, "team": NaN, "market": ' + "9" * 5000 + "}}"
    assert read(text).ratings == ()


def test_findings_are_read_in_any_shape() -> None:
    draft = read(
        {
            "summary": ["Two", "lines"],
            "findings": [
                "SQL built by hand",
                {"cwe": "CWE-89", "name": "Injection", "level": "SEVERE", "line_number": "L12", "code": "a = b\n  c"},
                {"title": "T", "line": 3.0, "severity": None, "description": "D", "recommendation": "R"},
                {"title": "Negative", "line": -4, "severity": ["x"]},
                None,
                7,
                {},
                [],
            ],
            "advice": "Use parameters.",
            "questions": {"text": "Who calls it?"},
        },
        BUG,
    )
    first, second, third, fourth, number = draft.findings
    assert (first.title, first.severity) == ("SQL built by hand", "medium")
    assert (second.subject, second.severity, second.line, second.quote) == ("CWE-89", "critical", 12, "a = b\n  c")
    assert (third.line, third.severity, third.explanation, third.fix) == (3, "medium", "D", "R")
    assert fourth.line is None
    assert number.title == "7"
    assert draft.summary == "Two\nlines"
    assert (draft.advice, draft.questions) == (("Use parameters.",), ("Who calls it?",))


def test_findings_keyed_by_subject_are_read() -> None:
    draft = read({"findings": {"revenue": {"title": "No price"}, "team": {"title": "One founder"}}})
    assert [(it.subject, it.title) for it in draft.findings] == [("revenue", "No price"), ("team", "One founder")]


def test_every_field_that_claims_a_past_is_kept_as_a_claim_wherever_it_stands() -> None:
    draft = read(
        AUDIT
        | {
            "similar_idea_found": True,
            "historical_loss": "₹50,000 in 2022",
            "similar_past_cases": [
                {"company": "PayLoop", "loss": 50_000, "deep": {"er": ["You lost it all"]}},
                "Quibi",
            ],
            "Score": 3,
            "findings": [{"title": "T", "precedent": "as with your 2021 bet", "subject": {"past": "again"}}],
            "ratings": {"revenue": {"value": 2, "history": "like Quibi"}, "karma": "as in 2019"},
            "precedents": [{"record_id": "r1", "year": 2022, "outcome": "shut down"}, "your Quibi investment", 7],
            "advice": [{"text": "Pass.", "because": "you lost on this"}, ["you", {"lost": "twice"}]],
        }
    )
    assert claims(draft) == {
        "similar_idea_found": "true",
        "historical_loss": "₹50,000 in 2022",
        "similar_past_cases[0].company": "PayLoop",
        "similar_past_cases[0].loss": "50000",
        "similar_past_cases[0].deep.er[0]": "You lost it all",
        "similar_past_cases[1]": "Quibi",
        "Score": "3",
        "findings[0].precedent": "as with your 2021 bet",
        "findings[0].subject.past": "again",
        "ratings.revenue.history": "like Quibi",
        "ratings.karma.dimension": "karma",
        "ratings.karma.value": "as in 2019",
        "precedents[0].year": "2022",
        "precedents[0].outcome": "shut down",
        "precedents[1]": "your Quibi investment",
        "precedents[2]": "7",
        "advice[0].because": "you lost on this",
        "advice[1][0]": "you",
        "advice[1][1].lost": "twice",
    }


def test_a_second_field_of_the_same_name_is_not_lost() -> None:
    draft = read('{"summary": "fine", "summary": "you lost in 2021", "historical_loss": "a", "historical_loss": "b"}')
    assert draft.summary == "fine"
    assert sorted(it.text for it in draft.history_claims) == ["a", "b", "you lost in 2021"]


@pytest.mark.parametrize("value", ["None found", "none", False, None, [], {}, "", "N/A", "not found", "No."])
def test_a_field_that_claims_nothing_is_no_claim(value: Any) -> None:
    draft = read({"summary": "x", "historical_loss": value, "similar_past_cases": [value]})
    assert draft.history_claims == ()


def test_what_is_read_is_bounded() -> None:
    past = {f"{n}": "lost" for n in range(500)}
    draft = read({"summary": "s", "findings": [{"title": "t", "quote": "q"}] * 500, "past": past})
    assert len(draft.findings) == MOST_FINDINGS
    assert len([it for it in draft.history_claims if not it.cut]) in {MOST_CLAIMS - 1, MOST_CLAIMS}
    assert len(read({"summary": "word " * 5_000}).summary) <= LONGEST_TEXT


def test_what_is_not_read_for_its_length_is_named_and_never_just_dropped() -> None:
    reply = {
        "summary": "word " * 500 + "The end.",
        "findings": [{"title": f"flaw {n}"} for n in range(MOST_FINDINGS + 2)] + [{"fix": "Only a fix."}],
        "advice": ["Ask."] * 200,
        "past": {f"{n}": "lost" for n in range(500)},
        "ratings": [{"dimension": "team", "value": 3}, {"dimension": "team", "value": 9}],
    }
    cut = {it.field: it.text for it in read(reply).history_claims if it.cut}
    assert cut["summary"].endswith("The end.")
    assert f"flaw {MOST_FINDINGS}" in cut[f"findings[{MOST_FINDINGS}]"]
    assert "more entries" in cut["advice[120]"]
    assert len(read(reply).ratings) == 2
    assert [it.fix for it in read({"findings": [{"fix": "Only a fix."}]}).findings] == ["Only a fix."]


def test_text_that_cannot_be_stored_is_mended() -> None:
    draft = read('{"summary": "half \\ud800 pair, \\u0000 nul", "past": "\\udfff"}')
    draft.summary.encode()
    assert "\x00" not in draft.summary
    assert all(it.text.encode() is not None for it in draft.history_claims)


def test_json_inside_a_text_stays_text() -> None:
    inner = json.dumps({"similar_past_cases": ["PayLoop"]})
    draft = read({"summary": inner})
    assert draft.summary == inner
    assert draft.history_claims == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=25,
)
FIELDS = ["summary", "findings", "ratings", "precedents", "advice", "questions", "historical_loss", "title", "quote"]
SHAPED = st.dictionaries(st.sampled_from(FIELDS), JSON | st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON)))


def check(text: str, mode: Mode) -> None:
    try:
        draft = parse(text, mode)
    except BadReply:
        return
    assert draft.summary or draft.findings or draft.ratings or draft.precedents or draft.advice or draft.questions
    assert all(it.severity in SEVERITIES for it in draft.findings)
    assert all(0 <= it.value <= 10 for it in draft.ratings)
    assert {it.dimension for it in draft.ratings} <= {it.name for it in mode.rubric}
    repr(draft).encode()


@given(st.text(), st.sampled_from(sorted(MODES)))
@settings(max_examples=200, deadline=None)
def test_any_text_becomes_a_draft_or_a_bad_reply(text: str, mode: str) -> None:
    check(text, MODES[mode])


@given(JSON | SHAPED, st.sampled_from(sorted(MODES)), st.text(max_size=20), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_json_becomes_a_draft_or_a_bad_reply(value: Any, mode: str, around: str, ascii_only: bool) -> None:
    check(around + json.dumps(value, ensure_ascii=ascii_only) + around, MODES[mode])


@given(st.text(alphabet='{}[]",:\\ \nsummaryfindgs0123456789eE.-truefalsn<think>/`', max_size=300))
@settings(max_examples=300, deadline=None)
def test_anything_like_json_becomes_a_draft_or_a_bad_reply(text: str) -> None:
    check(text, INVESTMENT)
    check('{"summary": "x", ' + text, INVESTMENT)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())))
def test_a_rating_is_on_its_scale_or_none(value: Any) -> None:
    number = rating_value(value)
    assert number is None or (math.isfinite(number) and 0 <= number <= 10)
