"""The benchmark of graphics cards, by the same text run on the processor."""

from typing import Any

import pytest

from tests.benchmarks.measured import IN_THE_CHECKOUT, assert_rows_say_what_was_measured, names_of

pytestmark = IN_THE_CHECKOUT


FEW = {"pendula": 6, "alone": 3, "samples": 30}


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What a run without a card reports, the processor standing in for it."""
    benchmark = names_of("gpu.py")
    sizes = benchmark["Sizes"](variants=24, compared=8, coarse=36, fine=72, repeats=1, **FEW)
    measured: dict[str, Any] = benchmark["measure"](sizes, "emulated")
    return measured


def test_rows_say_what_was_measured_of_whom(report: dict[str, Any]) -> None:
    assert_rows_say_what_was_measured(report)
    assert {row["per"] for row in report["rows"]} == {"placement", "sample"}


def test_the_coupler_point_is_where_the_closed_form_has_it(report: dict[str, Any]) -> None:
    assert max(row["error"] for row in report["rows"]) < 1e-10


def test_the_digits_are_those_of_the_processor(report: dict[str, Any]) -> None:
    goals = {goal["goal"]: goal for goal in report["goals"]}
    (off,) = (goal for name, goal in goals.items() if "digits" in name)
    assert off["got"] == 0.0
    assert off["met"]
    (pendula,) = (goal for name, goal in goals.items() if "how far the card's pendula" in name)
    assert pendula["met"]
    assert any("kernel" in name and goal["met"] is None for name, goal in goals.items())
