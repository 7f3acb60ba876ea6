"""Each page, run without a browser on a memory of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from audit.decided import decided_behind, in_words
from audit.modes import MODES
from audit.service import run_audit
from audit.speech.language import SPEAKS_ENGLISH
from audit.submission import make_submission
from memory.records import Kind
from ui import runtime

NOW = datetime(2026, 11, 1, tzinfo=UTC)
ROOT = Path(__file__).parents[2]
PAGES = sorted(str(it.relative_to(ROOT)) for it in (ROOT / "pages").glob("*.py"))


@pytest.fixture(scope="module")
def one_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One memory for all tests of this module, as one process has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GROQ_API_KEY", "gsk_planted_secret_value")
        patch.setenv("PRECEDENT_MODELS", "openai:gpt-5-mini")
        patch.setenv("OPENAI_API_KEY", "")
        patch.chdir(ROOT)
        st.cache_resource.clear()
        yield
        runtime.warm_up().join(60)
        runtime.services().close()
        st.cache_resource.clear()


@pytest.fixture
def app(one_memory: None) -> AppTest:
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)


def words(test: AppTest) -> str:
    kinds = (
        "title", "header", "markdown", "text", "caption", "warning", "info", "error", "success", "html",
    )  # fmt: skip
    return "\n".join(
        str(getattr(it, "value", None) or it.proto.body) for kind in kinds for it in test.get(kind)
    ).replace("\\", "")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_on_a_fresh_memory(app: AppTest, page: str) -> None:
    app.run()
    app.switch_page(page).run()
    assert not app.exception
    assert not app.error
    assert app.title[0].value
    if {"No audits yet", "No track record yet"} & set(re.findall(r'p-head">([^<]+)<', words(app))):
        assert {it.proto.page for it in app.get("page_link")} >= {"Investment_Audit", "Bug_Triage"}


def test_home_counts_the_seeded_memory(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert {it.label: it.value for it in app.metric}["Past investments"] == "7"
    assert {it.label: it.value for it in app.metric}["Resolved bugs"] == "7"
    assert any("14 of these records are examples that came with Precedent" in it.proto.body for it in app.get("html"))


def test_the_memory_is_searched_and_filtered_by_the_server(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    assert len(app.dataframe[0].value) == 14
    app.text_input(key="memory-search").set_value("pickle").run()
    assert list(app.dataframe[0].value["Title"]) == ["Session cookie read with pickle"]
    app.text_input(key="memory-search").set_value("").run()
    app.selectbox(key="memory-kind").select("Investments").run()
    assert set(app.dataframe[0].value["Kind"]) == {"investment"}
    app.number_input(key="memory-year").set_value(2022).run()
    assert list(app.dataframe[0].value["Title"]) == ["PaisaLoop"]


def test_what_matches_the_filters_can_be_exported(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    assert [it.proto.label for it in app.get("download_button")] == ["CSV", "JSON Lines"]
    app.text_input(key="memory-search").set_value("zzzyyyxxx").run()
    assert not app.get("download_button")


def test_a_search_that_finds_nothing_says_so(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    app.text_input(key="memory-search").set_value("zzzyyyxxx").run()
    assert "No record matches" in words(app)


def test_a_record_is_archived_and_restored(app: AppTest) -> None:
    app.run()
    ledger, workspace = runtime.services().ledger, runtime.settings().workspace
    [record] = ledger.find(workspace, search="pickle").records
    app.switch_page("pages/3_Memory.py")
    app.query_params["record"] = record.id
    app.run()
    assert "seeds/bugs.jsonl" in words(app)
    button = {it.label: it for it in app.button}
    button["Archive"].click().run()
    assert ledger.find(workspace, search="pickle").total == 0
    button = {it.label: it for it in app.button}
    button["Restore"].click().run()
    assert ledger.find(workspace, search="pickle").total == 1
    {it.label: it for it in app.button}["Protect"].click().run()
    assert {it.label: it for it in app.button}["Archive"].disabled
    {it.label: it for it in app.button}["Stop protecting"].click().run()


def test_a_correction_typed_beside_a_change_elsewhere_is_neither_lost_nor_written_over_it_unasked(app: AppTest) -> None:
    app.run()
    services, workspace = runtime.services(), runtime.settings().workspace
    [record] = services.ledger.find(workspace, search="Nimbus").records
    app.switch_page("pages/3_Memory.py")
    app.query_params["record"] = record.id
    app.run()

    def summary() -> str:
        [now] = services.ledger.find(workspace, search="Nimbus").records
        return str(now.facts.summary)

    def save() -> None:
        {it.label: it for it in app.button}["Save the correction"].click().run()
        assert not app.exception

    services.intake.revise(
        workspace, record.id, replace(record.facts, summary="Theirs."), author="other", reason="by hand",
        now=runtime.now(),
    )  # fmt: skip
    next(it for it in app.text_area if it.label == "What it was *").set_value("Mine.")
    save()
    assert "changed elsewhere after you opened it" in words(app)
    assert summary() == "Theirs."
    assert next(it for it in app.text_area if it.label == "What it was *").value == "Mine."
    save()
    assert summary() == "Mine."
    assert next(it for it in app.text_area if it.label == "What it was *").value == "Mine."


def test_a_record_nobody_has_is_a_calm_message(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py")
    app.query_params["record"] = "no-such-record"
    app.run()
    assert not app.exception
    assert "There is no such record" in words(app)
    assert "The memory could not be used" not in words(app)


def test_an_audit_nobody_has_is_a_calm_message(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/1_Investment_Audit.py")
    app.query_params["audit"] = "aud-20260101-0000000000"
    app.run()
    assert not app.exception
    assert "No saved audit has the id" in words(app)


def test_status_says_that_a_key_is_present_and_never_which(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/6_Status.py").run()
    assert not app.exception
    shown = words(app) + "\n".join(it.value.to_string() for it in app.dataframe)
    assert "gsk_planted" not in shown
    assert "present" in shown


def test_what_the_form_remembers_stands_in_the_memory_with_its_door(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    app.segmented_control(key="memory-view").set_value("Add an investment").run()
    fields = {it.label: it for it in (*app.text_input, *app.text_area)}
    fields["Company *"].set_value("Otter Ferry")
    fields["What it was *"].set_value("Electric ferries for short river crossings, paid by the trip.")
    fields["Invested"].set_value("₹5 lakh")
    {it.label: it for it in app.button}["Remember it"].click().run()
    assert not app.exception
    assert "Otter Ferry is in your memory" in words(app).replace("**", "")
    assert "counts neither as a loss nor as a gain" in words(app), "its outcome was left unknown"
    [record] = runtime.services().ledger.find(runtime.settings().workspace, search="Otter").records
    assert record.provenance.door == "form"
    assert str(record.facts.invested) == "₹500,000"


@pytest.mark.parametrize("page", ["app.py", *PAGES])
def test_whichever_page_is_opened_first_has_the_models_loaded(
    page: str, app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(runtime, "warm_up", lambda: asked.append(page))
    app.run()
    asked.clear()
    app.switch_page(page).run()
    assert asked


def test_a_memory_that_cannot_be_opened_is_a_calm_message_on_every_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("PRECEDENT_HOME", str(tmp_path / "file"))
    monkeypatch.chdir(ROOT)
    st.cache_resource.clear()
    try:
        test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        for page in ["app.py", *PAGES]:
            test.switch_page(page).run()
            assert not test.exception, page
            said = "The memory cannot be opened" if page.endswith("6_Status.py") else "The memory could not be used"
            assert said in words(test), page
    finally:
        st.cache_resource.clear()


def test_a_decision_and_an_outcome_are_noted_and_the_track_record_counts_it(app: AppTest) -> None:
    app.run()
    services, mode = runtime.services(), MODES["investment"]
    saved = run_audit(services, mode, make_submission(mode, "We sell kites to schools. No revenue yet."), now=NOW)
    app.switch_page("pages/1_Investment_Audit.py")
    app.query_params["audit"] = saved.saved_as
    app.run()
    buttons = {it.label: it for it in app.button}
    buttons["Note it"].click().run()
    assert "Say in a few words why" in words(app)
    fields = {it.label: it for it in app.text_area}
    fields["Because *"].set_value("No school has paid so far.")
    {it.label: it for it in app.button}["Note it"].click().run()
    assert services.decisions.of(services.workspace, saved.saved_as)[0].choice == "invested"
    assert "No school has paid so far." in words(app)
    {it.label: it for it in app.text_area}["What it was *"].set_value("Kites for schools, sold by the class.")
    {it.label: it for it in app.button}["Record the outcome"].click().run()
    assert "whether it ended well" in words(app)
    app.segmented_control(key=f"ended-{saved.saved_as}").set_value("It ended badly").run()
    {it.label: it for it in app.button}["Record the outcome"].click().run()
    assert not app.exception
    [settled] = services.decisions.settled(services.workspace)
    assert not settled.went_well
    fact = services.ledger.get(services.workspace, [settled.record_id])[settled.record_id]
    [decided] = decided_behind(services.decisions, [fact]).values()
    assert in_words(decided, SPEAKS_ENGLISH) == "After its audit you noted “invested”, and it went badly."
    app.switch_page("pages/4_History.py").run()
    assert "invested, ended badly" in list(app.dataframe[0].value["Since then"])
    app.switch_page("pages/5_Track_Record.py").run()
    assert not app.exception
    assert "Too few to say" in words(app)


SHEET = b"""Company;Sector;Invested;Date;Status;Notes
Egret Ferry;transport;50 000 EUR;12.03.2019;Written off;Fuel ate the margin
Heron Tiles;building;20 000 EUR;05.07.2020;Exited;Bought by a chain
;;;;;
Total;;70 000 EUR;;;
"""


def test_a_file_is_planned_stored_and_undone_whole(app: AppTest) -> None:
    app.run()
    services = runtime.services()
    app.switch_page("pages/3_Memory.py").run()
    app.segmented_control(key="memory-view").set_value("Import a file").run()
    app.file_uploader[0].upload("portfolio.csv", SHEET, "text/csv").run()
    assert not app.exception
    assert "2 of" in words(app)
    before = services.ledger.counts(services.workspace)[Kind.INVESTMENT]
    {it.label: it for it in app.button}["Store 2 records"].click().run()
    job = runtime.imports().get(app.session_state["import-job"]) if "import-job" in app.session_state else None
    if job:
        job.wait(30)
        app.run()
    assert "2 records stored" in words(app)
    assert services.ledger.counts(services.workspace)[Kind.INVESTMENT] == before + 2
    {it.label: it for it in app.button}["Undo"].click().run()
    assert services.ledger.counts(services.workspace)[Kind.INVESTMENT] == before


def test_columns_that_nothing_is_read_from_are_named_before_anything_is_stored(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    app.segmented_control(key="memory-view").set_value("Import a file").run()
    sheet = "Company;Eingesetzt;Status\nEgret Ferry;1.250,50 kr;Written off\n;;\n"
    app.file_uploader[0].upload("portfolio.csv", sheet.encode(), "text/csv").run()
    assert not app.exception
    assert "Nothing is read from these columns: Eingesetzt" in words(app)
    assert words(app).count("1 blank row skipped") == 1


def test_a_file_that_holds_no_records_is_refused_in_words(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    app.segmented_control(key="memory-view").set_value("Import a file").run()
    app.file_uploader[0].upload("empty.csv", b"  ", "text/csv").run()
    assert not app.exception
    assert "nothing to import" in words(app)


def test_a_long_table_is_read_page_by_page_and_new_filters_begin_at_the_first(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from ui.views import browse

    monkeypatch.setattr(browse, "PAGE", 5)
    app.run()
    app.switch_page("pages/3_Memory.py").run()
    first = list(app.dataframe[0].value["Title"])
    assert len(first) == 5
    app.get("pagination")[0].set_value(2).run()
    second = list(app.dataframe[0].value["Title"])
    assert not set(first) & set(second)
    app.selectbox(key="memory-sort").select("Title").run()
    by_title = runtime.services().ledger.find(runtime.settings().workspace, sort="title", descending=False, limit=1)
    assert app.dataframe[0].value["Title"][0] == by_title.records[0].title
    assert not [it for it in caplog.records if "created with a default value" in it.getMessage()]


@pytest.mark.parametrize("page", ["pages/1_Investment_Audit.py", "pages/2_Bug_Triage.py"])
def test_an_example_is_audited_from_its_page(app: AppTest, page: str) -> None:
    app.run()
    app.switch_page(page).run()
    app.button(key="example-0").click().run()
    next(it for it in app.button if it.label.startswith(("Audit this", "Triage this"))).click().run()
    if "job" in app.query_params:
        job = runtime.jobs().get("".join(app.query_params["job"]))
        assert job is not None and job.wait(60)
        app.run()
    assert not app.exception
    assert not app.error
    assert "something went wrong" not in words(app).lower()
    assert "audit" in app.query_params
