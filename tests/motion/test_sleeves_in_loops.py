"""A hinge and three sleeves (RCCC): turns of a spherical four-bar, and slides that these tell."""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import Cylindrical, Revolute
from tests.motion import _machines_in_space as machines

LENGTHS = (0.2, 0.5, 0.6, 0.4)
BASE = 0.3  # m, along the axis of the hinge
SAME = 1e-9  # m, of places of the size of 1 m
CRANK = (0.5, 1.2, 1.1, 1.3)  # angles between axes: the first link goes round
STOPS = (0.9, 0.7, 1.0, 1.3)  # sleeves run away where three axes lie in a plane


def rccc(twists):
    """Link k leads from axis k to axis k + 1, by its length along x and its twist about it."""
    m = kempe.Builder("RCCC")
    before = Marker(GROUND)
    for k, name in enumerate(("crank", "coupler", "rocker")):
        body = m.body(name, points={"start": (0, 0, 0), "end": (LENGTHS[k], 0, 0)})
        kind = Revolute if k == 0 else Cylindrical
        m.add(kind(before, body.start), f"joint{k + 1}")
        before = Marker(name, (LENGTHS[k], 0.0, 0.0), Rotation.about((1, 0, 0), twists[k]))
    far = Rotation.about((1, 0, 0), -twists[3])
    m.add(Cylindrical(before, Marker(GROUND, (-LENGTHS[3], 0.0, BASE), far)), "joint4")
    return m.build()


def by_hand(crank, twists):
    """Places of the coupler on its axis, and of the rocker on its, for both ways round."""
    u = np.array([math.cos(crank), math.sin(crank), 0.0])
    v = np.array([-math.sin(crank), math.cos(crank), 0.0])
    z2 = -math.sin(twists[0]) * v + math.cos(twists[0]) * np.array([0.0, 0.0, 1.0])
    z4 = np.array([0.0, math.sin(twists[3]), math.cos(twists[3])])
    p2 = LENGTHS[0] * u
    p4 = np.array([-LENGTHS[3], 0.0, BASE])
    # z3 = a z2 + b z4 + c z2 x z4, at the angles of the links to z2 and z4
    g = float(z2 @ z4)
    a, b = np.linalg.solve([[1.0, g], [g, 1.0]], [math.cos(twists[1]), math.cos(twists[2])])
    rest = 1.0 - a * a - b * b - 2.0 * a * b * g
    found = []
    for sign in (1.0, -1.0):
        z3 = a * z2 + b * z4 + sign * math.sqrt(max(rest, 0.0) / (1.0 - g * g)) * np.cross(z2, z4)
        x2 = np.cross(z2, z3) / math.sin(twists[1])  # the common normal, which the link lies on
        x3 = np.cross(z3, z4) / math.sin(twists[2])
        way = p4 - p2 - LENGTHS[1] * x2 - LENGTHS[2] * x3
        s2, s3, _ = np.linalg.solve(np.column_stack([z2, z3, z4]), way)
        coupler = p2 + s2 * z2
        found.append(np.concatenate([coupler, coupler + LENGTHS[1] * x2 + s3 * z3]))
    return np.array(found)


def places(found, q):
    """The crank's angle, and places of coupler and rocker, by what is read."""
    names = found.readings.names
    values = found.readings.of_coordinates(q)
    at = dict(zip(names, values, strict=False))
    crank = math.atan2(at["crank.uy"], at["crank.ux"])
    return crank, np.array([at[f"{body}.{e}"] for body in ("coupler", "rocker") for e in "xyz"])


@pytest.fixture(scope="module")
def loops():
    return rccc(CRANK).motions()


def test_a_sleeve_follows_from_the_turns(loops):
    assert (str(loops.outcome), len(loops)) == ("complete", 2)
    assert "as far as" in loops.message
    for component in loops.components:
        assert component.closed
        for q in component.sample(0.4).q:
            crank, there = places(loops, q)
            assert np.abs(by_hand(crank, CRANK) - there).max(axis=1).min() < SAME


def test_it_has_the_loops_of_its_spherical_four_bar(loops):
    assert len(machines.spherical_four_bar(CRANK).motions()) == len(loops)


def test_assemblies_are_the_two_ways_round():
    found = rccc(CRANK).assemblies({"joint1.angle": 0.7})
    assert (str(found.outcome), len(found)) == ("complete", 2)
    there = np.array([places(found, state.q)[1] for state in found])
    gaps = np.abs(by_hand(0.7, CRANK)[:, None] - there[None]).max(axis=2)
    assert gaps.min(axis=1).max() < SAME
    assert set(gaps.argmin(axis=1)) == {0, 1}


def test_where_axes_come_into_a_plane_a_sleeve_runs_to_the_bound_that_is_told():
    found = rccc(STOPS).motions()
    assert str(found.outcome) == "complete"
    ends = [end.limit for c in found.components for end in c.ends]
    assert ends
    assert all(".displacement at" in end for end in ends)


def test_limits_that_are_given_are_kept_instead():
    limits = {f"joint{k}.displacement": (-3.0, 3.0) for k in (2, 3, 4)}
    found = rccc(CRANK).motions(limits=limits)
    assert (str(found.outcome), len(found)) == ("complete", 2)
    assert "as far as" not in found.message


def test_it_is_proved_again(loops):
    assert loops.verify().holds
