"""Each failure has one rule, and the chain keeps to it: played through a loopback server and the real SDKs."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from audit.errors import Cancelled
from audit.llm.breaker import BreakerState
from audit.llm.chain import Answer, Chain, parse_models
from audit.llm.clients import SdkClient
from audit.llm.errors import Exhausted, FailureKind
from audit.llm.learnt import FileShelf, Learnt, NoShelf
from audit.llm.policy import RULES, Then
from audit.llm.port import Prompt
from audit.llm.turn import REMINDER
from audit.modes import INVESTMENT
from audit.parse import parse
from audit.prompt import reply_schema
from audit.types import Attempt, DraftAudit
from tests.audit.llm.conftest import KEY, MakeChain
from tests.model_server import acts
from tests.model_server.acts import answer, error, only, slow
from tests.model_server.dialects import CASES
from tests.model_server.server import Act, ModelServer

SCHEMA = reply_schema(INVESTMENT, [])
DECK = "We are a payments app with many users and no revenue."


class Time:
    """A clock that sleeping moves on, so that waiting costs a test nothing."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.passed = 0.0

    def clock(self) -> float:
        return time.monotonic() + self.passed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds

    @property
    def timing(self) -> dict[str, object]:
        return {"clock": self.clock, "sleep": self.sleep, "jitter": lambda: 0.5}


def prompt(budget: int) -> Prompt:
    return Prompt("Answer in JSON.", f"{DECK} Budget {budget}.", SCHEMA, notes=(f"budget {budget}",))


def read(text: str) -> DraftAudit:
    return parse(text, INVESTMENT)


def ask(chain: Chain, deadline_s: float = 20.0) -> Answer:
    return chain.ask(prompt, read, deadline_s=deadline_s)


def outcomes(attempts: tuple[Attempt, ...]) -> list[tuple[str, str]]:
    return [(it.model, it.outcome) for it in attempts]


def case(name: str) -> Act:
    return next(it.act for it in CASES if str(it) == name)


@pytest.fixture
def good(groq_server: ModelServer, openai_server: ModelServer) -> str:
    openai_server.play("good", answer())
    return "local:good"


def test_every_kind_of_failure_has_one_rule() -> None:
    assert set(RULES) == set(FailureKind)
    assert all(rule.says and (rule.then is Then.NEXT) == (rule.again == 0) for rule in RULES.values())


def test_the_docs_name_every_failure_and_every_test_they_name_exists() -> None:
    page = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 6]
    assert {line.split("`")[1] for line in rows} == {kind.value for kind in FailureKind}
    here = Path(__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in here.glob("test_*.py"))
    named = [name for line in rows for name in line.split("|")[-2].replace("`", "").split(",")]
    assert named
    for name in named:
        assert f"def {name.strip()}(" in written


def test_a_list_of_models_is_read_with_its_order() -> None:
    assert parse_models(" groq:a, ,openai: b\n,groq:a,") == ("groq:a", "openai:b")


# Retired models


def test_three_retired_models_cost_one_log_line_each_and_are_not_asked_again(
    make_chain: MakeChain,
    groq_server: ModelServer,
    openai_server: ModelServer,
    caplog: pytest.LogCaptureFixture,
    home: Path,
) -> None:
    caplog.set_level(logging.INFO, "audit.llm")
    groq_server.play("old-1", case("groq-decommissioned"))
    groq_server.play("old-2", case("groq-not-found"))
    openai_server.play("old-3", case("openai-deprecated"))
    openai_server.play("good", slow(0.2))
    models = ("groq:old-1", "groq:old-2", "openai:old-3", "local:good")
    shelf = FileShelf(home / "models.json")
    chain = make_chain(*models, shelf=shelf)

    began = time.monotonic()
    first = ask(chain)
    assert time.monotonic() - began < 1.2
    assert outcomes(first.attempts) == [*((model, "retired") for model in models[:3]), ("local:good", "answered")]
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("audit.llm")]
    assert [sum(f"model={model} " in line for line in lines) for model in models] == [1, 1, 1, 1]

    for again in (chain, make_chain(*models, shelf=shelf)):
        second = ask(again)
        assert outcomes(second.attempts)[:3] == [(model, "switched_off") for model in models[:3]]
    assert [len(server.requests) for server in (groq_server, openai_server)] == [2, 4]


