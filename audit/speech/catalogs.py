"""The catalogs of translations: ``pages`` for what pages and reports say, ``said`` for what core and memory say."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

TRANSLATIONS = Path(__file__).with_name("translations")
ENGLISH = "en"


def read_catalog(language: str, domain: str) -> Catalog:
    """Read what ``domain`` says in a language: ``pages`` or ``said``. Raises OSError where it is missing."""
    with (TRANSLATIONS / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language, domain=domain)
