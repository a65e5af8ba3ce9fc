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
from typing import final

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
    Guesses,
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

# Distance from what was given that counts as none. Only digits that a file has lost are less: where
# every body was given, two assemblies that are both so near lie beside a dead point, where they are
# all but one. Where one body was given, others may stand elsewhere in them: there only rounding is
# none.
KEPT, MET = 1e-3, 1e-9
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
FEW_ATTEMPTS = 8  # of very many bodies, which nearly always close at the first or not at all
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
    layout = equations.layout
    moving, at = enumerate(layout.model.moving), layout.coordinates
    placed = {GROUND, *(b.name for k, b in moving if given.counts[at.v_of(k)].all())}
    suspects = {
        k: wrong
        for k, joint in enumerate(layout.model.joints)
        if all(marker.body in placed for marker in joint.markers)
        and (wrong := _opposed(layout, given.q, joint)) is not None
    }
    if not suspects:
        return None
    rows = equations.program.shape.rows
    last = initial_turns(equations, t, given.q, given.turned)
    phi = equations.evaluate(given.q, t, last)[0] * equations.row_weights
    for k, wrong in suspects.items():
        mine = [(r.unit, abs(x)) for r, x in zip(rows, phi, strict=True) if r.element == k]
        if all(x <= (TOLD_WAY if unit == "m" else TOLD_TURN) for unit, x in mine):
            return layout.model.joints[k].name, wrong
    return None


def _opposed(layout: Layout, q: FloatArray, joint: AbstractJoint) -> str | None:
    """What is wrong with a joint that is clearly the wrong way round."""
    if not joint.sides:
        return None
    X_WI, X_WJ = (body_pose(layout, q, m.body) @ m.pose for m in (joint.I, joint.J))
    wrong = (side.wrong for side in joint.sides if side.value(X_WI, X_WJ) < -TOLD_TURN)
    return next(wrong, None)


Found = tuple[float, Closing]  # how far from what was given, and where a search has ended


