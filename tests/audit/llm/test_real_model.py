"""A real model writes a whole audit, through the real SDK, the schema made for it, and the guard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import pytest

from audit.export import as_dict
from audit.llm.clients import SdkClient
from audit.llm.port import ModelClient
from audit.modes import BUG
from audit.service import run_audit
from audit.submission import make_submission
from tests.model_server.small_model import Terse, small_model
from wiring import Services

pytestmark = pytest.mark.model

CODE = """def login(db, name):
    return db.execute("SELECT * FROM users WHERE name = '" + name + "'")
"""


@pytest.fixture(scope="module")
def model() -> Iterator[Terse]:
    with small_model() as address:
        client = SdkClient("local", address, "")
        yield Terse(client)
        client.close()


def test_a_real_model_writes_a_whole_audit_in_the_form_asked_for(
    served_by: Callable[[ModelClient], Services], model: Terse, now: datetime
) -> None:
    made = served_by(model)
    services = replace(made, settings=made.settings.model_copy(update={"audit_deadline_s": 100.0}))
    done = run_audit(services, BUG, make_submission(BUG, CODE), now=now)

    (attempt,) = done.audit.attempts
    assert (attempt.outcome, attempt.json_mode) == ("answered", "schema")
    assert attempt.tokens_in > 300
    assert attempt.tokens_out > 50

    schema = model.requests[0].schema
    reply = json.loads(model.replies[0].text)
    assert list(reply) == schema["required"]
    ids = schema["properties"]["precedents"]["items"]["properties"]["record_id"]["enum"]
    assert ids
    assert {it["record_id"] for it in reply["precedents"]} <= set(ids)

    told = as_dict(done.audit)
    assert told["model"].startswith("local:")
    assert 0 <= told["score"] <= 100
    recalled = {it.record.id for it in done.audit.recall.kept}
    assert {it.record.id for it in done.audit.precedents} <= recalled
    assert done.saved_as is not None
    assert services.archive.open(services.workspace, done.saved_as).model == done.audit.model
