"""What every constraint is: one formula of its marker frames, zero where it holds."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves.abstract import Domain

Rows = list[Scalar]

FloatArray = NDArray[np.float64]

TRIALS = 129  # parameters among which a first value of an unknown is chosen
REFINEMENTS = 8
STEP = 1e-6  # of the differences that refine it
TINY = 1e-300
# A cosine is flat where the angle is 0 or pi: within this of them the row says next to nothing.
LEAST_SINE = 1e-6


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """A number of its own that a constraint finds along with the poses, such as a contact point.

    `scale` is how many metres a unit of it is worth, `track` what it is a place on.
    """

    name: str
    domain: Domain
    scale: float = 1.0
    track: str = "curve"


def refuse_no_length(length: float, what: str, instead: str) -> None:
    """A BadNumber where a `length` (m) is not positive; `what` it is, what to take `instead`."""
    if not (math.isfinite(length) and length > 0.0):
        raise BadNumber(f"{what} must be positive, this one is {length:g} m. {instead}")


def refuse_flat_angle(angle: float, what: str, instead: str) -> None:
    """A BadNumber where an `angle` (rad) between two of `what` is 0 or pi, where a cosine is flat.

    `instead` is what keeps them parallel.
    """
    if not (0.0 < angle < math.pi and math.sin(angle) > LEAST_SINE):
        raise BadNumber(
            f"two {what} cannot be kept at an angle of {angle:.9g} rad by one row: it must lie"
            f" between 0 and pi. {what.capitalize()} that stay parallel are {instead}."
        )


class AbstractConstraint(ABC):
    """A formula phi(X_WI, X_WJ) of marker frames that is zero where the constraint holds.

    `rows` names the unit of every row, "m" or "1", in space. A float field of the class is a
    number of the model: it reaches `phi` as a traced value and can change without recompiling.
    A constraint sees no time, no body and no index, and keeps no memory. It may see more frames
    than two (`frames`), and have unknowns of its own, which follow the frames.
    """

    __slots__ = ()

    rows: ClassVar[tuple[str, ...]]
    frames: ClassVar[int] = 2
    implied: ClassVar[int] = 0  # rows that in space follow from the others

    if TYPE_CHECKING:
        phi: Callable[..., Rows]
    else:

        @abstractmethod
        def phi(self, *X):
            """The rows at `X`: the poses of the markers in the world, then the own unknowns."""

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The numbers that the constraint finds for itself."""
        return ()

    def arrows(self, *X: Pose) -> list[Vector]:
        """Vectors at `X` whose direction the formula speaks of: where one vanishes it says nothing.

        Bars of a fixed length never do, and are not among them.
        """
        return []

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        """Values of its own unknowns to start from, its markers put at `X`."""
        unknowns = self.unknowns
        if len(unknowns) != 1:
            return [0.5 * (u.domain.low + u.domain.high) for u in unknowns]
        domain = unknowns[0].domain
        t = _spread(domain)
        best = float(t[np.argmin((self._rows(X, t) ** 2).sum(axis=0))])
        h = STEP * min(1.0, domain.width)
        for _ in range(REFINEMENTS):  # Gauss and Newton
            r, ahead, behind = self._rows(X, np.array([best, best + h, best - h])).T
            slope = (ahead - behind) / (2.0 * h)
            better = best - float(r @ slope) / max(float(slope @ slope), TINY)
            better = better if domain.period else min(max(better, domain.low), domain.high)
            if not abs(better - best) < 0.1 * domain.width:
                break
            best = better
        return [best]

    def _rows(self, X: Sequence[Pose], t: FloatArray) -> FloatArray:
        """The rows (m, k) at k values of the one unknown."""
        rows: list[Any] = [np.broadcast_to(row, t.shape) for row in self.phi(*X, t)]
        return np.array(rows, dtype=np.float64)


def _spread(domain: Domain) -> FloatArray:
    if domain.is_bounded:
        return np.linspace(domain.low, domain.high, TRIALS)
    far = np.geomspace(1e-3, 1e3, TRIALS)
    t = np.concatenate([-far[::-1], [0.0], far])
    return t[(t >= domain.low) & (t <= domain.high)]
