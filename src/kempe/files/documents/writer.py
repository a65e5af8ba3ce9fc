"""From a model to data that a file can hold, exactly: reading it back gives the same model."""

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, final

from kempe.compile.trace.part_names import gauges_by_name
from kempe.couplers import AbstractCoupler
from kempe.disk import replace_file
from kempe.drives import AbstractLaw, Drive
from kempe.errors import FileError, KempeError
from kempe.events import AbstractEvent
from kempe.files.documents.document import Document
from kempe.files.schema.kinds import AbstractKind
from kempe.files.schema.schema import VERSION, family
from kempe.files.syntax.source import LONGEST_NAME, shown
from kempe.files.syntax.text import WRITERS
from kempe.forces import AbstractForce
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.solids import AbstractSolid
from kempe.geometry.specific import AbstractOrientator, AbstractTranslator, SpecificRates
from kempe.joints import AbstractJoint
from kempe.measures import AbstractMeasure, Gauge
from kempe.model import Body, Model, Output
from kempe.model.shape import BodyShape
from kempe.names import flaw_of

Data = dict[str, Any]


@final
class Writer:
    """Writes the parts of one model; FileError where a part is more than a file can hold."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.gauges = gauges_by_name(
            replace(model, drives=(), couplers=(), forces=(), rates=(), events=())
        )
        self.about = ""  # the part that is being written, for messages

    def document(self) -> Data:
        """The whole document."""
        model = self.model
        data: Data = {"version": VERSION, "name": model.name, "plane": model.plane}
        if any(model.gravity):
            data["gravity"] = _floats(model.gravity)
        if model.length_unit != "m":
            data["units"] = {"length": "m", "shown": model.length_unit}
        sections = {
            "bodies": {b.name: self.body(b) for b in model.bodies},
            "joints": self._members("joint", AbstractJoint, model.joints),
            "gauges": self._unique("gauge", [(g.name, self._record(g)) for g in model.gauges]),
            "couplers": self._members("coupler", AbstractCoupler, model.couplers),
            "forces": self._members("force", AbstractForce, model.forces),
            "events": self._members("event", AbstractEvent, model.events),
            "drives": self._unique("drive", [(d.gauge.name, self.drive(d)) for d in model.drives]),
        }
        known = {*self.gauges, *(d.gauge.name for d in model.drives)}
        for rate in model.rates:
            if rate.gauge.name not in known or not self._is_known(rate.gauge):
                raise FileError(
                    f"the rate of {rate.gauge.name!r} cannot be written to a file: give the model"
                    " a gauge of that name.",
                    name=rate.gauge.name,
                )
        sections["rates"] = {r.gauge.name: float(r.rate) for r in model.rates}
        for section in sections.values():
            for name in section:
                _check_name(name)
        data |= {title: section for title, section in sections.items() if section}
        if model.outputs:
            data["outputs"] = [_output(output) for output in model.outputs]
        return data

    def _members(self, what: str, base: type, parts: Sequence[Any]) -> Data:
        entries = []
        for part in parts:
            self.about = f"{what} {part.name!r}"
            entries.append((part.name, self.member(base, part)))
        return self._unique(what, entries)

    def _unique(self, what: str, entries: list[tuple[str, Any]]) -> Data:
        found: Data = {}
        for name, entry in entries:
            if name in found:
                raise FileError(f"a file cannot hold two {what}s of the name {name!r}.", name=name)
            found[name] = entry
        return found

    # -- parts -------------------------------------------------------------------------------

    def body(self, body: Body) -> Data:
        """A body with its points, its guess and its inertia."""
        self.about = f"body {body.name!r}"
        data: Data = {} if body.guess is None else self._guess(body.guess, body.anywhere)
        for name in body.points:
            _check_name(name)
        length, points, outline = _bar(body)
        if length:
            data["length"] = length
        if points:
            data["points"] = {name: self._place(at) for name, at in points.items()}
        if outline:
            data["outline"] = list(outline)
        if body.inertia is not None and not body.has_mass_of_shapes:
            data["inertia"] = self.inertia(body.inertia)
        if body.shapes:
            data["shapes"] = {shape.name: self._shape(body, shape) for shape in body.shapes}
        if body.velocity is not None:
            data["velocity"] = self._start(AbstractTranslator, body.velocity)
        if body.spin is not None:
            data["spin"] = self._start(AbstractOrientator, body.spin)
        return data

    def _shape(self, body: Body, shape: BodyShape) -> Data:
        """A solid where it lies; its density where the body's inertia follows from it."""
        data = {"solid": self.member(AbstractSolid, shape.solid), **self.pose(shape.at)}
        if shape.density is not None and body.has_mass_of_shapes:
            data["density"] = shape.density
        return data

    def _guess(self, guess: Pose, anywhere: bool) -> Data:
        """A first guess of a pose, or of a turn alone."""
        if not anywhere:
            return self.pose(guess)
        return self.rotation(guess.rotation) or {"angle": 0.0}

    def drive(self, drive: Drive) -> Any:
        """A law; with the measure where its name alone does not say which."""
        self.about = f"the drive on {drive.gauge.name!r}"
        law = self.member(AbstractLaw, drive.law)
        record: Data = {"law": law}
        if not self._is_known(drive.gauge):
            record["gauge"] = self._record(drive.gauge)
        if drive.name:
            record["name"] = drive.name
        return law if len(record) == 1 else record

    def _start(self, base: type, given: Any) -> Any:
        """Components, or rates of specific coordinates."""
        if not isinstance(given, SpecificRates):
            return _floats(given)
        return {"coordinates": self.member(base, given.coordinates), "rates": list(given.rates)}

    def member(self, base: type, thing: Any) -> Any:
        """A joint, coupler, law, measure or constraint."""
        known = family(base)
        word = known.word_of(thing)
        if word is None:
            kind = type(thing).__name__
            why = known.unwritable.get(type(thing), f"kempe exports no {known.name} of that name")
            advice = " Give the law as text (TextFormula)." if base is AbstractLaw else ""
            raise FileError(
                f"{self.about} cannot be written to a file: it is a {kind}, and {why}.{advice}",
                part=self.about,
            )
        return {"type": word.word, **self.fields(word.fields, thing)}

    def fields(self, fields: Mapping[str, AbstractKind], thing: Any) -> Data:
        """The fields of a thing; None only where its class would put something else."""
        defaults = {field.name: field.default for field in dataclasses.fields(thing)}
        data: Data = {}
        for field, kind in fields.items():
            value = getattr(thing, field)
            if value is None and defaults[field] is None:
                continue
            if _is_endless(value) and value == defaults[field]:
                continue  # a file holds finite numbers, and reading puts it back
            data[field] = kind.write(value, self)
        return data

    # -- frames ------------------------------------------------------------------------------

    def gauge(self, gauge: Gauge) -> Any:
        """A measure by its name where that says all, else between its markers."""
        return gauge.name if self._is_known(gauge) else {"name": gauge.name, **self._record(gauge)}

    def _record(self, gauge: Gauge) -> Data:
        measure = self.member(AbstractMeasure, gauge.measure)
        return {"measure": measure, "I": self.marker(gauge.I), "J": self.marker(gauge.J)}

    def _is_known(self, gauge: Gauge) -> bool:
        known = self.gauges.get(gauge.name)
        return (
            known is not None
            and known.measure == gauge.measure
            and _same_marker(known.I, gauge.I)
            and _same_marker(known.J, gauge.J)
        )

    def marker(self, marker: Marker) -> Any:
        """A point by its name where it has one, else a frame on the body."""
        turn = self.rotation(marker.rotation)
        place = _floats(marker.position)
        if not turn:
            points = next((b.points for b in self.model.bodies if b.name == marker.body), {})
            for name, point in points.items():
                if _same(point, place):
                    return f"{marker.body}.{name}"
            if _same(place, (0.0, 0.0, 0.0)):
                return marker.body
        return {"body": marker.body, "at": self._place(place), **turn}

    def pose(self, pose: Pose) -> Data:
        """A frame."""
        return {"at": self._place(pose.position), **self.rotation(pose.rotation)}

    def _place(self, position: Any) -> list[float]:
        """A position; in the plane without its third coordinate."""
        place = _floats(position)
        return place[:2] if self.model.plane and place[2] == 0.0 else place

    def vector(self, vector: Vector) -> list[float]:
        """Three numbers."""
        return _floats(vector)

    def rotation(self, rotation: Rotation) -> Data:
        """The shortest of angle, axis and matrix that gives the same rotation to the last digit."""
        angle = rotation.angle
        if angle is not None:
            if _same_rotation(Rotation.planar(float(angle)), rotation):
                return {} if _same([angle], [0.0]) else {"angle": float(angle)}
        else:
            z = _floats(rotation.z)
            if any(z) and _same_rotation(Rotation.with_z(z), rotation):
                return {"axis": z}
        rows = [_floats(row) for row in zip(rotation.x, rotation.y, rotation.z, strict=True)]
        return {"matrix": rows} if angle is None else {"angle": float(angle), "matrix": rows}

    def inertia(self, inertia: Inertia) -> Data:
        """Mass, centre and tensor."""
        return {
            "mass": float(inertia.mass),
            "centre": _floats(inertia.centre),
            "tensor": [_floats(row) for row in inertia.tensor],
        }


