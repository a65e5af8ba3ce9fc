"""Mechanisms that move although their rows are too many, searched in sums of all rows.

Whichever rows are left out, there are positions where those that are kept depend on each other
though the mechanism is regular: curves come in pieces, cut there. Sums of *all* rows, with factors
drawn by chance, often have no such place: where the motion was followed in plain numbers, with
tangent t and the gradients J of all rows, det [Q J; t] keeps its sign for good factors Q. Every
solution of all rows is one of the sums'; what solves the sums alone is sifted out, as the rows
themselves fail there. The best factors are tried until nothing is stuck.

Own: the manual's page on what is certified, "Rows that repeat others".
"""

import time
from dataclasses import replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import native_tape
from kempe.motion.equations.system import POINTS
from kempe.motion.reduction.blocks import Block, System
from kempe.motion.search.search import Effort, EndKind, Found, FoundCurve, search
from kempe.motion.search.sifting import Sifting, sifted

FloatArray = NDArray[np.float64]

DRAWN, TRIED = 2000, 6  # mixtures at most
SHARE = 0.4  # of the seconds, for all of them
EACH = 0.125  # of the seconds, for one
SEED = 17
STARTS, FOLLOWED = 6, 2  # random starts of Newton's method; curves that are followed
NEWTON_STEPS, CORRECTIONS = 40, 8
STRIDE, MOST_STEPS = 0.2, 200  # along the curve, in unknowns
SOLVED, NEAR = 1e-9, 0.1  # of rows; of a curve that was followed before
DEPENDENT = 1e-6  # of the largest singular value: gradients depend on others


def is_mixable(system: System, block: Block) -> bool:
    """Whether a block in space with one freedom does without rows that repeat others."""
    in_space = bool(system.form) and system.form != POINTS
    if not in_space or block.surplus is None or block.freedom != 1:
        return False
    return system.left.count(block.places) > len(block.equations)


def by_mixtures(system: System, block: Block, effort: Effort) -> tuple[Found, Sifting] | None:
    """What sums of all rows of a block lead to, none of it stuck; None where all mixtures are."""
    began, places = time.monotonic(), list(block.places)
    for mixture in _promising(system, block):
        gone = time.monotonic() - began
        if gone > SHARE * effort.seconds:
            return None
        one = replace(effort, seconds=EACH * effort.seconds)
        found = search(system.left.mixed(places, mixture), one)
        if found.ended != "complete" or len(found.unresolved[0]) or len(found.sheets[0]):
            continue
        kept, sifting = sifted(found, effort.seconds - gone)
        if kept.components and all(map(_ends_well, kept.components)):
            return kept, sifting
    return None


def _ends_well(curve: FoundCurve) -> bool:
    """Whether a curve closes, or ends at limits."""
    return curve.closed or all(end.kind is EndKind.limit for end in curve.ends)


def _promising(system: System, block: Block) -> list[FloatArray]:
    """Factors (m, rows) drawn by chance, those first that are regular where it was followed."""
    chance = np.random.default_rng(SEED)
    places, m = list(block.places), len(block.equations)
    count = system.left.count(places)
    rows = _AllRows(system.left.mixed(places, np.eye(count)[:m]))
    curves = rows.followed(chance)
    sizes = [np.linalg.norm(J, axis=2).max(axis=0) for J, _ in curves]
    size = np.maximum(np.max(sizes, axis=0), DEPENDENT) if sizes else np.ones(count)
    good: list[tuple[float, FloatArray]] = []
    for _ in range(DRAWN):
        square, _ = np.linalg.qr(chance.normal(size=(count, count)))
        mixture = square[:m] / size  # of rows that are alike in size
        least = min((_least_determinant(mixture, J, t) for J, t in curves), default=1.0)
        if least > 0.0:
            good.append((least, mixture))
        if len(good) == TRIED:
            break
    return [mixture for _, mixture in sorted(good, key=lambda one: -one[0])]


def _least_determinant(mixture: FloatArray, J: FloatArray, t: FloatArray) -> float:
    """The least |det [Q J; t]| along a curve, as a share of the largest; < 0 where it changes."""
    square = np.concatenate([mixture @ J, t[:, None, :]], axis=1)
    found = np.linalg.det(square)
    sign = 1.0 if (found > 0.0).all() or (found < 0.0).all() else -1.0
    return sign * float(np.abs(found).min() / np.abs(found).max())


@final
class _AllRows:
    """All rows of a block in plain numbers, and curves along which they vanish."""

    def __init__(self, block: Block) -> None:
        assert block.surplus is not None
        self.native, self.outputs = native_tape(block.surplus.tape), block.surplus.tape.outputs
        self.count, self.n = len(block.surplus.sources), len(block.unknowns)
        domain = block.problem.domain()
        self.low, self.high = domain.low[0], domain.high[0]

    def followed(self, chance: np.random.Generator) -> list[tuple[FloatArray, FloatArray]]:
        """Gradients (k, rows, n) and tangents (k, n) along the first few curves that are met."""
        curves: list[tuple[FloatArray, FloatArray]] = []
        seen = np.empty((0, self.n))
        for _ in range(STARTS):
            x = self._solved(chance.uniform(self.low, self.high), NEWTON_STEPS)
            if x is None or (len(seen) and np.abs(seen - x).max(axis=1).min() < NEAR):
                continue
            points, J, t = self._along(x)
            if len(points) > 1:
                seen = np.concatenate([seen, points])
                curves.append((J, t))
            if len(curves) == FOLLOWED:
                break
        return curves

    def _along(self, start: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        x, ahead = start, np.zeros(self.n)
        points, gradients, tangents = [], [], []
        for k in range(MOST_STEPS):
            _, J = self._at(x)
            _, sizes, V = np.linalg.svd(J)
            if (sizes > DEPENDENT * sizes[0]).sum() != self.n - 1:
                break
            t = V[-1] if V[-1] @ ahead >= 0.0 else -V[-1]
            points.append(x)
            gradients.append(J)
            tangents.append(t)
            if k > 2 and np.linalg.norm(x - start) < STRIDE:
                break
            on = self._solved(x + STRIDE * t, CORRECTIONS)
            if on is None or ((on < self.low) | (on > self.high)).any():
                break
            x, ahead = on, t
        return np.array(points), np.array(gradients), np.array(tangents)

    def _solved(self, x: FloatArray, steps: int) -> FloatArray | None:
        for _ in range(steps):
            f, J = self._at(x)
            if not (np.isfinite(f).all() and np.isfinite(J).all()):
                return None
            if np.abs(f).max() < SOLVED:
                return x
            U, sizes, V = np.linalg.svd(J, full_matrices=False)
            least = DEPENDENT * sizes[0]
            ways = [k for k in range(self.n - 1) if sizes[k] > least]  # never along the curve
            step = (U[:, ways].T @ f / sizes[ways]) @ V[ways]
            x = x - step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
        return x if np.abs(self._at(x)[0]).max() < SOLVED else None

    def _at(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values and gradients of all rows."""
        d, n = self.count, self.n
        found = self.native.evaluate(np.ascontiguousarray(x[None]), self.outputs[: d + d * n])[0]
        return found[:d], found[d:].reshape(d, n)
