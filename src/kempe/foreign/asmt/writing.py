"""A model as an ASMT file, its parts as they lie at the start.

Joints are their namesakes of the format, by the same rows; other joints by what they leave free.
Where the plane holds a body and no hinge or slider does, a PlanarJoint holds it there. Drives
whose laws are formulas are motions, stops are limits, springs along a line are in-line forces.
What the format cannot hold is left out and said.

Source: [OndselSolver] the order of the sections, and what they mean.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive, TextFormula
from kempe.errors import KempeError
from kempe.events import Stop
from kempe.forces import LineSpring
from kempe.forces.acting import Acting
from kempe.foreign.asmt.expressions import formula_of
from kempe.foreign.asmt.laws import expression_of
from kempe.foreign.asmt.results import Results, series_lines
from kempe.foreign.imported import Ledger, Report
from kempe.foreign.legal_names import OwnNames
from kempe.foreign.spanning import linear_row
from kempe.geometry import GROUND, Axis, Marker, Pose, Rotation, X, Y, Z
from kempe.geometry.specific import SpecificRates
from kempe.joints import (
    AbstractJoint,
    Angle,
    ConstantVelocity,
    Cylindrical,
    CylSph,
    Fixed,
    Kind,
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
    Screw,
    Spherical,
    Universal,
)
from kempe.measures import Back, Bearing, Displacement, Gauge, Turn
from kempe.model import Body, Model

I, J = Marker("I"), Marker("J")
PLAIN = "the format has no such thing"
ALIKE = 1e-12  # of a law, read again
TRIED = (0.0, 0.37, 1.1, 2.3)  # s: where a law that was written is compared with what is read
UNTIL = tuple(k / 100 for k in range(101))  # s, where nobody asks for other times
Fields = dict[str, str]

# What makes a joint of the format's equations, of a number, and the label and our name of that.
MAKERS: Mapping[str, tuple[Callable[[float], AbstractJoint], str, str]] = {
    "FixedJoint": (lambda _: Fixed(I, J), "", ""),
    "RevoluteJoint": (lambda _: Revolute(I, J), "", ""),
    "SphericalJoint": (lambda _: Spherical(I, J), "", ""),
    "UniversalJoint": (lambda _: Universal(I, J), "", ""),
    "ConstantVelocityJoint": (lambda _: ConstantVelocity(I, J), "", ""),
    "CylindricalJoint": (lambda _: Cylindrical(I, J), "", ""),
    "TranslationalJoint": (lambda _: Prismatic(I, J), "", ""),
    "PointInLineJoint": (lambda _: PointOnLine(I, J), "", ""),
    "PointInPlaneJoint": (lambda x: PointInPlane(I, J, offset=x), "offset", "offset"),
    "LineInPlaneJoint": (lambda x: LineInPlane(I, J, offset=x), "offset", "offset"),
    "PlanarJoint": (lambda x: Planar(I, J, offset=x), "offset", "offset"),
    "NoRotationJoint": (lambda _: NoRotation(I, J), "", ""),
    "ParallelAxesJoint": (lambda _: ParallelAxes(I, J), "", ""),
    "PerpendicularJoint": (lambda _: PerpendicularAxes(I, J), "", ""),
    "AngleJoint": (lambda x: Angle(I, J, angle=x), "theIzJz", "angle"),
    "SphSphJoint": (lambda x: Rod(I, J, length=x), "distanceIJ", "length"),
    "CylSphJoint": (lambda x: CylSph(I, J, length=x), "distanceIJ", "length"),
    "RevCylJoint": (lambda x: RevCyl(I, J, length=x), "distanceIJ", "length"),
    "RevRevJoint": (lambda x: RevRev(I, J, length=x), "distanceIJ", "length"),
}
BY_FREEDOM = {
    Kind.HINGE: "RevoluteJoint",
    Kind.SLIDER: "TranslationalJoint",
    Kind.SLEEVE: "CylindricalJoint",
    Kind.BALL: "SphericalJoint",
    Kind.WELD: "FixedJoint",
}
UPRIGHT = (Kind.HINGE, Kind.SLIDER, Kind.SLOT, Kind.WELD)  # in the plane: they hold a body in it
# Turns that bring another axis to where z is: R e_z = e_axis.
TO_Z = {
    Z: Rotation.identity(),
    X: Rotation.from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    Y: Rotation.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
}


def asmt_text(
    model: Model,
    placed: Mapping[str, Pose],
    readings: Mapping[str, float],
    path: str = "",
    results: Results | None = None,
) -> tuple[str, Report]:
    """The file, and what it does not hold; `placed` are X_WB, `readings` (m, rad) at the start.

    With `results` the time series of its bodies stand at its end.
    """
    times = UNTIL if results is None else results.t.tolist()
    writer = _Writer(model, placed, path, times)
    text, report = writer.written()
    if results is not None:
        names = {body: f"/{writer.home}/{part}" for body, part in writer.parts.items()}
        text += "\n".join([*series_lines(results, names), ""])
    return text, report


@final
class _Writer:
    """Writes one model."""

    def __init__(
        self, model: Model, placed: Mapping[str, Pose], path: str, times: Sequence[float]
    ) -> None:
        self.model, self.ledger = model, Ledger(path)
        self.times = times
        self.placed = {**placed, GROUND: Pose.identity()}
        self.home = self._legal("assembly", model.name)
        names = OwnNames((self.home,))
        self.parts = {GROUND: ""}
        for body in model.moving:
            self.parts[body.name] = names.new(self._legal("body", body.name))
        self.markers: dict[str, dict[str, Marker]] = {b: {} for b in self.parts}
        for body in model.bodies:
            for name, place in body.points.items():
                self._marker(Marker(body.name, place), name)
        self.joints: list[str] = []
        self.motions: list[str] = []
        self.limits: list[str] = []
        self.forces: list[str] = []
        self.known: dict[str, str] = {}  # measure -> full name of the joint that reads it

    def written(self) -> tuple[str, Report]:
        """The text and the report."""
        for joint in self.model.joints:
            self._joint(joint)
        if self.model.plane:
            self._stay_in_the_plane()
        for coupler in self.model.couplers:
            self._couple(coupler)
        for drive in self.model.drives:
            self._drive(drive)
        for event in self.model.events:
            if not (isinstance(event, Stop) and self._stop(event)):
                self.ledger.leave_out(0, event.called, PLAIN)
        for force in self.model.forces:
            if isinstance(force, LineSpring) and force.acting is Acting.BOTH:
                self._spring(force)
            else:
                self.ledger.leave_out(0, f"force {force.name!r}", PLAIN)
        for rate in self.model.rates:
            self.ledger.leave_out(0, f"rate of {rate.gauge.name!r}", PLAIN)
        return self._text(), self.ledger.report

    # -- the file as a whole -----------------------------------------------------------------

    def _text(self) -> str:
        lines = ["OndselSolver", "Assembly", "\tNotes", "\t\t(Text string: '' runs: (Core.RunArray"]
        lines[-1] += " runs: #() values: #()))"
        lines += ["\tName", f"\t\t{self.home}", *_frame(1, Pose.identity())]
        lines += [*_row(1, "Velocity3D", (0, 0, 0)), *_row(1, "Omega3D", (0, 0, 0))]
        lines += [*self._ref_points(GROUND, 1), "\tRefCurves", "\tRefSurfaces", "\tParts"]
        for body in self.model.moving:
            lines += self._part(body)
        lines += ["\tKinematicIJs", "\tConstraintSets", "\t\tJoints", *self.joints]
        lines += ["\t\tMotions", *self.motions, "\t\tLimits", *self.limits]
        lines += ["\t\tGeneralConstraintSets", "\tForceTorques", *self.forces]
        lines += _row(1, "ConstantGravity", self.model.gravity)
        lines.append("\tSimulationParameters")
        start, end = float(self.times[0]), float(self.times[-1])
        step = (end - start) / max(1, len(self.times) - 1)
        settings = {"tstart": start, "tend": end, "hmin": 1e-9, "hmax": 1.0, "hout": step}
        for word, number in {**settings, "errorTol": 1e-6}.items():
            lines += [f"\t\t{word}", f"\t\t\t{number!r}"]
        lines.append("\tAnimationParameters")
        film = {"nframe": 101, "icurrent": 1, "istart": 1, "iend": 101, "isForward": "true"}
        for word, value in {**film, "framesPerSecond": 30}.items():
            lines += [f"\t\t{word}", f"\t\t\t{value}"]
        return "\n".join(lines) + "\n"

    def _part(self, body: Body) -> list[str]:
        lines = ["\t\tPart", "\t\t\tName", f"\t\t\t\t{self.parts[body.name]}"]
        lines += _frame(3, self.placed[body.name])
        for label, given in (("Velocity3D", body.velocity), ("Omega3D", body.spin)):
            if isinstance(given, SpecificRates):
                self.ledger.leave_out(0, f"{label} of {body.name!r}", "it is no vector")
                given = None
            lines += _row(3, label, given or (0.0, 0.0, 0.0))
        lines += ["\t\t\tFeatureOrder", *self._mass(body), *self._ref_points(body.name, 3)]
        if body.shapes:
            self.ledger.leave_out(0, f"shapes of {body.name!r}", "they are not written")
        return [*lines, "\t\t\tRefCurves", "\t\t\tRefSurfaces"]

    def _mass(self, body: Body) -> list[str]:
        """Mass and principal moments in their own frame; all 0 where there are none."""
        mass, moments, X_BP, found = 0.0, np.zeros(3), Pose.identity(), body.inertia
        if found is not None:
            mass, (moments, axes) = found.mass, np.linalg.eigh(found.tensor)
            if np.count_nonzero(found.tensor - np.diag(np.diagonal(found.tensor))) == 0:
                moments, axes = np.diagonal(found.tensor), np.eye(3)
            elif np.linalg.det(axes) < 0.0:
                axes[:, 0] *= -1.0
            X_BP = replace(
                Marker(body.name), position=_triple(found.centre), rotation=_rotation(axes)
            ).pose
        name = OwnNames(self.markers[body.name]).new("MassMarker")
        lines = ["\t\t\tPrincipalMassMarker", "\t\t\t\tName", f"\t\t\t\t\t{name}", *_frame(4, X_BP)]
        lines += _row(4, "Mass", (mass,))
        return [*lines, *_row(4, "MomentOfInertias", moments), *_row(4, "Density", (1.0,))]

    def _ref_points(self, body: str, depth: int) -> list[str]:
        tabs, lines = "\t" * depth, ["\t" * depth + "RefPoints"]
        for name, marker in self.markers[body].items():
            lines += [
                f"{tabs}\tRefPoint",
                *_frame(depth + 2, Pose.identity()),
                f"{tabs}\t\tMarkers",
            ]
            lines += [f"{tabs}\t\t\tMarker", f"{tabs}\t\t\t\tName", f"{tabs}\t\t\t\t\t{name}"]
            lines += _frame(depth + 4, marker.pose)
        return lines

    # -- names -------------------------------------------------------------------------------

    def _legal(self, what: str, name: str) -> str:
        """The name without the strokes that part full names."""
        legal = name.replace("/", "|").strip()
        if legal != name:
            self.ledger.note(0, f"{what} {name!r}", f"is called {legal!r} in the file")
        return legal

    def _marker(self, marker: Marker, wanted: str) -> str:
        """The full name of a marker, which is added to its body."""
        held = self.markers[marker.body]
        name = OwnNames(held).new(wanted.replace("/", "|").strip() or "marker")
        held[name] = marker
        part = self.parts[marker.body]
        return f"/{self.home}/{part}/{name}" if part else f"/{self.home}/{name}"

    def _ends(self, I: Marker, J: Marker, name: str, axis: Axis = Z) -> Fields:
        """Both markers of something of that name, turned so that this axis of theirs is z."""
        R, fields = TO_Z[axis], {}
        for word, marker in (("I", I), ("J", J)):
            turned = marker if axis is Z else replace(marker, rotation=marker.rotation @ R)
            fields[f"Marker{word}"] = self._marker(turned, f"{name}_{word}")
        return fields

    # -- joints ------------------------------------------------------------------------------

    def _joint(self, joint: AbstractJoint) -> None:
        ways = joint.ways(plane=self.model.plane)
        word, number = _namesake(joint)
        lead = getattr(joint, "lead", None)
        if word:
            self._add(joint.name, word, {**self._ends(joint.I, joint.J, joint.name), **number})
        elif lead and _is_like(joint, _screw(joint, lead)):
            self._add(joint.name, "CylindricalJoint", self._ends(joint.I, joint.J, joint.name))
            name = f"{joint.name}_thread"
            fields = self._ends(joint.I, joint.J, name)
            self._add(name, "ScrewJoint", {**fields, "pitch": repr(lead)})
        elif ways.kind in BY_FREEDOM and (ways.axes is not None or ways.kind in LEVEL):
            of_I, of_J = ways.axes or (Z, Z)
            fields = {
                "MarkerI": self._marker(_along(joint.I, of_I), f"{joint.name}_I"),
                "MarkerJ": self._marker(_along(joint.J, of_J), f"{joint.name}_J"),
            }
            self._add(joint.name, BY_FREEDOM[ways.kind], fields)
        elif ways.kind is Kind.SLOT and ways.slide is not None and ways.turn is not None:
            self._slot(joint, ways.slide[0], ways.turn)
        else:
            self.ledger.leave_out(0, f"joint {joint.name!r}", PLAIN)
            return
        full = f"/{self.home}/{joint.name.replace('/', '|')}"
        for measure in joint.measures:
            if measure in (Turn(Z), Displacement(Z)) and word:
                self.known[f"{joint.name}.{measure.word}"] = full

    def _slot(self, joint: AbstractJoint, slide: Axis, turn: tuple[Axis, Axis | None]) -> None:
        """A point on a line, and axes that stay parallel."""
        fields = self._ends(joint.I, joint.J, joint.name, slide)
        self._add(joint.name, "PointInLineJoint", fields)
        name, (of_I, of_J) = f"{joint.name}_axes", turn
        if of_J is None:
            self.ledger.leave_out(0, f"axes of joint {joint.name!r}", PLAIN)
            return
        ends = {
            "MarkerI": self._marker(_along(joint.I, of_I), f"{name}_I"),
            "MarkerJ": self._marker(_along(joint.J, of_J), f"{name}_J"),
        }
        self._add(name, "ParallelAxesJoint", ends)

    def _add(self, name: str, kind: str, fields: Fields) -> None:
        self.joints += _entry(3, kind, {"Name": name.replace("/", "|"), **fields})

    def _stay_in_the_plane(self) -> None:
        """A PlanarJoint for every body that no chain of hinges and sliders holds to the ground."""
        beside: dict[str, set[str]] = {name: set() for name in self.parts}
        for joint in self.model.joints:
            if joint.ways(plane=True).kind in UPRIGHT and len(joint.markers) == 2:
                beside[joint.I.body].add(joint.J.body)
                beside[joint.J.body].add(joint.I.body)
        done, waiting = {GROUND}, [GROUND]
        bodies = iter(body.name for body in self.model.moving)
        while True:
            while waiting:
                new = beside[waiting.pop()] - done
                done |= new
                waiting += new
            loose = next((name for name in bodies if name not in done), None)
            if loose is None:
                return
            name = f"{loose}_in_plane"
            height = float(self.placed[loose].position.z)
            fields = self._ends(Marker(GROUND), Marker(loose), name)
            self._add(name, "PlanarJoint", {**fields, "offset": repr(height)})
            self.ledger.note(0, f"body {loose!r}", f"is kept in the plane by {name!r}")
            done.add(loose)
            waiting.append(loose)

    def _couple(self, coupler: AbstractCoupler) -> None:
        """A gear, rack or screw joint, for a row c1 m1 + c2 m2 = constant of what these read."""
        kinds = tuple(gauge.measure for gauge in coupler.gauges)
        ends = {(gauge.I, gauge.J) for gauge in coupler.gauges}
        row = linear_row(coupler)
        if kinds not in COUPLED or len(ends) != 1 or row is None or not all(row[1]):
            why = "only wheels in mesh, racks and screws between two markers can be written"
            self.ledger.leave_out(0, f"coupler {coupler.name!r}", why)
            return
        share, (kind, label, factor) = row[1][1] / row[1][0], COUPLED[kinds]
        fields = {**self._ends(*ends.pop(), coupler.name), label: repr(factor * share)}
        if kind == "GearJoint":
            fields["radiusJ"] = "1.0"
        self._add(coupler.name, kind, fields)

    # -- motions and forces ------------------------------------------------------------------

    def _read(self, gauge: Gauge, name: str) -> tuple[str, Fields] | None:
        """Rotation or Translation, and where it is read; None of what is neither."""
        measure = gauge.measure
        if not isinstance(measure, Turn | Displacement):
            return None
        word = "Rotation" if isinstance(measure, Turn) else "Translation"
        if gauge.name in self.known:
            return word, {"MotionJoint": self.known[gauge.name]}
        return word, self._ends(gauge.I, gauge.J, name, measure.axis)

    def _drive(self, drive: Drive) -> None:
        name = (drive.name or f"{drive.gauge.name.replace('.', '_')}_motion").replace("/", "|")
        law = self._law(drive.law)
        found = self._read(drive.gauge, name) if law is not None else None
        if law is None or found is None:
            why = "its law is no formula of the format" if law is None else PLAIN
            self.ledger.leave_out(0, f"drive on {drive.gauge.name!r}", why)
            return
        word, where = found
        fields = {"Name": name, **where, f"{word}Z": law}
        self.motions += _entry(3, f"{word}alMotion", fields)

    @staticmethod
    def _law(law: AbstractLaw) -> str | None:
        """The law as an expression, if what is read of that is the same law."""
        text = expression_of(law)
        if text is None:
            return None
        try:
            again = TextFormula(formula_of(text))
            for t in TRIED:
                a, b = float(law.value(t)), float(again.value(t))
                if not abs(a - b) <= ALIKE * max(1.0, abs(a)):
                    return None
        except KempeError:
            return None
        return text

    def _stop(self, stop: Stop) -> bool:
        found = self._read(stop.gauge, stop.name)
        if found is None:
            return False
        word, where = found
        for value, sign, end in ((stop.low, "=>", "low"), (stop.high, "=<", "high")):
            if value is None:
                continue
            both = stop.low is not None and stop.high is not None
            name = f"{stop.name}_{end}" if both else stop.name
            fields = {"Name": name.replace("/", "|"), **where, "Limit": repr(value), "Type": sign}
            self.limits += _entry(3, f"{word}Limit", {**fields, "Tol": "1.0e-9"})
        if stop.restitution:
            self.ledger.leave_out(0, f"restitution of {stop.called}", PLAIN)
        return True

    def _spring(self, force: LineSpring) -> None:
        k, c, free, preload = force.stiffness, force.damping, force.free, force.preload
        tension = f"({preload!r} + {k!r}*(rIJ(self) + ({-free!r})) + {c!r}*vrIJ(self))"
        fields = {"Name": force.name.replace("/", "|"), **self._ends(force.I, force.J, force.name)}
        self.forces += _entry(2, "InLineForceTorque", {**fields, "tension": tension, "twist": "0"})


# Pairs of measures that a joint of the format couples: its kind, and its number for a share of 1.
COUPLED = {
    (Back(Bearing()), Bearing()): ("GearJoint", "radiusI", 1.0),
    (Displacement(X), Turn(Z)): ("RackPinionJoint", "pitchRadius", 1.0),
    (Displacement(Z), Turn(Z)): ("ScrewJoint", "pitch", -math.tau),
}
LEVEL = (Kind.BALL, Kind.WELD)  # they have no axis of their own


def _namesake(joint: AbstractJoint) -> tuple[str, Fields]:
    """The kind of the format with the same rows, and its number; nothing where there is none."""
    for word, (make, label, field) in MAKERS.items():
        number = getattr(joint, field, None) if field else 0.0
        if isinstance(number, float):
            try:
                made = make(number)
            except KempeError:
                continue
            if _is_like(joint, made):
                return word, {label: repr(number)} if label else {}
    return "", {}


def _screw(joint: AbstractJoint, lead: float) -> AbstractJoint:
    return Screw(I, J, lead=lead, start=getattr(joint, "start", None))


def _is_like(joint: AbstractJoint, other: AbstractJoint) -> bool:
    """Whether both hold the same by the same rows between two markers."""
    return (
        bool(joint.constraints)
        and len(joint.markers) == 2
        and joint.constraints == other.constraints
        and joint.held == other.held
        and not joint.velocity_rows
    )


def _along(marker: Marker, axis: Axis) -> Marker:
    """The marker turned so that this axis of it is z."""
    return marker if axis is Z else replace(marker, rotation=marker.rotation @ TO_Z[axis])


def _rotation(matrix: Any) -> Rotation:
    return Rotation.from_matrix(matrix)


def _triple(numbers: Iterable[Any]) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in numbers)
    return (x, y, z)


def _entry(depth: int, kind: str, fields: Fields) -> list[str]:
    tabs, lines = "\t" * depth, ["\t" * depth + kind]
    for label, value in fields.items():
        lines += [f"{tabs}\t{label}", f"{tabs}\t\t{value}"]
    return lines


def _row(depth: int, label: str, numbers: Iterable[Any]) -> list[str]:
    tabs = "\t" * depth
    return [f"{tabs}{label}", f"{tabs}\t{_words(numbers)}"]


def _frame(depth: int, X: Pose) -> list[str]:
    tabs = "\t" * depth
    rows = np.asarray(X.rotation.matrix(), dtype=np.float64)
    lines = [*_row(depth, "Position3D", X.position), f"{tabs}RotationMatrix"]
    return [*lines, *(f"{tabs}\t{_words(row)}" for row in rows)]


def _words(numbers: Iterable[Any]) -> str:
    return "\t".join(repr(float(x) + 0.0) for x in numbers)
