"""Robots' hands: two jaws that lift a box by friction alone, on a rail and on an arm."""

import cmath
import math
from typing import Any

from kempe.drives import AbstractLaw, Cycloidal, Piecewise, Polynomial
from kempe.forces import AppliedLoad, CornersOnPlane, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import xy
from kempe.gallery.sketch_of_masses import DOWN, G, let_go
from kempe.gallery.touching import NOTHING, block
from kempe.geometry import Y, Z
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid
from kempe.measures import Gauge

SIDE, HIGH = 0.06, 0.08  # m, of the box
OPEN = 0.005  # m, between an open jaw and the box
PALM = 0.12  # m, of the palm over the floor, where the jaws reach the box
PAD = 2e4  # N/m, of a corner on a pad or on the floor
UPPER, FORE, SHOULDER = 0.5, 0.45, 0.35  # m: links of the arm, and its shoulder over the floor
WRIST = 0.04  # m, over the palm
READY = 0.22  # m, of the palm over the floor, before it comes down


@let_go(1.5, "box.M")
def box_gripper(
    *, grip: float = 40.0, mass: float = 0.5, friction: float = 0.6, lift: float = 0.15
) -> Mechanism:
    """Two jaws of a robot's hand close on a box on the floor, and lift it by friction alone.

    Each jaw is pressed by `grip` (N) within a tenth of a second; from 0.3 s on the hand goes up by
    `lift` (m). The box of `mass` (kg) comes along where 2 friction grip > mass (g + a), a its
    acceleration.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> held = kempe.gallery.box_gripper().simulate(until=1.5)
        >>> print(f"{held['box.y'].ptp():.2f}")
        0.15
        >>> dropped = kempe.gallery.box_gripper(grip=3.0).simulate(until=1.5)
        >>> print(f"{dropped['box.y'].ptp():.2f}")
        0.00
    """
    m = Builder("gripper and box", plane=True, gravity=DOWN)
    palm = {"a": (-0.08, 0.0), "b": (0.08, 0.0), "c": (0.0, 0.03)}
    hand = _hand(m, palm, (0.0, PALM))
    rail = m.prismatic(m.ground.at(0, 0), hand.at(0, 0), along=(0, 1), name="arm")
    m.drive(rail.displacement, Cycloidal(rise=lift, duration=0.8, dwell=0.3, start=PALM))
    box = _box_on_floor(m, mass, friction, 0.0)
    shut, back = (Cycloidal(rise=way * grip, duration=0.1) for way in (1.0, -1.0))
    _jaws(m, hand, box, friction, (0.0, PALM), (shut, back))
    return m.build()


@let_go(3.2, "box.M")
def robot_arm(
    *, grip: float = 40.0, mass: float = 0.5, friction: float = 0.6, lift: float = 0.2,
    carry: float = 0.35,
) -> Mechanism:  # fmt: skip
    """A robot's arm of two links reaches down, grips a box, lifts it, and sets it down elsewhere.

    The hand stays level and is led by its place; shoulder, elbow and wrist follow. It comes down
    within 0.5 s, the jaws close with `grip` (N) from 0.6 s on, the box of `mass` (kg) is lifted by
    `lift` (m), carried by `carry` (m) towards the shoulder and set down, and from 2.6 s on the jaws
    let go, opened by springs. Only friction holds it. What motors in the joints would have to give
    tells `trajectory.efforts("shoulder.angle", "elbow.angle", "wrist.angle")`.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> work = kempe.gallery.robot_arm().simulate(until=3.2)
        >>> print(f"{work['box.y'].max() - work['box.y'].values[-1]:.2f} m up and down")
        0.20 m up and down
        >>> print(f"{work['box.x'].values[0] - work['box.x'].values[-1]:.2f} m along")
        0.35 m along
    """
    m = Builder("robot arm", plane=True, gravity=DOWN)
    far, up = 0.7, PALM + positive(lift, "the lift")
    arm = _two_links(m, complex(far, READY + WRIST))
    palm = {"a": (-0.08, 0.0), "b": (0.08, 0.0), "wrist": (0.0, WRIST)}
    hand = _hand(m, palm, (far, READY))
    m.revolute(arm.end, hand.wrist, name="wrist")
    m.drive(hand.angle)
    m.drive(hand.x, Cycloidal(rise=-positive(carry, "the way"), duration=0.6, dwell=1.3, start=far))
    path = (
        (0.7, Cycloidal(rise=PALM - READY, duration=0.5, start=READY)),
        (0.6, Cycloidal(rise=up - PALM, duration=0.6, start=PALM)),
        (0.6, Polynomial((up,))),
        (0.8, Cycloidal(rise=PALM - up, duration=0.6, start=up)),
        (0.6, Cycloidal(rise=READY - PALM, duration=0.4, start=PALM)),
    )
    m.drive(hand.y, Piecewise(path))
    box = _box_on_floor(m, mass, friction, far)
    slides = _jaws(m, hand, box, friction, (far, READY), (_grip(grip), _grip(-grip)))
    for word, slide in slides.items():
        start = (-1.0 if word == "left" else 1.0) * (0.5 * SIDE + OPEN)
        opener = SpringDamper(slide, stiffness=200.0, damping=12.0, free=start)
        m.force(opener, f"{word}_opener")
    return m.build()


