"""Loops that do not close: how far they miss, and the frames that disagree least with all edges.

Measured edges never close exactly. Reconciled are the states of all frames that make the weighted
sum of what every edge must give, squared, smallest; positions and turns by Gauss-Newton, velocities
and accelerations, which are linear in what is sought, in one solve each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, FrameError
from kempe.frames.graph.frame_trees import closing_parts
from kempe.frames.graph.graph import FrameGraph, parents_first
from kempe.frames.motions.motion import Given
from kempe.frames.states.arrays import FloatArray, cross, transposed, turned, turned_back
from kempe.frames.states.state import KinematicState, made
from kempe.geometry.rotations import exp_so3, log_so3, right_jacobian, skew

# A step this small against the size of the graph is rounding: the normal equations keep half of the
# digits of a step, and the next step would correct what they lose.
CONVERGED = 1e-13
MOST_STEPS = 100


@final
@dataclass(frozen=True, slots=True, eq=False)
class ClosureError:
    """By how much a loop fails to close: the closing edge against the tree's path.

    Each is a number, or (n,) where n times were asked for.
    """

    frames: tuple[str, ...]  # around the loop, from the closing edge's reference to its frame
    position: FloatArray  # m
    angle: FloatArray  # rad
    velocity: FloatArray  # m/s
    angular_velocity: FloatArray  # rad/s

    @property
    def largest(self) -> float:
        """The worst of all, in SI units, over all times."""
        return max(self._largest)

    @property
    def _largest(self) -> list[float]:
        """Of each part, over all times."""
        parts = (self.position, self.angle, self.velocity, self.angular_velocity)
        return [float(np.max(x)) for x in parts]

    def __str__(self) -> str:
        p, a, v, w = self._largest
        return f"{' - '.join(self.frames)}: {p:.3g} m, {a:.3g} rad, {v:.3g} m/s, {w:.3g} rad/s"


def closure_errors(graph: FrameGraph, t: float | ArrayLike = 0.0) -> list[ClosureError]:
    """The closure error of every loop, in the order the loops were closed.

    With S of the tree and S' of the closing edge, both of one frame seen from one other:
    |p - p'|,  the angle of R^T R',  |v - v'|,  |w - w'|
    """
    errors = []
    for edge in graph.closing:
        tree = graph.state(edge.frame, edge.reference, t)
        p, R, v, w, _, _ = closing_parts(edge, t)
        errors.append(
            ClosureError(
                tuple(graph.path(edge.reference, edge.frame)),
                _length(tree.position - p),
                _length(log_so3(transposed(tree.rotation) @ R)),
                _length(tree.velocity - v),
                _length(tree.angular_velocity - w),
            )
        )
    return errors


def _length(x: FloatArray) -> FloatArray:
    """|x|, also of speeds whose squares are beyond all numbers."""
    largest = np.abs(x).max(axis=-1, keepdims=True)
    unit = np.where(largest > 0.0, largest, 1.0)
    return np.asarray(unit[..., 0] * np.linalg.norm(x / unit, axis=-1))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What reconciliation did to an edge: how far it moved and turned the frame."""

    frame: str
    reference: str
    distance: float  # m
    angle: float  # rad


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reconciliation:
    """A graph at one time whose loops all close, and how far every edge had to give."""

    graph: FrameGraph  # the same frames and edges, with states of that instant
    corrections: tuple[Correction, ...]
    converged: bool
    steps: int


