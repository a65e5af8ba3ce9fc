"""Charts: the coordinates of a body, the frame they stand for, and how a frame moves.

A chart is the only place that knows coordinates. It gives the frame (r, A) to formulas, says how
that frame moves with a twist (the Lie derivative dA = A skew(w)), and moves coordinates along a
small twist. The plane is a chart: its frame has zeros and ones in it, which fold away.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph
from kempe.geometry import Pose, Rotation, Twist, Vector, Wrench

FloatArray = NDArray[np.float64]
Seeds = dict[int, dict[int, Expression]]


class AbstractChart(ABC):
    """Coordinates of one body: `n_q` numbers that move with `n_v` velocities.

    The frame is a list of `n_frame` numbers that formulas see as a pose.
    """

    n_q: ClassVar[int]
    n_v: ClassVar[int]
    n_linear: ClassVar[int]  # lengths come first, in q and in v
    n_frame: ClassVar[int]
    angular: ClassVar[tuple[bool, ...]]  # which velocities are angular
    is_flat: ClassVar[bool]  # whether retract is plain addition

    def q_inputs(self, graph: Graph, name: str) -> list[Expression]:
        """New inputs for the coordinates of one body, called by the name and a number."""
        return [Expression(graph, graph.input(f"{name}{k}")) for k in range(self.n_q)]

    def v_inputs(self, graph: Graph, name: str) -> list[Expression]:
        """New inputs for the velocities of one body, called by the name and a number."""
        return [Expression(graph, graph.input(f"{name}{k}")) for k in range(self.n_v)]

    def frame_inputs(self, graph: Graph, name: str) -> list[Expression]:
        """New inputs for the numbers of one frame, called by the name and a number."""
        return [Expression(graph, graph.input(f"{name}{k}")) for k in range(self.n_frame)]

    @abstractmethod
    def frame(self, q: Sequence[Expression]) -> list[Expression]:
        """The numbers of the frame, from the coordinates."""

    @abstractmethod
    def pose(self, frame: Sequence[Any]) -> Pose:
        """X_WB, from the numbers of the frame, traced or plain."""

    @abstractmethod
    def seeds(self, frame: Sequence[Expression], first: int) -> Seeds:
        """How every number of the frame moves with velocities first, first + 1, ..."""

    @abstractmethod
    def twist(self, frame: Sequence[Any], v: Sequence[Any]) -> Twist:
        """How the body moves with velocities v: at its origin, in world axes."""

    @abstractmethod
    def load(self, frame: Sequence[Expression], wrench: Wrench) -> list[Expression]:
        """What a wrench at the body's origin, in world axes, does along every velocity."""

    @abstractmethod
    def retract(self, q: Sequence[Expression], d: Sequence[Expression]) -> list[Expression]:
        """The coordinates after a small displacement d, to second order at least."""

    @abstractmethod
    def coordinates(self, X_WB: Pose) -> FloatArray:
        """The coordinates of a numeric pose."""

    @abstractmethod
    def placed(self, q: FloatArray) -> Pose:
        """X_WB as plain numbers, from coordinates (n_q,)."""

    @abstractmethod
    def displacement(self, q: FloatArray, other: FloatArray) -> FloatArray:
        """The way of bodies from coordinates (bodies, n_q) to others, (bodies, n_v) in m and rad.

        Places move in world axes; the turn is the rotation vector of R^T R', in body axes.
        """


