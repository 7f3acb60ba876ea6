"""What the core and the memory say is found back by its template and told in Chinese; anything else stays as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.deck.vocabulary import vocabulary
from audit.examples import examples
from audit.feedback import Opinion
from audit.guard import NONE_FOUND, NOT_CHECKED
from audit.llm.breaker import BreakerState
from audit.llm.errors import FailureKind
from audit.llm.policy import RULES
from audit.llm.port import JsonMode
from audit.modes import MODES
from audit.service import Step
from audit.submission import make_submission
from memory.records import SEVERITIES, Door, Kind, Nature, Origin, Outcome, Status
from memory.report import Decision, RecallState
from ui.language import read_catalog
from ui.looks import LOOKS
from ui.said import translated

ROOT = Path(__file__).parents[2]
ENUMS = (
    BreakerState, Decision, Door, FailureKind, JsonMode, Kind, Nature, Opinion, Origin, Outcome, RecallState, Status,
    Step,
)  # fmt: skip
# What these modules raise reaches a page.
RAISING = (
    "audit/archive.py", "audit/compare.py", "audit/decisions.py", "audit/feedback.py", "audit/submission.py",
    "audit/documents.py", "audit/document_readers/pdf.py", "memory/intake.py", "memory/review.py",
    "memory/validation.py",
)  # fmt: skip


def zh(text: str) -> str | None:
    return translated(text, "zh")


@pytest.mark.parametrize("enum", ENUMS, ids=lambda it: it.__name__)
def test_every_member_of_a_closed_set_has_its_word(enum: type) -> None:
    assert [it for it in enum if zh(str(it.value).replace("_", " ")) is None] == []


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda it: it.name)
def test_all_that_a_mode_says_on_a_page_has_its_words(mode: object) -> None:
    wording = mode.wording
    said = [
        wording.title, wording.submission, wording.record, wording.precedents_title, wording.paste_hint,
        wording.fundamentals, wording.worse_precedents, wording.better_precedents, wording.evaluation_label,
        *(it.label for it in mode.rubric), *(it.verdict for it in mode.bands), *mode.choices, LOOKS[mode.name].plural,
        *SEVERITIES, NONE_FOUND, NOT_CHECKED,
    ]  # fmt: skip
    assert [it for it in said if zh(it) is None] == []


def test_the_central_sentence_is_told_the_same_everywhere() -> None:
    assert zh(NONE_FOUND) == "未找到先例"
    assert "未找到先例" in (zh("None found: none of your 7 records is like this.") or "")


def test_all_that_the_rule_analyst_says_of_decks_has_its_words() -> None:
    words = vocabulary()
    said = [text for it in words.subjects for text in (it.label, it.asks, it.adds, it.denied) if text]
    said += [text for it in words.risks for text in (it.title, it.asks)]
    for example in examples("investment"):
        found = MODES["investment"].analyse(make_submission(MODES["investment"], example.text))
        said += [found.summary, *found.advice, *found.questions, *found.notes, *(it.reason for it in found.ratings)]
        said += [text for it in found.findings for text in (it.title, it.fix) if text]
    assert [it for it in dict.fromkeys(said) if zh(it) is None] == []


def test_why_a_model_did_not_answer_has_its_words() -> None:
    assert [rule.says for rule in RULES.values() if zh(f"groq:gpt {rule.says}.") is None] == []


def raised(file: str) -> Iterator[list[str]]:
    """Yield each message that a module raises, as the ways its slots may be filled."""
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
            continue
        match node.exc.args[0]:
            case ast.Constant(value=str() as text):
                yield [text]
            case ast.JoinedStr(values=parts):
                slots = sum(isinstance(it, ast.FormattedValue) for it in parts)
                ways = []
                for filling in product(("7", "deck", "Nothing was saved."), repeat=min(slots, 5)):
                    left = iter(filling)
                    ways.append("".join(it.value if isinstance(it, ast.Constant) else next(left) for it in parts))
                yield ways


@pytest.mark.parametrize("file", RAISING)
def test_what_is_refused_is_refused_in_the_reader_s_language(file: str) -> None:
    found = list(raised(file))
    assert found
    assert [ways[0] for ways in found if not any(map(zh, ways))] == []


def test_names_and_numbers_in_a_sentence_stay_what_they_are() -> None:
    told = zh("“Acme {0} & Co” is protected. Stop protecting it first.")
    assert told == "“Acme {0} & Co”受保护。请先取消保护。"
    assert "87%" in (zh("PaisaLoop, 2022: likeness 87%, trust in the record 95%") or "")


def test_a_list_is_told_member_by_member() -> None:
    told = zh("The deck states 12 of 15 subjects; it leaves out problem, runway and burn and pricing.")
    assert told == "商业计划书说明了 15 个主题中的 12 个；未提及问题、资金跑道与消耗、定价。"
    assert "it is free" not in (zh("Weakest points: there is no revenue; it is free, or no price has been set.") or "")


@given(st.text(max_size=300))
def test_what_a_model_or_a_record_says_is_left_alone(text: str) -> None:
    told = zh(f"The founder said so: {text}")
    assert told is None or text.strip()[:5] in told


def test_what_is_said_in_english_is_not_touched() -> None:
    assert translated("None found", "en") is None


def test_every_template_has_words_of_its_own_and_keeps_its_slots() -> None:
    for entry in read_catalog("zh", "said"):
        if entry.id:
            slots = re.findall(r"\{\w+\}", entry.id)
            assert set(slots) == set(re.findall(r"\{\w+\}", entry.string)), entry.id
            assert len(slots) == len(set(slots)), entry.id
            assert re.sub(r"\{\w+\}|\W", "", entry.id) or entry.id == "{model} {said}.", entry.id
