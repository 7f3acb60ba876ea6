"""From what was pasted or read to a ``Submission``, or to a message that says why not. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from audit.errors import SubmissionRefused
from audit.markdown import upright
from audit.modes import Mode
from audit.types import Submission
from memory.file_names import name_in_words
from memory.sensitive import mask

MAX_CHARACTERS = 400_000
MAX_CONTROL_SHARE = 0.05
LONGEST_LINE = 1_000

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_PREAMBLE = re.compile(
    r"""(import|from|package|using|namespace|require|include|use)\b|(const|let|var)\s.*=\s*require\b"""
    r"""|\#|//|/\*|\*|--|<\?php|["']use strict|[\"']{3}"""
)
_WORD = re.compile(r"[^\W_]+")


def make_submission(mode: Mode, content: str | bytes, name: str = "") -> Submission:
    """Check ``content`` and make it a submission; control characters are taken out and noted.

    ``bytes`` are read as UTF-8 or, with a byte order mark, UTF-16. Raises SubmissionRefused for what is binary, empty,
    too long (over 400,000 characters) or too little to judge.
    """
    raw = _decode(content, name) if isinstance(content, bytes) else content
    if len(raw) > MAX_CHARACTERS:
        raise SubmissionRefused(
            f"This is {len(raw):,} characters long; at most {MAX_CHARACTERS:,} can be audited at once. "
            f"Nothing was saved. Paste the part you want judged."
        )
    text, removed = _CONTROL.subn("", raw.replace("\r\n", "\n").replace("\r", "\n"))
    if removed > max(20, MAX_CONTROL_SHARE * len(raw)):
        raise _binary(name)
    if not text.strip():
        raise SubmissionRefused(f"There is nothing to audit yet. {mode.wording.paste_hint}")
    if not _enough(text):
        raise SubmissionRefused(
            f"This is too little to judge. {mode.wording.paste_hint} A few sentences or lines are enough."
        )
    notes = (f"{removed} control characters were taken out before reading.",) if removed else ()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    told = name_in_words(name)
    return Submission(mode.name, text, sha256, told, mode.language_of(text, told), notes)


def title_of(submission: Submission, width: int = 80) -> str:
    """Name a submission: its file's name, or else its first line that tells something, cut to ``width`` characters.

    In code what is imported and what is commented tell nothing, unless there is nothing else. A key, a password or
    personal data in the line is masked, and no mark turns it: a name stands in lists, reports and records.
    """
    lines = [line for it in submission.text.splitlines() if _WORD.search(line := " ".join(it.split()))]
    telling = (line for line in lines if not (submission.language and _PREAMBLE.match(line)))
    title = submission.name or next(telling, lines[0] if lines else "untitled")
    title, _ = mask(upright(title[:LONGEST_LINE]))
    return title if len(title) <= width else f"{title[: width - 1].rstrip()}…"


def _decode(content: bytes, name: str) -> str:
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _binary(name) from error


def _binary(name: str) -> SubmissionRefused:
    what = f"{name} is" if name else "This is"
    return SubmissionRefused(
        f"{what} not text: it looks like a binary file. Nothing was saved. Paste its text instead."
    )


def _enough(text: str) -> bool:
    """True from three words, or from eight letters where a script writes no spaces between words."""
    head = text[:10_000]
    words = _WORD.findall(head)
    unspaced = sum(unicodedata.category(letter) == "Lo" for letter in head)
    return len(words) >= 3 or unspaced >= 8
