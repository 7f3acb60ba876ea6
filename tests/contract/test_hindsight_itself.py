"""Hindsight itself as a recall source and to import from, through our doors, on loopback alone."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from pydantic import SecretStr

from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from memory.__main__ import main
from memory.embed import MiniLmEmbedder
from memory.errors import BankUnavailable
from memory.hindsight_bank import HindsightBank
from memory.records import Door, Kind, Note, Origin, Status
from memory.report import Hearsay, RecallQuery
from settings import Settings
from tests.hindsight_server.models import models
from tests.hindsight_server.real import INSTALL, KEY, executable, real_hindsight
from wiring import Services, build_services

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(900),
    pytest.mark.skipif(executable() is None, reason=f"hindsight-api is not installed here: {INSTALL}"),
]

DECK = "Payfriend is a peer-to-peer payments app. Users send money to friends for free. There is no revenue yet."
TOLD = {
    "minutes-7": "Ravi's payments app never monetised and shut down on 2022-05-01. "
    "Call Ravi about payments on +91 98765 43210.",
    "minutes-8": "Our payments bet on PocketPal failed since nobody would pay for transfers between friends.",
    "garden": "The roses behind the office are watered on Tuesdays.",
}
MORE = 150

T = TypeVar("T")


def ask(url: str, question: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
    """Talk to the server with its own client, as the bank's owner does."""
    from hindsight_client import Hindsight

    async def asked() -> T:
        client = Hindsight(url, api_key=KEY, timeout=120)
        try:
            return await question(client)
        finally:
            await client.aclose()

    return asyncio.run(asked())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The server with a bank of facts, out of which it has made observations of its own."""
    with models(MiniLmEmbedder()) as address, real_hindsight(address) as url:

        async def fill(client: Any) -> None:
            for document, text in TOLD.items():
                await client.aretain("agent", text, document_id=document, context="minutes")
            items = [
                {"content": f"The board of company {it} met in spring and argued about burn.", "document_id": f"b{it}"}
                for it in range(MORE)
            ]
            await client.aretain_batch("agent", items)
            until = time.monotonic() + 120
            while not (await client.alist_memories("agent", type="observation")).total:
                assert time.monotonic() < until, "the server made no observation of its facts"
                await asyncio.sleep(0.5)

        ask(url, fill)
        yield url


@pytest.fixture
def open_bank(url: str) -> Iterator[Callable[..., HindsightBank]]:
    opened: list[HindsightBank] = []

    def make(key: str = KEY, name: str = "agent") -> HindsightBank:
        opened.append(HindsightBank(url, name, SecretStr(key), "local"))
        return opened[-1]

    yield make
    for it in opened:
        it.close()


def heard(bank: HindsightBank, text: str = DECK) -> Hearsay:
    said = bank.asked(RecallQuery("local", (Kind.INVESTMENT,), text))()
    assert said is not None
    return said


def test_it_tells_facts_with_their_documents_masked_and_dated_by_what_happened(
    open_bank: Callable[..., HindsightBank],
) -> None:
    said = heard(open_bank())
    assert said.answered, said.message
    told = {it.source: it for it in said.memories}
    assert {"hindsight:agent/minutes-7", "hindsight:agent/minutes-8"} <= set(told)
    assert {it.kind for it in said.memories} == {"world"}
    assert "98765" not in "".join(it.text for it in said.memories)
    dates = {it.text: it.when for it in said.memories}
    assert {when for text, when in dates.items() if "shut down" in text} == {"2022-05-01"}
    assert told["hindsight:agent/minutes-8"].when == ""
    assert "remembers nothing like this" in heard(open_bank(), "zebra quantum knitting").message


@pytest.mark.parametrize("text", ["支付应用" * 300, "a" * 5_000, "x = {'k': [1, 2]}\n" * 200, "🙂 payments \x00 app"])
def test_whatever_is_pasted_can_be_asked(open_bank: Callable[..., HindsightBank], text: str) -> None:
    said = heard(open_bank(), text)
    assert said.answered, said.message


def test_a_text_without_a_word_which_it_refuses_is_not_sent(open_bank: Callable[..., HindsightBank]) -> None:
    assert open_bank().asked(RecallQuery("local", (Kind.INVESTMENT,), "--- ..."))() is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"key": "wrong"}, "refused the key; correct PRECEDENT_HINDSIGHT_API_KEY"),
        ({"name": "nobody"}, "is not there; correct PRECEDENT_HINDSIGHT_BANK"),
    ],
)
def test_a_wrong_key_and_a_misspelt_bank_are_said(
    open_bank: Callable[..., HindsightBank], changes: dict[str, str], told: str
) -> None:
    said = heard(open_bank(**changes))
    assert (said.answered, told in said.message) == (False, True), said.message
    with pytest.raises(BankUnavailable, match=told.split(";")[0]):
        list(open_bank(**changes).memories())


def test_an_audit_hears_it_and_its_precedents_score_and_prompt_stay_as_they_are_without_it(
    services: Services, url: str, now: Any
) -> None:
    submission = make_submission(INVESTMENT, DECK.encode(), "deck.txt")
    banked = build_services(_with(services.settings, url))
    try:
        saved = run_audit(banked, INVESTMENT, submission, now=now)
    finally:
        banked.close()
    own = run_audit(services, INVESTMENT, submission, now=now)
    assert saved.audit.recall.hearsay is not None
    assert saved.audit.recall.hearsay.memories
    assert own.audit.recall.hearsay is None
    assert [it.record.id for it in saved.audit.precedents] == [it.record.id for it in own.audit.precedents]
    assert saved.audit.score == own.audit.score


def test_its_bank_is_imported_once_each_held_and_undone_while_it_goes_on_remembering(
    services: Services, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in _names(services.settings.home, url).items():
        monkeypatch.setenv(f"PRECEDENT_{name}", value)

    def run(*more: str) -> dict[str, Any]:
        assert main(["import", *more, "--json"]) == 0
        return dict(json.loads(capsys.readouterr().out))

    planned = run("--hindsight", "--dry-run")
    assert (planned["stored"], planned["fresh"]) == (0, MORE + 4)
    assert planned["derived"] >= 1
    begun = time.monotonic()
    done = run("--hindsight")
    took = time.monotonic() - begun
    assert done["stored"] == MORE + 4
    found = services.ledger.find(
        services.workspace, kinds=[Kind.OBSERVATION], statuses=[Status.HELD], limit=500
    ).records  # fmt: skip
    assert {(it.provenance.door, it.provenance.origin, it.confidence) for it in found} == {
        (Door.AGENT, Origin.UNVERIFIED, 0.3)
    }
    assert {it.facts.year for it in found if isinstance(it.facts, Note)} == {2022, None}
    ask(url, lambda client: client.aretain("agent", "PocketPal's founder now sells honey.", document_id="minutes-9"))
    again = run("--hindsight")
    assert (again["stored"], again["already"]) == (1, MORE + 4)
    assert len(run("--undo", done["import"])["removed"]) == MORE + 4
    print(f"\nimported {done['stored']} memories in {took:.1f} s")


def test_what_a_recall_waits_for_it(open_bank: Callable[..., HindsightBank], url: str) -> None:
    bank = open_bank()
    ours, alone = [], []

    async def recalls(client: Any) -> None:
        for _ in range(20):
            begun = time.perf_counter()
            await client.arecall("agent", DECK, ["world", "experience"], max_tokens=2_048, budget="low")
            alone.append(time.perf_counter() - begun)

    heard(bank)
    ask(url, recalls)
    for _ in range(20):
        begun = time.perf_counter()
        assert heard(bank).answered
        ours.append(time.perf_counter() - begun)
    through, direct = statistics.median(ours), statistics.median(alone)
    print(f"\nrecall over {MORE + 4} facts: {direct * 1000:.0f} ms by its client, {through * 1000:.0f} ms through ours")
    assert through < 2 * direct + 0.05


def _names(home: os.PathLike[str], url: str) -> dict[str, str]:
    return {
        "HOME": str(home), "MODELS": "", "HINDSIGHT_URL": url, "HINDSIGHT_BANK": "agent", "HINDSIGHT_API_KEY": KEY,
    }  # fmt: skip


def _with(settings: Settings, url: str) -> Settings:
    return settings.model_copy(
        update={"hindsight_url": url, "hindsight_bank": "agent", "hindsight_api_key": SecretStr(KEY)}
    )
