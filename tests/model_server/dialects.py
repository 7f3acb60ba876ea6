"""The words of each kind of server for each failure, as documented and as seen in public reports (2026-11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.llm.errors import FailureKind as Kind
from tests.model_server.acts import error
from tests.model_server.server import Act

HTML = "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"


@dataclass(frozen=True)
class Case:
    """How ``dialect`` words a failure, and what Precedent calls it."""

    dialect: str
    name: str
    act: Act
    kind: Kind

    def __str__(self) -> str:
        return f"{self.dialect}-{self.name}"


def _groq(message: str, code: str | None = None, kind: str = "invalid_request_error", **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, **({"code": code} if code else {}), **more}}


def _openai(message: str, code: str | None, kind: str = "invalid_request_error", param: str | None = None) -> Any:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _vllm(status: int, message: str, kind: str = "BadRequestError") -> dict[str, Any]:
    return {"object": "error", "message": message, "type": kind, "param": None, "code": status}


def _llama_cpp(status: int, message: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "type": kind, **more}}


GROQ_RATE = (
    "Rate limit reached for model `m` in organization `org_01kkzx6nksef6bhcgew8gyrq9e` service tier `on_demand` on "
    "tokens per {per}: Limit {limit}, Used 7926, Requested 1739. Please try again in {wait}. Need more tokens? Upgrade "
    "to Dev Tier today at https://console.groq.com/settings/billing"
)
GROQ_LARGE = (
    "Request too large for model `m` in organization `org_01kkzx6nksef6bhcgew8gyrq9e` service tier `on_demand` on "
    "tokens per minute (TPM): Limit 8000, Requested 12328, please reduce your message size and try again. Need more "
    "tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing"
)

CASES: tuple[Case, ...] = tuple(
    Case(dialect, name, error(status, body, headers), kind)
    for dialect, name, status, body, headers, kind in (
        (
            "groq", "decommissioned", 400,
            _groq("The model `m` has been decommissioned and is no longer supported. Please refer to "
                  "https://console.groq.com/docs/deprecations", "model_decommissioned"),
            None, Kind.RETIRED,
        ),
        (
            "groq", "not-found", 404,
            _groq("The model `m` does not exist or you do not have access to it.", "model_not_found"),
            None, Kind.RETIRED,
        ),
        ("groq", "bad-key", 401, _groq("Invalid API Key", "invalid_api_key"), None, Kind.BAD_KEY),
        (
            "groq", "rate-limit", 429,
            _groq(GROQ_RATE.format(per="minute (TPM)", limit=8000, wait="7.66s"), "rate_limit_exceeded", "tokens"),
            {"retry-after": "8"}, Kind.RATE_LIMITED,
        ),
        (
            "groq", "day-limit", 429,
            _groq(GROQ_RATE.format(per="day (TPD)", limit=100_000, wait="23m58.56s"), "rate_limit_exceeded", "tokens"),
            None, Kind.RATE_LIMITED,
        ),
        ("groq", "too-large", 413, _groq(GROQ_LARGE, "rate_limit_exceeded", "tokens"), None, Kind.TOO_LARGE),
        (
            "groq", "too-long", 400,
            _groq("Please reduce the length of the messages or completion.", "context_length_exceeded"),
            None, Kind.TOO_LARGE,
        ),
        (
            "groq", "bad-json", 400,
            _groq("Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
                  "json_validate_failed", failed_generation='{"summary": "half'),
            None, Kind.BAD_JSON,
        ),
        (
            "groq", "tool", 400,
            _groq("Tool choice is none, but model called a tool", "tool_use_failed", failed_generation='{"name": 1'),
            None, Kind.BAD_JSON,
        ),
        (
            "groq", "no-schema", 400,
            _groq("This model does not support response format `json_schema`. See supported models at "
                  "https://console.groq.com/docs/structured-outputs#supported-models"),
            None, Kind.UNSUPPORTED,
        ),
        ("groq", "no-streaming", 400, _groq("response_format` does not support streaming"), None, Kind.UNSUPPORTED),
        (
            "groq", "no-effort", 400, _groq("`reasoning_effort` is not supported with this model"),
            None, Kind.UNSUPPORTED,
        ),
        ("groq", "busy", 503, _groq("Service Unavailable", None, "internal_server_error"), None, Kind.OVERLOADED),
        ("groq", "capacity", 498, _groq("Flex tier capacity exceeded", "capacity_exceeded"), None, Kind.OVERLOADED),
        (
            "openai", "not-found", 404,
            _openai("The model `m` does not exist or you do not have access to it.", "model_not_found"),
            None, Kind.RETIRED,
        ),
        (
            "openai", "deprecated", 404,
            _openai("The model `m` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations",
                    "model_not_found"),
            None, Kind.RETIRED,
        ),
        (
            "openai", "no-access", 403,
            _openai("Project `proj_abcdefgh1234` does not have access to model `m`", "model_not_found"),
            None, Kind.RETIRED,
        ),
        (
            "openai", "bad-key", 401,
            _openai("Incorrect API key provided: sk-12345***789. You can find your API key at "
                    "https://platform.openai.com/account/api-keys.", "invalid_api_key"),
            None, Kind.BAD_KEY,
        ),
        (
            "openai", "country", 403,
            _openai("Country, region, or territory not supported", "unsupported_country_region_territory",
                    "request_forbidden"),
            None, Kind.BAD_KEY,
        ),
        (
            "openai", "quota", 429,
            _openai("You exceeded your current quota, please check your plan and billing details.",
                    "insufficient_quota", "insufficient_quota"),
            None, Kind.QUOTA,
        ),
        (
            "openai", "rate-limit", 429,
            _openai("Rate limit reached for m in organization org-abcdefgh1234 on requests per min (RPM): Limit 3, "
                    "Used 3, Requested 1. Please try again in 20s.", "rate_limit_exceeded", "requests"),
            None, Kind.RATE_LIMITED,
        ),
        (
            "openai", "too-large", 429,
            _openai("Request too large for m in organization org-abcdefgh1234 on tokens per min (TPM): Limit 30000, "
                    "Requested 41000. The input or output tokens must be reduced in order to run successfully.",
                    "rate_limit_exceeded", "tokens"),
            None, Kind.TOO_LARGE,
        ),
        (
            "openai", "too-long", 400,
            _openai("This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 "
                    "tokens.", "context_length_exceeded", param="messages"),
            None, Kind.TOO_LARGE,
        ),
        (
            "openai", "no-schema", 400,
            _openai("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
                    None, param="response_format"),
            None, Kind.UNSUPPORTED,
        ),
        (
            "openai", "bad-schema", 400,
            _openai("Invalid schema for response_format 'audit': In context=(), 'additionalProperties' is required.",
                    None, param="response_format"),
            None, Kind.UNSUPPORTED,
        ),
        (
            "openai", "max-tokens", 400,
            _openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead.", "unsupported_parameter", param="max_tokens"),
            None, Kind.UNSUPPORTED,
        ),
        (
            "openai", "no-effort", 400,
            _openai("Unsupported value: 'low' is not supported with this model.", "unsupported_value",
                    param="reasoning_effort"),
            None, Kind.UNSUPPORTED,
        ),
        (
            "openai", "content", 400,
            _openai("This request has been flagged by our content_filter.", "content_policy_violation"),
            None, Kind.REFUSED,
        ),
        (
            "openai", "server-error", 500,
            _openai("The server had an error while processing your request. Sorry about that!", None, "server_error"),
            None, Kind.OVERLOADED,
        ),
        (
            "openai", "overloaded", 503,
            _openai("The engine is currently overloaded, please try again later", None, "overloaded"),
            {"retry-after": "1"}, Kind.OVERLOADED,
        ),
        (
            "openai", "other", 400, _openai("Something else is wrong with this.", "invalid_value", param="messages"),
            None, Kind.BAD_REQUEST,
        ),
        (
            "ollama", "not-found", 404,
            {"error": {"message": "model \"m\" not found, try pulling it first", "type": "api_error", "param": None,
                       "code": None}},
            None, Kind.RETIRED,
        ),
        ("ollama", "not-found-old", 404, {"error": "model 'm' not found"}, None, Kind.RETIRED),
        (
            "ollama", "busy", 503,
            {"error": {"message": "server busy, please try again.  maximum pending requests exceeded",
                       "type": "api_error", "param": None, "code": None}},
            None, Kind.OVERLOADED,
        ),
        (
            "ollama", "crashed", 500,
            {"error": {"message": "llama runner process has terminated: exit status 2", "type": "api_error"}},
            None, Kind.OVERLOADED,
        ),
        (
            "ollama", "no-schema", 400,
            {"error": {"message": "invalid format: expected \"json\" or a JSON schema", "type": "invalid_request"}},
            None, Kind.UNSUPPORTED,
        ),
        ("vllm", "not-found", 404, _vllm(404, "The model `m` does not exist.", "NotFoundError"), None, Kind.RETIRED),
        ("vllm", "bad-key", 401, {"error": "Unauthorized"}, None, Kind.BAD_KEY),
        (
            "vllm", "too-long", 400,
            _vllm(400, "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (7000 "
                       "in the messages, 2000 in the completion). Please reduce the length of the messages."),
            None, Kind.TOO_LARGE,
        ),
        (
            "vllm", "no-grammar", 400,
            _vllm(400, "The provided JSON schema contains features not supported by xgrammar."),
            None, Kind.UNSUPPORTED,
        ),
        (
            "vllm", "no-system-role", 400, _vllm(400, "System role not supported"), None, Kind.UNSUPPORTED,
        ),
        ("vllm", "engine-dead", 500, _vllm(500, "EngineCore encountered an issue.", "InternalServerError"), None,
         Kind.OVERLOADED),
        (
            "llama.cpp", "loading", 503, _llama_cpp(503, "Loading model", "unavailable_error"), None, Kind.OVERLOADED,
        ),
        (
            "llama.cpp", "too-long", 400,
            _llama_cpp(400, "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
                       "exceed_context_size_error", n_prompt_tokens=5000, n_ctx=4096),
            None, Kind.TOO_LARGE,
        ),
        (
            "llama.cpp", "no-grammar", 400,
            _llama_cpp(400, "Failed to parse grammar", "invalid_request_error"), None, Kind.UNSUPPORTED,
        ),
        ("lm-studio", "overflow", 400,
         {"error": "Trying to keep the first 4144 tokens when context the overflows. However, the model is loaded with "
                   "context length of only 4096 tokens, which is not enough."},
         None, Kind.TOO_LARGE),
        ("lm-studio", "no-object", 400,
         {"error": "'response_format.type' must be 'json_schema' or 'text'"}, None, Kind.UNSUPPORTED),
        ("proxy", "bad-gateway", 502, HTML, None, Kind.OVERLOADED),
        ("proxy", "gateway-timeout", 504, HTML, None, Kind.OVERLOADED),
        ("proxy", "wrong-path", 404, HTML, None, Kind.NOT_AN_API),
        ("proxy", "wrong-method", 405, {"detail": "Method Not Allowed"}, None, Kind.NOT_AN_API),
        ("proxy", "payment", 402, {"error": {"message": "Payment required"}}, None, Kind.QUOTA),
        ("proxy", "body-limit", 413, HTML, None, Kind.TOO_LARGE),
    )
)  # fmt: skip
