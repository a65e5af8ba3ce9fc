"""What every constraint is: one formula of its marker frames, zero where it holds."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from kempe.geometry.curves.domain import Domain
from kempe.geometry.pose import Pose
from kempe.geometry.vector import Scalar

Rows = list[Scalar]

TRIALS = 129  # parameters among which a first value of an unknown is chosen


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """A number of its own that a constraint finds along with the poses, such as a contact point.

    `scale` is how many metres a unit of it is worth.
    """

    name: str
    domain: Domain
    scale: float = 1.0


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
            """The rows, from the poses of the markers in the world and the own unknowns."""

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The numbers that the constraint finds for itself."""
        return ()

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        """Values of its own unknowns to start from, its markers put at X."""
        unknowns = self.unknowns
        if len(unknowns) != 1:
            return [0.5 * (u.domain.low + u.domain.high) for u in unknowns]
        t = _spread(unknowns[0].domain)
        rows: list[Any] = [np.broadcast_to(row, t.shape) for row in self.phi(*X, t)]
        return [float(t[np.argmin(sum(row.astype(float) ** 2 for row in rows))])]


def _spread(domain: Domain) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if domain.is_bounded:
        return np.linspace(domain.low, domain.high, TRIALS)
    far = np.geomspace(1e-3, 1e3, TRIALS)
    t = np.concatenate([-far[::-1], [0.0], far])
    return t[(t >= domain.low) & (t <= domain.high)]