def test_a_retired_model_is_asked_again_after_a_week(
    clients: dict[str, SdkClient], openai_server: ModelServer, now: datetime
) -> None:
    openai_server.play("m", case("openai-not-found"), answer())
    today = [now]
    chain = Chain(["openai:m"], clients, Learnt(NoShelf(), lambda: today[0]))
    for passed in (0, 6):
        today[0] = now + timedelta(days=passed)
        with pytest.raises(Exhausted):
            ask(chain)
    assert len(openai_server.requests) == 1
    today[0] = now + timedelta(days=8)
    assert ask(chain).model == "openai:m"


def test_a_local_model_that_was_missing_is_soon_asked_again(
    clients: dict[str, SdkClient], openai_server: ModelServer, now: datetime
) -> None:
    openai_server.play("m", case("ollama-not-found"), answer())
    today = [now]
    chain = Chain(["local:m"], clients, Learnt(NoShelf(), lambda: today[0]))
    for passed in (0, 60):
        today[0] = now + timedelta(seconds=passed)
        with pytest.raises(Exhausted):
            ask(chain)
    assert len(openai_server.requests) == 1
    today[0] = now + timedelta(seconds=121)
    assert ask(chain).model == "local:m"


# A provider that is off


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("groq-bad-key", "bad_key"), ("openai-country", "bad_key"), ("openai-quota", "quota"), ("proxy-payment", "quota")],
)
def test_a_refused_key_or_a_spent_quota_switches_the_whole_provider_off(
    make_chain: MakeChain, groq_server: ModelServer, good: str, name: str, outcome: str
) -> None:
    groq_server.play("a", case(name))
    groq_server.play("b", answer())
    chain = make_chain("groq:a", "groq:b", good)
    result = ask(chain)
    assert outcomes(result.attempts) == [("groq:a", outcome), ("groq:b", "switched_off"), (good, "answered")]
    assert ask(chain).model == good
    assert len(groq_server.requests) == 1
    assert not chain.states()[1].asked
    assert RULES[FailureKind(outcome)].says in chain.states()[1].why_not


def test_a_provider_comes_back_after_ten_minutes(make_chain: MakeChain, groq_server: ModelServer, good: str) -> None:
    moved = Time()
    groq_server.play("a", case("groq-bad-key"), answer())
    chain = make_chain("groq:a", good, **moved.timing)
    assert ask(chain).model == good
    moved.passed += 601
    assert ask(chain).model == "groq:a"


def test_a_model_without_key_or_known_provider_is_skipped_and_said_so(clients: dict[str, SdkClient], good: str) -> None:
    only_local = {"local": clients["local"]}
    learnt = Learnt(NoShelf(), lambda: datetime.now(UTC))
    chain = Chain(["groq:a", "acme:b", good], only_local, learnt, absent={"groq": "no key is set for it"})
    result = ask(chain)
    assert outcomes(result.attempts)[:2] == [("groq:a", "not_configured"), ("acme:b", "not_configured")]
    assert "no key" in result.attempts[0].detail
    assert "no known provider" in result.attempts[1].detail


# Rate limits and overload


def test_a_short_rate_limit_is_waited_for_as_told(make_chain: MakeChain, groq_server: ModelServer) -> None:
    moved = Time()
    limited = error(429, {"error": {"message": "Please try again in 2.5s.", "code": "rate_limit_exceeded"}})
    groq_server.play("a", limited, answer())
    result = ask(make_chain("groq:a", **moved.timing))
    assert outcomes(result.attempts) == [("groq:a", "rate_limited"), ("groq:a", "answered")]
    assert sum(moved.slept) == pytest.approx(2.5, abs=0.2)


