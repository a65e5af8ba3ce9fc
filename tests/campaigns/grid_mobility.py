"""Promise: `check` counts the freedoms of finite motion of bar lattices, singular ones too.

Bars along the edges of random planar lattices (squares, triangles, wheels, ladders, rows, bars laid
flat on each other), pinned where they meet or in their middle, some joints of the lattice on the
ground, some edges taken out, several lattices side by side that nothing joins, moved off their
lattice (regular) or not (collinear bars, parallelograms laid flat: singular), at any scale.
`mobility`, `mobility_at_start`, `mobility_by_count` and `is_singular` are compared.

Oracle: NumPy, in coordinates of points: one equation |p_a - p_b|^2 = l^2 a bar, two for a pin in
it. Rank by singular values at the start. Freedoms of finite motion by continuation: from the start,
many random small steps along the null space are closed by Gauss and Newton; at the places that were
reached the small steps that really lead away span the freedoms, part by part (a part is what hangs
together without the ground). Where several counts are met the largest is the mobility; where steps
of two sizes disagree the case is not judged.
"""

import math
from collections import Counter
from itertools import pairwise

import numpy as np

import kempe as kp

CASES = 12
FREE = 1e-7  # singular values below it, of rows of unit bars, are zeros
CLOSED, NEARLY = 1e-13, 1e-11  # of unit bars, what is left when they are closed
MOST = 26  # bars

Edge = tuple[int, ...]  # its two ends, and a point between them that is pinned to it
Drawn = tuple[np.ndarray, list[Edge]]


# -- lattices --------------------------------------------------------------------------------------


def squares(rng: np.random.Generator) -> Drawn:
    """A net of squares, some with a diagonal."""
    n, k = rng.integers(2, 4, 2)
    at = {(i, j): i + n * j for j in range(k) for i in range(n)}
    edges: list[Edge] = []
    for (i, j), a in at.items():
        ways = [(i + 1, j), (i, j + 1)] + ([(i + 1, j + 1)] if rng.random() < 0.4 else [])
        edges += [(a, at[way]) for way in ways if way in at]
    return np.array(list(at), float), edges


def triangles(rng: np.random.Generator) -> Drawn:
    """Equal triangles."""
    n = int(rng.integers(2, 4))
    points = [(i + j / 2, j * math.sqrt(0.75)) for j in range(n) for i in range(n - j + 1)]
    pairs = [(a, b) for a in range(len(points)) for b in range(a)]
    edges = [(a, b) for a, b in pairs if abs(math.dist(points[a], points[b]) - 1) < 1e-9]
    return np.array(points), list(edges)


def spokes(rng: np.random.Generator) -> Drawn:
    """A wheel."""
    n = int(rng.integers(3, 7))
    angles = [math.tau * i / n for i in range(n)]
    points = [(0.0, 0.0)] + [(math.cos(a), math.sin(a)) for a in angles]
    edges: list[Edge] = [(0, i + 1) for i in range(n)]
    return np.array(points), edges + [(i + 1, (i + 1) % n + 1) for i in range(n)]


def ladder(rng: np.random.Generator) -> Drawn:
    """A ladder, drawn straight."""
    n = int(rng.integers(2, 5))
    points = [(i, j) for i in range(n) for j in (0, 1)]
    edges: list[Edge] = [(2 * i, 2 * i + 1) for i in range(n)]
    edges += [(2 * i + j, 2 * i + 2 + j) for i in range(n - 1) for j in (0, 1)]
    return np.array(points, float), edges


def flat(rng: np.random.Generator) -> Drawn:
    """Points on a line, some of them in one place: linkages laid flat."""
    n = int(rng.integers(3, 7))
    x = rng.integers(0, 5, n).astype(float)
    pairs = [(a, b) for a in range(n) for b in range(a)]
    edges: list[Edge] = [(a, b) for a, b in pairs if x[a] != x[b] and rng.random() < 2.2 / n]
    return np.column_stack([x, np.zeros(n)]), edges


def row(rng: np.random.Generator) -> Drawn:
    """Bars in a line, now and then with one as long as all of them."""
    n = int(rng.integers(2, 6))
    edges: list[Edge] = list(pairwise(range(n)))
    if rng.random() < 0.3 and n > 2:
        edges.append((0, n - 1))
    return np.column_stack([np.arange(n, dtype=float), np.zeros(n)]), edges


LATTICES = (squares, triangles, spokes, ladder, row, flat, flat)


