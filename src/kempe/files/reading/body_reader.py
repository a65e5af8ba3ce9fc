"""From checked data to a body: its points, its inertia, and what it starts with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe.errors import BadNumber, ModelError, UnknownName, nearest_name
from kempe.files.reading.reader import TURNINGS, Reader
from kempe.files.reading.scope import AtPath
from kempe.files.syntax.source import Path, shown
from kempe.geometry import Inertia
from kempe.geometry.solids import AbstractSolid
from kempe.geometry.specific import AbstractOrientator, AbstractTranslator, SpecificRates
from kempe.model import Body


@final
@dataclass(frozen=True, slots=True)
class BodyReader:
    """Reads bodies; a mistake is raised as AtPath."""

    reader: Reader

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
        anywhere = guess is not None and data.get("at") is None
        return self.reader.attempt(
            path,
            lambda: Body(name, points, guess, mass, outline, *motion, anywhere=anywhere),
        )

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
