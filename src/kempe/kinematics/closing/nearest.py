"""The closed configuration nearest to a guess, and the consistent velocities nearest to some."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.rank import REDUNDANT, null_space
from kempe.frames.networks.network import Network, components
from kempe.kinematics.closing.closing import Closing, FloatArray, close
from kempe.results.state import State

Mask = NDArray[np.bool_]

MOST_STEPS = 60
SETTLED = 1e-9  # the last step: rad, and sizes of the machine
DIFFERENCE = 1e-6  # for the curvature of the constraints
SHORTEST = 1e-6  # share of a step that is still tried
CONTRADICTION = 1e-9  # share of the asked rates that may be missed


@final
@dataclass(frozen=True, slots=True)
class Wish:
    """Where the bodies should be, how much that matters, and what must not move at all."""

    q: FloatArray
    weights: FloatArray  # of displacements, all positive, in rad and sizes of the machine
    held: Mask
    turned: Mapping[str, float] = field(default_factory=dict)  # rad: readings with their turns

    @property
    def ease(self) -> FloatArray:
        """How easily each displacement gives way, at most 1."""
        return np.asarray(self.weights.min() / self.weights)


@final
@dataclass(frozen=True, slots=True)
class Nearest:
    """A closed configuration, and how far each velocity's worth had to move from the wish."""

    at: Closing
    moved: FloatArray  # rad and m
    steps: int


def nearest(equations: Equations, wish: Wish, t: float, *, start: Closing | None = None) -> Nearest:
    """The closed configuration that minimises |W d|^2, d the displacement from the wish.

    The wish is closed first, unless a closed `start` is given; then Newton steps within the closed
    configurations, on the reduced gradient N W^2 d with the constraints' curvature, each closed
    again. The result may be open: see its residual.

    Own: curvature of J^T lam along N by differences, J^T lam = -W^2 d.
    """
    scale = 1.0 / equations.layout.step_weights
    at = start or _closed(equations, wish.q, t, wish)
    wish = replace(wish, q=_counted_as(equations.layout, wish.q, at.q))
    free = ~wish.held
    e = equations.layout.displacement(wish.q, at.q) / scale
    steps, parts = 0, _parts(equations)
    for steps in range(MOST_STEPS):  # noqa: B007
        if not at.is_closed or not free.any():
            break
        N, whose = _free_by_parts(equations, at, free, parts)
        g = wish.weights**2 * e
        if not len(N):
            break
        y = _newton(equations, at, (N, whose), g, wish, parts)
        better = _slide(equations, at, y @ N, e, wish)
        if better is None:
            break
        at, e = better
        if float(np.abs(y @ N).max()) <= SETTLED:
            break
    return Nearest(at, e * scale, steps)


def _counted_as(layout: Layout, q: FloatArray, other: FloatArray) -> FloatArray:
    """q with whole turns of planar bodies counted as in another configuration near it."""
    if not layout.model.plane:
        return q
    counted, angles = q.copy(), layout.coordinates.angles
    counted[angles] += math.tau * np.round((other[angles] - q[angles]) / math.tau)
    return counted


def _closed(
    equations: Equations,
    q: FloatArray,
    t: float,
    wish: Wish,
    last: FloatArray | None = None,
) -> Closing:
    """Closed by what gives way easily, as far as that goes; then by what must."""
    eased = close(equations, q, t, held=wish.held, ease=wish.ease, last=last, turned=wish.turned)
    if eased.is_closed:
        return eased
    return close(equations, eased.q, t, held=wish.held, last=eased.turns)


def free_directions(equations: Equations, at: State) -> FloatArray:
    """Displacements (k, n_v) that joints and drives allow, in rad and sizes of the machine."""
    return _free_directions(equations, at, np.ones(equations.layout.n_v, dtype=bool))


