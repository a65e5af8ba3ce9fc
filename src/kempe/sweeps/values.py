"""What a parameter takes in a sweep: levels, a range, a distribution, or a column of its own.

All are functions of a share u of 0 to 1 (the inverse of a distribution function), so that every
way of sampling is one of choosing points in the unit cube.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]

RANGE = re.compile(r"(?P<low>\.?[^.\s].*?)\s*\.\.\s*(?P<high>\S+?)(?:\s+in\s+(?P<count>\d+))?")
CALL = re.compile(r"(?P<word>\w+)\s*\((?P<numbers>[^()]*)\)")
EXAMPLES = "'20, 25, 30', '20..40', '20..40 in 11', 'normal(30, 0.05)'"


class AbstractValues(ABC):
    """The values of one parameter."""

    @abstractmethod
    def at(self, u: FloatArray) -> FloatArray:
        """The values (n,) at shares `u` (n,) of the distribution."""

    @property
    def levels(self) -> FloatArray | None:
        """The values of a grid, in order; None where it takes any."""
        return None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Levels(AbstractValues):
    """These values and no others, each as likely."""

    values: FloatArray

    def at(self, u: FloatArray) -> FloatArray:
        last = len(self.values) - 1
        return self.values[np.minimum((u * len(self.values)).astype(np.int64), last)]

    @property
    def levels(self) -> FloatArray:
        """The values themselves."""
        return self.values


@final
@dataclass(frozen=True, slots=True)
class Range(AbstractValues):
    """Anything between two numbers, evenly; with a `count`, so many levels of a grid."""

    low: float
    high: float
    count: int | None = None

    def at(self, u: FloatArray) -> FloatArray:
        return self.low + u * (self.high - self.low)

    @property
    def levels(self) -> FloatArray | None:
        """As many levels as it counts, evenly from end to end."""
        return None if self.count is None else np.linspace(self.low, self.high, self.count)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Distribution(AbstractValues):
    """A distribution with a method `ppf`, as those of scipy.stats have."""

    own: Any

    def at(self, u: FloatArray) -> FloatArray:
        return np.asarray(self.own.ppf(u), dtype=np.float64)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Random(AbstractValues):
    """What can only be drawn: an object with a method `rvs` and no `ppf`."""

    own: Any

    def at(self, u: FloatArray) -> FloatArray:
        raise BadNumber(
            "a distribution without `ppf` can only be drawn at random: take sampling='random'."
        )


@final
class _Named:
    """Distributions by the words of a text; scipy.stats is imported when one is asked for."""

    numbers: ClassVar = {
        "uniform": ("low", "high"),
        "normal": ("mean", "deviation"),
        "lognormal": ("mean of log", "deviation of log"),
        "triangular": ("low", "mode", "high"),
    }

    @staticmethod
    def made(word: str, x: list[float]) -> AbstractValues:
        """The distribution of that word with numbers x, already counted."""
        from scipy import stats

        if word == "uniform":
            return Range(x[0], x[1])
        if word == "triangular":
            low, mode, high = x
            if not low <= mode <= high or low == high:
                raise BadNumber(f"triangular({low:g}, {mode:g}, {high:g}) is not low, mode, high.")
            return Distribution(stats.triang((mode - low) / (high - low), low, high - low))
        if not x[1] > 0.0:
            raise BadNumber(f"{word}({x[0]:g}, {x[1]:g}): a deviation must be above 0.")
        if word == "lognormal":
            return Distribution(stats.lognorm(x[1], scale=np.exp(x[0])))
        return Distribution(stats.norm(x[0], x[1]))


def values_of(name: str, given: Any) -> AbstractValues:
    """What a parameter of that name takes: of an array, a text, a distribution or a number."""
    if isinstance(given, AbstractValues):
        return given
    if hasattr(given, "ppf"):
        return Distribution(given)
    if hasattr(given, "rvs"):
        return Random(given)
    if isinstance(given, str):
        return _of_text(name, given)
    try:
        values = np.array(given, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise BadNumber(
            f"parameter {name!r} takes {given!r}, which is neither numbers, nor a distribution, nor"
            f" a text such as {EXAMPLES}.",
            name=name,
        ) from None
    if np.ndim(given) > 1:
        shape = " x ".join(map(str, np.shape(given)))
        raise BadNumber(f"parameter {name!r} is an array of {shape}: give one column.", name=name)
    return _levels(name, values)


def _of_text(name: str, text: str) -> AbstractValues:
    text = text.strip()
    if found := CALL.fullmatch(text):
        word, known = found["word"], _Named.numbers
        x = [_number(name, part) for part in found["numbers"].split(",")]
        if word not in known or len(x) != len(known[word]):
            told = "; ".join(f"{w}({', '.join(n)})" for w, n in known.items())
            raise BadNumber(f"parameter {name!r}: {text!r} is none of {told}.", name=name)
        _refuse_not_finite(name, np.array(x))
        return _Named.made(word, x)
    if found := RANGE.fullmatch(text):
        low, high = _number(name, found["low"]), _number(name, found["high"])
        _refuse_not_finite(name, np.array([low, high]))
        if not low < high:
            raise BadNumber(f"parameter {name!r} goes from {low:g} to {high:g}: that is empty.")
        count = None if found["count"] is None else int(found["count"])
        if count is not None and count < 2:
            raise BadNumber(f"parameter {name!r}: {text!r} needs 2 levels or more.", name=name)
        return Range(low, high, count)
    return _levels(name, np.array([_number(name, part) for part in text.split(",")]))


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadNumber(
            f"parameter {name!r}: {text.strip()!r} is no number; write {EXAMPLES}, in the unit that"
            " the parameter has.",
            name=name,
        ) from None


def _levels(name: str, values: FloatArray) -> Levels:
    if not len(values):
        raise BadNumber(f"parameter {name!r} takes no values: the sweep is empty.", name=name)
    _refuse_not_finite(name, values)
    return Levels(values)


def _refuse_not_finite(name: str, values: FloatArray) -> None:
    off = np.flatnonzero(~np.isfinite(values))
    if len(off):
        raise BadNumber(
            f"parameter {name!r} is not finite: {values[off[0]]} is number {off[0]} of"
            f" {len(values)}.",
            name=name,
        )
