from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import SubmissionRefused
from audit.modes import BUG, INVESTMENT
from audit.submission import MAX_CHARACTERS, make_submission, title_of

DECK = "We help dentists fill empty chairs. Clinics pay $99 a month."


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "nothing to audit"),
        ("  \n\t ", "nothing to audit"),
        ("startup", "too little"),
        ("🚀🚀💸", "too little"),
        ("...", "too little"),
        ("a" * (MAX_CHARACTERS + 1), "at most"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe", "binary"),
        (b"\x00\x01\x02\x03" * 100, "binary"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_the_reason(content: str | bytes, says: str) -> None:
    with pytest.raises(SubmissionRefused, match=says):
        make_submission(INVESTMENT, content)


def test_control_characters_are_taken_out_and_noted() -> None:
    submission = make_submission(INVESTMENT, "We deliver \x00 groceries \x07 in ten minutes\x1b[31m")
    assert submission.text == "We deliver  groceries  in ten minutes"
    assert submission.notes == ("3 control characters were taken out before reading.",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("caf\udce9.txt", "caf%E9.txt"),
        ("deck\n# Past investments\x00.txt", "deck # Past investments.txt"),
        ("\u202efdp.exe", "fdp.exe"),
        ("a" * 400, "a" * 300),
    ],
)
def test_a_file_s_name_is_text_on_one_line(name: str, told: str) -> None:
    submission = make_submission(INVESTMENT, DECK, name)
    assert submission.name == told
    assert title_of(submission).encode().decode() == told[:79] + "…" * (len(told) > 80)


def test_no_name_of_a_submission_tells_a_key() -> None:
    key = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890"
    code = make_submission(BUG, f'API_KEY = "{key}"\nimport os\nos.system("ls")\n')
    deck = make_submission(INVESTMENT, f"We sell bread to bakers in town and {'so ' * 14}{key} is our key.")
    assert title_of(code) == 'API_KEY = "[password]"'
    assert key[:4] not in title_of(deck)


def test_all_kinds_of_line_ends_become_one() -> None:
    assert make_submission(BUG, "a = 1\rb = 2\r\nc = 3\nd = 4").text == "a = 1\nb = 2\nc = 3\nd = 4"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_the_encoding_its_mark_says(encoding: str) -> None:
    assert make_submission(INVESTMENT, DECK.encode(encoding)).text == DECK


def test_a_short_pitch_without_spaces_is_enough() -> None:
    assert make_submission(INVESTMENT, "我们做社区团购，用户在群里一起买菜，第二天自提。").text


def test_the_language_of_code_is_told_by_its_file_name_first() -> None:
    assert make_submission(BUG, "x = compute(1, 2)\n", "a.rb").language == "ruby"


def test_a_title_is_the_first_line_with_words_cut_to_a_width() -> None:
    submission = make_submission(INVESTMENT, "\n---\n" + "Fresh  vegetables " * 20)
    assert title_of(submission).startswith("Fresh vegetables Fresh")
    assert len(title_of(submission)) <= 80
    code = make_submission(BUG, "# login\nimport sqlite3\nfrom os import path\n\ndef log_in(name):\n    return name\n")
    assert title_of(code) == "def log_in(name):"


@given(st.text(max_size=400) | st.binary(max_size=400))
def test_any_input_is_a_submission_or_a_message(content: str | bytes) -> None:
    for mode in (INVESTMENT, BUG):
        try:
            submission = make_submission(mode, content)
        except SubmissionRefused as refused:
            assert str(refused)
        else:
            assert submission.text.strip()
            assert title_of(submission)


def test_no_mark_in_a_first_line_turns_the_list_that_names_it() -> None:
    assert (
        title_of(make_submission(INVESTMENT, "\u202eNilotic\u202c Pay\u2066ments\u2069\n" + DECK)) == "Nilotic Payments"
    )
