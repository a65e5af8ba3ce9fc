"""By how much parameters may be off: between which bounds, and how they are spread there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.units import converted, quantity

FloatArray = NDArray[np.float64]

SPREADS: Final = ("normal", "uniform")
SIGMAS: Final = 3.0  # a tolerance is so many standard deviations of what is made to it


@final
@dataclass(frozen=True, slots=True)
class Deviation:
    """What one parameter may be off, in the unit that it was given in: from `low` to `high`.

    Where `law` is a distribution (with `rvs` and `support`, as those of scipy.stats), deviations
    are drawn from it; else evenly between the bounds, or normally about their middle with a sixth
    of their distance as standard deviation and nothing beyond them.
    """

    name: str
    low: float
    high: float
    spread: str = SPREADS[0]
    law: Any = None

    @property
    def sigma(self) -> float:
        """The standard deviation."""
        if self.law is not None:
            return float(self.law.std())
        width = self.high - self.low
        return width / math.sqrt(12.0) if self.spread == SPREADS[1] else width / (2.0 * SIGMAS)

    @property
    def mean(self) -> float:
        """The mean deviation."""
        return float(self.law.mean()) if self.law is not None else 0.5 * (self.low + self.high)

    def drawn(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Deviations of `count` machines."""
        if self.law is not None:
            return np.array(self.law.rvs(size=count, random_state=rng), dtype=np.float64)
        if self.spread == SPREADS[1]:
            return np.asarray(rng.uniform(self.low, self.high, count))
        found = rng.normal(self.mean, self.sigma, count)
        while (outside := np.flatnonzero((found < self.low) | (found > self.high))).size:
            found[outside] = rng.normal(self.mean, self.sigma, outside.size)
        return np.asarray(found)


def deviation(name: str, given: Any, spread: str, unit: str | None) -> Deviation:
    """What `given` means for a parameter: a number (+-), a pair, a text, or a distribution.

    `unit` is that of the parameter, None where it is a bare number.
    """
    if hasattr(given, "rvs"):
        low, high = (float(x) for x in given.support())
        if not low < high:
            raise BadNumber(
                f"the distribution of {name!r} is between {low:g} and {high:g}: its own numbers are"
                " not finite, or make no distribution.",
                name=name,
            )
        return Deviation(name, low, high, spread, given)
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != 2:
            raise BadNumber(f"the tolerance of {name!r} is one number, or (low, high).", name=name)
        low, high = (_number(name, x, unit) for x in given)
    else:
        high = _number(name, given, unit)
        low = -high
    if not low <= 0.0 <= high or low == high:
        raise BadNumber(
            f"the tolerance of {name!r} goes from {low:g} to {high:g}: it must hold 0, where the"
            " parameter is as it was given, and be wider than nothing.",
            name=name,
        )
    return Deviation(name, low, high, spread)


def _number(name: str, given: Any, unit: str | None) -> float:
    """A deviation in the unit of the parameter."""
    found = given
    if isinstance(given, str):
        parts = quantity(given)
        if parts is None:
            raise BadNumber(f"the tolerance of {name!r} is no number: {given!r}.", name=name)
        found = parts[0]
        if parts[1]:
            if unit is None:
                raise BadNumber(
                    f"parameter {name!r} is a number without a unit, so its tolerance is one too:"
                    f" write {parts[0]:g}, not {given!r}.",
                    name=name,
                )
            found = converted(parts[0], parts[1], unit)
    if isinstance(found, bool) or not isinstance(found, (int, float, np.number)):
        raise BadNumber(f"the tolerance of {name!r} is no number: {given!r}.", name=name)
    try:
        number = float(found)
    except OverflowError:  # a whole number beyond every double
        number = math.inf
    if not math.isfinite(number):
        said = repr(given)[:60]
        raise BadNumber(f"the tolerance of {name!r} must be finite, it is {said}.", name=name)
    return number
