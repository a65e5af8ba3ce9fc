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
    steps = 0
    for steps in range(MOST_STEPS):  # noqa: B007
        if not at.is_closed or not free.any():
            break
        N = _free_directions(equations, at, free)
        g = wish.weights**2 * e
        if not len(N):
            break
        y = _newton(equations, at, N, g, wish)
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
    J = _jacobian(equations, at.q, at.t, at.turns)
    inner = null_space(J[:, free])
    N = np.zeros((len(inner), len(free)))
    N[:, free] = inner
    return N


def _newton(
    equations: Equations,
    at: State,
    N: FloatArray,
    g: FloatArray,
    wish: Wish,
) -> FloatArray:
    """The step in the free directions; without curvature where that would lead uphill."""
    J = _jacobian(equations, at.q, at.t, at.turns)
    inside = np.where(wish.held, 0.0, 1.0)
    lam = np.linalg.lstsq((J * inside).T, -g * inside, rcond=None)[0]
    flat: FloatArray = (N * wish.weights**2) @ N.T
    bend = np.empty_like(flat)
    scale = 1.0 / equations.layout.step_weights
    for k, direction in enumerate(N):
        q = equations.program.retract(at.q, DIFFERENCE * scale * direction)
        bend[k] = N @ ((_jacobian(equations, q, at.t, at.turns) - J).T @ lam) / DIFFERENCE
    H = np.asarray(flat + 0.5 * (bend + bend.T), dtype=np.float64)
    if np.linalg.eigvalsh(H)[0] <= 1e-3 * np.linalg.eigvalsh(flat)[0]:
        H = flat
    return -np.asarray(np.linalg.solve(H, N @ g), dtype=np.float64)


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
