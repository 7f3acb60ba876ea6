"""A Hindsight bank: heard beside a recall and importable, through the real client, and never a precedent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from pydantic import SecretStr

from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from memory.__main__ import main
from memory.errors import BankUnavailable
from memory.hindsight_bank import HindsightBank
from memory.records import Door, Kind, Note, Origin, Status
from memory.report import Hearsay, RecallQuery
from settings import Settings
from tests.hindsight_server.server import KEY, Bank, hindsight
from wiring import Services, build_services

DECK = (
    "Payfriend is a peer-to-peer payments app. Users send money to friends for free. 400,000 users joined in a year. "
    "There is no revenue yet. One founder builds it all."
)


@pytest.fixture
def bank() -> Bank:
    bank = Bank()
    bank.add("The payments app of Ravi never monetised and shut down.", "doc-7", occurred_start="2022-05-01T00:00:00Z")
    bank.add("The payments app of Ravi never monetised, and shut down.", "doc-8")
    bank.add("Call Ravi about payments on +91 98765 43210.")
    bank.add("Nothing to see here about gardening.", "doc-9")
    return bank


@pytest.fixture
def url(bank: Bank) -> Iterator[str]:
    with hindsight(bank) as url:
        yield url


@pytest.fixture
def open_bank(url: str) -> Iterator[Callable[..., HindsightBank]]:
    opened: list[HindsightBank] = []

    def make(key: str = KEY, name: str = "agent", at: str = url, **more: Any) -> HindsightBank:
        opened.append(HindsightBank(at, name, SecretStr(key), "local", **more))
        return opened[-1]

    yield make
    for it in opened:
        it.close()


def heard(bank: HindsightBank, text: str = "payments app") -> Hearsay:
    said = bank.asked(RecallQuery("local", (Kind.INVESTMENT,), text))()
    assert said is not None
    return said


def test_a_bank_tells_each_memory_once_with_its_document_masked_and_unverified(
    open_bank: Callable[..., HindsightBank],
) -> None:
    said = heard(open_bank())
    assert said.answered
    assert [(it.source, it.when) for it in said.memories] == [
        ("hindsight:agent/doc-7", "2022-05-01"),
        ("hindsight:agent/m3", ""),
    ]
    assert "98765" not in said.memories[1].text
    assert "2 memories. Nobody has verified them; none is a precedent." in said.message
    assert "remembers nothing like this" in heard(open_bank(), "zebra").message


def test_a_text_without_a_word_is_not_asked_and_what_a_bank_derived_is_not_told(
    open_bank: Callable[..., HindsightBank], bank: Bank
) -> None:
    assert open_bank().asked(RecallQuery("local", (Kind.INVESTMENT,), "--- ..."))() is None
    assert bank.asked == []
    bank.add("payments apps of Ravi tend to fail", fact_type="observation")
    assert {it.kind for it in heard(open_bank()).memories} == {"world"}
    assert bank.asked[-1]["temporal_window"]["end"] < "1901"  # so that the server looks for no dates in the text


def test_two_hundred_calls_from_as_many_threads_never_meet_a_closed_loop(
    open_bank: Callable[..., HindsightBank], bank: Bank
) -> None:
    shared = open_bank()
    for _ in range(10):
        with ThreadPoolExecutor(20) as pool:
            said = list(pool.map(lambda _: heard(shared), range(20)))
        assert all(it.answered and len(it.memories) == 2 for it in said)
    assert len(bank.asked) == 200


def test_a_closed_bank_can_be_asked_again(open_bank: Callable[..., HindsightBank]) -> None:
    shared = open_bank()
    assert heard(shared).answered
    shared.close()
    assert heard(shared).answered


def test_another_workspace_is_not_told_and_its_text_is_not_sent(
    open_bank: Callable[..., HindsightBank], bank: Bank
) -> None:
    assert open_bank().asked(RecallQuery("other", (Kind.INVESTMENT,), "payments app"))() is None
    assert bank.asked == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"key": "wrong"}, "refused the key; correct PRECEDENT_HINDSIGHT_API_KEY"),
        ({"name": "nobody"}, "is not there; correct PRECEDENT_HINDSIGHT_BANK"),
        ({"at": "http://127.0.0.1:9"}, "cannot be reached; start it or correct PRECEDENT_HINDSIGHT_URL"),
    ],
)
def test_a_bank_that_cannot_be_asked_says_what_to_do(
    open_bank: Callable[..., HindsightBank], changes: dict[str, str], told: str
) -> None:
    said = heard(open_bank(**changes))
    assert not said.answered
    assert told in said.message
    assert "Your own records were searched all the same." in said.message
    with pytest.raises(BankUnavailable, match="Hindsight bank"):
        list(open_bank(**changes).memories())


@pytest.mark.parametrize(("status", "body"), [(500, "oops"), (200, "<html>"), (200, '{"results": 5}'), (200, "[]")])
def test_a_server_that_answers_nonsense_is_no_bank(
    open_bank: Callable[..., HindsightBank], bank: Bank, status: int, body: str
) -> None:
    bank.status, bank.body = status, body
    assert not heard(open_bank()).answered


def test_a_slow_bank_is_not_waited_for(open_bank: Callable[..., HindsightBank], bank: Bank) -> None:
    bank.slow_s = 2.0
    said = heard(open_bank(ask_within_s=0.2))
    assert (said.answered, "did not answer in time" in said.message) == (False, True)


def settings_for(settings: Settings, url: str) -> Settings:
    return settings.model_copy(
        update={"hindsight_url": url, "hindsight_bank": "agent", "hindsight_api_key": SecretStr(KEY)}
    )


@pytest.fixture
def banked(services: Services, url: str) -> Iterator[Services]:
    """Services on the same home that know the bank."""
    opened = build_services(settings_for(services.settings, url))
    yield opened
    opened.close()


def test_an_audit_tells_what_the_bank_said_apart_from_precedents_and_keeps_it(
    banked: Services, services: Services, bank: Bank, now: datetime
) -> None:
    submission = make_submission(INVESTMENT, DECK.encode(), "deck.txt")
    saved = run_audit(banked, INVESTMENT, submission, now=now)
    hearsay = saved.audit.recall.hearsay
    assert hearsay is not None
    assert hearsay.memories
    assert hearsay.memories[0].text not in saved.audit.history.text
    own = run_audit(services, INVESTMENT, submission, now=now)
    assert own.audit.recall.hearsay is None
    assert [it.record.id for it in saved.audit.precedents] == [it.record.id for it in own.audit.precedents]
    assert saved.audit.score == own.audit.score
    assert saved.saved_as
    kept = banked.archive.open(banked.workspace, saved.saved_as)
    assert kept.recall.hearsay == hearsay


def test_an_unreachable_bank_is_said_and_the_audit_goes_on(services: Services, now: datetime) -> None:
    lost = build_services(settings_for(services.settings, "http://127.0.0.1:9"))
    try:
        saved = run_audit(lost, INVESTMENT, make_submission(INVESTMENT, DECK.encode(), "deck.txt"), now=now)
    finally:
        lost.close()
    recall = saved.audit.recall
    assert recall.state.looked
    assert recall.hearsay is not None
    assert "cannot be reached" in recall.hearsay.message


def test_a_bank_is_imported_as_observations_that_wait_once_each_and_undone(
    services: Services, url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank.add("ok thanks")
    bank.add("Boards that met in spring argued about burn.", fact_type="observation")
    bank.add("Nothing to see here about gardening.", fact_type="observation")
    for number in range(120):
        bank.add(f"The board of company {number} met in spring and argued about burn.", f"minutes-{number}")
    for name, value in {"HOME": str(services.settings.home), "MODELS": "", "HINDSIGHT_URL": url,
                        "HINDSIGHT_BANK": "agent", "HINDSIGHT_API_KEY": KEY}.items():  # fmt: skip
        monkeypatch.setenv(f"PRECEDENT_{name}", value)

    def run(*more: str) -> dict[str, Any]:
        assert main(["import", *more, "--json"]) == 0
        return dict(json.loads(capsys.readouterr().out))

    assert run("--hindsight", "--dry-run") | {"refused": None} == {
        "stored": 0, "fresh": 124, "already": 0, "derived": 2, "import": "", "refused": None,
    }  # fmt: skip
    done = run("--hindsight")
    assert done["stored"] == 124
    assert [it["source"] for it in done["refused"]] == ["hindsight:agent/m5"]
    found = services.ledger.find(
        services.workspace, kinds=[Kind.OBSERVATION], statuses=[Status.HELD], limit=500
    ).records  # fmt: skip
    assert len(found) == 124
    assert {(it.provenance.door, it.provenance.origin, it.confidence) for it in found} == {
        (Door.AGENT, Origin.UNVERIFIED, 0.3)
    }
    assert "hindsight:agent/doc-7" in {it.provenance.source for it in found}
    assert {it.facts.year for it in found if isinstance(it.facts, Note)} == {2022, None}
    again = run("--hindsight")
    assert (again["stored"], again["already"]) == (0, 124)
    assert len(run("--undo", done["import"])["removed"]) == 124


def test_without_a_bank_the_command_says_how_to_name_one(
    services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PRECEDENT_HOME", str(services.settings.home))
    assert main(["import", "--hindsight"]) == 1
    assert "PRECEDENT_HINDSIGHT_URL" in capsys.readouterr().err


def test_the_key_is_never_shown(services: Services, url: str) -> None:
    assert KEY not in repr(settings_for(services.settings, url))
    assert KEY not in repr(replace(services, settings=settings_for(services.settings, url)))
