"""A planted key, and every place it could come out of, through the wiring and a whole audit."""

from __future__ import annotations

import json
import logging
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from audit.examples import examples
from audit.export import as_dict
from audit.html_report import as_html
from audit.markdown_report import as_markdown
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from settings import Settings
from tests.audit.llm.conftest import KEY
from tests.model_server import acts
from tests.model_server.server import Act, ModelServer
from wiring import build_services

SAYS = f"Authorization: Bearer {KEY}"
REPEATED = {
    **acts.AUDIT,
    "summary": f"The deck says {SAYS}. {KEY}",
    "advice": [KEY],
    "historical_loss": KEY,
    "precedents": [{"record_id": KEY, "record_quote": SAYS, "submission_quote": SAYS, "why": KEY}],
}


@pytest.mark.parametrize(
    ("act", "writer"),
    [
        (acts.answer(json.dumps(REPEATED)), "groq:a"),
        (acts.answer(SAYS), "rules"),
        (acts.error(401, {"error": {"message": f"Incorrect API key: {KEY}", "code": KEY}}), "rules"),
        (acts.error(500, f"<html>{SAYS}</html>"), "rules"),
        (
            acts.error(400, {"error": {"code": "json_validate_failed", "failed_generation": json.dumps(REPEATED)}}),
            "groq:a",
        ),
    ],
    ids=["in the audit", "in prose", "in an error", "in a page", "in a salvaged reply"],
)
def test_a_key_never_appears_in_log_page_export_archive_or_file(
    settings: Settings,
    seeded_ledger: Path,
    groq_server: ModelServer,
    now: datetime,
    caplog: pytest.LogCaptureFixture,
    act: Act,
    writer: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    groq_server.play("a", act)
    settings.home.mkdir()
    shutil.copy(seeded_ledger, settings.home)
    ours = settings.model_copy(
        update={"groq_api_key": SecretStr(KEY), "groq_base_url": groq_server.url, "models": "groq:a"}
    )
    services = build_services(ours)
    deck = next(example.text for example in examples("investment"))
    done = run_audit(services, INVESTMENT, make_submission(INVESTMENT, deck), now=now)
    assert done.audit.model == writer
    assert groq_server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert done.saved_as is not None
    exchange = services.archive.exchange(services.workspace, done.saved_as)
    told = [
        json.dumps(as_dict(done.audit)),
        as_html(done.audit),
        as_markdown(done.audit),
        repr(done),
        repr(exchange),
        repr(services),
        repr(ours),
        repr(services.chain.states()),
        repr(services.chain.test("groq:a")),
        caplog.text,
    ]
    services.close()
    for text in told:
        assert KEY not in text
    indexes = [path for path in settings.home.iterdir() if path.name.startswith("index")]
    assert all(path.stat().st_mode & 0o077 == 0 for path in indexes)
    for path in settings.home.rglob("*"):
        # Vector files hold whatever memory the index's native library had not yet used: see docs/guarantees.md.
        native = path.suffix == ".bin" and any(folder in path.parents for folder in indexes)
        if path.is_file() and not native:
            assert KEY.encode() not in path.read_bytes(), path
