"""Each rule finds its bad snippet and leaves its good one alone; guarded code is left alone altogether."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from audit.code.checks import CHECKS
from audit.code.prefilter import need
from audit.code.rulebook import LineRule, Rule, languages, line_rules, rules_for, weaknesses
from audit.flaws import analyse, applies
from audit.types import Submission

CASES = Path(__file__).parent / "flaw_cases"
LANGUAGES = ("c", "csharp", "go", "java", "javascript", "php", "python", "ruby")


def read(name: str) -> Any:
    return yaml.safe_load((CASES / f"{name}.yml").read_text(encoding="utf-8"))


def sources(code: str, language: str) -> set[str]:
    return {it.source for it in analyse(Submission("bug", code, "", language=language)).findings}


def subjects(code: str, language: str) -> set[str]:
    return {it.subject for it in analyse(Submission("bug", code, "", language=language)).findings}


PAIRS = [(language, rule, case) for language in LANGUAGES for rule, case in read(language).items()]


@pytest.mark.parametrize(("language", "rule", "case"), PAIRS, ids=[rule for _, rule, _ in PAIRS])
def test_a_rule_finds_its_bad_snippet_and_not_its_good_one(language: str, rule: str, case: dict[str, str]) -> None:
    subject = next(it.subject for it in rules_for(language) if it.id == rule)
    assert f"rule:{rule}" in sources(case["bad"], language)
    assert subject not in subjects(case["good"], language)


LINES = read("lines")


@pytest.mark.parametrize("rule", line_rules(), ids=lambda it: it.id)
def test_a_rule_for_lines_matches_its_bad_line_and_not_its_good_one(rule: LineRule) -> None:
    case = LINES[rule.id]
    assert applies(rule, case["bad"], case.get("language", ""))
    assert not applies(rule, case["good"], case.get("language", ""))
    assert not rule.languages or not applies(rule, case["bad"], "go")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_pair_of_snippets(language: str) -> None:
    assert {it.id for it in rules_for(language)} == set(read(language))


def test_rules_cover_eight_languages_and_no_other_file_holds_rules() -> None:
    assert languages() == LANGUAGES
    assert sum(len(rules_for(it)) for it in LANGUAGES) >= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_are_unique_and_begin_with_the_language(language: str) -> None:
    ids = Counter(it.id for it in rules_for(language))
    assert max(ids.values()) == 1
    assert all(it.startswith(f"{language}-") for it in ids)


def test_every_check_is_used_by_a_rule_and_every_rule_names_one_that_exists() -> None:
    named = {it.check for language in LANGUAGES for it in rules_for(language) if it.check}
    assert named == set(CHECKS)


def test_every_kind_of_flaw_is_found_by_a_rule() -> None:
    everything: list[Rule | LineRule] = [it for language in LANGUAGES for it in rules_for(language)]
    found = {it.subject for it in [*everything, *line_rules()]}
    unused = set(weaknesses()) - found
    assert all(it.startswith("CWE-") for it in unused)  # what bandit alone finds


SECURE = read("secure")


@pytest.mark.parametrize("case", SECURE, ids=[f"{it['language']}-{it['cwe']}-{at}" for at, it in enumerate(SECURE)])
def test_guarded_bound_escaped_and_listed_values_are_no_flaw(case: dict[str, str]) -> None:
    assert case["cwe"] not in subjects(case["code"], case["language"])


def test_there_are_at_least_forty_secure_variants() -> None:
    assert len(SECURE) >= 40


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_typescript_is_read_by_the_rules_of_javascript(language: str) -> None:
    code = (
        "export function find(db: Db, name: string): Rows { return db.query(`SELECT * FROM t WHERE n = '${name}'`); }"
    )
    assert "CWE-89" in subjects(code, language)


def test_typescript_with_markup_in_it_is_read_as_such() -> None:
    code = "export const Bio = ({ html }: { html: string }) => <div dangerouslySetInnerHTML={{ __html: html }} />;"
    assert "CWE-79" in subjects(code, "typescript")


def test_c_plus_plus_is_read_by_the_rules_of_c() -> None:
    code = "#include <string>\nvoid f(const char *name) { char b[8]; strcpy(b, name); std::string s; }"
    assert "CWE-120" in subjects(code, "cpp")


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"^(this\.)?(fetch|axios)$", r"(fetch|axios)(?:)"),
        (r"(^|\.)save$", r"save(?:)"),
        (r"(?i)^\w*token", r"(?i)token"),
        (r"^[\w.]*\.x|^y", r"\.x|(?:)y"),
        (r"\w*?x", r"\w*?x"),
        (r"(\w+\.)*b(?!c)", r"b(?!c)"),
    ],
)
def test_a_beginning_that_may_be_empty_is_not_searched_for(pattern: str, told: str) -> None:
    assert [it.pattern for it in need({"regex": pattern}).patterns] == [told]
