"""DOCX: paragraphs, tables and text boxes in their order, footnotes after them; deleted text stays deleted."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import docx
from docx.oxml.ns import qn

from audit.document_readers.page import Page, Pages

_BREAKS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}


def read_word(content: bytes) -> Pages:
    """Read the body of a document; Word files hold no page numbers."""
    document = docx.Document(io.BytesIO(content))
    body = document.element.body
    parts = list(_blocks(body))
    notes = []
    for part in document.part.package.iter_parts():
        if str(part.partname).startswith(("/word/footnotes", "/word/endnotes")) and hasattr(part, "element"):
            parts += [f"Note: {text}" for text in _blocks(part.element) if text]
    if any(True for _ in body.iter(qn("w:drawing"))) and any("/media/" in str(p.partname) for p in _parts(document)):
        notes.append("Pictures were not read.")
    around = ("/word/header", "/word/footer")
    if any(str(p.partname).startswith(around) and any(_blocks(p.element)) for p in _parts(document)):
        notes.append("Headers and footers were not read.")
    if any(True for _ in body.iter(qn("w:del"))):
        notes.append("Text that is marked as deleted was left out.")
    return Pages((Page("", "\n".join(parts)),), tuple(notes))


def _parts(document: Any) -> Iterator[Any]:
    yield from document.part.package.iter_parts()


def _blocks(parent: Any) -> Iterator[str]:
    for child in parent:
        if child.tag == qn("w:p"):
            text = _paragraph(child)
            if text.strip():
                yield text
        elif child.tag == qn("w:tbl"):
            for row in child.iter(qn("w:tr")):
                cells = [" ".join(" ".join(_blocks(cell)).split()) for cell in row.iterchildren(qn("w:tc"))]
                yield " | ".join(cells)
        else:
            yield from _blocks(child)


def _paragraph(paragraph: Any) -> str:
    """Read all runs, those inserted under tracking and those of text boxes too; a fallback copy is read once."""
    pieces = []
    for node in paragraph.iter(qn("w:t"), *_BREAKS):
        if any(parent.tag.endswith("}Fallback") for parent in node.iterancestors()):
            continue
        pieces.append(_BREAKS.get(node.tag) or node.text or "")
    return "".join(pieces)
