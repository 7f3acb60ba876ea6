"""What the rule analyst for code finds, says and leaves alone."""

from __future__ import annotations

import hashlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.flaws import analyse
from audit.languages import LABELS
from audit.modes import BUG
from audit.submission import make_submission
from audit.types import Analysis, Submission
from memory.records import SEVERITIES

LOGIN = """import sqlite3


def login(name, password):
    query = "SELECT id FROM users WHERE name = '" + name + "' AND password = '" + password + "'"
    return sqlite3.connect("app.db").execute(query).fetchone()
"""
BOUND_LOGIN = """import sqlite3


def login(name, digest):
    query = "SELECT id FROM users WHERE name = ? AND digest = ?"
    return sqlite3.connect("app.db").execute(query, (name, digest)).fetchone()
"""


def submit(text: str, language: str = "", name: str = "") -> Submission:
    return Submission("bug", text, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), name, language)


def subjects(analysis: Analysis) -> set[str]:
    return {it.subject for it in analysis.findings}


def test_a_concatenated_query_is_found_with_its_line_its_quote_and_a_fix() -> None:
    found = next(it for it in analyse(submit(LOGIN)).findings if it.subject == "CWE-89")
    assert found.line == 5
    assert found.quote == LOGIN.split("\n")[4].strip()
    assert found.severity == "critical"
    assert "parameter" in found.fix
    assert found.source.startswith("rule:")


def test_the_same_query_with_bound_parameters_has_no_flaw() -> None:
    analysis = analyse(submit(BOUND_LOGIN))
    assert analysis.findings == ()
    assert analysis.cues == ()
    assert [it.value for it in analysis.ratings] == [10.0, 10.0, 10.0]


def test_each_kind_of_flaw_becomes_one_cue_that_reads_as_a_query() -> None:
    analysis = analyse(submit(LOGIN))
    cue = next(it for it in analysis.cues if it.key == "CWE-89")
    assert "SQL injection" in cue.text
    assert cue.line == 5
    assert len({it.key for it in analysis.cues}) == len(analysis.cues)


def test_every_dimension_of_the_rubric_is_rated_and_a_flaw_lowers_its_own() -> None:
    ratings = {it.dimension: it for it in analyse(submit(LOGIN)).ratings}
    assert set(ratings) == {it.name for it in BUG.rubric}
    assert ratings["security"].value < 6
    assert "SQL injection" in ratings["security"].reason
    assert ratings["correctness"].value == 10


def test_remarks_on_style_are_no_cues_beside_a_real_flaw() -> None:
    code = "switch (a) { case 1: eval(input); break; }\nif (x == y) { go(); }"
    analysis = analyse(submit(code, "javascript"))
    assert {"CWE-94", "CWE-478", "strict-equality"} <= subjects(analysis)
    assert {it.key for it in analysis.cues} == {"CWE-94", "eval-used"}


def test_a_value_is_followed_through_assignments_and_calls_of_the_same_file() -> None:
    code = (
        "def fetch(url):\n    return urllib.request.urlopen(url).read()\n\n\n"
        '@app.route("/p")\ndef proxy():\n    address = request.args["u"].strip()\n    return fetch(address)\n'
    )
    assert [it.line for it in analyse(submit(code, "python")).findings if it.subject == "CWE-918"] == [2]


def test_constant_text_that_is_put_together_is_no_injection() -> None:
    code = 'TABLE = "users"\n\n\ndef count(cur):\n    cur.execute("SELECT count(*) FROM " + TABLE + " WHERE a = 1")\n'
    assert analyse(submit(code, "python")).findings == ()


@pytest.mark.parametrize(
    ("code", "cwe"),
    [
        ("import pickle\n\n\ndef f(data):\n    return pickle.loads(data)\n", "CWE-502"),
        ("import yaml\n\n\ndef f(text):\n    return yaml.load(text)\n", "CWE-502"),
        ("import xml.sax\n\n\ndef f(path):\n    xml.sax.parse(path, None)\n", "CWE-611"),
        ("from flask import Flask\n\nFlask(__name__).run(debug=True)\n", "CWE-489"),
    ],
)
def test_bandit_s_findings_carry_the_cwe_of_the_flaw_and_not_of_its_category(code: str, cwe: str) -> None:
    assert cwe in subjects(analyse(submit(code, "python")))
    assert not subjects(analyse(submit(code, "python"))) & {"CWE-20", "CWE-94"}


