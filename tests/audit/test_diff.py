"""Of a diff, only the lines it adds are judged, under the file's own line numbers."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.diff import is_diff, parse_diff
from audit.diff_triage import triage_diff
from audit.errors import Cancelled, SubmissionRefused
from wiring import Services

DIFF = """diff --git a/shop/login.py b/shop/login.py
index 1111111..2222222 100644
--- a/shop/login.py
+++ b/shop/login.py
@@ -10,6 +10,8 @@ import db
 def audit_log(name):
     cursor.execute("INSERT INTO log VALUES ('" + name + "')")
 
+def login(name):
+    return cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
 
 def logout():
     pass
@@ -40,2 +42,2 @@ def old():
-    return 1
+    return 2
     # end
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-eval(input())
-x = 1
diff --git a/logo.png b/logo.png
index 3333333..4444444 100644
Binary files a/logo.png and b/logo.png differ
diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"
new file mode 100644
--- /dev/null
+++ "b/caf\\303\\251.py"
@@ -0,0 +1,3 @@
+--- not a header
++++ not one either
+@@ -1 +1 @@ nor this
\\ No newline at end of file
"""


def test_files_lines_and_added_lines_are_found() -> None:
    diff = parse_diff(DIFF)
    login, cafe = diff.files
    assert login.path == "shop/login.py"
    assert login.excerpt.added == (13, 14, 42)
    assert login.excerpt.lines == (10, 11, 12, 13, 14, 15, 16, 17, 0, 42, 43)
    assert login.text.split("\n")[4] == '    return cursor.execute("SELECT * FROM users WHERE name = \'" + name + "\'")'
    assert cafe.path == "café.py"
    assert cafe.text.split("\n") == ["--- not a header", "+++ not one either", "@@ -1 +1 @@ nor this"]
    assert diff.notes == ("Binary files were left out.",)


def test_lines_are_counted_in_the_file_and_not_in_the_diff() -> None:
    login = parse_diff(DIFF).files[0]
    assert login.excerpt.line_in_file(5) == 14
    assert login.excerpt.line_in_file(9) is None
    assert login.excerpt.adds(4, 5)
    assert not login.excerpt.adds(1, 3)
    assert not login.excerpt.adds(None)


def test_text_that_is_no_diff_is_refused() -> None:
    assert not is_diff("def f():\n    return a - b\n")
    with pytest.raises(SubmissionRefused, match="no diff"):
        parse_diff("--- a heading\n+++ another\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("similarity index 100%\nrename from a.py\nrename to b.py\n", "adds no lines"),
        ("old mode 100644\nnew mode 100755\n", "adds no lines"),
        ("deleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "adds no lines"),
        ("index 1..2 100644\nGIT binary patch\nliteral 10\nRcmZ\n", "Binary files were left out"),
        ("--- a/a.py\n+++ b/a.py\n@@@ -1,2 -1,2 +1,3 @@@\n  a\n++b\n", "combined diff was left out"),
    ],
)
def test_a_diff_without_an_added_line_is_a_diff_all_the_same(change: str, told: str) -> None:
    text = f"diff --git a/a.py b/b.py\n{change}"
    assert is_diff(text)
    diff = parse_diff(text)
    assert diff.files == ()
    assert told in " ".join(diff.notes)


def test_colours_of_a_terminal_are_no_part_of_a_diff() -> None:
    head = "\x1b[1mdiff --git a/z.py b/z.py\x1b[m\n--- a/z.py\n+++ b/z.py\n"
    text = f"{head}\x1b[36m@@ -1 +1,2 @@\x1b[m\n a\n\x1b[32m+b\x1b[m\n"
    assert [file.text for file in parse_diff(text).files] == ["a\nb"]


def test_a_hunk_that_ends_early_is_said() -> None:
    cut = DIFF[: DIFF.index(" def logout")] + "diff --git a/x.py b/x.py\n"
    assert any("ends early" in note for note in parse_diff(cut).notes)


def test_a_diff_that_git_writes_is_read_back_exactly(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=k", "-c", "user.email=k@x.test", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    before = [f"line {number}" for number in range(1, 60)]
    after = [*before[:4], "new a", "new b", *before[4:29], *before[31:50], "--- odd", "+++ odder", *before[50:]]
    git("init", "-q")
    target = tmp_path / "a file.py"
    target.write_text("\n".join(before) + "\n")
    git("add", "."), git("commit", "-q", "-m", "one")
    target.write_text("\n".join(after) + "\n")
    (file,) = parse_diff(git("diff")).files
    assert file.path == "a file.py"
    assert set(file.excerpt.added) == {number for number, line in enumerate(after, 1) if line not in before}
    for text, number in zip(file.text.split("\n"), file.excerpt.lines, strict=True):
        assert number == 0 or after[number - 1] == text


@given(
    st.lists(st.sampled_from(["+a", "-b", " c", "+++ x", "--- y", "@@ -1,2 +3,4 @@", "diff --git a/x b/x", "\\ No"]))
)
@settings(max_examples=60)
def test_any_order_of_diff_lines_is_read_without_failing(lines: list[str]) -> None:
    text = "\n".join(["diff --git a/x.py b/x.py", "--- a/x.py", "+++ b/x.py", "@@ -1,9 +1,9 @@", *lines])
    for file in parse_diff(text).files:
        assert len(file.excerpt.lines) == file.text.count("\n") + 1
        assert set(file.excerpt.added) <= set(file.excerpt.lines)


def test_a_flaw_in_kept_lines_is_not_held_against_the_diff(services: Services, now: datetime) -> None:
    triage = triage_diff(services, DIFF, now=now, save=False)
    injections = [it for it in triage.findings if it.finding.subject == "CWE-89"]
    assert [(it.path, it.line) for it in injections] == [("shop/login.py", 14)]
    assert [(it.path, it.line) for it in triage.repeats] == [("shop/login.py", 14)]


def test_the_repaired_diff_has_no_repeat(services: Services, now: datetime) -> None:
    repaired = DIFF.replace(
        '"SELECT * FROM users WHERE name = \'" + name + "\'"', '"SELECT * FROM users WHERE name = ?", (name,)'
    )
    triage = triage_diff(services, repaired, now=now, save=False)
    assert triage.repeats == ()
    assert "CWE-89" not in {it.finding.subject for it in triage.findings}


def test_files_that_are_no_code_are_left_out_and_said(services: Services, now: datetime) -> None:
    prose = (
        "diff --git a/NOTES.md b/NOTES.md\n--- a/NOTES.md\n+++ b/NOTES.md\n@@ -0,0 +1,2 @@\n"
        "+We met the team on Monday and talked about the roadmap for next year.\n"
        "+Everybody agreed that the plan is sound and that the dates are realistic.\n"
    )
    triage = triage_diff(services, prose, now=now, save=False)
    assert triage.files == ()
    assert triage.notes == ("NOTES.md is no code and was left out.",)


def test_a_triage_can_be_stopped(services: Services, now: datetime) -> None:
    with pytest.raises(Cancelled):
        triage_diff(services, DIFF, now=now, save=False, cancelled=lambda: True)
