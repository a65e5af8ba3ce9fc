"""What is read of a variant's motion: a curve, or one number of it, as in "max(rocker.angle)"."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]

# of curves (..., samples): one number each
REDUCTIONS: Final[dict[str, Callable[[FloatArray], FloatArray]]] = {
    "max": lambda x: x.max(axis=-1),
    "min": lambda x: x.min(axis=-1),
    "mean": lambda x: x.mean(axis=-1),
    "range": lambda x: np.ptp(x, axis=-1),
    "rms": lambda x: np.sqrt(np.mean(x * x, axis=-1)),
    "std": lambda x: x.std(axis=-1),
    "first": lambda x: x[..., 0],
    "last": lambda x: x[..., -1],
}
REDUCED: Final = re.compile(rf"\s*({'|'.join(REDUCTIONS)})\((.+)\)\s*")
ORDERS: Final = {"rate": 1, "acceleration": 2}  # of a measure
AXES: Final = {
    **{axis: (k, 0) for k, axis in enumerate("xyz")},
    **{f"v{axis}": (k, 1) for k, axis in enumerate("xyz")},
    **{f"a{axis}": (k, 2) for k, axis in enumerate("xyz")},
}


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """One column of a sweep: `text` as it was asked for, a name, and what is taken of its curve."""

    text: str
    name: str
    reduction: str = ""  # "": the whole curve

    @classmethod
    def of(cls, text: Any) -> "Wanted":
        """The reading in a text."""
        if not isinstance(text, str) or not text.strip():
            raise BadNumber(f"what is read is a text such as 'max(rocker.angle)', not {text!r}.")
        found = REDUCED.fullmatch(text)
        if found is None:
            return cls(text.strip(), text.strip())
        return cls(text.strip(), found[2].strip(), found[1])

    def of_curves(self, curves: FloatArray) -> FloatArray:
        """What is kept of curves (..., samples)."""
        return REDUCTIONS[self.reduction](curves) if self.reduction else curves

    def read(self, trajectory: Any) -> float | FloatArray:
        """What is kept of a trajectory; a BadNumber where the name means more than one column."""
        column = trajectory[self.name]
        told = getattr(column, "values", None)
        values = np.asarray(np.nan if told is None else told, dtype=np.float64)
        if values.ndim != 1:
            raise BadNumber(
                f"{self.name!r} has several components: read one, such as {self.name}.x.",
                name=self.name,
            )
        kept = self.of_curves(values)
        return float(kept) if self.reduction else kept


@final
@dataclass(frozen=True, slots=True)
class Lane:
    """A reading that a batch tells: a point or a measure, which derivative, which component."""

    base: str
    order: int
    axis: int | None  # None: of a measure
    is_speed: bool = False

    def curves(self, batch: Any) -> FloatArray:
        """Curves (variants, samples) of a batch."""
        channel = batch[self.base]
        values = channel.orders[self.order]
        if self.is_speed:
            return np.asarray(np.sqrt((values * values).sum(axis=-1)))
        return np.asarray(values if self.axis is None else values[..., self.axis])


def lane_of(name: str, points: frozenset[str], measures: frozenset[str], dims: int) -> Lane | None:
    """How a batch tells a reading; None where it does not."""
    if name in measures:
        return Lane(name, 0, None)
    base, _, word = name.rpartition(".")
    if base in measures and word in ORDERS:
        return Lane(base, ORDERS[word], None)
    if base in points and word in AXES and AXES[word][0] < dims:
        axis, order = AXES[word]
        return Lane(base, order, axis)
    return Lane(base, 1, None, True) if base in points and word == "speed" else None
