"""Equations that say again what others say: found by rank, left out, and bounded afterwards.

A mechanism may move although it has as many equations as unknowns, or more: a third crank of a
parallelogram, the second planet of a train. At its positions some gradients depend on the others.
Those rows are left out of the search, which so finds every solution of all rows and perhaps more;
then the rows are enclosed along what was found.
"""

from collections.abc import Callable, Iterable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.motion.reduction.blocks import Block

FloatArray = NDArray[np.float64]

SEED = 20
STARTS, ENOUGH = 400, 8  # random starts, and solutions after which no more are tried
# Where gradients do not depend on each other by chance, far fewer will do; where nothing was found
# so, bars far longer than a distance that is held may need more.
NEWTON_STEPS = (12, 60)
WALK = 0.3  # from a solution along what its gradients leave free, in unknowns
GUESSES, ASIDE = 40, 0.2  # starts about where the model was put, and how far from there
REACH = 2.0  # of unknowns without bounds, which are of the size of 1
SOLVED = 1e-12  # residual
STRIDE, FAR = 0.5, 4.0  # the longest step, for unknowns up to FAR; in proportion beyond it
PROBE = 1e-6  # for gradients, in unknowns
STRONG = 1e-2  # of the largest singular value: a way that Newton's method may take at all
DEPENDENT = 1e-7  # of the largest singular value: below this a row repeats others
INDEPENDENT = 1e-4  # and above this it does not; between them nothing is told


def surplus_rows(
    block: Block, *, moving: bool = False, starts: FloatArray | None = None
) -> list[int]:
    """The numbers of equations that repeat earlier ones at the solutions of a block.

    Where no solution is found, of so many that as many equations as unknowns are left. With
    `moving` solutions at which something is left free count before all others. `starts` (k, n) are
    where solutions are looked for first.
    """
    rows = NumericRows(block)
    J = [rows.jacobian(x) for x in rows.solutions(starts)]
    told = [(j, rank) for j in J if (rank := _rank(j)) is not None]
    free = [(j, rank) for j, rank in told if rank < rows.n]
    if moving and free:
        told = free
    at_solutions = bool(told)
    if not at_solutions:
        chance = np.random.default_rng(SEED)
        J = [rows.jacobian(rows.start(chance)) for _ in range(ENOUGH)]
        told = [(j, rank) for j in J if (rank := _rank(j)) is not None]
    ranks = [rank for _, rank in told]
    usual = max(set(ranks), key=lambda r: (ranks.count(r), r), default=0)
    kept = _independent(
        [j for j, rank in told if rank == usual], count=all if at_solutions else any
    )
    if len(kept) != usual or not told:
        return []
    return [k for k in range(len(block.equations)) if k not in kept]


