"""The fields of one draft: each read once, then again when the whole draft is known."""

from __future__ import annotations

from collections.abc import Sequence

from audit.folding import visible
from audit.prose import Reader, Reading
from audit.types import Precedent, Refusal


class Fields:
    """Reads each field of a draft once, and again when the whole draft is known."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._readings: list[tuple[str, Reading]] = []
        self._final: list[Reading] = []
        self.refused: list[Refusal] = []

    def read(self, name: str, texts: Sequence[str]) -> int:
        """Read the texts of one field; the number is for ``final`` and ``text``, after ``read_again``."""
        self._readings.append((name, self._reader.read(name, texts)))
        return len(self._readings) - 1

    def why(self, name: str, text: str, precedent: Precedent) -> int:
        reading = self._reader.read_why(name, text, (precedent.record_quote, precedent.submission_quote))
        self._readings.append((name, reading))
        return len(self._readings) - 1

    def read_again(self) -> None:
        self._final = [self._reader.again(name, reading) for name, reading in self._readings]
        for reading in self._final:
            self.refused += reading.refused

    def final(self, at: int) -> Reading:
        return self._final[at]

    def text(self, at: int) -> str:
        return self._final[at].text

    def refuse(self, name: str, text: str, rule: str, reason: str) -> None:
        self.refused.append(Refusal(visible(name), visible(str(text)), rule, reason))