def reconciled(
    graph: FrameGraph,
    t: float = 0.0,
    *,
    weights: Mapping[tuple[str, str], float] | None = None,
    length: float | None = None,
) -> Reconciliation:
    """Close every loop at time t by moving all edges as little as possible.

    minimise  sum w ( |R_I^T (p_J - p_I) - p_IJ|^2 + length^2 |log(R_IJ^T R_I^T R_J)|^2 )

    `weights` of edges by (frame, parent), 1 where none is given: an edge of ten times the weight is
    trusted as if measured ten times. `length` (m) says what distance is as bad as one radian; by
    default the mean distance between neighbours. Own.
    """
    edges = _measured(graph, t, weights or {})
    if not edges.number:
        return Reconciliation(graph, (), True, 0)
    if length is None:
        length = float(np.linalg.norm(edges.p, axis=1).mean()) or 1.0
    if not length > 0.0:
        raise BadNumber(f"`length` must be more than 0 m, it is {length}.")
    p, R = _start(graph, t)
    system = _System(edges, length, len(p))
    steps, size = 0, float(np.abs(p).max()) + length
    converged = False
    while not converged and steps < MOST_STEPS:
        step = system.solved(*system.poses(p, R))
        p = p - step[:, :3]
        R = R @ exp_so3(-step[:, 3:])
        steps += 1
        converged = bool(np.abs(step).max() <= CONVERGED * size)
    v, w = system.velocities(p, R)
    a, alpha = system.accelerations(p, R, v, w)
    return Reconciliation(*_written(graph, edges, (p, R, v, w, a, alpha)), converged, steps)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """Every edge: numbers of its two frames, its weight and its state."""

    number: int
    i: Any  # (m,) the references
    j: Any  # (m,) the frames
    is_root: Any  # (n,) frames that stay
    weight: FloatArray
    p: FloatArray
    R: FloatArray
    v: FloatArray
    w: FloatArray
    a: FloatArray
    alpha: FloatArray


def _measured(graph: FrameGraph, t: float, weights: Mapping[tuple[str, str], float]) -> _Measured:
    place = {name: k for k, name in enumerate(graph)}
    pairs, states, is_root = [], [], np.zeros(len(graph), dtype=bool)
    for name in graph:
        parent = graph.parent(name)
        if parent is None:
            is_root[place[name]] = True
            continue
        pairs.append((name, parent))
        states.append(graph.along([parent, name], t).parts)
    for edge in graph.closing:
        pairs.append((edge.frame, edge.reference))
        states.append(closing_parts(edge, t))
    for pair, weight in weights.items():
        if pair not in pairs:
            raise FrameError(f"there is no edge from {pair[1]!r} to {pair[0]!r} to weigh.")
        if not weight > 0.0:
            raise BadNumber(f"the weight of {pair} must be more than 0, it is {weight}.")
    if not pairs:
        none = np.zeros((0, 3))
        return _Measured(0, none, none, is_root, none, none, none, none, none, none, none)
    j, i = (np.array([place[pair[k]] for pair in pairs]) for k in (0, 1))
    p, R, v, w, a, alpha = (np.stack(part) for part in zip(*states, strict=True))
    scale = np.sqrt([weights.get(pair, 1.0) for pair in pairs])
    return _Measured(len(pairs), i, j, is_root, scale, p, R, v, w, a, alpha)


def _start(graph: FrameGraph, t: float) -> tuple[FloatArray, FloatArray]:
    """Every frame seen from its root, by the tree."""
    root: dict[str, str] = {}
    parents = graph.parents
    for name in parents_first(parents):
        root[name] = root.get(parents[name] or "", name)
    states = [graph.state(name, root[name], t) for name in graph]
    return np.stack([s.position for s in states]), np.stack([s.rotation for s in states])


