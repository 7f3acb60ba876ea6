from __future__ import annotations

import pytest

from audit.__main__ import main
from settings import SettingsInvalid, read_settings


def test_a_value_that_is_not_allowed_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECEDENT_WORKSPACE", "Secret Fund!")
    with pytest.raises(SettingsInvalid, match="PRECEDENT_WORKSPACE") as told:
        read_settings()
    assert "Secret Fund" not in str(told.value)


def test_a_command_line_with_bad_settings_says_so_and_exits_with_bad_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("PRECEDENT_AUDIT_DEADLINE_S", "soon")
    deck = tmp_path_factory.mktemp("deck") / "deck.txt"
    deck.write_text("We sell bread to cafés. They pay monthly.")
    assert main(["investment", str(deck)]) == 2
    assert "PRECEDENT_AUDIT_DEADLINE_S" in capsys.readouterr().err
