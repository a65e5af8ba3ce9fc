"""Many attempts to close a mechanism, from what was given, placed, thrown about or searched."""

from dataclasses import replace
from itertools import chain

import numpy as np

from kempe.equations import Equations
from kempe.kinematics.closing.closing import (
    DENSE,
    Closing,
    close,
    close_each,
)
from kempe.kinematics.closing.given_poses import Given, given_of, given_poses
from kempe.kinematics.closing.last_resorts import last_resorts
from kempe.kinematics.closing.nearest_start import nearest_of, nearest_start, searches
from kempe.kinematics.closing.placement import NONE, first_guess, scattered
from kempe.kinematics.closing.sides import has_sides

ATTEMPTS = 24


# Searches that end in the same misfit, to this share of it, before it is believed.
AGREEING = 4


SAME = 1e-6


# Bodies thrown about, and placed the other way round, before they are hung by lot.
LAST_RESORTS = 16


def found_by_complete_search(
    equations: Equations, t: float, best: Closing, given: Given | None
) -> tuple[Closing | None, bool]:
    """The nearest of all assemblies, where searches have found none, or whether there is none."""
    if equations.layout.complete_search is None or not np.isfinite(best.residual):
        return None, False
    every = equations.layout.complete_search(equations.layout, t)
    if every is None or not every.starts:
        return None, every is not None and every.is_impossible
    wished = given_of(equations.layout, NONE) if given is None else given
    return nearest_of(equations, t, wished, every.starts), False


def best_attempt(equations: Equations, t: float, given: Given | None = None) -> Closing:
    """Of many attempts the closed one nearest to what was given, or else the nearest to closed.

    Where nothing was given, the first that is closed ends the search. Nothing is refused for what
    this does not find, so that it goes without the last resorts.
    """
    return fitting(equations, t, given, thorough=False)[0]


def fitting(
    equations: Equations, t: float, given: Given | None, *, thorough: bool = True
) -> tuple[Closing, bool]:
    """The same, and whether it is known to be closed with every joint the right way round."""
    given = given_poses(equations.layout) if given is None else given
    if given is not None:
        near = nearest_start(equations, t, given, thorough=thorough)
        return (near, True) if near else (_near_guess(equations, t, given), False)
    best, is_fit = _placed_attempt(equations, t)
    if is_fit or not np.isfinite(best.residual):
        return best, is_fit
    others = [
        scattered(equations.layout, k)
        if k % 2
        else first_guess(equations.layout, k, t, NONE, backwards=True)
        for k in range(LAST_RESORTS if equations.layout.n_v <= DENSE else 2)
    ]
    starts = best.starts
    more = last_resorts(equations, t) if thorough else ()
    for batch in chain([close_each(equations, others, t)], more):
        starts += len(batch)
        for found in batch:
            if found.is_closed and has_sides(equations.layout, found.q):
                return found, True
            if found.residual < best.residual * (1.0 - SAME) and not best.is_closed:
                best = found
    return replace(best, starts=starts), False


def _near_guess(equations: Equations, t: float, given: Given) -> Closing:
    """The best fit from what was given, where no search has closed it."""
    q = given.pinned(equations.layout, first_guess(equations.layout, 0, t, given.guesses))
    best = close(equations, q, t, held=given.locked)
    return replace(best, starts=searches(equations.layout, given))


def _placed_attempt(equations: Equations, t: float) -> tuple[Closing, bool]:
    """The best of bodies placed joint by joint, and whether it is closed, all joints right."""
    best = close(equations, first_guess(equations.layout, 0, t, NONE), t)
    if best.is_closed and has_sides(equations.layout, best.q):
        return best, True
    agreeing = attempt = 1
    while attempt < ATTEMPTS and (best.is_closed or agreeing < AGREEING):
        found = close(equations, first_guess(equations.layout, attempt, t, NONE), t)
        attempt += 1
        if found.is_closed and has_sides(equations.layout, found.q):
            return found, True
        if best.is_closed:
            continue
        if found.residual < best.residual * (1.0 - SAME):
            best, agreeing = found, 1
        elif found.is_stationary and found.residual <= best.residual * (1.0 + SAME):
            agreeing += 1
    return replace(best, starts=attempt), False