def _bar(body: Body) -> tuple[float, Mapping[str, Any], Sequence[str]]:
    """The length of a body that is a bar, and what that does not say; 0 for all other bodies.

    A bar has the points start (0, 0, 0) and end (length, 0, 0) before all others, and is drawn
    through all of them in order.
    """
    points = dict(body.points)
    if tuple(points)[:2] != ("start", "end") or tuple(body.outline) != tuple(points):
        return 0.0, points, body.outline
    start, end = _floats(points["start"]), _floats(points["end"])
    signs = [math.copysign(1.0, x) for x in (*start, *end)]  # -0.0 is another bit
    if any((*start, *end[1:])) or min(signs) < 0.0 or not end[0] > 0.0:
        return 0.0, points, body.outline
    return end[0], {name: points[name] for name in tuple(points)[2:]}, ()


def _output(output: Output) -> Any:
    if not output.name:
        return output.text
    unit = {"unit": output.unit} if output.unit else {}
    return {"name": output.name, "value": output.text, **unit}


def _check_name(name: str) -> None:
    flaw = f"it has {len(name)}" if len(name) > LONGEST_NAME else flaw_of(name)
    if flaw:
        raise FileError(
            f"{shown(name)} is no name that a file can hold: 1 to {LONGEST_NAME} characters that"
            f" can be printed, in Unicode's composed form (NFC), no blank at the ends; {flaw}.",
            name=name,
        )


