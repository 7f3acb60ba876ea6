"""From bytes to text: byte order marks, UTF-8, UTF-16, and the legacy code pages that exports still come in. Pure."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from charset_normalizer import from_bytes

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_MULTIBYTE = {"gb18030", "gbk", "gb2312", "big5", "big5hkscs", "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949"}
_SAMPLE = 64_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the name of the encoding it was read as, and remarks for the user."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(content: bytes) -> Decoded:
    """Decode ``content`` by its byte order mark, else as UTF-8, UTF-16 without a mark, or a legacy code page.

    Never fails: the last resort is Windows-1252, and the notes say that it is a guess.
    """
    for mark, codec, label in _MARKS:
        if content.startswith(mark):
            text = content.decode(codec, errors="replace")
            return Decoded(text, label, _lost(text, f"The file is {label}."))
    unmarked = _utf16_without_mark(content)
    if unmarked:
        text = content.decode(unmarked, errors="replace")
        return Decoded(text, "UTF-16", _lost(text, "The file is UTF-16 without a byte order mark."))
    try:
        text = content.decode("utf-8")
        return Decoded(text, "UTF-8", _lost(text, ""))
    except UnicodeDecodeError:
        return _legacy(content)


def _legacy(content: bytes) -> Decoded:
    guess = from_bytes(content[:_SAMPLE]).best()
    if guess is not None and guess.encoding.lower() in _MULTIBYTE and _decodes(content, guess.encoding):
        text = content.decode(guess.encoding)
        return Decoded(text, guess.encoding, (f"The file is not UTF-8; it was read as {guess.encoding}.",))
    text = content.decode("cp1252", errors="replace")
    return Decoded(text, "Windows-1252", _lost(text, "The file is not UTF-8; it was read as Windows-1252."))


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_mark(content: bytes) -> str:
    sample = content[: _SAMPLE - _SAMPLE % 2]
    if len(sample) < 4:
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.05 * half else ""


def _lost(text: str, note: str) -> tuple[str, ...]:
    replaced = text.count("\ufffd")
    lost = f"{replaced} characters could not be read and stand as \ufffd." if replaced else ""
    return tuple(remark for remark in (note, lost) if remark)