def test_bandit_is_heard_even_where_code_asks_it_to_be_silent() -> None:
    code = "import telnetlib\n\ntelnetlib.Telnet(host)  # nosec\n"
    assert "CWE-319" in subjects(analyse(submit(code, "python")))


def test_imports_asserts_and_dice_are_no_flaws() -> None:
    code = (
        "import pickle\nimport random\nimport subprocess\n\n\n"
        "def roll(sides):\n    assert sides\n    return random.randint(1, sides)\n"
    )
    assert analyse(submit(code, "python")).findings == ()


def test_code_of_python_2_that_does_not_parse_today_is_still_read() -> None:
    code = 'print "start"\ncursor.execute("SELECT * FROM users WHERE id = %s" % user_id)\n'
    assert "CWE-89" in subjects(analyse(submit(code, "python")))


def test_code_of_an_unknown_language_is_read_line_by_line_and_that_is_said() -> None:
    code = 'my $q = "SELECT * FROM t WHERE id = " . $id;\n%%% ??? !!!\n'
    analysis = analyse(submit(code))
    assert "CWE-89" in subjects(analysis)
    assert all(it.value <= 7 for it in analysis.ratings if it.dimension != "security")


OTHER_LANGUAGES = {
    "a.rs": "fn first(all: &[u8]) -> Option<u8> {\n    let it = all.get(0)?;\n    unsafe { Some(*it) }\n}\n",
    "a.kt": "data class User(val n: String)\nfun find(n: String): User? {\n    return if (ok()) User(n) else null\n}\n",
    "a.swift": "func load(_ n: String) -> User? {\n    guard let it = find(n) else { return nil }\n    return it\n}\n",
    "a.lua": "local M = {}\nfunction M.find(name)\n  for i = 0, #M do M[i] = name .. i end\nend\nreturn M\n",
    "a.html": "<html><body><script>document.write(location.hash)</script></body></html>\n",
    "a.sh": 'set -e\nfor f in "$@"; do\n  convert "$f" out.png\ndone\n',
}


@pytest.mark.parametrize("named", [True, False], ids=["with its name", "pasted"])
@pytest.mark.parametrize("name", OTHER_LANGUAGES)
def test_code_that_no_parser_here_understands_is_never_called_sound(name: str, named: bool) -> None:
    submission = make_submission(BUG, OTHER_LANGUAGES[name], name if named else "")
    analysis = analyse(submission)
    assert max(it.value for it in analysis.ratings) <= 7
    assert "most of this could not be parsed" in analysis.summary or analysis.findings
    assert analysis.notes
    if named:
        assert submission.language == ""
        assert "is not among the languages that are read" in analysis.notes[-1]


def test_a_deck_pasted_as_code_is_called_prose_and_nothing_is_found_in_it() -> None:
    deck = (
        "Acme Pay lets friends settle bills in seconds.\nOur team of three grew to 40,000 users in a year.\n"
        "We have no revenue yet; the plan is to charge merchants.\nWe are raising $2 million to hire five engineers.\n"
    )
    analysis = analyse(submit(deck))
    assert analysis.findings == ()
    assert [it.partition(".")[0] for it in analysis.notes] == ["This looks like prose, not code"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We sell boats to schools. Our team has ten people.", ""),
        ("a = eval(input())\n", ""),
        ("a = eval(input())\n", "python"),
        ("x = " + "(" * 5000, "python"),
        ("f(g);\n" * 40_000, "c"),
        *((text, "") for text in OTHER_LANGUAGES.values()),
    ],
)
def test_every_note_and_every_reason_of_a_rating_is_a_sentence(text: str, language: str) -> None:
    analysis = analyse(submit(text, language))
    for said in (analysis.summary, *analysis.notes, *(it.reason for it in analysis.ratings)):
        assert said[0].isupper(), said
        assert said.endswith("."), said


@pytest.mark.parametrize(
    "text", ["", " \n\t", "hello", "🙂🙂🙂", "\x00\x01\x02", "选择最好的公司来投资。这是一个计划。"]
)
def test_text_that_is_no_code_has_no_findings(text: str) -> None:
    assert analyse(submit(text)).findings == ()


