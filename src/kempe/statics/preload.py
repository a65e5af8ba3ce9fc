"""Parameters that hold a mechanism at rest in a given position.

The loads along the freedoms that the joints leave must vanish, N^T f(q; p) = 0, at the position q
that was asked for: Gauss-Newton in the parameters p, by differences. Loads that are linear in them,
as in preloads, stiffnesses and free lengths, take one step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.closing.placement import Given
from kempe.outcome import DONE, Ending, Outcome
from kempe.results.reports.equilibrium import Rested
from kempe.statics.equilibrium import told
from kempe.statics.holding import left_out
from kempe.statics.rest import Rest
from kempe.statics.system import Balance, StaticSystem, static_start

FloatArray = NDArray[np.float64]
Make = Callable[[FloatArray], Layout]  # of parameters (k,): the layout

ASIDE = 1e-6  # of a parameter, or of one: the step of a difference
BALANCED = 1e-11  # of the largest load
GOOD_ENOUGH = 1e-8
MOST_STEPS = 30
SEEN = 1e-7  # of the largest load: a change of a slope that is more than rounding
MOST_WIDENINGS = 6


@final
@dataclass(frozen=True, slots=True, eq=False)
class Preloaded:
    """Values of the parameters, and the position at rest with them."""

    values: FloatArray  # (k,)
    layout: Layout
    found: Rested
    left: float  # of the largest load: what still pushes it


def preloaded(
    make: Make, first: FloatArray, names: tuple[str, ...], t: float, given: Given | None
) -> Preloaded:
    """Values of parameters with which the mechanism rests where the start has it."""

    def at(values: FloatArray) -> tuple[StaticSystem, Balance]:
        return _at(make, values, t, given)

    p = np.array(first, dtype=np.float64)
    system, here = at(p)
    N0 = here.N
    best = _slope(here, N0)
    scale = here.scale
    for _ in range(MOST_STEPS):
        if np.linalg.norm(best) <= BALANCED * max(scale, 1e-300):
            break
        columns = []
        for k in range(len(p)):
            columns.append(_slope_by(lambda x: _slope(at(x)[1], N0), p, k, scale))
        G = np.array(columns).T
        step = np.linalg.lstsq(G, -best, rcond=1e-10)[0]
        for share in (1.0, 0.5, 0.25, 0.1, 0.01):
            trial, there = at(p + share * step)
            slope = _slope(there, N0)
            if np.isfinite(slope).all() and np.linalg.norm(slope) < np.linalg.norm(best):
                break
        else:
            break
        p, system, here, best = p + share * step, trial, there, slope
        scale = max(scale, here.scale)
    left = float(np.linalg.norm(best)) / max(scale, 1e-300)
    outcome = DONE if left <= GOOD_ENOUGH else _not_held(system, here, names, left)
    notes = left_out(system.origins.model)
    return Preloaded(p, system.origins, told(system, Rest(here, outcome, 0, 0), notes), left)


def _slope_by(
    slope: Callable[[FloatArray], FloatArray], p: FloatArray, k: int, scale: float
) -> FloatArray:
    """How slopes change with parameter k: a difference wide enough to be seen beside the loads."""
    h = ASIDE * max(abs(p[k]), 1.0)
    for _ in range(MOST_WIDENINGS):
        change = slope(_moved(p, k, h)) - slope(_moved(p, k, -h))
        if not np.linalg.norm(change) < SEEN * scale:
            break
        h *= 1e3
    return np.asarray(change / (2.0 * h))


def _moved(p: FloatArray, k: int, h: float) -> FloatArray:
    there = p.copy()
    there[k] += h
    return there


def _at(make: Make, p: FloatArray, t: float, given: Given | None) -> tuple[StaticSystem, Balance]:
    start = static_start(make(p), t, given)
    return start.system, start.system.balance(start.state)


def _slope(here: Balance, N0: FloatArray) -> FloatArray:
    """What pushes along the freedoms, in one basis whatever the parameters are."""
    return np.asarray(N0.T @ (here.N @ here.slope))


def _not_held(system: StaticSystem, here: Balance, names: tuple[str, ...], left: float) -> Outcome:
    freedoms = here.N.shape[1]
    which = ", ".join(map(repr, names))
    more = (
        f" It has {freedoms} freedoms there, and {len(names)} parameter"
        f"{'s are' if len(names) != 1 else ' is'} free: name more of them."
        if freedoms > len(names)
        else " Name a parameter of a force that acts along the freedom that is left."
    )
    return Outcome(
        Ending.DIVERGED,
        f"no value of {which} holds {system.origins.model.name!r} there: {left:.1e} of the largest"
        " load still push it.",
        f"What was found is the nearest.{more}",
        {"left": left, "freedoms": freedoms},
    )
