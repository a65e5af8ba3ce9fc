"""A mechanism in the hand goes on from where it stands."""

import math

import pytest

from kempe.errors import UnknownName
from kempe.front.hand import Hand
from kempe.gallery import double_pendulum, four_bar


def lean(crank: float, sign: float) -> float:
    """The rocker's angle of crank 1, coupler 3, rocker 2.5, ground 2.8, from its two triangles."""
    x, y = math.cos(crank) - 2.8, math.sin(crank)
    away = math.hypot(x, y)
    return math.atan2(y, x) + sign * math.acos((2.5**2 + away**2 - 9.0) / (5.0 * away))


def test_a_slider_after_a_drag_stays_on_the_branch() -> None:
    hand = Hand(four_bar(crank=1.0, coupler=3.0, rocker=2.5, ground=2.8))
    sign = 1.0 if math.isclose(hand.q[8], lean(0.0, 1.0), abs_tol=1e-9) else -1.0
    assert hand.drag("crank.end", (math.cos(1.0), math.sin(1.0))).outcome.is_done
    assert hand.drive({"crank.angle": 2.0}).outcome.is_done
    assert math.isclose(math.cos(hand.q[8] - lean(2.0, sign)), 1.0, abs_tol=1e-12)
    assert hand.drag("crank.end", (math.cos(2.5), math.sin(2.5))).outcome.is_done
    assert math.isclose(hand.values["crank.angle"], 2.5, abs_tol=1e-9)
    assert math.isclose(math.cos(hand.q[8] - lean(2.5, sign)), 1.0, abs_tol=1e-9)


def test_where_nothing_is_driven_any_measure_can_be_set() -> None:
    hand = Hand(double_pendulum())
    hand.drive({"upper.angle": 0.3, "lower.angle": -0.2})
    assert hand.q[[2, 5]].tolist() == pytest.approx([0.3, -0.2])


def test_what_is_not_driven_is_refused() -> None:
    with pytest.raises(UnknownName, match="is not driven: drag it instead"):
        Hand(four_bar()).drive({"rocker.angle": 1.0})


def test_a_long_drag_keeps_no_more_than_its_last_stops() -> None:
    hand = Hand(four_bar())
    for k in range(450):
        hand.drag("crank.end", (math.cos(0.001 * k), math.sin(0.001 * k)))
    assert hand._drag is not None
    assert len(hand._drag._stops) <= 201
