"""Many attempts to close a mechanism: from what was given, placed, hung by lot or thrown about.

Poses that were given are kept as nearly as possible: of all closed configurations that are found
the one with the least  sum d_k^2  wins, d_k the displacements of what was given, lengths in sizes
of the machine and angles in rad. Bodies without a guess weigh nothing: they are fitted to the
others first, from several placements, and then everything is closed, the given poses as stiff as
can be.

Before a mechanism is said not to go together, bodies are hung on each other by joints drawn by lot,
a few dozen times, so that little more than what closes the loops is left to be searched, and most
joints begin the right way round.

Own: which searches are made; all of them are the same on every run.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.rank import REDUNDANT, sparse_rows
from kempe.geometry import GROUND, Pose
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.closing import (
    ASSEMBLED,
    DENSE,
    Closing,
    FloatArray,
    close,
    close_each,
    residual_at,
)
from kempe.kinematics.closing.nearest import Wish, free_directions, nearest
from kempe.kinematics.closing.placement import (
    NONE,
    TOLD_TURN,
    TOLD_WAY,
    Given,
    Mask,
    body_pose,
    first_guess,
    given_of,
    given_poses,
    hung,
    moved_bodies,
    scattered,
)
from kempe.kinematics.closing.winding import Winding, initial_turns
from kempe.model.graph import bodies_graph
from kempe.model.links import unreachable_link
from kempe.results.state import State

# Searches; fewer where a single one takes long, which grows with n_v^3. Where the only assembly is
# one of an overconstrained loop in space, about one in ten ends in it.
MOST_HUNG, WORK_HUNG = 128, 3_000_000
BATCH = 16  # searches that are made before it is seen whether one of them will do

# Distance from what was given that counts as none. Only digits that a file has lost are less; two
# assemblies that are both so near lie beside a dead point, where they are all but one.
KEPT = 1e-3
# Searches of each kind; fewer where a single one takes long, which grows with n_v^3. A few of them
# begin with bodies placed joint by joint, half of the others with bodies hung by lot, and half with
# bodies thrown about.
MOST_SEARCHES, FEWEST_SEARCHES, WORK, PLACED = 16, 2, 3_000_000, 4
MOST_TURNED = 6  # searches from what was given, its turns counted otherwise
MANY = 60  # velocities beyond which what is not worth a note is near enough
MOST_ALONE = 8  # bodies whose guess is tried without those of the others
EASE = 1e-2  # of a pose that was given, beside one that was not
FAINT = 1e-3  # weight of bodies that were not given, so that they stay where nothing moves them
# Of two closed configurations that are as near to what was given, to this share of it and this
# much, the one that was found first is taken: not the one that rounding makes a little nearer.
SAME, TIE = 1e-6, 1e-9
MOST_POLISHED = 6  # fewer where one takes long, as of searches: of far ones it takes the longest
LITTLE = 1e-6  # a distance that is not worth being made smaller
# Beside a dead point a second assembly lies close by, along the way that is held the weakest:
# singular values below WEAK of the largest, searched from so far off (rad, sizes of the machine).
WEAK = 0.02
ASIDE = (0.02, 0.1, 0.3)

ATTEMPTS = 24  # placements, joint by joint, where nothing was given
AGREEING = 4  # searches that end in the same misfit before it is believed
# Bodies thrown about, and placed the other way round, before they are hung by lot.
LAST_RESORTS = 16


def wrong_side(layout: Layout, q: FloatArray) -> tuple[str, str] | None:
    """The first joint that is the wrong way round in the configuration q, and what is wrong."""
    poses: dict[str, Pose] = {}  # X_WB, each made once
    for joint in layout.model.joints:
        if not joint.sides:
            continue
        for body in (joint.I.body, joint.J.body):
            if body not in poses:
                poses[body] = body_pose(layout, q, body)
        X_WI, X_WJ = (poses[m.body] @ m.pose for m in (joint.I, joint.J))
        for side in joint.sides:
            if side.value(X_WI, X_WJ) < 0.0:
                return joint.name, side.wrong
    return None


def has_sides(layout: Layout, q: FloatArray) -> bool:
    """Whether every joint is the right way round in the configuration q."""
    return wrong_side(layout, q) is None


def put_wrong(equations: Equations, t: float, given: Given) -> tuple[str, str] | None:
    """The first joint that the given poses alone close the wrong way round, and what is wrong.

    Such a body was put so: turning it over would be half a turn away from all that was said. It
    counts as closed where nothing would be told of a start that far off.
    """
    at = equations.layout.coordinates
    placed = {GROUND} | {
        body.name
        for k, body in enumerate(equations.layout.model.moving)
        if given.counts[at.v_of(k)].all()
    }
    suspects = {
        k: wrong
        for k, joint in enumerate(equations.layout.model.joints)
        if all(marker.body in placed for marker in joint.markers)
        and (wrong := _opposed(equations.layout, given.q, joint)) is not None
    }
    if not suspects:
        return None
    rows = equations.program.shape.rows
    last = initial_turns(equations, t, given.q, given.turned)
    phi = equations.evaluate(given.q, t, last)[0] * equations.row_weights
    for k, wrong in suspects.items():
        mine = [(r.unit, abs(x)) for r, x in zip(rows, phi, strict=True) if r.element == k]
        if all(x <= (TOLD_WAY if unit == "m" else TOLD_TURN) for unit, x in mine):
            return equations.layout.model.joints[k].name, wrong
    return None


def _opposed(layout: Layout, q: FloatArray, joint: AbstractJoint) -> str | None:
    """What is wrong with a joint that is clearly the wrong way round."""
    if not joint.sides:
        return None
    X_WI, X_WJ = (body_pose(layout, q, m.body) @ m.pose for m in (joint.I, joint.J))
    wrong = (side.wrong for side in joint.sides if side.value(X_WI, X_WJ) < -TOLD_TURN)
    return next(wrong, None)


def last_resorts(
    equations: Equations, t: float, given: Given | None = None
) -> Iterator[list[Closing]]:
    """Where searches from bodies hung by lot end, a batch at a time; none where none can close."""
    given = given_of(equations.layout, NONE) if given is None else given
    most = count_hung(equations.layout)
    for first in range(0, most, BATCH):
        starts = [
            hung(equations.layout, k, t, NONE if k % 2 else given.guesses)
            for k in range(first, min(first + BATCH, most))
        ]
        yield _ends(equations, t, given, starts)


def _ends(
    equations: Equations,
    t: float,
    given: Given,
    starts: Iterable[FloatArray],
    *,
    held: Mask | None = None,
    ease: FloatArray | None = None,
) -> list[Closing]:
    """Where searches end that begin with what is locked where it was given.

    What is locked stays there, and so does more where it is `held`.
    """
    pinned = [given.pinned(equations.layout, q) for q in starts]
    held = given.locked if held is None else held
    return close_each(equations, pinned, t, held=held, ease=ease, turned=given.turned)


def count_hung(layout: Layout) -> int:
    """How many searches `last_resorts` makes if none will do."""
    if unreachable_link(bodies_graph(layout.model).loops) is not None:
        return 0
    return min(MOST_HUNG, WORK_HUNG // layout.n_v**3)


def nearest_start(
    equations: Equations, t: float, given: Given, *, thorough: bool = True
) -> Closing | None:
    """The closed configuration nearest to the given poses; None where no search ends in one.

    A `thorough` search ends with the last resorts.
    """
    found: list[tuple[float, Closing]] = []
    for number, end in enumerate(_searches(equations, t, given)):
        if number == 0 and not np.isfinite(end.residual):
            return None  # a formula has no value there: that is to be told
        if end.is_closed:
            distance = given.distance(equations.layout, end.q)
            if _is_enough(equations.layout, given, end, distance) and has_sides(
                equations.layout, end.q
            ):
                return _settled(equations, t, given, [(distance, end)])
            found.append((distance, end))
    settled = _settled(equations, t, given, found)
    if settled is not None or not thorough:
        return settled
    for batch in last_resorts(equations, t, given):
        closed = [(given.distance(equations.layout, end.q), end) for end in batch if end.is_closed]
        settled = _settled(equations, t, given, closed)
        if settled is not None:
            return settled
    return None


def nearest_of(
    equations: Equations, t: float, given: Given, starts: Sequence[FloatArray]
) -> Closing | None:
    """The closed configuration nearest to the given poses of those that these starts lead to."""
    ends = _ends(equations, t, given, starts)
    closed = [(given.distance(equations.layout, end.q), end) for end in ends if end.is_closed]
    return _settled(equations, t, given, closed)


def _is_enough(layout: Layout, given: Given, end: Closing, distance: float) -> bool:
    """Whether nothing nearer is looked for: it is where it was given, or a search takes long."""
    if distance <= KEPT or layout.n_v > DENSE:
        return True
    return layout.n_v > MANY and not moved_bodies(layout, end.q, given.guesses)


def _settled(
    equations: Equations,
    t: float,
    given: Given,
    found: Sequence[tuple[float, Closing]],
) -> Closing | None:
    """The nearest of what was found, on the turn it was given on."""
    fit = _fit(equations.layout, found)
    if not fit:
        return None
    beyond = _beyond_dead_point(equations, t, given, fit[0])
    if beyond:
        fit = _fit(equations.layout, [*fit, *beyond])
    nearest_of_all = fit[0][0]
    if nearest_of_all > LITTLE and _is_free(equations, fit[0][1]):
        fit = _polished(equations, t, given, [end for _, end in fit])
        nearest_of_all = min(distance for distance, _ in fit)
    near = nearest_of_all * (1.0 + SAME) + TIE
    chosen = next(end for distance, end in fit if distance <= near)
    return _unwound(equations, t, given, chosen)


def _beyond_dead_point(
    equations: Equations, t: float, given: Given, found: tuple[float, Closing]
) -> list[tuple[float, Closing]]:
    """Assemblies beside one that is close to a dead point, with their distances."""
    distance, at = found
    if distance <= KEPT or equations.layout.n_v > MANY:
        return []
    held = np.zeros(equations.layout.n_v, bool) if given.locked is None else given.locked
    _, sigma, ways = np.linalg.svd(equations.scaled_jacobian(at)[:, ~held])
    largest = sigma.max(initial=0.0)
    is_weak = (sigma > REDUNDANT * largest) & (sigma < WEAK * largest)
    if not is_weak.any():
        return []
    way = np.zeros(len(held))
    way[~held] = ways[np.flatnonzero(is_weak)[-1]]
    steps = [sign * far * way / equations.layout.step_weights for far in ASIDE for sign in (1, -1)]
    ends = _ends(equations, t, given, (equations.program.retract(at.q, step) for step in steps))
    return [(given.distance(equations.layout, end.q), end) for end in ends if end.is_closed]


def _is_free(equations: Equations, at: State) -> bool:
    """Whether joints and drives let anything move, so that it may come nearer yet."""
    if equations.layout.n_v > MANY:
        return len(sparse_rows(equations, at).free) > 0
    return len(free_directions(equations, at)) > 0


def _fit(layout: Layout, found: Sequence[tuple[float, Closing]]) -> list[tuple[float, Closing]]:
    """The nearest few with every joint the right way round: of those as near, the first found.

    Two assemblies are often as near as each other but for rounding, such as those that differ in
    bodies without a guess alone; their order by distance means nothing.
    """
    fit: list[tuple[float, Closing]] = []
    rest = sorted(range(len(found)), key=lambda k: found[k][0])
    most = max(1, min(MOST_POLISHED, WORK // layout.n_v**3))
    while rest and len(fit) < most:
        near = found[rest[0]][0] * (1.0 + SAME) + TIE
        count = sum(found[k][0] <= near for k in rest)
        as_near, rest = sorted(rest[:count]), rest[count:]
        first = next((found[k] for k in as_near if has_sides(layout, found[k][1].q)), None)
        if first is not None:
            fit.append(first)
    return fit


def _unwound(equations: Equations, t: float, given: Given, at: Closing) -> Closing:
    """A closing with planar bodies on the turn they were given on, where nothing counts it.

    A search may go round once more than it need; nothing stands elsewhere for that. What is welded
    to a body that is counted has turned as often.
    """
    if not equations.layout.model.plane:
        return at
    for k in range(equations.layout.n_bodies):
        place = equations.layout.coordinates.angle_of(k)
        wanted = given.q[place] if given.counts[place] else 0.0
        turns = np.round((at.q[place] - wanted) / math.tau)
        if turns:
            q = at.q.copy()
            q[place] -= math.tau * turns
            there = replace(at, q=q, turns=initial_turns(equations, t, q, given.turned))
            residual, counted = residual_at(equations, there, equations.row_weights)
            if residual <= ASSEMBLED:
                at = replace(there, turns=counted, residual=residual)
    return replace(at, q=Winding(equations).welded(at.q))


def searches(layout: Layout, given: Given) -> int:
    """From how many configurations `nearest_start` searches before it finds nothing."""
    n = _of_each_kind(layout)
    near = 1 if given.is_whole(layout) else n
    return near + FEWEST_SEARCHES * len(_alone(layout, given)) + 2 * n + count_hung(layout)


def _of_each_kind(layout: Layout) -> int:
    return max(FEWEST_SEARCHES, min(MOST_SEARCHES, WORK // layout.n_v**3))


def _alone(layout: Layout, given: Given) -> list[str]:
    """Bodies whose pose is tried without those of the others."""
    guessed = list(given.guesses.poses)
    most = min(MOST_ALONE, _of_each_kind(layout))
    return guessed[:most] if len(guessed) > 1 and layout.n_v <= DENSE else []


def _searches(equations: Equations, t: float, given: Given) -> Iterator[Closing]:
    """Where searches of several kinds end, those first that begin at what was given."""
    n = _of_each_kind(equations.layout)
    yield from _searches_near(equations, t, given, n)
    begin = given.pinned(equations.layout, first_guess(equations.layout, 0, t, given.guesses))
    counted = State(t, begin, turns=initial_turns(equations, t, begin, given.turned))
    others = Winding(equations).otherwise(counted, min(n, MOST_TURNED))
    again, turns = [other.q for other in others], [other.turns for other in others]
    yield from close_each(equations, again, t, held=given.locked, turns=turns)
    starts = [
        first_guess(equations.layout, k, t, given.guesses.only(body))
        for body in _alone(equations.layout, given)
        for k in range(FEWEST_SEARCHES)
    ]
    placed = min(n, PLACED)
    starts += [
        first_guess(equations.layout, k, t, NONE, backwards=k % 2 == 1) for k in range(placed)
    ]
    starts += [
        hung(equations.layout, k, t, NONE) if k % 2 else scattered(equations.layout, k)
        for k in range(2 * n - placed)
    ]
    yield from _ends(equations, t, given, starts)


def _searches_near(equations: Equations, t: float, given: Given, n: int) -> Iterator[Closing]:
    """Bodies that were not given fitted to those that were; then all closed, by as little."""
    start = first_guess(equations.layout, 0, t, given.guesses)
    if given.is_whole(equations.layout):
        yield from _ends(equations, t, given, [start])
        return
    held = given.counts if given.locked is None else given.counts | given.locked
    ease = np.where(given.counts, EASE, 1.0)
    first = _ends(equations, t, given, [start], held=held)
    yield from first
    yield from _ends(equations, t, given, [first[0].q], ease=ease)
    placed = min(n, PLACED)
    starts = [
        first_guess(equations.layout, k, t, given.guesses, backwards=k % 2 == 1)
        for k in range(1, placed)
    ]
    starts += [
        hung(equations.layout, k, t, given.guesses)
        if k % 2
        else given.kept(equations.layout, scattered(equations.layout, k))
        for k in range(n - placed)
    ]
    fitted = _ends(equations, t, given, starts, held=held)
    yield from fitted
    ends = _ends(equations, t, given, [end.q for end in fitted], ease=ease)
    yield from ends
    yield from _ends(equations, t, given, [end.q for end in ends if not end.is_closed])


def _polished(
    equations: Equations, t: float, given: Given, found: Sequence[Closing]
) -> list[tuple[float, Closing]]:
    """Closed configurations, each moved on to the least distance that its freedom allows."""
    weights = np.where(given.counts, 1.0, FAINT)
    locked = np.zeros(equations.layout.n_v, dtype=bool) if given.locked is None else given.locked
    better = []
    for end in found:
        wish = Wish(given.kept(equations.layout, end.q), weights, locked)
        moved = nearest(equations, wish, t, start=end).at
        chosen = moved if moved.is_closed and has_sides(equations.layout, moved.q) else end
        better.append((given.distance(equations.layout, chosen.q), chosen))
    return better


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


def nearer_of_all(equations: Equations, t: float, found: Closing, given: Given) -> Closing:
    """What was found, or where it is clearly elsewhere than was given, the nearest of all.

    All are known of small planar mechanisms whose drives leave nothing free.
    """
    layout = equations.layout
    if layout.n_v > MANY or not moved_bodies(layout, found.q, given.guesses):
        return found
    if layout.complete_search is None or _is_free(equations, found):
        return found
    other, _ = found_by_complete_search(equations, t, found, given)
    if other is None:
        return found
    far = [given.distance(layout, one.q) for one in (found, other)]
    return other if far[1] < far[0] * (1.0 - SAME) - TIE else found


def best_attempt(equations: Equations, t: float, given: Given | None = None) -> Closing:
    """Of many attempts the closed one nearest to what was given, or else the nearest to closed.

    Where nothing was given, the first that is closed ends the search. Nothing is refused for what
    this does not find, so that it goes without the last resorts.
    """
    return fitting(equations, t, given, thorough=False)[0]


def fitting(
    equations: Equations, t: float, given: Given | None, *, thorough: bool = True
) -> tuple[Closing, bool]:
    """The best attempt, and whether it is known to be closed, all joints the right way round."""
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
    best = _ends(equations, t, given, [first_guess(equations.layout, 0, t, given.guesses)])[0]
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
