"""Joints of an ASMT assembly as kempe's joints and couplers.

Every kind has the same rows as its namesake here; d = p_WJ - p_WI. Those rows also hold where axes
oppose each other, and which of the two is meant is said by where the parts were put: marker J is
turned round for a joint whose axes oppose each other there.

Source: [OndselSolver] joints, with their rows; gears, racks and screws are one row each and no
more.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from kempe.couplers import AbstractCoupler, GearPair, RackAndPinion, ScrewCoupler
from kempe.errors import nearest_name
from kempe.files.syntax.source import shown
from kempe.foreign.asmt.contacts import CONTACT, contact_of
from kempe.foreign.asmt.frames import Frames
from kempe.foreign.asmt.outline import Entry
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import GROUND, Marker, Pose, Rotation, X, Z
from kempe.joints import (
    AbstractJoint,
    Angle,
    ConstantVelocity,
    Cylindrical,
    CylSph,
    Fixed,
    Joint,
    LineInPlane,
    NoRotation,
    ParallelAxes,
    PerpendicularAxes,
    Planar,
    PointInPlane,
    PointOnLine,
    Prismatic,
    RevCyl,
    Revolute,
    RevRev,
    Rod,
    Spherical,
    Universal,
)
from kempe.measures import Displacement, Gauge, Turn

Make = Callable[[Entry, Marker, Marker, str], AbstractJoint]
Couple = Callable[[Entry, Marker, Marker, str], AbstractCoupler]

NO_TURN = Rotation.identity()
HALF_TURNS = tuple(Rotation.from_matrix(2.0 * np.diag(axis) - np.eye(3)) for axis in np.eye(3))
# Turns of marker J under which the rows of a joint hold as before: of z alone, of all axes.
ALONG_Z = (NO_TURN, HALF_TURNS[0])
ALONG_ALL = (NO_TURN, *HALF_TURNS)


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of joint is made, and which turns of marker J leave its rows as they are."""

    make: Make
    turns: tuple[Rotation, ...] = (NO_TURN,)

    def facing(
        self, entry: Entry, places: tuple[Pose, Pose], I: Marker, J: Marker, name: str
    ) -> AbstractJoint:
        """The joint with J turned so that it lies on its own side where the parts were put."""
        (X_WI, X_WJ), best, most = places, self.make(entry, I, J, name), -math.inf
        for R in self.turns:
            turned = J if R is NO_TURN else replace(J, rotation=J.rotation @ R)
            joint = self.make(entry, I, turned, name)
            X = X_WJ if R is NO_TURN else Pose(X_WJ.position, X_WJ.rotation @ R)
            sides = [float(side.value(X_WI, X)) for side in joint.sides]
            if min(sides, default=0.0) > most:
                best, most = joint, min(sides, default=0.0)
        if most >= 0.0:
            return best
        rows, held = best.constraints, best.held  # it lies on no side: its rows hold all the same
        return Joint(I, J, name=name, constraints=rows, held=held, freedom=best.freedom)


JOINTS: Mapping[str, Kind] = {
    "FixedJoint": Kind(lambda e, I, J, name: Fixed(I, J, name), ALONG_ALL),
    "RevoluteJoint": Kind(lambda e, I, J, name: Revolute(I, J, name), ALONG_Z),
    "SphericalJoint": Kind(lambda e, I, J, name: Spherical(I, J, name)),
    "UniversalJoint": Kind(lambda e, I, J, name: Universal(I, J, name)),
    "ConstantVelocityJoint": Kind(lambda e, I, J, name: ConstantVelocity(I, J, name)),
    "CylindricalJoint": Kind(lambda e, I, J, name: Cylindrical(I, J, name), ALONG_Z),
    "TranslationalJoint": Kind(lambda e, I, J, name: Prismatic(I, J, name), ALONG_ALL),
    "PointInLineJoint": Kind(lambda e, I, J, name: PointOnLine(I, J, name)),
    "PointInPlaneJoint": Kind(lambda e, I, J, name: PointInPlane(I, J, name, offset=_offset(e))),
    "LineInPlaneJoint": Kind(lambda e, I, J, name: LineInPlane(I, J, name, offset=_offset(e))),
    "PlanarJoint": Kind(lambda e, I, J, name: Planar(I, J, name, offset=_offset(e)), ALONG_Z),
    "NoRotationJoint": Kind(lambda e, I, J, name: NoRotation(I, J, name), ALONG_ALL),
    "ParallelAxesJoint": Kind(lambda e, I, J, name: ParallelAxes(I, J, name), ALONG_Z),
    "PerpendicularJoint": Kind(lambda e, I, J, name: PerpendicularAxes(I, J, name)),
    "AngleJoint": Kind(lambda e, I, J, name: Angle(I, J, name, angle=e.number("theIzJz"))),
    "SphSphJoint": Kind(lambda e, I, J, name: Rod(I, J, name, _distance(e))),
    "CylSphJoint": Kind(lambda e, I, J, name: CylSph(I, J, name, length=_distance(e))),
    "RevCylJoint": Kind(lambda e, I, J, name: RevCyl(I, J, name, length=_distance(e)), ALONG_Z),
    "RevRevJoint": Kind(lambda e, I, J, name: RevRev(I, J, name, length=_distance(e)), ALONG_Z),
}


