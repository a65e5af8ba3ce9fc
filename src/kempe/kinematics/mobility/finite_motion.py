"""How freely a mechanism really moves: told by moving it, where its rows alone do not tell.

Where no row of the joints depends on others, the freedoms at first order are those there are. Where
rows depend on others, they may do so by chance, as in links pulled straight; then the mechanism is
moved a little along what the rows allow, closed again, and what is left of these steps is counted.

Rows that nearly repeat others in one configuration may do so by chance: several configurations
around the start (a survey) tell what the joints do in general.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.equations.rank import (
    REDUNDANT,
    SINGULAR,
    independent_rows,
    null_space,
    of_length_one,
    sparse_rows,
)
from kempe.errors import AssemblyError
from kempe.frames.networks.network import Network, components
from kempe.geometry import GROUND, Marker
from kempe.kinematics.closing.closing import (
    ASSEMBLED,
    DENSE,
    Closing,
    FloatArray,
    close,
    residual_at,
)
from kempe.kinematics.closing.winding import Winding
from kempe.kinematics.mobility.stiffening import joined_where_stiff, unstopped
from kempe.model import Model
from kempe.results.state import State

SAMPLES = 6  # configurations that are looked at beside the start
STEPS = (0.2, -0.2, 0.05, -0.05, 0.01)  # rad, and share of the machine's size
# Singular values of rows of length 1: below, a row repeats others; up to here, everywhere, it
# nearly does, as where a hinge is tilted by 1e-6 ... 1e-3 rad.
NEARLY_REDUNDANT = 1e-4
MOST_CORRECTIONS, SETTLED = 20, 1e-9  # rad, and sizes of the machine
PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0)

AT_START = (0.05, 0.01, 0.2)  # rad, and share of the machine's size: steps from the start
A_LITTLE = (1e-3, 1e-4)  # the same, of what has not moved: links that are nearly straight do
BESIDE = 0.01  # the same, from places that were reached: short beside the way to the start
ARRIVED = 0.2  # share of a step that must be left after closing for a place to be another one
# The steps left are a projection of those made, to the curvature of the way: singular values are
# near 0 or 1, and nothing but this share is left over. Where branches meet, they are no projection.
FOLLOWED, SMOOTH = 0.5, 0.15
STRAY = 0.03  # share of a step that the curvature of the way alone may lead aside
MOST_DIRECTIONS = 40  # more freedoms than that are not told one from another
A_FEW = 12  # steps that are tried then
BRANCHES = 16  # places around a crossing whose own freedoms are counted
FEWEST_BRANCHES, STEPS_BESIDE = 3, 160  # of many freedoms, each place takes so many more steps


@final
@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The equations without drives, and a closed start where the drives were let go."""

    equations: Equations
    start: Closing

    def moved(self, way: FloatArray, step: float, at: State | None = None) -> Closing:
        """Closed again after a step along a way (n_v,; rad, sizes of the machine) from a place."""
        scale = 1.0 / self.equations.step_weights
        q = (self.start if at is None else at).q
        q = self.equations.program.retract(q, scale * step * way)
        return close(self.equations, q, self.start.t)


def released_at(
    layout: Layout, q: FloatArray, t: float, turns: Mapping[str, float] | None = None
) -> Released:
    """The mechanism with its drives let go in the configuration q, or as near as it closes.

    `turns` are what readings show that its drives have turned (rad, by name), where it is part of
    a larger one.
    """
    equations = equations_of(Layout(replace(layout.model, drives=())))
    made = turns_made(layout, t, q) if turns is None else turns
    start = _as_it_stands(equations, q, t, made) or close(equations, q, t)
    if start.residual > ASSEMBLED:
        raise AssemblyError(
            f"{layout.model.name!r} does not close from the given poses: {start.residual:.3g} of"
            " its size is left open. Give poses nearer to an assembly.",
            residual=start.residual,
        )
    return Released(equations, start)


