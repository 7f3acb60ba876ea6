"""How each model of the list stands: what keeps it from being asked, and what it did so far. Thread-safe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from audit.llm.breaker import Breaker, BreakerState
from audit.llm.capabilities import capabilities, providers
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.learnt import Learnt, Lesson
from audit.llm.policy import RULES, Off
from audit.llm.port import JsonMode, ModelClient
from audit.types import Attempt


@dataclass(frozen=True, slots=True)
class ModelState:
    """How a model of the list stands, for the Status page.

    ``asked`` says whether the next audit would ask it, ``why_not`` the reason if not; ``rest_s`` is in seconds;
    ``json_mode`` is the mode that worked, or the one to be tried first; ``last`` is its last attempt.
    """

    model: str
    asked: bool
    why_not: str
    breaker: BreakerState
    rest_s: float
    json_mode: str
    last: Attempt | None
    last_failure: Attempt | None
    answered: int
    failed: int


class _Tally:
    """A model's breaker and counts."""

    def __init__(self, breaker: Breaker) -> None:
        self.breaker = breaker
        self.last: Attempt | None = None
        self.last_failure: Attempt | None = None
        self.answered = 0
        self.failed = 0


class Standings:
    """What is known of every model of a list; ``clients`` and ``absent`` are as in ``Chain``."""

    def __init__(
        self,
        models: Sequence[str],
        clients: Mapping[str, ModelClient],
        absent: Mapping[str, str],
        learnt: Learnt,
        clock: Callable[[], float],
        jitter: Callable[[], float],
    ) -> None:
        self._clients = clients
        self._absent = absent
        self._learnt = learnt
        self._clock = clock
        self._lock = threading.Lock()
        self._off: dict[str, tuple[float, FailureKind]] = {}
        self._tallies = {model: _Tally(Breaker(clock, jitter)) for model in models}

    def why_not(self, model: str, *, admit: bool) -> tuple[FailureKind, str] | None:
        """Say why ``model`` is not to be asked now, or None; ``admit`` takes the breaker's trial where there is one."""
        provider = provider_of(model)
        if (client := self._clients.get(provider)) is None:
            return FailureKind.NOT_CONFIGURED, self._absence(model)
        now = self._clock()
        with self._lock:
            until, kind = self._off.get(provider, (0.0, FailureKind.SWITCHED_OFF))
        if now < until:
            return FailureKind.SWITCHED_OFF, f"{model} was not asked: earlier {provider} {RULES[kind].says}."
        retired = self._learnt.of(client.server, model).retired_at
        if retired is not None and self._learnt.age_s(retired) < capabilities(model).retired_s:
            return FailureKind.SWITCHED_OFF, f"{model} was not asked: found retired or unknown on {retired:%d %B %Y}."
        breaker = self._tallies[model].breaker
        rests = not breaker.admits() if admit else breaker.state is BreakerState.OPEN
        if rests:
            return FailureKind.RESTING, f"{model} was not asked: it rests for another {breaker.rest_s:.0f} s."
        return None

    def lesson(self, model: str) -> Lesson:
        """Return what was learnt of ``model`` at its server. Raises KeyError where its provider has no client."""
        return self._learnt.of(self._clients[provider_of(model)].server, model)

    def failed(self, model: str, failure: ModelFailure, attempt: Attempt) -> None:
        """Draw the lasting consequences of a failure."""
        rule = RULES[failure.kind]
        tally = self._tallies[model]
        with self._lock:
            tally.last = tally.last_failure = attempt
            tally.failed += 1
            if rule.off is Off.PROVIDER:
                self._off[provider_of(model)] = (self._clock() + rule.off_s, failure.kind)
        if rule.off is Off.MODEL:
            self._learnt.retired(self._clients[provider_of(model)].server, model)
        if rule.trips:
            tally.breaker.failed()
        else:
            tally.breaker.released()
        if failure.kind is FailureKind.RATE_LIMITED and failure.wait_s:
            tally.breaker.hold(failure.wait_s)

    def answered(
        self, model: str, attempt: Attempt, mode: JsonMode, without: frozenset[str], prompt_tokens: int
    ) -> None:
        """Count an answer, and remember how it was got."""
        tally = self._tallies[model]
        with self._lock:
            tally.last = attempt
            tally.answered += 1
        tally.breaker.succeeded()
        shrunk = prompt_tokens if prompt_tokens < capabilities(model).prompt_tokens else 0
        self._learnt.worked(self._clients[provider_of(model)].server, model, mode, without, shrunk)

    def released(self, model: str) -> None:
        """Give back a trial that was not used."""
        self._tallies[model].breaker.released()

    def unlearn(self, model: str) -> None:
        """Forget how ``model`` was last asked, so that it is asked afresh."""
        self._learnt.forget(self._clients[provider_of(model)].server, model)

    def forgive(self, model: str) -> None:
        """Clear all that keeps ``model`` and its provider from being asked."""
        self._tallies[model].breaker.succeeded()
        with self._lock:
            self._off.pop(provider_of(model), None)

    def state(self, model: str) -> ModelState:
        """Say how ``model`` stands. Raises KeyError where it is not in the list."""
        tally = self._tallies[model]
        why = self.why_not(model, admit=False)
        mode = ""
        if provider_of(model) in self._clients:
            mode = (self.lesson(model).mode or capabilities(model).modes[0]).value
        with self._lock:
            return ModelState(
                model=model,
                asked=why is None,
                why_not=why[1] if why else "",
                breaker=tally.breaker.state,
                rest_s=tally.breaker.rest_s,
                json_mode=mode,
                last=tally.last,
                last_failure=tally.last_failure,
                answered=tally.answered,
                failed=tally.failed,
            )

    def _absence(self, model: str) -> str:
        provider = provider_of(model)
        if provider not in providers():
            return f"{model} was not asked: it names no known provider; known are {', '.join(providers())}."
        return f"{model} was not asked: {self._absent.get(provider, 'no key is set for it')}."


def provider_of(model: str) -> str:
    """Return the provider of ``provider:model``."""
    return model.partition(":")[0]
