"""The audit pages without a browser: diffs, stack traces, documents, and what cannot be judged."""

from __future__ import annotations

import gc
import io
import json
import sys
import time
from collections.abc import Callable

import pytest
from pptx import Presentation
from streamlit.testing.v1 import AppTest

from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from memory.records import BugFacts, Door, Kind
from tests.audit.test_diff import DIFF
from tests.audit.test_judge import CODE, PROSE
from tests.audit.test_stack_trace_triage import NEW, OLD
from tests.ui.conftest import ROOT
from tests.ui.looking import click, words
from ui import runtime


def open_page(number_and_name: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    runtime.warm_up().join(60)
    return app.switch_page(f"pages/{number_and_name}.py").run()


@pytest.fixture
def bugs(seeded_app: None) -> AppTest:
    return open_page("2_Bug_Triage")


@pytest.fixture
def decks(seeded_app: None) -> AppTest:
    return open_page("1_Investment_Audit")


def send(page: AppTest, mode: str, text: str) -> AppTest:
    page.text_area(key=f"text-{mode}").set_value(text)
    next(it for it in page.button if it.label.startswith(("Audit this", "Triage this"))).click().run()
    return finish(page)


def finish(page: AppTest) -> AppTest:
    if "job" in page.query_params:
        job = runtime.jobs().get("".join(page.query_params["job"]))
        assert job is not None and job.wait(60)
        page.run()
    assert not page.exception
    assert not page.error
    return page


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def labels(page: AppTest) -> set[str]:
    return {it.proto.label for it in page.get("download_button")}


def test_the_collector_that_follows_each_run_of_a_page_passes_over_what_lasts(bugs: AppTest) -> None:
    assert {f"ui.views.{it.stem}" for it in (ROOT / "ui/views").glob("[a-z]*.py")} <= sys.modules.keys()
    spared = seconds(gc.collect)
    gc.unfreeze()
    whole = seconds(gc.collect)
    runtime.spare_the_lasting()
    assert spared < whole / 4


def test_pages_that_are_looked_at_again_leave_nothing_behind(bugs: AppTest) -> None:
    places = [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]

    def blocks_after_a_round() -> int:
        for place in places:
            assert not bugs.switch_page(str(place.relative_to(ROOT))).run().exception
        gc.collect()
        return sys.getallocatedblocks()

    blocks_after_a_round()
    first, *later = [blocks_after_a_round() for _ in range(4)]
    assert min(later) - first < 1_000, "a widget is some ten blocks, an audit that is kept about a thousand"


def test_a_page_need_not_wait_long_for_an_audit_that_computes(bugs: AppTest) -> None:
    assert sys.getswitchinterval() == pytest.approx(0.001)


def test_a_pasted_diff_is_judged_by_its_added_lines_under_their_own_numbers(bugs: AppTest) -> None:
    page = send(bugs, "bug", DIFF)
    assert "A past bug of yours recurs" in words(page)
    assert "shop/login.py:14 repeats a past bug of yours" in words(page)
    assert "Binary files were left out." in words(page)
    assert "shop/login.py:11" not in words(page), "a kept line is not judged"
    assert labels(page) == {"Text", "JSON", "SARIF"}


def test_a_diff_that_adds_no_code_is_a_calm_state(bugs: AppTest) -> None:
    prose = "diff --git a/NOTES.md b/NOTES.md\n--- a/NOTES.md\n+++ b/NOTES.md\n@@ -0,0 +1,2 @@\n" + "".join(
        f"+{line}\n" for line in PROSE.splitlines()[:2]
    )
    page = send(bugs, "bug", prose)
    assert "Nothing to judge in this diff" in words(page)
    assert "NOTES.md is no code and was left out." in words(page)


def test_one_file_of_a_diff_opens_from_history_with_its_own_line_numbers(bugs: AppTest) -> None:
    send(bugs, "bug", DIFF + "\n")
    services = runtime.services()
    saved = next(it for it in services.archive.list(services.workspace, mode="bug") if it.title == "shop/login.py")
    page = open_page("2_Bug_Triage")
    page.query_params["audit"] = saved.id
    page.run()
    assert not page.exception
    assert "line 14" in words(page)
    assert "SARIF" in labels(page)


def test_prose_sent_as_code_gets_no_verdict_and_can_be_taken_to_the_other_page(bugs: AppTest) -> None:
    before = runtime.services().archive.count("local")
    page = send(bugs, "bug", PROSE)
    assert "This looks like prose, not code." in words(page)
    assert 'class="p-verdict"' not in words(page)
    assert runtime.services().archive.count("local") == before
    click(page, "other-mode")
    assert page.title[0].value == "Investment audit"
    assert page.text_area(key="text-investment").value == PROSE


def test_a_stated_language_is_taken_at_its_word(bugs: AppTest) -> None:
    bugs.selectbox(key="language-bug").select("Ruby")
    page = send(bugs, "bug", PROSE)
    assert "prose" not in words(page)
    assert "by guess" not in words(page)
    assert 'class="p-verdict"' in words(page)


def test_a_guess_at_the_language_is_said(bugs: AppTest) -> None:
    page = send(bugs, "bug", CODE)
    assert "Read as Python, by guess." in words(page)


def test_a_stack_trace_brings_back_its_bug_says_what_was_matched_and_has_no_score(bugs: AppTest) -> None:
    facts = BugFacts("Guest carts hold a price of None", symptom=OLD, fix="Give guests the list price.", year=2023)
    runtime.services().intake.remember(
        "local", Kind.BUG, facts, door=Door.FORM, source="form", author="kim", now=runtime.now()
    )
    page = send(bugs, "bug", NEW)
    assert "Not judged" in words(page)
    assert 'class="p-dial"' not in words(page)
    assert "Guest carts hold a price of None" in words(page)
    assert "stack trace of TypeError: 3 calls of the program's own, the innermost total in cart.py" in words(page)
    assert "The quoted frame belongs to the same stack trace" in words(page)


def test_notes_of_a_deck_are_shown_with_its_slides(decks: AppTest) -> None:
    deck = Presentation()
    for title in ("We sell kites to schools by the class.", "We have no revenue yet and one founder."):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
    blank = deck.slides.add_slide(deck.slide_layouts[6])
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63606060f80f0001040100"
        "5fe5c34b0000000049454e44ae426082"
    )
    blank.shapes.add_picture(io.BytesIO(png), 0, 0)
    content = io.BytesIO()
    deck.save(content)
    decks.file_uploader[0].upload("kites.pptx", content.getvalue(), "application/octet-stream")
    next(it for it in decks.button if it.label == "Audit this deck").click().run()
    page = finish(decks)
    assert "Pictures were not read: slide 3." in words(page)
    saved = "".join(page.query_params["audit"])
    assert "[Slide 2]" in runtime.services().archive.open("local", saved).submission.text


