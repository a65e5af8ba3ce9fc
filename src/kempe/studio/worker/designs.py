"""Mechanisms for a path that was sketched: found in the atlas, and led on nearer to it."""

import contextlib
import math
from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError, MissingPart, ModelError, UnknownName
from kempe.front.design import Design as Designed
from kempe.interruption import Interrupted
from kempe.studio.documents.linkages import linkage_document
from kempe.studio.messages.answers import DesignCandidate, DesignList, Refined
from kempe.studio.messages.edits import Fix, Operation, Set
from kempe.studio.messages.requests import Design, Refine
from kempe.studio.worker.desk import Data, Desk
from kempe.studio.worker.runs import Say
from kempe.synthesis.atlas import COUNT, Atlas, Found, default_path
from kempe.synthesis.purposes import Trace
from kempe.units import factor, quantity

ComplexArray = NDArray[np.complex128]

STARTS, KEPT = 24, 3  # variants that a refinement begins from, and of them that are led on
STEPS = 72
DRAWN = 120  # places of a curve that is sent
LEAST = 0.5  # of a length: a bar is not led to nothing
DIGITS = 7


@final
class Designs:
    """The atlas, the last mechanisms that were found in it, and refinements of the document."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._atlas: Atlas | None = None
        self._found: list[Found] = []

    def find(self, asked: Design, say: Say) -> DesignList:
        """Linkages of the atlas whose curves are nearest in shape to a closed path."""
        path = self._path(asked.path)
        atlas = self._opened(say)
        say(None, f"looking through {len(atlas):,} curves")
        unit = self.desk.unit
        scale = factor("m", unit)
        places = [(x * scale, y * scale) for x, y in path]
        self._found = atlas.find(places, asked.count, units=unit)
        candidates = [self._told(number, one) for number, one in enumerate(self._found, 1)]
        words = f"The nearest of {len(atlas):,} linkages whose cranks turn fully, laid over it."
        return DesignList(words=words, candidates=candidates)

    def _opened(self, say: Say) -> Atlas:
        """The user's atlas, drawn where there is none yet; kept where it can be."""
        if self._atlas is None:
            with contextlib.suppress(MissingPart, FileError):
                self._atlas = Atlas.load(default_path())
        if self._atlas is None:
            atlas = Atlas.build(COUNT, progress=lambda part: say(part, "drawing curves, this once"))
            self._atlas = atlas
            with contextlib.suppress(MissingPart, FileError, OSError):
                home = default_path()
                home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                atlas.save(home)
        return self._atlas

    def _path(self, places: list[list[float]]) -> list[tuple[float, float]]:
        """The places of a sketch in the plane of the mechanism, m."""
        desk = self.desk
        if not desk.is_plane:
            raise ModelError("paths are sketched in the plane: begin with an empty plane drawing.")
        assert desk.stage is not None
        path = [(float(p[0]), float(p[1])) for p in map(desk.stage.point, places)]
        away = np.ptp(np.array(path), axis=0)
        if not float(away.max()) > 0.0:
            raise ModelError("a path needs places that differ.")
        return path

    def _told(self, number: int, one: Found) -> DesignCandidate:
        unit = one.units
        scale, path = factor(unit, "m"), one.joints["P"]

        def seen(z: complex) -> list[float]:
            return [z.real * scale, z.imag * scale]

        pick = np.linspace(0, len(path), DRAWN, endpoint=False).astype(np.intp)
        lengths = ", ".join(f"{name} {x:.4g}" for name, x in one.lengths.items())
        return DesignCandidate(
            number=number,
            text=f"{lengths} {unit}",
            distance=one.distance,
            point=one.point,
            curve=[seen(complex(z)) for z in path[pick]],
            bars=[[seen(z) for z in line] for line in one.lines],
        )

    def document(self, number: int) -> Data:
        """The document of a mechanism that was found."""
        if not 1 <= number <= len(self._found):
            raise UnknownName(f"there is no linkage {number} on offer: sketch a path first.")
        one = self._found[number - 1]
        numbers = {
            name: float(x) for name, x in one.mechanism.parameters.items() if name != "units"
        }
        return linkage_document(one.kind, numbers, unit=one.units, name=f"{one.kind} {number}")

    def refine(self, asked: Refine, say: Say) -> Refined:
        """The document's parameters led on until a point comes by a path.

        Interrupted, they are the best until then.
        """
        mechanism = self.desk.closed()
        path = self._path(asked.path)
        bounds = self._bounds(asked)
        say(0.0, "trying variants")
        try:
            found = mechanism.design(
                bounds,
                Trace(asked.point, path),
                asked.until if asked.until is not None else self._turn(),
                STEPS,
                starts=STARTS,
                keep=KEPT,
                seconds=asked.seconds,
                progress=lambda far: say(
                    min(1.0, far.seconds / asked.seconds),
                    f"{far.tried:,} variants, best {far.best:.3g} of the path's size",
                ),
            )
        except Interrupted as stop:
            found = stop.result
        return self._judged(found, asked.point)

    def _turn(self) -> float:
        """How long one turn of the first drive takes, s; 1 where that is no question."""
        for drive in self.desk.layout.model.drives:
            speed = getattr(drive.law, "speed", None)
            if drive.gauge.unit == "rad" and isinstance(speed, float) and speed != 0.0:
                return 2.0 * math.pi / abs(speed)
        return 1.0

    def _bounds(self, asked: Refine) -> dict[str, tuple[float, float]]:
        """How far each parameter may be led, in the unit that it has."""
        known = self.desk.mechanism.parameters
        numbers = {
            name: value for name, given in known.items() if (value := _number(given)) is not None
        }
        for name in asked.vary:
            if name not in numbers:
                raise UnknownName(f"there is no parameter {name!r} that is a number.", name=name)
        names = asked.vary or list(numbers)
        if not names:
            raise ModelError(
                "the document has no parameters to lead on: name the lengths that may change."
            )
        lengths = self._lengths()
        largest = max((abs(numbers[name]) for name in names), default=0.0) or 1.0
        bounds = {}
        for name in names:
            value, reach = numbers[name], asked.share * largest
            low = value - reach
            if name in lengths and value > 0.0:
                low, reach = max(low, LEAST * value), min(reach, value)
            bounds[name] = (low, value + reach)
        return bounds

    def _lengths(self) -> frozenset[str]:
        """Parameters that are lengths of bars, as they stand."""
        bodies = self.desk.data.get("bodies") or {}
        entries = [entry for entry in bodies.values() if isinstance(entry, Mapping)]
        return frozenset(str(entry["length"]) for entry in entries if "length" in entry)

    def _judged(self, found: Designed, point: str) -> Refined:
        if point not in found.errors:
            return Refined(words=found.message, rms=None, worst=None, fix=None)
        rms, worst = found.errors[point]
        given = self.desk.data.get("parameters") or {}
        operations = [_put(name, given.get(name), x) for name, x in found.parameters.items()]
        unit = self.desk.unit
        scale = factor("m", unit)
        off = f"off by {rms * scale:.4g} {unit} (root mean square), {worst * scale:.4g} at most"
        return Refined(
            words=f"{point} {off}; {found.tried:,} variants tried, {found.message}",
            rms=rms,
            worst=worst,
            fix=Fix(text="lead the parameters there", operations=operations),
        )


def _put(name: str, given: Any, value: float) -> Operation:
    """A parameter at another value, in the unit that it has."""
    is_table = isinstance(given, Mapping)
    said = given.get("value") if is_table else given
    number = float(f"{value:.{DIGITS}g}")
    unit = said.partition(" ")[2] if isinstance(said, str) else ""
    path: list[str | int] = ["parameters", name]
    if is_table:
        path.append("value")
    return Set(op="set", path=path, value=f"{number} {unit}" if unit else number)


def _number(given: Any) -> float | None:
    """The number of a parameter, whatever its unit."""
    if isinstance(given, bool):
        return None
    if isinstance(given, (int, float)):
        return float(given)
    parts = quantity(given) if isinstance(given, str) else None
    return None if parts is None else float(parts[0])