class Framework:
    """One to three lattices side by side: points, bars between them, points on the ground."""

    def __init__(self, rng: np.random.Generator) -> None:
        points: list[np.ndarray] = []
        self.edges: list[Edge] = []
        self.ground: set[int] = set()
        for k in range(rng.choice([1, 1, 2, 3])):
            places, drawn = LATTICES[rng.integers(len(LATTICES))](rng)
            keep = rng.random(len(drawn)) > rng.choice([0.0, 0.15, 0.3])
            base, edges = len(points), [e for e, stays in zip(drawn, keep, strict=True) if stays]
            if not edges:
                continue
            if rng.random() < 0.5:
                places = places + rng.uniform(-0.15, 0.15, places.shape)
            used = sorted({base + p for edge in edges for p in edge})
            held = min(len(used), int(rng.choice([0, 1, 1, 2, 2, 3])))
            self.ground |= set(rng.choice(used, size=held, replace=False).tolist())
            points.extend(places + np.array([10.0 * k, 0.0]))
            self.edges += [(base + a, base + b) for a, b in edges]
        self.points = np.array(points).reshape(-1, 2)
        self.edges = [edge for edge in self.edges if not self.ground.issuperset(edge)]
        if rng.random() < 0.5:
            self.edges = self.merged(rng)

    def merged(self, rng: np.random.Generator) -> list[Edge]:
        """Some bars in line become one with a pin in it, as in lazy tongs."""
        left, out = list(self.edges), []
        while left:
            edge = left.pop(int(rng.integers(len(left))))
            for other in left:
                longer = self.in_line(edge, other)
                if longer is not None and rng.random() > 0.3:
                    left.remove(other)
                    edge = longer
                    break
            out.append(edge)
        return out

    def in_line(self, edge: Edge, other: Edge) -> Edge | None:
        """Two bars as one, where the second goes on straight from an end of the first."""
        pin = set(edge) & set(other)
        if len(pin) != 1:
            return None
        (m,), (i,), (j,) = pin, set(edge) - pin, set(other) - pin
        u, v = self.points[m] - self.points[i], self.points[j] - self.points[m]
        straight = abs(u[0] * v[1] - u[1] * v[0]) < 1e-12 and u @ v > 0
        return (i, j, m) if straight and not self.ground.issuperset((i, j)) else None

    def build(self, scale: float, rng: np.random.Generator) -> kp.Mechanism:
        """The mechanism; pins of several bars are a chain or a star of hinges, in any order."""
        m, P = kp.Builder("grid", plane=True), self.points
        places: dict[int, list[object]] = {}
        for k, (a, b, *pins) in enumerate(self.edges):
            way = P[b] - P[a]
            length, angle = scale * math.hypot(*way), math.atan2(way[1], way[0])
            bar = m.bar(f"b{k}", length, at=tuple(scale * P[a]), angle=angle)
            for p in pins:
                along = bar.at(scale * math.dist(P[p], P[a]), 0)
                places.setdefault(p, []).append(along)
            places.setdefault(a, []).append(bar.start)
            places.setdefault(b, []).append(bar.end)
        for point in rng.permutation(list(places)).tolist():
            ends = places[point]
            if point in self.ground:
                ends.append(m.ground.at(*(scale * P[point])))
            ends = [ends[k] for k in rng.permutation(len(ends))]
            star = rng.integers(2)
            for last, end in pairwise(ends):
                m.revolute(ends[0] if star else last, end)
        return m.build()

    @property
    def by_count(self) -> int:
        """Three freedoms a bar, less two for each hinge."""
        met = Counter(p for edge in self.edges for p in edge)
        hinges = sum(n - 1 + (p in self.ground) for p, n in met.items())
        return 3 * len(self.edges) - 2 * hinges

    def parts(self) -> list["Part"]:
        """Bars that hang together by points that are not on the ground."""
        groups: list[tuple[set[int], list[Edge]]] = []
        for edge in self.edges:
            ends, bars = set(edge) - self.ground, [edge]
            apart = []
            for group in groups:
                if group[0] & ends:
                    ends, bars = ends | group[0], group[1] + bars
                else:
                    apart.append(group)
            groups = [*apart, (ends, bars)]
        return [Part(self.points, sorted(ends), bars) for ends, bars in groups]


# -- freedoms --------------------------------------------------------------------------------------


