from __future__ import annotations

import pytest

from audit.__main__ import main
from settings import IN_WORDS, Settings, SettingsInvalid, read_settings


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


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("WORKSPACE", "Secret Fund!", "small letters, digits, - and _"),
        ("INDEX", "ftp://elsewhere", "say embedded, or give an address"),
        ("PEOPLE", "ana@example.com", "entry 1 is not an e-mail address or a subject, then =, then a workspace"),
        ("PEOPLE", "a@b.c=one, k@b.c=Two Words", "entry 2 is not"),
        ("PEOPLE", "a@b.c=one,A@b.c=two", "entry 2 names somebody who was named before"),
        ("PEOPLE", "\u212aim@b.c=kim", "entry 1 is not"),
        ("PEOPLE", "=one", "entry 1 is not"),
    ],
)
def test_what_is_allowed_is_said_in_words(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(f"PRECEDENT_{name}", value)
    with pytest.raises(SettingsInvalid) as told:
        read_settings()
    assert f"PRECEDENT_{name}: " in str(told.value)
    assert said in str(told.value)
    assert not any(it in str(told.value) for it in ("pattern", "^", "Value error", value))


def test_every_pattern_of_a_setting_has_words() -> None:
    patterned = {name for name, it in Settings.model_fields.items() if any(hasattr(m, "pattern") for m in it.metadata)}
    assert patterned == set(IN_WORDS)
