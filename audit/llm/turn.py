"""One model's turn in one audit: ask, read, and ask again as the rule of each failure says."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from audit.errors import Cancelled
from audit.llm.bounded import run_bounded
from audit.llm.capabilities import Capabilities, capabilities
from audit.llm.classify import FORMAT
from audit.llm.errors import BadReply, FailureKind, ModelFailure
from audit.llm.learnt import Lesson
from audit.llm.policy import LONGEST_LAST_WAIT_S, LONGEST_WAIT_S, RULES, Then
from audit.llm.port import Bounds, JsonMode, ModelClient, Prompt, PromptMaker, Reply, Request
from audit.llm.standing import Standings
from audit.types import Attempt, DraftAudit

ANSWERED = "answered"
SMALLEST_PROMPT = 600
LEAST_TIME_S = 0.5
BACK_OFF_S = 0.4
STOPPED = "The audit was stopped. Nothing was saved."
REMINDER = (
    "Your last reply could not be used. Answer with one complete JSON object of the form asked for and nothing else. "
    "Be brief."
)

log = logging.getLogger(__name__)

Parse = Callable[[str], DraftAudit]


@dataclass(frozen=True, slots=True)
class Timing:
    """How time passes: ``clock`` counts seconds, ``sleep`` waits them, ``jitter`` returns 0..1."""

    clock: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Task:
    """What one audit asks of the models: until when, how to build and to read, and whether it is still wanted."""

    prompt: PromptMaker
    parse: Parse
    until: float
    cancelled: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Written:
    """A draft, and what was cut from the prompt it answers."""

    draft: DraftAudit
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a model is asked next."""

    mode: JsonMode
    without: frozenset[str]
    prompt_tokens: int
    reply_tokens: int
    reminder: str = ""


class Trail:
    """The attempts of one audit; each is one log line too, without content or keys. ``said`` is the last failure's."""

    def __init__(self, on_attempt: Callable[[Attempt], None]) -> None:
        self._on_attempt = on_attempt
        self.attempts: list[Attempt] = []
        self.said = ""

    def skipped(self, model: str, kind: FailureKind, why: str) -> None:
        """Record that ``model`` was not asked."""
        self.note(Attempt(model, "", kind.value, why, 0.0))

    def note(self, attempt: Attempt, failure: ModelFailure | None = None) -> None:
        """Record an attempt and tell whoever watches."""
        self.attempts.append(attempt)
        self.said = failure.said if failure else ""
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


