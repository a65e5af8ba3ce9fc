"""Formulas that are not defined everywhere: nothing is lost beside a hole.

A bar without a length can shrink to nothing, and then it has no direction. The answers are lines
and circles, known in closed form, cut off at that place: a limit as any other.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry.curves import Circle
from kempe.results.maps.certificate import Promise

#: Samples lie this close to each other, and a point of a component so close to one of them.
STEP = 0.05
#: The unit of positions among the unknowns is at most this many metres: the machine's size.
UNIT = 8.0
#: Rows of samples: the solver promises a tube, which is far narrower than this.
TUBE = 1e-9


def motions_of_a_free_point(ask, x, y):
    """Of a point P between bounds, of which `ask` asks something."""
    m = kempe.Builder("free point", plane=True)
    ask(m, m.point("P"))
    return m.build().motions(limits={"P.x": x, "P.y": y})


def samples(found):
    """(k, 2): where P is, along all components."""
    return np.concatenate([c.sample(STEP / UNIT).q[:, :2] for c in found.components])


def assert_lies_on(found, points):
    listed = samples(found)
    for p in points:
        assert np.linalg.norm(listed - p, axis=1).min() < STEP, p


def assert_end_where_a_bar_vanishes(found, anchors):
    """One end or more of every arc is a millionth of the machine from an anchor, not nearer."""
    for component in found.components:
        lengths = [e for e in component.ends if e.limit.endswith(".length at least")]
        assert lengths
        for end in lengths:
            away = min(math.dist(end.q[:2], anchor) for anchor in anchors)
            assert 2.0**-22 < away < UNIT * 2.0**-19


def rays(anchor, directions, x, y):
    """Points of rays from an anchor, within bounds and clear of the anchor."""
    low, high = np.array([x[0], y[0]]), np.array([x[1], y[1]])
    along = [
        np.array(anchor) + s * np.array(d) for d in directions for s in np.arange(0.1, 30, 0.2)
    ]
    return [p for p in along if (p > low).all() and (p < high).all()]


def test_a_line_at_a_distance_from_a_point_has_four_rays():
    """Tangents from (3, 0) to the circle of 0.5 about (1, 2), each either way."""
    x = y = (-5.0, 5.0)
    found = motions_of_a_free_point(
        lambda m, P: m.stick("b", m.ground.at(3, 0), P).clear_of(m.ground.at(1, 2), 0.5), x, y
    )
    towards, lean = math.atan2(2.0, -2.0), math.asin(0.5 / math.hypot(2.0, 2.0))
    turns = [towards + s * lean + k * math.pi for s in (-1, 1) for k in (0, 1)]
    directions = [(math.cos(a), math.sin(a)) for a in turns]
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 4
    assert_end_where_a_bar_vanishes(found, [(3.0, 0.0)])
    assert_lies_on(found, rays((3.0, 0.0), directions, x, y))


@pytest.mark.parametrize("degrees", [30.0, 60.0, 90.0, 120.0])
@pytest.mark.parametrize("end", [(1.0, 0.0), (3.0, 4.0)])
def test_an_angle_kept_by_a_bar_that_can_vanish_has_two_rays(degrees, end):
    """The hole, (2, 1), is the very middle of the bounds."""
    x, y = (-6.0, 10.0), (-7.0, 9.0)

    def ask(m, P):
        bar = m.stick("b", m.ground.at(2, 1), P)
        fixed = m.stick("c", m.ground.at(0, 0), m.ground.at(*end))
        bar.angle_to(fixed, math.radians(degrees))

    found = motions_of_a_free_point(ask, x, y)
    base = math.atan2(end[1], end[0])
    turns = [base + math.radians(degrees), base - math.radians(degrees)]
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 2
    assert_end_where_a_bar_vanishes(found, [(2.0, 1.0)])
    directions = [(math.cos(a), math.sin(a)) for a in turns]
    assert_lies_on(found, rays((2.0, 1.0), directions, x, y))


def test_two_bars_at_an_angle_trace_two_circles_cut_where_a_bar_vanishes():
    """Inscribed angles: P sees (0, 0) and (2, 1) at 50 degrees from two circles through both."""
    A, B, angle = np.array([0.0, 0.0]), np.array([2.0, 1.0]), math.radians(50.0)

    def ask(m, P):
        one, other = m.stick("b", m.ground.at(*A), P), m.stick("c", m.ground.at(*B), P)
        one.angle_to(other, angle, oriented=False)

    found = motions_of_a_free_point(ask, (-6.0, 10.0), (-7.0, 9.0))
    assert found.outcome is Promise.COMPLETE
    assert len(found) == 4
    assert_end_where_a_bar_vanishes(found, [A, B])
    radius = np.linalg.norm(B - A) / (2.0 * math.sin(angle))
    up = np.array([-1.0, 2.0]) / math.sqrt(5.0)
    away = radius * math.cos(angle)
    turns = np.linspace(0.0, math.tau, 200)
    circles = [
        (A + B) / 2 + side * away * up + radius * np.array([math.cos(a), math.sin(a)])
        for side in (-1, 1)
        for a in turns
    ]
    assert_lies_on(found, circles)
    P = samples(found)
    u, v = P - A, P - B
    cosine = (u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
    np.testing.assert_allclose(np.abs(cosine), math.cos(angle), atol=TUBE)


WORDS = {
    "tangent": (4, lambda bar: bar.tangent_to(Circle((1, 2), 0.5))),
    "off a circle": (8, lambda bar: bar.off(Circle((1, 2), 0.5), 0.3)),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_with_a_parameter_of_its_own_ends_where_its_bar_vanishes(word):
    """With P at the bar's other end the formula would hold for every parameter of the curve."""
    arcs, say = WORDS[word]
    x = y = (-5.0, 5.0)
    found = motions_of_a_free_point(lambda m, P: say(m.stick("b", m.ground.at(3, 0), P)), x, y)
    assert (found.outcome, len(found)) == (Promise.COMPLETE, arcs)
    assert_end_where_a_bar_vanishes(found, [(3.0, 0.0)])
    radii = (0.5,) if arcs == 4 else (0.8, 0.2)
    towards, far = math.atan2(2.0, -2.0), math.hypot(2.0, 2.0)
    turns = [
        towards + s * math.asin(r / far) + k * math.pi
        for r in radii
        for s in (-1, 1)
        for k in (0, 1)
    ]
    assert_lies_on(found, rays((3, 0), [(math.cos(a), math.sin(a)) for a in turns], x, y))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_tangent_said_twice_in_other_words_loses_nothing_and_ends(order):
    def ask(m, P):
        bar = m.stick("b", m.ground.at(3, 0), P)
        words = (
            lambda: bar.clear_of(m.ground.at(1, 2), 0.5),
            lambda: bar.tangent_to(Circle((1, 2), 0.5)),
        )
        for k in order:
            words[k]()

    found = motions_of_a_free_point(ask, (-5.0, 5.0), (-5.0, 5.0))
    assert (found.outcome, len(found), len(found.singular)) == (Promise.NUMERICAL, 4, 0)
    assert found.within < TUBE
    assert found.counts["boxes"] < 5000


def test_bars_called_parallel_either_way_round_are_parallel_once():
    """u x v and v x u are one row, also where both bars can change their length."""

    def ask(m, P):
        one, other = m.stick("b", m.ground.at(3, 0), P), m.stick("c", m.ground.at(0, 1), P)
        one.parallel_to(other)
        other.parallel_to(one)

    found = motions_of_a_free_point(ask, (-5.0, 5.0), (-4.0, 4.0))
    # The line through both ends, in three pieces.
    assert (found.outcome, len(found)) == (Promise.COMPLETE, 3)
    assert_end_where_a_bar_vanishes(found, [(3.0, 0.0), (0.0, 1.0)])
    assert found.verify().holds
