"""Whether a text is prose that can be judged: its length, and whether it reads as code. Pure."""

from __future__ import annotations

import re

_CODE_LINE = re.compile(
    r"^\s*(?:def \w+\(|class \w+[:({\s]|import [\w.{*]+|from [\w.]+ import |(?:public|private|protected|static) \w+|"
    r"(?:const|let|var) \w+\s*=|function\b.*\(|func \w*\(|fn \w+|#include|#define|package \w+;?$|using [\w.]+;|"
    r"return\b.*[;)\]\w]$|(?:if|for|while|switch|elif|else if|foreach)\b.*[:{]\s*$|else\s*[:{]|try\s*[:{]|"
    r"(?:except|catch|finally)\b.*[:{]\s*$|<\?php|<\/?\w+[^>]*>\s*$|@\w+(?:\(.*\))?$|[\w.\[\]'\"$>-]+\s*(?:[+*/-]?=|:=)\s*\S|"
    r"[\w.$>:-]+\([^)]*\)?;?\s*$|[{}\[\]();,]+\s*$|(?://|/\*|\*/)|select\b.+\bfrom\b|.*;\s*$|.*[^=]=>\s*\{?$"
    r"|--- a/|\+\+\+ b/|@@ )",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’.-][^\W_\u3040-\u30ff\u3400-\u9fff]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LINES = 400


def count_words(text: str) -> int:
    """Count words; in scripts without spaces, two characters count as one word."""
    return len(_WORD.findall(text)) + len(_UNSPACED.findall(text)) // 2


def looks_like_code(text: str) -> bool:
    """Say whether at least six in ten of the first lines, and three of them, have the form of code."""
    lines = [line[:300] for line in text.splitlines() if line.strip()][:_LINES]
    coded = sum(_CODE_LINE.match(line) is not None for line in lines)
    return coded >= 3 and coded >= 0.6 * len(lines)
