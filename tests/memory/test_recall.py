"""Recall, end to end over a real ledger, index and embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from memory.chroma_index import ChromaIndex
from memory.embed import EmbedderId, MiniLmEmbedder, Vectors
from memory.errors import IndexUnavailable
from memory.judge import MOST
from memory.ledger import Ledger
from memory.money import Money
from memory.passages import entries_of
from memory.recall import Recaller
from memory.records import (
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Note,
    Origin,
    Outcome,
    Provenance,
    Record,
    Status,
)
from memory.report import Cue, Decision, RecallQuery, RecallReport, RecallState

PAYMENTS = InvestmentFacts(
    "Coinrush",
    "Payments",
    "Peer-to-peer payments app that lets friends split bills for free.",
    2022,
    outcome=Outcome.SHUT_DOWN,
    invested=Money(Decimal(50000), "INR"),
    cause="Users grew fast and nothing was ever charged.",
    lesson="Ask who pays before the users come.",
)
FLOWERS = InvestmentFacts("Petalpost", "Retail", "Fresh flowers sent every week by subscription.", 2016)
SQL = BugFacts(
    "SQL injection in customer search",
    "python",
    "CWE-89",
    symptom="Customers of other shops appeared in the results.",
    root_cause="The search term was pasted into the SELECT statement.",
    faulty_code='cursor.execute("SELECT * FROM customers WHERE name = \'" + term + "\'")',
    fixed_code='cursor.execute("SELECT * FROM customers WHERE name = ?", (term,))',
    fix="Bind the term as a parameter.",
)
PAYMENTS_DECK = "An app to pay friends and split bills, peer to peer. 200,000 users, doubling yearly. No revenue yet."
ROBOT_DECK = "A vertical-farming robot that seeds, moves and cuts lettuce under lamps for supermarkets."
CONCATENATED = 'def find(cur, name):\n    cur.execute("SELECT id FROM users WHERE name = \'" + name + "\'")\n'
SQL_CUE = Cue("CWE-89", "SQL injection: a statement is built by concatenation.", 'cur.execute("SELECT', 2)


class Bench:
    """A memory to put records into and to ask."""

    def __init__(self, ledger: Ledger, index: ChromaIndex, embedder: MiniLmEmbedder, home: Path, now: datetime) -> None:
        self.ledger = ledger
        self.index = index
        self.embedder = embedder
        self.now = now
        self.recaller = Recaller(ledger, index, embedder, lambda: ChromaIndex(home / "multilingual"))
        ledger.set_embedder(embedder.id)

    def put(self, facts: Facts, kind: Kind, record_id: str, confidence: float = 0.9, **changed: object) -> Record:
        made = Provenance(Door.FORM, Origin.OWN_RECORD, "test", "me", self.now, confidence)
        record = replace(Record(record_id, "local", kind, facts, made, confidence), **changed)  # type: ignore[arg-type]
        self.ledger.add(record, entries_of(record, self.embedder))
        return record

    def invested(self, facts: Facts, record_id: str, **changed: object) -> Record:
        return self.put(facts, Kind.INVESTMENT, record_id, **changed)  # type: ignore[arg-type]

    def deck(self, text: str, now: datetime | None = None) -> RecallReport:
        return self.recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), text), now or self.now)

    def code(self, text: str, *cues: Cue) -> RecallReport:
        return self.recaller.recall(RecallQuery("local", (Kind.BUG,), text, cues, "python", True), self.now)


@pytest.fixture
def bench(ledger: Ledger, index: ChromaIndex, embedder: MiniLmEmbedder, home: Path, now: datetime) -> Bench:
    return Bench(ledger, index, embedder, home, now)


def ids(report: RecallReport, decision: Decision = Decision.KEPT) -> list[str]:
    return [it.record.id for it in report.candidates if it.decision is decision]


def test_a_deck_like_a_past_investment_brings_it_back_with_its_facts(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    report = bench.deck(PAYMENTS_DECK)
    assert report.state is RecallState.FOUND
    assert ids(report) == ["pay"]
    assert report.kept[0].record.facts == PAYMENTS


def test_a_deck_like_nothing_in_memory_brings_nothing(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    report = bench.deck(ROBOT_DECK)
    assert report.state is RecallState.NONE_RELEVANT
    assert report.kept == ()
    assert report.searched == 2


def test_an_empty_memory_says_so_and_not_that_nothing_is_relevant(bench: Bench) -> None:
    assert bench.deck(PAYMENTS_DECK).state is RecallState.NO_RECORDS


def test_a_broken_index_is_an_error_and_never_an_empty_past(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.invested(PAYMENTS, "pay")

    def broken(*_: object) -> object:
        raise IndexUnavailable("The vector index is gone.")

    monkeypatch.setattr(bench.index, "query", broken)
    report = bench.deck(PAYMENTS_DECK)
    assert report.state is RecallState.UNAVAILABLE
    assert not report.state.looked
    assert "gone" in report.message


def test_a_change_of_embedder_is_named_and_is_no_empty_memory(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.ledger.set_embedder(EmbedderId("older-model", 384, "0" * 64))
    report = bench.deck(PAYMENTS_DECK)
    assert report.state is RecallState.EMBEDDER_CHANGED
    assert "older-model" in report.message
    assert not report.state.looked


def test_the_five_states_have_words_of_their_own(bench: Bench) -> None:
    words = {bench.deck(PAYMENTS_DECK).message}
    bench.invested(PAYMENTS, "pay")
    words |= {bench.deck(PAYMENTS_DECK).message, bench.deck(ROBOT_DECK).message}
    bench.ledger.set_embedder(EmbedderId("older-model", 384, "0" * 64))
    words.add(bench.deck(PAYMENTS_DECK).message)
    assert len(words) == 4


def test_the_same_question_twice_gives_the_same_answer(bench: Bench) -> None:
    for number, facts in enumerate((PAYMENTS, FLOWERS)):
        bench.invested(facts, f"r{number}")
    one, two = bench.deck(PAYMENTS_DECK), bench.deck(PAYMENTS_DECK)
    assert one.candidates == two.candidates


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.FORGOTTEN, Status.HELD, Status.QUARANTINED])
def test_what_is_not_active_is_gone_from_the_next_recall(bench: Bench, status: Status) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    assert ids(bench.deck(PAYMENTS_DECK)) == ["pay"]
    bench.ledger.set_status("local", "pay", status, author="me", reason="test", at=bench.now)
    assert "pay" not in [it.record.id for it in bench.deck(PAYMENTS_DECK).candidates]


def test_an_edited_record_is_recalled_as_it_is_now(bench: Bench) -> None:
    bench.invested(FLOWERS, "one")
    bench.invested(FLOWERS, "two")
    assert bench.deck(PAYMENTS_DECK).kept == ()
    record = bench.ledger.get("local", ["one"])["one"]
    edited = replace(record, facts=PAYMENTS)
    bench.ledger.revise(
        "local", "one", PAYMENTS, entries_of(edited, bench.embedder), author="me", reason="test", at=bench.now
    )
    assert ids(bench.deck(PAYMENTS_DECK)) == ["one"]


def test_another_process_sees_a_change_at_its_next_recall(bench: Bench, url: str, home: Path) -> None:
    bench.invested(PAYMENTS, "pay")
    other_ledger, other_index = Ledger.open(url), ChromaIndex(home / "index")
    try:
        other = Recaller(other_ledger, other_index, bench.embedder)
        query = RecallQuery("local", (Kind.INVESTMENT,), PAYMENTS_DECK)
        assert ids(other.recall(query, bench.now)) == ["pay"]
        bench.ledger.set_status("local", "pay", Status.FORGOTTEN, author="me", reason="test", at=bench.now)
        assert other.recall(query, bench.now).state is RecallState.NO_RECORDS
    finally:
        other_index.close()
        other_ledger.close()


def test_near_identical_records_appear_once_with_the_others_counted(bench: Bench) -> None:
    bench.invested(PAYMENTS, "one")
    bench.invested(replace(PAYMENTS, company="Coinrush Ltd"), "two")
    report = bench.deck(PAYMENTS_DECK)
    assert len(report.kept) == 1
    assert report.kept[0].alike == 1


def test_no_more_than_two_records_of_one_company_are_kept(bench: Bench) -> None:
    rounds = ("for students", "for families on holiday", "for shops that pay their suppliers", "for clubs with dues")
    for number, who in enumerate(rounds):
        summary = f"Peer-to-peer payments app to split bills {who}."
        bench.invested(replace(PAYMENTS, summary=summary, year=2018 + number, year_end=None), f"r{number}")
    report = bench.deck(PAYMENTS_DECK)
    assert len(report.kept) == 2
    assert any("shown already" in it.rule for it in report.near)


def test_an_evaluation_is_never_a_precedent_however_alike(bench: Bench) -> None:
    bench.put(Note("Deck", "Evaluated deck, not an investment", PAYMENTS_DECK), Kind.EVALUATED_DECK, "note")
    query = RecallQuery("local", (Kind.INVESTMENT, Kind.EVALUATED_DECK), PAYMENTS_DECK)
    assert bench.recaller.recall(query, bench.now).state is RecallState.NO_RECORDS
    assert bench.ledger.entry_counts() == {}, "it has no vector that any search by likeness could meet"


def test_another_workspace_is_never_seen(bench: Bench) -> None:
    bench.invested(PAYMENTS, "theirs", workspace="other")
    bench.invested(FLOWERS, "ours")
    assert [it.record.id for it in bench.deck(PAYMENTS_DECK).candidates] == ["ours"]


def test_a_record_nobody_trusts_is_dropped_by_rule(bench: Bench) -> None:
    bench.invested(PAYMENTS, "hearsay", confidence=0.1)
    report = bench.deck(PAYMENTS_DECK)
    assert report.kept == ()
    assert "confidence" in report.dropped[0].rule


def test_age_and_use_order_the_kept_and_admit_nothing(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    for _ in range(50):
        bench.ledger.note_use("local", ["flowers"], bench.now)
    assert ids(bench.deck(PAYMENTS_DECK)) == ["pay"]
    late = bench.deck(PAYMENTS_DECK, bench.now + timedelta(days=3650))
    assert ids(late) == ["pay"]
    assert late.kept[0].order < bench.deck(PAYMENTS_DECK).kept[0].order


def test_the_same_name_in_another_business_is_no_precedent(bench: Bench) -> None:
    bench.invested(replace(FLOWERS, company="Convex"), "flowers")
    report = bench.deck("Convex makes load balancers for cloud clusters. Engineers route traffic with Convex.")
    assert report.kept == ()
    assert "same name" in report.near[0].rule


def test_the_same_company_is_found_by_name(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    for number in range(6):
        bench.invested(replace(FLOWERS, company=f"Bloom {number}", summary=f"Flowers for city {number}."), f"f{number}")
    report = bench.deck("Coinrush raises again. Coinrush moves money between friends; new markets, same app.")
    assert ids(report) == ["pay"]


def test_code_with_a_flaw_of_the_same_kind_confirms_the_past_bug(bench: Bench) -> None:
    bench.put(SQL, Kind.BUG, "sql")
    report = bench.code(CONCATENATED, SQL_CUE)
    assert ids(report) == ["sql"]
    assert report.kept[0].confirmed_by == SQL_CUE
    assert "CWE-89" in report.kept[0].rule


def test_code_without_a_finding_confirms_nothing_however_alike(bench: Bench) -> None:
    bench.put(SQL, Kind.BUG, "sql")
    report = bench.code('cur.execute("SELECT id FROM users WHERE name = ?", (name,))')
    assert report.kept == ()
    assert report.state is RecallState.NONE_RELEVANT


def test_the_faulty_line_confirms_and_its_repair_does_not(bench: Bench) -> None:
    bench.put(SQL, Kind.BUG, "sql")
    faulty = f"def search(cursor, term):\n    {SQL.faulty_code}\n    return cursor.fetchall()\n"
    repaired = f"def search(cursor, term):\n    {SQL.fixed_code}\n    return cursor.fetchall()\n"
    confirmed = bench.code(faulty)
    assert ids(confirmed) == ["sql"]
    assert confirmed.kept[0].confirmed_by is not None
    assert confirmed.kept[0].confirmed_by.line == 2
    twin = bench.code(repaired)
    assert twin.kept == ()
    assert twin.near[0].rule == "related; that flaw was not found here"


def test_a_flaw_of_another_kind_confirms_nothing(bench: Bench) -> None:
    bench.put(SQL, Kind.BUG, "sql")
    assert bench.code(CONCATENATED, Cue("CWE-798", "A password stands in the code.")).kept == ()


def test_every_candidate_says_all_that_was_weighed(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    for it in bench.deck(PAYMENTS_DECK).candidates:
        assert it.rule
        assert it.passage
        assert it.record_passage
        assert 0 <= it.probability <= 1
        assert {"passage", "sentence", "words"} <= set(it.features)
    assert {"embed", "vectors", "keywords", "resolve", "gate"} <= set(bench.deck(PAYMENTS_DECK).steps_ms)


def test_a_crowd_is_cut_to_twelve(bench: Bench) -> None:
    places = (
        "Lima",
        "Oslo",
        "Rome",
        "Cairo",
        "Delhi",
        "Tokyo",
        "Paris",
        "Accra",
        "Quito",
        "Perth",
        "Dakar",
        "Milan",
        "Sofia",
    )
    for place in places:
        summary = f"Peer-to-peer payments app that lets friends in {place} split bills for free."
        bench.invested(replace(PAYMENTS, company=f"{place} Pay", summary=summary), place)
    assert len(bench.deck(PAYMENTS_DECK).kept) == MOST[Decision.KEPT]


@pytest.mark.parametrize("text", ["", " \n", "x", "🙂🙂🙂", "a" * 200_000, "word " * 30_000, "\x00\x01"])
def test_any_text_is_answered(bench: Bench, text: str) -> None:
    bench.invested(PAYMENTS, "pay")
    assert bench.deck(text).state.looked


def test_a_chinese_deck_finds_the_english_record_and_calls_it_similar_only(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    report = bench.deck("让朋友之间用手机免费转账、分摊账单的点对点支付应用。")
    assert report.near[0].record.id == "pay"
    assert "another language" in report.near[0].rule


def test_an_english_deck_finds_the_chinese_record(bench: Bench) -> None:
    bench.invested(
        replace(PAYMENTS, summary="朋友之间免费转账、分摊账单的点对点支付应用。", cause="", lesson=""), "pay"
    )
    bench.invested(FLOWERS, "flowers")
    report = bench.deck("An app for free transfers between friends, to pay peer to peer and split the bills.")
    assert "pay" in [it.record.id for it in (*report.kept, *report.near)]


class OnlyVectors:
    """An embedder of another make, which cannot say how it read each word."""

    def __init__(self, inner: MiniLmEmbedder) -> None:
        self._inner = inner

    @property
    def id(self) -> EmbedderId:
        return EmbedderId("only-vectors", 384, "1" * 64)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._inner.embed(texts)


def test_an_embedder_that_only_gives_vectors_serves_too(bench: Bench) -> None:
    other = OnlyVectors(bench.embedder)
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    bench.ledger.set_embedder(other.id)
    recaller = Recaller(bench.ledger, bench.index, other)
    assert ids(recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), PAYMENTS_DECK), bench.now)) == ["pay"]
    assert ids(recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), ROBOT_DECK), bench.now)) == []


@pytest.fixture
def counting(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    read = 0
    real = bench.embedder.read

    def counted(texts: list[str]) -> object:
        nonlocal read
        read += len(texts)
        return real(texts)

    monkeypatch.setattr(bench.embedder, "read", counted)
    yield lambda: read


def test_long_text_costs_no_more_stretches_than_a_page(bench: Bench, counting: Callable[[], int]) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.deck(" ".join(f"Sentence number {number} speaks of plan {number * 7}." for number in range(3_000)))
    assert counting() <= 16


def test_a_reason_speaks_of_likelihood_and_gate_in_the_per_cents_that_pages_show(bench: Bench) -> None:
    bench.invested(PAYMENTS, "pay")
    bench.invested(FLOWERS, "flowers")
    report = bench.deck(PAYMENTS_DECK)
    assert report.dropped
    for it in report.dropped:
        assert f"{it.probability:.0%} likely" in it.rule
        assert f"a precedent at {report.gate.keep:.0%}" in it.rule
    assert all(f"begins at {report.gate.keep:.0%}" in it.rule for it in report.kept)
