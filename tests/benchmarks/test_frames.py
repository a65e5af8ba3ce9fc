"""The benchmark of frames, on sizes too small to say anything about speed."""

import json
from typing import Any

import pytest

from tests.benchmarks.measured import IN_THE_CHECKOUT, ROOT, names_of

pytestmark = IN_THE_CHECKOUT

# SciPy rounds in another order.
TOLERANCE = 1e-12


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    measured: dict[str, Any] = names_of("frames.py")["measure"](1e-3)
    return measured


def test_every_row_has_its_columns_and_agrees_with_the_peer(report: dict[str, Any]) -> None:
    for row in report["rows"]:
        assert list(row) == ["case", "who", "seconds", "per", "error"]
        assert row["error"] is None or row["error"] < TOLERANCE
    assert sum(row["who"] == "scipy" for row in report["rows"]) >= 12


def test_goals_are_measured_and_the_report_is_json(report: dict[str, Any]) -> None:
    assert report["goals"]
    for goal in report["goals"]:
        assert list(goal) == ["goal", "wanted", "got", "met"]
    assert str(ROOT) not in json.dumps(report)
