"""A clock: a pendulum lets a toothed wheel go, beat by beat, and is kept swinging by it."""

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.drives import Ramp
from kempe.errors import BadNumber
from kempe.events import Direction, Latch, Release
from kempe.forces import Actuator, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import DOWN, let_go, toothed
from kempe.geometry import Inertia, Y
from kempe.geometry.number import positive
from kempe.geometry.solids import Cylinder, Plate
from kempe.measures import Displacement

RADIUS = 0.07  # m, of the tips of the teeth
IMPULSE = 0.9  # of half a pitch: the rest is the drop from one pallet to the other
SPAN = math.radians(75.0)  # of the wheel that the anchor reaches over, about
FEWEST, MOST = 6, 60  # teeth
GATE = 3.0  # rad: more than a pendulum and its anchor ever differ by
AWAY = 1e3  # for each rad that the anchor has come in: no tooth is caught any more
DEAD = math.radians(16.0)  # of the dead faces, about the axle of the anchor
Place = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the teeth of a wheel meet the pallets of an anchor: angles in rad, lengths in m.

    The axle is the origin, the wheel's centre `below` it. The tips that are caught lie `half` a
    span to the left and to the right of the top, where the tips' circle touches lines through the
    axle, so that a tooth pushes a pallet neither up nor down its dead face.
    """

    teeth: int
    lift: float  # of the anchor while a tooth pushes it

    @property
    def half(self) -> float:
        """Half the span: so many pitches and a half in all."""
        pitches = max(1.5, math.floor(SPAN / math.tau * self.teeth) + 0.5)
        return math.pi / self.teeth * pitches

    @property
    def below(self) -> float:
        """How far the wheel's centre lies below the axle."""
        return RADIUS / math.cos(self.half)

    def face(self, side: float) -> tuple[Place, Place]:
        """Both corners of the impulse face in the anchor's frame: side 1 is left, -1 right.

        The tooth comes to the first where the anchor stands at side lift / 2, and leaves the other
        at -side lift / 2, having turned by IMPULSE of half a pitch, clockwise.
        """
        turned = IMPULSE * math.pi / self.teeth
        corners = []
        for angle, stands in ((0.0, 0.5 * side), (-turned, -0.5 * side)):
            way = 0.5 * math.pi + side * self.half + angle
            x, y = RADIUS * math.cos(way), RADIUS * math.sin(way) - self.below
            c, s = math.cos(stands * self.lift), math.sin(stands * self.lift)
            corners.append((c * x + s * y, c * y - s * x))
        return corners[0], corners[1]

    def pallet(self, side: float) -> tuple[Place, ...]:
        """Its outline: the impulse face, and the faces about the axle that teeth rest on."""
        outline = []
        for k, (x, y) in enumerate(self.face(side)):
            r, a = math.hypot(x, y), math.atan2(y, x)
            back = [a - side * DEAD * share for share in np.linspace(0.0, 1.0, 6)]
            arc = [(r * math.cos(b), r * math.sin(b)) for b in back]
            outline += arc[::-1] if k == 0 else arc
        return tuple(outline)

    def yoke(self) -> tuple[Place, ...]:
        """What joins the pallets over the axle."""
        left, right = self.pallet(1.0), self.pallet(-1.0)
        up = 0.2 * RADIUS
        return (left[0], left[-1], (0.0, -0.4 * up), right[-1], right[0], (up, up), (-up, up))


