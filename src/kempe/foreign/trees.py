"""Robots as trees of bodies: what URDF and MJCF have in common."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from kempe.couplers import AbstractCoupler, Combination
from kempe.events import AbstractEvent, Stop
from kempe.files.syntax.source import shown
from kempe.forces import AbstractForce, SpringDamper
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint
from kempe.measures import Displacement, Gauge, Turn
from kempe.model import Body

Triple = tuple[float, float, float]
NOWHERE = (0.0, 0.0, 0.0)
UP = (0.0, 0.0, 1.0)
GRAVITY = (0.0, 0.0, -9.81)  # m/s^2, z up


@final
@dataclass(slots=True)
class Tree:
    """What is collected of a robot's file: the parts of a model."""

    ledger: Ledger
    names: LegalNames
    bodies: dict[str, Body] = field(default_factory=dict)  # by name here, the ground among them
    joints: list[AbstractJoint] = field(default_factory=list)
    couplers: list[AbstractCoupler] = field(default_factory=list)
    forces: list[AbstractForce] = field(default_factory=list)
    stops: list[AbstractEvent] = field(default_factory=list)
    gauges: dict[str, Gauge] = field(default_factory=dict)  # by the foreign name of a joint
    first: dict[str, float] = field(default_factory=dict)  # m, rad: where a joint starts

    def place(self, body: Body, X_WB: Pose) -> None:
        """Add a body at its place."""
        self.bodies[body.name] = replace(body, guess=X_WB)

    def X_W(self, body: str) -> Pose:
        """Where a body was put."""
        return self.bodies[body].guess or Pose.identity()

    def limit(self, joint: str, low: float | None, high: float | None, line: int) -> None:
        """A stop on a joint of this foreign name, between two values (m, rad)."""
        name = self.names.part(f"{joint}_limit", "limit", 0)
        with self.ledger.at(line, f"limits of joint {joint!r}"):
            self.stops.append(Stop(self.gauges[joint], low, high, name=name))

    def spring(self, joint: str, stiffness: float, damping: float, free: float, line: int) -> None:
        """A spring and damper on a joint of this foreign name, if either is not 0."""
        if stiffness or damping:
            name = self.names.part(f"{joint}_spring", "spring", 0)
            with self.ledger.at(line, f"joint {joint!r}"):
                gauge = self.gauges[joint]
                self.forces.append(SpringDamper(gauge, stiffness, damping, free, name=name))

    def resist(
        self, joint: str, stiffness: float, damping: float, free: float, friction: float, line: int
    ) -> None:
        """What <dynamics> says of a joint: its spring and damper; dry friction is left out."""
        self.spring(joint, stiffness, damping, free, line)
        if friction:
            self.ledger.leave_out(line, f"friction of joint {shown(joint)}", "not read")

    def mimic(self, joint: str, leader: str, share: float, offset: float, line: int) -> None:
        """A joint that follows another one, both by their foreign names: q = share q_l + offset."""
        name = self.names.part(f"{joint}_mimic", "mimic", 0)
        pair = (self.gauges[joint], self.gauges[leader])
        with self.ledger.at(line):
            self.couplers.append(Combination(pair, name, offset, coefficients=(1.0, -share)))


def axis_marker(body: str, X: Pose, axis: Triple) -> Marker:
    """A marker on a body in a frame X of it, z turned along an axis of that frame."""
    return Marker(body, floats(X.position), X.rotation @ turned_to(axis))


def turned_to(axis: Triple) -> Rotation:
    """A rotation whose z axis has this direction; none where that is z."""
    x, y, z = axis
    if x == 0.0 and y == 0.0 and z > 0.0:
        return Rotation.identity()
    return Rotation.with_z(np.array(axis))


def moved(axis: Triple, value: float, *, slides: bool) -> Pose:
    """Where a joint at this value (m, rad) has brought what it holds, in its own frame."""
    if slides:
        way = value * np.array(axis) / np.linalg.norm(axis)
        return Pose(Vector(*way.tolist()), Rotation.identity())
    return Pose(Vector(*NOWHERE), Rotation.about(axis, value) if value else Rotation.identity())


def gauge_of(joint: str, I: Marker, J: Marker, *, slides: bool) -> Gauge:
    """What a hinge or a slider of this name reads."""
    measure = Displacement() if slides else Turn()
    return Gauge(f"{joint}.{measure.word}", measure, I, J)


def floats(v: Vector) -> Triple:
    """The three numbers of a vector."""
    return (float(v.x), float(v.y), float(v.z))


def ground() -> Body:
    """The ground, at the world's origin."""
    return Body(GROUND)


def body_names(called: Mapping[tuple[str, str], str], what: str) -> dict[str, str]:
    """Foreign names of one kind of part, with those here."""
    return {own: name for (kind, own), name in called.items() if kind == what}