def turns_made(layout: Layout, t: float, q: FloatArray) -> dict[str, float]:
    """What readings of joints and couplers show in q, with the turns that the drives have made.

    Poses in space show no whole turns: with the drives these would be forgotten.
    """
    if layout.model.plane or not layout.model.drives:
        return {}
    winding = Winding(equations_of(layout))
    if not winding.is_coupled:
        return {}
    pairs = zip(winding.gauges, winding.first(t, q, {}), strict=True)
    return {gauge.name: float(value) for gauge, value in pairs}


def _as_it_stands(
    equations: Equations, q: FloatArray, t: float, turns: Mapping[str, float]
) -> Closing | None:
    """q with these turns, where all rows of the joints and couplers are closed there."""
    names = [gauge.name for gauge in Winding(equations).gauges]
    if not names or any(name not in turns for name in names):
        return None
    last = np.array([turns[name] for name in names])
    residual, last = residual_at(equations, State(t, q, turns=last), equations.row_weights)
    return Closing(t, q, turns=last, residual=residual) if residual <= ASSEMBLED else None


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
    layout = released.equations.layout
    basis = null_space(released.equations.scaled_jacobian(released.start), SINGULAR)
    if not len(basis):
        return []
    numbers = np.arange(1, len(basis) + 1)
    count = SAMPLES if layout.n_v <= DENSE else 1
    found = []
    for prime in PRIMES[:count]:
        mix = 2.0 * ((numbers * np.sqrt(prime)) % 1.0) - 1.0
        direction = mix @ basis
        direction /= np.abs(direction).max()
        for step in STEPS:
            there = released.moved(direction, step)
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


@final
@dataclass(frozen=True, slots=True)
class PartFreedom:
    """The freedoms of bodies that hang together, with the drives let go."""

    bodies: tuple[str, ...]
    at_first_order: int  # velocities that the rows allow at the start
    branches: tuple[int, ...]  # freedoms of the branches that meet in the start, most first
    elsewhere: int  # velocities that the rows allow where the first of them was looked at
    others: tuple[FloatArray, ...] = ()  # places on the branches, coordinates of all bodies

    @property
    def mobility(self) -> int:
        """Freedoms of the branch that has most."""
        return self.branches[0]

    @property
    def is_singular(self) -> bool:
        """Whether the rows allow more at first order than there is, or branches meet."""
        return self.branches != (self.at_first_order,)

    @property
    def is_shaky(self) -> bool:
        """Whether the rows allow more all along the motion, not at the start alone."""
        return self.elsewhere > self.mobility


def part_freedoms(layout: Layout, q: FloatArray, t: float) -> tuple[PartFreedom, ...]:
    """The freedoms of every part that touches no other, the ground apart; in the model's order."""
    parts = list(_parts(layout.model))
    if len(parts) == 1:
        return (_freedom(released_at(layout, q, t)),)
    found = []
    turns = turns_made(layout, t, q)
    for model in parts:
        mine = Layout(model)
        freedom = _freedom(released_at(mine, _part_of(layout, mine, q), t, turns))
        places = tuple(_in_whole(layout, mine, q, place) for place in freedom.others)
        found.append(replace(freedom, others=places))
    return tuple(found)


def part_layout(
    layout: Layout, bodies: tuple[str, ...], q: FloatArray
) -> tuple[Layout, FloatArray]:
    """The part with these bodies by itself, its drives let go, and its coordinates out of q."""
    for model in _parts(layout.model):
        if model.moving[0].name == bodies[0]:
            mine = Layout(replace(model, drives=()))
            return mine, _part_of(layout, mine, q)
    raise AssertionError(f"no part begins with {bodies[0]!r}")


