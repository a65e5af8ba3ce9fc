"""The benchmark of path synthesis: what is in print, swept by kempe too, and one small search."""

import math

import numpy as np
import pytest

from tests.benchmarks.measured import IN_THE_CHECKOUT, names_of

pytestmark = IN_THE_CHECKOUT


@pytest.fixture(scope="module")
def benchmark() -> dict:
    return names_of("path_synthesis.py")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_dimensions_in_print_are_as_far_off_when_kempe_moves_them(benchmark, number):
    case = benchmark["CASES"][number]
    ground, crank, coupler, rocker, px, py, x0, y0, turned = case.published
    made = benchmark["four_bar"](
        x0, y0, turned, ground, crank, coupler, rocker, px, py, first=case.at[0]
    )
    steps = round((case.at[-1] - case.at[0]) / (case.at[1] - case.at[0]))
    until = (case.at[-1] - case.at[0]) / (2.0 * math.pi)
    known = benchmark["sum_of_squares"](case.published, case.at, case.points)
    found = []
    for rocker_angle in ("100 deg", "-100 deg"):
        start = made.assemble({"rocker.angle": rocker_angle}, at=0.0)
        path = made.kinematics(until=until, steps=steps, start=start)["coupler.P"].position
        found.append(float(((path - np.array(case.points)) ** 2).sum()))
    assert min(found) == pytest.approx(known, rel=1e-6)


def test_a_search_is_told_beside_what_is_in_print(benchmark):
    sizes = benchmark["Sizes"](16, 1, (benchmark["CASES"][1],), seconds=0.5)
    report = benchmark["measure"](sizes)
    published, own = report["rows"]
    assert published["error"] == pytest.approx(1.284e-6, rel=1e-3)
    assert own["seconds"] > 0.0
    assert report["goals"][0]["met"] == (own["error"] <= published["error"] * (1.0 + 1e-6))
