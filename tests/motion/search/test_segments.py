"""Bars as segments instead of lines, and distances to the nearest point instead of any foot."""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import Circle, Ellipse
from kempe.joints import PointFromCurve

CLOSE = 1e-9  # positions that the search gives to a dozen digits


def pin(x=1.5, distance=0.5, *, segment):
    """The far end Q of a bar from (0, 0) runs on a circle; the bar stays so far from (x, 0)."""
    m = kempe.Builder("pin", plane=True)
    Q = m.point("Q", on=Circle((0, 0), 1.0))
    bar = m.stick("bar", m.ground.at(0, 0), Q)
    bar.clear_of(m.ground.at(x, 0), distance, segment=segment)
    return m.build()


def test_a_line_clears_a_point_that_its_bar_does_not_reach():
    """The line at asin(1/3) either way, forward and backward; the feet lie 1.41 out."""
    assert len(pin(segment=False).assemblies()) == 4
    found = pin(segment=True).assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 0)


def test_a_bar_clears_a_point_on_its_own_side_alone():
    """The bar reaches the point, on one side of it."""
    assert len(pin(0.8, 0.4, segment=False).assemblies()) == 4
    found = pin(0.8, 0.4, segment=True).assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 2)
    for state in found:
        assert state.q[0] == pytest.approx(math.cos(math.asin(0.5)), abs=CLOSE)


def touching(*, segment, anchor=3.0):
    """A bar of length 2 from (anchor, 0) touches the unit circle: its end is 2 from there."""
    m = kempe.Builder("touch", plane=True)
    Q = m.point("Q", on=Circle((anchor, 0), 2.0))
    bar = m.stick("bar", m.ground.at(anchor, 0), Q)
    bar.tangent_to(Circle((0, 0), 1.0), segment=segment)
    return m.build()


def test_a_tangent_s_contact_keeps_to_the_bar():
    """From 3 away the contact is sqrt(8) out, beyond the bar; from 2 away sqrt(3), on it."""
    assert len(touching(segment=False).assemblies()) == 4
    assert len(touching(segment=True).assemblies()) == 0
    found = touching(segment=True, anchor=2.0).assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 2)


def off(*, segment):
    m = kempe.Builder("off", plane=True)
    Q = m.point("Q", on=Circle((3, 0), 2.5))
    bar = m.stick("bar", m.ground.at(3, 0), Q)
    bar.off(Circle((0, 0), 0.5), 0.25, segment=segment)
    return m.build()


def test_a_bar_s_distance_from_a_curve_is_taken_on_the_bar():
    """Lines at 0.75 or 0.25 from the centre, both sides and both ways; feet beyond 2.9 out."""
    assert len(off(segment=False).assemblies()) == 8
    found = off(segment=True).assemblies()
    assert found.outcome == "complete"
    assert len(found) == 0


def test_a_contact_that_runs_off_the_bar_ends_an_arc_there():
    """The bar's end Q runs round a circle of radius 3 while the bar, 2 long, touches the inner."""
    m = kempe.Builder("slip", plane=True)
    P, Q = m.point("P", on=Circle((0, 0), 1.5)), m.point("Q")
    bar = m.stick("bar", P, Q, 2.0)
    bar.tangent_to(Ellipse((0, 0), (1.4, 0), (0, 0.2)), segment=True)
    found = m.build().motions()
    assert found.outcome == "complete"
    for component in found.components:
        share = component.sample(0.05).others["baroncurve1.share"]
        assert share.min() > -CLOSE
        assert share.max() < 1.0 + CLOSE


def ring(*, nearest):
    """A point on a line stays 1 from the ellipse of half axes 2 and 1."""
    m = kempe.Builder("ring", plane=True)
    P = m.point("P", at=(3.0, 0.0))
    m.add(kempe.joints.PointOnLine(kempe.Marker("ground", rotation=_along_x()), P.at(0, 0)))
    m.add(
        PointFromCurve(
            kempe.Marker("ground"),
            P.at(0, 0),
            curve=Ellipse((0, 0), (2.0, 0), (0, 1.0)),
            length=1.0,
            nearest=nearest,
        )
    )
    return m.build()


def _along_x():
    return kempe.geometry.Rotation.with_z(np.array([1.0, 0.0, 0.0]))


def test_nearest_keeps_the_feet_that_nothing_is_nearer_than():
    """On the x axis: at +-3 outside, and at +-1 inside, where the foot is the end of the long axis
    though the ellipse passes within 0.82."""
    every, kept = ring(nearest=False).assemblies(), ring(nearest=True).assemblies()
    xs = sorted({round(float(s.q[0]), 6) for s in every})
    assert {-3.0, -1.0, 1.0, 3.0} <= set(xs)
    left = sorted({round(float(s.q[0]), 6) for s in kept})
    assert {-3.0, 3.0} <= set(left)
    assert not {-1.0, 1.0} & set(left)
    assert len(kept) < len(every)


def test_a_sweep_that_slips_off_the_end_of_a_bar_ends_there():
    """The foot of (x, 0.3) on the bar from (0, 0) to (1, 0) is beyond its end for x > 1."""
    m = kempe.Builder("slip", plane=True)
    P = m.point("P", at=(0.5, 0.3))
    bar = m.stick("bar", m.ground.at(0, 0), m.ground.at(1, 0))
    bar.clear_of(P, 0.3, segment=True, name="clear")
    m.drive(P.x, start=0.5, speed=1.0)
    outcome = m.build().kinematics(until=1.0, steps=100).outcome
    assert outcome.name == "LimitReached"
    assert "clear" in str(outcome)