def _floats(numbers: Any) -> list[float]:
    return [float(x) for x in numbers]


def _same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return all(float(x) == float(y) for x, y in zip(a, b, strict=True))


def _same_rotation(a: Rotation, b: Rotation) -> bool:
    angles = [[] if r.angle is None else [r.angle] for r in (a, b)]
    if len(angles[0]) != len(angles[1]):
        return False
    columns = zip((a.x, a.y, a.z), (b.x, b.y, b.z), strict=True)
    return _same(*angles) and all(_same(list(p), list(q)) for p, q in columns)


def _same_marker(a: Marker, b: Marker) -> bool:
    is_same_place = a.body == b.body and _same(a.position, b.position)
    return is_same_place and _same_rotation(a.rotation, b.rotation)


def _is_endless(value: Any) -> bool:
    """Whether a value is made of infinite numbers, as the limits of a line are."""
    if isinstance(value, tuple):
        return bool(value) and all(_is_endless(entry) for entry in value)
    return isinstance(value, float) and math.isinf(value)


def document_data(model: Model) -> dict[str, Any]:
    """The document of a model: SI numbers, every part written out."""
    return Writer(model).document()


def write_model(model: Model, path: str | Path, run: Mapping[str, Any] | None = None) -> Path:
    """Write a model to a .yaml, .yml or .json file; reading it gives the same model exactly.

    `run` is what the file asks for, as its section `run` says it.
    """
    return _write(document_data(model) | ({"run": dict(run)} if run else {}), path)


def write_document(document: Document, path: str | Path) -> Path:
    """Write a document as it stands: with its parameters, units and expressions."""
    return _write(document.data, path)


def _write(data: Mapping[str, Any], path: str | Path) -> Path:
    target = Path(path)
    text = WRITERS.get(target.suffix.lower())
    if text is None:
        raise FileError(f"a model file ends in {', '.join(WRITERS)}.", path=str(path))
    return replace_file(target, text(data).encode())


def model_text(model: Model) -> str:
    """The document of a model as JSON; empty where the model is more than a file can hold."""
    from kempe.files.documents.writer import document_data

    try:
        return json.dumps(document_data(model))
    except KempeError:
        return ""
