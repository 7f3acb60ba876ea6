"""What sessions share, the name under which the same text and settings are one audit, and what a page waits for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from settings import Settings
from ui.runtime import fingerprint

ROOT = Path(__file__).parents[2]


def _another(value: object) -> object:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case SecretStr():
            return SecretStr("set" if not value.get_secret_value() else "")
        case Path():
            return value / "elsewhere"
        case _:
            return f"{value}-other"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_tells_one_audit_from_another(name: str) -> None:
    settings = Settings(_env_file=None)
    changed = settings.model_copy(update={name: _another(getattr(settings, name))})
    assert fingerprint(changed) != fingerprint(settings)


def test_of_a_secret_only_whether_it_is_set_counts() -> None:
    one, two = (Settings(_env_file=None, local_api_key=SecretStr(key)) for key in ("first-key", "second-key"))
    assert fingerprint(one) == fingerprint(two)


def test_the_frame_of_a_page_is_drawn_before_anything_heavy_is_loaded() -> None:
    heavy = {"audit.guard", "audit.claims", "ast_grep_py", "sqlalchemy", "chromadb", "onnxruntime", "wiring"}
    asked = f"import sys, ui.shell; print(*sorted({heavy!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", asked], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.split(), done.returncode) == ([], 0)
