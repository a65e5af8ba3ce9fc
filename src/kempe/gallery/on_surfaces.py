"""What moves on surfaces: a ball on a ring, and a follower on the wavy rim of a barrel."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry.curves import Through
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Sphere
from kempe.geometry.surfaces import RuledSurface, TorusSurface
from kempe.joints import PointFromSurface, Prismatic, Revolute

NOWHERE = (0.0, 0.0, 0.0)
POINTS = 8  # of the rim, to a wave


@let_go(5.0, "ball.P")
def ball_on_ring(
    *, ring: float = 1.0, tube: float = 0.35, ball: float = 0.08, mass: float = 1.0,
    push: float = 2.5,
) -> Mechanism:  # fmt: skip
    """A ball that slides on a ring without friction, and never leaves it: it winds about the tube.

    The `ring` (m) lies flat. The ball starts on top of it, `push` (m/s) fast along the ring. As
    nothing turns it about the middle, its angular momentum there stays (Clairaut).

    Own.

    Examples:
        >>> import kempe
        >>> ride = kempe.gallery.ball_on_ring().simulate(until=3.0)
        >>> p, v = ride["ball"].position, ride["ball"].velocity
        >>> turning = p[:, 0] * v[:, 1] - p[:, 1] * v[:, 0]
        >>> bool(abs(turning - turning[0]).max() < 1e-6)
        True
    """
    torus = TorusSurface(NOWHERE, ring, tube)
    radius = positive(ball, "ball_on_ring: ball")
    m = Builder("ball on a ring", gravity=(0, 0, -G))
    part = m.body(
        "ball",
        points={"P": NOWHERE},
        at=(ring, 0.0, tube + radius),
        inertia=Sphere(radius).inertia(mass=positive(mass, "ball_on_ring: mass", "kg")),
        velocity=(0.1 * push, push, 0.0),
    )
    m.shape(part, Sphere(radius), at=NOWHERE)
    m.add(PointFromSurface(m.ground.at(*NOWHERE), part.P, surface=torus, length=radius), "ring")
    return m.build()


@entry
def barrel_cam(
    *, radius: float = 0.1, rim: float = 0.02, lift: float = 0.03, waves: int = 2,
    ball: float = 0.012, speed: float = math.tau,
) -> Mechanism:  # fmt: skip
    """A follower that rides with a ball on the wavy rim of a turning barrel, up and down.

    The rim is straight towards the middle and `rim` (m) wide; its edge goes up and down by `lift`
    (m), so often in a turn as there are `waves`. The middle of the ball is on an offset of the rim.

    Own.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.barrel_cam().kinematics(until=0.5)
        >>> rise = turn["follower.P"].position[:, 2]
        >>> print(round(rise.max() - rise.min(), 6))
        0.03
    """
    for word, value in (("radius", radius), ("rim", rim), ("lift", lift), ("ball", ball)):
        positive(value, f"barrel_cam: {word}")
    edges = [_edge(radius + side * rim, lift, waves) for side in (-0.5, 0.5)]
    m = Builder("barrel cam")
    barrel = m.body("barrel", at=NOWHERE)
    top = (radius, 0.0, lift + ball)
    follower = m.body("follower", points={"P": NOWHERE, "top": (0.0, 0.0, 3.0 * lift)}, at=top)
    m.shape(follower, Sphere(ball), at=NOWHERE)
    stem = Cuboid((0.6 * ball, 0.6 * ball, 3.0 * lift))
    m.shape(follower, stem, at=(0.0, 0.0, 1.5 * lift))
    spindle = m.add(Revolute(m.ground.at(*NOWHERE), barrel.at(*NOWHERE)), "spindle")
    m.add(Prismatic(m.ground.at(*top), follower.P), "guide")
    m.add(
        PointFromSurface(
            barrel.at(*NOWHERE), follower.P, surface=RuledSurface(*edges), length=-ball
        ),
        "rim",
    )
    m.drive(spindle.angle, speed=speed)
    return m.build()


def _edge(radius: float, lift: float, waves: int) -> Through:
    """A closed curve about z that goes up and down between 0 and `lift` (m); at x it is highest."""
    count = POINTS * waves
    angles = [math.tau * k / count for k in range(count)]
    places = tuple(
        (radius * math.cos(a), radius * math.sin(a), 0.5 * lift * (1.0 + math.cos(waves * a)))
        for a in angles
    )
    return Through(places, closed=True)
