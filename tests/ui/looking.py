"""What a test sees on a page: its words, and its buttons by name."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

KINDS = ("title", "header", "markdown", "text", "caption", "warning", "info", "error", "success", "html", "badge")


def words(page: AppTest) -> str:
    """Give all text of a page, without Markdown's escapes and marks."""
    found = [str(getattr(it, "value", None) or it.proto.body) for kind in KINDS for it in page.get(kind)]
    return "\n".join(found).replace("\\", "").replace("**", "")


def click(page: AppTest, key: str) -> AppTest:
    """Press the button of that key."""
    page.button(key=key).click().run()
    assert not page.exception
    return page


def keys(page: AppTest, start: str) -> list[str]:
    """List the keys of the buttons that begin so."""
    return [it.key for it in page.button if it.key and it.key.startswith(start)]
