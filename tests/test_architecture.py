"""What the folder names promise, read from the source itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRODUCT = ("app.py", "settings.py", "wiring.py", "pages", "ui", "audit", "memory", "mcp_server", "seeds", "evals")


def sources() -> Iterator[tuple[str, ast.Module]]:
    for name in PRODUCT:
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


def uses(tree: ast.Module, name: str) -> bool:
    """True where a module imports or reads ``name``: a package, a function or an attribute."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(it.name.split(".")[0] == name for it in names):
                return True
            case ast.ImportFrom(module=module, names=names):
                if (module or "").split(".")[0] == name or any(it.name == name for it in names):
                    return True
            case ast.Name(id=found) | ast.Attribute(attr=found) | ast.keyword(arg=found) if found == name:
                return True
    return False


@pytest.mark.parametrize(
    ("name", "homes"),
    [
        ("streamlit", ("app.py", "pages/", "ui/")),
        ("chromadb", ("memory/chroma_", "evals/chroma.py")),
        ("hindsight_client", ("memory/hindsight_bank.py",)),
        ("groq", ("audit/llm/clients.py",)),
        ("openai", ("audit/llm/clients.py", "memory/openai_embed.py")),
        ("environ", ("settings.py",)),
        ("getenv", ("settings.py",)),
        ("grounding_permit", ("audit/guard.py", "audit/types.py")),
        ("unsafe_allow_html", ()),
        ("subprocess", ("evals/cold.py", "evals/rivals.py")),
        ("pickle", ()),
    ],
)
def test_each_dependency_is_used_only_where_it_lives(name: str, homes: tuple[str, ...]) -> None:
    strangers = [file for file, tree in sources() if uses(tree, name) and not file.startswith(homes or ("\0",))]
    assert strangers == []


def test_no_mode_is_told_apart_outside_its_value() -> None:
    strangers = []
    for file, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and any(
                isinstance(side, ast.Constant) and side.value in {"investment", "bug"}
                for side in (node.left, *node.comparators)
            ):
                strangers.append(f"{file}:{node.lineno}")
    assert strangers == []
