"""What parts of pages show, and that no pasted, stored or written word becomes markup."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from audit.types import GroundedAudit, Sentence, grounding_permit
from memory.report import Decision, RecallState
from memory.terms import tokens
from tests.ui import samples
from ui.components.evidence import evidence_data
from ui.components.precedents import strength
from ui.components.recall import as_written, recall_figure, recall_sentence
from ui.components.score import breakdown_figure, breakdown_sentence, would_change, writer_of


def _show(audit: GroundedAudit) -> AppTest:
    def page() -> None:
        import streamlit as st

        from ui.components.result import show_result

        show_result(st.session_state["audit"], None)

    test = AppTest.from_function(page, default_timeout=20)
    test.session_state["audit"] = audit
    test.run()
    assert not test.exception
    return test


def _words(test: AppTest) -> str:
    kinds = ("markdown", "text", "caption", "html", "warning", "info", "error", "header", "title")
    found: list[str] = []
    for kind in kinds:
        for it in test.get(kind):
            found.append(str(getattr(it, "value", None) or getattr(it.proto, "body", "")))
    return "\n".join(found)


def _plain(text: str) -> str:
    return text.replace("\\", "")


@pytest.fixture(autouse=True)
def no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is shown without the app around it, so links to pages lead nowhere."""
    import streamlit as st

    monkeypatch.setattr(st, "page_link", lambda *args, **more: None)


def test_a_precedent_shows_the_records_facts_and_both_quotes() -> None:
    words = _plain(_words(_show(samples.audit())))
    for fact in ("QuickPe", "2022", "₹50,000", "Ask who pays before asking how many.", "never charged anyone"):
        assert fact in words
    assert "very close, 91%" in words


def test_who_wrote_it_is_always_named() -> None:
    assert "groq:openai/gpt-oss-120b" in _words(_show(samples.audit()))
    assert writer_of(samples.code_audit()) == "the rule analyst, as no model is set up"
    failed = replace(samples.audit().attempts[0], outcome="timeout")
    assert writer_of(samples.audit(model="rules", attempts=(failed,))) == "the rule analyst, as no model answered"


def test_each_way_of_finding_nothing_is_told_in_its_own_words() -> None:
    said = {}
    for state in RecallState:
        words = _plain(_words(_show(samples.without_history(state))))
        said[state] = words
        assert ("None found" in words) is state.looked, state
        assert ("was not checked" in words) is not state.looked, state
    assert len(set(said.values())) == len(RecallState)


def test_an_unsearched_memory_says_why_and_never_none_found() -> None:
    words = _plain(_words(_show(samples.without_history(RecallState.UNAVAILABLE, "The index is locked."))))
    assert "The index is locked." in words
    assert "None found" not in words


def test_near_misses_are_named_with_how_near_they_came() -> None:
    words = _plain(_words(_show(samples.without_history(RecallState.NONE_RELEVANT))))
    assert "Loopcash" in words
    assert "47% likely a precedent; the gate is at 60%" in words


def test_shared_terms_are_shown_as_the_record_writes_them_and_not_by_their_stems() -> None:
    stems = tuple(tokens("batteries offices revenue"))
    found = samples.candidate(samples.payments("Batteries Offices Revenue"), 0.7, Decision.KEPT, "kept")
    assert as_written(replace(found, matched_terms=(*stems, "nowhere"))) == [
        "batteries", "offices", "revenue", "nowhere",
    ]  # fmt: skip


def test_refused_claims_are_shown_struck_out_with_the_reason() -> None:
    words = _words(_show(samples.audit()))
    assert "~~Like WePay" in words
    assert "No such record" in words


def test_an_unverified_year_in_the_writers_prose_is_marked() -> None:
    assert "unverified: 2015" in _plain(_words(_show(samples.audit())))


def test_hostile_words_reach_the_page_only_as_text() -> None:
    nasty = samples.NASTY
    finding = replace(samples.audit().findings[0], title=nasty, explanation=nasty, fix=nasty)
    precedent = samples.audit().precedents[0]
    facts = replace(precedent.record.facts, company=nasty, lesson=nasty, cause=nasty)
    precedent = replace(precedent, record=replace(precedent.record, facts=facts), why=nasty, record_quote=nasty)
    audit = samples.audit(
        findings=(finding,),
        precedents=(precedent,),
        summary=(Sentence(nasty),),
        advice=(Sentence(nasty),),
        questions=(),
        notes=(nasty,),
        rests_on=nasty,
        model=nasty,
    )
    test = _show(audit)
    for it in test.get("html"):
        assert "<script" not in it.proto.body
        assert "<img" not in it.proto.body
    for it in test.markdown:
        assert not it.allow_html
        assert not re.search(r"(?<!\\)[<$]|(?<!\\)\[(x|r)", it.value), it.value


