"""The models that a Hindsight server asks, on a loopback port: embedder, reranker, and one that finds facts by rule.

Vectors are those of MiniLM, and the reranker's scores their cosines. The extractor gives every sentence as a fact, with
the date that stands in it; the consolidator makes one observation of each batch of facts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memory.embed import Embedder
from tests.hindsight_server.serving import JsonHandler, serving

SENTENCE = re.compile(r"[^.。!?\n]+[.。!?]")
DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
FACT = re.compile(r"^\[([0-9a-f-]{36})\] (.+?)(?: \((?:occurred|mentioned)|$)", re.MULTILINE)


@contextmanager
def models(embedder: Embedder) -> Iterator[str]:
    """Serve them; give the address, which ends in ``/v1``."""

    class Handler(JsonHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/v1/embeddings":
                self._answer(_embedded(embedder, body))
            elif self.path == "/v1/rerank":
                self._answer(_reranked(embedder, body))
            else:
                self._answer(_completion(body))

        def _answer(self, data: dict[str, Any]) -> None:
            self.send(200, json.dumps(data))

    with serving(Handler) as address:
        yield f"{address}/v1"


def _embedded(embedder: Embedder, body: dict[str, Any]) -> dict[str, Any]:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    data = [
        {"object": "embedding", "index": at, "embedding": [float(it) for it in vector]}
        for at, vector in enumerate(embedder.embed(texts))
    ]
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _reranked(embedder: Embedder, body: dict[str, Any]) -> dict[str, Any]:
    query, *documents = embedder.embed([body["query"], *body["documents"]])
    return {"results": [{"index": at, "relevance_score": float(query @ it)} for at, it in enumerate(documents)]}


def _completion(body: dict[str, Any]) -> dict[str, Any]:
    system, said = (str(body["messages"][at]["content"]) for at in (0, -1))
    content = "ok"
    if "FactExtractionResponse" in system:
        text = said.partition("Content:\n")[2]
        content = json.dumps({"facts": [_fact(it.group().strip()) for it in SENTENCE.finditer(text)]})
    elif "ConsolidationBatchResponse" in system:
        new = FACT.findall(said.partition("### Existing observations")[0])
        made = {"text": f"Noted: {new[0][1]}", "source_fact_ids": [it for it, _ in new]}
        content = json.dumps({"creates": [made], "updates": [], "deletes": []})
    message = {"role": "assistant", "content": content}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def _fact(sentence: str) -> dict[str, Any]:
    when = DATE.search(sentence)
    return {
        "what": sentence, "when": when.group() if when else "N/A", "where": "N/A", "who": "N/A", "why": "N/A",
        "fact_kind": "event" if when else "conversation", "fact_type": "world", "entities": [],
        "occurred_start": f"{when.group()}T00:00:00Z" if when else None,
    }  # fmt: skip
