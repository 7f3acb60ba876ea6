"""Recall on a real server is measured beside the raw query of the same vectors, and only in an empty database."""

from __future__ import annotations

import re

import pytest

from evals import scale
from evals.__main__ import main


def test_an_empty_database_is_filled_and_measured_once(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scale, "QUERIES", 2)
    assert main(["scale-postgres", "--url", url, "--sizes", "10"]) == 0
    said = capsys.readouterr().out
    measured = re.findall(r"^(\d+) records: recall p50 ([\d.]+) ms.*raw HNSW ([\d.]+) ms", said, re.MULTILINE)
    assert [it[0] for it in measured] == ["10"]
    assert all(float(raw) > 0 for _, _, raw in measured)
    assert main(["scale-postgres", "--url", url, "--sizes", "10"]) == 2
    assert "give an empty one" in capsys.readouterr().err
    assert main(["scale-postgres", "--url", url, "--again"]) == 0
    assert re.search(r"^10 records: recall p50", capsys.readouterr().out, re.MULTILINE)


def test_a_database_without_records_is_not_measured_again(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scale-postgres", "--url", url, "--again"]) == 2
    assert "nothing to measure" in capsys.readouterr().err
