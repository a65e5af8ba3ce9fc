"""Charts: the coordinates of a body, the frame they stand for, and how a frame moves.

A chart is the only place that knows coordinates. It gives the frame (r, A) to formulas, says how
that frame moves with a twist (the Lie derivative dA = A skew(w)), and moves coordinates along a
small twist. The plane is a chart: its frame has zeros and ones in it, which fold away.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression
from kempe.geometry import Pose, Rotation, Vector

Seeds = dict[int, dict[int, Expression]]


class AbstractChart(ABC):
    """Coordinates of one body: `n_q` numbers that move with `n_v` velocities."""

    n_q: ClassVar[int]
    n_v: ClassVar[int]
    angular: ClassVar[tuple[bool, ...]]  # which velocities are angular

    @abstractmethod
    def pose(self, q: Sequence[Expression]) -> Pose:
        """X_WB, traced."""

    @abstractmethod
    def seeds(self, q: Sequence[Expression], X_WB: Pose, first: int) -> Seeds:
        """How every traced number of the frame moves with velocities first, first + 1, ..."""

    @abstractmethod
    def retract(self, q: Sequence[Expression], d: Sequence[Expression]) -> list[Expression]:
        """The coordinates after a small displacement d, to second order at least."""

    @abstractmethod
    def coordinates(self, X_WB: Pose) -> NDArray[np.float64]:
        """The coordinates of a numeric pose."""


@final
class Planar(AbstractChart):
    """A body in the plane: x, y and the angle, moving with v_x, v_y and w."""

    n_q: ClassVar[int] = 3
    n_v: ClassVar[int] = 3
    angular: ClassVar[tuple[bool, ...]] = (False, False, True)

    def pose(self, q: Sequence[Expression]) -> Pose:
        return Pose(Vector(q[0], q[1], 0.0 * q[0]), Rotation.planar(q[2]))

    def seeds(self, q: Sequence[Expression], X_WB: Pose, first: int) -> Seeds:
        one = 0.0 * q[0] + 1.0
        return {q[k].node: {first + k: one} for k in range(3)}

    def retract(self, q: Sequence[Expression], d: Sequence[Expression]) -> list[Expression]:
        return [a + b for a, b in zip(q, d, strict=True)]

    def coordinates(self, X_WB: Pose) -> NDArray[np.float64]:
        r, R = X_WB.position, X_WB.rotation
        angle = R.angle if R.angle is not None else np.arctan2(R.x.y, R.x.x)
        return np.array([r.x, r.y, angle], dtype=np.float64)


@final
class Spatial(AbstractChart):
    """A body in space: r and a unit quaternion, moving with v in world and w in body axes."""

    n_q: ClassVar[int] = 7
    n_v: ClassVar[int] = 6
    angular: ClassVar[tuple[bool, ...]] = (False, False, False, True, True, True)

    def pose(self, q: Sequence[Expression]) -> Pose:
        return Pose(Vector(*q[:3]), Rotation.from_quaternion(q[3:]))

    def seeds(self, q: Sequence[Expression], X_WB: Pose, first: int) -> Seeds:
        one = 0.0 * q[0] + 1.0
        seeds: Seeds = {q[k].node: {first + k: one} for k in range(3)}
        R, wx, wy, wz = X_WB.rotation, first + 3, first + 4, first + 5
        for x, y, z in zip(R.x, R.y, R.z, strict=True):  # rows of A skew(w)
            seeds[x.node] = {wz: y, wy: -z}
            seeds[y.node] = {wx: z, wz: -x}
            seeds[z.node] = {wy: x, wx: -y}
        return seeds

    def retract(self, q: Sequence[Expression], d: Sequence[Expression]) -> list[Expression]:
        w, a, b, c = q[3:]
        x, y, z = (0.5 * e for e in d[3:])
        # q (1, d/2): the Cayley map, exact to second order, normalised
        p = (
            w - a * x - b * y - c * z,
            a + w * x + b * z - c * y,
            b + w * y + c * x - a * z,
            c + w * z + a * y - b * x,
        )
        scale = 1.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]).sqrt()
        return [a + b for a, b in zip(q[:3], d[:3], strict=True)] + [scale * e for e in p]

    def coordinates(self, X_WB: Pose) -> NDArray[np.float64]:
        return np.concatenate([np.array(X_WB.position, float), X_WB.rotation.quaternion()])


PLANAR, SPATIAL = Planar(), Spatial()
