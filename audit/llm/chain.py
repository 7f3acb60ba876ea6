"""Ask the models in order until one answers with an audit. The one retry loop.

Parsing is inside the attempt, so a bad answer moves on as a dead model does. What is done about each failure is the
table in ``audit.llm.policy``.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit.errors import Cancelled
from audit.llm.bounded import run_bounded
from audit.llm.breaker import Breaker, BreakerState
from audit.llm.capabilities import Capabilities, capabilities, providers
from audit.llm.classify import FORMAT
from audit.llm.errors import BadReply, Exhausted, FailureKind, ModelFailure
from audit.llm.learnt import Learnt, Lesson
from audit.llm.policy import LONGEST_WAIT_S, RULES, Off, Rule, Then
from audit.llm.port import Bounds, JsonMode, ModelClient, Prompt, PromptMaker, Reply, Request
from audit.types import Attempt, DraftAudit

ANSWERED = "answered"
SMALLEST_PROMPT = 600
LEAST_TIME_S = 0.5
_BACK_OFF_S = 0.4
_REMINDER = (
    "Your last reply could not be used. Answer with one complete JSON object of the form asked for and nothing else. "
    "Be brief."
)

log = logging.getLogger(__name__)

Parse = Callable[[str], DraftAudit]


def parse_models(setting: str) -> tuple[str, ...]:
    """Read a comma-separated list of ``provider:model``; blanks and repeats are dropped."""
    return tuple(dict.fromkeys(name.strip() for name in setting.split(",") if name.strip()))


@dataclass(frozen=True, slots=True)
class Answer:
    """A draft, the model that wrote it (``provider:model``), every attempt, and what was cut from its prompt."""

    draft: DraftAudit
    model: str
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a model is asked next."""

    mode: JsonMode
    without: frozenset[str]
    prompt_tokens: int
    reply_tokens: int
    reminder: str = ""


class _Tally:
    """A model's breaker and counts."""

    def __init__(self, breaker: Breaker) -> None:
        self.breaker = breaker
        self.last: Attempt | None = None
        self.last_failure: Attempt | None = None
        self.answered = 0
        self.failed = 0


