"""The start nearest to what was given, of all that a few dozen searches find.

Poses that were given are kept as nearly as possible: of all closed configurations that are found
the one with the least  sum d_k^2  wins, d_k the displacements of what was given, lengths in sizes
of the machine and angles in rad. Bodies without a guess weigh nothing: they are fitted to the
others first, from several placements, and then everything is closed, the given poses as stiff as
can be.

Own: which searches are made; all of them are the same on every run.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.kinematics.closing import (
    ASSEMBLED,
    DENSE,
    Assembled,
    close,
    close_each,
    initial_turns,
    row_weights,
)
from kempe.kinematics.given import Given
from kempe.kinematics.nearest import Wish, free_directions, nearest
from kempe.kinematics.placement import NONE, first_guess, scattered
from kempe.kinematics.sides import has_sides

KEPT = 1e-6  # distance from what was given that counts as none: digits that a file has lost
# Searches of each kind; fewer where a single one takes long, which grows with n_v^3.
MOST_SEARCHES, FEWEST_SEARCHES, WORK = 16, 2, 3_000_000
MOST_ALONE = 8  # bodies whose guess is tried without those of the others
EASE = 1e-2  # of a pose that was given, beside one that was not
FAINT = 1e-3  # weight of bodies that were not given, so that they stay where nothing moves them
# Of two closed configurations as near as this to each other, and as near to what was given, the
# one that was found first is taken: not the one that rounding makes a little nearer.
TIE, SAME = 1e-9, 1e-6
MOST_POLISHED = 6


def nearest_start(layout: Layout, program: Program, t: float, given: Given) -> Assembled | None:
    """The closed configuration nearest to the given poses; None where no search ends in one."""
    found: list[Assembled] = []
    for number, end in enumerate(_searches(layout, program, t, given)):
        if number == 0 and not np.isfinite(end.residual):
            return None  # a formula has no value there: that is to be told
        if end.is_closed and has_sides(layout, end.q):
            if given.distance(layout, end.q) <= KEPT:
                return end
            found.append(end)
    if not found:
        return None
    order = sorted(range(len(found)), key=lambda k: given.distance(layout, found[k].q))
    if len(free_directions(layout, program, found[order[0]], t)):
        found = _polished(layout, program, t, given, [found[k] for k in order])
    distances = [given.distance(layout, end.q) for end in found]
    near = min(distances) * (1.0 + SAME) + TIE
    chosen = next(end for end, d in zip(found, distances, strict=True) if d <= near)
    return _unwound(layout, program, t, given, chosen)


def _unwound(layout: Layout, program: Program, t: float, given: Given, at: Assembled) -> Assembled:
    """The same with planar bodies on the turn they were given on, where no drive or gear counts it.

    A search may go round once more than it need; nothing stands elsewhere for that.
    """
    if not layout.model.plane:
        return at
    for k in range(layout.n_bodies):
        place = 3 * k + 2
        wanted = given.q[place] if given.counts[place] else 0.0
        turns = np.round((at.q[place] - wanted) / math.tau)
        if turns:
            q = at.q.copy()
            q[place] -= math.tau * turns
            last = initial_turns(layout, program, t, q)
            phi, _, counted = program.evaluate(layout.parameters, q, t, last)
            residual = float(np.abs(phi * row_weights(layout, program)).max(initial=0.0))
            if residual <= ASSEMBLED:
                at = replace(at, q=q, last=counted, residual=residual)
    return at


def searches(layout: Layout, given: Given) -> int:
    """From how many configurations `nearest_start` searches before it finds nothing."""
    n = _of_each_kind(layout)
    near = 1 if given.is_whole(layout) else n
    return near + FEWEST_SEARCHES * len(_alone(layout, given)) + 2 * n


def _of_each_kind(layout: Layout) -> int:
    return max(FEWEST_SEARCHES, min(MOST_SEARCHES, WORK // layout.n_v**3))


def _alone(layout: Layout, given: Given) -> list[str]:
    """Bodies whose pose is tried without those of the others."""
    guessed = list(given.guesses.poses)
    return guessed[:MOST_ALONE] if len(guessed) > 1 and layout.n_v <= DENSE else []


def _searches(layout: Layout, program: Program, t: float, given: Given) -> Iterator[Assembled]:
    """Where searches of several kinds end, those first that begin at what was given."""
    n = _of_each_kind(layout)
    yield from _searches_near(layout, program, t, given, n)
    alone = _alone(layout, given)
    starts = [
        first_guess(layout, k, t, given.guesses.only(body))
        for body in alone
        for k in range(FEWEST_SEARCHES)
    ]
    starts += [first_guess(layout, k, t, NONE, backwards=k % 2 == 1) for k in range(n)]
    starts += [scattered(layout, k) for k in range(n)]
    pinned = [given.pinned(layout, q) for q in starts]
    yield from close_each(layout, program, pinned, t, held=given.locked)


def _searches_near(
    layout: Layout, program: Program, t: float, given: Given, n: int
) -> Iterator[Assembled]:
    """Bodies that were not given fitted to those that were; then all closed, by as little."""
    start = given.pinned(layout, first_guess(layout, 0, t, given.guesses))
    locked = given.locked
    if given.is_whole(layout):
        yield close(layout, program, start, t, held=locked)
        return
    held = given.counts if locked is None else given.counts | locked
    first = close(layout, program, start, t, held=held)
    yield first
    starts = [
        given.pinned(layout, first_guess(layout, k, t, given.guesses, backwards=k % 2 == 1))
        for k in range(1, n)
    ]
    fitted = [first, *close_each(layout, program, starts, t, held=held)]
    yield from fitted
    ease = np.where(given.counts, EASE, 1.0)
    ends = close_each(layout, program, [end.q for end in fitted], t, held=locked, ease=ease)
    yield from ends
    rest = [end.q for end in ends if not end.is_closed]
    yield from close_each(layout, program, rest, t, held=locked)


def _polished(
    layout: Layout, program: Program, t: float, given: Given, found: Sequence[Assembled]
) -> list[Assembled]:
    """The nearest of what was found, each moved on to the least distance its freedom allows."""
    weights = np.where(given.counts, 1.0, FAINT)
    locked = np.zeros(layout.n_v, dtype=bool) if given.locked is None else given.locked
    better = []
    for end in found[:MOST_POLISHED]:
        wish = Wish(given.kept(layout, end.q), weights, locked)
        moved = nearest(layout, program, wish, t, start=end).at
        is_fit = moved.is_closed and has_sides(layout, moved.q)
        better.append(moved if is_fit else end)
    return better
