"""The benchmark of gradients, on sizes too small to say anything about speed."""

from tests.benchmarks.measured import IN_THE_CHECKOUT, assert_rows_say_what_was_measured, names_of

pytestmark = IN_THE_CHECKOUT


def test_rows_say_what_was_measured_and_gradients_are_those_of_the_closed_form() -> None:
    benchmark = names_of("gradient.py")
    report = benchmark["measure"](benchmark["Sizes"](steps=(12,), calls=1, repeats=1))
    assert_rows_say_what_was_measured(report)
    exact = [goal for goal in report["goals"] if "complex step" in goal["goal"]]
    assert [goal["met"] for goal in exact] == [True]
