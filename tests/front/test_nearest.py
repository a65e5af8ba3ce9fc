"""Keeping the nearest point of a curve: against dense sampling, and never by luck."""

import functools
import math

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import BSpline, Ellipse
from kempe.joints import PointFromCurve
from kempe.results.maps.certificate import Promise

OVAL = Ellipse((0, 0), (2, 0), (0, 1))
WIDE = {"P.x": (-9.0, 9.0), "P.y": (-9.0, 9.0)}
DENSE = 4_001  # parameters of the curve, to compare distances with
SAME = 1e-5  # of a distance: how much nearer a grid of that many comes to a smooth minimum


def held_off(curve, length, *, nearest=True):
    m = kempe.Builder("held off", plane=True)
    P = m.point("P")
    m.add(
        PointFromCurve(m.ground.at(0, 0), P.at(0, 0), curve=curve, length=length, nearest=nearest)
    )
    return m.build()


@functools.cache
def dense(curve):
    t = np.linspace(curve.domain.low, curve.domain.high, DENSE)
    return np.array([curve(float(at))[:2] for at in t])


def distances(curve, places):
    points = dense(curve)
    return np.array([np.hypot(*(points - at).T).min() for at in places])


@pytest.mark.parametrize(("length", "loops"), [(0.3, 2), (0.8, 2), (1.2, 1), (3.0, 1)])
def test_loops_are_kept_where_no_point_of_an_ellipse_is_nearer(length, loops):
    """Inside an ellipse of half axes 2 and 1 nothing is farther than 1 from it."""
    found = held_off(OVAL, length).motions(limits=WIDE)
    assert (found.outcome, len(found)) == (Promise.COMPLETE, loops)
    for component in found.components:
        gaps = distances(OVAL, component.sample(0.05).q[:, :2])
        assert (gaps > length * (1.0 - SAME)).any()
    both = held_off(OVAL, length, nearest=False).motions(limits=WIDE)
    kept = [distances(OVAL, c.sample(0.05).q[:, :2]).max() for c in both.components]
    assert sum(gap > length * (1.0 - SAME) for gap in kept) == loops


def test_a_motion_that_is_nearest_between_two_samples_only_is_not_lost():
    """At 1e-5 below the half axis it is for 0.01 rad of the loop: cos^2 t < 4 (1 - L^2) / 3."""
    found = held_off(OVAL, 1.0 - 1e-5).motions(limits=WIDE)
    assert len(found) == 2
    assert found.outcome in (Promise.COMPLETE, Promise.NUMERICAL)


@pytest.mark.parametrize("x", [0.3, 0.9, 1.4])
def test_assemblies_are_kept_by_proof(x):
    found = held_off(OVAL, 0.45).assemblies({"P.x": x}, limits={"P.y": (-9.0, 9.0)})
    every = held_off(OVAL, 0.45, nearest=False).assemblies({"P.x": x}, limits={"P.y": (-9.0, 9.0)})
    near = [s for s in every if distances(OVAL, [s.q[:2]])[0] > 0.45 * (1.0 - SAME)]
    assert (found.outcome, len(found)) == (Promise.COMPLETE, len(near))


def test_an_open_spline_keeps_what_is_nearest_to_it():
    curve = BSpline(((0, 0), (1, 2), (2, -2), (3, 0)))
    found = held_off(curve, 0.4).motions(limits=WIDE)
    assert found.outcome in (Promise.COMPLETE, Promise.NUMERICAL)
    for component in found.components:
        assert (distances(curve, component.sample(0.05).q[:, :2]) > 0.4 * (1.0 - SAME)).any()
    assert math.isclose(found.within, 0.0)
