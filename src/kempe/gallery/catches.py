"""Stops and releases: a ball that bounces, a trebuchet that lets go."""

import math

import numpy as np

from kempe.errors import BadNumber
from kempe.events import Crossing, Direction, Release, Stop
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import DOWN, bob, let_go
from kempe.geometry import Inertia, Y
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Plate
from kempe.joints import Rod
from kempe.measures import Displacement

STONE = 0.12  # m, radius of the stone in pictures


@let_go(2.0, "ball.P")
def bouncing_ball(
    *, height: float = 1.0, mass: float = 1.0, restitution: float = 0.7, speed: float = 0.4
) -> Mechanism:
    """A ball falls on a floor and bounces, lower and lower, until it slides on.

    The k-th bounce lasts 2 e^k sqrt(2 h / g), so that all of them are over after
    sqrt(2 h / g) (1 + e) / (1 - e).

    Examples:
        >>> import kempe
        >>> fall = kempe.gallery.bouncing_ball(restitution=0.5).simulate(until=2.0)
        >>> print([round(event.t, 4) for event in fall.events[:3]])
        [0.4515, 0.903, 1.1288]
        >>> print(fall.events[-1].kind, round(fall.events[-1].t, 6))
        contact 1.354571
    """
    m = Builder("bouncing ball", plane=True, gravity=DOWN)
    ball = bob(m, 0.05, mass, (0.0, height), name="ball", velocity=(speed, 0.0))
    above = m.gauge("height", Displacement(Y), m.ground.at(0, 0), ball.at(0, 0))
    m.event(Stop(above, low=0.0, restitution=restitution), "floor")
    return m.build()


@let_go(1.1, "stone.P")
def trebuchet(
    *,
    pivot: float = 3.0,
    long_arm: float = 4.0,
    short_arm: float = 1.0,
    sling: float = 3.0,
    weight: float = 1500.0,
    stone: float = 10.0,
    release: float = math.radians(78.0),
) -> Mechanism:
    """A trebuchet: a weight turns an arm, whose sling drags a stone along the ground and lets go.

    The stone slides on the ground until the sling lifts it (a departure), the hook lets go where
    the arm has come to `release` from level, and the stone flies in a parabola until it lands.

    Examples:
        >>> import kempe
        >>> shot = kempe.gallery.trebuchet().simulate(until=5.0)
        >>> [event.kind for event in shot.events[:3]]
        ['contact', 'departure', 'release']
        >>> shot.outcome.name
        'Done'
    """
    m = Builder("trebuchet", plane=True, gravity=DOWN)
    positive(pivot, "the height of the axle")
    positive(short_arm, "the short arm")
    positive(weight, "the weight")
    if not positive(long_arm, "the long arm") > pivot:
        raise BadNumber("the long arm must reach the ground: make it longer than the axle is high.")
    down = -math.asin(pivot / long_arm)
    beam = 100.0  # kg, of a slender beam, with the weight at its short end
    length, mass = long_arm + short_arm, beam + weight
    centre = (beam * 0.5 * (long_arm - short_arm) - weight * short_arm) / mass
    spread = beam * length**2 / 12.0 + beam * (0.5 * (long_arm - short_arm) - centre) ** 2
    spread += weight * (short_arm + centre) ** 2
    arm = m.body(
        "arm",
        points={"tip": (long_arm, 0), "heel": (-short_arm, 0)},
        at=(0, pivot),
        angle=down,
        inertia=Inertia(mass, np.array([centre, 0.0, 0.0]), np.diag([0.0, spread, spread])),
    )
    _draw_trebuchet(m, arm, pivot, long_arm, short_arm)
    tip = long_arm * math.cos(down)
    thrown = bob(m, STONE, stone, (tip - sling, 0.0), name="stone")
    m.revolute(m.ground.at(0, pivot), arm.at(0, 0), name="axle")
    m.add(Rod(arm.tip, thrown.at(0, 0), length=sling), "hook")
    above = m.gauge("height", Displacement(Y), m.ground.at(0, 0), thrown.at(0, 0))
    m.event(Stop(above, low=0.0), "trough")
    m.event(
        Release(f"axle.angle - {release!r}", parts=("hook",), direction=Direction.RISING), "let_go"
    )
    landed = Crossing("height - 0.05", direction=Direction.FALLING, ends=True)
    m.event(landed, "landed")
    return m.build()


def _draw_trebuchet(
    m: Builder, arm: BodyPart, pivot: float, long_arm: float, short_arm: float
) -> None:
    """The beam that tapers, the box of the weight, and the two legs of the frame."""
    wide, box = 0.03 * (long_arm + short_arm), 0.45 * short_arm
    taper = ((-short_arm, -wide), (long_arm, -0.3 * wide), (long_arm, 0.3 * wide))
    m.shape(arm, Plate((*taper, (-short_arm, wide)), 0.2), name="beam")
    m.shape(arm, Cuboid((box, 2.0 * box, box)), at=(-short_arm, 0), name="weight")
    for side, word in ((-1.0, "left"), (1.0, "right")):
        foot = 0.5 * side * pivot
        leg = ((0.0, pivot), (foot, 0.0), (foot + wide, 0.0), (wide, pivot))
        m.shape(m.ground, Plate(leg, 0.2), name=f"{word}_leg")