@final
class Planar(AbstractChart):
    """A body in the plane: x, y and the angle, moving with v_x, v_y and w.

    Its frame is x, y, cosine, sine and the angle itself.
    """

    n_q: ClassVar[int] = 3
    n_v: ClassVar[int] = 3
    n_linear: ClassVar[int] = 2
    n_frame: ClassVar[int] = 5
    angular: ClassVar[tuple[bool, ...]] = (False, False, True)
    is_flat: ClassVar[bool] = True

    def frame(self, q: Sequence[Expression]) -> list[Expression]:
        return [q[0], q[1], q[2].cos().renamed(), q[2].sin().renamed(), q[2]]

    def pose(self, frame: Sequence[Any]) -> Pose:
        x, y, c, s, angle = frame
        return Pose(Vector(x, y, 0.0 * x), Rotation.from_cosine_sine(c, s, angle))

    def seeds(self, frame: Sequence[Expression], first: int) -> Seeds:
        x, y, c, s, angle = frame
        one, w = 0.0 * x + 1.0, first + 2
        return {
            x.node: {first: one},
            y.node: {first + 1: one},
            c.node: {w: -s},
            s.node: {w: c},
            angle.node: {w: one},
        }

    def twist(self, frame: Sequence[Any], v: Sequence[Any]) -> Twist:
        zero = 0.0 * v[0]
        return Twist(Vector(v[0], v[1], zero), Vector(zero, zero, v[2]))

    def load(self, frame: Sequence[Expression], wrench: Wrench) -> list[Expression]:
        return [wrench.force.x, wrench.force.y, wrench.torque.z]

    def retract(self, q: Sequence[Expression], d: Sequence[Expression]) -> list[Expression]:
        return [a + b for a, b in zip(q, d, strict=True)]

    def coordinates(self, X_WB: Pose) -> FloatArray:
        r, R = X_WB.position, X_WB.rotation
        angle = R.angle if R.angle is not None else np.arctan2(R.x.y, R.x.x)
        return np.array([r.x, r.y, angle], dtype=np.float64)

    def placed(self, q: FloatArray) -> Pose:
        x, y, angle = (float(c) for c in q)
        return Pose(Vector(x, y, 0.0), Rotation.planar(angle))

    def displacement(self, q: FloatArray, other: FloatArray) -> FloatArray:
        return other - q


@final
class Spatial(AbstractChart):
    """A body in space: r and a unit quaternion, moving with v in world and w in body axes.

    Its frame is r and the columns of A.
    """

    n_q: ClassVar[int] = 7
    n_v: ClassVar[int] = 6
    n_linear: ClassVar[int] = 3
    n_frame: ClassVar[int] = 12
    angular: ClassVar[tuple[bool, ...]] = (False, False, False, True, True, True)
    is_flat: ClassVar[bool] = False

    def frame(self, q: Sequence[Expression]) -> list[Expression]:
        R = Rotation.from_quaternion(q[3:])
        return [*q[:3], *(e.renamed() for axis in (R.x, R.y, R.z) for e in axis)]

    def pose(self, frame: Sequence[Any]) -> Pose:
        x, y, z = (Vector(*frame[3 * k : 3 * k + 3]) for k in (1, 2, 3))
        return Pose(Vector(*frame[:3]), Rotation(x, y, z))

    def seeds(self, frame: Sequence[Expression], first: int) -> Seeds:
        one = 0.0 * frame[0] + 1.0
        seeds: Seeds = {frame[k].node: {first + k: one} for k in range(3)}
        wx, wy, wz = first + 3, first + 4, first + 5
        for k in range(3):  # rows of A skew(w)
            x, y, z = frame[3 + k], frame[6 + k], frame[9 + k]
            seeds[x.node] = {wz: y, wy: -z}
            seeds[y.node] = {wx: z, wz: -x}
            seeds[z.node] = {wy: x, wx: -y}
        return seeds

    def twist(self, frame: Sequence[Any], v: Sequence[Any]) -> Twist:
        R = self.pose(frame).rotation
        return Twist(Vector(*v[:3]), R.apply(Vector(*v[3:])))

    def load(self, frame: Sequence[Expression], wrench: Wrench) -> list[Expression]:
        R = self.pose(frame).rotation
        return [*wrench.force, *(axis @ wrench.torque for axis in (R.x, R.y, R.z))]

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

    def coordinates(self, X_WB: Pose) -> FloatArray:
        return np.concatenate([np.array(X_WB.position, float), X_WB.rotation.quaternion()])

    def placed(self, q: FloatArray) -> Pose:
        own = [float(c) for c in q]
        norm = math.hypot(*own[3:])
        return Pose(Vector(*own[:3]), Rotation.from_quaternion([x / norm for x in own[3:]]))

    def displacement(self, q: FloatArray, other: FloatArray) -> FloatArray:
        w0, v0, w1, v1 = q[:, 3:4], q[:, 4:], other[:, 3:4], other[:, 4:]
        w = w0 * w1 + np.sum(v0 * v1, axis=1, keepdims=True)  # conj(q) other
        v = w0 * v1 - w1 * v0 - np.cross(v0, v1)
        v, w = np.where(w < 0.0, -v, v), np.abs(w)
        sine = np.linalg.norm(v, axis=1, keepdims=True)
        angle = 2.0 * np.arctan2(sine, w)
        turn = v * np.where(sine > 0.0, angle / np.where(sine > 0.0, sine, 1.0), 2.0)
        return np.concatenate([other[:, :3] - q[:, :3], turn], axis=1)


PLANAR, SPATIAL = Planar(), Spatial()