@pytest.mark.parametrize(
    ("text", "language", "note"),
    [
        ("a" * 1_000_000, "", "prose"),
        ("var x=y;" * 120_000, "", "characters"),
        ("x = " + "(" * 5000, "python", "nested"),
        ("x = " + "+".join(["a"] * 20_000) + ";", "javascript", "minified"),
        ("{" * 400, "java", "nested"),
        ("f(g);\n" * 40_000, "c", "characters"),
    ],
)
def test_huge_deep_or_minified_text_is_cut_and_that_is_said(text: str, language: str, note: str) -> None:
    started = time.process_time()
    analysis = analyse(submit(text, language))
    assert time.process_time() - started < 8
    assert any(note in it for it in analysis.notes)


def test_a_file_of_200_lines_is_read_in_a_blink() -> None:
    code = "\n".join(LOGIN.replace("login", f"login{number}") for number in range(34))
    analyse(submit(code, "python"))
    best = min(_seconds(code) for _ in range(3))
    assert code.count("\n") > 200
    assert best < 0.3  # processor time; a third of it on an idle machine


def _seconds(code: str) -> float:
    started = time.process_time()
    analyse(submit(code, "python"))
    return time.process_time() - started


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("<?php echo preg_replace('/<p.*?>/', '', $a); echo $_GET['q'];", True),
        ("<?php // done ?> <p>echo $_GET['q'];</p>", False),
        ("<?php /* ?> */ echo $_GET['q'];", True),
    ],
)
def test_a_closing_tag_of_php_counts_in_no_string_and_no_long_comment(code: str, found: bool) -> None:
    assert ("CWE-79" in subjects(analyse(submit(code, "php")))) is found


@pytest.mark.parametrize(("negation", "found"), [("", True), ("!", False)])
def test_a_list_of_refused_endings_leaves_an_upload_unchecked(negation: str, found: bool) -> None:
    code = (
        "<?php $end = pathinfo($_FILES['f']['name'], PATHINFO_EXTENSION);\n"
        f"if ({negation}in_array($end, $endings)) {{ die('no'); }}\n"
        "move_uploaded_file($_FILES['f']['tmp_name'], 'up/' . $_FILES['f']['name']);"
    )
    assert ("CWE-434" in subjects(analyse(submit(code, "php")))) is found


@pytest.mark.parametrize(("host", "found"), [(r".*\.example\.com", True), (r"www\.example\.com/", False)])
def test_a_pattern_that_any_host_meets_is_no_guard_of_an_address(host: str, found: bool) -> None:
    code = (
        "@app.get('/img')\ndef img():\n    url = request.args['url']\n"
        f"    if re.match(r'https?://{host}', url):\n        return requests.get(url, timeout=3).content\n"
    )
    assert ("CWE-918" in subjects(analyse(submit(code, "python")))) is found


FRAGMENTS = st.sampled_from(
    [
        "def\tf(a):",
        "return",
        "if (a == b) {",
        "}",
        "select * from t where x = ",
        "'",
        '"',
        "`",
        "${",
        "<?php",
        "?>",
        "#{",
        "eval(",
        ")",
        "\n",
        "\t",
        " ",
        ";",
        "a",
        "=",
        "+",
        "$x",
        "->",
        "::",
        "//",
        "/*",
        "catch (e) {}",
        "for (;;)",
        "\u2028",
        "�",
        "\x00",
        "é",
        "if",
        "while True:",
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(st.text(max_size=300), st.lists(FRAGMENTS, max_size=60).map("".join)),
    st.sampled_from(["", *LABELS]),
)
def test_any_text_at_all_is_answered_with_lines_that_exist_and_quotes_that_stand_there(
    text: str, language: str
) -> None:
    analysis = analyse(submit(text, language))
    lines = text.split("\n")
    for it in analysis.findings:
        assert it.line is not None
        assert 1 <= it.line <= len(lines)
        assert it.severity in SEVERITIES
        if "\x00" not in text and "\ud800" not in text:
            assert it.quote in lines[it.line - 1]
    assert all(0 <= it.value <= 10 for it in analysis.ratings)
