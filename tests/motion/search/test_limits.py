"""Limits that a motion never reaches, touches, or crosses."""

import itertools
import math

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import Line
from kempe.results.maps.certificate import Promise


def slider(limits, *, radius=1.0, length=2.5, height=0.3):
    """[Barton] eq. 3.2: P on a line, Q free but at a radius from a centre, a bar between them."""
    m = kempe.Builder("eq 3.2", plane=True)
    P = m.point("P", on=Line((-6.0, height), (6.0, height)))
    Q = m.point("Q")
    m.stick("r", m.ground.at(0, 0), Q, radius)
    m.stick("d", P, Q, length)
    return m.build().motions(limits=limits)


def closed(found):
    return str(found.outcome), [c.closed for c in found.components]


@pytest.mark.parametrize(
    "limits",
    [
        {"Q.x": (-1.0, 1.0), "Q.y": (-1.0, 1.0)},
        {"Q.x": (-3.0, 3.0), "Q.y": (-3.0, 3.0)},
        {"Q.x": (-1.0, 1.0)},
        {"Q.x": (-1.0, 2.0), "Q.y": (-5.0, 1.0)},
        {"P.x": (-5.0, 5.0)},
    ],
)
def test_limits_that_cut_nothing_off_leave_both_loops_whole(limits):
    assert closed(slider(limits)) == ("complete", [True, True])


@pytest.mark.parametrize("radius", [0.7, 0.1 + 0.2, 1.0 / 3.0, 1.1])
def test_a_square_about_a_circle_cuts_nothing_off_whatever_its_radius(radius):
    found = slider({"Q.x": (-radius, radius), "Q.y": (-radius, radius)}, radius=radius)
    assert closed(found) == ("complete", [True, True])


@pytest.mark.parametrize("most", [0.999, 0.5, 0.0, -0.25])
def test_a_limit_that_cuts_makes_arcs_that_end_on_it(most):
    found = slider({"Q.x": (-2.0, most), "Q.y": (-3.0, 3.0)})
    assert found.outcome is Promise.COMPLETE
    assert [c.closed for c in found.components] == [False, False]
    ends = list(itertools.chain.from_iterable(c.ends for c in found.components))
    assert [e.kind for e in ends] == ["limit"] * 4
    assert {e.limit for e in ends} == {"Q.x at most"}


def test_random_limits_cut_a_circle_where_they_cut_it():
    """A point on a circle of radius 1, limited to a rectangle: how many arcs are left inside."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        choices = [-3.0, -1.0, *rng.uniform(-0.95, 0.95, 4), 1.0, 3.0]
        x, y = (np.sort(rng.choice(choices, 2, replace=False)) for _ in range(2))
        m = kempe.Builder("circle", plane=True)
        m.stick("r", m.ground.at(0, 0), m.point("Q"), 1.0)
        limits = {"Q.x": tuple(x.tolist()), "Q.y": tuple(y.tolist())}
        a = np.linspace(0.0, math.tau, 100_001)[:-1] + 1e-5
        inside = (np.cos(a) > x[0]) & (np.cos(a) < x[1]) & (np.sin(a) > y[0]) & (np.sin(a) < y[1])
        starts = int((inside & ~np.roll(inside, 1)).sum())
        corner = min(abs(math.hypot(u, v) - 1.0) for u, v in itertools.product(x, y))
        one_point = 1.0 in (x[0], y[0]) or -1.0 in (x[1], y[1])
        if corner < 1e-3 or one_point:  # a matter of roundings
            continue
        found = m.build().motions(limits=limits)
        expected = [True] if inside.all() else [False] * starts
        assert closed(found) == ("complete", expected), limits
