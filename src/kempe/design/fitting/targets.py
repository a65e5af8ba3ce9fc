"""What a mechanism is to do: a point along a path, a reading at its times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.design.fitting.curve_distance import nearest
from kempe.errors import BadNumber
from kempe.units import in_si

FloatArray = NDArray[np.float64]
Orders = tuple[FloatArray, ...]  # values, rates, accelerations: (variants, samples[, 2 or 3])


def _table(given: object, name: str, what: str) -> FloatArray:
    try:
        found: FloatArray = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber(f"the {what} of {name!r} are no table of numbers.") from None
    if not found.size or not np.isfinite(found).all():
        raise BadNumber(f"the {what} of {name!r} must be finite numbers, one or more.")
    return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A point is to come past `points` (n, 2 or 3), whenever it does: a path without times.

    `point` is the name of the point, such as "coupler.P"; `units` are those of the points.
    """

    point: str
    points: Sequence[Sequence[float]]
    units: str = "m"
    places: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places = _table(self.points, self.point, "points") * in_si(1.0, "m", self.units)
        if places.ndim != 2 or places.shape[1] not in (2, 3):
            raise BadNumber(f"the points of {self.point!r} are rows of 2 or 3 coordinates.")
        if len(np.unique(places, axis=0)) < len(places):
            raise BadNumber(f"two of the points of {self.point!r} are one place: give each once.")
        object.__setattr__(self, "places", places)

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        return (self.point,)

    @property
    def scale(self) -> float:
        """The extent of what is wanted, by which residuals are divided (m)."""
        return float(np.ptp(self.places, axis=0).max()) or 1.0

    def residuals(self, read: Mapping[str, Orders], t: FloatArray) -> FloatArray:
        """Offsets (variants, numbers) in m, from each place to the nearest point of the path."""
        p, v, a = read[self.point]
        off, _ = nearest((p, v, a), float(t[1] - t[0]), self.places)
        return off.reshape(len(off), -1)

    def when(self, read: Mapping[str, Orders], t: FloatArray) -> FloatArray:
        """At which time (s) each place is passed, (variants, places)."""
        p, v, a = read[self.point]
        return np.asarray(t[0] + nearest((p, v, a), float(t[1] - t[0]), self.places)[1] * t[1])


@final
@dataclass(frozen=True, slots=True, eq=False)
class Follow:
    """A reading is to have `values` at `times` (s): a timed path, a function, a motion.

    `name` is a point (n, 2 or 3) or a measure (n,); without times the values are spread evenly over
    the run, its two ends included. `units` are those of the values: of length, or of an angle.
    With `free` a measure may be off by one constant, as an angle is whose mark can be set anew.
    """

    name: str
    values: Sequence[float] | Sequence[Sequence[float]]
    times: Sequence[float] | None = None
    units: str = ""
    free: bool = False
    wanted: FloatArray = field(init=False, repr=False)
    at: FloatArray | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        wanted = _table(self.values, self.name, "values")
        unit = "m" if wanted.ndim == 2 else None
        if self.units:
            unit = unit or ("rad" if _is_angle(self.units) else "m")
            wanted = wanted * in_si(f"1 {self.units}", unit)
        at = None
        if self.times is not None:
            at = _table(self.times, self.name, "times")
            if at.shape != (len(wanted),) or (np.diff(at) <= 0.0).any():
                raise BadNumber(
                    f"`times` of {self.name!r} must grow, one for each of its {len(wanted)} values."
                )
        object.__setattr__(self, "wanted", wanted)
        object.__setattr__(self, "at", at)

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        return (self.name,)

    @property
    def scale(self) -> float:
        """The extent of what is wanted, by which residuals are divided (m or rad)."""
        return float(np.ptp(self.wanted, axis=0).max()) or 1.0

    def residuals(self, read: Mapping[str, Orders], t: FloatArray) -> FloatArray:
        """Differences (variants, numbers) in m or rad, at the times asked for."""
        at = np.linspace(t[0], t[-1], len(self.wanted)) if self.at is None else self.at
        if at[0] < t[0] or at[-1] > t[-1] * (1.0 + 1e-12):
            raise BadNumber(
                f"`times` of {self.name!r} go from {at[0]:g} to {at[-1]:g} s, beyond the run, which"
                f" ends at {t[-1]:g} s."
            )
        off = _at(read[self.name], t, at) - self.wanted
        if self.free and off.ndim == 2:
            off = off - off.mean(axis=1, keepdims=True)
        return off.reshape(len(off), -1)


def _is_angle(units: str) -> bool:
    return units.strip() in ("rad", "deg", "degree", "degrees", "turn", "turns", "rev", "mrad")


def _at(orders: Orders, t: FloatArray, at: FloatArray) -> FloatArray:
    """Readings at given times: at a sample its value, between samples a polynomial of degree 5."""
    from kempe.design.fitting.curve_distance import HERMITE

    h = float(t[1] - t[0])
    first = np.clip(np.floor((at - t[0]) / h).astype(int), 0, len(t) - 2)
    s = (at - t[first]) / h
    whole = np.abs(s - np.rint(s)) < 1e-9
    s = np.where(whole, np.rint(s), s)
    ends = np.array([o[:, first + k] * h**n for k in (0, 1) for n, o in enumerate(orders)])
    weights = (s[:, None] ** np.arange(6)) @ HERMITE  # (times, 6)
    shape = (1, len(at)) + (1,) * (ends.ndim - 3)
    return np.asarray(sum(ends[j] * weights[:, j].reshape(shape) for j in range(6)))
