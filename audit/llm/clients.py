"""Model servers through their SDKs: groq's for Groq, openai's for OpenAI and every compatible server.

One client a server, shared by all threads. SDK retries are off, redirects are not followed, and every byte passes a
meter. The only module that knows the SDKs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import groq
import httpx
import httpx2
import openai
from pydantic import SecretStr

from audit.llm.bounded import Meter
from audit.llm.capabilities import Capabilities, capabilities, providers
from audit.llm.classify import SYSTEM, classify
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.port import Bounds, JsonMode, ModelClient, Reply, Request
from audit.llm.redact import redact
from audit.llm.schema import in_words, without_bounds

CONNECT_S = 5.0
LONGEST_BLANK = 2_000
_LIMIT_FIELDS = ("max_completion_tokens", "max_tokens")
_SDK_LOGGERS = ("groq", "openai", "httpx", "httpx2", "httpcore", "httpcore2")

_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider as configured. ``base_url`` "" means the provider's own; ``key`` is never shown."""

    provider: str
    base_url: str
    key: SecretStr


def connect(endpoints: Iterable[Endpoint]) -> tuple[dict[str, ModelClient], dict[str, str]]:
    """Make the client of each usable endpoint; say of every other provider why it has none."""
    clients: dict[str, ModelClient] = {}
    absent = dict.fromkeys(providers(), "no key is set for it")
    for it in endpoints:
        takes = capabilities(f"{it.provider}:")
        base_url = it.base_url.strip() or takes.base_url
        key = it.key.get_secret_value().strip()
        if not base_url:
            absent[it.provider] = "no address is set for it"
        elif not base_url.startswith(("http://", "https://")):
            absent[it.provider] = "its address does not start with http:// or https://"
        elif key or not takes.base_url:
            clients[it.provider] = SdkClient(it.provider, base_url, key)
            absent.pop(it.provider, None)
    return clients, absent


class SdkClient:
    """A server reached through an SDK. Implements ``ModelClient``."""

    def __init__(self, provider: str, base_url: str, key: str) -> None:
        self._provider = provider
        self._keys = (key,) if key else ()
        self._server, url = _addresses(provider, base_url)
        self._create = _sdk(provider, url, key or "none")
        for name in _SDK_LOGGERS:
            # At DEBUG the SDKs log whole requests, pasted text included.
            logging.getLogger(name).setLevel(logging.WARNING)

    def __repr__(self) -> str:
        return f"SdkClient({self._provider}, {self._server})"

    @property
    def server(self) -> str:
        return self._server

    def complete(self, request: Request, bounds: Bounds) -> Reply:
        """Ask once, without retries. Raises ModelFailure and nothing else."""
        meter = Meter(bounds)
        token = _meter.set(meter)
        try:
            payload = _payload(request, capabilities(f"{self._provider}:{request.model}"))
            answer = self._create(timeout=(CONNECT_S, max(bounds.seconds, 0.1)), **payload)
            if payload.get("stream"):
                return _read_stream(answer, bounds, meter)
            return _read_whole(answer, bounds)
        except (groq.APIStatusError, openai.APIStatusError) as error:
            raise self._cut(meter) or classify(
                error.status_code, error.body, dict(error.response.headers), self._keys, error.message
            ) from error
        except (groq.APITimeoutError, openai.APITimeoutError, httpx.TimeoutException, httpx2.TimeoutException) as error:
            kind = FailureKind.UNREACHABLE if _while_connecting(error) else FailureKind.TIMED_OUT
            raise self._cut(meter) or ModelFailure(kind) from error
        except (groq.APIConnectionError, openai.APIConnectionError, httpx.HTTPError, httpx2.HTTPError) as error:
            raise self._cut(meter) or ModelFailure(FailureKind.UNREACHABLE, said=self._masked(error)) from error
        except (groq.APIError, openai.APIError) as error:
            # An error that arrives inside a stream: its body may carry a status of its own.
            raise self._cut(meter) or classify(
                _status_of(error.body), error.body, {}, self._keys, error.message
            ) from error
        except (groq.GroqError, openai.OpenAIError, ValueError, TypeError, RecursionError) as error:
            raise self._cut(meter) or ModelFailure(FailureKind.NOT_AN_API, said=self._masked(error)) from error
        finally:
            _meter.reset(token)

    def _cut(self, meter: Meter) -> ModelFailure | None:
        return ModelFailure(meter.cut) if meter.cut else None

    def _masked(self, error: Exception) -> str:
        return redact(str(error), self._keys)


def _addresses(provider: str, base_url: str) -> tuple[str, str]:
    """Return the address to show, without credentials, and the one the SDK wants."""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    if provider == "groq":
        path = path.removesuffix("/openai/v1")
    elif not path:
        path = "/v1"
    host = parts.netloc.rpartition("@")[2]
    shown = urlunsplit((parts.scheme, host, path, "", ""))
    return shown, urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _sdk(provider: str, url: str, key: str) -> Callable[..., Any]:
    if provider == "groq":
        http = groq.DefaultHttpxClient(follow_redirects=False, event_hooks={"response": [_measure]})
        ours = groq.Groq(api_key=key, base_url=url, max_retries=0, http_client=http)

        def ask_groq(*, timeout: tuple[float, float], **payload: Any) -> Any:
            return ours.chat.completions.create(timeout=httpx.Timeout(timeout[1], connect=timeout[0]), **payload)

        return ask_groq
    http2 = openai.DefaultHttpxClient(follow_redirects=False, event_hooks={"response": [_measure2]})
    client = openai.OpenAI(api_key=key, base_url=url, max_retries=0, http_client=http2)

    def ask_openai(*, timeout: tuple[float, float], **payload: Any) -> Any:
        return client.chat.completions.create(timeout=httpx2.Timeout(timeout[1], connect=timeout[0]), **payload)

    return ask_openai


