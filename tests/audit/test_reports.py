"""An audit told as HTML, Markdown and JSON and on the command line: in the reader's language, with what was decided."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest

from audit.__main__ import main
from audit.decided import Decided, decided_behind
from audit.examples import examples
from audit.export import as_dict
from audit.html_report import as_html
from audit.markdown_report import as_markdown
from audit.modes import MODES
from audit.reports import precedents_in, report
from audit.service import SavedAudit, run_audit
from audit.speech.language import choose
from audit.submission import make_submission, title_of
from audit.types import DraftAudit, GroundedAudit, HistoryClaim
from memory.money import Money
from memory.records import InvestmentFacts, Outcome
from tests.audit.guarding import grounded
from wiring import Services

ENGLISH, CHINESE = choose("en"), choose("zh")
ROBOT = examples("investment")[1].text
LEAFLIFT = InvestmentFacts(
    "Leaflift", "Vertical farming robotics", "A robot that seeds, moves and harvests trays in vertical farms.", 2019,
    outcome=Outcome.PASSED, invested=Money(Decimal(50_000), "EUR"), returned=Money(Decimal(400_000), "EUR"),
    lesson="Ask for the energy price first.",
)  # fmt: skip
QUOTED = frozenset({"blockquote", "code", "dd", "h1", "h3", "q", "style", "title"})
SAME_EVERYWHERE = {"Precedent", "UTC"}


class Told(HTMLParser):
    """Gathers what a report says in words of its own: no quotes, titles or values of a record, no identifiers."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.language, self.words, self._inside = "", "", [""]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.language = dict(attrs).get("lang") or "" if tag == "html" else self.language
        if tag not in {"meta", "meter"}:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[len(self._inside) - 1 - self._inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not QUOTED & {self._inside[-1]}:
            self.words += f"{data} "


def english_in(text: str, audit: GroundedAudit) -> list[str]:
    """List the English words of a text, less names: of records, models, fields, and what was audited.

    What is said of code names languages and functions, so there only words that follow each other count.
    """
    names = [title_of(audit.submission), audit.model, *(it.field for it in audit.refusals)]
    for name in (*names, *(it.record.title for it in audit.precedents)):
        text = text.replace(name, "")
    word = r"[A-Za-z]{2,}" if MODES[audit.mode].takes_diffs is False else r"\b[A-Z]?[a-z]+ [a-z]{2,}\b"
    return [it for it in re.findall(word, text) if it not in SAME_EVERYWHERE]


@pytest.fixture
def passed(services: Services, now: datetime) -> SavedAudit:
    """Audit a deck whose like the user once passed on, and which returned eight times the money."""
    mode, day = MODES["investment"], timedelta(days=1)
    first = run_audit(services, mode, make_submission(mode, ROBOT), now=now - 9 * day).saved_as
    assert first
    services.decisions.decide(services.workspace, first, "passed", reason="No moat.", author="ana", now=now - 8 * day)
    services.decisions.settle(services.workspace, first, LEAFLIFT, went_well=True, author="ana", now=now - day)
    return run_audit(services, mode, make_submission(mode, f"{ROBOT}\nWe grow 3% a month."), now=now)


def audits(services: Services, now: datetime) -> Iterator[GroundedAudit]:
    for mode in MODES.values():
        for it in examples(mode.name):
            yield run_audit(services, mode, make_submission(mode, it.text), now=now, save=False).audit


def test_what_was_passed_on_and_what_it_returned_stands_in_every_report(
    services: Services, passed: SavedAudit, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    decided = decided_behind(services.decisions, precedents_in(passed))
    assert list(decided.values()) == [Decided("passed", went_well=True, times=Decimal(8))]
    sentence = "You passed on this one, and it went well. It returned 8 times what was put in."
    for text in (as_html(passed.audit, ENGLISH, decided), as_markdown(passed.audit, ENGLISH, decided)):
        assert sentence in text
    chinese = "您当时放弃了这一项，而它后来结果良好。回收为投入的 8 倍。"
    for text in (as_html(passed.audit, CHINESE, decided), as_markdown(passed.audit, CHINESE, decided)):
        assert chinese in text and sentence not in text
    [case] = [it for it in as_dict(passed.audit, None, decided)["similar_past_cases"] if it["decided"]]
    assert case["decided"] == {"choice": "passed", "went_well": True, "times": "8.0"}
    deck = tmp_path / "deck.txt"
    deck.write_text(passed.audit.submission.text)
    monkeypatch.setenv("PRECEDENT_HOME", str(services.settings.home))
    monkeypatch.setenv("PRECEDENT_LANGUAGE", "zh")
    assert main(["investment", str(deck), "--no-save"]) == 0
    printed = capsys.readouterr().out
    assert chinese in printed and "历史损失：" in printed


def test_a_chinese_report_says_nothing_in_english_but_quotes_names_and_identifiers(
    services: Services, passed: SavedAudit, now: datetime
) -> None:
    refused = grounded(DraftAudit(history_claims=(HistoryClaim("history", "You lost money on this before."),)))
    for audit in (passed.audit, refused, *audits(services, now)):
        told = Told(as_html(audit, CHINESE, decided_behind(services.decisions, [it.record for it in audit.precedents])))
        assert told.language == "zh"
        assert english_in(told.words, audit) == []
        ticket = re.sub(r"(`+).*?\1", "", as_markdown(audit, CHINESE)).replace("\\", "")
        for quoted in (it.record.lesson for it in audit.precedents):
            ticket = ticket.replace(" ".join(quoted.split()), "")
        for value in ("Vertical farming robotics", "Consumer payments", "python"):
            ticket = ticket.replace(value, "")
        assert english_in(ticket, audit) == []


def test_numbers_dates_and_amounts_of_a_report_are_written_as_the_locale_writes_them(passed: SavedAudit) -> None:
    lost = replace(LEAFLIFT, returned=None, outcome=Outcome.WRITTEN_OFF).loss
    assert lost is not None
    indian, chinese = choose("auto", "en-IN"), choose("auto", "zh-CN")
    assert "€50,000" in as_markdown(passed.audit, indian) and "€50,000" in as_html(passed.audit, chinese)
    assert f"{passed.audit.created_at:%Y年%-m月%-d日}" in as_html(passed.audit, chinese)
    assert f"{passed.audit.created_at:%-d %b %Y}" in as_markdown(passed.audit, indian)


def test_json_is_the_same_whatever_language_is_spoken(passed: SavedAudit) -> None:
    told = [json.dumps(report(passed, speech=it).data) for it in (ENGLISH, CHINESE)]
    assert told[0] == told[1]
    assert report(passed, speech=ENGLISH).text != report(passed, speech=CHINESE).text
