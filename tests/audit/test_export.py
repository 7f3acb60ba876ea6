from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

import pytest

from audit.export import as_dict
from audit.html_report import as_html
from audit.markdown_report import as_markdown
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from audit.types import DraftAudit, DraftFinding, GroundedAudit, HistoryClaim
from memory.records import Door
from tests.audit.guarding import LOOP, LOOP_PROOF, grounded, recalled
from wiring import Services

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> We charge $10 | a month [click](javascript:alert(1)).\n"
    "Our customers are `clinics` and # hospitals, **growing 300%** a year. No revenue yet. Founder: one person."
)


@pytest.fixture
def audit(services: Services, now: datetime) -> GroundedAudit:
    return run_audit(services, INVESTMENT, make_submission(INVESTMENT, HOSTILE), now=now, save=False).audit


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_json_holds_the_whole_audit_and_survives_a_round_trip(audit: GroundedAudit) -> None:
    told = as_dict(audit, "aud-1")
    assert json.loads(json.dumps(told)) == told
    assert told["saved_as"] == "aud-1"


def test_markup_in_what_was_pasted_is_text_in_the_html_export(audit: GroundedAudit) -> None:
    tags = Tags()
    tags.feed(as_html(audit))
    assert not tags.seen & {"script", "img", "a", "iframe"}
    assert tags.attributes <= {"charset", "lang", "class", "value"}


def test_markup_in_what_was_pasted_is_text_in_the_markdown_export(audit: GroundedAudit) -> None:
    page = as_markdown(audit)
    for line in page.splitlines():
        outside_code = "".join(line.split("`")[::2])
        assert "<script" not in outside_code.replace("\\<", "")
        assert "](javascript" not in outside_code


def test_the_name_of_a_refused_field_is_the_writers_own_and_stays_text_in_every_export() -> None:
    name = "x](javascript:alert(1)) <img src=x onerror=alert(1)> ![a](http://evil.example/p.png) @everyone\u202e"
    audit = grounded(DraftAudit(history_claims=(HistoryClaim(name, "You lost money on this before."),)))
    page = as_markdown(audit)
    refused = page.partition("## Refused")[2]
    assert audit.refusals and "\u202e" not in audit.refusals[0].field
    assert "](" not in refused and "<img" not in refused.replace("\\<", "")
    assert "http://" not in refused and "@everyone" not in refused
    tags = Tags()
    tags.feed(as_html(audit))
    assert not tags.seen & {"script", "img", "a", "iframe"}


def test_addresses_and_mentions_in_prose_become_no_links_in_markdown() -> None:
    audit = grounded(DraftAudit(advice=("Ask @octocat and see https://evil.example or www.evil.example for a form.",)))
    told = as_markdown(audit).partition("## Refused")[0]
    assert "@octocat" not in told and "https://" not in told and "www.evil" not in told


@pytest.mark.parametrize("turned", ["\u202e", "\u202d", "\u2067"])
def test_what_was_pasted_turns_no_line_of_a_report(turned: str) -> None:
    text = f"Zippo {turned} is a payments app.\nThere is no {turned}revenue yet and one founder."
    finding = DraftFinding(
        "revenue", "No revenue", "high", f"There is no {turned}revenue yet", 2, "It is free.", "", ""
    )
    audit = grounded(DraftAudit(findings=(finding,)), text=text)
    assert turned in audit.findings[0].quote
    assert turned not in as_markdown(audit) + as_html(audit)


def test_a_record_that_came_with_precedent_says_so_wherever_its_facts_are_told() -> None:
    example = replace(LOOP, provenance=replace(LOOP.provenance, door=Door.SEED))
    audit = grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(example))
    for told in (as_markdown(audit), as_html(audit)):
        assert "an example that came with Precedent" in told
    own = grounded(DraftAudit(precedents=(LOOP_PROOF,)), recalled(LOOP))
    assert "an example that came with Precedent" not in as_markdown(own) + as_html(own)
