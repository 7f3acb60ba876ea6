"""Ask the models in order until one answers with an audit. The one retry loop.

Parsing is inside the attempt, so a bad answer moves on as a dead model does. What is done about each failure is the
table in ``audit.llm.policy``.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit.llm.errors import BadReply, Exhausted, FailureKind
from audit.llm.learnt import Learnt
from audit.llm.port import ModelClient, Prompt, PromptMaker
from audit.llm.standing import ModelState, Standings, provider_of
from audit.llm.turn import ANSWERED, Parse, Task, Timing, Trail, Turn
from audit.types import Attempt, DraftAudit

TEST_DEADLINE_S = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A draft, the model that wrote it (``provider:model``), every attempt, and what was cut from its prompt."""

    draft: DraftAudit
    model: str
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()


def parse_models(setting: str) -> tuple[str, ...]:
    """Read a comma-separated list of ``provider:model``; blanks and repeats are dropped."""
    return tuple(dict.fromkeys(folded for name in setting.split(",") if (folded := "".join(name.split()))))


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
        self._timing = Timing(clock, sleep, jitter)
        self._standings = Standings(self.models, self._clients, dict(absent or {}), learnt, clock, jitter)

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
        trail = Trail(on_attempt)
        task = Task(prompt, parse, self._timing.clock() + deadline_s, cancelled)
        for at, model in enumerate(self.models, start=1):
            if (why := self._standings.why_not(model, admit=True)) is not None:
                trail.skipped(model, *why)
                continue
            on_model(model, at, len(self.models))
            others_wait = any(self._standings.why_not(it, admit=False) is None for it in self.models[at:])
            if (written := self._turn(model, task, trail).take(others_wait=others_wait)) is not None:
                return Answer(written.draft, model, tuple(trail.attempts), written.notes)
        raise Exhausted(tuple(trail.attempts))

    def states(self) -> tuple[ModelState, ...]:
        """Say how each model of the list stands."""
        return tuple(self._standings.state(model) for model in self.models)

    def test(self, model: str) -> Attempt:
        """Ask ``model`` one fixed question, whatever is known of it, and say how that went, at most 20 s later.

        An answer clears all that kept the model from being asked. Raises KeyError where it is not in the list.
        """
        state = self._standings.state(model)
        if provider_of(model) not in self._clients:
            return Attempt(model, "", FailureKind.NOT_CONFIGURED.value, state.why_not, 0.0)
        trail = Trail(lambda attempt: None)
        task = Task(lambda budget: _PING, _read_ping, self._timing.clock() + TEST_DEADLINE_S, lambda: False)
        self._standings.unlearn(model)
        if self._turn(model, task, trail).take(others_wait=False) is not None:
            self._standings.forgive(model)
        last = trail.attempts[-1]
        if last.outcome == ANSWERED or not trail.said:
            return last
        return replace(last, detail=f"{last.detail} The server said: {trail.said}")

    def close(self) -> None:
        """Release the connections of every client."""
        for client in self._clients.values():
            client.close()

    def _turn(self, model: str, task: Task, trail: Trail) -> Turn:
        return Turn(model, self._clients[provider_of(model)], self._standings, self._timing, task, trail)


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


def _read_ping(text: str) -> DraftAudit:
    if "{" not in text:
        raise BadReply("no JSON object")
    return DraftAudit(summary="ready")
