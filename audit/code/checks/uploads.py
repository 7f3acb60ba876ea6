"""Checks on uploaded files that keep the name, or the ending, that they came with."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code.spelled import spelled
from audit.code.taint import Taint

_GIVEN_NAME = re.compile(
    r"(?i)\boriginal_?(file)?name\b|getClientOriginal(Name|Extension)|getClientFilename|get(Original|Submitted)FileName\(|"
    r"\b\w*(file|upload|header|picture|image|photo|attachment|document|avatar|part|fh)\w*\.filename\b"
)
_TESTED = re.compile(
    r"(?i)allow|accepted|permitted|whitelist|mime|content_?type|file_?filter|image/|detect|magic|guess|extensions:|'image'|\|image"
    r"|secure_filename|(ends|end)_?with|HasSuffix|\b(ext|extension|suffix|ending|kind|type)\w*\)*\s*(not\s+in|in|[!=]==?)\s"
    r"|(includes|has|contains|include\?|in_array|exists|get|indexOf|match\w*|test)\s*\(\s*\$?\w*(ext|suffix|ending|type|name)\w*"
)
# A list of what is refused leaves out what nobody thought of.
_REFUSED = re.compile(
    r"(?i)\b\w*(block|black_?list|den(y|ied)|forbid|ban(ned)?|refuse|disallow|unsafe|danger|reject|exclu)\w*\s*(:[^=\n]*)?=\s*[^\n]*\b(php|exe|jsp|asp|sh|js|html?)\b"
)
_ADMITTED = re.compile(r"(?i)\b(allow|accepted|permitted|white_?list)\w*\s*[=:]|mime_?type|content_?type|image/|magic")


def _only_refuses(text: str) -> bool:
    """Say whether a text lists the endings that it refuses, and none that it admits."""
    return bool(_REFUSED.search(text)) and not _ADMITTED.search(text)


def upload_kept(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file stored under the name or ending of an upload, where nothing in the text asks what it is."""
    text = match.get_root().root().text()[:60_000]
    if not _GIVEN_NAME.search(text) or (_TESTED.search(text) and not _only_refuses(text)):
        return None
    return match if _GIVEN_NAME.search(spelled(match, taint)) else None