def test_a_file_that_cannot_be_read_says_why(decks: AppTest) -> None:
    decks.file_uploader[0].upload("deck.pdf", b"not a pdf at all", "application/pdf")
    next(it for it in decks.button if it.label == "Audit this deck").click().run()
    assert "damaged or not a PDF" in words(decks)


def test_sarif_of_an_audit_names_its_findings() -> None:
    from tests.ui.samples import code_audit
    from ui.components.diff_result import sarif_download

    [(label, extension, _, write)] = sarif_download(code_audit())
    assert (label, extension) == ("SARIF", "sarif")
    assert json.loads(write())["runs"][0]["results"]


def test_what_was_not_judged_has_no_score_in_the_history(bugs: AppTest) -> None:
    send(bugs, "bug", NEW)
    [table] = bugs.switch_page("pages/4_History.py").run().dataframe
    scores = dict(zip(table.value["Verdict"], table.value["Score"], strict=True))
    assert scores["Not judged"] is None or scores["Not judged"] != scores["Not judged"]
    plotted = bugs.switch_page("pages/5_Track_Record.py").run()
    assert "Not judged" not in words(plotted)


def test_an_audit_opened_on_the_other_page_is_shown_on_its_own(bugs: AppTest) -> None:
    services = runtime.services()
    mode = MODES["investment"]
    saved = run_audit(services, mode, make_submission(mode, examples("investment")[0].text), now=runtime.now())
    bugs.query_params["audit"] = str(saved.saved_as)
    bugs.run()
    assert not bugs.exception
    assert [it.value for it in bugs.title] == ["Investment audit"]
