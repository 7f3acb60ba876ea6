"""What a setting promises reaches the part that keeps it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from memory.errors import IntakeRefused
from memory.records import Door, InvestmentFacts, Kind
from settings import Settings
from wiring import build_services, places


@pytest.mark.parametrize("secrets", ["mask", "refuse"])
def test_secrets_are_masked_or_their_record_refused_by_setting(
    home: Path, seeded_ledger: Path, monkeypatch: pytest.MonkeyPatch, now: datetime, secrets: str
) -> None:
    home.mkdir()
    shutil.copy(seeded_ledger, home)
    monkeypatch.setenv("PRECEDENT_SECRETS", secrets)
    services = build_services(Settings(_env_file=None, home=home, models=""))
    facts = InvestmentFacts("Acme", summary="Sells bread", lesson="Ask ana.bell@acme.com first.")
    values = {"door": Door.FORM, "source": "form", "author": "ana", "now": now}
    try:
        if secrets == "mask":
            kept = services.intake.remember("local", Kind.INVESTMENT, facts, **values)
            assert kept.lesson == "Ask [e-mail address] first."
        else:
            with pytest.raises(IntakeRefused, match="lesson holds e-mail address"):
                services.intake.remember("local", Kind.INVESTMENT, facts, **values)
    finally:
        services.close()


def test_where_a_memory_lives_is_told_without_any_password(settings: Settings) -> None:
    url = "postgresql://me:sekret@host:5433/notes?sslmode=require"
    told = places(settings.model_copy(update={"ledger_url": url, "index": url}))
    assert told == ("postgresql://me:***@host:5433/notes?sslmode=require",) * 2
    assert places(settings) == (
        f"sqlite:///{settings.home.resolve()}/ledger.db",
        str(settings.home.resolve() / "index"),
    )


def test_a_start_without_a_model_does_not_wait_for_any_sdk_to_load() -> None:
    program = "import sys, wiring; print({'groq', 'openai', 'hindsight_client', 'chromadb'} & set(sys.modules))"
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "set()"
