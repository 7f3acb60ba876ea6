"""The ledger: what it acknowledged it keeps, and what it keeps it can find, page and count."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from memory.embed import EmbedderId
from memory.errors import LedgerUnavailable, RecordInvalid, RecordNotFound
from memory.index import Entry
from memory.ledger import Ledger
from memory.money import Money
from memory.records import BugFacts, Facts, InvestmentFacts, Kind, Note, Outcome, Record, Status
from memory.terms import tokens

MakeRecord = Callable[..., Record]
MakeEntry = Callable[..., Entry]

_SOLD = InvestmentFacts(
    "Ümlaut & 公司",
    "sector",
    "what\nit was",
    2019,
    2021,
    Outcome.SOLD_AT_A_LOSS,
    Money(Decimal("1234.50"), "EUR"),
    Money(Decimal(0), "EUR"),
    "cause",
    'a "quoted" lesson',
)
_CRASH = BugFacts(
    "Crash", "go", "CWE-89", "high", 2020, Outcome.OPEN, "s", "r", "a\n\tb", "c", "f", Money(Decimal(10**9), "INR"), "i"
)
FACTS: tuple[tuple[Kind, Facts], ...] = (
    (Kind.INVESTMENT, _SOLD),
    (Kind.BUG, _CRASH),
    (Kind.EVALUATED_DECK, Note("Deck", "Evaluated deck, not an investment", "text", 2026)),
    (Kind.PREFERENCE, Note("Taste", "Preference", "prefers cash businesses")),
)


@pytest.mark.parametrize(("kind", "facts"), FACTS, ids=lambda it: str(it) if isinstance(it, Kind) else "")
def test_a_record_comes_back_as_it_went_in(
    ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry, kind: Kind, facts: Facts
) -> None:
    record = make_record(facts, kind=kind)
    entries = [
        make_entry(record.id, 1, "what", 0),
        make_entry(record.id, 2, "what", 1),
        make_entry(record.id, 3, "why"),
    ]
    number = ledger.add(record, entries)
    assert (number, ledger.head()) == (1, 1)
    assert ledger.get("local", [record.id]) == {record.id: record}
    back = ledger.entries([record.id])
    assert [(it.record_id, it.facet, it.passage) for it in back] == [
        (it.record_id, it.facet, it.passage) for it in entries
    ]
    assert all(np.array_equal(one.vector, other.vector) for one, other in zip(back, entries, strict=True))


def test_records_are_there_when_the_ledger_is_opened_again(url: str, make_record: MakeRecord) -> None:
    first = Ledger.open(url)
    record = make_record()
    first.add(record, [])
    first.close()
    second = Ledger.open(url)
    assert second.get("local", [record.id]) == {record.id: record}
    second.close()


def test_a_workspace_never_gives_another_ones_records(ledger: Ledger, make_record: MakeRecord, now: datetime) -> None:
    mine, other = make_record(), make_record(InvestmentFacts("Secret Sauce"), workspace="other")
    ledger.add_many([(mine, []), (other, [])])
    assert ledger.get("local", [other.id, mine.id]) == {mine.id: mine}
    assert ledger.find("local").records == (mine,)
    assert ledger.find("local", search="secret").total == 0
    assert ledger.keywords("local", Kind.INVESTMENT, ["secret"], 9) == []
    assert [hit.record_id for hit in ledger.keywords("other", Kind.INVESTMENT, ["secret"], 9)] == [other.id]
    assert ledger.counts("local") == ledger.counts("other") == {Kind.INVESTMENT: 1}
    assert ledger.revisions("local", other.id) == []
    ledger.note_use("local", [other.id], now)
    assert ledger.get("other", [other.id])[other.id].use_count == 0
    with pytest.raises(RecordNotFound):
        ledger.set_status("local", other.id, Status.FORGOTTEN, author="eve", reason="", at=now)


def test_an_id_that_is_taken_is_refused_and_nothing_of_the_batch_is_kept(
    ledger: Ledger, make_record: MakeRecord
) -> None:
    record = make_record()
    ledger.add(record, [])
    with pytest.raises(RecordInvalid, match="exists"):
        ledger.add_many([(make_record(), []), (make_record(record_id=record.id), [])])
    assert (ledger.find("local").total, ledger.head()) == (1, 1)


def test_a_transaction_that_fails_keeps_nothing(ledger: Ledger, make_record: MakeRecord) -> None:
    with pytest.raises(RuntimeError), ledger.transaction() as tx:
        ledger.add(make_record(), [], tx=tx)
        ledger.set_setting("marker", 1, tx=tx)
        raise RuntimeError
    assert (ledger.head(), ledger.setting("marker")) == (0, None)


def test_an_unknown_source_is_refused(ledger: Ledger, make_record: MakeRecord) -> None:
    with pytest.raises(RecordInvalid, match="derived"):
        ledger.add(make_record(derived_from=("nobody",)), [])
    assert ledger.head() == 0


def test_only_active_records_are_counted_and_found_by_keyword(
    ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    record = make_record(InvestmentFacts("Zebra Ltd"))
    ledger.add(record, [make_entry(record.id)])
    for status in (Status.ARCHIVED, Status.QUARANTINED, Status.HELD, Status.FORGOTTEN):
        ledger.set_status("local", record.id, status, author="ana", reason="", at=now)
        assert ledger.keywords("local", Kind.INVESTMENT, ["zebra"], 5) == []
        assert (ledger.counts("local"), ledger.entry_counts()) == ({}, {})
        assert ledger.find("local").total == 0
        assert ledger.find("local", statuses=[status]).total == 1
        assert ledger.entries([record.id], active_only=True) == []
    ledger.set_status("local", record.id, Status.ACTIVE, author="ana", reason="", at=now)
    assert len(ledger.keywords("local", Kind.INVESTMENT, ["zebra"], 5)) == 1
    assert ledger.entry_counts() == {("local", Kind.INVESTMENT): 1}


def test_a_revision_keeps_what_was_said_before_with_author_time_and_reason(
    ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    record = make_record(InvestmentFacts("Old Name", summary="walrus"))
    ledger.add(record, [make_entry(record.id, 1)])
    later = now + timedelta(days=1)
    new = InvestmentFacts("New Name", summary="giraffe")
    revised = ledger.revise("local", record.id, new, [make_entry(record.id, 2)], author="ben", reason="typo", at=later)
    assert (revised.facts, revised.revision, revised.updated_at) == (new, 2, later)
    assert ledger.get("local", [record.id])[record.id] == revised
    assert revised.provenance == record.provenance
    first, second = ledger.revisions("local", record.id)
    assert (first.facts, first.author, first.number) == (record.facts, "ana", 1)
    assert (second.facts, second.author, second.reason, second.at) == (new, "ben", "typo", later)
    assert ledger.keywords("local", Kind.INVESTMENT, tokens("walrus"), 5) == []
    assert len(ledger.keywords("local", Kind.INVESTMENT, tokens("giraffe"), 5)) == 1
    assert len(ledger.entries([record.id])) == 1


def test_a_revision_cannot_turn_a_note_into_a_fact(ledger: Ledger, make_record: MakeRecord, now: datetime) -> None:
    record = make_record(Note("Deck", "Evaluated deck", "promising"), kind=Kind.EVALUATED_DECK)
    ledger.add(record, [])
    with pytest.raises(RecordInvalid, match="stays"):
        ledger.revise("local", record.id, InvestmentFacts("Deck"), [], author="eve", reason="", at=now)


def test_changes_come_in_order_and_say_what_left(ledger: Ledger, make_record: MakeRecord, now: datetime) -> None:
    one, two = make_record(), make_record(kind=Kind.BUG)
    ledger.add_many([(one, []), (two, [])])
    ledger.set_status("local", one.id, Status.ARCHIVED, author="ana", reason="old", at=now)
    ledger.set_status("local", one.id, Status.ARCHIVED, author="ana", reason="again, which is no change", at=now)
    changes = ledger.changes(0, 10)
    assert [(it.number, it.kind, it.record_id, it.removed) for it in changes] == [
        (1, Kind.INVESTMENT, one.id, False),
        (2, Kind.BUG, two.id, False),
        (3, Kind.INVESTMENT, one.id, True),
    ]
    assert ledger.changes(1, 1) == changes[1:2]
    assert ledger.changes(3, 10) == []


def test_find_filters_sorts_and_pages(ledger: Ledger, make_record: MakeRecord) -> None:
    rows = [
        ("b-co", 2020, Outcome.WRITTEN_OFF, 300),
        ("A-co", 2021, Outcome.OPERATING, None),
        ("c-co", None, Outcome.WRITTEN_OFF, 100),
    ]
    for title, year, outcome, amount in rows:
        invested = Money(Decimal(amount), "USD") if amount else None
        ledger.add(make_record(InvestmentFacts(title, "", f"sells {title} 100%", year, None, outcome, invested)), [])
    ledger.add(make_record(kind=Kind.BUG), [])

    def titles(**options: object) -> list[str]:
        page = ledger.find("local", kinds=[Kind.INVESTMENT], **options)  # type: ignore[arg-type]
        return [record.title for record in page.records]

    assert titles(sort="title", descending=False) == ["A-co", "b-co", "c-co"]
    assert titles(sort="loss") == ["b-co", "c-co", "A-co"]
    assert titles(sort="year", descending=False) == ["b-co", "A-co", "c-co"]
    assert titles(outcome=Outcome.WRITTEN_OFF, sort="title") == ["c-co", "b-co"]
    assert titles(year=2021) == ["A-co"]
    assert titles(search="sells a-co") == ["A-co"]
    assert titles(search="100% sells nothing") == []
    assert titles(search="%") == []
    assert ledger.find("local").total == 4
    page = ledger.find("local", sort="title", descending=False, limit=2, offset=2)
    assert (len(page.records), page.total) == (2, 4)


WORDS = (
    "pay",
    "Pay",
    "payments",
    "cross-border",
    "社",
    "社区",
    "CWE-8",
    "user_",
    "100%",
    "%",
    'a"b',
    "É",
    "e\u200bf",
    "*",
)


def test_a_word_finds_the_same_whether_its_record_is_active_or_archived(
    ledger: Ledger, make_record: MakeRecord, now: datetime
) -> None:
    texts = (
        "Payments cross-border",
        "社区面包 repays",
        "CWE-89 in user_id",
        '100% a"b',
        "École du pain e\u200bf * paying",
    )
    ids = []
    for number, text in enumerate(texts):
        for kind, facts in ((Kind.INVESTMENT, InvestmentFacts(f"co{number}", text)), (Kind.BUG, BugFacts(text))):
            record = make_record(facts, kind=kind)
            ledger.add(record, [])
            ids.append(record.id)

    def found(status: Status, kinds: list[Kind] | None) -> list[set[str]]:
        pages = [ledger.find("local", kinds=kinds, statuses=[status], search=word) for word in WORDS]
        assert all(len(page.records) == page.total for page in pages)
        return [{it.id for it in page.records} for page in pages]

    asked = (None, [Kind.BUG], [Kind.INVESTMENT, Kind.BUG], [Kind.PREFERENCE])
    active = [found(Status.ACTIVE, kinds) for kinds in asked]
    assert [len(it) for it in active[2]][:4] == [5, 5, 2, 2]
    assert active[3] == [set()] * len(WORDS)
    ledger.set_statuses("local", ids, Status.ARCHIVED, author="ana", reason="", at=now)
    assert [found(Status.ARCHIVED, kinds) for kinds in asked] == active


def test_keywords_weigh_rare_terms_more_and_say_which_matched(ledger: Ledger, make_record: MakeRecord) -> None:
    for number in range(8):
        summary = "payments app" + (" kubernetes" if number == 3 else "")
        ledger.add(make_record(InvestmentFacts(f"co{number}", summary=summary)), [])
    hits = ledger.keywords("local", Kind.INVESTMENT, tokens("payments kubernetes absent"), 3)
    best = ledger.get("local", [hits[0].record_id])[hits[0].record_id]
    assert (best.title, hits[0].terms, len(hits)) == ("co3", tuple(tokens("payments kubernetes")), 3)
    assert hits[0].score > 5 * hits[1].score


@pytest.mark.parametrize(
    "word", ["CWE-89", "E0308", "user_id", "C++", 'a"b', "NEAR", "OR", "x*", "支付", "нет", "naïve", "^a", "a:b"]
)
def test_any_term_can_be_looked_up_as_it_is(ledger: Ledger, make_record: MakeRecord, word: str) -> None:
    record = make_record(InvestmentFacts(f"title {word} end"))
    ledger.add(record, [])
    ledger.add(make_record(InvestmentFacts("something else")), [])
    for term in tokens(word):
        assert [hit.record_id for hit in ledger.keywords("local", Kind.INVESTMENT, [term], 5)] == [record.id]
    assert ledger.keywords("local", Kind.INVESTMENT, [word + " title", "zz*", '"', "", " "], 5) == []


def test_use_is_counted_and_is_no_change(ledger: Ledger, make_record: MakeRecord, now: datetime) -> None:
    record = make_record()
    ledger.add(record, [])
    ledger.note_use("local", [record.id], now)
    ledger.note_use("local", [record.id], now + timedelta(days=2))
    used = ledger.get("local", [record.id])[record.id]
    assert (used.use_count, used.last_used_at, ledger.head()) == (2, now + timedelta(days=2), 1)


def test_use_is_counted_with_what_it_is_counted_for_or_not_at_all(
    ledger: Ledger, make_record: MakeRecord, now: datetime
) -> None:
    record = make_record()
    ledger.add(record, [])
    with pytest.raises(RecordInvalid), ledger.transaction() as tx:
        ledger.note_use("local", [record.id], now, tx=tx)
        ledger.add(record, [], tx=tx)
    assert ledger.get("local", [record.id])[record.id].use_count == 0


def test_protection_is_kept(ledger: Ledger, make_record: MakeRecord, now: datetime) -> None:
    record = make_record()
    ledger.add(record, [])
    assert ledger.protect("local", record.id, True, author="ana", reason="dear", at=now).protected
    assert ledger.get("local", [record.id])[record.id].protected
    assert not ledger.protect("local", record.id, False, author="ana", reason="", at=now).protected


def test_the_embedder_is_remembered(ledger: Ledger) -> None:
    assert ledger.embedder() is None
    one, two = EmbedderId("a", 3, "f" * 64), EmbedderId("b", 4, "e" * 64)
    ledger.set_embedder(one)
    ledger.set_embedder(two)
    assert ledger.embedder() == two


def test_threads_that_write_at_once_lose_nothing(ledger: Ledger, make_record: MakeRecord) -> None:
    records = [make_record() for _ in range(40)]

    def write(part: list[Record]) -> None:
        for record in part:
            ledger.add(record, [])

    threads = [threading.Thread(target=write, args=(records[at::4],)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [change.number for change in ledger.changes(0, 100)] == list(range(1, 41))
    assert set(ledger.get("local", [record.id for record in records])) == {record.id for record in records}


@pytest.mark.parametrize("bad", ["nonsense", "sqlite://", "sqlite:///:memory:", "mysql://host/db"])
def test_an_address_that_cannot_hold_a_ledger_is_refused(bad: str) -> None:
    with pytest.raises(LedgerUnavailable):
        Ledger.open(bad)


def test_a_file_that_is_no_database_is_a_clear_error(home: Path) -> None:
    home.mkdir()
    (home / "ledger.db").write_bytes(b"this is not a database, but it is long enough to look like one" * 20)
    with pytest.raises(LedgerUnavailable, match="opened"):
        Ledger.open(f"sqlite:///{home}/ledger.db")


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LedgerUnavailable, match="folder"):
        Ledger.open(f"sqlite:///{tmp_path}/file/home/ledger.db")


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_what_cannot_be_written_to_is_named_when_the_ledger_is_opened(
    tmp_path: Path, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ledger.db"
    Ledger.open(f"sqlite:///{file}").close()
    place = tmp_path if closed == "folder" else file
    # Root may write anywhere, so the system's answer is replaced, not the permission.
    monkeypatch.setattr(os, "access", lambda asked, mode: Path(asked) != place)
    with pytest.raises(LedgerUnavailable, match=re.escape(f"{place} cannot be written to")):
        Ledger.open(f"sqlite:///{file}")