class Part:
    """Bars that hang together, with the coordinates x of their points that move."""

    def __init__(self, points: np.ndarray, moving: list[int], edges: list[Edge]) -> None:
        self.points, self.edges = points, edges
        self.index = {p: i for i, p in enumerate(moving)}
        self.first = points[moving].ravel()

    def rows(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is left of the equations at x, and their derivatives."""
        P = self.points.copy()
        P[list(self.index)] = x.reshape(-1, 2)
        off: list[float] = []
        slopes: list[np.ndarray] = []

        def slope(parts: list[tuple[int, np.ndarray]]) -> np.ndarray:
            one = np.zeros_like(x)
            for p, by in parts:
                if p in self.index:
                    one[2 * self.index[p] : 2 * self.index[p] + 2] += by
            return one

        for a, b, *pins in self.edges:
            d, length = P[a] - P[b], math.dist(self.points[a], self.points[b])
            off.append((d @ d - length * length) / (2 * length))
            slopes.append(slope([(a, d / length), (b, -d / length)]))
            for m in pins:  # it divides the bar as it did
                share = math.dist(self.points[m], self.points[a]) / length
                off += (P[m] - (1 - share) * P[a] - share * P[b]).tolist()
                shares = ((m, 1.0), (a, share - 1), (b, -share))
                slopes += [slope([(p, s * axis) for p, s in shares]) for axis in np.eye(2)]
        return np.array(off), np.array(slopes)

    def free(self, x: np.ndarray) -> np.ndarray:
        """What moves at first order: columns."""
        _, s, vt = np.linalg.svd(self.rows(x)[1])
        return vt[int((s > FREE).sum()) :].T

    def closed(self, x: np.ndarray) -> np.ndarray | None:
        """The next place at which all bars have their length."""
        left = math.inf
        for _ in range(60):
            off, J = self.rows(x)
            left = float(np.abs(off).max())
            if left < CLOSED:
                return x
            step = np.linalg.lstsq(J, -off, rcond=1e-9)[0]
            if np.abs(step).max() > 0.5:
                return None
            x = x + step
        return x if left < NEARLY else None

    def dimension(self, x: np.ndarray, h: float, rng: np.random.Generator) -> int:
        """How many ways small steps really lead away: a flat triangle shakes, and stays."""
        free, ways = self.free(x), []
        for _ in range(4 * free.shape[1] + 4):
            d = free @ rng.normal(size=free.shape[1])
            y = self.closed(x + h * d / max(float(np.linalg.norm(d)), 1e-300))
            if y is not None:
                ways.append((y - x) / h)
        if not ways:
            return 0
        s = np.linalg.svd(np.array(ways), compute_uv=False)
        return int((s > 0.05 * math.sqrt(len(ways))).sum())

    def walked(self, way: np.ndarray, h: float) -> np.ndarray | None:
        """Where six steps lead, each on from where the last one went; None where they stick.

        Raises ArithmeticError where a step cannot be closed, which does not say that it sticks.
        """
        x = self.first
        for _ in range(6):
            y = self.closed(x + h * way / np.linalg.norm(way))
            if y is None:
                raise ArithmeticError
            if np.linalg.norm(y - x) < 0.2 * h:
                return None
            way, x = y - x, y
        return x if np.linalg.norm(x - self.first) >= h else None

    def is_left(self, free: np.ndarray, rng: np.random.Generator) -> bool:
        """Whether steps of some points lead to other places, where those of all fall back.

        A point that shakes and one that moves may pull each other back to the start.
        """
        for h in (0.01, 0.1, 0.3):
            for _ in range(24):
                moved = np.repeat(rng.random(len(self.index)) < 0.5, 2)
                d = moved * (free @ rng.normal(size=free.shape[1]))
                y = self.closed(self.first + h * d / max(float(np.linalg.norm(d)), 1e-9))
                if y is None or np.linalg.norm(y - self.first) > 0.2 * h:
                    return True
        return False

    def freedoms(self, rng: np.random.Generator) -> tuple[int, int | None]:
        """At first order, and of finite motion where that is clear."""
        free = self.free(self.first)
        n = free.shape[1]
        if n == 0 or len(self.first) - n == len(self.rows(self.first)[0]):
            return n, n  # nothing is free, or every bar holds its own
        counts = []
        for h in (1e-2, 4e-2):
            ends, lost = [], 0
            for _ in range(12 + 6 * n):
                try:
                    ends.append(self.walked(free @ rng.normal(size=n), h))
                except ArithmeticError:
                    lost += 1
            seen = [self.dimension(x, h / 4, rng) for x in ends if x is not None]
            if not seen and (lost or self.is_left(free, rng)):
                return n, None
            counts.append(max(seen, default=0))
        return n, counts[0] if counts[0] == counts[1] else None


def attempt(rng: np.random.Generator) -> list[str]:
    """What `check` says of one random framework and should not."""
    made = Framework(rng)
    if not 0 < len(made.edges) <= MOST:
        return []
    scale = float(10.0 ** rng.choice([0, 0, 0, -3, 3]))
    told = [part.freedoms(rng) for part in made.parts()]
    report = made.build(scale, rng).check()
    due = {"mobility_at_start": sum(n for n, _ in told), "mobility_by_count": made.by_count}
    finite = [n for _, n in told if n is not None]
    if len(finite) == len(told):
        due["mobility"] = sum(finite)
        if not report.singular:
            due["is_singular"] = any(n != m for n, m in told)
    said = {word: getattr(report, word) for word in due}
    case = f"{told}, points {made.points.tolist()}, bars {made.edges}"
    case += f", ground {sorted(made.ground)}, scale {scale}"
    return [
        f"{word} is {said[word]}, due {due[word]}: {case}"
        for word in due
        if said[word] != due[word]
    ]
