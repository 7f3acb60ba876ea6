"""One door for every format: what a file is, is decided by its bytes and then by its name. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

from memory.errors import ImportRefused
from memory.file_names import name_in_words
from memory.importers.delimited import read_delimited
from memory.importers.json_rows import read_json
from memory.importers.ooxml import OLE_MAGIC
from memory.importers.other_tables import find_other_tables
from memory.importers.own_export import unguarded
from memory.importers.shapes import recognise
from memory.importers.tables import MAX_BYTES, Table
from memory.importers.workbook import read_workbook

_MARKUP = re.compile(rb"<(?:!doctype|html|\?xml|table|svg)", re.IGNORECASE)
_JSON_SUFFIXES = {".json", ".jsonl", ".ndjson"}


def read_table(content: bytes, name: str, sheet: str = "") -> Table:
    """Read a CSV, XLSX, JSON or JSON Lines file and recognise whose export it is. Raises ImportRefused."""
    name = name_in_words(name)
    if len(content) > MAX_BYTES:
        raise ImportRefused(f"{name} is larger than {MAX_BYTES // 2**20} MB. Split it and import the parts.")
    if not content.strip():
        raise ImportRefused(f"{name} is empty. There is nothing to import.")
    suffix = PurePath(name).suffix.lower()
    if content.startswith((b"PK\x03\x04", OLE_MAGIC)) or suffix in {".xlsx", ".xlsm"}:
        table = read_workbook(content, name, sheet)
    elif content.startswith(b"%PDF"):
        raise ImportRefused(f"{name} is a PDF. Export the table as CSV, XLSX or JSON.")
    elif _MARKUP.match(content[:200].lstrip(b"\xef\xbb\xbf \t\r\n")):
        raise ImportRefused(f"{name} is HTML or XML, not a table. Export it as CSV, XLSX or JSON.")
    elif suffix in _JSON_SUFFIXES or content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"[", b"{"}:
        table = read_json(content, name)
    else:
        table = read_delimited(content, name)
    table = replace(table, shape=recognise(table))
    if not table.format.startswith("JSON") and table.shape != "precedent":
        table = replace(table, doubtful=(*table.doubtful, *find_other_tables(table)))
    return unguarded(table) if table.shape == "precedent" and not table.format.startswith("JSON") else table
