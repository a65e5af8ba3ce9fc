"""Promise: `motions` lists every motion of a bar on curves, and `component_of` finds each state.

The ends of a bar ride on circles, ellipses, lines, segments, Bezier curves and arcs, of any size;
or one end rides on a curve of a crank, some turns on, and the other is fixed. Where the map is
`complete` it has as many components as there are curves of solutions; every state of one such curve
lies on one component, and no component claims states of two.

Oracle: |P(s) - Q(t)| = L over a grid of both parameters, with the curves in NumPy. Edges of the
grid over which the sign changes are joined cell by cell, and SciPy's brentq puts states on them. A
grid that sees a saddle does not judge, nor one that sees a curve of few cells: it may miss others.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

import kempe as kp
from kempe.geometry.curves import AbstractCurve, Arc, Bezier, Circle, Ellipse, Line, Segment

CASES = 4
GRID = 500
STATES = 25  # of every curve
FEW = 12  # edges: a curve as short as that may have neighbours that the grid does not see
EFFORT = kp.Effort(seconds=10.0, threads=1)

Points = Callable[[np.ndarray], np.ndarray]
Edge = tuple[str, int, int]


class Track(NamedTuple):
    """A curve twice: as kempe has it, and as points (k, 2) of its parameter."""

    curve: AbstractCurve
    points: Points
    low: float
    high: float
    closed: bool


class Problem(NamedTuple):
    """One bar, how far it is from fitting, and where it puts the bodies."""

    said: str
    mechanism: kp.Mechanism
    gap: Callable[[np.ndarray, np.ndarray], np.ndarray]
    state: Callable[[float, float], np.ndarray]
    first: tuple[float, float, bool]
    second: tuple[float, float, bool]


def pair(p: np.ndarray) -> tuple[float, float]:
    """Two plain numbers."""
    return float(p[0]), float(p[1])


def round_track(rng: np.random.Generator, size: float, c: np.ndarray, kind: int) -> Track:
    """A circle, an arc, or an ellipse."""
    r = size * float(rng.uniform(0.3, 1.5))
    a = np.array([r, 0.0])
    if kind == 0:
        a = size * np.array([rng.uniform(0.4, 1.5), rng.uniform(-1.0, 1.0)])
    b = np.array([-a[1], a[0]]) * (float(rng.uniform(0.2, 0.9)) if kind == 0 else 1.0)

    def points(t: np.ndarray) -> np.ndarray:
        return c + np.outer(np.cos(t), a) + np.outer(np.sin(t), b)

    if kind == 0:
        return Track(Ellipse(pair(c), pair(a), pair(b)), points, 0.0, 2.0 * math.pi, True)
    if kind == 1:
        return Track(Circle(pair(c), r), points, 0.0, 2.0 * math.pi, True)
    low = float(rng.uniform(0.0, 3.0))
    high = low + float(rng.uniform(1.0, 5.5))
    return Track(Arc(pair(c), r, low, high), points, low, high, False)


def track(rng: np.random.Generator, size: float) -> Track:
    """Any curve, about as large as `size`."""
    kind = int(rng.integers(6))
    c = size * rng.uniform(-1.0, 1.0, 2)
    if kind < 3:
        return round_track(rng, size, c, kind)
    if kind == 3:
        d = size * rng.uniform(-2.0, 2.0, 2)
        return Track(Segment(pair(c), pair(c + d)), lambda t: c + np.outer(t, d), 0.0, 1.0, False)
    if kind == 4:
        turn = float(rng.uniform(-math.pi, math.pi))
        u = size * np.array([math.cos(turn), math.sin(turn)])
        low, high = -float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.5, 2.0))
        line = Line(pair(c), pair(u), limits=(low, high))
        return Track(line, lambda t: c + np.outer(t, u), low, high, False)
    P = size * rng.uniform(-1.5, 1.5, (4, 2))

    def points(t: np.ndarray) -> np.ndarray:
        s = 1.0 - t
        return np.column_stack([s**3, 3 * t * s * s, 3 * t * t * s, t**3]) @ P

    return Track(Bezier(tuple(pair(p) for p in P)), points, 0.0, 1.0, False)


def on_two_curves(rng: np.random.Generator, size: float, length: float) -> Problem:
    """Both ends of the bar ride on curves of the ground."""
    one, two = track(rng, size), track(rng, size)
    m = kp.Builder("bar", plane=True)
    m.stick("bar", m.point("P", on=one.curve), m.point("Q", on=two.curve), length)

    def gap(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.asarray(((one.points(s) - two.points(t)) ** 2).sum(axis=1) - length**2)

    def state(s: float, t: float) -> np.ndarray:
        P, Q = one.points(np.array([s]))[0], two.points(np.array([t]))[0]
        return np.array([*P, 0.0, *Q, 0.0])

    said = f"bar {length!r} on {one.curve!r} and {two.curve!r}"
    return Problem(said, m.build(), gap, state, one[2:], two[2:])


def on_a_crank(rng: np.random.Generator, size: float, length: float) -> Problem:
    """One end rides on a curve of a crank about the origin, the other is fixed."""
    one, D = track(rng, size), size * rng.uniform(-2.0, 2.0, 2)
    turns = 2.0 * math.pi * float(rng.integers(-2, 3))
    m = kp.Builder("crank", plane=True)
    crank = m.body("crank", at=(0, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), crank.at(0, 0))
    m.stick("bar", m.point("P", on=one.curve, of=crank), m.ground.at(*pair(D)), length)

    def points(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        x, y = one.points(t).T
        return np.column_stack([np.cos(s) * x - np.sin(s) * y, np.sin(s) * x + np.cos(s) * y])

    def gap(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.asarray(((points(s, t) - D) ** 2).sum(axis=1) - length**2)

    def state(s: float, t: float) -> np.ndarray:
        return np.array([0.0, 0.0, s + turns, *points(np.array([s]), np.array([t]))[0], 0.0])

    said = f"bar {length!r} from {D.tolist()} to {one.curve!r} of a crank"
    return Problem(said, m.build(), gap, state, (0.0, 2.0 * math.pi, True), one[2:])


def contours(gap: np.ndarray, around: tuple[bool, bool]) -> list[list[Edge]] | None:
    """Edges of the grid over which the sign changes, one list for each curve; None at a saddle."""
    positive, n = gap > 0.0, GRID - 1
    along = positive[:-1] != positive[1:]  # from (i, j) to (i + 1, j)
    across = positive[:, :-1] != positive[:, 1:]
    parents: dict[Edge, Edge] = {}

    def root(e: Edge) -> Edge:
        parents.setdefault(e, e)
        while parents[e] != e:
            parents[e] = parents[parents[e]]
            e = parents[e]
        return e

    crossed = along[:, :-1] | along[:, 1:] | across[:-1] | across[1:]
    for i, j in np.argwhere(crossed).tolist():
        ahead = 0 if around[0] and i + 1 == n else i + 1
        beside = 0 if around[1] and j + 1 == n else j + 1
        edges: list[Edge] = [("s", i, j)] * bool(along[i, j]) + [("t", i, j)] * bool(across[i, j])
        edges += [("s", i, beside)] * bool(along[i, j + 1])
        edges += [("t", ahead, j)] * bool(across[i + 1, j])
        if len(edges) == 4:
            return None
        for e in edges[1:]:
            parents[root(e)] = root(edges[0])
    curves: dict[Edge, list[Edge]] = {}
    for e in parents:
        curves.setdefault(root(e), []).append(e)
    return list(curves.values())


def attempt(rng: np.random.Generator) -> list[str]:
    """One bar, its map, and states on every curve that the grid sees."""
    size = float(10.0 ** rng.uniform(-3.0, 3.0)) if rng.random() < 0.4 else 1.0
    length = size * float(rng.uniform(0.3, 2.5))
    problem = (on_a_crank if rng.random() < 0.4 else on_two_curves)(rng, size, length)
    S = np.linspace(*problem.first[:2], GRID)
    T = np.linspace(*problem.second[:2], GRID)
    gap = problem.gap(np.repeat(S, GRID), np.tile(T, GRID)).reshape(GRID, GRID)
    around = problem.first[2], problem.second[2]
    if around[0]:
        gap[-1] = gap[0]
    if around[1]:
        gap[:, -1] = gap[:, 0]
    curves = contours(gap, around)
    if curves is None or any(len(edges) < FEW for edges in curves):
        return []
    motions = problem.mechanism.motions(effort=EFFORT)
    if motions.outcome != "complete":
        return []
    wrong = []
    if len(motions.components) != len(curves):
        wrong.append(f"{len(motions.components)} components, the grid sees {len(curves)} curves")
    claimed: list[int | None] = []
    for edges in curves:
        chosen = [edges[k] for k in rng.permutation(len(edges))[:STATES]]
        on = {motions.component_of(at_edge(problem, S, T, e)) for e in chosen}
        if len(on) != 1 or None in on:
            wrong.append(f"states of one curve are said to lie on {on}")
        claimed += on
    if len(set(claimed)) != len(claimed):
        wrong.append(f"a component claims two curves: {claimed}")
    return [f"{w}: {problem.said}" for w in wrong]


def at_edge(problem: Problem, S: np.ndarray, T: np.ndarray, edge: Edge) -> np.ndarray:
    """The state on an edge of the grid."""
    kind, i, j = edge

    def off(x: float) -> float:
        s, t = (x, T[j]) if kind == "s" else (S[i], x)
        return float(problem.gap(np.array([s]), np.array([t]))[0])

    low, high = (S[i], S[i + 1]) if kind == "s" else (T[j], T[j + 1])
    x = float(brentq(off, low, high, xtol=1e-15 * max(1.0, abs(low), abs(high)), rtol=1e-15))
    return problem.state(x, float(T[j])) if kind == "s" else problem.state(float(S[i]), x)
