"""From a file to the text that is judged, with slide and page numbers kept, and with what could not be read."""

from __future__ import annotations

import re
import zipfile
from bisect import bisect_right
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import PurePath

from docx.opc.exceptions import OpcError
from pptx.exc import PythonPptxError

from audit.document_readers.page import Page, Pages, Unreadable
from audit.document_readers.pdf import read_pdf
from audit.document_readers.slides import read_slides
from audit.document_readers.web_page import read_web_page
from audit.document_readers.word import read_word
from audit.errors import SubmissionRefused
from audit.modes import Mode
from audit.submission import make_submission
from audit.types import Submission
from memory.file_names import name_in_words
from memory.importers.encodings import decode
from memory.importers.ooxml import OLE_MAGIC, check_package

MAX_BYTES = 25 * 1024 * 1024
MAX_PAGES = 200
SUFFIXES = ("pdf", "pptx", "docx", "html", "htm", "md", "txt")

_MARKER = re.compile(r"^\[((?:Page|Slide) \d+)\]$", re.MULTILINE)
_KINDS = {"ppt/": "pptx", "word/": "docx", "xl/": "xlsx"}
_NOTHING_SAVED = "Nothing was saved."
_DAMAGE = (
    KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, zipfile.BadZipFile,
    PythonPptxError, OpcError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file: each page or slide opens with a line such as ``[Slide 3]``. ``notes`` are for the user."""

    text: str
    notes: tuple[str, ...] = ()


def read_document(content: bytes, name: str, *, max_bytes: int = MAX_BYTES, max_pages: int = MAX_PAGES) -> Document:
    """Read a PDF, PPTX, DOCX, HTML, Markdown, text or source file. What it is, is decided by its bytes.

    Raises SubmissionRefused, saying why and what to do, for a file that is empty, too large, encrypted, damaged,
    scanned, binary, or built to do harm when opened.
    """
    name = name_in_words(PurePath(name.replace("\\", "/")).name) or "This file"
    if len(content) > max_bytes:
        raise SubmissionRefused(
            f"{name} has {len(content) / 2**20:,.1f} MB; at most {max_bytes / 2**20:,.0f} MB can be read. "
            f"{_NOTHING_SAVED}"
        )
    if not content.strip(b"\x00 \t\r\n"):
        raise SubmissionRefused(f"{name} is empty. {_NOTHING_SAVED}")
    try:
        pages = _read(content, name, max_pages)
    except Unreadable as error:
        raise SubmissionRefused(f"{name} could not be read. {error} {_NOTHING_SAVED}") from error
    text = "\n\n".join(f"[{page.label}]\n{page.text.strip()}" if page.label else page.text for page in pages.pages)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not any(map(str.isalnum, _MARKER.sub("", text))):
        raise SubmissionRefused(f"{name} holds no text that could be read. {_NOTHING_SAVED}")
    return Document(text, pages.notes)


def document_submission(
    mode: Mode, content: bytes, name: str, *, max_bytes: int = MAX_BYTES, max_pages: int = MAX_PAGES
) -> Submission:
    """Read a file and make it a submission, with what could not be read among its notes. Raises SubmissionRefused."""
    document = read_document(content, name, max_bytes=max_bytes, max_pages=max_pages)
    submission = make_submission(mode, document.text, name)
    return replace(submission, notes=(*document.notes, *submission.notes))


def page_of(text: str, position: int) -> str:
    """Name the page or slide that a position in a document's text lies on, such as ``Slide 3``, or ""."""
    markers = list(_MARKER.finditer(text))
    at = bisect_right([marker.start() for marker in markers], position)
    return markers[at - 1][1] if at else ""


def _read(content: bytes, name: str, max_pages: int) -> Pages:
    if content[:1024].lstrip().startswith(b"%PDF-"):
        return read_pdf(content, max_pages)
    if content.startswith((b"PK\x03\x04", OLE_MAGIC)) or PurePath(name).suffix.lower() in {".pptx", ".docx"}:
        return _read_office(content, name, max_pages)
    if PurePath(name).suffix.lower() == ".pdf":
        raise Unreadable("It is damaged or not a PDF. Export it again.")
    decoded = decode(content)
    text = decoded.text
    strange = sum(character < " " and character not in "\t\n\r\f\x1b" for character in text)
    if strange > 0.02 * len(text) or text.count("\ufffd") > 0.02 * len(text) + 2:
        raise Unreadable("It is binary, not text.")
    if PurePath(name).suffix.lower() in {".html", ".htm"} or text.lstrip()[:15].lower().startswith("<!doctype html"):
        pages = read_web_page(text)
        return Pages(pages.pages, (*decoded.notes, *pages.notes))
    return Pages((Page("", text),), decoded.notes)


def _read_office(content: bytes, name: str, max_pages: int) -> Pages:
    try:
        notes = check_package(content, "It")
    except ValueError as error:
        raise Unreadable(str(error)) from error
    kind = _office_kind(content)
    if kind == "xlsx":
        raise Unreadable("It is a workbook. Import it as records on the memory page, or paste its text.")
    if not kind:
        raise Unreadable("It is a zip, not a deck or a document.")
    try:
        pages = read_slides(content, max_pages) if kind == "pptx" else read_word(content)
    except _DAMAGE as error:
        raise Unreadable("It is damaged: its parts do not fit together. Save it again.") from error
    return Pages(pages.pages, (*notes, *pages.notes))


def _office_kind(content: bytes) -> str:
    with zipfile.ZipFile(BytesIO(content)) as package:
        names = package.namelist()
    return next((kind for folder, kind in _KINDS.items() if any(it.startswith(folder) for it in names)), "")