@final
class NumericRows:
    """A block's equations in plain numbers."""

    def __init__(self, block: Block) -> None:
        self.native: Any = native_tape(block.tape)
        self.m, self.n = len(block.equations), len(block.unknowns)
        self.rows = block.tape.outputs[: self.m]
        first = self.m + len(block.redundant)
        self.sides = block.tape.outputs[first : first + len(block.sides)]
        ends = [(u.low, u.high) for u in block.unknowns]
        self.least, self.most = np.array(ends).reshape(-1, 2).T
        self.low = np.array([a if np.isfinite(a) else -REACH for a, _ in ends])
        self.high = np.array([b if np.isfinite(b) else REACH for _, b in ends])
        self.is_limit = np.array([u.is_limit for u in block.unknowns], dtype=bool)
        self.guess = np.array([u.guess for u in block.unknowns])

    def start(self, chance: np.random.Generator) -> FloatArray:
        """Somewhere in the domain."""
        return chance.uniform(self.low, self.high)

    def values(self, x: FloatArray, outputs: Any) -> FloatArray:
        """Rows at points (k, n)."""
        found: FloatArray = self.native.evaluate(np.ascontiguousarray(np.atleast_2d(x)), outputs)
        return found

    def jacobian(self, x: FloatArray) -> FloatArray:
        """(m, n), by differences."""
        probes = np.vstack([x + PROBE * np.eye(self.n), x - PROBE * np.eye(self.n)])
        values = self.values(probes, self.rows)
        J: FloatArray = (values[: self.n] - values[self.n :]).T / (2.0 * PROBE)
        return J

    def solutions(self, starts: FloatArray | None = None) -> list[FloatArray]:
        """Some solutions on their sides and within their limits, reached fast.

        From what is given, else from where the model was put, on from there along its motion, and
        from random starts.

        Rows that repeat others to first order alone, as those of a third crank of a parallelogram
        do (u = 0 and u + s^2 = 0), have a curve of solutions to which Newton's method comes by
        halves, and along which it goes on to a place where still more rows depend on each other.
        With nothing but strong ways it comes to the curve fast, and stays where it came.
        """
        few, many = NEWTON_STEPS
        for steps, least in ((few, DEPENDENT), (few, STRONG), (many, DEPENDENT)):
            if found := self._reached(starts, steps, least):
                return found
        return []

    def _reached(self, starts: FloatArray | None, steps: int, least: float) -> list[FloatArray]:
        """Solutions that so many steps of Newton's method lead to, on ways of `least` or more."""
        chance = np.random.default_rng(SEED)
        found: list[FloatArray] = []
        for trial in range(STARTS if starts is None else len(starts)):
            x = self.start(chance) if starts is None else starts[trial]
            if trial < GUESSES and starts is None:
                near = self.guess + (ASIDE * chance.normal(size=self.n) if trial else 0.0)
                x = np.where(np.isnan(near), x, near)
            for start in (x, *(self._onward(x, chance) for x in found[-1:])):
                solved = self._solved(start, steps, least)
                if solved is not None and self._is_allowed(solved):
                    found.append(solved)
            if len(found) >= ENOUGH:
                break
        return found

    def _onward(self, x: FloatArray, chance: np.random.Generator) -> FloatArray:
        """A step from a solution in a direction that keeps all rows, nearly."""
        _, sizes, V = np.linalg.svd(self.jacobian(x))
        free = V[int((sizes > INDEPENDENT * max(sizes[0], 1e-300)).sum()) :]
        step: FloatArray = WALK * chance.normal(size=len(free)) @ free
        return x + step

    def _solved(self, x: FloatArray, steps: int, least: float) -> FloatArray | None:
        for _ in range(steps):
            f, J = self.values(x, self.rows)[0], self.jacobian(x)
            if not (np.isfinite(f).all() and np.isfinite(J).all()):
                return None
            step = np.linalg.lstsq(J, f, rcond=least)[0]
            stride = STRIDE * max(1.0, float(np.abs(x).max(initial=0.0)) / FAR)
            x = x - step * min(1.0, stride / max(float(np.linalg.norm(step)), 1e-300))
            if np.abs(f).max() < SOLVED:
                return x
        return None

    def _is_allowed(self, x: FloatArray) -> bool:
        inside = ((x >= self.least) & (x <= self.most))[self.is_limit].all()
        return bool(inside and (self.values(x, self.sides) > 0.0).all())


def _rank(J: FloatArray, of: float | None = None) -> int | None:
    """The rank, by singular values as shares of the largest, or `of` one; None where none tells."""
    sizes = np.linalg.svd(J, compute_uv=False)
    if not np.isfinite(sizes).all() or not sizes.size or (of or sizes[0]) == 0.0:
        return None
    share = sizes / (of or sizes[0])
    rank = int((share > INDEPENDENT).sum())
    return rank if rank == int((share > DEPENDENT).sum()) else None


def _independent(jacobians: list[FloatArray], count: Callable[[Iterable[bool]], bool]) -> list[int]:
    """Rows, the first of them first, that do not depend on those before, at `all` or `any` places.

    Places drawn by chance may lie near one where independent rows are parallel: there any tells.
    """
    kept: list[int] = []
    if not jacobians:
        return kept
    largest = [float(np.linalg.norm(J, 2)) for J in jacobians]  # a row may say nothing at all
    for k in range(len(jacobians[0])):
        ranks = [_rank(J[[*kept, k]], of) for J, of in zip(jacobians, largest, strict=True)]
        if count(rank == len(kept) + 1 for rank in ranks):
            kept.append(k)
    return kept
