"""What the core and the memory say is found back by its template and told in Chinese; anything else stays as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.code.rulebook import languages, rules_for, weaknesses
from audit.deck.ratings import STANDS
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
from audit.speech.catalogs import read_catalog
from audit.speech.said import translated
from audit.submission import make_submission
from memory.importers.mapping import guess_mapping
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.records import SEVERITIES, Door, Kind, Nature, Origin, Outcome, Status
from memory.report import Decision, RecallState
from ui.looks import LOOKS

ROOT = Path(__file__).parents[2]
ENUMS = (
    BreakerState, Decision, Door, FailureKind, JsonMode, Kind, Nature, Opinion, Origin, Outcome, RecallState, Status,
    Step,
)  # fmt: skip
# What these modules raise reaches a page.
RAISING = (
    "audit/archive.py", "audit/compare.py", "audit/decisions.py", "audit/feedback.py", "audit/submission.py",
    "audit/documents.py", "audit/document_readers/pdf.py", "memory/intake.py", "memory/review.py",
    "memory/saved_views.py", "memory/validation.py",
)  # fmt: skip
# The command line speaks English, and what a plan adds to each sentence is held by the files below.
IMPORTERS = sorted(
    {it.name for it in (ROOT / "memory/importers").glob("*.py")} - {"command.py", "plan.py", "plan_report.py"}
)
# Where a call of an importer holds what the Import page says.
SAYING = {
    "Doubt": (1, 3), "Doubtful": (1, 2), "Question": (1,), "SetAside": (2,), "append": (0,), "hold": (1, 3),
    "note": (0,),
}  # fmt: skip
SPOKEN_OF = {"kind", "reason"}
# What an importer puts together from parts that are never said alone, and what of its own it says in other words.
PARTS = (
    "", "hidden ", "line 7", "lines 7 to 8", "line 7, column 7", "1 blank row", "7 blank rows", "7 hidden rows",
    "7 rows", "7 amounts name", "it has 7 cells under 7 columns",
)  # fmt: skip
# Files with as much to remark on as fits.
FILES = {
    "deals.csv": """Portfolio
Figures in USD thousands

Company;Sector;Date invested;Exit date;Status;Amount (approx. USD);Proceeds;MOIC;Total raised;Memo
Acme;Food;03/04/2019;2021;lost;100 (est.);0;3.2x;5m;late
Bolt;Food;05/06/2019;44562;Snoozing;~200;10-20;none at all;5m;late
Cairn;Food;2019-13-40;2021;acquired;=A1*2;(300);2x;5m;late
Dune;Food;soon;2018;acquired;many;10;2x;5m;late
Elm;Food;2020;2018;acquired;10;10;2x;5m;late
Elm;Food;2020;2018;acquired;10;10;2x;5m;late
Fir;Food;2020;2022;acquired;10;10;2x;5m;late;and more
Gum;Food;2020
=B2;Food;2020;2022;acquired;10;10;2x;5m;late

Company;Sector;Date invested;Exit date;Status;Amount (approx. USD);Proceeds;MOIC;Total raised;Memo
Heading
Total;;;;;1000;;;;
""".encode("utf-8-sig"),
    "plain.tsv": b"Company\tYear\tAmount\r" + b"Acme\t2019\t500\r" + b"Acme\t2019\t500\r" + b"Bolt\t1800\t$700\r",
    "jira.csv": """Issue key,Issue Type,Summary,Status,Resolution,Priority,Labels,Updated
A-1,Bug,Crash on save,Done,Duplicate,High,bug,2020-01-02
A-2,Story,Dark mode,Done,Fixed,High,bug,2020-01-02
A-3,Bug,Slow page,Done,Fixed,Weird,bug,2020-01-02
A-4,Bug,Docs,Done,Fixed,High,question,2020-01-02
""".encode("utf-16"),
    "github.json": b'[{"number": 1, "title": "Crash", "state": "open", "body": "x", "pull_request": {"url": "u"}}]',
    "records.jsonl": b'{"company": "Acme", "status": "held"}\nnot json\n{"company": "", "status": "lost"}\n',
    "own.csv": b"""kind of record,id of record,status of record,confidence of record,company,year,outcome,returned
