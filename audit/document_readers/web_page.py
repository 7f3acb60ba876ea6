"""HTML as the text a person sees: no scripts, styles or hidden parts. Pure."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from audit.document_readers.page import Page, Pages

_SKIPPED = frozenset({"script", "style", "head", "template", "noscript", "svg", "iframe", "object"})
_BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "footer", "form",
     "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table",
     "tr", "ul")
)  # fmt: skip
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)


def read_web_page(text: str) -> Pages:
    """Read the visible text of an HTML page. Nothing is fetched."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).splitlines())
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    notes = ("Text that the page hides from its readers was left out.",) if reader.hidden_text else ()
    return Pages((Page("", body),), notes)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden_text = False
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _BLOCKS:
            self.pieces.append("\n")
        elif tag in {"td", "th"}:
            self.pieces.append(" | ")
        if tag in _VOID:
            return
        hidden = "hidden" in values or bool(_HIDDEN.search(values.get("style") or ""))
        self._open.append((tag, "skipped" if tag in _SKIPPED else "hidden" if hidden else ""))

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        states = {state for _, state in self._open}
        if "skipped" in states:
            return
        if "hidden" in states:
            self.hidden_text = self.hidden_text or bool(data.strip())
            return
        self.pieces.append(data)
