"""Maps of mechanisms with curves proved again: splines, quotients, circles, stops at their ends."""

import dataclasses
import functools
import math

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import BSpline, Circle, Ellipse, Line, Through
from kempe.motion.verify.component_proof import ProvedAgain
from kempe.motion.verify.verification import listed

HALF = math.sqrt(0.5)
ROUND = BSpline(  # a circle of radius 1 as a NURBS
    ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)),
    degree=2,
    knots=(0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4),
    weights=(1, HALF, 1, HALF, 1, HALF, 1, HALF, 1),
)
WAVE = BSpline(((2, -2), (3, -1), (2, 0), (3, 1), (2, 2)))
EGG = BSpline(((1, 0), (0.4, 1), (-1.2, 0.7), (-0.9, -0.8), (0.5, -1)), closed=True)


def two_points(first, second, length):
    m = kempe.Builder("two points", plane=True)
    P, Q = m.point("P", on=first), m.point("Q", on=second)
    m.stick("bar", P, Q, length)
    return m.build().motions()


MAPS = {
    "converter": lambda: kempe.gallery.barton_converter().motions(),
    "tangent": lambda: kempe.gallery.barton_tangent().motions(),
    "piston on a circle": lambda: kempe.gallery.barton_piston().motions(),
    "open spline": lambda: two_points(Circle((0, 0), 1.0), WAVE, 2.0),
    "closed spline": lambda: two_points(EGG, Line((0, 0), (1, 0), limits=(0.0, 9.0)), 3.0),
    "quotients": lambda: two_points(ROUND, Line((0, 0), (1, 0), limits=(-9.0, 9.0)), 2.0),
    "interpolated": lambda: two_points(
        Ellipse((0, 0), (0.6, 0), (0, 0.9)), Through(((3, -1), (3.4, 0), (3, 1), (3.2, 2))), 3.0
    ),
}


@functools.cache
def found(name):
    return MAPS[name]()


@pytest.mark.parametrize("name", MAPS)
def test_a_map_with_curves_holds_in_another_arithmetic(name):
    motions = found(name)
    assert motions.outcome == "complete"
    proved = listed(dataclasses.replace(motions, components=motions.components[:1]))
    assert proved.charts > 0
    assert proved.holds, str(proved)


def test_a_tangent_longer_than_half_a_circle_s_period_is_no_turning_round():
    """A small circle beside a large one has a period below 1, and unit tangents are longer."""
    motions = two_points(Circle((0, 0), 0.5), Circle((9, 0), 8.0), 3.0)
    component = motions.components[0]
    again = ProvedAgain(component)
    j = int(np.flatnonzero(component.block.period)[0])
    along = [again.long.refined(i, x)[1][j] for i, x in enumerate(component.charts["links"])]
    assert max(abs(t) for t in along) > 0.5 * component.block.period[j]
    assert again.links() == []


def test_no_chart_of_a_map_reaches_half_round_a_circle():
    for name in MAPS:
        for component in found(name).components:
            charts, period = component.charts, component.block.period
            n = len(period)
            A = np.abs(np.asarray(charts["A"]).reshape(-1, n, n))
            reach = (A[:, :-1] * charts["w"][:, None, None]).sum(axis=1)
            reach += A[:, -1] * charts["h"][:, None]
            assert (reach[:, period > 0] < 0.5 * period[period > 0]).all()


def forged(component, **changed):
    return dataclasses.replace(component, charts={**component.charts, **changed})


def test_a_curve_that_is_run_through_backward_in_one_chart_is_found_out():
    component = found("converter").components[0]
    n = len(component.block.places)
    A = np.array(component.charts["A"]).reshape(-1, n, n)
    A[5, -1] = -A[5, -1]
    turned = forged(component, A=A.reshape(np.shape(component.charts["A"])))
    assert any("turns round" in trouble for trouble in ProvedAgain(turned).links())


def test_an_arc_that_claims_to_be_a_loop_is_found_out():
    motions = found("open spline")
    arc = next(c for c in motions.components if not c.closed)
    troubles = ProvedAgain(dataclasses.replace(arc, closed=True)).links()
    assert any("are joined by" in trouble for trouble in troubles)


def test_an_end_that_is_no_limit_is_found_out():
    arc = next(c for c in found("open spline").components if not c.closed)
    ends = tuple(dataclasses.replace(e, x=arc.x) for e in arc.ends)
    assert ProvedAgain(arc).ends() == []
    assert ProvedAgain(dataclasses.replace(arc, ends=ends)).ends() != []


def test_a_component_that_is_listed_twice_is_found_out():
    motions = found("piston on a circle")
    first = motions.components[0]
    twice = (first, dataclasses.replace(first, number=1))
    proved = listed(dataclasses.replace(motions, components=twice))
    assert any("point in common" in failure for failure in proved.failures)
