"""Bodies nobody placed find a place through any joint."""

import itertools
import math

import numpy as np
import pytest

import kempe
from kempe.equations import equations_of
from kempe.geometry import Rotation
from kempe.joints import (
    Angle,
    BarAngle,
    BarsParallel,
    ConstantVelocity,
    Cylindrical,
    CylSph,
    PinInSlot,
    Planar,
    RevCyl,
    RevRev,
    Rod,
    Screw,
    Spherical,
    Universal,
)
from kempe.kinematics.closing.attempts import has_sides
from kempe.kinematics.closing.placement import NONE, hung
from tests.campaigns import feasible, starts

EXACT = 1e-10


@pytest.mark.parametrize(
    ("kind", "extra"),
    [
        (Angle, {"angle": 0.7}),
        (ConstantVelocity, {}),
        (Cylindrical, {}),
        (CylSph, {"length": 0.4}),
        (PinInSlot, {}),
        (Planar, {"offset": 0.2}),
        (RevCyl, {"length": 0.4}),
        (RevRev, {"length": 0.4}),
        (Rod, {"length": 0.4}),
        (Screw, {"lead": 0.1}),
        (Spherical, {}),
        (Universal, {}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_body_on_one_joint_is_driven_along_all_its_freedoms(kind, extra):
    """Drives start where the joint's home is; nothing but the joint says where the body is."""
    m = kempe.Builder("one joint")
    body = m.body("body")
    place = kempe.Marker("ground", (0.3, 0.2, 0.1), Rotation.about((1, 2, 3), 0.5))
    joint = m.add(kind(place, body.at(0.1, 0.0, -0.2), **extra), name="joint")
    X_WI, X_WJ = place.pose, place.pose @ joint.joint.home
    for measure in joint.joint.freedom:
        start = measure.number(X_WI, X_WJ)
        m.drive(getattr(joint, measure.word), start=start, speed=0.1)
    motion = m.build().kinematics(until=1.0, steps=10)
    assert motion.outcome.is_done, motion.outcome
    for measure in joint.joint.freedom:
        rate = motion[f"joint.{measure.word}"].rate
        assert rate == pytest.approx([0.1] * len(rate), abs=EXACT)


def test_a_rod_does_not_start_with_its_ends_on_one_point():
    """There the distance has no direction, and no search would ever leave it."""
    m = kempe.Builder("pendulum", plane=True)
    bob = m.body("bob")
    m.add(Rod(m.ground.at(0, 0), bob.at(0, 0), length=1.0))
    m.hold(bob, angle=0.0)
    m.drive(bob.x, start=0.2, speed=0.1)
    motion = m.build().kinematics(until=1.0, steps=4)
    assert abs(motion["bob"].position[0, 1]) == pytest.approx(math.sqrt(0.96), abs=EXACT)


def bar_on_a_slider(order):
    """A bar on a slider or a weld, held at an angle to the ground or to the slider, or upright."""
    m = kempe.Builder("bar", plane=True)
    ground, slider, bar = m.ground, m.body("slider"), m.bar("bar", 1.0)
    flat = {"K": ground.at(1, 0), "L": bar.end}
    joints = {
        "prismatic": lambda: m.prismatic(ground.at(0, 0), slider.at(0, 0)),
        "fixed": lambda: m.fixed(ground.at(1, 0.5), slider.at(0, 0)),
        "revolute": lambda: m.revolute(slider.at(0, 0), bar.start),
        "angle": lambda: m.add(BarAngle(ground.at(0, 0), bar.start, **flat, angle=1.0)),
        "own angle": lambda: m.add(
            BarAngle(slider.at(0, 0), bar.start, K=slider.at(1, 0), L=bar.end, angle=1.0)
        ),
        "upright": lambda: m.add(
            BarsParallel(ground.at(0, 0), bar.start, K=ground.at(0, 1), L=bar.end)
        ),
    }
    for name in order:
        joints[name]()
    return m.build()


@pytest.mark.parametrize("held", ["angle", "own angle", "upright"])
@pytest.mark.parametrize("base", ["prismatic", "fixed"])
def test_joints_go_together_in_whatever_order_they_come(base, held):
    """A bar placed along another has no way to turn that would lessen its misfit at first order."""
    turn = {"upright": math.pi / 2}.get(held, 1.0)
    for order in itertools.permutations((base, "revolute", held)):
        put = bar_on_a_slider(order).assemble()
        assert abs(math.remainder(put["bar.angle"], math.tau)) == pytest.approx(turn, abs=EXACT)


@pytest.mark.parametrize("attempt", range(6))
@pytest.mark.parametrize("kind", [Spherical, Universal, Cylindrical, PinInSlot])
def test_a_body_that_is_hung_by_lot_closes_the_joint_it_hangs_on(kind, attempt):
    m = kempe.Builder("one joint")
    body = m.body("body")
    place = kempe.Marker("ground", (0.3, 0.2, 0.1), Rotation.about((1, 2, 3), 0.5))
    m.add(kind(place, body.at(0.1, 0.0, -0.2)), name="joint")
    layout = m.build().layout
    program = equations_of(layout).program
    q = hung(layout, attempt, 0.0, NONE)
    phi = program.evaluate(layout.parameters, q, 0.0, np.zeros(program.shape.n_turns))[0]
    assert np.abs(phi).max() < EXACT
    assert has_sides(layout, q)


def test_bodies_hung_by_lot_are_elsewhere_in_every_attempt_and_the_same_in_every_run():
    layout = kempe.gallery.four_bar().layout
    first = [hung(layout, k, 0.0, NONE) for k in range(8)]
    again = [hung(layout, k, 0.0, NONE) for k in range(8)]
    np.testing.assert_array_equal(first, again)
    assert len({tuple(q.round(6)) for q in first}) == 8


@pytest.mark.parametrize(("campaign", "case"), [(starts, 1179), (feasible, 653)])
def test_it_is_put_together_where_hardly_a_search_ends_in_an_assembly(campaign, case):
    """A spherical four-bar with one mirrored hinge, and a loop of crosses and a weld in space."""
    assert campaign.attempt(np.random.default_rng((77, case))) == []


def test_a_refusal_counts_the_searches_that_were_made():
    m = kempe.Builder("too far")
    a, b = m.bar("a", 1.0), m.bar("b", 1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.prismatic(m.ground.at(0, 5.0), b.start)
    m.revolute(a.end, b.end)
    with pytest.raises(kempe.errors.AssemblyError) as refused:
        m.build().assemble()
    assert refused.value.facts["starts"] > 100
    assert f"from {refused.value.facts['starts']} starts" in str(refused.value)


def test_copies_that_nothing_connects_are_put_together_alike() -> None:
    """Each slider of a crank 0.4 at 0.9 rad and a rod 1 is at 0.4 cos 0.9 + sqrt(1 - ...)."""
    m = kempe.Builder("copies", plane=True)
    for k in range(12):
        crank, rod = m.bar(f"crank{k}", 0.4, at=(0, 0), angle=0.9), m.bar(f"rod{k}", 1.0)
        slider = m.body(f"slider{k}")
        m.revolute(m.ground.at(0, 0), crank.start)
        m.revolute(crank.end, rod.start)
        m.revolute(rod.end, slider.at(0, 0))
        m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
        m.drive(crank.angle, start=0.9, speed=1.0)
    put = m.build().assemble()
    x = 0.4 * math.cos(0.9) + math.sqrt(1.0 - (0.4 * math.sin(0.9)) ** 2)
    assert [put[f"slider{k}.x"] for k in range(12)] == pytest.approx([x] * 12)
