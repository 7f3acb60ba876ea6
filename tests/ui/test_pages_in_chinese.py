"""Each page in Chinese, without a browser: what the interface says is Chinese, what the records say is as it was."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from audit.examples import examples
from audit.languages import LABELS
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from memory.records import Kind
from ui import language, runtime

ROOT = Path(__file__).parents[2]
PAGES = ["app.py", *sorted(str(it.relative_to(ROOT)) for it in (ROOT / "pages").glob("*.py"))]
MEMORY_VIEWS = ("To review", "In plots", "Add an investment", "Add a bug", "Import a file", "Upkeep")

# Names, and words that are the same in Chinese.
NAMED = {
    "Precedent", "Markdown", "HTML", "JSON", "SARIF", "CSV", "Excel", "XLSX", "Jira", "GitHub", "Linear", "Bugzilla",
    "CWE", "SQL", "UTC", "Groq", "OpenAI", "GROQ", "OPENAI", "API", "KEY", "PRECEDENT", "LOCAL", "BASE", "URL", "Ctrl",
    "Enter", "git", "diff", "sha256", "Brier", "INR", "USD", "EUR", "MB", "LTV", "CAC", "MRR", "ARR", "Lines",
    "python", "evals", "calibrate", "minilm", "all-MiniLM", "MiniLM", "Python", "JavaScript", "TypeScript", "PPTX",
    "DOCX",
}  # fmt: skip
# Where an element holds what people read.
READ = {"alt", "body", "content", "help", "label", "options", "placeholder", "text", "title", "tooltip"}


@pytest.fixture(scope="module")
def in_chinese() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_LANGUAGE", "zh")
        # AppTest asks for the names of a widget's options again, outside of the session that named them.
        inside = language.get_script_run_ctx
        patch.setattr(language, "get_script_run_ctx", lambda suppress_warning: inside(True) or "the test")
        yield


@pytest.fixture
def app(in_chinese: None, seeded_app: None) -> AppTest:
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    runtime.warm_up().join(60)
    return opened


def strings(node: object, name: str = "") -> Iterator[str]:
    match node:
        case str() if name in READ and not node.startswith("<style"):
            yield node
        case list():
            for it in node:
                yield from strings(it, name)
        case dict():
            for key, it in node.items():
                yield from strings(it, key)


def shown(page: AppTest) -> Iterator[str]:
    """Yield every text that the page's elements hold for people, and the names of the columns of its tables."""
    for block in (page.main, page.sidebar):
        for element in block:
            if getattr(element, "proto", None) is not None:
                yield from strings(MessageToDict(element.proto))
    for table in page.dataframe:
        yield from map(str, table.value.columns)


def told_by_data() -> list[str]:
    """List what records, examples and the rules' English notes say: shown as it is."""
    ledger, workspace = runtime.services().ledger, runtime.settings().workspace
    found = [it.title for mode in MODES for it in examples(mode)]
    for record in ledger.find(workspace, kinds=list(Kind), limit=500).records:
        values = [*dataclasses.astuple(record.facts), *dataclasses.astuple(record.provenance), record.id]
        found += [str(it) for it in values if isinstance(it, str)]
    found += [str(runtime.settings().home.resolve()), workspace, runtime.services().embedder.id.name]
    return sorted({" ".join(it.split()) for it in found if len(it) > 2}, key=len, reverse=True)


def english(page: AppTest) -> list[str]:
    """List the texts of a page that hold English words which are neither named nor from the data."""
    data, left = told_by_data(), []
    for text in shown(page):
        bare = re.sub(r":material/\w+:|:[\w-]+\[|<[^>]*>|https?://\S+|`[^`]*`|pages/\S+|\b[A-Z]{3}\b", " ", text)
        bare = re.sub(r"\b[0-9a-f]{12,}\b|：[^：]*…", " ", bare)  # digests, and words of a record cut short
        bare = " ".join(bare.replace("\\", "").replace("\u2060", "").split())
        for it in data:
            bare = bare.replace(it, " ")
        words = [it for it in re.findall(r"[A-Za-z][A-Za-z0-9-]{2,}", bare) if it not in NAMED | set(LABELS.values())]
        if words:
            left.append(f"{' '.join(words[:8])}  in  {text[:120]!r}")
    return left


@pytest.mark.parametrize("path", PAGES)
def test_a_page_speaks_chinese(app: AppTest, path: str) -> None:
    page = app.switch_page(path).run()
    assert not page.exception
    assert english(page) == []


@pytest.mark.parametrize("view", MEMORY_VIEWS)
def test_what_the_memory_page_opens_speaks_chinese(app: AppTest, view: str) -> None:
    page = app.switch_page("pages/3_Memory.py").run()
    page.segmented_control(key="memory-view").set_value(view).run()
    assert not page.exception
    assert english(page) == []


def test_a_record_speaks_chinese_around_its_own_words(app: AppTest) -> None:
    [record] = runtime.services().ledger.find(runtime.settings().workspace, search="PaisaLoop").records
    app.switch_page("pages/3_Memory.py")
    app.query_params["record"] = record.id
    app.run()
    assert not app.exception
    assert english(app) == []
    assert any(record.facts.lesson in text for text in shown(app))


def test_an_audit_that_finds_nothing_says_so_in_the_central_sentence(app: AppTest) -> None:
    mode = MODES["investment"]
    text = (
        "We breed alpacas in the Andes and sell their wool to weavers.\nThe founders are Ana and Luis, both full time."
    )
    saved = run_audit(runtime.services(), mode, make_submission(mode, text), now=runtime.now())
    app.switch_page("pages/1_Investment_Audit.py")
    app.query_params["audit"] = saved.saved_as
    app.run()
    assert not app.exception
    assert any("未找到先例" in text for text in shown(app))


def test_titles_and_the_navigation_are_of_the_product_s_language(app: AppTest) -> None:
    page = app.switch_page("pages/4_History.py").run()
    assert page.title[0].value == "评审历史"
    assert {"投资评审", "缺陷排查", "记忆库", "往绩", "状态"} <= set(shown(page))