def test_a_long_rate_limit_goes_to_the_next_model_and_is_kept_to(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    moved = Time()
    groq_server.play("a", case("groq-day-limit"), answer())
    chain = make_chain("groq:a", good, **moved.timing)
    assert outcomes(ask(chain).attempts) == [("groq:a", "rate_limited"), (good, "answered")]
    assert moved.slept == []
    assert outcomes(ask(chain).attempts) == [("groq:a", "resting"), (good, "answered")]
    moved.passed += 24 * 60
    assert ask(chain).model == "groq:a"


def test_the_last_model_is_waited_for_longer(make_chain: MakeChain, groq_server: ModelServer, good: str) -> None:
    limited = error(429, {"error": {"message": "Please try again in 7.66s.", "code": "rate_limit_exceeded"}})
    moved = Time()
    groq_server.play("a", limited, answer())
    assert ask(make_chain("groq:a", good, **moved.timing)).model == good
    assert moved.slept == []
    groq_server.play("a", limited, answer())
    assert outcomes(ask(make_chain("groq:a", **moved.timing)).attempts)[-1] == ("groq:a", "answered")
    assert sum(moved.slept) == pytest.approx(7.66, abs=0.2)


def test_a_rate_limit_without_a_time_goes_to_the_next_model(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", error(429, {"error": {"message": "slow down"}}))
    assert outcomes(ask(make_chain("groq:a", good)).attempts) == [("groq:a", "rate_limited"), (good, "answered")]


@pytest.mark.parametrize("name", ["groq-busy", "openai-server-error", "vllm-engine-dead", "proxy-gateway-timeout"])
def test_an_overloaded_server_is_asked_again_after_a_growing_pause(
    make_chain: MakeChain, groq_server: ModelServer, name: str
) -> None:
    moved = Time()
    groq_server.play("a", case(name), case(name), answer())
    result = ask(make_chain("groq:a", **moved.timing))
    assert outcomes(result.attempts) == [("groq:a", "overloaded")] * 2 + [("groq:a", "answered")]
    assert sum(moved.slept) == pytest.approx(0.4 + 0.8, abs=0.2)


def test_a_model_that_fails_three_times_rests_and_is_then_tried_once(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    moved = Time()
    groq_server.play("a", case("groq-busy"))
    chain = make_chain("groq:a", good, **moved.timing)
    assert [it[1] for it in outcomes(ask(chain).attempts)] == ["overloaded"] * 3 + ["answered"]
    assert chain.states()[0].breaker is BreakerState.OPEN
    assert [it[1] for it in outcomes(ask(chain).attempts)] == ["resting", "answered"]
    moved.passed += 31
    assert chain.states()[0].breaker is BreakerState.HALF_OPEN
    groq_server.play("a", answer())
    assert ask(chain).model == "groq:a"
    assert chain.states()[0].breaker is BreakerState.CLOSED


@pytest.mark.parametrize("act", [acts.reset, acts.breaks_off], ids=["reset", "broken off"])
def test_a_broken_connection_is_tried_once_more(make_chain: MakeChain, groq_server: ModelServer, act: Act) -> None:
    groq_server.play("a", act, answer())
    result = ask(make_chain("groq:a", **Time().timing))
    assert outcomes(result.attempts) == [("groq:a", "unreachable"), ("groq:a", "answered")]


# Prompts that are too large


@pytest.mark.parametrize("name", ["groq-too-large", "openai-too-large", "vllm-too-long", "llama.cpp-too-long"])
def test_a_prompt_too_large_is_halved_and_never_waited_for(
    make_chain: MakeChain, openai_server: ModelServer, name: str
) -> None:
    moved = Time()
    openai_server.play("a", case(name), answer())
    chain = make_chain("local:a", **moved.timing)
    result = ask(chain)
    assert outcomes(result.attempts) == [("local:a", "too_large"), ("local:a", "answered")]
    assert moved.slept == []
    assert result.notes == ("budget 2000",)
    assert ask(chain).notes == ("budget 2000",), "what fitted is remembered"


def test_a_prompt_still_too_large_goes_to_the_next_model(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", case("groq-too-large"))
    result = ask(make_chain("groq:a", good))
    assert outcomes(result.attempts) == [("groq:a", "too_large")] * 2 + [(good, "answered")]


# JSON modes


def test_a_server_without_schemas_is_asked_for_an_object_then_in_words_and_the_mode_is_kept(
    make_chain: MakeChain, openai_server: ModelServer, home: Path
) -> None:
    shelf = FileShelf(home / "models.json")
    rejects = case("openai-no-schema")
    openai_server.play(
        "a", only("text", otherwise=rejects, then=answer(f"Here it is:\n```json\n{acts.AUDIT_TEXT}\n```"))
    )
    chain = make_chain("openai:a", shelf=shelf)
    result = ask(chain)
    assert [it.json_mode for it in result.attempts] == ["strict_schema", "json_object", "text"]
    assert result.draft.summary == acts.AUDIT["summary"]
    assert chain.states()[0].json_mode == "text"
    for again in (chain, make_chain("openai:a", shelf=shelf)):
        assert [it.json_mode for it in ask(again).attempts] == ["text"]
    assert [seen.json_mode for seen in openai_server.requests] == [
        "strict_schema",
        "json_object",
        "text",
        "text",
        "text",
    ]


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("stream_options", None),
        ("stream", "groq-no-streaming"),
        ("reasoning_effort", "openai-no-effort"),
        ("max_completion_tokens", None),
    ],
)
def test_a_field_that_a_server_rejects_is_left_out_from_then_on(
    make_chain: MakeChain, openai_server: ModelServer, field: str, name: str | None
) -> None:
    rejects = case(name) if name else error(400, {"error": {"message": f"Unknown field: {field}", "param": field}})
    openai_server.play("gpt-5-mini", acts.rejecting([field], rejects))
    chain = make_chain("openai:gpt-5-mini")
    assert [it.outcome for it in ask(chain).attempts] == ["unsupported", "answered"]
    assert [it.outcome for it in ask(chain).attempts] == ["answered"]
    assert [field in seen.body for seen in openai_server.requests] == [True, False, False]


def test_a_server_that_ignores_streaming_is_asked_without_it(make_chain: MakeChain, openai_server: ModelServer) -> None:
    openai_server.play("a", acts.ignores_stream())
    assert [it.outcome for it in ask(make_chain("local:a")).attempts] == ["unsupported", "answered"]


def test_a_server_that_takes_nothing_goes_to_the_next_model(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", case("groq-no-schema"))
    result = ask(make_chain("groq:a", good))
    assert [it.json_mode for it in result.attempts[:-1]] == ["schema", "json_object", "text"]
    assert result.model == good


def test_any_other_rejected_request_goes_to_the_next_model(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", case("openai-other"))
    assert outcomes(ask(make_chain("groq:a", good)).attempts) == [("groq:a", "bad_request"), (good, "answered")]


# Replies that are no audit


def test_what_groq_rejected_is_salvaged_where_it_is_an_audit(make_chain: MakeChain, groq_server: ModelServer) -> None:
    body = {"error": {"message": "Failed to generate JSON.", "code": "json_validate_failed"}}
    body["error"]["failed_generation"] = f"Sure! {acts.AUDIT_TEXT}"
    groq_server.play("a", error(400, body))
    result = ask(make_chain("groq:a"))
    assert outcomes(result.attempts) == [("groq:a", "answered")]
    assert "mended" in result.attempts[0].detail
    assert result.draft.summary == acts.AUDIT["summary"]


@pytest.mark.parametrize("text", ["no JSON here", '{"unrelated": 1}', '{"summary": "cut', "[]", "null"])
def test_a_reply_that_is_no_audit_is_asked_for_once_more_with_a_reminder(
    make_chain: MakeChain, groq_server: ModelServer, good: str, text: str
) -> None:
    groq_server.play("a", answer(text), answer())
    assert outcomes(ask(make_chain("groq:a")).attempts) == [("groq:a", "bad_json"), ("groq:a", "answered")]
    first, second = (seen.body["messages"][0]["content"] for seen in groq_server.requests)
    assert REMINDER not in first
    assert REMINDER in second
    groq_server.play("a", answer(text))
    assert outcomes(ask(make_chain("groq:a", good)).attempts) == [("groq:a", "bad_json")] * 2 + [(good, "answered")]


@pytest.mark.parametrize("text", ["", None, "  \n "])
def test_an_empty_reply_is_asked_for_once_more(
    make_chain: MakeChain, groq_server: ModelServer, good: str, text: str | None
) -> None:
    groq_server.play("a", answer(text))
    assert outcomes(ask(make_chain("groq:a", good)).attempts) == [("groq:a", "empty")] * 2 + [(good, "answered")]


@pytest.mark.parametrize("text", ["", '{"summary": "cut'], ids=["reasoning ate it", "cut off"])
def test_a_reply_cut_off_gets_twice_the_room(make_chain: MakeChain, groq_server: ModelServer, text: str) -> None:
    groq_server.play("openai/gpt-oss-120b", answer(text, finish="length"), answer())
    result = ask(make_chain("groq:openai/gpt-oss-120b"))
    assert [it.outcome for it in result.attempts] == ["truncated", "answered"]
    first, second = (seen.body for seen in groq_server.requests)
    assert second["max_completion_tokens"] == 2 * first["max_completion_tokens"]
    assert first["reasoning_effort"] == "low"


@pytest.mark.parametrize("piece", [" ", "so, as I said, "], ids=["blanks", "words"])
def test_a_model_that_rambles_without_end_is_cut_off_and_asked_once_more(
    make_chain: MakeChain, openai_server: ModelServer, good: str, piece: str
) -> None:
    openai_server.play("a", acts.endless(piece))
    began = time.monotonic()
    result = ask(make_chain("openai:a", good))
    assert outcomes(result.attempts) == [("openai:a", "rambling")] * 2 + [(good, "answered")]
    assert time.monotonic() - began < 10


def test_an_object_of_endless_blanks_is_asked_for_in_words_instead(
    make_chain: MakeChain, openai_server: ModelServer
) -> None:
    blanks = only("json_object", otherwise=case("openai-no-schema"), then=acts.endless("\n"))
    openai_server.play("a", blanks, blanks, answer())
    chain = make_chain("openai:a")
    assert [it.json_mode for it in ask(chain).attempts] == ["strict_schema", "json_object", "text"]
    assert chain.states()[0].json_mode == "text"


@pytest.mark.parametrize(
    "act",
    [
        answer("I'm sorry, but I can't help with that."),
        answer("", refusal="I cannot assist."),
        answer("", finish="content_filter"),
        case("openai-content"),
    ],
    ids=["in words", "in its field", "filtered", "as an error"],
)
@pytest.mark.parametrize("provider", ["groq", "openai"])
def test_a_refusal_goes_to_the_next_model_and_is_said(
    make_chain: MakeChain, groq_server: ModelServer, openai_server: ModelServer, good: str, act: Act, provider: str
) -> None:
    (groq_server if provider == "groq" else openai_server).play("a", act)
    result = ask(make_chain(f"{provider}:a", good))
    assert outcomes(result.attempts) == [(f"{provider}:a", "refused"), (good, "answered")]
    assert "refused to answer" in result.attempts[0].detail


def test_a_page_in_place_of_an_answer_goes_to_the_next_model(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", acts.whole(b"<html>Sign in</html>", "text/html"))
    assert outcomes(ask(make_chain("groq:a", good)).attempts) == [("groq:a", "not_an_api"), (good, "answered")]


# Time


@pytest.mark.parametrize("act", [acts.silence, acts.dripping(" ", 0.05)], ids=["silent", "dripping"])
@pytest.mark.parametrize("provider", ["groq", "local"])
def test_a_model_that_never_answers_leaves_time_for_the_next(
    make_chain: MakeChain, groq_server: ModelServer, openai_server: ModelServer, good: str, act: Act, provider: str
) -> None:
    (groq_server if provider == "groq" else openai_server).play("a", act)
    began = time.monotonic()
    result = ask(make_chain(f"{provider}:a", good), deadline_s=1.6)
    assert outcomes(result.attempts) == [(f"{provider}:a", "timed_out"), (good, "answered")]
    assert time.monotonic() - began < 1.6


def test_the_deadline_holds_when_nothing_answers(make_chain: MakeChain, openai_server: ModelServer) -> None:
    for name in "abc":
        openai_server.play(name, acts.silence)
    began = time.monotonic()
    with pytest.raises(Exhausted) as caught:
        ask(make_chain("local:a", "local:b", "local:c"), deadline_s=1.5)
    assert time.monotonic() - began < 2.2
    assert [it.model for it in caught.value.attempts] == ["local:a", "local:b", "local:c"]
    assert caught.value.attempts[-1].outcome in {"timed_out", "out_of_time"}


def test_a_model_for_which_no_time_is_left_is_not_asked(make_chain: MakeChain, good: str) -> None:
    with pytest.raises(Exhausted) as caught:
        ask(make_chain(good), deadline_s=0.1)
    assert outcomes(caught.value.attempts) == [(good, "out_of_time")]


def test_an_audit_that_is_cancelled_stops_at_once(make_chain: MakeChain, openai_server: ModelServer) -> None:
    openai_server.play("a", acts.silence)
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        make_chain("local:a").ask(prompt, read, cancelled=stop.is_set)
    assert time.monotonic() - began < 1


def test_a_wait_is_cancelled_too(make_chain: MakeChain, groq_server: ModelServer) -> None:
    groq_server.play("a", error(429, {"error": {"message": "try again in 4.9s"}}))
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        make_chain("groq:a").ask(prompt, read, cancelled=stop.is_set)
    assert time.monotonic() - began < 1


# What is told


def test_exhaustion_carries_every_attempt(make_chain: MakeChain, groq_server: ModelServer) -> None:
    groq_server.play("a", case("groq-decommissioned"))
    groq_server.play("b", answer("nonsense"))
    with pytest.raises(Exhausted) as caught:
        ask(make_chain("groq:a", "groq:b"))
    assert [it.outcome for it in caught.value.attempts] == ["retired", "bad_json", "bad_json"]
    assert all(it.detail.startswith(it.model) for it in caught.value.attempts)
    with pytest.raises(Exhausted):
        ask(make_chain())


def test_whoever_watches_is_told_each_model_and_each_attempt(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", answer("x"))
    models: list[tuple[str, int, int]] = []
    attempts: list[Attempt] = []
    chain = make_chain("groq:a", good)
    result = chain.ask(prompt, read, on_model=lambda *it: models.append(it), on_attempt=attempts.append)
    assert models == [("groq:a", 1, 2), (good, 2, 2)]
    assert tuple(attempts) == result.attempts
    assert (attempts[-1].tokens_in, attempts[-1].tokens_out) == (321, 45)


def test_twenty_audits_at_once_get_each_their_own_answer(make_chain: MakeChain, openai_server: ModelServer) -> None:
    def echo(exchange: acts.Exchange) -> None:
        said = exchange.seen.body["messages"][1]["content"]
        exchange.pause(0.2)
        answer(json.dumps({"summary": said}))(exchange)

    openai_server.play("a", echo)
    chain = make_chain("local:a")

    def one(number: int) -> str:
        return chain.ask(lambda budget: Prompt("JSON", f"deck {number}", SCHEMA), read).draft.summary

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(one, range(20))) == [f"deck {number}" for number in range(20)]
    assert chain.states()[0].answered == 20


def test_states_say_how_each_model_stands(make_chain: MakeChain, groq_server: ModelServer, good: str) -> None:
    groq_server.play("a", case("groq-not-found"))
    chain = make_chain("groq:a", good, "acme:x")
    assert [it.asked for it in chain.states()] == [True, True, False]
    ask(chain)
    retired, fine, unknown = chain.states()
    assert (retired.asked, retired.failed, retired.answered) == (False, 1, 0)
    assert retired.last_failure is not None
    assert retired.last_failure.outcome == "retired"
    assert (fine.asked, fine.answered, fine.json_mode) == (True, 1, "schema")
    assert "no known provider" in unknown.why_not


def test_a_test_asks_a_model_whatever_is_known_of_it_and_an_answer_brings_it_back(
    make_chain: MakeChain, groq_server: ModelServer, good: str
) -> None:
    groq_server.play("a", case("groq-bad-key"))
    groq_server.play("b", answer())
    chain = make_chain("groq:a", "groq:b", good)
    ask(chain)
    told = chain.test("groq:a")
    assert told.outcome == "bad_key"
    assert "The server said: Invalid API Key" in told.detail
    groq_server.play("a", answer('{"summary": "ready"}'))
    assert chain.test("groq:a").outcome == "answered"
    assert [it.asked for it in chain.states()] == [True, True, True]
    with pytest.raises(KeyError):
        chain.test("groq:not-in-the-list")
    assert make_chain("acme:x").test("acme:x").outcome == "not_configured"


# What is never told


def _leaky() -> Iterator[tuple[str, Act]]:
    for status in (400, 401, 402, 403, 404, 413, 422, 429, 500, 503):
        body = {"error": {"message": f"Bad key {KEY} for Bearer {KEY}, model {DECK}", "code": KEY, "type": KEY}}
        yield f"{status}", error(status, body, {"x-key": KEY})
    yield "html", error(500, f"<html>{KEY} {DECK}</html>")
    yield "page", acts.whole(f"<html>{KEY}</html>".encode(), "text/html")
    yield "reply", answer(f"Authorization: Bearer {KEY}")
    yield "stream", acts.stream_error({"message": KEY, "code": KEY})
    yield "json", acts.whole(f"{{{KEY}".encode())


@pytest.mark.parametrize("act", [it[1] for it in _leaky()], ids=[it[0] for it in _leaky()])
@pytest.mark.parametrize("model", ["groq:a", "openai:a"])
def test_neither_key_nor_pasted_text_reaches_log_attempt_state_error_or_file(
    make_chain: MakeChain,
    clients: dict[str, SdkClient],
    groq_server: ModelServer,
    openai_server: ModelServer,
    caplog: pytest.LogCaptureFixture,
    home: Path,
    model: str,
    act: Act,
) -> None:
    caplog.set_level(logging.DEBUG)
    for server in (groq_server, openai_server):
        server.play("a", act)
    chain = make_chain(model, shelf=FileShelf(home / "models.json"), **Time().timing)
    with pytest.raises(Exhausted) as caught:
        ask(chain)
    told = [
        *(record.getMessage() for record in caplog.records),
        str(caught.value),
        repr(caught.value),
        repr(caught.value.attempts),
        repr(chain.states()),
        *(repr(client) for client in clients.values()),
        *(path.read_text() for path in home.glob("*")),
    ]
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    for text in told:
        assert KEY not in text
        assert DECK not in text
    assert KEY not in repr(chain.test(model))
    assert KEY not in repr(vars(chain))
