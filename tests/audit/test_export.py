from __future__ import annotations

import json
from datetime import datetime
from html.parser import HTMLParser

import pytest

from audit.export import as_dict, as_html, as_markdown
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from audit.types import GroundedAudit
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
    assert tags.attributes <= {"charset", "lang", "class"}


def test_markup_in_what_was_pasted_is_text_in_the_markdown_export(audit: GroundedAudit) -> None:
    page = as_markdown(audit)
    for line in page.splitlines():
        outside_code = "".join(line.split("`")[::2])
        assert "<script" not in outside_code.replace("\\<", "")
        assert "](javascript" not in outside_code
