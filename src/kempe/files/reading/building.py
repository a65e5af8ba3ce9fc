"""From a checked document to a model: its bodies, what it uses or merges, and its own parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from kempe.compile.trace.part_names import gauges_by_name
from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.errors import (
    BadConnection,
    BadNumber,
    DuplicateName,
    KempeError,
    ModelError,
    UnknownName,
    nearest_name,
)
from kempe.events import AbstractEvent
from kempe.files.reading.library import Budget, used_model
from kempe.files.reading.reader import TURNINGS, Reader
from kempe.files.reading.scope import AtPath, Scope, located
from kempe.files.syntax.source import MOST_BODIES, Path, shown
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Inertia, Pose, Vector
from kempe.geometry.section import Section
from kempe.geometry.solids import AbstractSolid, Mesh
from kempe.geometry.specific import AbstractOrientator, AbstractTranslator, SpecificRates
from kempe.joints import AbstractJoint
from kempe.measures import Gauge
from kempe.model import Body, Model, Output, merge_models
from kempe.model.beam import Beam
from kempe.model.editing import removed
from kempe.model.shape import BodyShape, inertia_of
from kempe.model.start_rate import StartRate
from kempe.units import in_base_units

OWN_SHAPE = "shape1"  # what the builder calls the first one, too


@final
@dataclass(frozen=True, slots=True)
class BodyReader:
    """Reads bodies; a mistake is raised as AtPath."""

    reader: Reader
    open_mesh: "OpenMesh"

    def body(self, name: str, data: Mapping[str, Any], path: Path) -> Body:
        """A body, or a bar where a length is given."""
        points = {
            point: self.reader.point(at, (*path, "points", point))
            for point, at in (data.get("points") or {}).items()
        }
        outline = tuple(data.get("outline") or ())
        if data.get("length") is not None:
            points, outline = self._bar(name, data["length"], points, outline, path)
        for k, corner in enumerate(outline):
            if corner not in points:
                message = f"{name!r} has no point {shown(corner)}.{nearest_name(corner, points)}"
                raise AtPath((*path, "outline", k), UnknownName(message))
        is_placed = any(data.get(word) is not None for word in ("at", *TURNINGS))
        guess = self.reader.pose(data, path) if is_placed else None
        inertia = data.get("inertia")
        mass = None if inertia is None else self.inertia(inertia, (*path, "inertia"))
        velocity, spin = data.get("velocity"), data.get("spin")
        motion = (
            None if velocity is None else self._velocity(velocity, (*path, "velocity")),
            None if spin is None else self._spin(spin, (*path, "spin")),
        )
        shapes = self._shapes(data, points, path)
        of_shapes = inertia_of(shapes)
        if mass is not None and of_shapes is not None:
            message = "a body has an `inertia` or shapes with a density: leave one of them out."
            raise AtPath((*path, "inertia"), ModelError(message), of_key=True)
        mass = of_shapes if mass is None else mass
        anywhere = guess is not None and data.get("at") is None
        return self.reader.attempt(
            path,
            lambda: Body(
                name, points, guess, mass, outline, *motion, anywhere=anywhere, shapes=shapes
            ),
        )

    def _shapes(
        self, data: Mapping[str, Any], points: Mapping[str, Any], path: Path
    ) -> tuple[BodyShape, ...]:
        """All solids of a body: its `shape`, lying on a bar as `Builder.bar` puts it, and those
        with a name of their own.
        """
        named = [
            self._shape(shape, entry, (*path, "shapes", shape))
            for shape, entry in (data.get("shapes") or {}).items()
        ]
        own, density = data.get("shape"), data.get("density")
        if own is None and density is not None:
            message = "`density` goes with a `shape`, from which the mass follows."
            raise AtPath((*path, "density"), ModelError(message), of_key=True)
        if own is None:
            return tuple(named)
        solid = self.reader.member(AbstractSolid, own, (*path, "shape"))
        is_bar = data.get("length") is not None
        pose = solid.on_bar(float(points["end"][0])) if is_bar else Pose.identity()
        weight = self._density(data, path)
        first = self.reader.attempt(path, lambda: BodyShape(OWN_SHAPE, solid, pose, weight))
        return (first, *named)

    def _density(self, data: Mapping[str, Any], path: Path) -> float | None:
        given = data.get("density")
        if given is None:
            return None
        return self.reader.number(given, "kg/m^3", (*path, "density"))

    def _shape(self, name: str, data: Mapping[str, Any], path: Path) -> BodyShape:
        """A solid, or a mesh in a file, where it lies; in the plane in a layer of its own."""
        if (data.get("solid") is None) == (data.get("mesh") is None):
            raise AtPath(path, ModelError("a shape is a `solid` or a `mesh`: give one of them."))
        if data.get("mesh") is not None:
            solid: AbstractSolid = self.open_mesh(data["mesh"], data.get("unit") or "m", path)
        elif data.get("unit") is not None:
            message = "`unit` goes with a `mesh`, whose file says none."
            raise AtPath((*path, "unit"), ModelError(message), of_key=True)
        else:
            solid = self.reader.member(AbstractSolid, data["solid"], (*path, "solid"))
        place = data.get("at")
        here = (0.0, 0.0, 0.0)
        at = Vector(*(here if place is None else self.reader.triple(place, "m", (*path, "at"))))
        pose = Pose(at, self.reader.rotation(data, path))
        weight = self._density(data, path)
        return self.reader.attempt(path, lambda: BodyShape(name, solid, pose, weight))

    def _velocity(self, data: Any, path: Path) -> tuple[float, float, float] | SpecificRates:
        """Components, or rates of coordinates of a place."""
        if isinstance(data, Mapping):
            return self._rates(AbstractTranslator, data, path)
        return self.reader.triple(data, "m/s", path)

    def _rates(self, base: type, data: Mapping[str, Any], path: Path) -> SpecificRates:
        coordinates = self.reader.member(base, data["coordinates"], (*path, "coordinates"))
        rates = tuple(
            None if x is None else self.reader.number(x, "", (*path, "rates", k))
            for k, x in enumerate(data["rates"])
        )
        return self.reader.attempt(path, lambda: SpecificRates(coordinates, rates))

    def _spin(self, data: Any, path: Path) -> tuple[float, float, float] | SpecificRates:
        """Three numbers, one about z, or rates of coordinates of an orientation."""
        if isinstance(data, Mapping):
            return self._rates(AbstractOrientator, data, path)
        if isinstance(data, list):
            return self.reader.triple(data, "rad/s", path)
        return 0.0, 0.0, self.reader.number(data, "rad/s", path)

    def _bar(
        self, name: str, length: Any, points: dict[str, Any], outline: tuple[str, ...], path: Path
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        metres = self.reader.number(length, "m", (*path, "length"))
        if not metres > 0.0:
            message = f"bar {name!r} has length {shown(length)}: a bar needs a positive length."
            raise AtPath((*path, "length"), BadNumber(message))
        for end in ("start", "end"):
            if end in points:
                message = f"bar {name!r} has a point {end!r} already, by its length."
                raise AtPath((*path, "points", end), ModelError(message))
        ends = {"start": (0.0, 0.0, 0.0), "end": (metres, 0.0, 0.0)}
        return ends | points, outline or ("start", "end", *points)

    def inertia(self, data: Mapping[str, Any], path: Path) -> Inertia:
        """Mass, centre of mass, and the tensor or its diagonal; or all of it from a solid."""
        if data.get("solid") is not None:
            return self._of_solid(data, path)
        for word in ("density", "at", *TURNINGS):
            if data.get(word) is not None:
                message = f"`{word}` goes with a `solid`, of which it says more."
                raise AtPath((*path, word), ModelError(message), of_key=True)
        if data.get("mass") is None:
            raise AtPath(path, ModelError("'mass' is missing: say how heavy it is."))
        mass = self.reader.number(data["mass"], "kg", (*path, "mass"))
        at = data.get("centre")
        centre = (0.0, 0.0, 0.0) if at is None else self.reader.point(at, (*path, "centre"))
        given, where = data.get("tensor"), (*path, "tensor")
        if given is None:
            tensor = np.zeros((3, 3))
        elif isinstance(given[0], list):
            tensor = np.array(self.reader.matrix(given, where, "kg*m^2"))
        else:
            tensor = np.diag(self.reader.numbers(given, "kg*m^2", where))
        return self.reader.attempt(path, lambda: Inertia(mass, np.array(centre), tensor))

    def _of_solid(self, data: Mapping[str, Any], path: Path) -> Inertia:
        for word in ("centre", "tensor"):
            if data.get(word) is not None:
                message = f"`{word}` follows from the `solid`: leave one of them out."
                raise AtPath((*path, word), ModelError(message), of_key=True)
        solid: AbstractSolid = self.reader.member(AbstractSolid, data["solid"], (*path, "solid"))
        given = {
            word: self.reader.number(data[word], unit, (*path, word))
            for word, unit in (("mass", "kg"), ("density", "kg/m^3"))
            if data.get(word) is not None
        }
        at = self.reader.pose(data, path)
        return self.reader.attempt(path, lambda: solid.inertia(**given, at=at))


Data = Mapping[str, Any]
# Another file's model, by its name and where it is named, out of what may be brought in.
OpenFile = Callable[[str, Path, Budget], Model]
# A mesh in another file, by its name, the unit of its numbers, and where it is named.
OpenMesh = Callable[[str, str, Path], Mesh]


@final
class ModelBuilding:
    """Builds the model of one document: what it uses or merges first, then its own parts."""

    def __init__(
        self, data: Data, scope: Scope, open_file: OpenFile, open_mesh: OpenMesh, budget: Budget
    ) -> None:
        self.open_mesh = open_mesh
        self.data = data
        self.scope = scope
        self.open_file = open_file
        self.budget = budget
        self.base = self._base()
        plane = data.get("plane")
        if self.base is not None and plane not in (None, self.base.plane):
            kind = "planar" if self.base.plane else "spatial"
            message = f"{self.base.name!r} is {kind}: leave `plane` out, or make it fit."
            raise AtPath(("plane",), BadConnection(message))
        self.plane = bool(plane) if self.base is None else self.base.plane
        self.taken: set[str] = {GROUND}
        self.beams: dict[str, Beam] = {}

    def model(self) -> Model:
        """The whole model."""
        base, units = self.base, self.data.get("units") or {}
        is_shown = base is None or {"length", "shown"} & units.keys()
        bodies = self._bodies()
        reader = Reader(self.scope, self.plane, {GROUND: Body(GROUND), **bodies}, {})
        reader = replace(reader, beams=self.beams)
        joints = (
            *(base.joints if base else ()),
            *(joint for beam in self.beams.values() for joint in beam.joints),
            *self._members(reader, AbstractJoint, "joints"),
        )
        frame = Model(
            name=str(self.data.get("name") or (base.name if base else "mechanism")),
            plane=self.plane,
            bodies=tuple(bodies.values()),
            joints=joints,
            drives=base.drives if base else (),
            couplers=base.couplers if base else (),
            forces=(
                *(base.forces if base else ()),
                *(force for beam in self.beams.values() for force in beam.forces),
            ),
            events=base.events if base else (),
            rates=base.rates if base else (),
            gauges=base.gauges if base else (),
            gravity=self._gravity(reader),
            length_unit=self.scope.units.shown if is_shown or base is None else base.length_unit,
        )
        known = gauges_by_name(frame)
        gauges = self._gauges(replace(reader, gauges=known))
        reader = replace(reader, gauges=known | {g.name: g for g in gauges})
        return replace(
            frame,
            couplers=(*frame.couplers, *self._members(reader, AbstractCoupler, "couplers")),
            forces=(*frame.forces, *self._members(reader, AbstractForce, "forces")),
            events=(*frame.events, *self._members(reader, AbstractEvent, "events")),
            rates=(*frame.rates, *self._rates(reader)),
            drives=(*frame.drives, *self._drives(reader, frame)),
            gauges=(*frame.gauges, *gauges),
            outputs=(*(base.outputs if base else ()), *self._outputs()),
        )

    # -- what it stands on -------------------------------------------------------------------

    def _base(self) -> Model | None:
        use, members = self.data.get("use"), self.data.get("merge")
        if use is not None and members is not None:
            message = "`use` and `merge` cannot stand together: make `use` a member of `merge`."
            raise AtPath(("merge",), ModelError(message))
        if use is None and self.data.get("dimensions"):
            raise AtPath(("dimensions",), ModelError("`dimensions` are those of `use`: add it."))
        base = self._member(self.data, ()) if use is not None else None
        for k, entry in enumerate(members or ()):
            base = self._merged(base, entry, ("merge", k))
        for k, name in enumerate(self.data.get("remove") or ()):
            if base is None:
                message = "there is nothing to remove from: `remove` goes with `use` or `merge`."
                raise AtPath(("remove",), ModelError(message))
            with located(("remove", k)):
                base = removed(base, name)
        return base

    def _member(self, entry: Data, path: Path) -> Model:
        if (entry.get("use") is None) == (entry.get("file") is None):
            raise AtPath(path, ModelError("a mechanism comes from `use` or from `file`: give one."))
        with located(path):
            self.budget.member()
        if entry.get("file") is not None:
            return self.open_file(entry["file"], (*path, "file"), self.budget)
        given = entry.get("dimensions") or {}
        return used_model(entry["use"], given, self.scope, path, self.budget)

    def _merged(self, base: Model | None, entry: Data, path: Path) -> Model:
        other = self._member(entry, path)
        rename, identify = entry.get("rename") or {}, entry.get("identify") or {}
        if base is None:
            if rename or identify:
                message = "the first member stays as it is: rename and identify in the others."
                raise AtPath(path, ModelError(message))
            return other
        reader = Reader(self.scope, base.plane, {}, {})
        same: dict[str, str | tuple[str, Pose]] = {}
        for theirs, ours in identify.items():
            where = (*path, "identify", theirs)
            same[theirs] = (
                ours if isinstance(ours, str) else (ours["body"], reader.pose(ours, where))
            )
        try:
            return merge_models(base, other, identify=same, rename=rename)
        except KempeError as mistake:
            name = str(mistake.facts.get("name"))
            sections = (("rename", rename), ("identify", identify))
            named = [(*path, key, name) for key, given in sections if name in given]
            raise AtPath(named[0] if named else path, mistake, of_key=bool(named)) from None

    def _gravity(self, reader: Reader) -> tuple[float, float, float]:
        given = self.data.get("gravity")
        if given is None:
            return self.base.gravity if self.base else (0.0, 0.0, 0.0)
        found = reader.triple(given, "m/s^2", ("gravity",))
        for k, data in enumerate(given):
            self._refuse_bare_gravity(data, ("gravity", k))
        return found

    def _refuse_bare_gravity(self, data: Any, path: Path) -> None:
        """A BadNumber where the file's units, not SI, would make of -9.81 what nobody meant."""
        wanted = in_base_units("m/s^2")[1]
        if self.scope.units.in_si(1.0, wanted) == 1.0:
            return
        number = self.scope.quantity(data)
        if number.is_bare and number.value != 0.0:
            message = (
                f"gravity is {shown(data)} without a unit, and the file's units are not SI: say it,"
                " such as '-9.81 m/s^2'."
            )
            raise AtPath(path, BadNumber(message))

    # -- its own parts -----------------------------------------------------------------------

    def _bodies(self) -> dict[str, Body]:
        bodies = {b.name: b for b in self.base.bodies} if self.base else {}
        entries = self.data.get("bodies") or {}
        self._refuse_too_many(len(entries) + len(bodies), ("bodies",))
        if self.base is not None:
            parts: list[Any] = [*self.base.joints, *self.base.couplers]
            parts += [*self.base.forces, *self.base.events]
            self.taken |= {*bodies, *(part.name for part in parts)}
        reader = BodyReader(Reader(self.scope, self.plane, {}, {}), self.open_mesh)
        for name, entry in entries.items():
            if name != GROUND or name in bodies:
                self._take(name, ("bodies", name))
            bodies[name] = reader.body(name, entry or {}, ("bodies", name))
        for path, entry in _entries(self.data, "beams"):
            beam = self._beam(reader.reader, entry, path)
            bodies |= {body.name: body for body in beam.bodies}
            self._refuse_too_many(len(bodies), path)
        return bodies

    def _refuse_too_many(self, count: int, path: Path) -> None:
        if count > MOST_BODIES:
            message = f"a file has at most {MOST_BODIES} bodies, this one has more."
            raise AtPath(path, ModelError(message))

    def _beam(self, reader: Reader, entry: Data, path: Path) -> Beam:
        """A beam, whose parts take their names."""
        name = self._take(path[1], path)
        length = reader.number(entry["length"], "m", (*path, "length"))
        section = _section(reader, entry["section"], (*path, "section"))
        given = entry.get("damping")
        damping = 0.0 if given is None else reader.number(given, "s", (*path, "damping"))
        segments, start = entry.get("segments", 8), reader.pose(entry, path)
        beam = reader.attempt(
            path, lambda: Beam(name, length, section, segments, start, damping, self.plane)
        )
        for part in beam.names:
            self._take(part, path)
        self.beams[name] = beam
        return beam

    def _members(self, reader: Reader, base: type, section: str) -> list[Any]:
        """The joints, couplers or forces of the document."""
        return [
            reader.member(base, entry, path, self._take(path[1], path))
            for path, entry in _entries(self.data, section)
        ]

    def _rates(self, reader: Reader) -> list[StartRate]:
        rates = []
        for path, entry in _entries(self.data, "rates"):
            gauge = reader.gauge(str(path[1]), path, is_key=True)
            rates.append(StartRate(gauge, reader.number(entry, f"{gauge.unit}/s", path)))
        return rates

    def _outputs(self) -> list[Output]:
        outputs = []
        for k, entry in enumerate(self.data.get("outputs") or ()):
            with located(("outputs", k)):
                outputs.append(
                    Output(entry)
                    if isinstance(entry, str)
                    else Output(entry["value"], entry["name"], entry.get("unit") or "")
                )
        return outputs

    def _gauges(self, reader: Reader) -> list[Gauge]:
        gauges = []
        for path, entry in _entries(self.data, "gauges"):
            name = str(path[1])
            if name in reader.gauges:
                message = f"there is a measure {name!r} already."
                raise AtPath(path, DuplicateName(message, name=name), of_key=True)
            gauges.append(replace(reader.gauge(entry, path), name=name))
        return gauges

    def _drives(self, reader: Reader, frame: Model) -> list[Drive]:
        drives = []
        driven = {drive.gauge.name for drive in frame.drives}
        for path, entry in _entries(self.data, "drives"):
            name = str(path[1])
            if name in driven:
                message = f"{name!r} is driven already: remove that drive first."
                raise AtPath(path, DuplicateName(message, name=name), of_key=True)
            is_record = isinstance(entry, Mapping) and "law" in entry
            law, where = (entry["law"], (*path, "law")) if is_record else (entry, path)
            if is_record and entry.get("gauge") is not None:
                gauge = replace(reader.gauge(entry["gauge"], (*path, "gauge"), name), name=name)
            else:
                gauge = reader.gauge(name, path, is_key=True)
            about = replace(reader, measure=gauge.unit)
            title = str(entry.get("name") or "") if is_record else ""
            drives.append(Drive(gauge, about.member(AbstractLaw, law, where), title))
        return drives

    def _take(self, name: Any, path: Path) -> str:
        if name in self.taken:
            message = f"two parts are called {name!r}: give each its own name."
            raise AtPath(path, DuplicateName(message, name=name), of_key=True)
        self.taken.add(name)
        return str(name)


# What a section is said by, with units; `stiffness` says a metre of it itself.
OF_SECTIONS = {
    "rectangle": {"height": "m", "width": "m"},
    "circle": {"radius": "m"},
    "stiffness": {
        **{word: "N*m^2" for word in ("bending_z", "bending_y", "twisting")},
        **{"mass": "kg/m", "polar": "kg*m"},
    },
}
OF_MATERIALS = {"young": "Pa", "density": "kg/m^3", "poisson": "1"}


def _section(reader: Reader, data: Data, path: Path) -> Section:
    """The section of a beam."""
    kind = data["type"]
    units = OF_SECTIONS[kind] | ({} if kind == "stiffness" else OF_MATERIALS)
    given = {
        word: reader.number(data[word], unit, (*path, word))
        for word, unit in units.items()
        if data.get(word) is not None
    }
    make: Any = Section if kind == "stiffness" else getattr(Section, kind)
    made: Section = reader.attempt(path, lambda: make(**given))
    return made


def _entries(data: Data, section: str) -> list[tuple[Path, Any]]:
    return [((section, name), entry) for name, entry in (data.get(section) or {}).items()]
