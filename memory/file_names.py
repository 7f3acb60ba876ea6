"""What a file is called in words: a name can be any bytes, and what is stored, printed and shown is text."""

from __future__ import annotations

import os
import re
from pathlib import PurePath

from memory.validation import strip_controls

LONGEST = 300
_RAW_BYTE = re.compile("[\udc80-\udcff]")


def name_in_words(name: str | PurePath) -> str:
    """Write a file's name or path on one line, at most 300 characters; a byte that is no UTF-8 stands as ``%E9``."""
    text = _RAW_BYTE.sub(lambda it: f"%{ord(it[0]) - 0xDC00:02X}", os.fspath(name))
    return " ".join(strip_controls(text).split())[:LONGEST]