@let_go(12.0, "pendulum.P")
def clock_escapement(
    *,
    teeth: int = 12,
    length: float = 0.25,
    mass: float = 0.5,
    torque: float = 2e-3,
    damping: float = 6.5e-3,
    lift: float = math.radians(4.0),
    start: float = math.radians(3.0),
) -> Mechanism:
    """A deadbeat escapement: an anchor on a pendulum lets a wheel go on by one tooth a period.

    The wheel, driven by a `torque` (N m), rests with a tooth on one pallet of the anchor while the
    pendulum (`length` in m, a `mass` in kg, a `damping` in N m s/rad) swings out and back. Within
    `lift` (rad) about the middle the tooth slides along the slanted end of the pallet and pushes;
    then the wheel drops, and the other pallet catches it: tick. Each beat gives the work of the
    torque over the push, and the pendulum swings as far as its damping lets it, which takes
    c w pi A^2 / 2 a beat. It is let go at `start` (rad), beyond half the lift.

    Own: sizes. The kind is Graham's deadbeat escapement.

    Examples:
        >>> import kempe
        >>> clock = kempe.gallery.clock_escapement().simulate(until=6.5)
        >>> ticks = [event.t for event in clock.events if event.name.startswith("tick")]
        >>> print(f"{len(ticks)} ticks, one every {(ticks[-1] - ticks[-5]) / 4:.3f} s")
        14 ticks, one every 0.501 s
    """
    _refuse_teeth(teeth)
    _refuse_lift(lift, start)
    anchor = Anchor(teeth, lift)
    m = Builder("clock with an anchor", plane=True, gravity=DOWN)
    pendulum, wheel = _bodies(m, anchor, positive(length, "the length"), mass, start)
    pivot = m.revolute(m.ground.at(0, 0), pendulum.at(0, 0), name="pivot")
    hub = m.revolute(m.ground.at(0, -anchor.below), wheel.at(0, 0), name="hub")
    m.force(Actuator(hub.angle, Ramp(-positive(torque, "the torque"))), "weight")
    m.force(SpringDamper(pivot.angle, damping=damping), "air")
    for side, word, catch in ((1.0, "left", Direction.FALLING), (-1.0, "right", Direction.RISING)):
        # a tooth is caught where the wheel has come to it, while the anchor is out on this side
        out = f"max(0, {0.5 * lift!r} - {side!r} * pivot.angle)"
        tooth = f"sin({teeth} * hub.angle) + {side * AWAY!r} * {out}"
        m.event(Latch(tooth, held=(hub.angle,), direction=catch), f"tick_{word}")
        (x, y), (u, v) = anchor.face(side)
        along = pendulum.at(x, y).turned(math.atan2(v - y, u - x))
        swings = Direction.FALLING if side > 0.0 else Direction.RISING
        for k in range(teeth):
            # zero where the anchor comes to its lift, with this tooth on this pallet
            caught = k * math.tau / teeth + (0.0 if side > 0.0 else 2.0 * anchor.half)
            gate = GATE / (1.0 - math.cos(math.pi / teeth))
            when = f"pivot.angle - {0.5 * side * lift!r}"
            when += f" + {side * gate!r} * (1 - cos(hub.angle + {caught!r}))"
            face = m.gauge(f"{word}_face{k}", Displacement(Y), along, wheel.at(*_tip(anchor, k)))
            m.event(Release(when, parts=(f"tick_{word}",), direction=swings), f"free_{word}{k}")
            m.event(Latch(when, held=(face,), direction=swings), f"{word}{k}")
        leaves = f"pivot.angle + {0.5 * side * lift!r}"
        pushed = tuple(f"{word}{k}" for k in range(teeth))
        m.event(Release(leaves, parts=pushed, direction=swings), f"leave_{word}")
    return m.build()


def _refuse_lift(lift: float, start: float) -> None:
    """A BadNumber for a lift (rad) that no anchor has, or a start (rad) that catches no tooth."""
    if not 0.0 < lift < 0.5 or not 0.5 * lift < abs(start) < 1.0:
        raise BadNumber(
            f"the lift is {lift:g} rad and the start {start:g} rad: the lift must be between 0 and"
            " 0.5, and the start beyond half of it, so that a tooth is caught, and within 1."
        )


def _refuse_teeth(count: Any) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or not FEWEST <= count <= MOST:
        raise BadNumber(
            f"an escape wheel has {FEWEST} to {MOST} teeth, a whole number, not {count!r}."
        )


def _tip(anchor: Anchor, k: int) -> Place:
    """The tip of a tooth in the wheel's frame; tooth 0 is on the left pallet at angle 0."""
    way = 0.5 * math.pi + anchor.half + k * math.tau / anchor.teeth
    return RADIUS * math.cos(way), RADIUS * math.sin(way)


def _bodies(
    m: Builder, anchor: Anchor, length: float, mass: float, start: float
) -> tuple[BodyPart, BodyPart]:
    """The pendulum with the anchor, at `start`, and the wheel, a little before its first tick."""
    bob = Inertia(positive(mass, "the mass"), np.array([0.0, -length, 0.0]), np.zeros((3, 3)))
    pendulum = m.body("pendulum", points={"P": (0, -length)}, at=(0, 0), angle=start, inertia=bob)
    rod = 0.03 * RADIUS
    m.shape(pendulum, Plate(((-rod, 0.0), (rod, 0.0), (rod, -length), (-rod, -length)), rod))
    m.shape(pendulum, Cylinder(0.06 * length, rod), at=(0, -length))
    for outline in (anchor.yoke(), anchor.pallet(1.0), anchor.pallet(-1.0)):
        m.shape(pendulum, Plate(outline, rod))
    disc = Cylinder(RADIUS, 1e-3).inertia(mass=3e-3)
    drop = (1.0 - IMPULSE) * math.pi / anchor.teeth
    wheel = m.body("wheel", at=(0, -anchor.below), angle=drop, inertia=disc)
    teeth = Plate(
        toothed(anchor.teeth, (RADIUS, 0.0), *((0.8 * RADIUS, x) for x in (0.2, 0.5, 0.75))), 1e-3
    )
    m.shape(wheel, teeth, angle=0.5 * math.pi + anchor.half)
    return pendulum, wheel
