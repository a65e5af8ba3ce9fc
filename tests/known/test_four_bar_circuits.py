"""Circuits of four-bars: classes after Grashof, limits of the input, change points.

The number of circuits follows from the inequalities; limits of the input a against the ground d are
cos theta = (a^2 + d^2 - (b +- c)^2) / (2 a d), with coupler b and output c.
"""

import math

import numpy as np
import pytest

import kempe

DEGREES = 1e-10  # what limits from doubles are good for
FLAT = 1e-4  # rad: a node is known to the square root of the resolution

#: input, coupler, output, ground; circuits; limits of the input in degrees
CLASSES = {
    "crank-rocker": ((1.0, 3.0, 2.5, 3.2), 2, ()),
    "double crank": ((3.0, 2.5, 3.2, 1.0), 2, ()),
    "double rocker": ((3.0, 1.0, 2.5, 3.2), 2, (27.76129475939128, 68.65010125963215)),
    "rocker-crank": ((2.5, 3.0, 1.0, 3.2), 2, (38.68216451681889, 88.245042353091)),
    "triple rocker": ((2.0, 3.0, 2.2, 4.0), 1, (116.10388113733993,)),
    "deltoid-like": ((2.0, 4.0, 4.0, 2.5), 2, ()),
    "equal moving bars": ((4.0, 4.0, 4.0, 2.0), 2, ()),
}
CHANGE_POINTS = {"parallelogram": (1.0, 2.0, 1.0, 2.0), "kite": (1.0, 1.0, 2.0, 2.0)}


def four_bar(a, b, c, d):
    return kempe.gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d)


@pytest.mark.parametrize("name", CLASSES)
def test_circuits_are_as_many_as_the_class_has(name):
    lengths, circuits, _ = CLASSES[name]
    found = four_bar(*lengths).motions()
    assert found.outcome == "complete"
    assert [c.closed for c in found.components] == [True] * circuits


@pytest.mark.parametrize("name", CLASSES)
def test_the_input_turns_back_at_its_limits_and_nowhere_else(name):
    lengths, _, limits = CLASSES[name]
    found = four_bar(*lengths).turning_points("crank.angle")
    assert found.outcome == "complete"
    turned = sorted(math.degrees(state.q[2]) for state in found)
    assert turned == pytest.approx(sorted([*limits, *(-x for x in limits)]), abs=DEGREES)


@pytest.mark.parametrize("name", CLASSES)
def test_the_input_goes_round_where_it_has_no_limits(name):
    lengths, _, limits = CLASSES[name]
    mechanism = four_bar(*lengths)
    for component in mechanism.motions().components:
        run = mechanism.follow(component, step=0.05)["crank.angle"].values
        goes_round = abs(run[-1] - run[0]) > math.pi
        assert goes_round == (not limits)


@pytest.mark.parametrize("name", CHANGE_POINTS)
def test_a_change_point_is_a_singular_place_at_which_four_branches_meet(name):
    found = four_bar(*CHANGE_POINTS[name]).motions()
    assert found.outcome == "complete_except"
    assert len(found.components) == 4
    assert [len(place.branches) for place in found.singular] == [4, 4]
    at = sorted(abs(math.atan2(math.sin(p.q[2]), math.cos(p.q[2]))) for p in found.singular)
    assert at == pytest.approx([0.0, math.pi], abs=FLAT)


def test_the_nodes_of_a_parallelogram_lie_where_its_four_points_are_in_line():
    """(P, Q) = ((1, 0), (3, 0)) and ((-1, 0), (1, 0)): the ends of crank and rocker."""
    found = four_bar(1.0, 2.0, 1.0, 2.0).motions()
    nodes = []
    for place in found.singular:
        crank, rocker = place.q[2], place.q[8]
        nodes.append([np.cos(crank), np.sin(crank), 2.0 + np.cos(rocker), np.sin(rocker)])
    nodes.sort()
    np.testing.assert_allclose(nodes, [[-1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 3.0, 0.0]], atol=FLAT)
