"""A pasted stack trace brings back the past bug that failed in the same place."""

from __future__ import annotations

import json
from datetime import datetime

from audit.flaws import CALL_ALONE, NOT_CODE, why_no_code
from audit.modes import BUG
from audit.service import run_audit
from audit.submission import make_submission
from memory.records import BugFacts, Door, Kind
from wiring import Services

OLD = """Checkout dies for guests since the spring release.

Traceback (most recent call last):
  File "/srv/shop/app/views.py", line 41, in checkout
    total = cart.total()
  File "/srv/shop/app/cart.py", line 17, in total
    return sum(line.price for line in self.lines)
TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
"""
NEW = """Traceback (most recent call last):
  File "/home/ci/build/7731/app/main.py", line 3, in serve
    checkout(request)
  File "/home/ci/build/7731/app/views.py", line 58, in checkout
    total = cart.total()
  File "/home/ci/build/7731/app/cart.py", line 23, in total
    return sum(line.price for line in self.lines)
TypeError: unsupported operand type(s) for +: 'decimal.Decimal' and 'NoneType'
"""
ELSEWHERE = NEW.replace("cart.py", "stock.py").replace("in total", "in reserve")


def test_the_same_frames_confirm_and_other_frames_do_not(services: Services, now: datetime) -> None:
    record = services.intake.remember(
        services.workspace,
        Kind.BUG,
        BugFacts("Guest carts hold a price of None", symptom=OLD, fix="give guests the list price", year=2023),
        door=Door.FORM, source="form", author="kim", now=now,
    )  # fmt: skip

    def precedents(text: str) -> list[str]:
        audit = run_audit(services, BUG, make_submission(BUG, text), now=now, save=False).audit
        return [it.record.id for it in audit.precedents]

    audit = run_audit(services, BUG, make_submission(BUG, NEW), now=now, save=False).audit
    assert "same stack trace" in audit.precedents[0].why
    assert precedents(NEW) == [record.id]
    assert precedents("\n".join(f"web-1  | 2026-05-01T12:00:01.1Z {line}" for line in NEW.split("\n"))) == [record.id]
    docker = "\n".join(json.dumps({"log": f"{line}\n", "stream": "stderr"}) for line in NEW.split("\n"))
    assert precedents(docker) == [record.id]
    assert precedents(ELSEWHERE) == []


def test_a_single_call_is_told_as_one_and_not_as_prose() -> None:
    alone = "\n".join([*NEW.splitlines()[:1], *NEW.splitlines()[-3:]])
    assert why_no_code(make_submission(BUG, alone)) == CALL_ALONE
    assert why_no_code(make_submission(BUG, "We sell drones to farmers. Raising a round of one million.")) == NOT_CODE
    assert why_no_code(make_submission(BUG, NEW)) == ""