@final
@dataclass(frozen=True, slots=True, eq=False)
class _System:
    """The rows of all edges, six each, for six unknowns of every frame."""

    edges: _Measured
    length: float
    n: int

    def poses(self, p: FloatArray, R: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Residuals (m, 6) and their derivatives by the unknowns of both frames, (m, 6, 6).

        Unknowns are a displacement in the root's axes and a turn in the frame's own.
        """
        e = self.edges
        R_i, R_j = R[e.i], R[e.j]
        d = turned_back(R_i, p[e.j] - p[e.i])
        angle = log_so3(transposed(e.R) @ transposed(R_i) @ R_j)
        J = np.linalg.inv(right_jacobian(angle))
        by_i, by_j = np.zeros((e.number, 6, 6)), np.zeros((e.number, 6, 6))
        by_j[:, :3, :3] = transposed(R_i)
        by_i[:, :3, :3] = -transposed(R_i)
        by_i[:, :3, 3:] = skew(d)
        by_j[:, 3:, 3:] = J
        by_i[:, 3:, 3:] = -J @ transposed(R_j) @ R_i
        return np.concatenate([d - e.p, angle], axis=1), by_i, by_j

    def velocities(self, p: FloatArray, R: FloatArray) -> tuple[FloatArray, FloatArray]:
        """v_J = v_I + w_I x d + R_I v_IJ and w_J = w_I + R_I w_IJ, in the root's axes."""
        e = self.edges
        u, s = turned(R[e.i], e.v), turned(R[e.i], e.w)
        x = self.solved(*self._moving(p, -u, -s))
        return -x[:, :3], -x[:, 3:]

    def accelerations(
        self, p: FloatArray, R: FloatArray, v: FloatArray, w: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """As the velocities, with the Coriolis, centripetal and Euler terms of the frames found."""
        e = self.edges
        d, w_i = p[e.j] - p[e.i], w[e.i]
        s = w[e.j] - w_i  # what the edges' velocities have become
        u = v[e.j] - v[e.i] - cross(w_i, d)
        f = cross(w_i, cross(w_i, d) + 2.0 * u) + turned(R[e.i], e.a)
        g = cross(w_i, s) + turned(R[e.i], e.alpha)
        x = self.solved(*self._moving(p, -f, -g))
        return -x[:, :3], -x[:, 3:]

    def _moving(
        self, p: FloatArray, linear: FloatArray, angular: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        e = self.edges
        by_i, by_j = np.zeros((e.number, 6, 6)), np.zeros((e.number, 6, 6))
        by_j[:] = np.eye(6)
        by_i[:] = -np.eye(6)
        by_i[:, :3, 3:] = skew(p[e.j] - p[e.i])
        return np.concatenate([linear, angular], axis=1), by_i, by_j

    def solved(self, residual: FloatArray, by_i: FloatArray, by_j: FloatArray) -> FloatArray:
        """The unknowns x (n, 6) that make |residual - J x| smallest; those of roots are zero."""
        from scipy.sparse import csr_array
        from scipy.sparse.linalg import splu

        e = self.edges
        scale = e.weight[:, None] * np.array([1.0] * 3 + [self.length] * 3)
        free = np.full((self.n, 6), -1)
        free[~e.is_root] = np.arange(6 * int((~e.is_root).sum())).reshape(-1, 6)
        rows = np.broadcast_to(np.arange(6 * e.number).reshape(-1, 6, 1), by_i.shape)
        values, at, columns = [], [], []
        for block, frames in ((by_i, e.i), (by_j, e.j)):
            unknown = np.broadcast_to(free[frames][:, None, :], block.shape)
            used = (unknown >= 0) & (block != 0.0)
            values.append((scale[:, :, None] * block)[used])
            at.append(rows[used])
            columns.append(unknown[used])
        shape = (6 * e.number, 6 * int((~e.is_root).sum()))
        J = csr_array(
            (np.concatenate(values), (np.concatenate(at), np.concatenate(columns))), shape=shape
        )
        r = (scale * residual).ravel()
        try:
            with np.errstate(all="ignore"):
                normal = splu((J.T @ J).tocsc())
                x = normal.solve(J.T @ r)
                x = x + normal.solve(J.T @ (r - J @ x))  # once more: the equations lose digits
        except RuntimeError:  # what SuperLU says of an exact zero among the pivots
            x = np.full(shape[1], np.nan)
        if not np.isfinite(x).all():
            raise FrameError(
                "these edges cannot be reconciled: their distances, rates and weights are of such"
                " different sizes that no digits are left. Weigh them less unevenly, or give"
                f" `length` (now {self.length:g} m)."
            )
        full = np.zeros((self.n, 6))
        full[~e.is_root] = x.reshape(-1, 6)
        return full


def _written(
    graph: FrameGraph, edges: _Measured, parts: tuple[FloatArray, ...]
) -> tuple[FrameGraph, tuple[Correction, ...]]:
    names = list(graph)
    states = [
        made(name, "", (p, R, v, w, a, alpha))
        for name, p, R, v, w, a, alpha in zip(names, *parts, strict=True)
    ]
    result = FrameGraph()
    corrections = []
    tree = {n for n in names if graph.parent(n) is not None}
    between: list[KinematicState] = []
    for k in range(edges.number):
        frame, reference = states[edges.j[k]], states[edges.i[k]]
        state = frame.after(reference)
        between.append(state)
        turn = log_so3(edges.R[k].T @ state.rotation)
        distance = float(np.linalg.norm(state.position - edges.p[k]))
        corrections.append(
            Correction(state.frame, state.reference, distance, float(np.linalg.norm(turn)))
        )
    for name in parents_first(graph.parents):
        result.add(name, graph.parent(name), None)
    for k, state in enumerate(between):
        if k < len(tree):
            result.change(state.frame, Given(state))
        else:
            result.close(state.frame, state.reference, Given(state))
    return result, tuple(corrections)