class Turn:
    """The turn of ``model`` at ``client``."""

    def __init__(
        self, model: str, client: ModelClient, standings: Standings, timing: Timing, task: Task, trail: Trail
    ) -> None:
        self._model = model
        self._client = client
        self._standings = standings
        self._timing = timing
        self._task = task
        self._trail = trail
        self._takes = capabilities(model)
        self._used: Counter[FailureKind] = Counter()
        self._longest_wait_s = LONGEST_WAIT_S

    def take(self, *, others_wait: bool) -> Written | None:
        """Ask until there is an answer, or the rules say to go on to the next model: None then.

        While others wait for their turn each call gets half of the time that is left. Raises Cancelled.
        """
        self._longest_wait_s = LONGEST_WAIT_S if others_wait else LONGEST_LAST_WAIT_S
        plan: _Plan | None = _first_plan(self._takes, self._standings.lesson(self._model))
        while plan is not None:
            if self._task.cancelled():
                raise Cancelled(STOPPED)
            left = self._task.until - self._timing.clock()
            if left < LEAST_TIME_S:
                kind = FailureKind.OUT_OF_TIME
                self._standings.released(self._model)
                self._trail.skipped(self._model, kind, f"{self._model} {RULES[kind].says}.")
                return None
            prompt = self._task.prompt(plan.prompt_tokens)
            began = self._timing.clock()
            try:
                reply, draft = self._call(plan, prompt, left / 2 if others_wait else left)
            except ModelFailure as failure:
                ms = (self._timing.clock() - began) * 1000
                salvaged = self._salvage(failure)
                if salvaged is not None:
                    return self._answered(
                        plan, prompt, salvaged, Reply(""), ms, "answered; its server's reply was mended"
                    )
                attempt = _failed(self._model, plan, failure, ms)
                self._standings.failed(self._model, failure, attempt)
                self._trail.note(attempt, failure)
                plan = self._next(failure, plan)
            else:
                return self._answered(plan, prompt, draft, reply, (self._timing.clock() - began) * 1000, ANSWERED)
        return None

    def _call(self, plan: _Plan, prompt: Prompt, seconds: float) -> tuple[Reply, DraftAudit]:
        request = Request(
            model=self._model.partition(":")[2],
            system=f"{prompt.system}\n\n{plan.reminder}" if plan.reminder else prompt.system,
            user=prompt.user,
            schema=prompt.schema,
            mode=plan.mode,
            reply_tokens=plan.reply_tokens,
            effort=self._takes.effort,
            stream=self._takes.stream,
            without=plan.without,
        )
        bounds = Bounds(seconds)
        reply = run_bounded(lambda: self._client.complete(request, bounds), bounds, self._task.cancelled)
        return reply, read(reply, self._task.parse)

    def _answered(self, plan: _Plan, prompt: Prompt, draft: DraftAudit, reply: Reply, ms: float, says: str) -> Written:
        attempt = Attempt(
            self._model,
            plan.mode.value,
            ANSWERED,
            f"{self._model} {says}.",
            ms,
            reply.tokens_in,
            reply.tokens_out,
        )
        self._standings.answered(self._model, attempt, plan.mode, plan.without, plan.prompt_tokens)
        self._trail.note(attempt)
        return Written(draft, prompt.notes)

    def _salvage(self, failure: ModelFailure) -> DraftAudit | None:
        if not failure.salvage:
            return None
        try:
            return self._task.parse(failure.salvage)
        except BadReply:
            return None

    def _next(self, failure: ModelFailure, plan: _Plan) -> _Plan | None:
        """Apply the failure's rule: how to ask the same model again, or None for the next model."""
        rule = RULES[failure.kind]
        if self._used[failure.kind] >= rule.again:
            return None
        self._used[failure.kind] += 1
        match rule.then:
            case Then.WAIT:
                return plan if self._wait(failure.wait_s) else None
            case Then.BACK_OFF:
                pause = BACK_OFF_S * 2 ** (self._used[failure.kind] - 1) * (0.5 + self._timing.jitter())
                return plan if self._wait(max(pause, failure.wait_s or 0.0)) else None
            case Then.SHRINK:
                smaller = plan.prompt_tokens // 2
                return replace(plan, prompt_tokens=smaller) if smaller >= SMALLEST_PROMPT else None
            case Then.WIDEN:
                wider = min(plan.reply_tokens * 2, self._takes.most_reply_tokens)
                return replace(plan, reply_tokens=wider, reminder=REMINDER)
            case Then.STEP_DOWN:
                return _step_down(plan, failure.parameter, self._takes)
            case Then.REPAIR:
                # Asked for any JSON object, some servers write blanks without end; asked in words they do not.
                mode = JsonMode.TEXT if plan.mode is JsonMode.OBJECT else plan.mode
                return replace(plan, mode=mode, reminder=REMINDER)
            case _:
                return None

    def _wait(self, seconds: float | None) -> bool:
        """Wait ``seconds`` where that is known, short and within the deadline; say whether it was.

        The last model of the list is waited for longer, since after it only the rule analyst is left.
        """
        if seconds is None or seconds > self._longest_wait_s:
            return False
        end = self._timing.clock() + seconds
        if end > self._task.until - LEAST_TIME_S:
            return False
        while (left := end - self._timing.clock()) > 0:
            if self._task.cancelled():
                raise Cancelled(STOPPED)
            self._timing.sleep(min(left, 0.1))
        return True


def read(reply: Reply, parse: Parse) -> DraftAudit:
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
        return None if parameter in plan.without else replace(plan, without=plan.without | {parameter})
    looser = takes.modes[takes.modes.index(plan.mode) + 1 :]
    return replace(plan, mode=looser[0]) if looser else None


def _failed(model: str, plan: _Plan, failure: ModelFailure, ms: float) -> Attempt:
    told = f" (status {failure.status}{f', {failure.code}' if failure.code else ''})" if failure.status else ""
    wait = f"; it asked to wait {failure.wait_s:.0f} s" if failure.wait_s else ""
    detail = f"{model} {RULES[failure.kind].says}{told}{wait}."
    return Attempt(model, plan.mode.value, failure.kind.value, detail, ms, failure.tokens_in, failure.tokens_out)
