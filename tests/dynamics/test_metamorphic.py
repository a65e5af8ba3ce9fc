"""What must not matter does not: where the scene lies, how it is turned, units, order, hand."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Rotation
from kempe.forces import SpringDamper
from kempe.joints import Revolute, Spherical
from kempe.measures import Distance, Gauge

TIGHT = 1e-12
SAME = 1e-9  # beside a machine of 1 m


MIRROR = np.diag([1.0, 1.0, -1.0])


def scene(turn=None, shift=(0, 0, 0), size=1.0, units="m", order=(0, 1), backwards=False, hand=1):
    """A bar on a hinge, a second one on a ball at its end, a spring back to the ground.

    `hand` -1 makes its mirror image in the plane z = 0: places are reflected, axes of turning too
    and turned round.
    """
    R = np.eye(3) if turn is None else turn
    rotation = Rotation.from_matrix(R)
    M = MIRROR if hand < 0 else np.eye(3)

    def place(p):
        return tuple((R @ M @ np.array(p, float) + np.array(shift)) * size)

    m = Builder("scene", gravity=tuple(f"{c:.17g} m/s^2" for c in R @ [0, -9.81, 0]), units=units)
    parts = {}
    for k in order:
        tensor = np.array([[0.02, 0.004, 0.006 * k], [0.004, 0.1, 0.002], [0.006 * k, 0.002, 0.11]])
        inertia = Inertia(1.0 + k, M @ (0.5, 0.02 * k, 0.03), M @ tensor @ M)
        parts[k] = m.body(
            f"bar{k}",
            points={"end": (size, 0, 0)},
            at=place((k, 0, 0)),
            rotation=rotation,
            inertia=inertia,
            spin=tuple(R @ (hand * M) @ (0.3, 0.2, 0.5 - k)),
        )
    ground = m.ground.at(*place((0, 0, 0)))
    first, second = parts[0], parts[1]
    z = hand * M @ (0.0, 0.2, 1.0)
    joints = [
        (Revolute(ground.facing(R @ z), first.at(0, 0, 0).facing(z)), "hinge"),
        (Spherical(first.end, second.at(0, 0, 0)), "ball"),
    ]
    for joint, name in reversed(joints) if backwards else joints:
        m.add(joint, name)
    spring = Gauge("gap", Distance(), m.ground.at(*place((1.5, 1.0, 0.3))), second.end)
    m.force(SpringDamper(spring, stiffness=15.0, damping=0.2, free=1.0))
    return m.build()


def ends(mechanism):
    motion = mechanism.simulate(until=1.0, steps=5, tolerance=TIGHT)
    assert motion.outcome.is_done
    return motion["bar1.end"].position, motion["ball.force"].values


@pytest.fixture(scope="module")
def plain():
    return ends(scene())


def test_a_turned_and_shifted_scene_moves_the_same(plain):
    angle = math.radians(70)
    c, s = math.cos(angle), math.sin(angle)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]]
    )
    shift = (3.0, -7.0, 2.0)
    position, force = ends(scene(R, shift))
    assert np.abs((position - shift) @ R - plain[0]).max() < SAME
    assert np.abs(force @ R - plain[1]).max() < 100 * SAME


def test_units_do_not_matter(plain):
    position, force = ends(scene(size=1000.0, units="mm"))
    assert np.abs(position - plain[0]).max() < SAME
    assert np.abs(force - plain[1]).max() < 100 * SAME


def test_the_order_of_bodies_does_not_matter(plain):
    position, force = ends(scene(order=(1, 0)))
    assert np.abs(position - plain[0]).max() < SAME
    assert np.abs(force - plain[1]).max() < 100 * SAME


def test_the_order_of_joints_does_not_matter(plain):
    position, force = ends(scene(backwards=True))
    assert np.abs(position - plain[0]).max() < SAME
    assert np.abs(force - plain[1]).max() < 100 * SAME


def test_the_mirror_image_of_a_scene_in_space_moves_as_the_mirror_image(plain):
    position, force = ends(scene(hand=-1))
    assert np.abs(position @ MIRROR - plain[0]).max() < SAME
    assert np.abs(force @ MIRROR - plain[1]).max() < 100 * SAME
    assert np.abs(position[:, 2]).max() > 0.1  # it is another scene


def test_a_mirrored_scene_in_the_plane_moves_as_the_mirror_image():
    """A pendulum of two rods started to the left and to the right."""

    def swing(side):
        m = Builder("two rods", plane=True, gravity=(0, -9.81))
        inertia = Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))
        angle = math.pi / 2 - side * (math.pi / 2 + 0.3)
        a = m.bar("a", 1.0, at=(0, 0), angle=angle, inertia=inertia)
        tip = (math.cos(angle), math.sin(angle))
        b = m.bar("b", 1.0, at=tip, angle=angle, inertia=inertia)
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(a.end, b.start)
        return m.build().simulate(until=1.0, steps=5, tolerance=TIGHT)["b.end"].position

    right, left = swing(1), swing(-1)
    assert np.abs(right * [-1, 1] - left).max() < SAME
