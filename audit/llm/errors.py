"""Failures of models. The chain handles every one; none reaches a page as an exception.

AuditError
└── ModelError
    ├── ModelFailure       one call failed; ``kind`` names how
    ├── BadReply           a reply came and is no audit
    └── Exhausted          no model of the list answered; carries every attempt
"""

from __future__ import annotations

from enum import StrEnum

from audit.errors import AuditError
from audit.types import Attempt


class FailureKind(StrEnum):
    """How a model failed. ``audit.llm.policy`` holds what is done about each."""

    NOT_CONFIGURED = "not_configured"
    SWITCHED_OFF = "switched_off"
    RESTING = "resting"
    RETIRED = "retired"
    BAD_KEY = "bad_key"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    BAD_REQUEST = "bad_request"
    BAD_JSON = "bad_json"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    RAMBLING = "rambling"
    REFUSED = "refused"
    OVERLOADED = "overloaded"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed_out"
    NOT_AN_API = "not_an_api"
    OUT_OF_TIME = "out_of_time"


class ModelError(AuditError):
    """Any failure of a model."""


class ModelFailure(ModelError):
    """One call that failed.

    ``status`` is the HTTP status (0 where there was none) and ``code`` the server's own word for it, cut to a slug.
    ``wait_s`` is how long the server said to wait, in seconds. ``parameter`` names a request field the server does
    not take. ``salvage`` is a reply that the server itself rejected. ``said`` is the server's message with keys masked:
    it may hold what a model wrote, so it is never logged, archived or shown beside an audit.
    """

    def __init__(
        self,
        kind: FailureKind,
        *,
        status: int = 0,
        code: str = "",
        wait_s: float | None = None,
        parameter: str = "",
        salvage: str = "",
        said: str = "",
        tokens_in: int = 0,
        tokens_out: int = 0,
    ) -> None:
        super().__init__(f"{kind.value} (status {status}, code {code or 'none'})")
        self.kind = kind
        self.status = status
        self.code = code
        self.wait_s = wait_s
        self.parameter = parameter
        self.salvage = salvage
        self.said = said
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out


class BadReply(ModelError):
    """A reply that is empty, is not JSON, or holds nothing an audit could use."""


class Exhausted(ModelError):
    """No model answered. ``attempts`` says what was tried and how each failed."""

    def __init__(self, attempts: tuple[Attempt, ...]) -> None:
        super().__init__(f"no model answered after {len(attempts)} attempts")
        self.attempts = attempts
