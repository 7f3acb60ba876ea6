"""Every sentence of the interface goes through gettext, and each has its Chinese."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file

from audit.speech.catalogs import read_catalog
from audit.speech.language import USUAL

ROOT = Path(__file__).parents[2]
KEYWORDS = {"_": None, "_n": (1, 2), "N_": None, "say": None, "say_n": (1, 2)}
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))]
REPORTS = [ROOT / "audit" / f"{it}.py" for it in ("decided", "html_report", "markdown_report", "reports", "retold")]
LANGUAGES = sorted(set(USUAL) - {"en"})

# Shown as they are: names, formats and units that are the same in every language.
SAME_EVERYWHERE = {"MB", "Precedent", "sha256"}
# What a widget or plot shows of these keywords is read by a person.
READ_BY_PEOPLE = {
    "alt", "annotation_text", "help", "label", "name", "placeholder", "subtitle", "text", "title", "xaxis_title",
    "yaxis_title",
}  # fmt: skip
NOT_SHOWN = {"cache_data", "cache_resource", "code", "form", "fragment", "switch_page"}
# Kept in the ledger, run by the browser, given to a shell or asked of the memory: never said to a reader.
NOT_SAID = {
    "form on the Memory page",
    "export default ({ data }) => { document.documentElement.lang = data.language }",
    " python -m memory restore ",
    "a first look at the memory",
}
PLOTTING = {"add_annotation", "add_hline", "add_scatter", "add_vline", "update_layout"}


def messages() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for file in (*SOURCES, *REPORTS):
        for _, found, _, _ in extract_from_file("python", file, keywords=KEYWORDS):
            yield str(file.relative_to(ROOT)), found


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_interface_has_a_translation_with_the_same_placeholders(language: str) -> None:
    catalog = read_catalog(language, "pages")
    wrong = []
    for file, found in messages():
        one, many = (found, found) if isinstance(found, str) else (found[0], found[1])
        entry = catalog.get(one)
        told = entry.string if entry else ""
        for text in told if isinstance(told, tuple) else (told,):
            if not text or placeholders(text) != placeholders(many):
                wrong.append(f"{file}: {one}")
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", ["pages", "said"])
def test_a_catalog_holds_no_dead_doubtful_or_half_filled_entry(language: str, domain: str) -> None:
    catalog = read_catalog(language, domain)
    used = {found if isinstance(found, str) else found[0] for _, found in messages()}
    assert catalog.obsolete == {}
    for entry in catalog:
        if not entry.id:
            continue
        one = entry.id if isinstance(entry.id, str) else entry.id[0]
        assert domain == "said" or one in used, f"nothing says {one!r} any more"
        assert not entry.fuzzy, one
        assert all(entry.string if isinstance(entry.string, tuple) else (entry.string,)), one


def trees(*files: Path) -> Iterator[tuple[str, ast.Module]]:
    for file in files or SOURCES:
        yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


def words(text: str) -> list[str]:
    """Give the words a person would read: no directives, tags, or names that are the same everywhere."""
    bare = re.sub(r":material/\w+:|:[\w-]+\[|<[^>]*>?|[\w-]+=\"[^\"]*\"?|^[^<]*>", " ", text)
    return [it for it in re.findall(r"[A-Za-z][A-Za-z0-9]+", bare) if it not in SAME_EVERYWHERE]


def literals(node: ast.AST) -> Iterator[str]:
    """Yield the words of a literal; what a call, a name or a comparison brings is not the literal's."""
    match node:
        case ast.Constant(value=str() as text):
            yield from words(text)
        case ast.JoinedStr(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from literals(part)
        case ast.BinOp(left=left, right=right):
            yield from literals(left)
            yield from literals(right)
        case ast.IfExp(body=body, orelse=other):
            yield from literals(body)
            yield from literals(other)
        case ast.BoolOp(values=values):
            for value in values:
                yield from literals(value)
        case ast.Dict(keys=keys, values=values):
            for part in (*keys, *values):
                if part is not None:
                    yield from literals(part)


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(value=ast.Name(id="st"), attr=name):
            return f"st.{name}"
        case ast.Attribute(value=ast.Name(id=("go" | "pd") as package), attr=name):
            return f"{package}.{name}"
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def spoken_in(node: ast.Call) -> Iterator[str]:
    """Yield what a call shows to people without saying it through gettext."""
    name = called(node)
    if name.startswith("st.") and name[3:] not in NOT_SHOWN:
        shown = [it for it in node.args if not (isinstance(it, ast.Constant) and str(it.value).endswith(".py"))]
        shown += [it.value for it in node.keywords if it.arg in READ_BY_PEOPLE]
    elif name == "pd.DataFrame":
        shown = [*node.args, *(it.value for it in node.keywords)]
        shown = [row.elt if isinstance(row, ast.ListComp) else row for row in shown]
        shown = [ast.List([it for it in row.keys if it]) if isinstance(row, ast.Dict) else row for row in shown]
    elif name.startswith("go.") or name in PLOTTING:
        shown = [it.value for it in node.keywords if it.arg in READ_BY_PEOPLE]
        for it in node.keywords:
            if isinstance(it.value, ast.Dict):
                pairs = zip(it.value.keys, it.value.values, strict=True)
                shown += [
                    value for key, value in pairs if isinstance(key, ast.Constant) and key.value in READ_BY_PEOPLE
                ]
    elif name in {"labelled", "quiet", "as_html", "as_markdown"}:
        shown = node.args[:1]
    else:
        shown = []
    for it in shown:
        yield from literals(it)


def test_nothing_is_shown_that_does_not_go_through_gettext() -> None:
    bare = [
        f"{file}:{node.lineno}: {' '.join(found)}"
        for file, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (found := list(spoken_in(node)))
    ]
    assert bare == []


def test_no_prose_stands_outside_of_gettext() -> None:
    """Whatever reads like a sentence is marked where it is written, also where a variable carries it to the page.

    What the page says through ``said``, as reasons that the ledger keeps, has its words there.
    """
    bare = []
    kept = {entry.id for entry in read_catalog("zh", "said")} | NOT_SAID
    for file, tree in trees():
        fine = {id(it) for node in ast.walk(tree) for it in exempt(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in fine:
                told = words(node.value)
                if len(told) >= 3 and " " in node.value.strip() and node.value not in kept:
                    bare.append(f"{file}:{node.lineno}: {' '.join(told)}")
    assert bare == []


def exempt(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the constants that no page shows: docstrings, what gettext is given, log lines, errors of the house."""
    match node:
        case ast.Expr(value=ast.Constant() as docstring):
            yield docstring
        case ast.Call(func=ast.Name(id="_" | "_n" | "N_")):
            yield from ast.walk(node)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))) | ast.Raise():
            yield from ast.walk(node)


def test_gettext_is_never_called_within_an_f_string_where_no_tool_finds_it() -> None:
    hidden = [
        f"{file}:{inner.lineno}"
        for file, tree in trees(*SOURCES, *REPORTS)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and called(inner) in KEYWORDS and isinstance(inner.args[0], ast.Constant)
    ]
    assert hidden == []


def test_no_function_that_translates_uses_the_translator_s_name_for_something_else() -> None:
    shadowed = []
    for file, tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            inside = list(ast.walk(node))
            in_loops = {id(it) for found in inside if isinstance(found, ast.comprehension) for it in ast.walk(found)}
            stored = any(
                isinstance(it, ast.Name)
                and it.id in KEYWORDS
                and isinstance(it.ctx, ast.Store)
                and id(it) not in in_loops
                for it in inside
            )
            if stored and any(isinstance(it, ast.Call) and called(it) in KEYWORDS for it in inside):
                shadowed.append(f"{file}: {node.name}")
    assert shadowed == []
