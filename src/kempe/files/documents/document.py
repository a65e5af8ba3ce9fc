"""Documents: a model file as data, which can be checked, changed and evaluated.

Every old version is brought to the next by one small step, which renames and rearranges data;
`original` leads from a path in the new data back to where it stood in the old, so that a message
still points into the file.
"""

import pathlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, final

import numpy as np

from kempe.compile.trace.part_names import measure_named
from kempe.disk import below, content_of
from kempe.errors import BadNumber, FileError, KempeError, ModelError, UnknownName, nearest_name
from kempe.files.documents.run import Run
from kempe.files.reading.building import ModelBuilding
from kempe.files.reading.library import Budget
from kempe.files.reading.scope import (
    AtPath,
    DimensionedValue,
    DocumentUnits,
    Scope,
    evaluated,
    formula_in,
    located,
)
from kempe.files.schema.complaints import validate
from kempe.files.schema.schema import VERSION
from kempe.files.syntax.json_reader import JsonSource
from kempe.files.syntax.source import (
    LARGEST_FILE,
    LONGEST_KEY,
    MOST_ENTRIES,
    AbstractSource,
    Path,
    shown,
)
from kempe.files.syntax.yaml_reader import YamlSource
from kempe.geometry.solids import Mesh
from kempe.model import Model
from kempe.names import composed
from kempe.sweeps.values import values_of
from kempe.units import quantity

if TYPE_CHECKING:
    from kempe.dynamics import FixedStep, Gear

Original = Callable[[Path], Path]


class AbstractStep(ABC):
    """From one version to the next."""

    @abstractmethod
    def forward(self, data: dict[str, Any]) -> dict[str, Any]:
        """The `data` of a document one version later; what was given stays as it is."""

    @abstractmethod
    def original(self, path: Path) -> Path:
        """Where the value at a path of the new data stood in the old."""


@final
class FromZero(AbstractStep):
    """Version 0 said `dimension: 2` for `plane: true`, `links` for `bodies`, `motors` for `drives`,
    and gave a joint's markers as `ends: [I, J]`.
    """

    names: ClassVar = {"links": "bodies", "motors": "drives"}

    def forward(self, data: dict[str, Any]) -> dict[str, Any]:
        new = {self.names.get(key, key): value for key, value in data.items()}
        if len(new) != len(data):
            both = next(k for k in self.names if k in data and self.names[k] in data)
            message = f"{both!r} and {self.names[both]!r} are two words for the same: keep one."
            raise AtPath((both,), ModelError(message), of_key=True)
        if "dimension" in new:
            dimension = new.pop("dimension")
            if dimension not in (2, 3) or isinstance(dimension, bool):
                message = f"dimension is 2 or 3, not {shown(dimension)}."
                raise AtPath(("dimension",), ModelError(message))
            new["plane"] = dimension == 2
        if isinstance(new.get("joints"), dict):
            new["joints"] = {name: self._joint(j, name) for name, j in new["joints"].items()}
        return new | {"version": 1}

    def _joint(self, joint: Any, name: str) -> Any:
        if not isinstance(joint, dict) or "ends" not in joint:
            return joint
        ends = joint["ends"]
        if not isinstance(ends, list) or len(ends) != 2:
            message = f"the ends of joint {name!r} are two markers, not {shown(ends)}."
            raise AtPath(("joints", name, "ends"), ModelError(message))
        others = {key: value for key, value in joint.items() if key != "ends"}
        return {"I": ends[0], "J": ends[1], **others}

    def original(self, path: Path) -> Path:
        back = {new: old for old, new in self.names.items()}
        path = tuple(back.get(str(key), key) if k == 0 else key for k, key in enumerate(path))
        if path[:1] == ("plane",):
            return ("dimension",)
        if len(path) >= 3 and path[0] == "joints" and path[2] in ("I", "J"):
            return (*path[:2], "ends", "IJ".index(str(path[2])), *path[3:])
        return path


STEPS: tuple[AbstractStep, ...] = (FromZero(),)  # the k-th leads from version k to k + 1


