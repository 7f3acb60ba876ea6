"""PDF through pdfium: text by page; scans, passwords and damage are told apart."""

from __future__ import annotations

import threading

import pypdfium2 as pdfium  # type: ignore[import-untyped]

from audit.document_readers.columns import jumps_across, reading_order
from audit.document_readers.lines import Box, Line
from audit.document_readers.page import Page, Pages, Unreadable, numbers, too_long

_LEAST_LETTERS = 3
_MOST_PIECES = 5_000
# pdfium keeps global state and may be entered by one thread at a time.
_pdfium = threading.Lock()


def read_pdf(content: bytes, max_pages: int) -> Pages:
    """Read the text of each page. Raises Unreadable for encrypted, damaged, scanned and too long files."""
    with _pdfium:
        return _read(content, max_pages)


def _read(content: bytes, max_pages: int) -> Pages:
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable("It is encrypted with a password. Save it without one and try again.") from error
        raise Unreadable("It is damaged: no PDF reader can open it. Export it again.") from error
    try:
        count = len(document)
        if count > max_pages:
            raise too_long(count, "pages", max_pages)
        if not count:
            raise Unreadable("It has no pages.")
        texts = [_text(document, number) for number in range(count)]
    finally:
        document.close()
    empty = [number for number, text in enumerate(texts, start=1) if sum(map(str.isalnum, text)) < _LEAST_LETTERS]
    if len(empty) == count:
        raise Unreadable(
            "It holds pictures of pages and no text, as a scan does. Run text recognition on it, or paste the text."
        )
    notes = []
    if empty:
        which = f"Page {numbers(empty)} holds" if len(empty) == 1 else f"Pages {numbers(empty)} hold"
        notes.append(f"{which} no text (a picture or a scan) and was not read.")
    pages = tuple(Page(f"Page {number}", text) for number, text in enumerate(texts, start=1) if text.strip())
    return Pages(pages, tuple(notes))


def _text(document: pdfium.PdfDocument, number: int) -> str:
    try:
        page = document[number]
        try:
            reading = page.get_textpage()
            try:
                return _read_page(reading, Box(*page.get_bbox()))
            finally:
                reading.close()
        finally:
            page.close()
    except pdfium.PdfiumError:
        return ""


def _read_page(reading: pdfium.PdfTextPage, page: Box) -> str:
    """Read the text of a page, column by column where its columns are drawn line by line across."""
    plain = str(reading.get_text_bounded())
    count = reading.count_rects()
    pieces = [Box(*reading.get_rect(number)) for number in range(count if count <= _MOST_PIECES else 0)]
    if not jumps_across(pieces):
        return plain
    boxes = reading_order(
        [Line(it.left, it.bottom, it.right, it.top, _within(reading, it), at) for at, it in enumerate(pieces)], page
    )
    texts = [_within(reading, it) for it in boxes]
    ordered = "\n".join(line.rstrip() for text in texts for line in text.splitlines() if line.strip())
    # Whatever the boxes are, no letter may be lost, told twice or torn from its word.
    return ordered if len(boxes) > 1 and sorted(ordered.split()) == sorted(plain.split()) else plain


def _within(reading: pdfium.PdfTextPage, box: Box) -> str:
    return str(reading.get_text_bounded(box.left, box.bottom, box.right, box.top))