def _grip(force: float) -> Piecewise:
    """A force (N) that acts from 0.6 s to 2.7 s, and rises and falls within a tenth of a second."""
    rise = Cycloidal(rise=force, duration=0.1)
    fall = Cycloidal(rise=-force, duration=0.1, start=force)
    return Piecewise(((0.6, NOTHING), (2.0, rise), (0.7, fall)))


def _two_links(m: Builder, wrist: complex) -> BodyPart:
    """The forearm of an arm whose elbow is up and whose wrist is at a place (m) over the floor."""
    reach = wrist - 1j * SHOULDER
    far = abs(reach)
    lean = math.acos((UPPER**2 + far**2 - FORE**2) / (2.0 * UPPER * far))
    elbow = cmath.rect(UPPER, cmath.phase(reach) + lean)
    parts = []
    for name, size, mass, start, end in (
        ("upper_arm", UPPER, 3.0, 0j, elbow),
        ("forearm", FORE, 2.0, elbow, reach),
    ):
        ends = {"start": (-0.5 * size, 0.0), "end": (0.5 * size, 0.0)}
        moving: dict[str, Any] = {
            "at": xy(0.5 * (start + end) + 1j * SHOULDER),
            "angle": cmath.phase(end - start),
            "inertia": Cuboid((size, 0.05, 0.05)).inertia(mass=mass),
        }
        parts.append(m.body(name, points=ends, outline=tuple(ends), **moving))
    m.revolute(m.ground.at(0, SHOULDER), parts[0].start, name="shoulder")
    m.revolute(parts[0].end, parts[1].start, name="elbow")
    return parts[1]


def _hand(m: Builder, palm: dict[str, tuple[float, float]], at: tuple[float, float]) -> BodyPart:
    plate = Cuboid((0.16, 0.02, 0.05)).inertia(mass=1.0)
    return m.body("hand", points=palm, outline=tuple(palm), at=at, angle=0.0, inertia=plate)


def _law(friction: float) -> dict[str, Any]:
    """How the box presses and rubs, on pads of rubber and on the floor."""
    return {"stiffness": PAD, "damping": 60.0, "friction": friction, "creep": 1e-3}


def _box_on_floor(m: Builder, mass: float, friction: float, x: float) -> BodyPart:
    """A box with its middle at `x` (m) that has sunk into the floor by its weight."""
    edge, low = 0.5 * SIDE, 0.5 * HIGH
    box = block(m, "box", SIDE, HIGH, mass, (x, low - mass * G / (2.0 * PAD)))
    under = ((-edge, -low, 0.0), (edge, -low, 0.0))
    m.force(CornersOnPlane(m.ground.at(0, 0), box.M, Y, under, **_law(friction)), "floor")
    return box


def _jaws(
    m: Builder, hand: BodyPart, box: BodyPart, friction: float, at: tuple[float, float],
    shut: tuple[AbstractLaw, AbstractLaw],
) -> dict[str, Gauge]:  # fmt: skip
    """How far two jaws have slid (m) along a palm that is `at`; laws (N) press them on the box."""
    edge, low = 0.5 * SIDE, 0.5 * HIGH
    slides = {}
    for word, way, law in (("left", 1.0, shut[0]), ("right", -1.0, shut[1])):
        pad = {"P": (0, -0.1), "e": (0, 0), "f": (-way * 0.015, 0), "g": (-way * 0.015, -0.1)}
        jaw = m.body(
            f"{word}_jaw",
            points=pad,
            outline=("P", "e", "f", "g"),
            at=(at[0] - way * (edge + OPEN), at[1]),
            angle=0.0,
            inertia=Cuboid((0.015, 0.1, 0.05)).inertia(mass=0.2),
        )
        slide = m.prismatic(hand.at(0, 0), jaw.at(0, 0), along=(1, 0), name=f"{word}_slide")
        slides[word] = slide.displacement
        pressed = AppliedLoad(jaw.at(0, -0.06), (law, NOTHING, NOTHING), against=hand.at(0, 0))
        m.force(pressed, f"{word}_grip")
        face = jaw.at(0, -0.08).facing((way, 0.0))
        beside = ((-way * edge, -low, 0.0), (-way * edge, low, 0.0))
        m.force(CornersOnPlane(face, box.M, Z, beside, **_law(friction)), f"{word}_pad")
    return slides