def migrated(data: Any) -> tuple[dict[str, Any], Original]:
    """The document in the present version, and the way back to its old places."""
    if not isinstance(data, dict):
        message = f"a model file is a mapping that begins with version: {VERSION}, not"
        raise AtPath((), ModelError(f"{message} {shown(data)}."))
    if "version" not in data:
        raise AtPath((), ModelError(f"the version is missing: begin with version: {VERSION}."))
    version = data["version"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise AtPath(("version",), ModelError(f"the version is a number, not {shown(version)}."))
    if version > VERSION:
        message = (
            f"this file has version {version}, and this kempe reads up to {VERSION}: update it."
        )
        raise AtPath(("version",), ModelError(message))
    steps = STEPS[version:]
    for step in steps:
        data = step.forward(data)

    def original(path: Path) -> Path:
        for step in reversed(steps):
            path = step.original(path)
        return path

    return data, original


READERS: dict[str, type[JsonSource] | type[YamlSource]] = {
    ".json": JsonSource,
    ".yaml": YamlSource,
    ".yml": YamlSource,
}


@final
@dataclass(frozen=True, eq=False)
class Document:
    """A checked document of the present version; `original` leads back to the file's own places."""

    source: AbstractSource
    data: Mapping[str, Any]
    original: Original
    folder: pathlib.Path  # where the files are that it merges
    opened: tuple[str, ...] = ()  # the files on the way to this one
    budget: Budget | None = None  # of the document that brings this one in

    @cached_property
    def scope(self) -> Scope:
        """Units and parameters."""
        try:
            units = DocumentUnits.of(self.data.get("units"))
            return evaluated(units, self.data.get("parameters") or {})
        except AtPath as mistake:
            self._refuse(mistake)

    @cached_property
    def model(self) -> Model:
        """The model, in SI."""
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused where it stands
                budget = self.budget or Budget()
                return ModelBuilding(
                    self.data, self.scope, self._open, partial(self._mesh, budget), budget
                ).model()
        except AtPath as mistake:
            self._refuse(mistake)
        except FileError:
            raise
        except KempeError as mistake:
            self._refuse(AtPath((), mistake))

    @cached_property
    def run(self) -> Run:
        """What `kempe run` does with it."""
        entry = self.data.get("run") or {}
        until, over = entry.get("until"), entry.get("over")
        through = entry.get("through") or ()
        try:
            if until is not None and over is not None:
                message = "`until` and `over` both say how far: give one of them."
                raise AtPath(("run", "over"), BadNumber(message))
            return Run(
                until=None if until is None else self._until(until, ("run", "until")),
                steps=entry.get("steps"),
                over=None if over is None else self._over(over, ("run", "over")),
                through=through if isinstance(through, str) else tuple(through),
                free=str(entry.get("free") or "refuse"),
                outputs=tuple(self._output(x, k) for k, x in enumerate(entry.get("outputs") or ())),
                trace=tuple(entry.get("trace") or ()),
                analysis=str(entry.get("analysis") or "kinematics"),
                tolerance=entry.get("tolerance"),
                method=self._method(entry.get("method"), ("run", "method")),
                newton_tolerance=entry.get("newton_tolerance"),
                newton_iterations=entry.get("newton_iterations"),
            )
        except AtPath as mistake:
            self._refuse(mistake)

    @cached_property
    def sweep(self) -> dict[str, Any]:
        """What `kempe sweep` does with it: the words of its `sweep` that were given."""
        entry = {k: x for k, x in (self.data.get("sweep") or {}).items() if x is not None}
        known = self.data.get("parameters") or {}
        try:
            for name, given in (entry.get("over") or {}).items():
                path = ("sweep", "over", name)
                if name not in known:
                    message = f"there is no parameter {name!r}.{nearest_name(name, known)}"
                    raise AtPath(path, UnknownName(message), of_key=True)
                with located(path):
                    values_of(name, given)
        except AtPath as mistake:
            self._refuse(mistake)
        return entry

    @property
    def parameters(self) -> Mapping[str, DimensionedValue]:
        """The values of its parameters."""
        return self.scope.parameters

    @property
    def given_parameters(self) -> dict[str, Any]:
        """The parameters as the document has them: numbers, or texts with a unit."""
        return {name: _given(entry) for name, entry in (self.data.get("parameters") or {}).items()}

    def with_parameters(self, values: Mapping[str, float | str]) -> "Document":
        """The document with other values; a bare number is in the unit that its parameter has."""
        entries = dict(self.data.get("parameters") or {})
        for name, value in values.items():
            if name not in entries:
                message = f"there is no parameter {name!r}.{nearest_name(name, entries)}"
                raise UnknownName(message, name=name)
            entries[name] = self._changed(name, entries[name], value)
        changed = replace(self, data={**self.data, "parameters": entries})
        _ = changed.scope  # refuses what has no value
        return changed

    def _changed(self, name: str, entry: Any, value: float | str) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise BadNumber(f"parameter {name!r} takes a number or a text, not {value!r}.")
        value = self._bare(value) if is_bare(entry) else value
        if isinstance(entry, Mapping):
            if entry.get("unit") is not None and given_unit(value):
                value, own = quantity(str(value)) or (value, entry["unit"])
                return {**entry, "value": value, "unit": own}
            return {**entry, "value": value}
        unit = given_unit(entry)
        return {"value": value, "unit": unit} if unit and not isinstance(value, str) else value

    def _bare(self, value: float | str) -> float | str:
        """A text with a unit as a bare number of the document, for a parameter that is one."""
        if not isinstance(value, str) or not given_unit(value):
            return value
        found = self.scope.quantity(value)
        if found.is_share:  # what it may stand for is asked where it is used
            return value
        return found.value / self.scope.units.in_si(1.0, found.dimension)

    # -- files -------------------------------------------------------------------------------

    def _open(self, name: str, path: Path, budget: Budget) -> Model:
        """The model of another file in the same folder, or below it."""
        with located(path):
            target = below(self.folder, name)
        opened = (*self.opened, self.source.name)
        if str(target) in opened:
            raise AtPath(path, KempeError(f"{shown(name)} is merged into itself."))
        return read_document(target, opened=opened, budget=budget).model

    def _mesh(self, budget: Budget, name: str, unit: str, path: Path) -> Mesh:
        """The mesh in another file in the same folder, or below it."""
        with located((*path, "mesh")):
            budget.member()
            target = below(self.folder, name)
            try:
                return Mesh.read(target, unit=unit)
            except FileError as mistake:
                raise FileError(f"mesh {shown(name)}: {mistake.message}") from None

    def _output(self, name: str, k: int) -> str:
        target = pathlib.PurePath(name)
        if target.is_absolute() or ".." in target.parts or "\0" in name:
            message = f"{shown(name)} leads out of the folder: outputs are written here or below."
            raise AtPath(("run", "outputs", k), KempeError(message))
        return name

    # -- numbers -----------------------------------------------------------------------------

    def _number(self, data: Any, unit: str, path: Path) -> float:
        with located(path):
            return self.scope.number(data, unit)

    def _until(self, data: Any, path: Path) -> float:
        until = self._number(data, "s", path)
        if not until > 0.0:
            raise AtPath(path, BadNumber("`until` must be later than 0 s."))
        return until

    def _method(self, data: Any, path: Path) -> "str | Gear | FixedStep | None":
        """The name of a method, or a method with its settings."""
        if not isinstance(data, Mapping):
            return None if data is None else str(data)
        from kempe.dynamics import FixedStep, Gear

        made: type[Gear] | type[FixedStep] = Gear if data["type"] == "gear" else FixedStep
        known = [one.name for one in fields(made)]
        given = {word: x for word, x in data.items() if word != "type" and x is not None}
        for word in given:
            if word not in known:
                message = f"the method {data['type']!r} has no {word!r}: it has {', '.join(known)}."
                raise AtPath((*path, word), ModelError(message), of_key=True)
        if "step" in given:
            given["step"] = self._number(given["step"], "s", (*path, "step"))
        try:
            return made(**given)
        except KempeError as mistake:
            raise AtPath(path, mistake) from None

    def _over(self, data: Any, path: Path) -> tuple[str, str, str]:
        with located((*path, 0)):
            unit = measure_named(self.model, data[0], "sweep").unit
        start, stop = (self._number(data[k], unit, (*path, k)) for k in (1, 2))
        return data[0], f"{start!r} {unit}", f"{stop!r} {unit}"

    @contextmanager
    def placed(self, *path: str | int) -> Iterator[None]:
        """Whatever mistake is made inside is told with the place of `path` in the file."""
        try:
            with located(path):
                yield
        except AtPath as mistake:
            self._refuse(mistake)

    def _refuse(self, mistake: AtPath) -> NoReturn:
        path = self.original(mistake.path)
        value = mistake.path[-1] if mistake.of_key else value_at(self.data, mistake.path)
        self.source.refuse(path, mistake.mistake.message, of_key=mistake.of_key, value=value)


def value_at(data: Any, path: Path) -> Any:
    """The value at a path, or None."""
    for key in path:
        if isinstance(data, list):
            data = dict(enumerate(data))
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = data[key]
    return data


def _given(entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    is_whole = entry.get("unit") is None or given_unit(entry["value"])
    return entry["value"] if is_whole else f"{entry['value']} {entry['unit']}"


def is_bare(entry: Any) -> bool:
    """Whether a parameter is a number without a unit."""
    if isinstance(entry, Mapping):
        return entry.get("unit") is None and is_bare(entry["value"])
    return not isinstance(entry, str)


def given_unit(entry: Any) -> str:
    """The unit in a parameter's text, "" where it has none."""
    if not isinstance(entry, str) or formula_in(entry) is not None:
        return ""
    parts = quantity(entry)
    return parts[1] if parts else ""


def read_document(
    path: str | pathlib.Path, *, opened: tuple[str, ...] = (), budget: Budget | None = None
) -> Document:
    """The document in a .yaml, .yml or .json file."""
    target = pathlib.Path(path)
    _reader(str(path))
    content = content_of(target, LARGEST_FILE)
    return document_from(content, str(path), folder=target.parent, opened=opened, budget=budget)


def document_from(
    content: bytes,
    name: str,
    *,
    folder: pathlib.Path | None = None,
    opened: tuple[str, ...] = (),
    budget: Budget | None = None,
) -> Document:
    """The document in a text whose name ends in .yaml, .yml or .json."""
    reader = _reader(name)
    if len(content) > LARGEST_FILE:
        _refuse_size(name, len(content))
    if budget is not None:
        budget.read(name, len(content))
    source = reader(name, content)
    try:
        data, original = migrated(_normalised(source.data, ()))
    except AtPath as mistake:
        source.refuse(mistake.path, mistake.mistake.message, of_key=mistake.of_key)
    validate(source, data, original)
    return Document(source, data, original, folder or pathlib.Path(), opened, budget)


def _reader(name: str) -> type[JsonSource] | type[YamlSource]:
    reader = READERS.get(pathlib.PurePath(name).suffix.lower())
    if reader is None:
        raise FileError(f"a model file ends in {', '.join(READERS)}.", path=name)
    return reader


def _refuse_size(name: str, size: int) -> NoReturn:
    message = (
        f"a model file has at most {LARGEST_FILE / 1e6:g} MB, this one has {size / 1e6:.1f} MB."
    )
    raise FileError(message, path=name, size=size)


def _normalised(data: Any, path: Path) -> Any:
    """The data with every text in Unicode's composed form (NFC), so that what looks equal is."""
    if isinstance(data, str):
        return composed(data)
    if isinstance(data, (list, dict)) and len(data) > MOST_ENTRIES:
        what = f"{'a list' if isinstance(data, list) else 'a mapping'} has at most {MOST_ENTRIES}"
        raise AtPath(path, KempeError(f"{what} entries, this one has {len(data)}."))
    if isinstance(data, list):
        return [_normalised(x, (*path, k)) for k, x in enumerate(data)]
    if not isinstance(data, dict):
        return data
    new: dict[str, Any] = {}
    for key, value in data.items():
        if len(key) > LONGEST_KEY:
            message = f"a key has at most {LONGEST_KEY} characters, one here has {len(key)}."
            raise AtPath(path, KempeError(message))
        name = _normalised(key, path)
        if name in new:
            message = f"{shown(name)} stands here a second time, written with other characters."
            raise AtPath((*path, key), KempeError(message), of_key=True)
        new[name] = _normalised(value, (*path, key))
    return new
