"""What moves on surfaces: a ball on a ring, a follower on a wavy rim, a plate on a rocking ring."""

import math

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import GROUND, Marker, Rotation
from kempe.geometry.curves import Through
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Sphere
from kempe.geometry.surfaces import PlaneSurface, RuledSurface, TorusSurface
from kempe.joints import PointFromSurface, Prismatic, Revolute, SurfaceOnSurface

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


@entry
def ring_lifter(
    *, ring: float = 0.08, tube: float = 0.015, tilt: float = 0.8, sway: float = 0.4
) -> Mechanism:
    """A ring that rocks about a diameter and lifts a plate that lies on it, flat on round.

    The plate stands ring sin(angle) + tube (m) above the axle, `angle` between the ring and the
    level: it rocks by `sway` (rad) about `tilt` (rad), and never lies down, where all of it would
    touch.

    Own.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.ring_lifter().kinematics(until=1.0)
        >>> height = turn["plate.P"].position[:, 2]
        >>> print(round(height.max(), 6))
        0.089563
    """
    for word, value in (("ring", ring), ("tube", tube), ("sway", sway)):
        positive(value, f"ring_lifter: {word}")
    m = Builder("ring lifter")
    axle = Rotation.with_z((1.0, 0.0, 0.0))
    level = Rotation.about((1.0, 0.0, 0.0), tilt)
    wheel = m.body("ring", at=NOWHERE, rotation=level)
    top = (0.0, 0.0, ring * math.sin(tilt) + tube)
    plate = m.body("plate", points={"P": NOWHERE}, at=top)
    m.shape(plate, Cuboid((2.5 * ring, 2.5 * ring, 0.5 * tube)), at=(0.0, 0.0, 0.25 * tube))
    ends = (Marker(GROUND, NOWHERE, axle), Marker(wheel.name, NOWHERE, axle))
    spindle = m.add(Revolute(*ends), "spindle")
    m.add(Prismatic(m.ground.at(*NOWHERE), plate.P), "guide")
    face, torus = PlaneSurface(normal=(0.0, 0.0, -1.0)), TorusSurface(NOWHERE, ring, tube)
    m.add(SurfaceOnSurface(plate.P, wheel.at(*NOWHERE), surface=face, other=torus), "lift")
    swing(m, spindle.angle, tilt, sway)
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
