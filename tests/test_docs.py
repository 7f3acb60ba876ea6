"""The documents say only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from settings import Settings

ROOT = Path(__file__).parents[1]
DEFINED = {
    name
    for file in (ROOT / "tests").rglob("*.py")
    for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))
}
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda it: str(it.relative_to(ROOT)))
def test_every_test_a_document_names_exists(document: Path) -> None:
    named = set(re.findall(r"`(test_\w+)`", document.read_text(encoding="utf-8")))
    assert named - DEFINED == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda it: str(it.relative_to(ROOT)))
def test_every_file_a_document_links_to_exists(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_setting_is_documented_under_its_own_name() -> None:
    told = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    names = [
        str(field.validation_alias or f"PRECEDENT_{name.upper()}") for name, field in Settings.model_fields.items()
    ]
    assert [name for name in names if f"`{name}`" not in told] == []
