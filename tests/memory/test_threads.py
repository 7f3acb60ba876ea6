"""Linear algebra stays on the thread that asks for it."""

from __future__ import annotations

from threadpoolctl import threadpool_info

from memory.embed import MiniLmEmbedder
from memory.multilingual import MultilingualEmbedder


def test_no_pool_of_threads_spins_beside_the_embedders(embedder: MiniLmEmbedder) -> None:
    embedder.embed(["one text"])
    MultilingualEmbedder().embed(["one text"])
    assert {it["num_threads"] for it in threadpool_info() if it["user_api"] == "blas"} == {1}
