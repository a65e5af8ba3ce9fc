"""How the numbers of a model follow from parameters: their values, and their slopes.

A function or a file makes a model of parameters. Its numbers are mostly sums of multiples of them,
and then differences give their slopes to the last digits; where they are not, as cosines of an
angle and moments of inertia, differences of order eight do to some thirteen. Either way it is
building that is differentiated, never solving.

Own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.numbers import Numbers, Reading
from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, GradientError, KempeError, UnknownName, nearest_name
from kempe.gradients.smooth_slope import smooth_slope
from kempe.units import quantity

FloatArray = NDArray[np.float64]
Build = Callable[[Mapping[str, float]], Layout]

STEP: Final = 2.0**-6  # of a parameter, or of the largest where it is 0
KINK: Final = 1e-7  # a slope that is more in doubt is none
ROUNDING: Final = 16.0 * float(np.finfo(np.float64).eps)
DIFFERENCED = "the model's numbers are no sums of multiples of {}: building was differentiated by"
DIFFERENCED += " differences of order eight, to some thirteen digits."


@final
@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """Numbers of a model at some parameters, and their derivatives (numbers, parameters)."""

    numbers: Numbers
    by: FloatArray
    bent: tuple[str, ...]  # parameters of which not all numbers are sums of multiples

    def of(self, name: str) -> FloatArray:
        """The derivatives of one kind of numbers, as `Numbers.part` has them, but folded ones."""
        return self.by[self.numbers.places[name]]


@final
class BuildMap:
    """A model made of parameters, and those by which it is differentiated."""

    def __init__(self, build: Build, parameters: Mapping[str, Any], by: Sequence[str]) -> None:
        self.build, self.names = build, tuple(by)
        self.home = np.array([value_of(name, parameters) for name in by])
        largest = np.abs(self.home).max(initial=0.0) or 1.0
        self.scales = np.where(self.home != 0.0, np.abs(self.home), largest)
        self._layouts: dict[tuple[bytes, int, float], Layout] = {}

    def at(self, x: FloatArray) -> "BuildMap":
        """The map of the mechanism that has the parameters x (k,)."""
        given = dict(zip(self.names, x.tolist(), strict=True))
        return BuildMap(self.build, given, self.names)

    def layout(self, x: FloatArray, k: int = 0, s: float = 0.0) -> Layout:
        """The layout at parameters x (k,), the one numbered k moved by s."""
        key = (x.tobytes(), k if s else 0, s)
        if key not in self._layouts:
            if len(self._layouts) > 64 * (1 + len(self.names)):
                self._layouts.clear()
            moved = x.copy()
            moved[k] += s
            given = dict(zip(self.names, moved.tolist(), strict=True))
            try:
                self._layouts[key] = self.build(given)
            except KempeError as mistake:
                told = ", ".join(f"{name} = {v:.6g}" for name, v in given.items())
                raise GradientError(
                    f"the variant with {told} cannot be built: {mistake}", outcome="Refused"
                ) from mistake
        return self._layouts[key]

    def side(self, x: FloatArray, k: int) -> int:
        """0 where parameter k may move both ways, 1 or -1 where it may only grow or shrink."""
        refused: list[KempeError] = []
        ways = []
        for way in (1, -1):
            try:
                self.layout(x, k, way * 8 * self.step(k))
                ways.append(way)
            except KempeError as mistake:
                refused.append(mistake)
        if not ways:
            raise refused[0]
        return 0 if len(ways) == 2 else ways[0]

    def step(self, k: int) -> float:
        """By how much parameter k is moved at first."""
        return float(STEP * self.scales[k])

    def slopes(self, x: FloatArray, read: Reading) -> Slopes:
        """The numbers of a model and of what is read at x, and their slopes by all parameters."""
        here = read.numbers(self.layout(x))
        columns, bent = [], []
        for k, name in enumerate(self.names):
            slope, is_bent = self._slope(x, k, read, here)
            columns.append(slope)
            bent += [name] if is_bent else []
        by = np.stack(columns, axis=1) if columns else np.zeros((len(here.values), 0))
        return Slopes(here, by, tuple(bent))

    def _slope(
        self, x: FloatArray, k: int, read: Reading, here: Numbers
    ) -> tuple[FloatArray, bool]:
        side, step = self.side(x, k), self.step(k)
        f = partial(self._numbers, x, k, read, here)
        ends = [f(s * step) for s in ((4.0, -4.0) if not side else (8.0 * side, 4.0 * side))]
        width = (8.0 if not side else 4.0 * side) * step
        straight = (ends[0] - ends[1]) / width
        others = [j * step for j in ((2.0, -2.0) if not side else (2.0 * side, side))]
        most = np.maximum.reduce([np.abs(here.values), *(np.abs(e) for e in ends)])
        off = [np.abs(here.values + s * straight - f(s)) for s in others]
        if (np.maximum.reduce(off) <= ROUNDING * most).all():
            return straight, False
        found = smooth_slope(f, step, side)
        if found.doubt > KINK:
            raise GradientError(
                f"numbers of the model have no slope by {self.names[k]!r} where it is"
                f" {x[k]:.6g}: they bend there, as abs, min and comparisons do. Move it a little,"
                " or differentiate by other parameters.",
                parameter=self.names[k],
            )
        return found.values, True

    def _numbers(self, x: FloatArray, k: int, read: Reading, here: Numbers, s: float) -> FloatArray:
        if s == 0.0:
            return here.values
        there = read.numbers(self.layout(x, k, s))
        if there.skeleton != here.skeleton:
            raise GradientError(
                f"beside {self.names[k]!r} = {x[k]:.6g} the mechanism is built of other parts, so"
                " that nothing has a slope by it there.",
                parameter=self.names[k],
            )
        return there.values


def value_of(name: str, parameters: Mapping[str, Any]) -> float:
    """A parameter as a number, in the unit it was given in; an error where it is none."""
    if name not in parameters:
        if not parameters:
            raise UnknownName(
                "the mechanism has no parameters: load it from a file that names some, or build it"
                " in a function marked `kempe.parametric`.",
                name=name,
            )
        near = nearest_name(name, parameters)
        raise UnknownName(f"there is no parameter {name!r}.{near}", name=name)
    value = parameters[name]
    if isinstance(value, str):
        parts = quantity(value)
        if parts is not None:
            return float(parts[0])
    if isinstance(value, (int, float)) and not isinstance(value, bool) and np.isfinite(value):
        return float(value)
    raise BadNumber(
        f"parameter {name!r} is {value!r}: nothing can be differentiated by it but numbers.",
        name=name,
    )


def numeric(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of those parameters that are numbers."""
    found = []
    for name in parameters:
        try:
            value_of(name, parameters)
        except BadNumber:
            continue
        found.append(name)
    return tuple(found)
