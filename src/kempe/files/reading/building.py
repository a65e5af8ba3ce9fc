"""From a checked document to a model."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, final

from kempe.compile.trace.part_names import gauges_by_name
from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.errors import BadConnection, BadNumber, DuplicateName, KempeError, ModelError
from kempe.files.reading.body_reader import BodyReader
from kempe.files.reading.budget import Budget
from kempe.files.reading.library import used_model
from kempe.files.reading.reader import Reader
from kempe.files.reading.scope import AtPath, Scope
from kempe.files.syntax.limits import MOST_BODIES
from kempe.files.syntax.source import Path, shown
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Pose
from kempe.joints import AbstractJoint
from kempe.measures import Gauge
from kempe.model import Body, Model, Output, merge
from kempe.model.editing import removed
from kempe.model.start_rate import StartRate
from kempe.units import in_base_units

Data = Mapping[str, Any]
# Another file's model, by its name and where it is named, out of what may be brought in.
OpenFile = Callable[[str, Path, Budget], Model]


@final
class ModelBuilding:
    """Builds the model of one document: what it uses or merges first, then its own parts."""

    def __init__(self, data: Data, scope: Scope, open_file: OpenFile, budget: Budget) -> None:
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

    def model(self) -> Model:
        """The whole model."""
        base, units = self.base, self.data.get("units") or {}
        is_shown = base is None or {"length", "shown"} & units.keys()
        bodies = self._bodies()
        reader = Reader(self.scope, self.plane, {GROUND: Body(GROUND), **bodies}, {})
        joints = (*(base.joints if base else ()), *self._joints(reader))
        frame = Model(
            name=str(self.data.get("name") or (base.name if base else "mechanism")),
            plane=self.plane,
            bodies=tuple(bodies.values()),
            joints=joints,
            drives=base.drives if base else (),
            couplers=base.couplers if base else (),
            forces=base.forces if base else (),
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
            couplers=(*frame.couplers, *self._couplers(reader)),
            forces=(*frame.forces, *self._forces(reader)),
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
            base = _at(("remove", k), removed, base, name)
        return base

    def _member(self, entry: Data, path: Path) -> Model:
        if (entry.get("use") is None) == (entry.get("file") is None):
            raise AtPath(path, ModelError("a mechanism comes from `use` or from `file`: give one."))
        try:
            self.budget.member()
        except KempeError as mistake:
            raise AtPath(path, mistake) from None
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

        def joined() -> Model:
            return merge(base, other, identify=same, rename=rename)

        return _at(path, joined)

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
        if len(entries) + len(bodies) > MOST_BODIES:
            message = f"a file has at most {MOST_BODIES} bodies, this one has more."
            raise AtPath(("bodies",), ModelError(message))
        self.taken |= {*bodies, *(part.name for part in self._base_parts())}
        reader = BodyReader(Reader(self.scope, self.plane, {}, {}))
        for name, entry in entries.items():
            if name != GROUND or name in bodies:
                self._take(name, ("bodies", name))
            bodies[name] = reader.body(name, entry or {}, ("bodies", name))
        return bodies

    def _base_parts(self) -> list[Any]:
        parts = self.base and (*self.base.joints, *self.base.couplers, *self.base.forces)
        return list(parts or ())

    def _joints(self, reader: Reader) -> list[AbstractJoint]:
        return [
            reader.member(AbstractJoint, entry, path, self._take(path[1], path))
            for path, entry in _entries(self.data, "joints")
        ]

    def _couplers(self, reader: Reader) -> list[AbstractCoupler]:
        return [
            reader.member(AbstractCoupler, entry, path, self._take(path[1], path))
            for path, entry in _entries(self.data, "couplers")
        ]

    def _forces(self, reader: Reader) -> list[AbstractForce]:
        return [
            reader.member(AbstractForce, entry, path, self._take(path[1], path))
            for path, entry in _entries(self.data, "forces")
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
            try:
                outputs.append(
                    Output(entry)
                    if isinstance(entry, str)
                    else Output(entry["value"], entry["name"], entry.get("unit") or "")
                )
            except KempeError as mistake:
                raise AtPath(("outputs", k), mistake) from None
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


def _entries(data: Data, section: str) -> list[tuple[Path, Any]]:
    return [((section, name), entry) for name, entry in (data.get(section) or {}).items()]


def _at(path: Path, make: Callable[..., Model], *arguments: Any) -> Model:
    try:
        return make(*arguments)
    except KempeError as mistake:
        raise AtPath(path, mistake) from None
