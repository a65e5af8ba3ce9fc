"""Impulses and contact: what stops and latches do to velocities and accelerations in no time.

With M the masses, J the rows that hold and G those of the limits g that are touched, an impulse P
along G changes the velocities by

    v+ - v- = X P,   [M J^T; J 0] [X; Lam] = [G^T; 0],   A = G X

so that J v stays what it was. Accelerations answer to the forces lam of the limits alike:
g'' = g''_free + A lam.

Source: [PfeifferGlocker], frictionless impacts by Newton's law, and contact as complementarity.
Own: the order of impacts at one moment.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Of what a row would move by itself: less is rounding, and joints or drives hold it fast.
HELD = 1e-11
# Of the fastest approach: slower ones are rounding.
APPROACH = 1e-12
# Impacts at one moment, one after the other, before what is left of them is stopped at once.
MOST_IMPACTS = 500
MOST_PIVOTS = 200
STILL = 1e-14  # of the approach: a rebound that is no faster is rounding
ALIKE = 1e-6  # speeds whose difference is this share of them are the same


@final
@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """How velocities and accelerations answer to unit impulses along rows."""

    rows: FloatArray  # G (k, n_v)
    moved: FloatArray  # X (n_v, k)
    matrix: FloatArray  # A (k, k)
    is_held: NDArray[np.bool_]  # (k,) rows that nothing can move


@final
@dataclass(frozen=True, slots=True, eq=False)
class Masses:
    """Mass blocks (bodies, n, n) at the centres of mass, and the size (m) of the machine."""

    blocks: FloatArray
    length: float

    def product(self, v: FloatArray) -> FloatArray:
        """M v."""
        parts = v.reshape(len(self.blocks), -1)
        return np.asarray(np.einsum("bij,bj->bi", self.blocks, parts)).reshape(-1)

    def kinetic(self, v: FloatArray) -> float:
        """v . M v / 2 (J)."""
        return 0.5 * float(v @ self.product(v))

    @property
    def sizes(self) -> FloatArray:
        """sqrt(m) of every way, sqrt(max(I, m L^2)) of every turn: units to solve in."""
        diagonal = np.diagonal(self.blocks, axis1=1, axis2=2)
        mass = diagonal[:, :1]
        mass = np.where(mass > 0.0, mass, max(float(mass.max(initial=0.0)), 1e-300))
        linear = 2 if diagonal.shape[1] == 3 else 3
        turns = np.maximum(diagonal[:, linear:], mass * self.length**2)
        both = np.hstack([np.repeat(mass, linear, axis=1), turns])
        return np.asarray(np.sqrt(both)).reshape(-1)


def answer_to(J: FloatArray, mass: Masses, rows: FloatArray) -> Answer:
    """The answer of bodies that are held by the rows J (m, n_v)."""
    moved = solved(J, mass, rows.T, np.zeros((len(J), len(rows))))[0]
    A, sizes = rows @ moved, mass.sizes
    alone = np.einsum("ki,ki->k", rows / sizes, rows / sizes)
    return Answer(rows, moved, 0.5 * (A + A.T), np.diagonal(A) <= HELD * alone)


def solved(
    J: FloatArray, mass: Masses, push: FloatArray, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """x and y with M x - J^T y = push (n_v, k) and J x = rates (m, k), also where J is dependent.

    Scaled so that masses, lengths and angles of any size are solved alike.
    """
    n, m, width = J.shape[1], len(J), mass.blocks.shape[1]
    size = mass.sizes
    lengths = np.maximum(np.linalg.norm(J / size, axis=1), 1e-300)
    K = np.zeros((n + m, n + m))
    for body, block in enumerate(mass.blocks):
        at = slice(width * body, width * (body + 1))
        K[at, at] = block / size[at, None] / size[at]
    K[n:, :n] = J / size / lengths[:, None]
    K[:n, n:] = K[n:, :n].T
    right = np.vstack([push / size[:, None], rates / lengths[:, None]])
    found = np.linalg.lstsq(K, right)[0]
    return found[:n] / size[:, None], -found[n:] / lengths[:, None]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Impact:
    """What impulses P (k,) make of the velocities, and the energy (J) that each row takes.

    `blocked` is a row that nothing moves.
    """

    v: FloatArray
    impulses: FloatArray
    losses: FloatArray
    blocked: int | None = None


def impact(
    answer: Answer, v: FloatArray, e: FloatArray, rested: NDArray[np.bool_] | None = None
) -> Impact:
    """One limit after the other, the one approached fastest first, until none is approached.

    g'+ = -e g'-, A P = -(1 + e) g'-, P >= 0

    Limits that are approached as fast as each other act together, so that a symmetric impact stays
    one. Speeds compare by what they mean to the bodies, g' / sqrt(A_kk). A limit that is
    `rested` on has g' = 0, whatever rounding says, until another impact changes that.
    """
    A, impulses, losses = answer.matrix, np.zeros(len(e)), np.zeros(len(e))
    weights = 1.0 / np.sqrt(np.where(answer.is_held, 1.0, np.diagonal(A)))
    drift = np.zeros(len(e)) if rested is None else np.where(rested, answer.rows @ v, 0.0)
    rates = answer.rows @ v - drift
    floor = APPROACH * float(np.abs(rates).max(initial=0.0))
    noise = APPROACH * np.abs(answer.rows) @ np.abs(v)
    for _ in range(MOST_IMPACTS):
        open_ = rates < -np.maximum(floor, noise)
        if not open_.any():
            return Impact(v, impulses, losses)
        scaled = np.where(open_, rates * weights, 0.0)
        near = np.flatnonzero(scaled <= scaled.min() * (1.0 - ALIKE))
        if answer.is_held[near].any():
            return Impact(v, impulses, losses, int(near[answer.is_held[near]][0]))
        push = complementary(A[np.ix_(near, near)], (1.0 + e[near]) * rates[near])
        if push is None:
            return Impact(v, impulses, losses, int(near[0]))
        before = rates
        v = _thrown(answer, v, near, push)
        rates = answer.rows @ v - drift
        impulses[near] += push
        losses[near] -= 0.5 * push * (before + rates)[near]
    rest = complementary(A, rates)
    if rest is None:
        return Impact(v, impulses, losses, int(np.argmin(rates)))
    after = v + answer.moved @ rest
    return Impact(after, impulses + rest, losses - 0.5 * rest * (rates + answer.rows @ after))


def _thrown(answer: Answer, v: FloatArray, near: NDArray[np.intp], push: FloatArray) -> FloatArray:
    """v + X P, with the rounding of the sum taken back, so that what is stopped stands still."""
    struck = near[push > 0.0]
    A = answer.matrix[np.ix_(struck, struck)]
    due = answer.rows[struck] @ v + answer.matrix[np.ix_(struck, near)] @ push
    due[np.abs(due) <= STILL * np.abs(answer.rows[struck] @ v)] = 0.0
    after = v + answer.moved[:, near] @ push
    missed = np.linalg.lstsq(A, due - answer.rows[struck] @ after)[0]
    return np.asarray(after + answer.moved[:, struck] @ missed)


def complementary(A: FloatArray, b: FloatArray) -> FloatArray | None:
    """x >= 0 with w = A x + b >= 0 and x . w = 0; None where there is none.

    Own: principal pivots, the least index first (Murty), least squares where A is singular.
    """
    n = len(b)
    scale = float(np.abs(b).max(initial=0.0))
    if not scale:
        return np.zeros(n)
    small = 1e-10 * scale
    active = np.zeros(n, dtype=bool)
    seen: set[bytes] = set()
    for _ in range(MOST_PIVOTS):
        x = np.zeros(n)
        if active.any():
            inner = A[np.ix_(active, active)]
            x[active] = np.linalg.lstsq(inner, -b[active])[0]
        w = A @ x + b
        worst = np.abs(w[active]).max(initial=0.0)
        wrong = np.where(active, x * np.diagonal(A) < -small, w < -small)
        if not wrong.any() and worst <= 1e-7 * scale:
            return np.maximum(x, 0.0)
        if not wrong.any() or active.tobytes() in seen:  # dependent rows, or round in a circle
            break
        seen.add(active.tobytes())
        k = int(np.flatnonzero(wrong)[0])
        active[k] = not active[k]
    return _relaxed(A, b, small)


def _relaxed(A: FloatArray, b: FloatArray, small: float) -> FloatArray | None:
    """Complementary forces by relaxation, limit after limit: slowly, for matrices of any rank."""
    x = np.zeros(len(b))
    for _ in range(20_000):
        for k in range(len(b)):
            if A[k, k] > 0.0:
                x[k] = max(0.0, x[k] - (A[k] @ x + b[k]) / A[k, k])
        if (A @ x + b).min() > -small:
            return x
    return None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Caught:
    """Velocities after rows were put on, impulses and losses (J) of all rows, and energies (J)."""

    v: FloatArray
    impulses: FloatArray
    losses: FloatArray
    loss: float
    driven: float


def caught(J: FloatArray, mass: Masses, v: FloatArray, rates: FloatArray) -> Caught:
    """The nearest velocities, by mass, with J v = rates: what an impulse of the rows makes.

    loss + gain of kinetic energy = Lam . rates, which moving drives put in.
    """
    gap = (rates - J @ v)[:, None]
    change, push = (x[:, 0] for x in solved(J, mass, np.zeros((len(v), 1)), gap))
    after, driven = v + change, float(push @ rates)
    loss = driven + mass.kinetic(v) - mass.kinetic(after)
    return Caught(after, push, 0.5 * push * gap[:, 0], loss, driven)