investment,a,archived,0.9,Acme,2019,written_off,
investment,b,active,0.2,Bolt,2019,written_off,
investment,c,active,1,,2019,written_off,
investment,d,active,1,Cairn,soon,written_off,
investment,e,active,1,Dune,2019,lost,
investment,f,active,1,Elm,2019,written_off,10
bug,g,active,1,Crash,2019,open,
""",
    "notes.csv": (
        b"Company,Year,Status,Invested,Notes\n"
        + b"Acme,2019,lost,$10,late\n" * 4
        + b'Bolt,2019,lost,$10,"late\n'
        + b"Fir,2019,lost,$10,late\n" * 2
    ),
    "cells.csv": b"Company,Year,Status,Invested,Site,Code\n"
    + b"".join(b"Firm%d,2019,lost,$%d,https://a.example,A-%d\n" % (it, it, it) for it in range(1, 30))
    + b"Slid,2019,lost,$5, and then,more\n"
    + b"Lonely,,,,,\n",
}
SAID_OTHERWISE = {
    "its currency sign was lost when the file was written", "a range, read as its middle", "no currency",
    "7 was left out of the amount",
}  # fmt: skip


def zh(text: str) -> str | None:
    return translated(text, "zh")


def told(text: str) -> bool:
    """Say whether a text is told in Chinese to its end: no clause of it stays English."""
    return not re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", zh(text) or "it is not told")


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


def test_several_past_cases_behind_a_score_are_each_told_in_the_reader_s_language() -> None:
    one, other = (
        f"{name}: likeness 98%, trust in the record 90%" for name in ("SQL injection in the login, 2021", "PaisaLoop")
    )
    assert zh(f"{one}; {other}; {one}") == f"{zh(one)}；{zh(other)}；{zh(one)}"
    assert "likeness" not in (zh(f"{one}; {other}") or "likeness")


def test_each_way_a_deck_may_state_a_subject_has_its_words_in_a_reason() -> None:
    reasons = {it: zh(f"{it}: market size.") or it for it in STANDS.values()}
    assert [it for it, told_so in reasons.items() if it in told_so] == []


def test_what_the_rules_say_of_code_has_its_words_but_for_a_few_new_ones() -> None:
    said = {text for it in weaknesses().values() for text in (it.name, it.fix)}
    said |= {text for name in languages() for it in rules_for(name) for text in (it.title, it.message, it.fix)}
    prose = [it for it in said if re.search(r"\b[A-Z]?[a-z]+ [a-z]{2,} [a-z]{2,}", it)]
    untold = [it for it in prose if zh(it) is None]
    assert len(prose) > 500 and len(untold) < len(prose) / 20, untold


def test_why_a_model_did_not_answer_has_its_words() -> None:
    assert [rule.says for rule in RULES.values() if zh(f"groq:gpt {rule.says}.") is None] == []


def ways_of(node: ast.expr, fillings: tuple[str, ...]) -> list[str]:
    """Give the ways a message may be worded, its slots filled; none for what is no message written down here."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=parts):
            slots = sum(isinstance(it, ast.FormattedValue) for it in parts)
            ways = []
            for filling in product(fillings, repeat=min(slots, 5)):
                left = iter(filling)
                ways.append("".join(it.value if isinstance(it, ast.Constant) else next(left) for it in parts))
            return ways
    return []


def raised(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the message that a statement raises."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from node.exc.args[:1]


def imported(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a statement of an importer says of a file or of a row."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="summary" | "cause"))):
            return  # what becomes part of a record
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
            yield from (args[at] for at in SAYING.get(name, ()) if at < len(args))
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in SPOKEN_OF:
            yield value
        case ast.Yield(value=value) if value:
            yield value


def messages(
    file: str, found: Callable[[ast.AST], Iterator[ast.expr]], more: tuple[str, ...] = ()
) -> Iterator[list[str]]:
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        for it in found(node):
            if ways := ways_of(it, ("7", "deck", "Nothing was saved.", *more)):
                yield ways


@pytest.mark.parametrize("file", RAISING)
def test_what_is_refused_is_refused_in_the_reader_s_language(file: str) -> None:
    found = list(messages(file, raised))
    assert found
    assert [ways[0] for ways in found if not any(map(told, ways))] == []


@pytest.mark.parametrize("file", IMPORTERS)
def test_what_an_importer_says_is_said_in_the_reader_s_language(file: str) -> None:
    found = [it for kind in (raised, imported) for it in messages(f"memory/importers/{file}", kind, PARTS)]
    silent = [ways[0] for ways in found if not any(map(told, ways))]
    assert [it for it in silent if it not in SAID_OTHERWISE] == []


@pytest.mark.parametrize("name", FILES)
def test_all_that_the_import_of_a_file_says_is_said_in_the_reader_s_language(name: str) -> None:
    table = read_table(FILES[name], name)
    plan = plan_import(table, guess_mapping(table))
    said = [table.format, *table.notes, *plan.traps, *(it.text for it in plan.questions)]
    said += [it.reason for it in plan.set_aside]
    said += [remark for row in (*plan.accepted, *plan.choosable) for remark in row.remarks]
    assert [it for it in said if not told(it)] == []


def test_names_and_numbers_in_a_sentence_stay_what_they_are() -> None:
    kept = zh("“Acme {0} & Co” is protected. Stop protecting it first.")
    assert kept == "“Acme {0} & Co”受保护。请先取消保护。"
    assert "87%" in (zh("PaisaLoop, 2022: likeness 87%, trust in the record 95%") or "")


def test_a_list_is_told_member_by_member() -> None:
    listed = zh("The deck states 12 of 15 subjects; it leaves out problem, runway and burn and pricing.")
    assert listed == "商业计划书说明了 15 个主题中的 12 个；未提及问题、资金跑道与消耗、定价。"
    assert "it is free" not in (zh("Weakest points: there is no revenue; it is free, or no price has been set.") or "")


@given(st.text(max_size=300))
def test_what_a_model_or_a_record_says_is_left_alone(text: str) -> None:
    left = zh(f"The founder said so: {text}")
    assert left is None or text.strip()[:5] in left


def test_what_is_said_in_english_is_not_touched() -> None:
    assert translated("None found", "en") is None


def test_every_template_has_words_of_its_own_and_keeps_its_slots() -> None:
    for entry in read_catalog("zh", "said"):
        if entry.id:
            slots = re.findall(r"\{\w+\}", entry.id)
            assert set(slots) == set(re.findall(r"\{\w+\}", entry.string)), entry.id
            assert len(slots) == len(set(slots)), entry.id
            assert re.sub(r"\{\w+\}|\W", "", entry.id) or entry.id == "{model} {said}.", entry.id
