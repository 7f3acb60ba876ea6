"""How growth is fitted and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.growth import Curve, with_section
from evals.scale import below_the_tables
from evals.timing import at_least, at_most, exponent, table


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    assert exponent({size: 3 * size**power for size in (100, 1_000, 10_000)}) == pytest.approx(power)


def test_one_size_has_no_growth() -> None:
    assert exponent({14: 120.0}) == 0.0


def test_a_target_is_met_on_its_side_and_at_its_edge() -> None:
    assert [at_most("x", it, 1.5).met for it in (1.4, 1.5, 1.6)] == [True, True, False]
    assert [at_least("x", it, 0.6).met for it in (0.5, 0.6, 0.7)] == [False, True, True]


def test_a_table_is_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_what_people_wrote_below_the_tables_stays(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    assert below_the_tables(page) == ""
    page.write_text("# Measured\n\n| a |\n\n## What holds it\n\nThe neighbours.\n\n## More\n")
    assert below_the_tables(page) == "\n## What holds it\n\nThe neighbours.\n\n## More\n"


def test_a_curve_tells_its_growth_over_all_sizes_and_over_the_last_two() -> None:
    curve = Curve("an audit", {100: 50.0, 1_000: 50.0, 10_000: 500.0})
    assert curve.row() == ["an audit", "100: 50, 1,000: 50, 10,000: 500", "0.50", "1.00"]


def test_a_measured_section_takes_the_place_of_the_one_before_it_and_of_no_other() -> None:
    page = with_section("# Performance\n\n## Held\n\nWhy.\n", "## Growth\n\n| old |")
    assert page == "# Performance\n\n## Held\n\nWhy.\n\n## Growth\n\n| old |\n"
    page = with_section(page + "\n## More\n\nText.\n", "## Growth\n\n| new |")
    assert page == "# Performance\n\n## Held\n\nWhy.\n\n## Growth\n\n| new |\n\n## More\n\nText.\n"
    assert with_section("", "## Growth\n\n| a |") == "## Growth\n\n| a |\n"
