"""The pure parts of recall: terms, probes, kinds of flaws, recurrence, order, what enters a prompt."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.background import Words
from memory.code_match import recurrence
from memory.evidence import Comparison, likened_to, named_in
from memory.flaw_kind import closest, kind_of, kinds_of, same_kind
from memory.index import Entry
from memory.prepare import MOST_CHARS, MOST_RECORDS, prepare
from memory.probes import Probe, Role, probes
from memory.ranking import fold_alike, order_of
from memory.records import BugFacts, Door, InvestmentFacts, Kind, Origin, Provenance, Record
from memory.report import Candidate, Cue, Decision, RecallQuery
from memory.terms import language, language_tag, tokens

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def a_record(company: str = "Woot", summary: str = "Daily deals.", **changed: object) -> Record:
    made = Provenance(Door.FORM, Origin.OWN_RECORD, "test", "me", NOW, 0.9)
    facts = InvestmentFacts(company, summary=summary)
    return replace(Record(company, "local", Kind.INVESTMENT, facts, made, 0.9), **changed)  # type: ignore[arg-type]


def test_identifiers_give_their_parts_and_codes_stay_whole() -> None:
    found = tokens("getSessionID parse_int_value ERR_CONN_RESET CWE-89 CVE-2021-44228")
    assert {"session", "err_conn_reset", "cwe-89", "cve-2021-44228", "int"} <= set(found)


def test_chinese_gives_pairs_of_characters() -> None:
    assert tokens("支付应用") == ["支付", "付应", "应用"]


def test_plain_endings_meet() -> None:
    assert tokens("payments companies shipping") == tokens("payment company ship")


@given(st.text(max_size=300))
def test_any_text_gives_terms_without_blanks(text: str) -> None:
    assert all(term and not any(char.isspace() for char in term) and len(term) <= 64 for term in tokens(text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We sell fresh flowers to offices and we are growing every month.", "en"),
        ("Wir verkaufen frische Blumen an Büros und wachsen mit jedem Monat.", "de"),
        ("Vendemos flores frescas a las oficinas y crecemos cada mes con los clientes.", "es"),
        ("每周给办公室送鲜花。", "zh"),
    ],
)
def test_the_language_of_prose_is_told(text: str, code: str) -> None:
    assert language(text) == code
    assert language_tag(text) == ("" if code == "en" else f"lang-{code}")


@given(st.text(max_size=5_000), st.booleans(), st.integers(0, 20))
def test_probes_are_few_whatever_is_pasted(text: str, code: bool, cues: int) -> None:
    query = RecallQuery("local", (Kind.BUG,), text, tuple(Cue(f"k{n}", "words") for n in range(cues)), "", code)
    made = probes(query, Words.load())
    assert len(made) <= 16
    assert sum(len(probe.text) for probe in made) <= 16 * 901


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("CWE-89", "cwe 089", True),
        ("CWE-78", "CWE-77", True),
        ("CWE-798", "CWE-259", True),
        ("Off by one", "off-by-one", True),
        ("CWE-89", "CWE-79", False),
        ("CWE-390", "CWE-703", False),
        ("", "", False),
    ],
)
def test_kinds_are_the_same_by_a_reviewed_table(one: str, other: str, same: bool) -> None:
    assert same_kind(one, other) is same
    assert same_kind(other, one) is same


def test_a_bug_without_a_cwe_is_known_by_the_name_of_its_flaw() -> None:
    assert "CWE-89" in kinds_of(BugFacts("SQL injection in search"))
    assert "mutable-default" in kinds_of(
        BugFacts("Items shared between carts", root_cause="A mutable default argument.")
    )
    assert kinds_of(BugFacts("Goal is unreachable. Loop runs on")) == frozenset()


def test_a_stated_cwe_is_not_talked_over_but_may_be_narrowed() -> None:
    assert kinds_of(BugFacts("SQL injection in search", cwe="CWE-22")) == {kind_of("CWE-22")}
    assert kinds_of(BugFacts("Zip slip in the importer", cwe="CWE-22")) == {"CWE-22", "zip-slip"}
    assert "CWE-390" in kinds_of(BugFacts("Swallowed exception in the importer", cwe="CWE-703"))


def test_a_name_may_have_other_words_in_its_middle_and_the_title_speaks_first() -> None:
    assert "unstarted-thread" in kinds_of(BugFacts("A thread is made here but not started"))
    assert kinds_of(BugFacts("Not started: the thread", root_cause="Nobody looked.")) == frozenset()
    assert "CWE-89" not in kinds_of(BugFacts("Path traversal in export", root_cause="As with SQL injection before."))


def test_the_very_kind_is_closer_than_its_family_and_the_first_finding_than_later_ones() -> None:
    assert closest({"CWE-22"}, ["CWE-89"]) is None
    first, late = closest({"CWE-22"}, ["CWE-22"]), closest({"CWE-22"}, ["CWE-89", "CWE-22"])
    kin = closest({"CWE-22"}, ["CWE-23"])
    assert first == (0, 1.0)
    assert late is not None and kin is not None
    assert late[0] == 1
    assert late[1] < 1
    assert kin[1] < 1


FAULTY = BugFacts(
    "Off by one",
    faulty_code="for index in range(len(values) + 1):\n    total += values[index]",
    fixed_code="for index in range(len(values)):\n    total += values[index]",
)


def test_a_faulty_line_is_found_again_whatever_its_spacing() -> None:
    found = recurrence(FAULTY, "total = 0\nfor  index in range( len(values)+1 ):  # all\n    total += values[index]\n")
    assert found is not None
    assert found.line == 2


def test_the_repaired_code_is_no_recurrence() -> None:
    assert recurrence(FAULTY, FAULTY.fixed_code) is None


def test_a_faulty_line_beside_its_repair_is_no_recurrence() -> None:
    assert recurrence(FAULTY, FAULTY.faulty_code + "\n" + FAULTY.fixed_code) is None


def test_lines_that_a_repair_only_added_to_recur_where_nothing_was_added() -> None:
    kept = "for key in to_remove:\n    commands.append(key)"
    bug = BugFacts("x", faulty_code=kept, fixed_code=kept.replace(":\n", ":\n    if key in wanted_keys:\n        "))
    found = recurrence(bug, f"def run():\n    total = 0\n{kept}\n    return total")
    assert found is not None
    assert (found.quote, found.line) == ("for key in to_remove:", 3)
    assert recurrence(bug, bug.fixed_code) is None
    assert recurrence(bug, "for key in to_remove:\n    log(key)\n    commands.append(key)") is None


def test_a_line_that_tells_nothing_is_no_recurrence() -> None:
    assert recurrence(BugFacts("x", faulty_code="return x", fixed_code="return y"), "return x") is None


@given(st.text(max_size=400), st.text(max_size=200))
def test_recurrence_answers_on_any_text(code: str, faulty: str) -> None:
    recurrence(BugFacts("x", faulty_code=faulty, fixed_code="pass"), code)


@pytest.mark.parametrize(
    ("company", "text", "named"),
    [
        ("Webvan", "We are what Webvan should have been.", True),
        ("Tilt", "We tilt at windmills. Tilt your head.", False),
        ("Tilt", "Company: Tilt. Shared bikes for all.", True),
        ("Webvan", "Groceries by van, ordered on the web.", False),
    ],
)
def test_a_company_is_named_only_where_its_name_is_meant(company: str, text: str, named: bool) -> None:
    assert named_in(a_record(company), text) is named


@pytest.mark.parametrize(
    ("text", "likened"),
    [
        ("Webvan for medicine, at your door.", True),
        ("We are the Webvan of medicine.", True),
        ("Medicine at your door, unlike others.", False),
    ],
)
def test_a_deck_may_liken_itself_to_a_company(text: str, likened: bool) -> None:
    assert likened_to(a_record("Webvan"), text) is likened


def test_an_ordinary_word_likens_nothing_without_an_article() -> None:
    assert not likened_to(a_record("Beam"), "Beam for schools lights every room.")


@pytest.mark.parametrize(("opening", "sentence", "best"), [(0.9, 0.2, 0.9), (0.2, 0.9, 0.9)])
def test_the_best_stretch_of_a_deck_is_a_sentence_or_its_opening(opening: float, sentence: float, best: float) -> None:
    record, along = a_record(), np.array([1.0, 0.0], dtype=np.float32)
    asked = [Probe(Role.PASSAGE, "opening", "opening"), Probe(Role.SENTENCE, "sentence", "sentence")]
    vectors = np.array([[it, (1 - it * it) ** 0.5] for it in (opening, sentence)], dtype=np.float32)
    (seen,) = Comparison(asked, vectors, np.zeros(2, dtype=np.float32)).compare(
        [record], {record.id: [Entry(record.id, "what", 0, along)]}
    )
    assert (seen.features["passage"], seen.features["sentence"]) == (pytest.approx(opening), pytest.approx(best))


@given(st.integers(-3650, 36500), st.integers(0, 10**6), st.floats(0, 1))
def test_order_is_bounded_by_the_chance_and_the_use_boost(days: int, used: int, confidence: float) -> None:
    record = a_record(use_count=used, last_used_at=NOW - timedelta(days=days), confidence=confidence)
    assert 0 <= order_of(record, 0.8, NOW) <= 0.8 * 1.5 + 1e-9


def test_the_more_recent_the_more_used_and_the_surer_come_first() -> None:
    base = order_of(a_record(last_used_at=NOW - timedelta(days=100)), 0.8, NOW)
    assert order_of(a_record(last_used_at=NOW), 0.8, NOW) > base
    assert order_of(a_record(last_used_at=NOW - timedelta(days=100), use_count=5), 0.8, NOW) > base
    assert order_of(a_record(last_used_at=NOW - timedelta(days=100), confidence=0.4), 0.8, NOW) < base


def kept(record: Record) -> Candidate:
    return Candidate(record, 0.8, 0.9, Decision.KEPT, "test")


def test_a_prompt_gets_short_distinct_texts_of_at_most_twelve_records() -> None:
    long = [
        kept(a_record(f"Company{n}", f"about {n} " + " ".join(f"word{n}x{m}" for m in range(400)))) for n in range(20)
    ]
    made = prepare(long)
    assert len(made) == MOST_RECORDS
    assert all(len(it.text) <= MOST_CHARS for it in made)


def test_a_prompt_gets_near_duplicates_once_and_white_space_folded() -> None:
    text = "Daily   deals\n\n\n of   the most ordinary kind, sold to everybody who comes by in the course of a day."
    made = prepare([kept(a_record("Woot", text)), kept(a_record("Woot", text + " Today."))])
    assert len(made) == 1
    assert "  " not in made[0].text and "\n\n" not in made[0].text


def test_a_copy_that_came_later_never_stands_in_the_place_of_what_it_copies() -> None:
    first = a_record(id="first")
    later = replace(first.provenance, created_at=NOW + timedelta(days=9))
    copy = replace(first, id="copy", provenance=later)
    at = np.ones(4, dtype=np.float32) / 2
    seen = [Candidate(copy, 0.9, 0.9, Decision.KEPT, "", order=2.0), Candidate(first, 0.9, 0.9, Decision.KEPT, "")]
    (kept,) = fold_alike(seen, {"first": at, "copy": at})
    assert (kept.record.id, kept.alike) == ("first", 1)
    (kept,) = fold_alike([seen[0], replace(seen[1], decision=Decision.NEAR)], {"first": at, "copy": at})
    assert kept.record.id == "copy"
