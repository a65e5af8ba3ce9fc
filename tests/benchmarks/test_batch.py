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
        sizes = benchmark["Sizes"](variants=40, moving=24, legs=16, steps=36, repeats=1)
        measured: dict[str, Any] = benchmark["measure"](sizes)
    return measured


def test_rows_say_what_was_measured_of_whom(report: dict[str, Any]) -> None:
    assert_rows_say_what_was_measured(report)


def test_the_coupler_point_is_where_the_closed_form_has_it(report: dict[str, Any]) -> None:
    errors = [row["error"] for row in report["rows"] if row["error"] is not None]
    assert errors
    assert max(errors) < 1e-10


def test_goals_without_peers_are_not_measured(report: dict[str, Any]) -> None:
    goals = {goal["goal"]: goal["met"] for goal in report["goals"]}
    assert any("numba" in name and met is None for name, met in goals.items())
    assert any("two threads" in name and met is not None for name, met in goals.items())
