"""Parts, markers and mass markers of an ASMT assembly as bodies and markers.

A frame is given by Position3D and RotationMatrix, whose rows map local to parent coordinates. A
marker lies on its part by way of a reference point: X_BM = X_BR X_RM. The assembly's own reference
points are on the ground. A point of a reference curve, a curve marker, has the curve's frame.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from kempe.errors import nearest_name
from kempe.files.syntax.source import MOST_BODIES, shown
from kempe.foreign.asmt.outline import Entry, number_of
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import LegalNames
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.model import Body

EXACT = 1e-15  # how far from a rotation a matrix of zeros and ones is at most
WORTH_SAYING = 1e-9  # beyond rounding to 14 digits
SKEWED = 1e-3  # what the other program's integrator may leave of a rotation; more is a mistake
FEATURES = "shapes of a CAD program are not read"
Triple = tuple[float, float, float]


@final
@dataclass(frozen=True, slots=True)
class CurvePoints:
    """The points (m) of a reference curve, in its own frame, and their parameters."""

    order: int  # of the spline through them
    parameters: tuple[float, ...]
    points: tuple[Triple, ...]


@final
@dataclass(slots=True)
class Frames:
    """All bodies of an assembly, and its markers and curves by their full names."""

    bodies: list[Body] = field(default_factory=list)
    markers: dict[str, Marker] = field(default_factory=dict)
    curves: dict[str, CurvePoints] = field(default_factory=dict)  # by their curve markers
    part_names: dict[str, str] = field(default_factory=dict)  # full names -> bodies

    def marker(self, entry: Entry, label: str) -> Marker:
        """The marker that an entry names below a label."""
        return self.markers[self.marker_name(entry, label)]

    def marker_name(self, entry: Entry, label: str) -> str:
        """The full name of the marker that an entry names below a label."""
        name = entry.value(label)
        if name not in self.markers:
            near = nearest_name(name, self.markers)
            raise entry.must(label).mistake(f"there is no marker {shown(name)}.{near}")
        return name


def frames_of(assembly: Entry, names: LegalNames, ledger: Ledger) -> Frames:
    """The bodies and markers of an assembly; the assembly itself is the ground."""
    frames = Frames()
    home = f"/{assembly.value('Name')}"
    ground = _Holder(assembly, GROUND, home, ledger)
    frames.bodies.append(Body(GROUND, ground.read(frames, names)))
    parts = assembly.members("Parts")
    if len(parts) > MOST_BODIES:
        raise parts[MOST_BODIES].mistake(f"a mechanism has at most {MOST_BODIES} bodies.")
    for part in parts:
        if part.text != "Part":
            ledger.leave_out(part.line, shown(part.text), "this is no Part")
            continue
        frames.bodies.append(_body(part, home, frames, names, ledger))
    return frames


def _body(part: Entry, home: str, frames: Frames, names: LegalNames, ledger: Ledger) -> Body:
    name = part.value("Name")
    full = f"{home}/{name}"
    if full in frames.part_names:
        raise part.mistake(f"two parts are called {shown(name)}.")
    body = names.part(name, "part", part.line)
    frames.part_names[full] = body
    holder = _Holder(part, body, full, ledger)
    points = holder.read(frames, names)
    for feature in part.members("FeatureOrder"):
        ledger.leave_out(feature.line, f"{feature.text} of part {shown(name)}", FEATURES)
    with ledger.at(part.line, f"part {shown(name)}"):
        return Body(
            body,
            points,
            guess=pose_of(part, ledger),
            inertia=_inertia(part, ledger),
            velocity=_triple(part, "Velocity3D"),
            spin=_triple(part, "Omega3D"),
        )


@final
@dataclass(frozen=True, slots=True)
class _Holder:
    """Whatever carries reference points and curves: a part, or the assembly itself."""

    entry: Entry
    body: str
    full_name: str
    ledger: Ledger

    def read(self, frames: Frames, names: LegalNames) -> dict[str, Triple]:
        """Put its markers among all; its points by name (m)."""
        found: dict[str, Marker] = {}
        for reference in self.entry.members("RefPoints"):
            X_BR = pose_of(reference, self.ledger)
            for marker in reference.members("Markers"):
                self._add(found, marker, X_BR @ pose_of(marker, self.ledger))
        for curve in self.entry.members("RefCurves"):
            self._curve(found, curve, frames)
        for surface in self.entry.members("RefSurfaces"):
            self.ledger.leave_out(surface.line, surface.text, "reference surfaces are not read")
        mass = self.entry.below("PrincipalMassMarker")
        if mass is not None and mass.below("Name") is not None:
            self._add(found, mass, pose_of(mass, self.ledger))
        for name, at in found.items():
            frames.markers[f"{self.full_name}/{name}"] = at
        legal = names.points(list(found))
        return {word: at.position for word, at in zip(legal, found.values(), strict=True)}

    def _add(self, found: dict[str, Marker], entry: Entry, X_BM: Pose) -> None:
        name = entry.value("Name")
        if name in found:
            raise entry.mistake(f"two markers of {shown(self.full_name)} are called {shown(name)}.")
        found[name] = Marker(self.body, _floats(X_BM.position), X_BM.rotation)

    def _curve(self, found: dict[str, Marker], curve: Entry, frames: Frames) -> None:
        X_BC = pose_of(curve, self.ledger)
        spline = curve.below("GeneralSpline")
        if spline is None:
            self.ledger.leave_out(curve.line, curve.text, "only a GeneralSpline is read")
            return
        rows = {word: _row(spline, word) for word in "sxyz"}
        lengths = {len(row) for row in rows.values()}
        if len(lengths) != 1 or not lengths - {0}:
            raise spline.mistake("the rows s, x, y and z of a spline need as many numbers each.")
        order = spline.number("Order") if spline.below("Order") is not None else 3.0
        if order != round(order):
            raise spline.must("Order").mistake(f"the order of a spline is whole, not {order:g}.")
        points = tuple(zip(rows["x"], rows["y"], rows["z"], strict=True))
        held = CurvePoints(round(order), tuple(rows["s"]), points)
        for marker in curve.members("CurveMarkers"):
            self._add(found, marker, X_BC)
            frames.curves[f"{self.full_name}/{marker.value('Name')}"] = held


def _row(spline: Entry, word: str) -> list[float]:
    """The numbers after a word at the beginning of a line, as in `x  1.0  0.92`."""
    for entry in spline.entries:
        head, *rest = entry.text.split()
        if head == word:
            return [number_of(number, entry) for number in rest]
    raise spline.mistake(f"a spline has rows s, x, y and z; {word} is missing.")


def pose_of(entry: Entry, ledger: Ledger) -> Pose:
    """The frame of an entry in that of what holds it; its matrix made the nearest rotation."""
    rows = np.array(entry.matrix("RotationMatrix"))
    position = Vector(*entry.numbers("Position3D", 3))
    where = entry.must("RotationMatrix")
    with np.errstate(over="ignore", invalid="ignore"):
        skew = float(np.abs(rows.T @ rows - np.eye(3)).max())
    if EXACT < skew <= SKEWED:
        u, _, v = np.linalg.svd(rows)
        rows = u @ v
        if skew > WORTH_SAYING:
            said = f"is off from a rotation by {skew:.2g}; the nearest rotation is taken"
            ledger.note(where.line, "RotationMatrix", said)
    with ledger.at(where.line):
        return Pose(position, Rotation.from_matrix(rows))


def _inertia(part: Entry, ledger: Ledger) -> Inertia | None:
    mass = part.below("PrincipalMassMarker")
    if mass is None:
        ledger.leave_out(part.line, "PrincipalMassMarker", "is missing: the part has no mass")
        return None
    X_BP = pose_of(mass, ledger)
    moments = mass.numbers("MomentOfInertias", 3)
    if not any((mass.number("Mass"), *moments)):
        return None
    with ledger.at(mass.line):
        principal = Inertia(mass.number("Mass"), np.zeros(3), np.diag(moments))
        return principal.seen_from(X_BP)


def _triple(entry: Entry, label: str) -> Triple | None:
    if entry.below(label) is None:
        return None
    a, b, c = entry.numbers(label, 3)
    return (a, b, c)


def _floats(v: Vector) -> Triple:
    return (float(v.x), float(v.y), float(v.z))
