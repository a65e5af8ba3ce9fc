"""Bounds that hold for every machine within its tolerances, proved by intervals.

Rows phi(q; p) = 0 hold the mechanism at one moment; its numbers p move by at most dp about those it
was designed with. With C = J^-1 where it was designed to stand, q_0, and displacements |x| <= X,

    K = |C phi(q_0, p_0)| + sum_k |C phi_p| |dp_k| + |1 - C J(q_0 + X, p_0 + dp)| X  <  X

proves that every such machine stands in that box in exactly one way, which the designed one turns
into as the numbers change: so on its branch. What is read moves along

    dr/dp_k = r_p - r_x J^-1 phi_p,

enclosed over the whole box, and by the mean value theorem no further than the sum of these times
dp_k. Its width beyond the linear estimate is of second order in the tolerances.

Source: [Neumaier] ch. 5, Krawczyk's operator; products of a matrix of doubles and one of intervals
by midpoint and radius: [Rump99]. What becomes of mechanisms with it: Own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Part, record_parts, sparse_jacobian, tangent
from kempe.algebra.native import native_tape
from kempe.gradients.build_map import Slopes
from kempe.gradients.placing import Placing
from kempe.results import Motion

FloatArray = NDArray[np.float64]

ROUNDS: Final = 16  # of a box that grows until it holds what it must
GROWN: Final = 1.1  # by which it is larger than what it must hold
LEAST: Final = 1e-14  # of the size of the machine, and rad: what any box is wide
EPS: Final = float(np.finfo(np.float64).eps)
TINY: Final = float(np.finfo(np.float64).tiny)
SUMS: Final = 1e-11  # of a slope: what numbers of models follow from parameters by
DEFINED: Final = 2  # decoration of what is defined and continuous over a whole box


@final
@dataclass(frozen=True, slots=True, eq=False)
class Balls:
    """Numbers known as `mid` to within `rad`."""

    mid: FloatArray
    rad: FloatArray

    @property
    def mag(self) -> FloatArray:
        """The largest size that they may have."""
        return (np.abs(self.mid) + self.rad) * (1.0 + EPS)

    @classmethod
    def between(cls, low: FloatArray, high: FloatArray) -> "Balls":
        """Balls that hold the intervals from low to high; unbounded ones have radius inf."""
        with np.errstate(invalid="ignore", over="ignore"):
            mid = 0.5 * low + 0.5 * high
            mid = np.where(np.isfinite(mid), mid, 0.0)
            rad = np.maximum(high - mid, mid - low) * (1.0 + 2.0 * EPS)
        return cls(mid, np.where(np.isnan(rad), np.inf, rad))

    def of(self, which: Any) -> "Balls":
        """Those of some samples."""
        return Balls(self.mid[which], self.rad[which])

    def after(self, C: FloatArray) -> "Balls":
        """C times these, for matrices C of doubles."""
        n = C.shape[-1]
        loss = (n + 2) * EPS
        mid = C @ self.mid
        rad = np.abs(C) @ (self.rad + loss * np.abs(self.mid))
        return Balls(mid, rad * (1.0 + loss) + n * TINY)

    def times(self, other: "Balls") -> "Balls":
        """The product of two matrices of balls."""
        n = self.mid.shape[-1]
        loss = (n + 2) * EPS
        size = np.abs(other.mid)
        rad = np.abs(self.mid) @ (other.rad + loss * size) + self.rad @ (size + other.rad)
        return Balls(self.mid @ other.mid, rad * (1.0 + loss) + n * TINY)

    def __add__(self, other: "Balls") -> "Balls":
        mid = self.mid + other.mid
        return Balls(mid, (self.rad + other.rad + EPS * np.abs(mid)) * (1.0 + 2.0 * EPS))

    def __sub__(self, other: "Balls") -> "Balls":
        return self + Balls(-other.mid, other.rad)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Enclosed:
    """Bounds of scalars that were read, (n, scalars), infinite where nothing was proved."""

    low: FloatArray
    high: FloatArray
    is_proved: NDArray[np.bool_]  # (n,)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """What parameters may be off: `low` <= dp <= `high`, (k,); `balls` those of which only the
    length together is bounded, by a radius.
    """

    low: FloatArray
    high: FloatArray
    balls: Sequence[tuple[Sequence[int], float]]

    @property
    def most(self) -> FloatArray:
        """The largest size of each."""
        return np.maximum(np.abs(self.low), np.abs(self.high))


@final
class Encloser:
    """Encloses what is read of one motion in the plane for all machines of a box."""

    def __init__(self, placing: Placing, slopes: Slopes) -> None:
        self.placing, self.slopes = placing, slopes
        traced, inputs = placing.traced, placing.traced.inputs
        graph = inputs.graph
        moved = [Expression(graph, graph.input(f"moved{k}")) for k in range(len(inputs.p))]
        along = {p.node: m for p, m in zip(inputs.p, moved, strict=True)}
        zero = Expression(graph, graph.constant(0.0))
        kept, columns = traced.kept, range(len(traced.v))
        rows = [traced.system.phi[k] for k in kept]
        J = [traced.system.jacobian[k] for k in kept]
        R = sparse_jacobian(traced.values, traced.seeds)
        found = {
            "phi": rows,
            "J": [row.get(j, zero) for row in J for j in columns],
            "pushed": tangent(rows, along),
            "read": traced.values,
            "R": [row.get(j, zero) for row in R for j in columns],
            "r": tangent(traced.values, along),
        }
        ins = [*inputs.q, *traced.v, *traced.a, inputs.t, *traced.turned, *inputs.p, *moved]
        recording = record_parts(graph, ins, [Part("enclosed", found)])
        self.native = native_tape(recording.tape)
        self.registers = recording.registers
        self.count = len(inputs.p)

    def enclosed(self, motion: Motion, nominal: FloatArray, box: Box) -> Enclosed:
        """Bounds at all samples about the `nominal` values (n, scalars) of what is read."""
        base = self.placing.inputs(motion, self.slopes)
        n, m, s = len(motion), self.placing.layout.n_v, nominal.shape[1]
        J = self._point(base, "J").reshape(n, m, m)
        with np.errstate(all="ignore"):
            fine = np.linalg.cond(J) < 1.0 / EPS
            C = np.linalg.inv(np.where(fine[:, None, None], J, np.eye(m)))
        start = self._bounds(base, base, 0, "phi", "read")
        phi, read = Balls.between(*start[:2]), Balls.between(*start[2:4])
        read = turned(read, nominal)
        off = Balls(phi.mid[..., None], phi.rad[..., None]).after(C).mag[..., 0]
        X = np.maximum(off, LEAST)
        proved, tried = np.zeros(n, dtype=bool), fine.copy()
        low, high = np.full((n, s), -np.inf), np.full((n, s), np.inf)
        for _ in range(ROUNDS):
            which = np.flatnonzero(tried & ~proved)
            if not len(which):
                break
            part = self._over(base[which], X[which], C[which], box)
            need = off[which] + part.pushed @ box.most
            need = need + (part.E @ X[which][..., None])[..., 0]
            need = need * (1.0 + (m + 4) * EPS) + TINY
            holds = part.is_defined & (need < X[which]).all(axis=1)
            done = which[holds]
            if len(done):
                some = part.of(holds)
                low[done], high[done] = some.read(read.of(done), off[done], box)
                proved[done] = np.isfinite(low[done]).all(axis=1)
                tried[done] = False
            rest = which[~holds]
            X[rest] = np.maximum(GROWN * need[~holds], X[rest])
            tried[rest] = (X[rest] < 1.0).all(axis=1) & np.isfinite(X[rest]).all(axis=1)
        return Enclosed(low, high, proved)

    def _over(self, base: FloatArray, X: FloatArray, C: FloatArray, box: Box) -> "_Part":
        """Everything that is read of the tape over boxes about samples, by midpoint and radius."""
        n, m = X.shape
        slopes = self.placing.numbers(self.slopes.by, self.slopes)  # (numbers, parameters)
        sure = np.abs(slopes) * (1.0 + SUMS)
        reach = sure @ box.most * (1.0 + len(box.most) * EPS)
        low, high = base.copy(), base.copy()
        low[:, :m] = np.nextafter(base[:, :m] - X, -np.inf)
        high[:, :m] = np.nextafter(base[:, :m] + X, np.inf)
        numbers = slice(base.shape[1] - self.count, base.shape[1])
        low[:, numbers] = np.nextafter(base[:, numbers] - reach, -np.inf)
        high[:, numbers] = np.nextafter(base[:, numbers] + reach, np.inf)
        ways = [self._bounds(low, high, k, "J", "pushed", "R", "r") for k in range(len(box.most))]
        first = ways[0]
        J = Balls.between(*first[0:2])
        E = Balls(J.mid.reshape(n, m, m), J.rad.reshape(n, m, m)).after(C)
        E = Balls(np.broadcast_to(np.eye(m), E.mid.shape), np.zeros_like(E.mid)) - E
        R = Balls.between(*first[4:6])
        s = R.mid.shape[1] // m
        stacked = [
            Balls(
                np.stack([b.mid for b in some], axis=-1), np.stack([b.rad for b in some], axis=-1)
            )
            for some in zip(
                *([Balls.between(*w[j : j + 2]) for j in (2, 6)] for w in ways), strict=True
            )
        ]
        pushed = stacked[0].after(C)
        return _Part(
            np.asarray(np.all([w[8] for w in ways], axis=0)),
            E.mag,
            pushed.mag,
            pushed,
            Balls(R.mid.reshape(n, s, m), R.rad.reshape(n, s, m)),
            stacked[1],
        )

    def _bounds(self, low: FloatArray, high: FloatArray, k: int, *names: str) -> Any:
        """Bounds of parts of the tape, low and high of each; then where all is defined."""
        slopes = self.placing.numbers(self.slopes.by, self.slopes)[:, k]
        away = SUMS * np.abs(slopes)
        lower, upper = (
            np.ascontiguousarray(np.hstack([x, np.tile(by, (len(x), 1))]))
            for x, by in ((low, slopes - away), (high, slopes + away))
        )
        registers = np.concatenate([self.registers[name] for name in names])
        ends = np.cumsum([len(self.registers[name]) for name in names])[:-1]
        a, b, marks = self.native.evaluate_decorated(lower, upper, registers)
        parts = [
            x for pair in zip(np.split(a, ends, 1), np.split(b, ends, 1), strict=True) for x in pair
        ]
        return [*parts, (np.asarray(marks) >= DEFINED).all(axis=1)]

    def _point(self, base: FloatArray, name: str) -> FloatArray:
        rows = np.hstack([base, np.zeros((len(base), self.count))])
        return np.asarray(self.native.evaluate(rows, self.registers[name]))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What is known over boxes about samples (n, ...)."""

    is_defined: NDArray[np.bool_]
    E: FloatArray  # (n, m, m): sizes of 1 - C J
    pushed: FloatArray  # (n, m, parameters): sizes of C phi_p
    by: Balls  # C phi_p
    R: Balls  # (n, scalars, m)
    r: Balls  # (n, scalars, parameters)

    def of(self, which: NDArray[np.bool_]) -> "_Part":
        """That of some samples."""
        balls = (b.of(which) for b in (self.by, self.R, self.r))
        return _Part(self.is_defined[which], self.E[which], self.pushed[which], *balls)

    def read(self, nominal: Balls, off: FloatArray, box: Box) -> tuple[FloatArray, FloatArray]:
        """Bounds of what is read: mean value theorem with slopes over the whole box."""
        m = self.E.shape[-1]
        norm = self.E.sum(axis=2).max(axis=1) * (1.0 + m * EPS)
        with np.errstate(all="ignore"):
            far = np.where(norm < 1.0, 1.0 / (1.0 - norm), np.inf)[:, None, None] * (1.0 + 4 * EPS)
            most = np.broadcast_to(self.pushed.max(axis=1, keepdims=True) * far, self.pushed.shape)
            for _ in range(3):
                most = np.minimum(most, (self.pushed + self.E @ most) * (1.0 + (m + 2) * EPS))
            spare = (self.E @ most) * (1.0 + (m + 2) * EPS)
            x = Balls(-self.by.mid, self.by.rad + spare)
            D = self.R.times(x) + self.r
            start = off.max(axis=1, keepdims=True) * far[..., 0]
            begun = (self.R.mag @ np.broadcast_to(start, off.shape)[..., None])[..., 0]
            begun = begun * (1.0 + (m + 2) * EPS) + nominal.rad
        low, high = nominal.mid - begun, nominal.mid + begun
        ball = {k for group, _ in box.balls for k in group}
        for k in range(D.mid.shape[-1]):
            if k in ball:
                continue
            a, b = D.mid[..., k] - D.rad[..., k], D.mid[..., k] + D.rad[..., k]
            ends = [x * d for x in (a, b) for d in (box.low[k], box.high[k])]
            low = low + np.minimum.reduce(ends)
            high = high + np.maximum.reduce(ends)
        for group, radius in box.balls:
            size = np.sqrt((D.mag[..., list(group)] ** 2).sum(axis=-1)) * (1.0 + 8.0 * EPS)
            low, high = low - radius * size, high + radius * size
        spare_end = 4.0 * (D.mid.shape[-1] + 2) * EPS * (np.abs(low) + np.abs(high))
        low, high = low - spare_end, high + spare_end
        return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def turned(read: Balls, nominal: FloatArray) -> Balls:
    """Angles that are known up to whole turns, with the turns that the nominal values count."""
    turns = np.rint((nominal - read.mid) / (2.0 * np.pi))
    return read + Balls(2.0 * np.pi * turns, 4.0 * EPS * np.abs(turns) * 2.0 * np.pi)
