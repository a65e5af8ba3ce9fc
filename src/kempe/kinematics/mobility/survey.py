"""How freely a mechanism moves, told from several of its configurations.

One configuration can deceive: links in a line, a parallelogram laid flat. There the Jacobian has
lost rank by chance, and only a look at the neighbourhood shows what the joints do in general.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.equations.rank import (
    REDUNDANT,
    SINGULAR,
    independent_rows,
)
from kempe.kinematics.closing.closing import DENSE, Closing, close
from kempe.kinematics.mobility.release import Released

FloatArray = NDArray[np.float64]

SAMPLES = 6  # configurations that are looked at beside the start
STEPS = (0.2, -0.2, 0.05, -0.05, 0.01)  # rad, and share of the machine's size
# A place counts as another one where it lies this share of the step away: from a start that cannot
# move, the search only comes back.
ARRIVED = 0.2
# Singular values of rows of length 1: below, a row repeats others; up to here, everywhere, it
# nearly does, as where a hinge is tilted by 1e-6 ... 1e-3 rad.
NEARLY_REDUNDANT = 1e-4
MOST_CORRECTIONS, SETTLED = 20, 1e-9  # rad, and sizes of the machine
PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """Jacobians of the joints' rows, scaled, at the start and at configurations around it."""

    places: tuple[Closing, ...]  # the start first
    jacobians: tuple[FloatArray, ...]
    ranks: tuple[int, ...]  # of the start: as it would be in the singular position it is next to
    nearly: int  # singular values that are small everywhere, but not 0
    weakness: float  # the largest of those, or the smallest of all at the start
    weak_rows: FloatArray  # weight of every row in the weakest combination, at the start
    pinned: int = 0  # singular values that are small wherever it closes, and only there

    @property
    def typical(self) -> int:
        """The place of a configuration of full rank."""
        return int(np.argmax(self.ranks))

    @property
    def rank(self) -> int:
        """What the joints forbid in general."""
        return self.ranks[self.typical]

    @property
    def is_alone(self) -> bool:
        """Whether no other configuration was found."""
        return len(self.ranks) == 1

    @property
    def is_singular(self) -> bool:
        """Whether the start is special: rank lost there, or nothing around it to move to."""
        n_v = self.jacobians[0].shape[1]
        return self.ranks[0] < self.rank or (self.is_alone and self.ranks[0] < n_v)


def survey(released: Released) -> Survey:
    """The joints' Jacobian around the start of a mechanism whose drives are let go.

    Source: [BusingerGolub] for the rank; several configurations: Own.
    """
    equations = released.equations
    places = [released.start, *_around(released)]
    jacobians = tuple(equations.scaled_jacobian(at) for at in places)
    ranks = [len(independent_rows(J)) for J in jacobians]
    moved = _pulled_open(released) if has_weak_rows(jacobians[0]) else []
    closed = _weakness(jacobians, max(ranks))
    nearly, weakness, rows = _weakness((*jacobians, *moved), max(ranks)) if moved else closed
    pinned = closed[0] - nearly
    if len(J := jacobians[0]) and equations.layout.n_v <= DENSE:
        ranks[0] = min(ranks[0], int((_singular_values(J) > SINGULAR).sum()) + nearly)
    if pinned:
        _, weakness, rows = closed
    return Survey(tuple(places), jacobians, tuple(ranks), nearly, weakness, rows, pinned)


def has_weak_rows(J: FloatArray) -> bool:
    """Whether rows almost repeat others in this one place, but not to rounding."""
    values = _singular_values(J)
    return bool(((values > REDUNDANT) & (values < NEARLY_REDUNDANT)).any())


def _around(released: Released) -> list[Closing]:
    """Closed configurations a short way off along what the joints leave free at the start."""
    equations, layout = released.equations, released.equations.layout
    J = equations.scaled_jacobian(released.start)
    basis = np.atleast_2d(core.null_space(np.ascontiguousarray(J), SINGULAR))
    basis = basis.reshape(-1, layout.n_v)
    if not len(basis):
        return []
    scale = 1.0 / layout.step_weights
    numbers = np.arange(1, len(basis) + 1)
    count = SAMPLES if layout.n_v <= DENSE else 1
    found = []
    for prime in PRIMES[:count]:
        mix = 2.0 * ((numbers * np.sqrt(prime)) % 1.0) - 1.0
        direction = mix @ basis
        direction /= np.abs(direction).max()
        for step in STEPS:
            q = equations.program.retract(released.start.q, scale * step * direction)
            there = close(equations, q, released.start.t)
            way = _distance(layout, released.start.q, there.q)
            if there.is_closed and way > ARRIVED * abs(step):
                found.append(there)
                break
        else:
            if not found:
                break  # nothing moves: other mixes will not either
    return found


