"""The benchmark of motions, repeated too rarely to say anything about speed."""

from typing import Any

import pytest

from tests.benchmarks.measured import IN_THE_CHECKOUT, names_of
from tests.motion._machines_in_space import residual

pytestmark = pytest.mark.row("B9")

pytestmark = IN_THE_CHECKOUT

CLOSE = 1e-9  # of rods about 1 m long


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What a short run reports."""
    benchmark = names_of("motions.py")
    measured: dict[str, Any] = benchmark["measure"](benchmark["Sizes"](1, (1, 2, 3), 0.2))
    return measured


def test_rows_and_goals_have_the_shape_of_every_benchmark(report: dict[str, Any]) -> None:
    for row in report["rows"]:
        assert list(row) == ["case", "who", "seconds", "per", "error"]
    for goal in report["goals"]:
        assert list(goal) == ["goal", "wanted", "got", "met"]


def test_every_case_has_the_components_that_are_known(report: dict[str, Any]) -> None:
    counts = {m["case"]: m["components"] for m in report["maps"]}
    assert counts["piston (3)"] == counts["four-bar (4)"] == 2
    assert counts["six-bar (6)"] == counts["moving triangle (6)"] == 4
    assert counts["eight-bar chain (8)"] == counts["chain (8)"] == 8
    assert counts["3-RPR platform (6, points)"] == 12
    assert {m["outcome"] for m in report["maps"] if m["case"] != "Bennett"} == {"complete"}


def test_machines_in_space_have_as_many_assemblies_and_loops_as_is_known(
    report: dict[str, Any],
) -> None:
    counts = {m["case"]: m["components"] for m in report["maps"]}
    assert counts["octahedral platform"] == counts["six hinges, PUMA-like"] == 8
    assert counts["six hinges, gallery"] == 8
    assert counts["RSSR"] == counts["spherical four-bar"] == 2
    assert counts["Bennett"] == 1
    for platform in ("general 6-6 platform", "planar 6-6 platform"):
        assert counts[platform] % 2 == 0
        assert 0 < counts[platform] <= 40
    assert 0 < counts["six hinges, general"] <= 16


def test_the_platform_of_forty_positions_has_forty_that_keep_its_rods() -> None:
    (machine,) = (c for c in names_of("motions.py")["cases"]() if c.least == 40)
    mechanism = machine.make()
    found = mechanism.assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 40)
    assert residual(mechanism, found) < CLOSE


def test_boxes_per_component_are_nearly_constant_along_chains(report: dict[str, Any]) -> None:
    (goal,) = (g for g in report["goals"] if g["goal"].startswith("chains"))
    assert goal["met"]
