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


def upload_kept(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file stored under the name or ending of an upload, where nothing in the text asks what it is."""
    text = match.get_root().root().text()[:60_000]
    if not _GIVEN_NAME.search(text) or _TESTED.search(text):
        return None
    return match if _GIVEN_NAME.search(spelled(match, taint)) else None
