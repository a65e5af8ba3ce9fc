"""Linear rows are solved for, and what is left without unknowns is proved, or called unproved."""

import math

import numpy as np
import pytest

import kempe
from kempe.joints import PinInSlot
from kempe.motion.equations.system import FullSystem
from kempe.motion.reduction.reduction import reduced
from kempe.motion.search.search import Effort
from kempe.motion.search.solution import motions
from kempe.results.maps.certificate import Promise

pytestmark = pytest.mark.row("B8")

ROUNDED_LENGTHS = 1e-13  # of the machine's size: what writing places as doubles may be off by


def circle_with_a_slider(again):
    """x^2 + y^2 = 1, and z = sqrt(2) said twice: as it is, and as `again` says."""
    found = FullSystem()
    x, y = found.unknown("x", -1.0, 1.0), found.unknown("y", -1.0, 1.0)
    z = found.unknown("z", -4.0, 4.0)
    found.equate(x * x + y * y - 1.0, "circle")
    found.equate(z - np.sqrt(found.number(2.0)), "slider")
    found.equate(z - again(found), "guide")
    return reduced(found)


def test_a_row_that_repeats_another_to_rounding_is_called_undecided():
    system = circle_with_a_slider(lambda e: np.exp(np.log(e.number(2.0)) / 2.0))
    assert system.undecided == ("guide",) or system.undecided == ("slider",)
    assert not system.contradiction
    found = motions(system, "circle", (), Effort())
    assert found.outcome is Promise.NUMERICAL
    assert "not proved" in found.message


def test_a_row_that_contradicts_another_is_found_without_fractions():
    system = circle_with_a_slider(lambda e: np.sqrt(e.number(math.nextafter(2.0, 3.0)) + 1e-9))
    assert system.contradiction
    assert motions(system, "circle", (), Effort()).outcome is Promise.COMPLETE


def test_a_row_that_repeats_another_exactly_changes_no_promise():
    for again in (
        lambda e: np.sqrt(e.number(2.0)),
        lambda e: e.number(2.0) / np.sqrt(e.number(2.0)),
    ):
        system = circle_with_a_slider(again)
        assert motions(system, "circle", (), Effort()).outcome is Promise.COMPLETE


def guided(copies, degrees, *, by):
    """A crank and a rod whose end runs on a straight guide at an angle, said again in other forms.

    A crank of 1 and a rod of 3 pass the guide on two sides: two loops, whatever repeats the guide.
    """
    m = kempe.Builder("guided", plane=True)
    a, b = m.bar("a", 1.0), m.bar("b", 3.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    turn = math.radians(degrees)
    along = (math.cos(turn), math.sin(turn), 0.0)
    places = [m.ground.at(0.3 * k * along[0], 0.3 * k * along[1]) for k in range(copies)]
    if by == "slot":
        for k, at in enumerate(places):
            m.add(PinInSlot(at.facing(along), b.end), f"slot{k}")
    else:
        slider = m.body("slider")
        m.revolute(b.end, slider.at(0, 0))
        for k, at in enumerate(places):
            m.prismatic(at, slider.at(0, 0), along=along, along_b=(1, 0, 0), name=f"guide{k}")
    return m.build()


ANGLES = (0.0, 15.0, 30.0, 37.0, 45.0, 60.0, 73.3, 90.0, 120.0, 200.0)


@pytest.mark.parametrize("by", ["slot", "slider"])
@pytest.mark.parametrize("degrees", ANGLES)
def test_a_guide_that_is_said_again_takes_no_motion_away(by, degrees):
    for copies in (1, 2, 3):
        found = guided(copies, degrees, by=by).motions()
        assert [c.closed for c in found.components] == [True, True], (copies, str(found))
        if copies > 1 and found.outcome is Promise.NUMERICAL:
            assert found.within < ROUNDED_LENGTHS
        else:
            assert found.outcome is Promise.COMPLETE


def test_a_guide_beside_the_first_one_contradicts_it():
    m = kempe.Builder("two guides", plane=True)
    slider = m.body("slider")
    along = (math.cos(0.5), math.sin(0.5), 0.0)
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), along=along, name="first")
    m.prismatic(m.ground.at(0, 1e-6), slider.at(0, 0), along=along, name="second")
    found = m.build().motions(limits={"slider.x": (-1.0, 1.0)})
    assert (found.outcome, len(found)) == (Promise.COMPLETE, 0)
    assert "contradicts" in found.message


def test_a_bar_held_at_thirty_degrees_may_be_called_parallel_as_often_as_one_likes():
    for copies in (1, 2, 3):
        m = kempe.Builder("parallel", plane=True)
        a, P = m.bar("a", 1.0), m.point("P")
        m.revolute(m.ground.at(0, 0), a.start)
        m.hold(a, angle="30 deg")
        own, other = m.stick("own", m.ground.at(0, 0), a.end), m.stick("s", m.ground.at(2, 0), P)
        for k in range(copies):
            first, second = (own, other) if k % 2 else (other, own)
            first.parallel_to(second, name=f"parallel{k}")
        m.stick("rod", m.ground.at(1, 0), P, 1.5)
        found = m.build().assemblies()
        assert (found.outcome, len(found)) == (Promise.COMPLETE, 2)
        for state in found:
            x, y = state.q[3:5]
            assert math.isclose(y, math.tan(math.pi / 6) * (x - 2.0), abs_tol=1e-12)
            assert math.isclose(math.hypot(x - 1.0, y), 1.5, abs_tol=1e-12)