class Chain:
    """The list of models and all that is known about them. Safe to share between threads.

    ``models`` are ``provider:model`` in the order to try; ``clients`` maps a provider to its server and ``absent``
    says why a provider has none. ``clock`` counts seconds, ``sleep`` waits them, ``jitter`` returns 0..1.
    """

    def __init__(
        self,
        models: Sequence[str],
        clients: Mapping[str, ModelClient],
        learnt: Learnt,
        *,
        absent: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.models = tuple(dict.fromkeys(models))
        self._clients = dict(clients)
        self._absent = dict(absent or {})
        self._learnt = learnt
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._lock = threading.Lock()
        self._off: dict[str, tuple[float, FailureKind]] = {}
        self._tallies = {model: _Tally(Breaker(clock, jitter)) for model in self.models}

    def ask(
        self,
        prompt: PromptMaker,
        parse: Parse,
        *,
        deadline_s: float = 60.0,
        on_model: Callable[[str, int, int], None] = lambda model, at, of: None,
        on_attempt: Callable[[Attempt], None] = lambda attempt: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Return the first model's answer that ``parse`` accepts.

        ``prompt`` builds the prompt for a budget of tokens; ``parse`` raises BadReply for a reply that is no audit;
        ``deadline_s`` bounds all calls together, in seconds. ``on_model`` is told each model that is asked, with its
        place and their number; ``on_attempt`` each attempt. Raises Exhausted with every attempt, and Cancelled.
        """
        run = _Run(self, prompt, parse, self._clock() + deadline_s, on_attempt, cancelled)
        for at, model in enumerate(self.models, start=1):
            if (why := self._why_not(model, admit=True)) is not None:
                run.note(self._attempt(model, why[0], why[1]))
                continue
            on_model(model, at, len(self.models))
            answer = run.ask(model, others=self._others_after(at))
            if answer is not None:
                return answer
        raise Exhausted(tuple(run.attempts))

    def states(self) -> tuple[ModelState, ...]:
        """Say how each model of the list stands."""
        return tuple(self._state(model) for model in self.models)

    def test(self, model: str, *, deadline_s: float = 20.0) -> Attempt:
        """Ask ``model`` one fixed question, whatever is known of it, and say how that went.

        A success clears its breaker and all that kept it from being asked. Raises KeyError for a model that is not in
        the list.
        """
        self._tallies[model]
        if (client := self._client(model)) is None:
            return self._attempt(model, FailureKind.NOT_CONFIGURED, self._absence(model))
        run = _Run(self, lambda budget: _PING, _parse_ping, self._clock() + deadline_s, lambda it: None, lambda: False)
        self._learnt.forget(client.server, model)
        if run.ask(model, others=0) is not None:
            with self._lock:
                self._off.pop(model, None)
                self._off.pop(_provider(model), None)
        last = run.attempts[-1]
        return replace(last, detail=f"{last.detail} The server said: {run.said}") if run.said else last

    def _client(self, model: str) -> ModelClient | None:
        return self._clients.get(_provider(model))

    def _absence(self, model: str) -> str:
        provider = _provider(model)
        if provider not in providers() and provider not in self._absent:
            return f"{model} names no known provider; known are {', '.join(providers())}."
        return f"{model} was not asked: {self._absent.get(provider, 'no key is set for it')}."

    def _why_not(self, model: str, *, admit: bool) -> tuple[FailureKind, str] | None:
        """Say why ``model`` is not to be asked now, or None; ``admit`` takes the breaker's trial where there is one."""
        if (client := self._client(model)) is None:
            return FailureKind.NOT_CONFIGURED, self._absence(model)
        now = self._clock()
        with self._lock:
            for name in (model, _provider(model)):
                until, kind = self._off.get(name, (0.0, FailureKind.SWITCHED_OFF))
                if now < until:
                    return FailureKind.SWITCHED_OFF, f"{model} was not asked: earlier it {RULES[kind].says}."
        if (retired := self._learnt.of(client.server, model).retired_at) is not None:
            return FailureKind.SWITCHED_OFF, f"{model} was not asked: found retired or unknown on {retired:%d %B %Y}."
        breaker = self._tallies[model].breaker
        rests = not breaker.admits() if admit else breaker.state is BreakerState.OPEN
        if rests:
            return FailureKind.RESTING, f"{model} was not asked: it rests for another {breaker.rest_s:.0f} s."
        return None

    def _others_after(self, at: int) -> int:
        return sum(self._why_not(model, admit=False) is None for model in self.models[at:])

    def _attempt(self, model: str, kind: FailureKind, detail: str) -> Attempt:
        return Attempt(model, "", kind.value, detail, 0.0)

    def _state(self, model: str) -> ModelState:
        tally = self._tallies[model]
        why = self._why_not(model, admit=False)
        client = self._client(model)
        mode = ""
        if client is not None:
            lesson = self._learnt.of(client.server, model)
            mode = (lesson.mode or capabilities(model).modes[0]).value
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

    def _settle(self, model: str, client: ModelClient, failure: ModelFailure, attempt: Attempt) -> None:
        """Draw the lasting consequences of a failure."""
        rule = RULES[failure.kind]
        tally = self._tallies[model]
        with self._lock:
            tally.last = tally.last_failure = attempt
            tally.failed += 1
            if rule.off is not Off.NOTHING:
                name = model if rule.off is Off.MODEL else _provider(model)
                self._off[name] = (self._clock() + rule.off_s, failure.kind)
        if failure.kind is FailureKind.RETIRED:
            self._learnt.retired(client.server, model)
        if rule.trips:
            tally.breaker.failed()
        else:
            tally.breaker.released()
        if failure.kind is FailureKind.RATE_LIMITED and failure.wait_s and failure.wait_s > LONGEST_WAIT_S:
            tally.breaker.hold(failure.wait_s)

    def _succeeded(self, model: str, client: ModelClient, plan: _Plan, attempt: Attempt) -> None:
        tally = self._tallies[model]
        with self._lock:
            tally.last = attempt
            tally.answered += 1
        tally.breaker.succeeded()
        takes = capabilities(model)
        shrunk = plan.prompt_tokens if plan.prompt_tokens < takes.prompt_tokens else 0
        self._learnt.worked(client.server, model, plan.mode, plan.without, shrunk)


class _Run:
    """One audit's way through the models."""

    def __init__(
        self,
        chain: Chain,
        prompt: PromptMaker,
        parse: Parse,
        until: float,
        on_attempt: Callable[[Attempt], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self._chain = chain
        self._prompt = prompt
        self._parse = parse
        self._until = until
        self._on_attempt = on_attempt
        self._cancelled = cancelled
        self.attempts: list[Attempt] = []
        self.said = ""

    def ask(self, model: str, others: int) -> Answer | None:
        """Ask one model until it answers or its rules say to go on; None then."""
        chain = self._chain
        client = chain._clients[_provider(model)]
        takes = capabilities(model)
        plan = _first_plan(takes, chain._learnt.of(client.server, model))
        used: Counter[FailureKind] = Counter()
        while True:
            if self._cancelled():
                raise Cancelled("The audit was stopped. Nothing was saved.")
            left = self._until - chain._clock()
            if left < LEAST_TIME_S:
                chain._tallies[model].breaker.released()
                self.note(chain._attempt(model, FailureKind.OUT_OF_TIME, f"{model} {_says(FailureKind.OUT_OF_TIME)}."))
                return None
            prompt = self._prompt(plan.prompt_tokens)
            seconds = left / 2 if others else left
            began = chain._clock()
            try:
                reply, draft = self._call(client, model, takes, plan, prompt, seconds)
            except ModelFailure as failure:
                ms = (chain._clock() - began) * 1000
                salvaged = self._salvage(failure)
                if salvaged is None:
                    attempt = _failed(model, plan, failure, ms)
                    chain._settle(model, client, failure, attempt)
                    self.said = failure.said
                    self.note(attempt, failure)
                    next_plan = self._next(failure, used, plan, takes)
                    if next_plan is None:
                        return None
                    plan = next_plan
                    continue
                reply, draft = Reply("", tokens_in=failure.tokens_in, tokens_out=failure.tokens_out), salvaged
            ms = (chain._clock() - began) * 1000
            attempt = Attempt(
                model, plan.mode.value, ANSWERED, f"{model} answered.", ms, reply.tokens_in, reply.tokens_out
            )
            chain._succeeded(model, client, plan, attempt)
            self.said = ""
            self.note(attempt)
            return Answer(draft, model, tuple(self.attempts), prompt.notes)

    def note(self, attempt: Attempt, failure: ModelFailure | None = None) -> None:
        """Record an attempt: in the audit, as one log line without content, and to whoever watches."""
        self.attempts.append(attempt)
        log.info(
            "model attempt model=%s mode=%s outcome=%s status=%d code=%s ms=%.0f tokens_in=%d tokens_out=%d",
            attempt.model,
            attempt.json_mode or "-",
            attempt.outcome,
            failure.status if failure else 0,
            (failure.code if failure else "") or "-",
            attempt.ms,
            attempt.tokens_in,
            attempt.tokens_out,
        )
        self._on_attempt(attempt)

    def _call(
        self, client: ModelClient, model: str, takes: Capabilities, plan: _Plan, prompt: Prompt, seconds: float
    ) -> tuple[Reply, DraftAudit]:
        request = Request(
            model=model.partition(":")[2],
            system=f"{prompt.system}\n\n{plan.reminder}" if plan.reminder else prompt.system,
            user=prompt.user,
            schema=prompt.schema,
            mode=plan.mode,
            reply_tokens=plan.reply_tokens,
            effort=takes.effort,
            stream=takes.stream,
            without=plan.without,
        )
        bounds = Bounds(seconds)
        reply = run_bounded(lambda: client.complete(request, bounds), bounds, self._cancelled)
        return reply, _read(reply, self._parse)

    def _salvage(self, failure: ModelFailure) -> DraftAudit | None:
        if not failure.salvage:
            return None
        try:
            return self._parse(failure.salvage)
        except BadReply:
            return None

    def _next(
        self, failure: ModelFailure, used: Counter[FailureKind], plan: _Plan, takes: Capabilities
    ) -> _Plan | None:
        """Apply the failure's rule: how to ask the same model again, or None for the next model."""
        rule = RULES[failure.kind]
        if used[failure.kind] >= rule.again:
            return None
        used[failure.kind] += 1
        match rule.then:
            case Then.WAIT:
                return plan if self._wait(failure.wait_s) else None
            case Then.BACK_OFF:
                pause = _BACK_OFF_S * 2 ** (used[failure.kind] - 1) * (0.5 + self._chain._jitter())
                return plan if self._wait(max(pause, failure.wait_s or 0.0)) else None
            case Then.SHRINK:
                smaller = plan.prompt_tokens // 2
                return replace(plan, prompt_tokens=smaller) if smaller >= SMALLEST_PROMPT else None
            case Then.WIDEN:
                wider = min(plan.reply_tokens * 2, takes.most_reply_tokens)
                return replace(plan, reply_tokens=wider, reminder=_REMINDER)
            case Then.STEP_DOWN:
                return _step_down(plan, failure.parameter, takes)
            case Then.REPAIR:
                # Asked for any JSON object, some servers write blanks without end; asked in words they do not.
                mode = JsonMode.TEXT if plan.mode is JsonMode.OBJECT else plan.mode
                return replace(plan, mode=mode, reminder=_REMINDER)
            case _:
                return None

    def _wait(self, seconds: float | None) -> bool:
        """Wait ``seconds`` where that is known, short and within the deadline; say whether it was."""
        if seconds is None or seconds > LONGEST_WAIT_S:
            return False
        end = self._chain._clock() + seconds
        if end > self._until - LEAST_TIME_S:
            return False
        while (left := end - self._chain._clock()) > 0:
            if self._cancelled():
                raise Cancelled("The audit was stopped. Nothing was saved.")
            self._chain._sleep(min(left, 0.1))
        return True


def _read(reply: Reply, parse: Parse) -> DraftAudit:
    """Parse a reply, or name what is wrong with it. Raises ModelFailure."""

    def failure(kind: FailureKind) -> ModelFailure:
        return ModelFailure(kind, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)

    if reply.refusal or reply.finish == "content_filter":
        raise failure(FailureKind.REFUSED)
    if not reply.text.strip():
        raise failure(FailureKind.TRUNCATED if reply.finish == "length" else FailureKind.EMPTY)
    try:
        return parse(reply.text)
    except BadReply as error:
        if reply.finish == "length":
            raise failure(FailureKind.TRUNCATED) from error
        if _looks_refused(reply.text):
            raise failure(FailureKind.REFUSED) from error
        raise failure(FailureKind.BAD_JSON) from error


def _looks_refused(text: str) -> bool:
    head = text.strip().lower().replace("’", "'")[:200]
    openings = ("i'm sorry", "i am sorry", "sorry, ", "i can't ", "i cannot ", "i won't ", "i'm unable", "i am unable")
    return "{" not in head and head.startswith(openings)


def _first_plan(takes: Capabilities, lesson: Lesson) -> _Plan:
    mode = lesson.mode if lesson.mode in takes.modes else None
    budget = min(lesson.prompt_tokens or takes.prompt_tokens, takes.prompt_tokens)
    return _Plan(mode or takes.modes[0], lesson.without, budget, takes.reply_tokens)


def _step_down(plan: _Plan, parameter: str, takes: Capabilities) -> _Plan | None:
    """Leave out what was rejected: a request field, or the JSON mode for the next looser one."""
    if parameter and parameter != FORMAT:
        if parameter in plan.without:
            return None
        return replace(plan, without=plan.without | {parameter})
    looser = takes.modes[takes.modes.index(plan.mode) + 1 :]
    return replace(plan, mode=looser[0]) if looser else None


def _failed(model: str, plan: _Plan, failure: ModelFailure, ms: float) -> Attempt:
    told = f" (status {failure.status}{f', {failure.code}' if failure.code else ''})" if failure.status else ""
    wait = f"; it asked to wait {failure.wait_s:.0f} s" if failure.wait_s else ""
    detail = f"{model} {_says(failure.kind)}{told}{wait}."
    return Attempt(model, plan.mode.value, failure.kind.value, detail, ms, failure.tokens_in, failure.tokens_out)


def _says(kind: FailureKind) -> str:
    rule: Rule = RULES[kind]
    return rule.says


def _provider(model: str) -> str:
    return model.partition(":")[0]


_PING = Prompt(
    system='You answer with JSON. Answer with exactly this JSON object: {"summary": "ready"}',
    user="Are you ready?",
    schema={
        "type": "object",
        "properties": {"summary": {"type": "string", "maxLength": 40}},
        "required": ["summary"],
        "additionalProperties": False,
    },
    tokens=60,
)


def _parse_ping(text: str) -> DraftAudit:
    if "{" not in text:
        raise BadReply("no JSON object")
    return DraftAudit(summary="ready")