def test_the_evidence_is_the_whole_text_with_every_passage_marked() -> None:
    audit = samples.audit()
    data = evidence_data(audit)
    assert "".join(piece[0] for piece in data["pieces"]) == audit.submission.text
    marked: dict[str, str] = {}
    for text, _, _, ids in data["pieces"]:
        for name in ids:
            marked[name] = marked.get(name, "") + text
    assert marked == {
        "f0": audit.findings[0].quote,
        "f1": audit.findings[1].quote,
        "p0": audit.precedents[0].submission_quote,
    }
    json.dumps(data)


def test_marks_that_turn_text_are_shown_by_their_codes_and_turn_nothing() -> None:
    seen = samples.audit()
    text = seen.submission.text.replace("two taps.", "two \u202etaps\u202c.")
    with grounding_permit():
        audit = replace(seen, submission=replace(seen.submission, text=text), findings=(), precedents=())
    data = evidence_data(audit)
    assert [piece[0] for piece in data["pieces"] if piece[1] == "unseen"] == ["U+202E", "U+202C"]
    assert data["unseen"] and not evidence_data(seen)["unseen"]
    assert not re.search("[\u202a-\u202e]", "".join(piece[0] for piece in data["pieces"]))


def test_the_worst_severity_gives_a_passage_its_look() -> None:
    tones: dict[str, str] = {text: tone for text, _, tone, _ in evidence_data(samples.audit())["pieces"] if tone}
    assert tones["Sending is free, and it will stay free while we grow."] == "critical"


def test_the_head_of_the_findings_counts_every_item_below_it() -> None:
    data = evidence_data(samples.audit())
    counted = [int(it) for it in re.findall(r"\d+", data["words"]["findings_hint"])]
    assert data["words"]["findings"] == f"Findings ({sum(counted)})"
    assert sum(counted) == len(data["items"])
    assert "1 precedent ·" in data["words"]["findings_hint"]


def test_a_finding_about_something_missing_is_listed_without_a_passage() -> None:
    items: list[dict[str, Any]] = evidence_data(samples.audit())["items"]
    [missing] = [it for it in items if it["title"] == "No runway is stated"]
    assert not missing["passage"]


def test_the_sentence_of_the_breakdown_names_where_most_points_are_lost() -> None:
    lines = samples.audit().score_breakdown
    assert "Revenue and unit economics** (23 of 25)" in breakdown_sentence(lines)
    assert would_change(lines)[0] == ("Revenue and unit economics", "up to +23", "Nobody pays.")
    assert len(breakdown_figure(lines).data) == 3


def test_the_recall_plot_places_every_candidate_and_both_cut_offs() -> None:
    report = samples.audit().recall
    figure = recall_figure(report.candidates, report.gate.keep, report.gate.near)
    placed = sorted(x for trace in figure.data for x in trace.x)
    assert placed == [0.08, 0.47, 0.91]
    assert sorted(shape.x0 for shape in figure.layout.shapes) == [0.4, 0.6]
    assert len({trace.marker.symbol for trace in figure.data}) == len(Decision)


def test_two_records_of_one_name_keep_their_own_rows_in_the_plot() -> None:
    twins = [samples.candidate(samples.payments(), p, Decision.NEAR, "r") for p in (0.5, 0.45)]
    figure = recall_figure(twins, 0.6, 0.4)
    assert len(set(figure.data[0].y)) == 2


def test_the_recall_sentence_says_how_near_the_nearest_came() -> None:
    said = recall_sentence(samples.without_history(RecallState.NONE_RELEVANT).recall)
    assert "Loopcash, reached 47%" in said


@pytest.mark.parametrize(("probability", "words"), [(0.95, "very close"), (0.7, "close"), (0.61, "similar")])
def test_strength_is_said_in_words_and_number(probability: float, words: str) -> None:
    assert strength(probability) == f"{words}, {probability:.0%}"


def test_a_finding_without_a_passage_is_listed_and_is_no_refused_claim() -> None:
    audit = samples.audit(refusals=())
    assert audit.unproved_findings
    assert len(evidence_data(audit)["items"]) == len(audit.precedents) + len(audit.findings) + 1
    assert "Nothing was refused" in _words(_show(audit))


def recalled() -> None:
    from dataclasses import replace

    from tests.ui import samples
    from ui.components.recall import show_recall

    report = samples.audit().recall
    show_recall(replace(report, searched=len(report.candidates) + 2), "more")
    show_recall(replace(report, searched=len(report.candidates)), "all")


def test_a_record_that_was_not_weighed_is_explained_where_there_is_any() -> None:
    page = AppTest.from_function(recalled).run()
    assert not page.exception
    captions = [it.value for it in page.caption]
    assert len([it for it in captions if it.startswith("A record that is not in the table")]) == 1


def test_every_table_has_a_name_and_shows_nothing_where_nothing_is_known() -> None:
    calls = [
        (file.name, {it.arg for it in node.keywords})
        for file in (Path(__file__).parents[2] / "ui").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"st.dataframe", "st.data_editor"}
    ]
    assert len(calls) > 10
    assert [name for name, said in calls if not said >= {"alt", "placeholder"}] == []