def _parts(model: Model) -> Iterator[Model]:
    """The model, drives let go, cut where nothing but the ground connects it."""
    joined = [_moving(joint.markers) for joint in model.joints]
    coupled = [_moving([m for g in c.gauges for m in (g.I, g.J)]) for c in model.couplers]
    pairs = [(bodies[0], other) for bodies in (*joined, *coupled) for other in bodies[1:]]
    groups = components(Network.of((body.name for body in model.moving), pairs))
    if len(groups) == 1:
        yield model
        return
    for names in map(set, groups):
        joints = zip(model.joints, joined, strict=True)
        couplers = zip(model.couplers, coupled, strict=True)
        yield replace(
            model,
            bodies=tuple(body for body in model.moving if body.name in names),
            joints=tuple(joint for joint, bodies in joints if names.intersection(bodies)),
            couplers=tuple(coupler for coupler, bodies in couplers if names.intersection(bodies)),
            drives=(),
            forces=(),
            gauges=(),
            rates=(),
            outputs=(),
            events=(),
        )


def _moving(markers: Iterable[Marker]) -> list[str]:
    """The moving bodies that markers ride on."""
    return [marker.body for marker in markers if marker.body != GROUND]


def _places_of(layout: Layout, part: Layout) -> NDArray[np.intp]:
    """Where the coordinates of a part lie in those of the whole; own unknowns are left out."""
    return layout.coordinates.all_q_of([layout.body_index[b.name] for b in part.model.moving])


def _part_of(layout: Layout, part: Layout, q: FloatArray) -> FloatArray:
    """Coordinates of a part, and its own unknowns, out of those of the whole."""
    own = q[layout.coordinates.own_q]
    mine = [
        value
        for (element, _), value in zip(layout.own_unknowns, own, strict=True)
        if any(e.name == layout.elements[element].name for e in part.elements)
    ]
    return np.concatenate([q[_places_of(layout, part)], mine])


def _in_whole(layout: Layout, part: Layout, q: FloatArray, place: FloatArray) -> FloatArray:
    whole = q.copy()
    columns = _places_of(layout, part)
    whole[columns] = place[: len(columns)]
    return whole


