"""The benchmark of batches, on sizes too small to say anything about speed."""

import os
from typing import Any
from unittest import mock

import pytest

from tests.benchmarks.measured import IN_THE_CHECKOUT, assert_rows_say_what_was_measured, names_of

pytestmark = IN_THE_CHECKOUT


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What a run without peers reports."""
    with mock.patch.dict(os.environ, KEMPE_PEERS=os.devnull):
        benchmark = names_of("batch.py")
        few = {"variants": 40, "moving": 24, "legs": 16, "pendula": 16, "peer_pendula": 8}
        sizes = benchmark["Sizes"](**few, steps=36, pendulum_steps=100, repeats=1)
        measured: dict[str, Any] = benchmark["measure"](sizes)
    return measured


def test_rows_say_what_was_measured_of_whom(report: dict[str, Any]) -> None:
    assert_rows_say_what_was_measured(report)


def test_the_coupler_point_is_where_the_closed_form_has_it(report: dict[str, Any]) -> None:
    errors = [
        row["error"]
        for row in report["rows"]
        if "four-bars" in row["case"] and row["error"] is not None
    ]
    assert errors
    assert max(errors) < 1e-10


def test_pendula_are_where_a_tight_integration_has_them(report: dict[str, Any]) -> None:
    errors = [row["error"] for row in report["rows"] if "pendula" in row["case"]]
    assert len(errors) == 2
    assert 0.0 < max(errors) < 1e-3  # m, at the loosest tolerance


def test_goals_without_peers_are_not_measured(report: dict[str, Any]) -> None:
    goals = {goal["goal"]: goal["met"] for goal in report["goals"]}
    assert any("numba" in name and met is None for name, met in goals.items())
    assert any("two threads" in name and met is not None for name, met in goals.items())