class _Metered(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, meter: Meter) -> None:
        self._stream, self._meter = stream, meter

    def __iter__(self) -> Iterator[bytes]:
        return self._meter.over(self._stream)

    def close(self) -> None:
        self._stream.close()


class _Metered2(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, meter: Meter) -> None:
        self._stream, self._meter = stream, meter

    def __iter__(self) -> Iterator[bytes]:
        return self._meter.over(self._stream)

    def close(self) -> None:
        self._stream.close()


def _measure(response: httpx.Response) -> None:
    meter = _meter.get()
    if meter is not None and isinstance(response.stream, httpx.SyncByteStream):
        response.stream = _Metered(response.stream, meter)


def _measure2(response: httpx2.Response) -> None:
    meter = _meter.get()
    if meter is not None and isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Metered2(response.stream, meter)


def _payload(request: Request, takes: Capabilities) -> dict[str, Any]:
    system, user = request.system, request.user
    if request.mode in {JsonMode.OBJECT, JsonMode.TEXT}:
        system = f"{system}\n\n{in_words(request.schema)}"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if SYSTEM in request.without:
        messages = [{"role": "user", "content": f"{system}\n\n{user}"}]
    payload: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        # Compressed, a few bytes off the wire could become gigabytes.
        "extra_headers": {"Accept-Encoding": "identity"},
    }
    fields = sorted(_LIMIT_FIELDS, key=lambda name: name != takes.limit_field)
    if limit := next((name for name in fields if name not in request.without), ""):
        payload[limit] = request.reply_tokens
    if request.effort and "reasoning_effort" not in request.without:
        payload["reasoning_effort"] = request.effort
    if request.stream and "stream" not in request.without:
        payload["stream"] = True
        if "stream_options" not in request.without:
            payload["stream_options"] = {"include_usage": True}
    match request.mode:
        case JsonMode.STRICT:
            form = {"name": "audit", "strict": True, "schema": without_bounds(request.schema)}
            payload["response_format"] = {"type": "json_schema", "json_schema": form}
        case JsonMode.SCHEMA:
            form = {"name": "audit", "schema": dict(request.schema)}
            payload["response_format"] = {"type": "json_schema", "json_schema": form}
        case JsonMode.OBJECT:
            payload["response_format"] = {"type": "json_object"}
        case JsonMode.TEXT:
            pass
    return payload


def _read_whole(answer: object, bounds: Bounds) -> Reply:
    choice = _at(answer, "choices", 0)
    if _at(choice, "message") is None:
        raise ModelFailure(FailureKind.NOT_AN_API)
    text = _string(_at(choice, "message", "content"))
    if len(text) > bounds.characters or _blank_tail(text) > LONGEST_BLANK:
        raise _rambling(_usage(answer))
    return _reply(text, choice, _string(_at(choice, "message", "refusal")), _usage(answer))


def _read_stream(answer: Any, bounds: Bounds, meter: Meter) -> Reply:
    pieces: list[str] = []
    refusal: list[str] = []
    length = blank = 0
    usage = (0, 0)
    last: object = None
    events = 0
    try:
        for chunk in answer:
            meter.check()
            events += _at(chunk, "choices") is not None
            choice = _at(chunk, "choices", 0)
            usage = max(usage, _usage(chunk))
            if _string(_at(choice, "finish_reason")):
                last = choice
            refusal.append(_string(_at(choice, "delta", "refusal")))
            piece = _string(_at(choice, "delta", "content"))
            if not piece:
                continue
            pieces.append(piece)
            length += len(piece)
            tail = _blank_tail(piece)
            blank = blank + tail if tail == len(piece) else tail
            if length > bounds.characters or blank > LONGEST_BLANK:
                raise _rambling(usage)
    finally:
        answer.close()
    if not events:
        raise ModelFailure(FailureKind.NOT_AN_API)
    return _reply("".join(pieces), last, "".join(refusal), usage)


def _reply(text: str, choice: object, refusal: str, usage: tuple[int, int]) -> Reply:
    return Reply(text, _string(_at(choice, "finish_reason")), refusal, *usage)


def _rambling(usage: tuple[int, int]) -> ModelFailure:
    return ModelFailure(FailureKind.RAMBLING, tokens_in=usage[0], tokens_out=usage[1])


def _usage(answer: object) -> tuple[int, int]:
    counts = (_at(answer, "usage", name) for name in ("prompt_tokens", "completion_tokens"))
    return tuple(n if isinstance(n, int) and 0 <= n < 10**9 else 0 for n in counts)  # type: ignore[return-value]


def _blank_tail(text: str) -> int:
    return len(text) - len(text.rstrip())


def _at(value: object, *path: str | int) -> object:
    """Walk an answer of any shape; None where it does not have the path."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)
    return value


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _status_of(body: object) -> int:
    for name in ("status", "status_code", "code"):
        value = _at(body, name)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return 0


def _while_connecting(error: BaseException) -> bool:
    cause = error.__cause__ or error
    return isinstance(cause, httpx.ConnectTimeout | httpx2.ConnectTimeout | httpx.PoolTimeout | httpx2.PoolTimeout)