def _freedom(given: Released) -> PartFreedom:
    layout = given.equations.layout
    bodies = tuple(body.name for body in layout.model.moving)
    if layout.n_v > DENSE:
        return _freedom_of_many(given, bodies)
    here = _Local(given, given.start)
    k = here.allowed
    if here.is_regular or k == 0:
        return PartFreedom(bodies, k, (k,), k)
    free = _stiffened(given) if k <= MOST_DIRECTIONS else given
    here = here if free is given else _Local(free, free.start)
    places: list[Closing] = []
    beside = BESIDE
    for step in (*AT_START, *A_LITTLE) if len(here.basis) else ():
        if step in A_LITTLE:
            if places:
                break
            beside = step / 5
        dimension, _, reached = here.moved(step)
        if dimension is not None and (dimension == k or reached):
            other = len(_allowed(given, reached[0])) if reached else k
            return PartFreedom(bodies, k, (dimension,), other, tuple(p.q for p in reached))
        places += reached
    looked_at = min(BRANCHES, max(FEWEST_BRANCHES, STEPS_BESIDE // (2 * k + 4)))
    found = _branches(free, places[:looked_at], beside)
    if not found:
        return PartFreedom(bodies, k, (0,), k)
    branches = tuple(sorted(found, reverse=True))
    others = tuple(found[dimension] for dimension in branches)
    elsewhere = len(_allowed(given, others[0]))
    return PartFreedom(bodies, k, branches, elsewhere, tuple(place.q for place in others))


def _stiffened(free: Released) -> Released:
    """The mechanism with bodies welded together that second order holds together at its start."""
    while model := joined_where_stiff(free.equations, free.start):
        free = Released(equations_of(Layout(model)), free.start)
    return free


def _branches(free: Released, places: list[Closing], step: float) -> dict[int, Closing]:
    """The freedoms around places beside a crossing, and the first place of each number."""
    found: dict[int, Closing] = {}
    for place in places:
        there = _Local(free, place)
        if there.is_regular:
            dimension = there.allowed
        else:
            clear, span, _ = there.moved(step)
            dimension = span if clear is None else clear
        if dimension > 0:
            found.setdefault(dimension, place)
    return found


def _freedom_of_many(free: Released, bodies: tuple[str, ...]) -> PartFreedom:
    """The freedom of many bodies: a few steps in all, and freedoms by rank where they end."""
    rows = sparse_rows(free.equations, free.start)
    layout = free.equations.layout
    k = layout.n_v - len(rows.kept)
    if not rows.redundant or k == 0:
        return PartFreedom(bodies, k, (k,), k)
    rng, found = np.random.default_rng(1876), []
    for step in AT_START:
        d = rows.motion(rng.standard_normal(k))
        d /= np.abs(d).max()
        there = free.moved(d, step)
        way = layout.step_weights * layout.displacement(free.start.q, there.q) / step
        if there.is_closed and np.linalg.norm(way) > ARRIVED * np.linalg.norm(d):
            other = sparse_rows(free.equations, there)
            found.append((layout.n_v - len(other.kept), there.q))
    if not found:
        return PartFreedom(bodies, k, (0,), k)
    branches = tuple(sorted({n for n, _ in found}, reverse=True))
    others = tuple(next(q for n, q in found if n == one) for one in branches)
    return PartFreedom(bodies, k, branches, branches[0], others)


def _allowed(free: Released, at: Closing) -> FloatArray:
    """Velocities (k, n_v) that the rows allow at a place."""
    return null_space(of_length_one(free.equations.scaled_jacobian(at)), SINGULAR)


class _Local:
    """The neighbourhood of one place: what the rows allow there, and what comes of it."""

    def __init__(self, free: Released, at: Closing) -> None:
        self.free, self.at = free, at
        self.basis = _allowed(free, at)
        self.allowed = len(self.basis)
        rows = len(free.equations.row_weights)
        self.is_regular = self.allowed == free.equations.layout.n_v - rows
        if not self.is_regular and 0 < self.allowed <= MOST_DIRECTIONS:
            self.basis = unstopped(free.equations, at, self.basis)

    def moved(self, step: float) -> tuple[int | None, int, list[Closing]]:
        """The dimension of what is reached by steps all around, its span, and places reached.

        With rows a of directions, and x / step of what is left of them: x / step = a P, P the
        projection on what really moves. None where there is no such P: branches meet, or a step
        came to rest on its way to where links are pulled straight. The span of x is never less
        than the dimension of a branch.
        """
        k = len(self.basis)
        count = 2 * k + 4 if k <= MOST_DIRECTIONS else A_FEW
        rng = np.random.default_rng(1876)
        a = rng.standard_normal((count, k))
        a /= np.linalg.norm(a, axis=1)[:, None]
        x, reached = np.zeros_like(a), []
        for i, mix in enumerate(a):
            there = self.free.moved(mix @ self.basis, step, self.at)
            if not there.is_closed:
                continue
            layout = self.free.equations.layout
            way = layout.step_weights * layout.displacement(self.at.q, there.q)
            x[i] = self.basis @ way / step
            if np.linalg.norm(way) > ARRIVED * step:
                reached.append(there)
        if k > MOST_DIRECTIONS:
            return (k if np.abs(x - a).max() < SMOOTH else None), k, reached
        P = np.linalg.lstsq(a, x, rcond=None)[0]
        left = np.abs(x - a @ P).max(initial=0.0)
        values = np.linalg.svd(P, compute_uv=False)
        near = np.minimum(np.abs(values), np.abs(values - 1.0)).max(initial=0.0)
        if left > SMOOTH or near > SMOOTH:
            spread = np.linalg.svd(x, compute_uv=False) / np.sqrt(count)
            return None, int((spread > STRAY).sum()), reached
        dimension = int((values > FOLLOWED).sum())
        return dimension, dimension, reached
