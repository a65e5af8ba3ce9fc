"""A planetary train against Willis' equation, and Cardan's circles.

Source: (w_s - w_c) / (w_r - w_c) = -Z_r / Z_s ([Willis]) with Z_s = 24, Z_p = 18, Z_r = 60; a wheel
that rolls in a ring of twice its size draws straight lines.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import Differential, GearPair

#: What the case demands of positions, and of speeds of size 1.
DEMANDED = 1e-12
SPEEDS = 1e-14
SUN, PLANET, RING = 24, 18, 60
RADIUS = 0.01  # m a tooth, of the pitch circles

CARRIER_WITH_THE_RING_FIXED = 0.2857142857142857
PLANET_WITH_THE_RING_FIXED = -0.6666666666666666
CARRIER_WITH_THE_SUN_FIXED = 0.7142857142857143
RING_WITH_THE_CARRIER_FIXED = -0.4

SPACES = pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])


def train(plane, *, fixed, driven, by_centres=False):
    """Sun, planet on a carrier, and ring; one of the three is held, one turns at 1 rad/s."""
    m = kempe.Builder("planetary train", plane=plane)
    arm = RADIUS * (SUN + PLANET)
    parts = {name: m.body(name, at=(0, 0)) for name in ("sun", "ring", "carrier")}
    for name, part in parts.items():
        m.revolute(m.ground.at(0, 0), part.at(0, 0), name=f"{name}_pin")
    planet = m.body("planet", at=(arm, 0), angle=0.2)
    m.revolute(parts["carrier"].at(arm, 0), planet.at(0, 0), name="planet_pin")
    sun, ring, carrier = (parts[name] for name in ("sun", "ring", "carrier"))
    if by_centres:
        m.couple(GearPair.meshing(sun.at(0, 0), planet.at(0, 0), teeth=(SUN, PLANET)))
        m.couple(
            GearPair.meshing(ring.at(0, 0), planet.at(0, 0), teeth=(RING, PLANET), internal=True)
        )
    else:
        m.couple(GearPair((sun.angle, planet.angle, carrier.angle), teeth=(SUN, PLANET)))
        m.couple(
            GearPair((ring.angle, planet.angle, carrier.angle), teeth=(RING, PLANET), internal=True)
        )
    m.drive(parts[fixed].angle, speed=0.0)
    m.drive(parts[driven].angle, speed=1.0)
    motion = m.build().kinematics(until=20.0, steps=40)
    assert motion.outcome.is_done, motion.outcome
    return motion


@SPACES
@pytest.mark.parametrize("by_centres", [False, True], ids=["carrier", "centres"])
@pytest.mark.parametrize(
    ("fixed", "driven", "read", "speed"),
    [
        ("ring", "sun", "carrier", CARRIER_WITH_THE_RING_FIXED),
        ("ring", "sun", "planet", PLANET_WITH_THE_RING_FIXED),
        ("sun", "ring", "carrier", CARRIER_WITH_THE_SUN_FIXED),
        ("carrier", "sun", "ring", RING_WITH_THE_CARRIER_FIXED),
    ],
)
def test_every_wheel_turns_as_willis_says(plane, by_centres, fixed, driven, read, speed):
    motion = train(plane, fixed=fixed, driven=driven, by_centres=by_centres)
    angle = motion[f"{read}.angle"]
    np.testing.assert_allclose(angle.rate, speed, rtol=0, atol=SPEEDS)
    turned = angle.values - angle.values[0]
    np.testing.assert_allclose(turned, speed * motion.t, rtol=0, atol=100 * DEMANDED)


@SPACES
def test_a_differential_with_the_ratio_of_the_teeth_is_the_train(plane):
    m = kempe.Builder("train in one row", plane=plane)
    parts = [m.body(name, at=(0, 0)) for name in ("sun", "ring", "carrier")]
    for part in parts:
        m.revolute(m.ground.at(0, 0), part.at(0, 0))
    sun, ring, carrier = (part.angle for part in parts)
    m.couple(Differential((sun, ring, carrier), ratio=RING / SUN))
    m.drive(sun, speed=1.0)
    m.drive(ring, speed=0.0)
    rate = m.build().kinematics(until=20.0, steps=10)["carrier.angle"].rate
    np.testing.assert_allclose(rate, CARRIER_WITH_THE_RING_FIXED, rtol=0, atol=SPEEDS)


@SPACES
def test_a_point_of_a_wheel_in_a_ring_of_twice_its_size_moves_on_a_straight_line(plane):
    """Cardan's circles: each point of the rim draws a diameter of the ring."""
    radius = 0.5
    m = kempe.Builder("hypocycloid", plane=plane)
    arm = m.bar("arm", radius, at=(0, 0), angle=0)
    rim = {
        f"P{k}": (radius * math.cos(a), radius * math.sin(a)) for k, a in enumerate((0.0, 0.7, 2.0))
    }
    wheel = m.body("wheel", at=(radius, 0), angle=0, points=rim)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, wheel.at(0, 0))
    m.couple(
        GearPair.meshing(
            m.ground.at(0, 0), wheel.at(0, 0), teeth=(2 * radius, radius), internal=True
        )
    )
    m.drive(arm.angle, speed=1.0)
    motion = m.build().kinematics(until=math.tau, steps=72)
    assert motion.outcome.is_done, motion.outcome
    for name in rim:
        path = motion[f"wheel.{name}"].position[:, :2]
        across = np.array([-path[0, 1], path[0, 0]]) / np.linalg.norm(path[0])
        np.testing.assert_allclose(path @ across, 0.0, rtol=0, atol=DEMANDED)
        assert np.linalg.norm(path, axis=1).max() == pytest.approx(2 * radius, rel=0.01)
