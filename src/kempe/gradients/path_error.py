"""How far a point is off the places it should pass."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class PathError:
    """The mean square (m^2) of how far a point is from `points`, sample by sample.

    E = sum_k w_k |P(t_k) - points_k|^2 / sum_k w_k

    `points` are (samples, 2), in space (samples, 3), in m; one with a NaN is not asked for.
    `weights` (samples,) count samples differently. It is an objective, and a function of readings
    like any other.

    Example:
        >>> import kempe
        >>> off = kempe.gradients.PathError("coupler.P", [(0.0, 1.0), (1.0, 1.0)])
        >>> off({"coupler.P": [(0.0, 1.0), (1.0, 3.0)]}).tolist()
        2.0
    """

    point: str
    points: Any
    weights: Any = None
    shares: FloatArray = field(init=False, repr=False)  # of every sample: w / sum w

    def __post_init__(self) -> None:
        points = np.array(self.points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] not in (2, 3) or not len(points):
            raise BadNumber(
                "places of a path are an array (samples, 2), in space (samples, 3), not"
                f" {' x '.join(map(str, points.shape)) or 'a number'}."
            )
        weights = np.ones(len(points)) if self.weights is None else np.asarray(self.weights, float)
        if weights.shape != (len(points),) or not (weights >= 0.0).all():
            raise BadNumber(f"a path of {len(points)} places needs as many weights, none below 0.")
        asked: NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=1))
        weights = np.where(asked, weights, 0.0)
        if not weights.sum() > 0.0:
            raise BadNumber("a path needs a place that counts: all are NaN, or weigh nothing.")
        object.__setattr__(self, "points", np.where(asked[:, None], points, 0.0))
        object.__setattr__(self, "shares", weights / weights.sum())

    def refuse_other(self, samples: int) -> None:
        """A BadNumber where there are not as many places as samples."""
        if len(self.points) != samples:
            raise BadNumber(
                f"the path of {self.point!r} has {len(self.points)} places and the run has"
                f" {samples} samples: take steps={len(self.points) - 1}."
            )

    def __call__(self, readings: Any) -> Any:
        """E, of arrays by name."""
        off = np.asarray(readings[self.point]) - self.points
        return (self.shares[:, None] * off * off).sum()

    def residuals(self, places: FloatArray) -> FloatArray:
        """sqrt(w / sum w) (P - points), flat: their squares sum to E."""
        return np.asarray((np.sqrt(self.shares)[:, None] * (places - self.points)).ravel())
