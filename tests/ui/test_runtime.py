"""What sessions share: the name under which the same text and settings are one audit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from settings import Settings
from ui.runtime import fingerprint


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
