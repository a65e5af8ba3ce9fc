"""What intervals do at the ends of domains, with nothing in them, and with the rounding mode."""

import math
from typing import Any

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

NAMES = _core.operation_names()
EMPTY = (math.inf, -math.inf)
ENTIRE = (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("div", [(1.0, 1.0), (-1.0, 1.0)], ENTIRE),
        ("div", [(1.0, 2.0), (0.0, 4.0)], (0.25, math.inf)),
        ("div", [(1.0, 2.0), (-4.0, 0.0)], (-math.inf, -0.25)),
        ("div", [(-2.0, -1.0), (0.0, 4.0)], (-math.inf, -0.25)),
        ("div", [(-1.0, 1.0), (0.0, 4.0)], ENTIRE),
        ("div", [(1.0, 2.0), (0.0, 0.0)], EMPTY),
        ("div", [(0.0, 0.0), (-1.0, 1.0)], (0.0, 0.0)),
        ("rec", [(-1.0, 1.0)], ENTIRE),
        ("rec", [(0.0, 2.0)], (0.5, math.inf)),
        ("rec", [(-2.0, 0.0)], (-math.inf, -0.5)),
        ("rec", [(0.0, 0.0)], EMPTY),
        ("rec", [(2.0, math.inf)], (0.0, 0.5)),
        ("sqrt", [(-1.0, 4.0)], (0.0, 2.0)),
        ("sqrt", [(-2.0, -1.0)], EMPTY),
        ("log", [(-2.0, -1.0)], EMPTY),
        ("log", [(-2.0, 0.0)], EMPTY),
        ("log", [(1.0, 1.0)], (0.0, 0.0)),
        ("log", [(0.0, 1.0)], (-math.inf, 0.0)),
        ("asin", [(1.5, 2.0)], EMPTY),
        ("acos", [(-3.0, -1.5)], EMPTY),
        ("acos", [(1.0, 7.0)], (0.0, 0.0)),
        ("tan", [(1.0, 2.0)], ENTIRE),
        ("tan", [(-math.inf, 0.0)], ENTIRE),
        ("sin", [(0.0, 0.0)], (0.0, 0.0)),
        ("cos", [(0.0, 0.0)], (1.0, 1.0)),
        ("sin", [(1e17, 1e17)], (-1.0, 1.0)),
        ("cos", [(-math.inf, math.inf)], (-1.0, 1.0)),
        ("exp", [(0.0, 0.0)], (1.0, 1.0)),
        ("pow", [(-2.0, -1.0), (0.5, 0.75)], EMPTY),
        ("pow", [(0.0, 0.0), (-1.0, -1.0)], EMPTY),
        ("pow", [(-5.0, 7.0), (0.0, 0.0)], (1.0, 1.0)),
        ("pow", [(-5.0, 7.0), (1.0, 1.0)], (-5.0, 7.0)),
        ("mul", [(0.0, 0.0), (-math.inf, math.inf)], (0.0, 0.0)),
        ("mul", [(1.0, math.inf), (-2.0, 3.0)], ENTIRE),
        ("mul", [(2.0, math.inf), (3.0, math.inf)], (6.0, math.inf)),
        ("add", [(-math.inf, 1.0), (2.0, 3.0)], (-math.inf, 4.0)),
        ("sqr", [(-math.inf, 2.0)], (0.0, math.inf)),
        ("add", [(1e308, 1e308), (1e308, 1e308)], (1.7976931348623157e308, math.inf)),
        ("copy", [(math.inf, math.inf)], (1.7976931348623157e308, math.inf)),
        ("copy", [(-math.inf, -math.inf)], (-math.inf, -1.7976931348623157e308)),
        ("where_positive", [(-1.0, 1.0), (1.0, 2.0), (5.0, 6.0)], (1.0, 6.0)),
        ("where_positive", [(0.0, 1.0), (1.0, 2.0), (5.0, 6.0)], (1.0, 6.0)),
        ("where_positive", [(-1.0, 0.0), (1.0, 2.0), (5.0, 6.0)], (5.0, 6.0)),
        ("where_positive", [(0.5, 1.0), (1.0, 2.0), (5.0, 6.0)], (1.0, 2.0)),
        ("where_not_negative", [(0.0, 1.0), (1.0, 2.0), (5.0, 6.0)], (1.0, 2.0)),
        ("where_not_negative", [(-1.0, 0.0), (1.0, 2.0), (5.0, 6.0)], (1.0, 6.0)),
        ("where_not_negative", [(-1.0, -0.5), (1.0, 2.0), (5.0, 6.0)], (5.0, 6.0)),
        ("where_positive", [(-1.0, 1.0), EMPTY, (5.0, 6.0)], (5.0, 6.0)),
    ],
)
def test_domains_and_infinities(
    kit: Any, name: str, operands: list[tuple[float, float]], expected: tuple[float, float]
) -> None:
    lower, upper = kit.enclosure(name, *operands)
    if _core.interval_rounding() == "upward":
        assert (lower, upper) == expected
    else:  # one step further out
        assert math.nextafter(lower, math.inf) >= expected[0] >= lower or lower == expected[0]
        assert math.nextafter(upper, -math.inf) <= expected[1] <= upper or upper == expected[1]


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_operand_makes_the_result_empty(kit: Any, name: str) -> None:
    n = kit.operands(name)
    for place in range(1 if name.startswith("where") else n):
        for other in [(1.0, 2.0), ENTIRE]:
            operands = [other] * n
            operands[place] = EMPTY
            assert kit.enclosure(name, *operands) == EMPTY


def test_the_cut_of_atan2_gives_the_whole_turn(kit: Any) -> None:
    """A scalar zero may carry either sign, and both must be enclosed."""
    for y in [(-1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (-1.0, 0.0)]:
        lower, upper = kit.enclosure("atan2", y, (-2.0, -1.0))
        assert lower <= -math.pi
        assert upper >= math.pi


def rounds_to_nearest() -> bool:
    """Whether this thread rounds to nearest; the operands are no constants to a compiler."""
    tiny = np.full(1, 2.0**-60)
    return bool(1.0 + tiny[0] == 1.0 and -1.0 - tiny[0] == -1.0 and (1.0 + tiny)[0] == 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_rounding_mode_is_put_back(kit: Any, name: str) -> None:
    assert rounds_to_nearest()
    kit.enclosure(name, *[(0.25, 0.5)] * kit.operands(name))
    assert rounds_to_nearest()
    kit.enclosure(name, *[EMPTY] * kit.operands(name))
    assert rounds_to_nearest()


def test_the_rounding_mode_is_put_back_after_a_refusal(kit: Any) -> None:
    with pytest.raises(ValueError, match="no interval"):
        kit.enclosure("sin", (1.0, 0.0))
    assert rounds_to_nearest()


@pytest.mark.parametrize("bounds", [(1.0, 0.5), (math.nan, 1.0), (0.0, math.nan), (math.nan,) * 2])
def test_bounds_that_are_no_interval_are_refused(kit: Any, bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"row 0, input 1: .* is no interval"):
        kit.enclosure("add", (0.0, 1.0), bounds)


def test_bounds_of_unequal_shape_are_refused(kit: Any) -> None:
    tape, d = kit.single("neg")
    with pytest.raises(ValueError, match=r"upper has shape \(3, 1\); lower has shape \(2, 1\)"):
        tape.evaluate_intervals(np.zeros((2, 1)), np.zeros((3, 1)), np.array([d], dtype=np.int32))
