"""OpenAI's embeddings, or those of a server that speaks its interface, by setting. Text leaves the machine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import openai
from pydantic import SecretStr

from memory.embed import EmbedderId, Vectors
from memory.errors import EmbedderUnavailable

BATCH = 128
TIMEOUT_S = 30.0
LONGEST = 20_000


class OpenAiEmbedder:
    """A served embedding model. Its identity is its name, dimension and address, since its weights cannot be seen."""

    def __init__(self, model: str, dimension: int, key: SecretStr, base_url: str) -> None:
        self._model = model
        self._dimension = dimension
        self._client = openai.OpenAI(
            api_key=key.get_secret_value() or "none", base_url=base_url or None, max_retries=2, timeout=TIMEOUT_S
        )
        self._sha256 = hashlib.sha256(f"{self._client.base_url}|{model}|{dimension}".encode()).hexdigest()

    @property
    def id(self) -> EmbedderId:
        return EmbedderId(self._model, self._dimension, self._sha256)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts`` in batches of 128; shape (len(texts), dimension). Raises EmbedderUnavailable."""
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [text[:LONGEST] or " " for text in texts[start : start + BATCH]]
            vectors[start : start + len(batch)] = self._ask(batch)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)

    def _ask(self, batch: list[str]) -> list[list[float]]:
        try:
            answer = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
            given = [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
        except openai.OpenAIError as error:
            # The server's own words may repeat a key, so only the kind of failure is told.
            raise EmbedderUnavailable(
                f"The embedding model {self._model} did not answer ({type(error).__name__}). Nothing was stored; "
                "check the key and the address, or set PRECEDENT_EMBEDDER=minilm."
            ) from error
        except (AttributeError, TypeError, ValueError) as error:
            raise EmbedderUnavailable(f"The embedding model {self._model} answered with something else.") from error
        if len(given) != len(batch) or any(len(vector) != self._dimension for vector in given):
            raise EmbedderUnavailable(
                f"The embedding model {self._model} does not give {self._dimension} numbers for each text; set "
                "PRECEDENT_EMBEDDING_DIMENSION to what it gives."
            )
        return given
