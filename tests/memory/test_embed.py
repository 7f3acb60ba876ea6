"""The embedder: offline, checked, and the same for every order and company of texts."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import embed
from memory.embed import RUN_TOKENS, MiniLmEmbedder, cheapest_batches
from memory.errors import EmbedderUnavailable

TEXTS = [
    "A payments app between friends that never charged anyone",
    "Friends send each other money by phone, free of charge",
    "A loop over a page stopped one row early",
    "x",
]


def test_vectors_have_length_one_and_384_numbers(embedder: MiniLmEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((4, 384), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_texts_that_mean_the_same_are_nearer_than_texts_that_do_not(embedder: MiniLmEmbedder) -> None:
    app, friends, loop, _ = embedder.embed(TEXTS)
    assert app @ friends > 0.5 > 0.3 > app @ loop


def test_a_text_has_one_vector_whatever_it_is_embedded_with(embedder: MiniLmEmbedder) -> None:
    alone = np.vstack([embedder.embed([text]) for text in TEXTS])
    together = embedder.embed([*TEXTS, "a much longer text " * 60])[: len(TEXTS)]
    assert np.allclose((alone * together).sum(axis=1), 1, atol=1e-4)


LENGTHS = st.lists(st.integers(2, 256), max_size=40).map(sorted)


def cost(lengths: list[int], batches: list[slice]) -> int:
    return sum(RUN_TOKENS + len(lengths[it]) * max(lengths[it]) for it in batches)


@given(LENGTHS, st.integers(1, 8))
def test_batches_hold_every_text_once_and_in_order(lengths: list[int], most: int) -> None:
    batches = cheapest_batches(lengths, most)
    assert [at for it in batches for at in range(it.start, it.stop)] == list(range(len(lengths)))
    assert all(0 < it.stop - it.start <= most for it in batches)


@given(LENGTHS, st.integers(1, 8))
def test_batches_never_cost_more_than_full_ones_or_single_texts(lengths: list[int], most: int) -> None:
    made = cost(lengths, cheapest_batches(lengths, most))
    for each in (1, most):
        plain = [slice(at, min(at + each, len(lengths))) for at in range(0, len(lengths), each)]
        assert made <= cost(lengths, plain)


def test_short_sentences_are_not_stretched_to_a_long_one() -> None:
    assert cheapest_batches([8, 14, 16, 47, 79], 8) == [slice(0, 3), slice(3, 4), slice(4, 5)]


def test_no_text_gives_no_vector(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert np.isfinite(embedder.embed([""])).all()


def test_threads_that_meet_at_the_first_use_load_it_once() -> None:
    fresh = MiniLmEmbedder()
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda: results.append(float(fresh.embed(["one text"])[0, 0]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert len(set(results)) == 1


def test_an_altered_model_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered = tmp_path / "tokenizer.json"
    altered.write_bytes(embed.TOKENIZER.read_bytes() + b" ")
    monkeypatch.setattr(embed, "TOKENIZER", altered)
    with pytest.raises(EmbedderUnavailable, match=r"tokenizer\.json"):
        MiniLmEmbedder().embed(["text"])
    altered.unlink()
    with pytest.raises(EmbedderUnavailable, match=r"tokenizer\.json"):
        MiniLmEmbedder().embed(["text"])
