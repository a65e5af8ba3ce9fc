"""The benchmark of kinematics, on sizes too small to say anything about speed."""

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.benchmarks.measured import (
    IN_THE_CHECKOUT,
    ROOT,
    assert_rows_say_what_was_measured,
    names_of,
)

pytestmark = IN_THE_CHECKOUT

# Kempe and the floor solve each sample to 1e-13; a slip in a formula shows in the first digits.
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What a run without peers reports."""
    with mock.patch.dict(os.environ, KEMPE_PEERS=os.devnull):
        benchmark = names_of("kinematics.py")
        sizes = benchmark["Sizes"](
            steps=100,
            leg_steps=100,
            space_steps=100,
            repeats=1,
            chains=(1, 2, 3),
            chain_steps=10,
            variants=2,
            starts=1,
            drag=1,
        )
        measured: dict[str, Any] = benchmark["measure"](sizes)
    return measured


def test_rows_say_what_was_measured_of_whom(report: dict[str, Any]) -> None:
    assert_rows_say_what_was_measured(report)


def test_every_contestant_finds_the_closed_form(report: dict[str, Any]) -> None:
    errors = [row["error"] for row in report["rows"] if row["error"] is not None]
    assert len(errors) >= 6
    assert max(errors) < TOLERANCE


def test_goals_say_whether_they_are_met(report: dict[str, Any]) -> None:
    for goal in report["goals"]:
        assert list(goal) == ["goal", "wanted", "got", "met"]
        if goal["got"] is None:
            assert goal["met"] is None
        else:
            bound = float(goal["wanted"][3:])
            at_most = goal["wanted"].startswith("<= ")
            assert goal["met"] == (goal["got"] <= bound if at_most else goal["got"] >= bound)


def test_a_peer_that_is_not_installed_leaves_its_goal_open(report: dict[str, Any]) -> None:
    for name in ("pylinkage", "exudyn"):
        goal = next(goal for goal in report["goals"] if name in goal["goal"])
        assert goal["met"] is None
        assert "not installed" in goal["goal"]


def test_the_report_is_json_and_names_no_place_of_this_machine(report: dict[str, Any]) -> None:
    text = json.dumps(report)
    assert str(ROOT) not in text
    assert str(Path.home()) not in text
