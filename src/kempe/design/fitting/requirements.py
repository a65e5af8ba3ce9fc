"""What must hold of a mechanism besides its target, each as slacks that must not be negative."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.design.fitting.targets import Orders
from kempe.errors import BadNumber
from kempe.units import in_si

FloatArray = NDArray[np.float64]
Columns = Mapping[str, FloatArray]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Transmission:
    """The angle between two bars stays away from 0 and 180 deg by `least` (rad, or text).

    `first` and `second` name bodies, such as "coupler" and "rocker"; 90 deg is the best there is.

    Source: [Alt].
    """

    first: str
    second: str
    least: float | str = "40 deg"

    def __post_init__(self) -> None:
        if not 0.0 <= in_si(self.least, "rad") <= 0.5 * math.pi:
            raise BadNumber(
                f"the transmission angle of {self.first!r} and {self.second!r} is between 0 and 90"
                f" deg, so that `least` cannot be {self.least!r}."
            )

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        return f"{self.first}.angle", f"{self.second}.angle"

    def slacks(self, read: Mapping[str, Orders], columns: Columns) -> FloatArray:
        """How much more than least it is (rad), (variants, samples)."""
        between = read[self.names[0]][0] - read[self.names[1]][0]
        return np.asarray(np.arcsin(np.abs(np.sin(between))) - in_si(self.least, "rad"))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """A measure stays between `low` and `high` (SI, or text with a unit) during the whole run."""

    name: str
    low: float | str = -math.inf
    high: float | str = math.inf
    unit: str = "rad"
    bounds: tuple[float, float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        low, high = (
            float(x) if isinstance(x, (int, float)) else in_si(x, self.unit)
            for x in (self.low, self.high)
        )
        if not low < high:
            raise BadNumber(
                f"the bounds of {self.name!r} are {self.low!r} and {self.high!r}: give low < high.",
                name=self.name,
            )
        if not (math.isfinite(low) or math.isfinite(high)):
            raise BadNumber(f"`Between` of {self.name!r} needs `low` or `high`.")
        object.__setattr__(self, "bounds", (low, high))

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        return (self.name,)

    def slacks(self, read: Mapping[str, Orders], columns: Columns) -> FloatArray:
        """Distances from the bounds (m or rad), (variants, samples of each)."""
        values = read[self.name][0]
        signed = zip((1.0, -1.0), self.bounds, strict=True)
        return np.hstack([sign * (values - x) for sign, x in signed if math.isfinite(x)])


@final
@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """A point, of the ground or moving, stays inside the convex region with these corners.

    `point` is its name, `corners` (n, 2) go round the region, in `units`.
    """

    point: str
    corners: Sequence[Sequence[float]]
    units: str = "m"
    edges: tuple[FloatArray, FloatArray] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        p = np.array(self.corners, dtype=np.float64) * in_si(1.0, "m", self.units)
        if p.ndim != 2 or p.shape[1] != 2 or len(p) < 3 or not np.isfinite(p).all():
            raise BadNumber(f"the region of {self.point!r} needs three corners (x, y) or more.")
        along = np.roll(p, -1, axis=0) - p
        turns = along[:, 0] * np.roll(along, -1, axis=0)[:, 1]
        turns -= along[:, 1] * np.roll(along, -1, axis=0)[:, 0]
        if not ((turns > 0.0).all() or (turns < 0.0).all()):
            raise BadNumber(f"the region of {self.point!r} must be convex, its corners in order.")
        normal = np.column_stack([-along[:, 1], along[:, 0]]) * np.sign(turns[0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        object.__setattr__(self, "edges", (normal, (normal * p).sum(axis=1)))

    @property
    def names(self) -> tuple[str, ...]:
        """What is read."""
        return (self.point,)

    def slacks(self, read: Mapping[str, Orders], columns: Columns) -> FloatArray:
        """Distances from the edges (m), (variants, samples x edges)."""
        normal, offset = self.edges
        found = read[self.point][0][..., :2] @ normal.T - offset
        return np.asarray(found.reshape(len(found), -1))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Where:
    """A function of the parameters is not negative: `slack` takes their columns by name.

    Example: Where(lambda p: p["ground"] - p["crank"]) keeps the crank shorter than the ground.
    """

    slack: Callable[[Columns], FloatArray]

    @property
    def names(self) -> tuple[str, ...]:
        """What is read: nothing."""
        return ()

    def slacks(self, read: Mapping[str, Orders], columns: Columns) -> FloatArray:
        """What the function gives, (variants, 1)."""
        count = len(next(iter(columns.values())))
        found = np.asarray(self.slack(columns), dtype=np.float64)
        return np.broadcast_to(found, (count,)).reshape(count, 1)
