"""Model servers through their SDKs: groq's for Groq, openai's for OpenAI and every compatible server.

One client a server, shared by all threads. SDK retries are off, redirects are not followed, and every byte passes a
meter. The only module that knows the SDKs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from contextvars import ContextVar
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import groq
import httpx
import httpx2
import openai

from audit.llm.bounded import Meter
from audit.llm.capabilities import capabilities
from audit.llm.classify import classify
from audit.llm.completion import at, read_stream, read_whole
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.payload import payload
from audit.llm.port import Bounds, Reply, Request
from audit.llm.redact import mask, redact

CONNECT_S = 5.0
_SDK_LOGGERS = ("groq", "openai", "httpx", "httpx2", "httpcore", "httpcore2")

# What the SDKs let through where an answer is not of the shape they expect.
_STRANGE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)

_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


class SdkClient:
    """A server reached through an SDK. Implements ``ModelClient``."""

    def __init__(self, provider: str, base_url: str, key: str) -> None:
        self._provider = provider
        self._keys = (key,) if key else ()
        self._server, url = _addresses(provider, base_url)
        self._create, self._close = _sdk(provider, url, key or "none")
        for name in _SDK_LOGGERS:
            # At DEBUG the SDKs log whole requests, pasted text included.
            logging.getLogger(name).setLevel(logging.WARNING)

    def __repr__(self) -> str:
        return f"SdkClient({self._provider}, {self._server})"

    @property
    def server(self) -> str:
        return self._server

    def close(self) -> None:
        """Release its connections."""
        self._close()

    def complete(self, request: Request, bounds: Bounds) -> Reply:
        """Ask once, without retries. Raises ModelFailure and nothing else."""
        meter = Meter(bounds)
        token = _meter.set(meter)
        try:
            fields = payload(request, capabilities(f"{self._provider}:{request.model}"))
            answer = self._create(timeout=(CONNECT_S, max(bounds.seconds, 0.1)), **fields)
            if "stream" not in fields:
                return self._without_keys(read_whole(answer, bounds))
            with closing(answer):
                return self._without_keys(read_stream(answer, bounds, meter))
        except (groq.APIStatusError, openai.APIStatusError) as error:
            raise _cut(meter) or classify(
                error.status_code, error.body, dict(error.response.headers), self._keys, error.message
            ) from error
        except (groq.APITimeoutError, openai.APITimeoutError, httpx.TimeoutException, httpx2.TimeoutException) as error:
            kind = FailureKind.UNREACHABLE if _while_connecting(error) else FailureKind.TIMED_OUT
            raise _cut(meter) or ModelFailure(kind) from error
        except (groq.APIConnectionError, openai.APIConnectionError, httpx.HTTPError, httpx2.HTTPError) as error:
            raise _cut(meter) or ModelFailure(FailureKind.UNREACHABLE, said=self._masked(error)) from error
        except (groq.APIError, openai.APIError) as error:
            # An error that arrives inside a stream: its body may carry a status of its own.
            raise _cut(meter) or classify(_status_of(error.body), error.body, {}, self._keys, error.message) from error
        except (groq.GroqError, openai.OpenAIError, *_STRANGE) as error:
            raise _cut(meter) or ModelFailure(FailureKind.NOT_AN_API, said=self._masked(error)) from error
        finally:
            _meter.reset(token)

    def _without_keys(self, reply: Reply) -> Reply:
        """Mask the key in a reply: a proxy that repeats a request's headers would put it on a page."""
        return replace(reply, text=mask(reply.text, self._keys), refusal=mask(reply.refusal, self._keys))

    def _masked(self, error: Exception) -> str:
        return redact(str(error), self._keys)


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


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


def _sdk(provider: str, url: str, key: str) -> tuple[Callable[..., Any], Callable[[], None]]:
    """Make the SDK's client; returns how to ask and how to close."""
    # A proxy of the environment is not for a server on this machine.
    proxied = not _is_loopback(url)
    if provider == "groq":
        http = groq.DefaultHttpxClient(follow_redirects=False, trust_env=proxied, event_hooks={"response": [_measure]})
        ours = groq.Groq(api_key=key, base_url=url, max_retries=0, http_client=http)
        # Bound now: the SDKs load half a second of code at the first use.
        groq_chat = ours.chat.completions

        def ask_groq(*, timeout: tuple[float, float], **payload: Any) -> Any:
            # Groq takes this field, its SDK does not.
            if options := payload.pop("stream_options", None):
                payload["extra_body"] = {"stream_options": options}
            return groq_chat.create(timeout=httpx.Timeout(timeout[1], connect=timeout[0]), **payload)

        return ask_groq, ours.close
    http2 = openai.DefaultHttpxClient(follow_redirects=False, trust_env=proxied, event_hooks={"response": [_measure2]})
    client = openai.OpenAI(api_key=key, base_url=url, max_retries=0, http_client=http2)
    if provider != "openai":
        # The SDK takes these from the environment; they are no other server's business.
        client.organization = client.project = None
    chat = client.chat.completions

    def ask_openai(*, timeout: tuple[float, float], **payload: Any) -> Any:
        return chat.create(timeout=httpx2.Timeout(timeout[1], connect=timeout[0]), **payload)

    return ask_openai, client.close


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
    _refuse_compressed(response.headers, meter)
    if meter is not None and isinstance(response.stream, httpx.SyncByteStream):
        response.stream = _Metered(response.stream, meter)


def _measure2(response: httpx2.Response) -> None:
    meter = _meter.get()
    _refuse_compressed(response.headers, meter)
    if meter is not None and isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Metered2(response.stream, meter)


def _cut(meter: Meter) -> ModelFailure | None:
    return ModelFailure(meter.cut) if meter.cut else None


def _refuse_compressed(headers: Mapping[str, str], meter: Meter | None) -> None:
    """Refuse what was compressed unasked: a few bytes off the wire could become gigabytes."""
    if meter is not None and headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
        meter.cut = FailureKind.NOT_AN_API
        raise ModelFailure(meter.cut)


def _status_of(body: object) -> int:
    for name in ("status", "status_code", "code"):
        value = at(body, name)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return 0


def _while_connecting(error: BaseException) -> bool:
    cause = error.__cause__ or error
    return isinstance(cause, httpx.ConnectTimeout | httpx2.ConnectTimeout | httpx.PoolTimeout | httpx2.PoolTimeout)