def _pulled_open(released: Released) -> list[FloatArray]:
    """Scaled Jacobians a short way off along what the rows almost leave free.

    A mechanism that cannot move has no other configuration. So it is moved all the same, and closed
    but for what its weakest rows hold. Rows that nearly repeat others do so there too, as a tilted
    hinge; links that are pulled straight, or as near to that as a search ends, do not.

    Own.
    """
    equations, layout = released.equations, released.equations.layout
    program = equations.program
    if layout.n_v > DENSE:
        return []
    start, scale = released.start, 1.0 / layout.step_weights

    def parts(q: FloatArray) -> tuple[FloatArray, FloatArray]:
        phi, entries, _ = equations.evaluate(q, start.t, start.turns)
        J = equations.scaled(entries)
        lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
        return equations.row_weights * phi / lengths, J / lengths[:, None]

    _, values, V = np.linalg.svd(parts(start.q)[1])
    held = int((values > NEARLY_REDUNDANT).sum())
    numbers, found = np.arange(1, layout.n_v - held + 1), []
    for prime in PRIMES:
        direction = (2.0 * ((numbers * np.sqrt(prime)) % 1.0) - 1.0) @ V[held:]
        direction /= np.abs(direction).max()
        for step in STEPS:
            q = program.retract(start.q, scale * step * direction)
            for _ in range(MOST_CORRECTIONS):
                phi, J = parts(q)
                U, s, W = np.linalg.svd(J, full_matrices=False)
                d = -W[:held].T @ ((U[:, :held].T @ phi) / s[:held])
                q = program.retract(q, scale * d)
                if np.abs(d).max(initial=0.0) < SETTLED:
                    found.append(parts(q)[1])
                    break
            else:
                continue
            break
    return found


def _distance(layout: Layout, q: FloatArray, other: FloatArray) -> float:
    """The largest displacement between two configurations: rad, and sizes of the machine."""
    n, at = layout.chart.n_linear, layout.coordinates
    a, b = at.q_by_body(q), at.q_by_body(other)
    way = float(np.linalg.norm(a[:, :n] - b[:, :n], axis=1).max(initial=0.0)) / layout.size
    if layout.model.plane:
        return max(way, float(np.abs(a[:, n] - b[:, n]).max(initial=0.0)))
    half = np.abs(np.sum(a[:, n:] * b[:, n:], axis=1)).clip(0.0, 1.0)
    turn = 2.0 * np.sqrt(np.clip(1.0 - half**2, 0.0, None))
    return max(way, float(turn.max(initial=0.0)))


def of_length_one(J: FloatArray) -> FloatArray:
    """The Jacobian with rows of length one; rows of zeros stay."""
    return np.asarray(J / np.maximum(np.linalg.norm(J, axis=1), 1e-300)[:, None])


def _singular_values(J: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.svd(of_length_one(J), compute_uv=False), dtype=np.float64)


def _weakness(jacobians: tuple[FloatArray, ...], rank: int) -> tuple[int, float, FloatArray]:
    """How many singular values are small everywhere, how small, and in which rows they show."""
    nothing = np.zeros(len(jacobians[0]))
    if not rank or jacobians[0].shape[1] > DENSE:
        return 0, 1.0, nothing
    values = [_singular_values(J)[:rank] for J in jacobians]
    largest = np.array(values).max(axis=0)  # of the k-th singular value, over all places
    nearly = int((largest < NEARLY_REDUNDANT).sum())
    u = np.linalg.svd(of_length_one(jacobians[0]), full_matrices=False)[0][
        :, rank - max(1, nearly) : rank
    ]
    return nearly, float(largest[-max(1, nearly)]), np.linalg.norm(u, axis=1)