@final
class Search:
    """The closed configurations of a mechanism at a time, near to what was given."""

    def __init__(self, equations: Equations, t: float, given: Given) -> None:
        self.equations, self.t, self.given = equations, t, given
        self.layout = equations.layout

    @property
    def count(self) -> int:
        """From how many configurations it is searched before nothing is found."""
        near = 1 if self.given.is_whole(self.layout) else self._of_each_kind
        more = FEWEST_SEARCHES * len(self._alone) + 2 * self._of_each_kind
        return near + more + self._count_hung

    @property
    def _of_each_kind(self) -> int:
        return max(FEWEST_SEARCHES, min(MOST_SEARCHES, WORK // self.layout.n_v**3))

    @property
    def _count_hung(self) -> int:
        """How many searches `last_resorts` makes if none will do."""
        if unreachable_link(bodies_graph(self.layout.model).loops) is not None:
            return 0
        return min(MOST_HUNG, WORK_HUNG // self.layout.n_v**3)

    @property
    def _alone(self) -> list[str]:
        """Bodies whose pose is tried without those of the others."""
        guessed = list(self.given.guesses.poses)
        most = min(MOST_ALONE, self._of_each_kind)
        return guessed[:most] if len(guessed) > 1 and self.layout.n_v <= DENSE else []

    def nearest(self, *, thorough: bool = True) -> Closing | None:
        """The closed configuration nearest to the given poses; None where no search ends in one.

        A `thorough` search ends with the last resorts.
        """
        found: list[Found] = []
        for number, end in enumerate(self._searches()):
            if number == 0 and not np.isfinite(end.residual):
                return None  # a formula has no value there: that is to be told
            found += (closed := self._closed([end]))
            if closed and self._is_enough(*closed[0]) and has_sides(self.layout, end.q):
                return self._settled(closed)
        settled = self._settled(found)
        if settled is not None or not thorough:
            return settled
        batches = (self._settled(self._closed(batch)) for batch in self.last_resorts())
        return next((end for end in batches if end is not None), None)

    def nearest_of(self, starts: Iterable[FloatArray]) -> Closing | None:
        """The closed configuration nearest to the given poses of those that starts lead to."""
        return self._settled(self._closed(self._ends(starts)))

    def near_guess(self) -> Closing:
        """The best fit from what was given, where no search has closed it."""
        return replace(self._ends([self._guess(0)])[0], starts=self.count)

    def last_resorts(self) -> Iterator[list[Closing]]:
        """Where searches from bodies hung by lot end, a batch at a time; none if none can close."""
        most, guesses = self._count_hung, self.given.guesses
        for first in range(0, most, BATCH):
            numbers = range(first, min(first + BATCH, most))
            yield self._ends(
                hung(self.layout, k, self.t, NONE if k % 2 else guesses) for k in numbers
            )

    def _guess(self, attempt: int, guesses: Guesses | None = None) -> FloatArray:
        """A placement joint by joint from what was given, or from other guesses.

        Every other one goes backwards where it begins with all that was given, or with nothing.
        """
        known = self.given.guesses if guesses is None else guesses
        backwards = attempt % 2 == 1 and (guesses is None or guesses is NONE)
        return first_guess(self.layout, attempt, self.t, known, backwards=backwards)

    def _ends(
        self,
        starts: Iterable[FloatArray],
        *,
        held: Mask | None = None,
        ease: FloatArray | None = None,
    ) -> list[Closing]:
        """Where searches end that begin with what is locked where it was given.

        What is locked stays there, and so does more where it is `held`.
        """
        pinned = [self.given.pinned(self.layout, q) for q in starts]
        held = self.given.locked if held is None else held
        turned = self.given.turned
        return close_each(self.equations, pinned, self.t, held=held, ease=ease, turned=turned)

    def _closed(self, ends: Iterable[Closing]) -> list[Found]:
        """Those ends that are closed, and how far they are from what was given."""
        return [(self.given.distance(self.layout, e.q), e) for e in ends if e.is_closed]

    def _is_enough(self, distance: float, end: Closing) -> bool:
        """Whether nothing nearer is looked for: it was given there, or a search takes long."""
        n_v = self.layout.n_v
        is_whole = self.given.is_whole(self.layout)
        if distance <= (KEPT if is_whole else MET) or n_v > DENSE:
            return True
        return n_v > MANY and not moved_bodies(self.layout, end.q, self.given.guesses)

    def _settled(self, found: Sequence[Found]) -> Closing | None:
        """The nearest of what was found, on the turn it was given on."""
        fit = _fit(self.layout, found)
        if not fit:
            return None
        beyond = self._beyond_dead_point(*fit[0])
        if beyond:
            fit = _fit(self.layout, [*fit, *beyond])
        nearest_of_all = fit[0][0]
        if nearest_of_all > LITTLE and _is_free(self.equations, fit[0][1]):
            fit = self._polished([end for _, end in fit])
            nearest_of_all = min(distance for distance, _ in fit)
        near = nearest_of_all * (1.0 + SAME) + TIE
        return self._unwound(next(end for distance, end in fit if distance <= near))

    def _beyond_dead_point(self, distance: float, at: Closing) -> list[Found]:
        """Assemblies beside one that is close to a dead point, with their distances."""
        if distance <= KEPT or self.layout.n_v > MANY:
            return []
        held = self._locked
        _, sigma, ways = np.linalg.svd(self.equations.scaled_jacobian(at)[:, ~held])
        largest = sigma.max(initial=0.0)
        is_weak = (sigma > REDUNDANT * largest) & (sigma < WEAK * largest)
        if not is_weak.any():
            return []
        way = np.zeros(len(held))
        way[~held] = ways[np.flatnonzero(is_weak)[-1]]
        steps = [sign * far * way / self.layout.step_weights for far in ASIDE for sign in (1, -1)]
        starts = (self.equations.program.retract(at.q, step) for step in steps)
        return self._closed(self._ends(starts))

    @property
    def _locked(self) -> Mask:
        locked = self.given.locked
        return np.zeros(self.layout.n_v, dtype=bool) if locked is None else locked

    def _unwound(self, at: Closing) -> Closing:
        """A closing with planar bodies on the turn they were given on, where nothing counts it.

        A search may go round once more than it need; nothing stands elsewhere for that. What is
        welded to a body that is counted has turned as often.
        """
        equations, given = self.equations, self.given
        if not self.layout.model.plane:
            return at
        for k in range(self.layout.n_bodies):
            place = self.layout.coordinates.angle_of(k)
            wanted = given.q[place] if given.counts[place] else 0.0
            turns = np.round((at.q[place] - wanted) / math.tau)
            if turns:
                q = at.q.copy()
                q[place] -= math.tau * turns
                last = initial_turns(equations, self.t, q, given.turned)
                there = replace(at, q=q, turns=last)
                residual, counted = residual_at(equations, there, equations.row_weights)
                if residual <= ASSEMBLED:
                    at = replace(there, turns=counted, residual=residual)
        return replace(at, q=Winding(equations).welded(at.q))

    def _searches(self) -> Iterator[Closing]:
        """Where searches of several kinds end, those first that begin at what was given."""
        layout, given, t, n = self.layout, self.given, self.t, self._of_each_kind
        yield from self._searches_near(n)
        begin = given.pinned(layout, self._guess(0))
        counted = State(t, begin, turns=initial_turns(self.equations, t, begin, given.turned))
        others = Winding(self.equations).otherwise(counted, min(n, MOST_TURNED))
        again, turns = [other.q for other in others], [other.turns for other in others]
        yield from close_each(self.equations, again, t, held=given.locked, turns=turns)
        alone = [given.guesses.only(body) for body in self._alone]
        starts = [self._guess(k, one) for one in alone for k in range(FEWEST_SEARCHES)]
        placed = min(n, PLACED)
        starts += [self._guess(k, NONE) for k in range(placed)]
        starts += [
            hung(layout, k, t, NONE) if k % 2 else scattered(layout, k)
            for k in range(2 * n - placed)
        ]
        yield from self._ends(starts)

    def _searches_near(self, n: int) -> Iterator[Closing]:
        """Bodies that were not given fitted to those that were; then all closed, by as little."""
        layout, given = self.layout, self.given
        if given.is_whole(layout):
            if layout.n_own:  # where bodies close as they are, only what is on curves is looked for
                yield from self._ends([self._guess(0)], held=given.counts | self._locked)
            yield from self._ends([self._guess(0)])
            return
        held, ease = given.counts | self._locked, np.where(given.counts, EASE, 1.0)
        first = self._ends([self._guess(0)], held=held)
        yield from first
        yield from self._ends([first[0].q], ease=ease)
        placed = min(n, PLACED)
        starts = [self._guess(k) for k in range(1, placed)]
        starts += [
            hung(layout, k, self.t, given.guesses)
            if k % 2
            else given.kept(layout, scattered(layout, k))
            for k in range(n - placed)
        ]
        fitted = self._ends(starts, held=held)
        yield from fitted
        ends = self._ends([end.q for end in fitted], ease=ease)
        yield from ends
        yield from self._ends([end.q for end in ends if not end.is_closed])

    def _polished(self, found: Sequence[Closing]) -> list[Found]:
        """Closed configurations, each moved on to the least distance that its freedom allows."""
        given, layout = self.given, self.layout
        weights, better = np.where(given.counts, 1.0, FAINT), []
        for end in found:
            wish = Wish(given.kept(layout, end.q), weights, self._locked)
            moved = nearest(self.equations, wish, self.t, start=end).at
            better.append(moved if moved.is_closed and has_sides(layout, moved.q) else end)
        return self._closed(better)


def _is_free(equations: Equations, at: State) -> bool:
    """Whether joints and drives let anything move, so that it may come nearer yet."""
    if equations.layout.n_v > MANY:
        return len(sparse_rows(equations, at).free) > 0
    return len(free_directions(equations, at)) > 0


def _fit(layout: Layout, found: Sequence[Found]) -> list[Found]:
    """The nearest few with every joint the right way round: of those as near, the first found.

    Two assemblies are often as near as each other but for rounding, such as those that differ in
    bodies without a guess alone; their order by distance means nothing.
    """
    fit: list[Found] = []
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
    return Search(equations, t, wished).nearest_of(every.starts), False


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
        search = Search(equations, t, given)
        near = search.nearest(thorough=thorough)
        return (near, True) if near else (search.near_guess(), False)
    best, is_fit = _placed_attempt(equations, t)
    if is_fit or not np.isfinite(best.residual):
        return best, is_fit
    layout = equations.layout
    if unreachable_link(bodies_graph(layout.model).loops) is not None:
        return best, False
    others = [
        scattered(layout, k) if k % 2 else first_guess(layout, k, t, NONE, backwards=True)
        for k in range(LAST_RESORTS if layout.n_v <= DENSE else 2)
    ]
    starts = best.starts
    nothing = Search(equations, t, given_of(layout, NONE))
    more = nothing.last_resorts() if thorough else ()
    for batch in chain([close_each(equations, others, t)], more):
        starts += len(batch)
        for found in batch:
            if found.is_closed and has_sides(layout, found.q):
                return found, True
            if found.residual < best.residual * (1.0 - SAME) and not best.is_closed:
                best = found
    return replace(best, starts=starts), False


def _placed_attempt(equations: Equations, t: float) -> tuple[Closing, bool]:
    """The best of bodies placed joint by joint, and whether it is closed, all joints right."""
    best = close(equations, first_guess(equations.layout, 0, t, NONE), t)
    if best.is_closed and has_sides(equations.layout, best.q):
        return best, True
    agreeing = attempt = 1
    if unreachable_link(bodies_graph(equations.layout.model).loops) is not None:
        return best, False
    most = ATTEMPTS if equations.layout.n_v <= DENSE else FEW_ATTEMPTS
    while attempt < most and (best.is_closed or agreeing < AGREEING):
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