def _distance(entry: Entry) -> float:
    return entry.number("distanceIJ")


def _offset(entry: Entry) -> float:
    return entry.number("offset") if entry.below("offset") is not None else 0.0


def _gear(entry: Entry, I: Marker, J: Marker, name: str) -> AbstractCoupler:
    """orbit(J->I) + (radiusI / radiusJ) orbit(I->J) = constant; radii of other signs: internal."""
    a, b = entry.number("radiusI"), entry.number("radiusJ")
    teeth = (abs(a), abs(b))
    return GearPair.meshing(I, J, teeth=teeth, internal=(a < 0.0) != (b < 0.0), name=name)


def _rack(entry: Entry, I: Marker, J: Marker, name: str) -> AbstractCoupler:
    """d . x_I + pitchRadius a = constant, marker I on the rack and J on the pinion."""
    slide, turn = Gauge(f"{name}.x", Displacement(X), I, J), Gauge(f"{name}.angle", Turn(Z), I, J)
    return RackAndPinion((slide, turn), name, radius=-entry.number("pitchRadius"), constant=None)


def _screw(entry: Entry, I: Marker, J: Marker, name: str) -> AbstractCoupler:
    """2 pi d . z_I - pitch a = constant."""
    slide = Gauge(f"{name}.displacement", Displacement(Z), I, J)
    turn = Gauge(f"{name}.angle", Turn(Z), I, J)
    return ScrewCoupler((slide, turn), name, lead=entry.number("pitch"), constant=None)


COUPLERS: Mapping[str, Couple] = {
    "GearJoint": _gear,
    "RackPinionJoint": _rack,
    "ScrewJoint": _screw,
}


@final
@dataclass(slots=True)
class Connections:
    """The joints and couplers of an assembly, and the markers of each by its full name."""

    joints: list[AbstractJoint] = field(default_factory=list)
    couplers: list[AbstractCoupler] = field(default_factory=list)
    markers: dict[str, tuple[str, Marker, Marker]] = field(default_factory=dict)

    def named(self, entry: Entry, label: str) -> tuple[str, Marker, Marker]:
        """Name and markers of the joint that an entry names below a label."""
        full = entry.value(label)
        if full not in self.markers:
            near = nearest_name(full, self.markers)
            raise entry.must(label).mistake(f"there is no joint {shown(full)}.{near}")
        return self.markers[full]


def connections_of(
    assembly: Entry, frames: Frames, names: LegalNames, ledger: Ledger
) -> Connections:
    """The joints of an assembly; kinds that nobody knows are left out and said."""
    found = Connections()
    sets = assembly.below("ConstraintSets")
    home = f"/{assembly.value('Name')}"
    placed = {b.name: b.guess or Pose.identity() for b in frames.bodies}
    for entry in sets.members("Joints") if sets is not None else []:
        kind, own = entry.text, entry.value("Name")
        if kind not in JOINTS and kind not in COUPLERS and kind != CONTACT:
            near = nearest_name(kind, [*JOINTS, *COUPLERS, CONTACT])
            ledger.leave_out(entry.line, f"{kind} {shown(own)}", f"no such joint is known.{near}")
            continue
        I, J = (frames.marker(entry, label) for label in ("MarkerI", "MarkerJ"))
        if f"{home}/{own}" in found.markers:
            raise entry.mistake(f"two joints are called {shown(own)}.")
        name = names.part(own, "joint", entry.line)
        found.markers[f"{home}/{own}"] = (name, I, J)
        with ledger.at(entry.line, f"{kind} {shown(own)}"):
            if kind in COUPLERS:
                found.couplers.append(COUPLERS[kind](entry, I, J, name))
                continue
            places = X_of(placed, I), X_of(placed, J)
            if kind == CONTACT:
                contact = contact_of(entry, frames, places, name, ledger)
                found.joints += [contact] if contact is not None else []
                continue
            found.joints.append(JOINTS[kind].facing(entry, places, I, J, name))
    return found


def X_of(placed: Mapping[str, Pose], marker: Marker) -> Pose:
    """X_WM where the parts were put."""
    return placed.get(marker.body, placed[GROUND]) @ marker.pose
