"""The benchmark of dynamics, on sizes too small to say anything about speed."""

import os
from typing import Any
from unittest import mock

import numpy as np
import pytest

from tests.benchmarks.measured import (
    IN_THE_CHECKOUT,
    assert_rows_say_what_was_measured,
    names_of,
)

pytestmark = IN_THE_CHECKOUT

CASES = ("D3", "D5", "D6 N=10", "D7", "E1", "C2")
# Angles and places at the end, from the [IVPTestSet] and from minimal coordinates by DOP853.
KNOWN = {
    "D3": [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        0.5244099658805304,
        -0.5347301163226948,
        1.048080741042263,
        0.5347301163226948,
    ],
    "D7": [-0.2572211245, -1.1330674753],
}
DIGITS = 1e-8  # the references have about ten


@pytest.fixture(scope="module")
def benchmark() -> dict[str, Any]:
    """The benchmark's names."""
    return names_of("dynamics.py")


@pytest.fixture(scope="module")
def report(benchmark: dict[str, Any]) -> dict[str, Any]:
    """What a run without peers reports."""
    with mock.patch.dict(os.environ, KEMPE_PEERS=os.devnull):
        sizes = benchmark["Sizes"](
            repeats=1, floor_repeats=1, cases=CASES, links=(15, 16), set_up=20, stiffness=(1.0, 1e4)
        )
        measured: dict[str, Any] = benchmark["measure"](sizes)
    return measured


def test_rows_say_what_was_measured_of_whom(report: dict[str, Any]) -> None:
    assert_rows_say_what_was_measured(report)


def test_times_of_peers_that_are_not_installed_are_said_to_come_from_elsewhere(
    report: dict[str, Any],
) -> None:
    peers = [row for row in report["rows"] if row["case"] in CASES and "kempe" not in row["who"]]
    assert all("not run here: scaled" in row["who"] for row in peers)


def test_every_case_has_a_goal_for_each_of_its_errors(report: dict[str, Any]) -> None:
    goals = [goal["goal"] for goal in report["goals"]]
    for case in CASES:
        assert sum(goal.startswith(f"{case} to ") for goal in goals) == 2
    assert any(goal.startswith("bytes of a body") for goal in goals)
    assert any(goal.startswith("seconds to set up") for goal in goals)


def test_kempe_reaches_the_errors_that_it_is_timed_for(report: dict[str, Any]) -> None:
    for row in report["rows"]:
        if row["case"] in CASES and row["who"].startswith("kempe"):
            assert row["error"] <= float(row["who"].split("to ")[-1])


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_looked_at_ends_where_others_found_it(benchmark: dict[str, Any], name: str) -> None:
    case = next(case for case in benchmark["CASES"] if case.name == name)
    exact = benchmark["_exact"](case)
    assert np.abs(exact.looks[-1] - KNOWN[name]).max() < DIGITS
