"""Gears, racks and screws among all motions: closed forms, and the plane for what lies in one."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import Combination, RackAndPinion
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import Prismatic, Screw
from tests.motion._machines_in_space import random_turn

NEAR = 1e-9  # m, rad: of samples, which are Newton's
LEAD = 0.01
RADIUS = 0.1


def jack():
    """A spindle that turns in the ground, and a nut on it that a guide keeps from turning."""
    m = kempe.Builder("jack")
    spindle, nut = m.body("spindle"), m.body("nut", points={"P": (0.1, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), spindle.at(0, 0, 0), name="bearing")
    m.add(Screw(spindle.at(0, 0, 0), nut.at(0, 0, 0), lead=LEAD, start=0.0), "thread")
    up = (0, 0, 1)
    m.add(Prismatic(m.ground.at(0.1, 0, 0).facing(up), nut.P.facing(up)), "guide")
    return m.build()


def test_a_nut_rises_by_its_lead_for_every_turn():
    mechanism = jack()
    found = mechanism.motions(limits={"nut.z": (0, 0.015)})
    assert found.outcome == "complete"
    (arc,) = found.components
    assert not arc.closed
    path = mechanism.follow(arc, 0.05)
    turned, risen = path["bearing.angle"].values, path["nut.z"].values
    assert abs(turned[-1] - turned[0]) == pytest.approx(0.015 / LEAD * math.tau, abs=NEAR)
    # a right-hand thread: a spindle that turns forwards draws its nut down
    np.testing.assert_allclose(risen - risen[0], (turned[0] - turned) * LEAD / math.tau, atol=NEAR)
    again = found.verify()
    assert not again.failures
    assert len(again.unproved) == 1


def test_a_screw_without_an_end_is_refused():
    with pytest.raises(kempe.KempeError, match=r"guide\.displacement"):
        jack().motions()


def test_an_angle_held_leaves_every_turn_of_a_screw():
    found = jack().assemblies({"bearing.angle": 0.5}, limits={"nut.z": (-0.002, 0.025)})
    heights = sorted(round(at["nut.z"], 9) for at in found)
    lead = 0.5 * LEAD / math.tau
    assert heights == [round(k * LEAD - lead, 9) for k in range(3)]


def five_bar(lengths, ratio, turn):
    """A five-bar whose two cranks are geared, in the plane or in a plane turned in space."""
    plane = turn is None
    R = np.eye(3) if plane else turn
    m = kempe.Builder("geared five-bar", plane=plane)
    *links, base = (float(x) for x in lengths)
    for name, length in zip("abcd", links, strict=True):
        m.body(name, points={"end": (length, 0) if plane else (length, 0, 0)})
    far = tuple(float(c) for c in R @ np.array([base, 0.0, 0.0]))
    axes = Rotation.identity() if plane else Rotation.from_matrix(R)
    ends = {
        name: Marker(name, (length, 0.0, 0.0)) for name, length in zip("abcd", links, strict=True)
    }
    first = m.revolute(Marker(GROUND, rotation=axes), Marker("a"), name="first")
    m.revolute(ends["a"], Marker("b"))
    m.revolute(ends["b"], ends["c"])
    m.revolute(ends["d"], Marker("c"))
    last = m.revolute(Marker(GROUND, far, axes), Marker("d"), name="last")
    shares = tuple(map(float, ratio))
    m.couple(Combination((first.angle, last.angle), coefficients=shares, constant=0.3), "gears")
    return m.build()


@pytest.mark.parametrize("ratio", [(1, -1), (1, 2), (2, -3)])
def test_geared_cranks_move_in_a_tilted_plane_as_in_the_plane(ratio):
    rng = np.random.default_rng(11)
    lengths = rng.uniform(0.6, 1.4, 5)
    flat, tilted = (five_bar(lengths, ratio, turn) for turn in (None, random_turn(rng)))
    one, other = flat.motions(), tilted.motions()
    assert one.outcome == "complete"
    assert other.outcome == "numerical"  # hinges that are parallel to the last digits
    assert [c.closed for c in one.components] == [c.closed for c in other.components]
    counts = [len(m.assemblies({"first.angle": 0.7})) for m in (flat, tilted)]
    assert counts[0] == counts[1] > 0


def test_gears_on_skew_axes_are_one_loop_that_is_proved_again():
    m = kempe.Builder("skew gears")
    m.body("a")
    m.body("b")
    first = m.revolute(Marker(GROUND), Marker("a"), name="first")
    skew = Marker(GROUND, (3.0, 0.5, 0.2), Rotation.about((1, 0, 0), 1.0))
    last = m.revolute(skew, Marker("b"), name="last")
    gauges = first.angle, last.angle
    m.couple(Combination(gauges, coefficients=(1.0, -1.0), constant=0.3), "gears")
    mechanism = m.build()
    found = mechanism.motions()
    assert found.outcome == "complete"
    (loop,) = found.components
    path = mechanism.follow(loop, 0.1)
    apart = path["first.angle"].values - path["last.angle"].values - 0.3
    np.testing.assert_allclose(np.remainder(apart + 1.0, math.tau), 1.0, atol=NEAR)
    assert found.verify().holds


def rack():
    """A crank and a rod push a rack along a guide, and the rack turns a pinion."""
    m = kempe.Builder("rack", plane=True)
    crank, rod = m.body("crank", points={"end": (0.2, 0)}), m.body("rod", points={"end": (0.5, 0)})
    rack, pinion = m.body("rack"), m.body("pinion")
    m.revolute(m.ground.at(0, 0), crank.at(0, 0), name="shaft")
    m.revolute(crank.end, rod.at(0, 0))
    m.revolute(rod.end, rack.at(0, 0))
    slide = m.prismatic(m.ground.at(0, 0), rack.at(0, 0), name="slide")
    axle = m.revolute(m.ground.at(0.5, 0.1), pinion.at(0, 0), name="axle")
    gauges = slide.displacement, axle.angle
    m.couple(RackAndPinion(gauges, radius=RADIUS, constant=0.0), "mesh")
    return m.build()


def test_a_rack_turns_its_pinion_as_far_as_the_crank_pushes_it():
    mechanism = rack()
    found = mechanism.motions()
    assert found.outcome == "complete"
    assert found.verify().holds
    for loop in found.components:
        assert loop.closed
        path = mechanism.follow(loop, 0.05)
        s, a = path["slide.displacement"].values, path["axle.angle"].values
        np.testing.assert_allclose(s - s[0], RADIUS * (a - a[0]), atol=NEAR)
        assert sorted(abs(s[[s.argmin(), s.argmax()]])) == pytest.approx([0.3, 0.7], abs=1e-3)
    assert len(found) == 2


def test_bodies_in_space_are_counted_by_the_rule_of_kutzbach():
    """6 a body, less 5 a hinge and 1 a rod: -2 for Bennett's linkage, which moves all the same."""
    bennett, rssr = kempe.gallery.bennett().count(), kempe.gallery.rssr().count()
    assert (bennett.freedom, bennett.verdict) == (3 * 6 - 4 * 5, "overconstrained")
    assert (rssr.freedom, rssr.verdict) == (2 * 6 - 2 * 5 - 1, "well-defined")
    assert any(set(part.unknowns) == {"crank.turn_z", "rocker.turn_z"} for part in rssr.under)
