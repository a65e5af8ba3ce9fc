"""Motions and limits of an ASMT assembly as drives and stops.

RotationalMotion: a = f(t), the turn of J against I about z.  TranslationalMotion: d . z_I = f(t).
GeneralMotion: d = (f_1, f_2, f_3) in the axes of I and R_IJ = R_a(g_1) R_b(g_2) R_c(g_3), the axes
a, b, c by RotationOrder. Angles that stand still turn marker J once and for all; for those that
move, two massless links between I and J turn one after another, each driven by its angle.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from kempe.algebra.text.grammar import parse
from kempe.drives import Drive, TextFormula
from kempe.events import AbstractEvent, Stop
from kempe.files.syntax.source import shown
from kempe.foreign.asmt.connections import Connections, X_of
from kempe.foreign.asmt.expressions import formula_of
from kempe.foreign.asmt.frames import Frames
from kempe.foreign.asmt.outline import Entry
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import ROOMY, LegalNames, legalized, unique
from kempe.geometry import Marker, Pose, Rotation, Vector, X, Y, Z
from kempe.joints import AbstractJoint, NoRotation, ParallelAxes, Revolute
from kempe.measures import AbstractMeasure, Displacement, Gauge, Turn
from kempe.model import Body

AXES = {1: (1.0, 0.0, 0.0), 2: (0.0, 1.0, 0.0), 3: (0.0, 0.0, 1.0)}
SLIDES = (("rIJI1", Displacement(X)), ("rIJI2", Displacement(Y)), ("rIJI3", Displacement(Z)))
ANGLES = ("angIJJ1", "angIJJ2", "angIJJ3")
# Some writers of the format leave the expressions of motions out.
LAWS = ("RotationZ", "TranslationZ", "Limit", *(label for label, _ in SLIDES), *ANGLES)
NOWHERE = Vector(0.0, 0.0, 0.0)


@final
@dataclass(slots=True)
class Motions:
    """What the motions and limits of an assembly add to its model."""

    drives: list[Drive] = field(default_factory=list)
    gauges: list[Gauge] = field(default_factory=list)
    joints: list[AbstractJoint] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    stops: list[AbstractEvent] = field(default_factory=list)


@final
@dataclass(slots=True)
class MotionReader:
    """Reads the motions and limits of one assembly, whose clock shows `start` (s) at t = 0."""

    frames: Frames
    connections: Connections
    names: LegalNames
    ledger: Ledger
    start: float
    found: Motions = field(default_factory=Motions)
    read_of: dict[tuple[str, str], Gauge] = field(default_factory=dict)  # by who reads, and what

    def read(self, assembly: Entry) -> Motions:
        """All motions and limits; what is neither is left out and said."""
        sets = assembly.below("ConstraintSets")
        if sets is None:
            return self.found
        kinds: Mapping[str, Callable[[Entry, str], None]] = {
            "RotationalMotion": self._rotational,
            "TranslationalMotion": self._translational,
            "GeneralMotion": self._general,
            "RotationLimit": self._rotation_limit,
            "TranslationLimit": self._translation_limit,
        }
        for entry in (*sets.members("Motions"), *sets.members("Limits")):
            name = entry.value("Name")
            if entry.text not in kinds:
                why = "no such motion is known"
                if entry.text == "AllowRotation":
                    why = "it holds a turn while parts are put together, and kempe keeps turns near"
                self.ledger.leave_out(entry.line, f"{entry.text} {shown(name)}", why)
                continue
            if not any(one.text in LAWS for one in entry.entries):
                why = "the file does not say how it moves"
                self.ledger.leave_out(entry.line, f"{entry.text} {shown(name)}", why)
                continue
            with self.ledger.at(entry.line, f"{entry.text} {shown(name)}"):
                kinds[entry.text](entry, name)
        known = ("Joints", "Motions", "Limits", "GeneralConstraintSets")
        for section in sets.entries:
            members = section.entries if section.text == "GeneralConstraintSets" else [section]
            for entry in members if section.text not in known[:3] else []:
                self.ledger.leave_out(entry.line, shown(entry.text), "no such set is known")
        return self.found

    # -- motions -----------------------------------------------------------------------------

    def _rotational(self, entry: Entry, name: str) -> None:
        self._drive(self._gauge(entry, name, Turn(Z)), self._law(entry, "RotationZ"), name, entry)

    def _translational(self, entry: Entry, name: str) -> None:
        gauge = self._gauge(entry, name, Displacement(Z))
        self._drive(gauge, self._law(entry, "TranslationZ"), name, entry)

    def _general(self, entry: Entry, name: str) -> None:
        own = self.names.part(name, "motion", entry.line)
        _, I, J = self._ends(entry)
        for label, measure in SLIDES:
            gauge = Gauge(f"{own}.{measure.word}", measure, I, J)
            self.found.gauges.append(gauge)
            self.found.drives.append(Drive(gauge, self._law(entry, label)))
        order = [int(n) if n in AXES else 0 for n in self._order(entry)]
        if 0 in order:
            raise entry.must("RotationOrder").mistake("a rotation is about axes 1, 2 and 3.")
        laws = [self._law(entry, label) for label in ANGLES]
        if all(not parse(law.text).names for law in laws):
            R_IJ = Rotation.identity()
            for axis, law in zip(order, laws, strict=True):
                R_IJ = R_IJ @ Rotation.about(AXES[axis], float(law.value(0.0)))
            kept = replace(J, rotation=J.rotation @ R_IJ.inverse())
            self.found.joints.append(NoRotation(I, kept, own))
        else:
            self._turn_by_links(own, I, J, order, laws)

    @staticmethod
    def _order(entry: Entry) -> tuple[float, ...]:
        if entry.below("RotationOrder") is None:
            return (1.0, 2.0, 3.0)
        return entry.numbers("RotationOrder", 3)

    def _turn_by_links(
        self, own: str, I: Marker, J: Marker, order: list[int], laws: list[TextFormula]
    ) -> None:
        """Two massless links at I that turn about the first two axes, and J about the third."""
        placed = {b.name: b.guess or Pose.identity() for b in self.frames.bodies}
        X_WL, before = X_of(placed, I), I
        for k, (axis, law) in enumerate(zip(order, laws, strict=True)):
            along = Rotation.with_z(AXES[axis])
            X_WL = X_WL @ Pose(NOWHERE, Rotation.about(AXES[axis], float(law.value(0.0))))
            link = f"{own}_link_{k + 1}"
            after = J if k == 2 else Marker(link)
            ends = [replace(m, rotation=m.rotation @ along) for m in (before, after)]
            name = f"{own}_turn_{k + 1}"
            kind = ParallelAxes if k == 2 else Revolute
            joint = kind(ends[0], ends[1], name)
            self.found.joints.append(joint)
            self.found.drives.append(Drive(Gauge(f"{name}.angle", Turn(Z), *ends), law))
            if k < 2:
                self.found.bodies.append(Body(link, guess=X_WL))
            before = after

    def _drive(self, gauge: Gauge, law: TextFormula, name: str, entry: Entry) -> None:
        own = self.names.part(name, "motion", entry.line)
        self.found.drives.append(Drive(gauge, law, own))

    def _law(self, entry: Entry, label: str) -> TextFormula:
        text = entry.value(label)
        with self.ledger.at(entry.must(label).line):
            return TextFormula(formula_of(text, start=self.start))

    def _ends(self, entry: Entry) -> tuple[str, Marker, Marker]:
        """A name for what is read, and the markers: of a joint, or the entry's own."""
        joint = entry.below("MotionJoint")
        if joint is not None and joint.entries:
            return self.connections.named(entry, "MotionJoint")
        I, J = (self.frames.marker(entry, label) for label in ("MarkerI", "MarkerJ"))
        return "", I, J

    def _gauge(self, entry: Entry, name: str, measure: AbstractMeasure) -> Gauge:
        joint, I, J = self._ends(entry)
        if joint:
            held = next((j for j in self.connections.joints if j.name == joint), None)
            if held is not None and measure in held.measures:
                return Gauge(f"{joint}.{measure.word}", measure, held.I, held.J)
        key = (joint or name, measure.word)
        if key not in self.read_of:
            called = f"{legalized(key[0][:ROOMY], 'motion')}.{measure.word}"
            joints = self.connections.joints
            others = [f"{j.name}.{held.word}" for j in joints for held in j.measures]
            others += [gauge.name for gauge in self.found.gauges]
            self.read_of[key] = Gauge(unique(called, others), measure, I, J)
            self.found.gauges.append(self.read_of[key])
        return self.read_of[key]

    # -- limits ------------------------------------------------------------------------------

    def _rotation_limit(self, entry: Entry, name: str) -> None:
        self._limit(entry, name, Turn(Z))

    def _translation_limit(self, entry: Entry, name: str) -> None:
        self._limit(entry, name, Displacement(Z))

    def _limit(self, entry: Entry, name: str, measure: AbstractMeasure) -> None:
        gauge = self._gauge(entry, name, measure)
        law, kind = self._law(entry, "Limit"), entry.value("Type")
        if parse(law.text).names:
            raise entry.must("Limit").mistake("a limit is a number, and this one moves with time.")
        if kind not in ("=<", "=>"):
            raise entry.must("Type").mistake(f"a limit is =< or =>, not {shown(kind)}.")
        own, value = self.names.part(name, "limit", entry.line), float(law.value(0.0))
        ends = {"high": value} if kind == "=<" else {"low": value}
        if not math.isfinite(value):
            raise entry.must("Limit").mistake("a limit is a finite number.")
        self.found.stops.append(Stop(gauge, **ends, name=own))
