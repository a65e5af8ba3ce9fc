"""Promise: of a rod that runs on a track with breaks every place and every motion is listed, once.

A point keeps to a spline of degree 1 to 3, with knots that are repeated, weights, corners, open or
closed, or to a polyline or a Bezier curve. A rod joins it to a pivot of the ground (assemblies), or
to the tip of a crank (motions); the rod may be said twice, the scale is 1e-6 to 1e6 m.

Oracle: the track's pieces as polynomials of fractions, by the recursion of Cox and de Boor. A rod
of length L meets a piece where |C(t) - A|^2 = L^2: Sturm's chains count these roots exactly, and
find them by halving. A crank of radius r allows |L - r| <= |C - O| <= L + r: its motions are the
stretches of the track between such roots, two arcs, one arc or a loop each, by how they end.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.spatial import cKDTree

import kempe as kp
from kempe.geometry.curves import AbstractCurve, Bezier, BSpline, Polyline
from kempe.results.maps.certificate import Promise

CASES = 10
REMEMBERED = (41000824, 81000472)  # a corner; a sliver of a box beside a shallow curve
CLEAR = 0.01  # of a piece, or of a squared length: how far cases keep from where a count changes
GRID = 160  # points of a piece that are looked at
STEP = 0.03  # between samples of a motion, in its unknowns
NEAR = 0.1  # of a length of 1: as far as a place of the grid may be from the nearest sample
CLOSE = 1e-6  # of a length of 1: places that are the same

Rng = np.random.Generator
Polynomial = list[Fraction]  # coefficients, the constant first
Root = tuple[float, int]  # where on the track (piece and share), which bound


@dataclass(frozen=True)
class Piece:
    """(x, y) / weight for t from `low` to `high`."""

    x: Polynomial
    y: Polynomial
    weight: Polynomial
    low: Fraction
    high: Fraction

    def distance(self, centre: tuple[Fraction, Fraction], length: Fraction) -> Polynomial:
        """A polynomial with the sign of |C(t) - centre|^2 - length^2."""
        total = _times([-length * length], _times(self.weight, self.weight))
        for component, c in ((self.x, centre[0]), (self.y, centre[1])):
            off = _plus(component, _times([-c], self.weight))
            total = _plus(total, _times(off, off))
        return total

    def points(self, t: np.ndarray) -> np.ndarray:
        """Its points (n, 2) at numbers t."""
        x, y, w = (
            np.polyval([float(c) for c in reversed(p)], t) for p in (self.x, self.y, self.weight)
        )
        return np.column_stack([x / w, y / w])


@dataclass(frozen=True)
class Track:
    """A curve of kempe, and the same as pieces."""

    curve: AbstractCurve
    pieces: tuple[Piece, ...]
    closed: bool
    has_corners: bool
    told: str


def attempt(rng: Rng) -> list[str]:
    """What is wrong with the places or the motions of a rod on one random track."""
    track = _track(rng)
    centre = (_eighths(rng, -12, 12), _eighths(rng, -12, 12))
    scale = float(2.0 ** rng.integers(-20, 21))
    twice = bool(rng.integers(4) == 0)
    if rng.integers(2):
        return _assemblies(track, centre, _eighths(rng, 4, 30), scale, twice)
    return _motions(track, centre, (_eighths(rng, 4, 16), _eighths(rng, 4, 24)), scale, twice)


def _assemblies(
    track: Track, centre: tuple[Fraction, Fraction], length: Fraction, scale: float, twice: bool
) -> list[str]:
    roots = _roots(track, centre, [length])
    if roots is None:
        return []
    told = f"{track.told}, rod {length} from {centre}, scale {scale:g}, twice {twice}"
    m = kp.Builder("rod on a track", plane=True)
    P = m.point("P", on=_scaled(track, scale))
    pivot = m.ground.at(*(float(c) * scale for c in centre))
    m.stick("rod", pivot, P, float(length) * scale)
    if twice:
        m.stick("again", P, pivot, float(length) * scale)
    found = m.build().assemblies()
    wrong = _outcome(found.outcome, track, twice)
    if len(found) != len(roots):
        wrong.append(f"{len(found)} assemblies, Sturm counts {len(roots)}")
    places = np.array([_point(track, at) for at, _ in roots]).reshape(-1, 2)
    for state in found.states:
        P_at = state.q[:2] / scale
        if not len(places) or np.abs(places - P_at).max(axis=1).min() > CLOSE:
            wrong.append(f"there is no assembly at {P_at}")
    return [f"{sentence}: {told}" for sentence in wrong]


def _motions(
    track: Track,
    centre: tuple[Fraction, Fraction],
    lengths: tuple[Fraction, Fraction],
    scale: float,
    twice: bool,
) -> list[str]:
    crank, rod = lengths
    least, most = abs(rod - crank), rod + crank
    roots = _roots(track, centre, [least, most]) if least else None
    if roots is None:
        return []
    told = f"{track.told}, crank {crank} about {centre}, rod {rod}, scale {scale:g}, twice {twice}"
    m = kp.Builder("crank and track", plane=True)
    arm = m.bar("crank", float(crank) * scale)
    m.revolute(m.ground.at(*(float(c) * scale for c in centre)), arm.start)
    P = m.point("P", on=_scaled(track, scale))
    m.stick("rod", arm.end, P, float(rod) * scale)
    if twice:
        m.stick("again", P, arm.end, float(rod) * scale)
    found = m.build().motions()
    wrong = _outcome(found.outcome, track, twice)
    arcs, loops, stretches = _stretches(track, centre, (least, most), roots)
    listed = (sum(not c.closed for c in found.components), sum(c.closed for c in found.components))
    if found.outcome is not Promise.COMPLETE_EXCEPT and listed != (arcs, loops):
        wrong.append(f"{listed[0]} arcs and {listed[1]} loops, there are {arcs} and {loops}")
    truth = _positions(track, centre, lengths, stretches)
    seen = [c.sample(STEP).q for c in found.components]
    q = np.concatenate(seen) if seen else np.zeros((0, 6))
    samples = np.column_stack([np.cos(q[:, 2]), np.sin(q[:, 2]), q[:, 3:5] / scale])
    tip = np.array([float(c) for c in centre]) + float(crank) * samples[:, :2]
    off = np.hypot(*(samples[:, 2:] - tip).T) - float(rod)
    if len(q) and np.abs(off).max() > CLOSE:
        wrong.append(f"a rod is {np.abs(off).max():.3g} too long or too short")
    ends = np.cumsum([len(one) for one in seen])[:-1]
    lines = [_filled(one) for one in np.split(samples, ends) if len(one)]
    between = np.concatenate(lines) if lines else samples
    track_points = np.array([_point(track, at) for at in _grid(track)])
    for one, other, what in (
        (truth, between, "a position is not listed"),
        (samples[:, 2:], track_points, "a position is off the track"),
    ):
        if len(one):
            apart = cKDTree(other).query(one)[0] if len(other) else np.full(len(one), np.inf)
            if apart.max() > NEAR:
                wrong.append(f"{what}: {one[apart.argmax()]} is {apart.max():.3g} from the others")
    return [f"{sentence}: {told}" for sentence in wrong]


def _filled(points: np.ndarray) -> np.ndarray:
    """Points in a row with nine more between every two: a fast track leads far in one step."""
    at = np.arange(10 * len(points) - 9) / 10.0
    return np.column_stack([np.interp(at, np.arange(len(points)), c) for c in points.T])


def _outcome(outcome: Promise, track: Track, twice: bool) -> list[str]:
    allowed = {Promise.COMPLETE}
    allowed |= {Promise.NUMERICAL} if twice else set()
    allowed |= {Promise.COMPLETE_EXCEPT} if track.has_corners else set()
    return [] if outcome in allowed else [f"the outcome is {outcome}"]


def _stretches(
    track: Track,
    centre: tuple[Fraction, Fraction],
    bounds: tuple[Fraction, Fraction],
    roots: list[Root],
) -> tuple[int, int, list[tuple[float, float]]]:
    """Arcs, loops, and the parts of the track on which the crank allows its point."""
    end = float(len(track.pieces))
    if not roots:
        if not _is_allowed(track, centre, bounds, 0.5 * end):
            return 0, 0, []
        return (0, 2, [(0.0, end)]) if track.closed else (2, 0, [(0.0, end)])
    cuts = [at for at, _ in roots]
    parts = list(itertools.pairwise(cuts))
    arcs = loops = 0
    allowed = [p for p in parts if _is_allowed(track, centre, bounds, 0.5 * (p[0] + p[1]))]
    loops += len(allowed)
    first, last = (0.0, cuts[0]), (cuts[-1], end)
    ends = [p for p in (first, last) if _is_allowed(track, centre, bounds, 0.5 * (p[0] + p[1]))]
    if track.closed:
        loops += bool(ends)
    else:
        arcs += len(ends)
    return arcs, loops, allowed + ends


def _is_allowed(
    track: Track, centre: tuple[Fraction, Fraction], bounds: tuple[Fraction, Fraction], at: float
) -> bool:
    d = math.dist(_point(track, at), [float(c) for c in centre])
    return float(bounds[0]) < d < float(bounds[1])


def _positions(
    track: Track,
    centre: tuple[Fraction, Fraction],
    lengths: tuple[Fraction, Fraction],
    stretches: list[tuple[float, float]],
) -> np.ndarray:
    """cos, sin of the crank and the point (n, 4) on a grid of the stretches, both ways round."""
    crank, rod = map(float, lengths)
    places = [
        _point(track, at)
        for low, high in stretches
        for at in np.linspace(low, high, max(int(GRID * (high - low)), 16))
    ]
    if not places:
        return np.zeros((0, 4))
    points = np.array(places)
    d = points - np.array([float(c) for c in centre])
    size = np.hypot(*d.T)
    cosine = np.clip((size**2 + crank**2 - rod**2) / (2.0 * size * crank), -1.0, 1.0)
    found = []
    for sign in (1.0, -1.0):
        angle = np.arctan2(d[:, 1], d[:, 0]) + sign * np.arccos(cosine)
        found.append(np.column_stack([np.cos(angle), np.sin(angle), points]))
    return np.concatenate(found)


def _roots(
    track: Track, centre: tuple[Fraction, Fraction], lengths: list[Fraction]
) -> list[Root] | None:
    """Where the track is at these distances, in order; None where that is nearly more or fewer."""
    found: list[Root] = []
    for bound, length in enumerate(lengths):
        for k, piece in enumerate(track.pieces):
            p, span = piece.distance(centre, length), piece.high - piece.low
            shares = [float((t - piece.low) / span) for t in _isolated(p, piece.low, piece.high)]
            if any(not CLEAR < s < 1.0 - CLEAR for s in shares):
                return None
            if any(abs(_value(p, t)) < CLEAR for t in (piece.low, piece.high)):
                return None  # it begins or ends there, or turns a corner
            signs = [_value(p, piece.low + Fraction(s) * span) for s in _beside(shares)]
            if any((a > 0) == (b > 0) for a, b in zip(signs[::2], signs[1::2], strict=True)):
                return None  # touched, not met
            grid = np.linspace(0.0, 1.0, GRID)
            d = piece.points(float(piece.low) + grid * float(span)) - [float(c) for c in centre]
            near = np.abs((d**2).sum(axis=1) - float(length) ** 2) < CLEAR
            clear = np.ones(GRID, dtype=bool)
            for s in shares:
                clear &= np.abs(grid - s) > 5.0 * CLEAR
            if (near & clear).any():
                return None
            found += [(k + s, bound) for s in shares]
    found.sort()
    places = [at for at, _ in found]
    return None if any(b - a < CLEAR for a, b in itertools.pairwise(places)) else found


def _beside(shares: list[float]) -> list[float]:
    """A little before and a little after every share."""
    return [s + d for s in shares for d in (-0.1 * CLEAR, 0.1 * CLEAR)]


def _grid(track: Track) -> np.ndarray:
    """Places all along a track."""
    return np.linspace(0.0, len(track.pieces), 2 * GRID * len(track.pieces))


def _point(track: Track, at: float) -> tuple[float, float]:
    """The point of a track at a place: the number of a piece, and the share of it."""
    k = min(int(at), len(track.pieces) - 1)
    piece = track.pieces[k]
    t = float(piece.low) + (at - k) * float(piece.high - piece.low)
    (point,) = piece.points(np.array([t]))
    return float(point[0]), float(point[1])


# Tracks


def _track(rng: Rng) -> Track:
    count = int(rng.integers(3, 7))
    points = [(_eighths(rng, -16, 16), _eighths(rng, -16, 16)) for _ in range(count)]
    if any(a == b for a, b in zip(points, [*points[1:], points[0]], strict=True)):
        return _track(rng)
    kind = str(rng.choice(["polyline", "bezier", "open", "open", "closed"]))
    plain = tuple((float(x), float(y)) for x, y in points)
    if kind == "polyline":
        closed = bool(rng.integers(2))
        corners = [*points, points[0]] if closed else points
        one, ends = Fraction(1), (Fraction(0), Fraction(1))
        pieces = tuple(
            Piece([a[0], b[0] - a[0]], [a[1], b[1] - a[1]], [one], *ends)
            for a, b in itertools.pairwise(corners)
        )
        return Track(
            Polyline(plain, closed=closed), pieces, closed, True, f"Polyline({plain}, {closed})"
        )
    if kind == "bezier":
        points, plain = points[:4], plain[:4]
        weights = [_eighths(rng, 4, 16) for _ in points] if rng.integers(2) else []
        degree = len(points) - 1
        knots = [Fraction(0)] * (degree + 1) + [Fraction(1)] * (degree + 1)
        curve = Bezier(plain, weights=tuple(map(float, weights)))
        pieces = _pieces(points, weights, knots, degree)
        return Track(curve, pieces, False, False, f"Bezier({plain}, {[str(w) for w in weights]})")
    degree = int(rng.integers(1, min(4, count)))
    if kind == "closed":
        knots = [Fraction(k) for k in range(-degree, count + degree + 1)]
        around = [*points, *points[:degree]]
        pieces = _pieces(around, [], knots, degree)
        curve = BSpline(plain, degree=degree, closed=True)
        return Track(curve, pieces, True, degree == 1, f"BSpline({plain}, {degree}, closed)")
    inner = sorted(_eighths(rng, 1, 7) for _ in range(count - degree - 1))
    knots = [Fraction(0)] * (degree + 1) + inner + [Fraction(1)] * (degree + 1)
    if any(inner.count(k) > degree for k in inner):
        return _track(rng)
    weights = [_eighths(rng, 4, 16) for _ in points] if rng.integers(3) == 0 else []
    curve = BSpline(
        plain, degree=degree, knots=tuple(map(float, knots)), weights=tuple(map(float, weights))
    )
    corners_too = any(inner.count(k) >= degree for k in inner)
    told = f"BSpline({plain}, {degree}, {[str(k) for k in inner]}, {[str(w) for w in weights]})"
    return Track(curve, _pieces(points, weights, knots, degree), False, corners_too, told)


def _pieces(
    points: list[tuple[Fraction, Fraction]],
    weights: list[Fraction],
    knots: list[Fraction],
    degree: int,
) -> tuple[Piece, ...]:
    """N_j by the recursion of Cox and de Boor, piece by piece, as polynomials."""
    weights = weights or [Fraction(1)] * len(points)
    made = []
    for i in range(degree, len(knots) - degree - 1):
        if knots[i] == knots[i + 1]:
            continue
        basis: dict[int, Polynomial] = {i: [Fraction(1)]}
        for d in range(1, degree + 1):
            new: dict[int, Polynomial] = {}
            for j in range(i - d, i + 1):
                total: Polynomial = [Fraction(0)]
                if j in basis and knots[j + d] != knots[j]:
                    span = knots[j + d] - knots[j]
                    total = _plus(total, _times(basis[j], [-knots[j] / span, 1 / span]))
                if j + 1 in basis and knots[j + d + 1] != knots[j + 1]:
                    span = knots[j + d + 1] - knots[j + 1]
                    total = _plus(total, _times(basis[j + 1], [knots[j + d + 1] / span, -1 / span]))
                new[j] = total
            basis = new
        x = y = w = [Fraction(0)]
        for j, N in basis.items():
            weighted = _times([weights[j]], N)
            x = _plus(x, _times([points[j][0]], weighted))
            y = _plus(y, _times([points[j][1]], weighted))
            w = _plus(w, weighted)
        made.append(Piece(x, y, w, knots[i], knots[i + 1]))
    return tuple(made)


def _scaled(track: Track, scale: float) -> AbstractCurve:
    """The same curve with every coordinate times a power of two."""
    points = tuple((x * scale, y * scale) for x, y, *_ in track.curve.points)  # type: ignore[attr-defined]
    if isinstance(track.curve, Polyline):
        return Polyline(points, closed=track.curve.closed)
    if isinstance(track.curve, Bezier):
        return Bezier(points, weights=track.curve.weights)
    assert isinstance(track.curve, BSpline)
    c = track.curve
    return BSpline(points, degree=c.degree, knots=c.knots, weights=c.weights, closed=c.closed)


def _eighths(rng: Rng, low: int, high: int) -> Fraction:
    return Fraction(int(rng.integers(low, high)), 8)


# Polynomials


def _plus(a: Polynomial, b: Polynomial) -> Polynomial:
    n = max(len(a), len(b))
    zero = Fraction(0)
    return [(a[k] if k < len(a) else zero) + (b[k] if k < len(b) else zero) for k in range(n)]


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    made = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            made[i + j] += x * y
    return made


def _trimmed(p: Polynomial) -> Polynomial:
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def _value(p: Polynomial, t: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * t + c
    return total


def _chain(p: Polynomial) -> list[Polynomial]:
    """Sturm's chain: p, p', and the negated remainders; of a p whose roots are all simple."""
    chain = [_trimmed(p), _trimmed([k * c for k, c in enumerate(p)][1:])]
    while chain[-1]:
        chain.append([-c for c in _divided(chain[-2], chain[-1])[1]])
    common = chain[-2]  # of p and p': its roots are those that p has more than once
    return chain[:-1] if len(common) < 2 else _chain(_divided(p, common)[0])


def _divided(p: Polynomial, by: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest = list(_trimmed(p))
    quotient = [Fraction(0)] * max(len(rest) - len(by) + 1, 0)
    while len(rest) >= len(by):
        factor, shift = rest[-1] / by[-1], len(rest) - len(by)
        quotient[shift] = factor
        for k, c in enumerate(by):
            rest[k + shift] -= factor * c
        rest = _trimmed(rest[:-1])
    return quotient, rest


def _changes(chain: list[Polynomial], t: Fraction) -> int:
    signs = [s for p in chain if (s := _value(p, t)) != 0]
    return sum((a > 0) != (b > 0) for a, b in itertools.pairwise(signs))


def _isolated(p: Polynomial, low: Fraction, high: Fraction) -> list[Fraction]:
    """Its distinct roots in (low, high], each to 2^-40 of the interval."""
    chain = _chain(p)
    found, todo = [], [(low, high, _changes(chain, low), _changes(chain, high))]
    while todo:
        a, b, before, after = todo.pop()
        if before == after:
            continue
        if before - after == 1 and b - a < (high - low) * Fraction(1, 2**40):
            found.append((a + b) / 2)
            continue
        middle = (a + b) / 2
        there = _changes(chain, middle)
        todo += [(a, middle, before, there), (middle, b, there, after)]
    return sorted(found)