def _free_directions(equations: Equations, at: State, free: Mask) -> FloatArray:
    N, _ = _free_by_parts(equations, at, free, [_whole(equations)])
    return N


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """Rows, and the displacements in them, that have nothing to do with those of other parts."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def _whole(equations: Equations) -> _Part:
    n_rows = len(equations.program.shape.rows)
    return _Part(np.arange(n_rows), np.arange(equations.layout.n_v))


def _parts(equations: Equations) -> list[_Part]:
    """The parts of a model that nothing but the ground connects, in the order of their bodies."""
    shape, layout = equations.program.shape, equations.layout
    group = layout.coordinates.group_of_each(layout.n_own)
    first: dict[int, int] = {}  # row -> a group that it moves
    pairs = set()
    for row, column in zip(shape.jacobian_rows.tolist(), shape.jacobian_columns, strict=True):
        here = int(group[column])
        pairs.add((str(first.setdefault(row, here)), str(here)))
    names = map(str, range(int(group.max(initial=-1)) + 1))
    parts = components(Network.of(names, sorted(pairs)))
    if len(parts) <= 1:
        return [_whole(equations)]
    part_of = {int(name): k for k, part in enumerate(parts) for name in part}
    of_columns = np.array([part_of[int(g)] for g in group])
    of_rows = np.full(len(shape.rows), -1)
    of_rows[list(first)] = [part_of[g] for g in first.values()]
    return [
        _Part(np.flatnonzero(of_rows == k), np.flatnonzero(of_columns == k))
        for k in range(len(parts))
    ]


def _free_by_parts(
    equations: Equations, at: State, free: Mask, parts: list[_Part]
) -> tuple[FloatArray, list[slice]]:
    """What joints and drives allow (k, n_v), and which of it each part is free to do."""
    J = _jacobian(equations, at.q, at.t, at.turns)
    found, whose = [np.zeros((0, len(free)))], []
    for part in parts:
        own = part.columns[free[part.columns]]
        inner = null_space(J[np.ix_(part.rows, own)])
        N = np.zeros((len(inner), len(free)))
        N[:, own] = inner
        first = sum(map(len, found))
        whose.append(slice(first, first + len(inner)))
        found.append(N)
    return np.concatenate(found), whose


def _newton(
    equations: Equations,
    at: State,
    free: tuple[FloatArray, list[slice]],
    g: FloatArray,
    wish: Wish,
    parts: list[_Part],
) -> FloatArray:
    """The step in the free directions; without curvature where that would lead uphill.

    Parts that do not touch bend by themselves: one direction of each is tried at a time.
    """
    N, whose = free
    J = _jacobian(equations, at.q, at.t, at.turns)
    inside = np.where(wish.held, 0.0, 1.0)
    lam = np.zeros(len(J))
    for part in parts:
        own = (J[np.ix_(part.rows, part.columns)] * inside[part.columns]).T
        pull = (-g * inside)[part.columns]
        lam[part.rows] = np.linalg.lstsq(own, pull, rcond=None)[0]
    scale = 1.0 / equations.layout.step_weights
    bends = [np.empty((mine.stop - mine.start,) * 2) for mine in whose]
    for k in range(max(map(len, bends))):
        tried = [(p, mine) for p, mine in enumerate(whose) if mine.start + k < mine.stop]
        direction = N[[mine.start + k for _, mine in tried]].sum(axis=0)
        q = equations.program.retract(at.q, DIFFERENCE * scale * direction)
        change = _jacobian(equations, q, at.t, at.turns) - J
        for p, mine in tried:
            rows, columns = parts[p].rows, parts[p].columns
            turned = change[np.ix_(rows, columns)].T @ lam[rows]
            bends[p][k] = N[mine, columns] @ turned / DIFFERENCE
    step = np.zeros(len(N))
    for part, mine, bend in zip(parts, whose, bends, strict=True):
        own = N[mine, part.columns]
        flat: FloatArray = (own * wish.weights[part.columns] ** 2) @ own.T
        H = np.asarray(flat + 0.5 * (bend + bend.T), dtype=np.float64)
        if len(H) and np.linalg.eigvalsh(H)[0] <= 1e-3 * np.linalg.eigvalsh(flat)[0]:
            H = flat
        step[mine] = -np.linalg.solve(H, own @ g[part.columns])
    return step


def _slide(
    equations: Equations,
    at: State,
    d: FloatArray,
    e: FloatArray,
    wish: Wish,
) -> tuple[Closing, FloatArray] | None:
    """A closed configuration along d that is nearer to the wish, with its displacement."""
    scale = 1.0 / equations.layout.step_weights
    before = float(np.sum((wish.weights * e) ** 2))
    share = min(1.0, 0.5 / max(float(np.abs(d).max()), 1e-300))
    while share > SHORTEST:
        q = equations.program.retract(at.q, share * scale * d)
        there = _closed(equations, q, at.t, wish, at.turns)
        if there.is_closed:
            e_there = equations.layout.displacement(wish.q, there.q) / scale
            if float(np.sum((wish.weights * e_there) ** 2)) < before:
                return there, e_there
        share *= 0.5
    return None


def _jacobian(equations: Equations, q: FloatArray, t: float, last: FloatArray) -> FloatArray:
    return equations.scaled(equations.evaluate(q, t, last)[1])


def nearest_velocities(
    J: FloatArray, rates: FloatArray, wanted: FloatArray, weights: FloatArray
) -> tuple[FloatArray, float]:
    """v with J v = rates that minimises |W (v - wanted)|^2, and the largest rate that is missed.

    All in scaled units. Rates that contradict each other are met as well as can be.
    """
    A = J / weights
    gap = rates - J @ wanted
    if not gap.any():  # as where nothing is driven and nothing wanted: however many bodies
        return wanted.copy(), 0.0
    shift = np.linalg.lstsq(A, gap, rcond=REDUNDANT)[0]
    v: FloatArray = wanted + shift / weights
    missed = float(np.abs(J @ v - rates).max(initial=0.0))
    return v, missed
