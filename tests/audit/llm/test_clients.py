"""What comes back from a server, through both SDKs, becomes a reply or a named failure, and nothing else."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from audit.llm.clients import SdkClient
from audit.llm.endpoints import Endpoint, connect
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.port import Bounds, JsonMode, Request
from tests.audit.llm.conftest import KEY
from tests.model_server import acts
from tests.model_server.dialects import CASES, Case
from tests.model_server.server import Act, ModelServer

SCHEMA = {
    "type": "object",
    "properties": {"summary": {"type": "string", "maxLength": 90}, "maxLength": {"type": "array", "maxItems": 3}},
    "required": ["summary", "maxLength"],
    "additionalProperties": False,
}


def request_for(model: str = "m", mode: JsonMode = JsonMode.STRICT, **changes: object) -> Request:
    fields = {
        "system": "Answer in JSON.",
        "user": "Pasted text.",
        "schema": SCHEMA,
        "reply_tokens": 200,
        "stream": True,
    }
    return Request(model=model, mode=mode, **{**fields, **changes})  # type: ignore[arg-type]


def failure_of(client: SdkClient, request: Request, bounds: Bounds | None = None) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        client.complete(request, bounds or Bounds(5))
    return caught.value


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_comes_with_its_tokens(client: SdkClient, server: ModelServer, stream: bool) -> None:
    server.play("m", acts.answer())
    reply = client.complete(request_for(stream=stream), Bounds(5))
    assert (reply.text, reply.finish, reply.refusal) == (acts.AUDIT_TEXT, "stop", "")
    assert (reply.tokens_in, reply.tokens_out) == (321, 45)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_servers_words_for_a_failure_are_understood(client: SdkClient, server: ModelServer, case: Case) -> None:
    server.play("m", case.act)
    failure = failure_of(client, request_for())
    assert failure.kind is case.kind
    assert failure.__cause__ is not None
    assert len(server.requests) == 1, "the SDK must not retry by itself"


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("groq-no-schema", "response_format"),
        ("groq-no-streaming", "stream"),
        ("groq-no-effort", "reasoning_effort"),
        ("openai-no-schema", "response_format"),
        ("openai-bad-schema", "response_format"),
        ("openai-max-tokens", "max_tokens"),
        ("openai-no-effort", "reasoning_effort"),
        ("vllm-no-system-role", "system"),
        ("llama.cpp-no-grammar", "response_format"),
        ("lm-studio-no-object", "response_format"),
    ],
)
def test_what_a_server_does_not_take_is_named(
    client: SdkClient, server: ModelServer, name: str, parameter: str
) -> None:
    server.play("m", next(case.act for case in CASES if str(case) == name))
    assert failure_of(client, request_for()).parameter == parameter


@pytest.mark.parametrize(
    ("name", "wait"),
    [("groq-rate-limit", 8.0), ("groq-day-limit", 23 * 60 + 58.56), ("openai-rate-limit", 20.0)],
)
def test_how_long_to_wait_is_read_from_header_or_words(
    client: SdkClient, server: ModelServer, name: str, wait: float
) -> None:
    server.play("m", next(case.act for case in CASES if str(case) == name))
    assert failure_of(client, request_for()).wait_s == pytest.approx(wait)


def test_what_groq_rejected_itself_is_kept_for_salvage(client: SdkClient, server: ModelServer) -> None:
    server.play("m", next(case.act for case in CASES if str(case) == "groq-bad-json"))
    assert failure_of(client, request_for()).salvage == '{"summary": "half'


STRANGE: list[tuple[str, Act, FailureKind]] = [
    ("html", acts.whole(b"<html>login</html>", "text/html"), FailureKind.NOT_AN_API),
    ("not json", acts.whole(b"{oops", "application/json"), FailureKind.NOT_AN_API),
    ("a list", acts.whole([1, 2]), FailureKind.NOT_AN_API),
    ("a number", acts.whole(7), FailureKind.NOT_AN_API),
    ("null", acts.whole(None), FailureKind.NOT_AN_API),
    ("no choices", acts.whole({"choices": []}), FailureKind.NOT_AN_API),
    ("choices null", acts.whole({"choices": None}), FailureKind.NOT_AN_API),
    ("choices text", acts.whole({"choices": "many"}), FailureKind.NOT_AN_API),
    ("message text", acts.whole({"choices": ["hello"]}), FailureKind.NOT_AN_API),
    ("an error in 200", acts.whole({"error": {"message": "no"}}), FailureKind.NOT_AN_API),
    ("deep json", acts.whole(b"[" * 100_000), FailureKind.NOT_AN_API),
    ("invalid utf-8", acts.whole(b'{"choices": [{"message": {"content": "\xff\xfe"'), FailureKind.NOT_AN_API),
    ("redirect", acts.redirect_to("http://127.0.0.1:9/steal"), FailureKind.NOT_AN_API),
    ("reset", acts.reset, FailureKind.UNREACHABLE),
    ("broken off", acts.breaks_off, FailureKind.UNREACHABLE),
    ("compressed bomb", acts.compressed_bomb, FailureKind.NOT_AN_API),
]


@pytest.mark.parametrize(("act", "kind"), [it[1:] for it in STRANGE], ids=[it[0] for it in STRANGE])
def test_an_answer_that_is_none_is_a_named_failure(
    client: SdkClient, server: ModelServer, act: Act, kind: FailureKind
) -> None:
    server.play("m", act)
    assert failure_of(client, request_for(stream=False)).kind is kind


@pytest.mark.parametrize(("act", "kind"), [it[1:] for it in STRANGE], ids=[it[0] for it in STRANGE])
def test_a_stream_that_is_none_is_a_named_failure(
    client: SdkClient, server: ModelServer, act: Act, kind: FailureKind
) -> None:
    server.play("m", act)
    failure = failure_of(client, request_for(stream=True))
    no_stream = failure.kind is FailureKind.UNSUPPORTED and failure.parameter == "stream"
    assert failure.kind is kind or no_stream


def test_a_server_that_ignores_streaming_is_found_out(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.ignores_stream())
    failure = failure_of(client, request_for(stream=True))
    assert (failure.kind, failure.parameter) == (FailureKind.UNSUPPORTED, "stream")
    reply = client.complete(request_for(stream=True, without=frozenset({"stream"})), Bounds(5))
    assert reply.text == acts.AUDIT_TEXT


def test_an_error_inside_a_stream_is_named(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.stream_error({"message": "overloaded", "code": 503}))
    assert failure_of(client, request_for()).kind is FailureKind.OVERLOADED
    server.play("m", acts.stream_error({"message": "no", "code": "json_validate_failed", "failed_generation": "x"}))
    assert failure_of(client, request_for()).kind is FailureKind.BAD_JSON


def test_nobody_listening_is_unreachable(sdk: str) -> None:
    with ModelServer() as gone:
        url = gone.url
    client = SdkClient(sdk, url, "k")
    assert failure_of(client, request_for()).kind is FailureKind.UNREACHABLE
    client.close()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("piece", [" ", "\n", "lorem ipsum dolor "], ids=["blank", "newline", "rambling"])
def test_endless_text_is_cut_off_by_its_length(
    client: SdkClient, server: ModelServer, piece: str, stream: bool
) -> None:
    server.play("m", acts.endless(piece))
    began = time.monotonic()
    failure = failure_of(client, request_for(stream=stream), Bounds(30, characters=20_000))
    assert failure.kind is FailureKind.RAMBLING
    assert time.monotonic() - began < 5


ENDLESS: list[tuple[str, Act]] = [
    ("stream without content", acts.endless("")),
    ("one event without end", acts.endless_bytes(200, b"data: {", b"x" * 10_000, "text/event-stream")),
    ("a body without end", acts.endless_bytes(200, b'{"choices": "', b"y" * 10_000, "application/json")),
    ("an error without end", acts.endless_bytes(500, b"<html>", b"z" * 10_000, "text/html")),
]


@pytest.mark.parametrize("act", [it[1] for it in ENDLESS], ids=[it[0] for it in ENDLESS])
def test_endless_bytes_are_cut_off_by_their_number(client: SdkClient, server: ModelServer, act: Act) -> None:
    server.play("m", act)
    failure = failure_of(client, request_for(), Bounds(30, wire_bytes=200_000))
    assert failure.kind is FailureKind.RAMBLING


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("act", [acts.silence, acts.dripping("a", 0.05)], ids=["silence", "dripping"])
def test_an_answer_that_never_ends_is_cut_off_by_time(
    client: SdkClient, server: ModelServer, act: Act, stream: bool
) -> None:
    server.play("m", act)
    began = time.monotonic()
    assert failure_of(client, request_for(stream=stream), Bounds(0.4)).kind is FailureKind.TIMED_OUT
    assert time.monotonic() - began < 1.5


def test_a_call_that_is_told_to_stop_stops(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.dripping("a", 0.02))
    bounds = Bounds(30)
    threading.Timer(0.2, bounds.stop.set).start()
    began = time.monotonic()
    failure_of(client, request_for(), bounds)
    assert time.monotonic() - began < 2


def test_each_json_mode_is_asked_for_in_its_own_way(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.answer())
    for mode in JsonMode:
        client.complete(request_for(mode=mode), Bounds(5))
    strict, schema, loose, text = (seen.body for seen in server.asked("m"))
    bare = strict["response_format"]["json_schema"]
    assert bare["strict"] is True
    assert bare["schema"]["properties"] == {"summary": {"type": "string"}, "maxLength": {"type": "array"}}
    assert schema["response_format"]["json_schema"] == {"name": "audit", "schema": SCHEMA}
    assert loose["response_format"] == {"type": "json_object"}
    assert "response_format" not in text
    for body in (loose, text):
        assert '"summary"' in body["messages"][0]["content"]
        assert "JSON" in body["messages"][0]["content"]


def test_what_a_server_rejects_is_left_out(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.answer())
    client.complete(request_for(effort="low"), Bounds(5))
    without = frozenset({"stream_options", "reasoning_effort", "max_tokens", "max_completion_tokens", "system"})
    client.complete(request_for(effort="low", without=without), Bounds(5))
    full, bare = (seen.body for seen in server.asked("m"))
    assert {"stream_options", "reasoning_effort"} <= set(full)
    assert not without & set(bare)
    assert [it["role"] for it in full["messages"]] == ["system", "user"]
    assert [it["role"] for it in bare["messages"]] == ["user"]
    assert "Answer in JSON." in bare["messages"][0]["content"]


def test_the_other_limit_field_is_used_where_one_is_rejected(client: SdkClient, server: ModelServer) -> None:
    server.play("m", acts.answer())
    for rejected in ("max_tokens", "max_completion_tokens"):
        client.complete(request_for(without=frozenset({rejected})), Bounds(5))
        body = server.requests[-1].body
        assert rejected not in body
        assert {"max_tokens", "max_completion_tokens"} & set(body)


def test_one_client_serves_many_threads_without_mixing_answers(client: SdkClient, server: ModelServer) -> None:
    names = [f"model-{n}" for n in range(20)]
    for name in names:
        server.play(name, acts.slow(0.05, acts.answer(name)))
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda name: client.complete(request_for(name), Bounds(10)).text, names))
    assert replies == names


def test_a_provider_without_key_or_address_has_no_client() -> None:
    clients, absent = connect(
        [
            Endpoint("groq", "", SecretStr("")),
            Endpoint("openai", "", SecretStr("sk-something")),
            Endpoint("local", "", SecretStr("")),
        ]
    )
    assert set(clients) == {"openai"}
    assert "no key" in absent["groq"]
    assert "no address" in absent["local"]
    assert clients["openai"].server == "https://api.openai.com/v1"


def test_an_address_that_is_none_is_said_so() -> None:
    for address in ("localhost:11434", "ftp://host", "javascript:alert(1)", "http://", "http://[::1", "http://h:port"):
        clients, absent = connect([Endpoint("local", address, SecretStr(""))])
        assert "local" not in clients
        assert "address" in absent["local"]


@pytest.mark.parametrize(
    ("provider", "given", "shown"),
    [
        ("groq", "https://api.groq.com/openai/v1", "https://api.groq.com"),
        ("groq", "https://api.groq.com/", "https://api.groq.com"),
        ("local", "http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("local", "http://user:secret@127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1"),
    ],
)
def test_the_usual_spellings_of_an_address_are_understood(provider: str, given: str, shown: str) -> None:
    assert SdkClient(provider, given, "k").server == shown


def test_the_sdks_log_nothing_of_a_request(
    client: SdkClient, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.play("m", acts.answer())
    client.complete(request_for(user="a secret deck"), Bounds(5))
    assert "a secret deck" not in caplog.text
    assert "planted-key" not in caplog.text


def test_a_key_that_a_server_repeats_in_its_answer_is_masked(client: SdkClient, server: ModelServer) -> None:
    said = f"You sent Authorization: Bearer {KEY}"
    server.play("m", acts.answer(said, refusal=said))
    for stream in (False, True):
        reply = client.complete(request_for(stream=stream), Bounds(5))
        assert KEY not in reply.text + reply.refusal
        assert "You sent" in reply.text
    server.play("m", acts.error(400, {"error": {"code": "json_validate_failed", "failed_generation": said}}))
    assert KEY not in failure_of(client, request_for()).salvage


def test_a_local_server_is_told_nothing_of_the_openai_account_and_reached_without_a_proxy(
    openai_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, f"planted-{name}")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    openai_server.play("m", acts.answer())
    client = SdkClient("local", openai_server.url, "")
    client.complete(request_for(), Bounds(5))
    client.close()
    (seen,) = openai_server.requests
    assert "planted" not in str(seen)


def test_the_keys_of_two_providers_do_not_mix(
    clients: dict[str, SdkClient], groq_server: ModelServer, openai_server: ModelServer
) -> None:
    groq_server.play("m", acts.answer())
    openai_server.play("m", acts.answer())
    other = SdkClient("openai", f"{openai_server.url}/v1", "another-key")
    other.complete(request_for(), Bounds(5))
    clients["groq"].complete(request_for(), Bounds(5))
    other.close()
    assert openai_server.requests[0].headers["authorization"] == "Bearer another-key"
    assert groq_server.requests[0].headers["authorization"] == f"Bearer {KEY}"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "delta", "content", "error", "usage", "finish_reason", "code", "id", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=JSON, status=st.sampled_from([200, 200, 204, 400, 401, 429, 500]), stream=st.booleans())
def test_whatever_a_server_answers_is_a_reply_or_a_named_failure(
    client: SdkClient, server: ModelServer, body: object, status: int, stream: bool
) -> None:
    def act(exchange: acts.Exchange) -> None:
        if stream and status == 200:
            exchange.begin_stream()
            exchange.event(body)
            exchange.event({"choices": [body]})
            exchange.event({"choices": [{"delta": body, "finish_reason": body}], "usage": body})
            exchange.event("[DONE]")
        else:
            exchange.send_json(status, body)

    server.play("m", act)
    try:
        reply = client.complete(request_for(stream=stream), Bounds(5))
    except ModelFailure:
        return
    assert all(isinstance(it, str) for it in (reply.text, reply.finish, reply.refusal))
    assert all(isinstance(it, int) for it in (reply.tokens_in, reply.tokens_out))
