"""Promise: `motions` and `assemblies` of a point on bars list every place, and list it once.

One point P in a box, held by one word or by two, some of them said twice in other words, at scales
from 1e-6 to 1e6. Never a false `complete`, nothing lost in `numerical`, no phantom, nothing twice.

Oracle: plane geometry. Every word leaves P on known rays and arcs of circles: a distance on a
circle, an angle, a parallel, a tangent on rays from the bar's other end, the angle between two
bars on the arcs over their ends. They are clipped to the box and cut with each other in closed
form.
"""

import math
from typing import NamedTuple

import numpy as np

import kempe as kp
from kempe.geometry.curves import Circle
from kempe.joints import PointFromCurve

CASES = 25
REMEMBERED = (25, 79, 203, 270, 358, 459, 30030)
HALF = 4.0  # of the box, before it is scaled
CLOSE = 0.02  # to a corner, an edge, an end or a tangency: not decided by so coarse a geometry
ON = 1e-6  # a listed place is on the curves of the words


class Arc(NamedTuple):
    """Points centre + radius (cos f, sin f) for f between two angles."""

    centre: complex
    radius: float
    first: float
    last: float

    def at(self, s: np.ndarray) -> np.ndarray:
        """Points at shares s of the way."""
        return self.centre + self.radius * np.exp(1j * (self.first + s * (self.last - self.first)))

    def off(self, p: np.ndarray) -> np.ndarray:
        """How far points are from it."""
        turn = (np.angle(p - self.centre) - self.first) % math.tau
        inside = turn <= self.last - self.first
        ends = np.minimum(*(np.abs(p - self.at(np.array([s]))) for s in (0.0, 1.0)))
        return np.where(inside, np.abs(np.abs(p - self.centre) - self.radius), ends)

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its circle."""
        return self.last - self.first >= math.tau


class Ray(NamedTuple):
    """Points start + s along for s > 0, as far as the box may reach."""

    start: complex
    along: complex  # of length 1

    def at(self, s: np.ndarray) -> np.ndarray:
        """Points at shares s of 16, which leaves any box here."""
        return self.start + 16.0 * s * self.along

    def off(self, p: np.ndarray) -> np.ndarray:
        """How far points are from it."""
        d = (p - self.start) * self.along.conjugate()
        return np.where(d.real > 0.0, np.abs(d.imag), np.abs(d))

    is_whole = False


Curve = Arc | Ray


class Word(NamedTuple):
    """What is asked of P: how it is said, and where it leaves P."""

    said: str
    curves: list[Curve]
    ends: list[complex]  # where a bar has no direction


class Drawing:
    """A mechanism while words are said, in the unit of the case."""

    def __init__(self, rng: np.random.Generator, scale: float) -> None:
        self.rng, self.scale = rng, scale
        self.m = kp.Builder("point and bars", plane=True)
        first = [float(x) for x in rng.uniform(-HALF, HALF, 2) * scale]
        self.P = self.m.point("P", at=first)
        self.sticks = 0

    def somewhere(self) -> complex:
        """A place in the box, on a coarse grid now and then."""
        x, y = self.rng.uniform(-3.0, 3.0, 2)
        return complex(round(x), round(y)) if self.rng.random() < 0.5 else complex(x, y)

    def ground(self, z: complex):
        """A place on the ground."""
        return self.m.ground.at(z.real * self.scale, z.imag * self.scale)

    def stick(self, a, b, length: float | None = None):
        """A new bar."""
        self.sticks += 1
        name = f"b{self.sticks}"
        return self.m.stick(name, a, b) if length is None else self.m.stick(name, a, b, length)

    def circle(self, z: complex, radius: float) -> Circle:
        """A circle of the ground."""
        return Circle((z.real * self.scale, z.imag * self.scale), radius * self.scale)


def lines_from(start: complex, centre: complex, radius: float) -> list[Curve]:
    """The rays of both tangents to a circle through a point outside of it."""
    d = centre - start
    if radius >= abs(d):
        return []
    lean = math.asin(radius / abs(d))
    rays = [d / abs(d) * complex(math.cos(f), math.sin(f)) for f in (lean, -lean)]
    return [Ray(start, sign * ray) for ray in rays for sign in (1.0, -1.0)]


def say_distance(d: Drawing, twice: bool) -> Word:
    """A bar of fixed length from the ground."""
    a, r = d.somewhere(), float(d.rng.uniform(0.4, 3.0))
    d.stick(d.ground(a), d.P, r * d.scale)
    if twice:
        d.stick(d.P, d.ground(a), r * d.scale)
    return Word(f"distance {r!r} from {a}", [Arc(a, r, 0.0, math.tau)], [])


def say_clear(d: Drawing, twice: bool) -> Word:
    """A stretching bar clear of a point by a distance."""
    a, c, r = d.somewhere(), d.somewhere(), float(d.rng.uniform(0.2, 2.0))
    first, second = ("clear", "tangent") if d.rng.random() < 0.5 else ("tangent", "clear")
    bar = d.stick(d.ground(a), d.P)
    for how in (first, second) if twice else (first,):
        if how == "clear":
            bar.clear_of(d.ground(c), r * d.scale)
        else:
            bar.tangent_to(d.circle(c, r))
    return Word(f"{first} of {c} by {r!r}, bar from {a}", lines_from(a, c, r), [a])


def say_angle(d: Drawing, twice: bool) -> Word:
    """A stretching bar at an angle to a fixed one."""
    a, b, c = d.somewhere(), d.somewhere(), d.somewhere()
    while abs(c - b) < 0.3:
        c = d.somewhere()
    degrees = float(d.rng.choice([30.0, 45.0, 60.0, 90.0, 120.0, 17.3, 111.1]))
    bar = d.stick(d.ground(a), d.P)
    fixed = d.stick(d.ground(b), d.ground(c))
    bar.angle_to(fixed, f"{degrees!r} deg")
    if twice:
        bar.angle_to(d.stick(d.ground(c), d.ground(b)), f"{180 - degrees!r} deg")
    turn = np.exp(1j * math.radians(degrees))
    u = (c - b) / abs(c - b)
    rays = [Ray(a, complex(u * turn)), Ray(a, complex(u / turn))]
    return Word(f"bar from {a} at {degrees} deg to {b}-{c}", list(rays), [a])


def say_parallel(d: Drawing, twice: bool) -> Word:
    """A stretching bar parallel to a fixed one."""
    a, b = d.somewhere(), d.somewhere()
    turn = complex(np.exp(1j * math.radians(float(d.rng.choice([0.0, 30.0, 45.0, 71.7])))))
    c = b + float(d.rng.uniform(0.5, 2.0)) * turn
    bar = d.stick(d.ground(a), d.P)
    fixed = d.stick(d.ground(b), d.ground(c))
    bar.parallel_to(fixed)
    if twice:
        fixed.parallel_to(bar)
    u = (c - b) / abs(c - b)
    return Word(f"bar from {a} parallel to {b}-{c}", [Ray(a, u), Ray(a, -u)], [a])


def say_seen(d: Drawing, twice: bool) -> Word:
    """Two stretching bars at an angle: the arcs over their ends."""
    a, b = d.somewhere(), d.somewhere()
    while abs(b - a) < 0.8:
        b = d.somewhere()
    degrees = float(d.rng.choice([50.0, 75.0, 105.0, 130.0]))
    one, two = d.stick(d.ground(a), d.P), d.stick(d.ground(b), d.P)
    one.angle_to(two, f"{degrees!r} deg")
    if twice:
        two.angle_to(one, f"{degrees!r} deg")
    half, alpha = abs(b - a) / 2.0, math.radians(degrees)
    r, up = half / math.sin(alpha), 1j * (b - a) / abs(b - a)
    arcs: list[Curve] = []
    for side in (1.0, -1.0):
        centre = (a + b) / 2.0 + side * up * half / math.tan(alpha)
        middle = float(np.angle(side * up))
        arcs.append(Arc(centre, r, middle - (math.pi - alpha), middle + (math.pi - alpha)))
    return Word(f"{a} and {b} seen at {degrees} deg", arcs, [a, b])


def say_off_circle(d: Drawing, twice: bool) -> Word:
    """A stationary distance from a circle: two circles about its centre, or one."""
    c, r, gap = d.somewhere(), float(d.rng.uniform(0.8, 2.0)), float(d.rng.uniform(0.1, 0.6))
    for _ in range(2 if twice else 1):
        ground, p = d.m.ground.at(0, 0), d.P.at(0, 0)
        d.m.add(PointFromCurve(ground, p, curve=d.circle(c, r), length=gap * d.scale))
    arcs = [Arc(c, r + gap, 0.0, math.tau), Arc(c, r - gap, 0.0, math.tau)]
    return Word(f"{gap!r} off the circle {r!r} about {c}", list(arcs), [])


WORDS = (say_distance, say_clear, say_angle, say_parallel, say_seen, say_off_circle)


def attempt(rng: np.random.Generator) -> list[str]:
    """One word or two, the first perhaps twice."""
    scale = 10.0 ** int(rng.integers(-6, 7)) if rng.random() < 0.5 else 1.0
    drawing = Drawing(rng, scale)
    twice = rng.random() < 0.3
    words = [WORDS[int(rng.integers(len(WORDS)))](drawing, twice)]
    if rng.random() < 0.5:
        words.append(WORDS[int(rng.integers(len(WORDS)))](drawing, False))
    case = f"{'; '.join(w.said for w in words)}{' (twice)' if twice else ''}, x {scale:g}"
    low, high = -HALF * scale, HALF * scale
    limits = {"P.x": (low, high), "P.y": (low, high)}
    mechanism = drawing.m.build()
    if len(words) == 2:
        return [f"{fault}: {case}" for fault in judge_points(mechanism, limits, words, scale)]
    return [f"{fault}: {case}" for fault in judge_curves(mechanism, limits, words[0], scale)]


# -- one word: curves ---------------------------------------------------------------------------


def judge_curves(mechanism: kp.Mechanism, limits: dict, word: Word, scale: float) -> list[str]:
    """What is wrong with the list of motions."""
    expected = [stretch for curve in word.curves for stretch in stretches(curve)]
    if any(stretch is None for stretch in expected):
        return []
    found = mechanism.motions(limits=limits)
    if found.outcome == "certified_partial":
        return ["it did not end"]
    wrong = []
    listed = [mechanism.follow(c)["P"].position / scale for c in found.components]
    points = [p[:, 0] + 1j * p[:, 1] for p in listed]
    for k, p in enumerate(points):
        off = min(float(np.max(curve.off(p))) for curve in word.curves) if word.curves else math.inf
        if off > ON:
            wrong.append(f"component {k} is no place of the word, off by {off:g}")
    everything = np.concatenate(points) if points else np.zeros(0, complex)
    crossed = crossings(word)
    for path in expected:
        assert path is not None
        checked = path[1:-1]
        for bad in [*crossed, *word.ends]:
            checked = checked[np.abs(checked - bad) > 2 * CLOSE]
        missing = [z for z in checked if not len(everything) or np.abs(everything - z).min() > 0.1]
        if missing:
            wrong.append(f"{len(missing)} of {len(checked)} places near {missing[0]:.3f} are lost")
    if not crossed and not wrong and len(points) != len(expected):
        wrong.append(f"{len(points)} components instead of {len(expected)}, {found.outcome}")
    if crossed and found.outcome == "complete":
        wrong.append("branches cross, and it says complete")
    return [f"{w} ({found.outcome})" for w in wrong]


def stretches(curve: Curve) -> list[np.ndarray | None]:
    """The pieces of a curve in the box, as points; None where the box's edge nearly touches it."""
    s = np.linspace(0.0, 1.0, 4001)
    p = curve.at(s)
    size = np.maximum(np.abs(p.real), np.abs(p.imag))
    depth = size - HALF
    turns = np.flatnonzero((np.diff(depth[1:]) >= 0.0) != (np.diff(depth[:-1]) >= 0.0)) + 1
    if (np.abs(depth[turns]) < CLOSE).any():
        return [None]
    if min(abs(depth[0]), abs(depth[-1])) < CLOSE:
        return [None]
    inside = depth < 0.0
    if inside.all():
        return [p]
    edges = np.flatnonzero(np.diff(inside.astype(int))) + 1
    runs = [run for run in np.split(np.arange(len(p)), edges) if inside[run[0]]]
    if curve.is_whole and len(runs) > 1 and inside[0] and inside[-1]:
        runs = [np.concatenate([runs[-1], runs[0]]), *runs[1:-1]]
    if any(len(run) < 8 for run in runs):
        return [None]
    return [p[run] for run in runs]


def crossings(word: Word) -> list[complex]:
    """Where curves of one word meet each other in the box, the ends of its bars left out."""
    found = []
    for k, one in enumerate(word.curves):
        for other in word.curves[k + 1 :]:
            if isinstance(one, Ray) and isinstance(other, Ray) and one.start == other.start:
                continue  # they meet there alone, however narrow the angle between them
            p = one.at(np.linspace(0.0, 1.0, 4001))
            near = p[(other.off(p) < 0.01) & (np.maximum(abs(p.real), abs(p.imag)) < HALF)]
            near = near[[all(abs(z - end) > 5 * CLOSE for end in word.ends) for z in near]]
            found += list(near[:: max(1, len(near) // 20)])
    return found


# -- two words: points --------------------------------------------------------------------------


def judge_points(
    mechanism: kp.Mechanism, limits: dict, words: list[Word], scale: float
) -> list[str]:
    """What is wrong with the list of assemblies."""
    expected = meetings(words)
    if expected is None:
        return []
    found = mechanism.assemblies(limits=limits)
    wrong = []
    body = mechanism.layout.body_index["P"]
    listed = [complex(*(a.q[3 * body : 3 * body + 2] / scale)) for a in found]
    for z in listed:
        if min(abs(z - x) for x in [*expected, complex(99, 99)]) > 1e3 * ON:
            ends = [end for w in words for end in w.ends]
            near_end = any(abs(z - end) < CLOSE for end in ends)
            wrong.append(f"{z:.6f} is {'where a bar vanishes' if near_end else 'no place of both'}")
    for x in expected:
        hits = sum(abs(z - x) < 1e3 * ON for z in listed)
        if hits != 1:
            wrong.append(f"{x:.6f} is listed {hits} times")
    return [f"{w} ({found.outcome}, {len(listed)} for {len(expected)})" for w in wrong]


def meetings(words: list[Word]) -> list[complex] | None:
    """Where curves of the first word meet those of the second; None where that is a close call."""
    found: list[complex] = []
    for one in words[0].curves:
        for other in words[1].curves:
            if nearly_touching(one, other):
                return None
            found += met(one, other)
    ends = [end for word in words for end in word.ends]
    inside = []
    for z in found:
        edge = max(abs(z.real), abs(z.imag)) - HALF
        if abs(edge) < CLOSE or any(abs(z - end) < CLOSE for end in ends):
            return None
        if edge < 0.0:
            inside.append(z)
    if any(abs(a - b) < CLOSE for k, a in enumerate(inside) for b in inside[:k]):
        return None
    return inside


def nearly_touching(one: Curve, other: Curve) -> bool:
    """Whether two curves come close without crossing at an honest angle, or share a stretch."""
    for a, b in ((one, other), (other, one)):
        p = a.at(np.linspace(0.0, 1.0, 8001))
        keep = np.maximum(np.abs(p.real), np.abs(p.imag)) < HALF + 0.2
        gap = b.off(p)
        step = np.abs(np.diff(p, append=p[-1:]))
        slope = np.abs(np.diff(gap, append=gap[-1:])) / np.maximum(step, 1e-9)
        if ((gap < CLOSE) & (slope < 0.1) & keep)[:-2].any():
            return True
        if (min(gap[0], gap[-1]) < CLOSE) and keep[[0, -1]].any() and not a.is_whole:
            return True
    return False


def met(one: Curve, other: Curve) -> list[complex]:
    """Common points in closed form."""
    if isinstance(one, Ray) and isinstance(other, Ray):
        cross = (one.along.conjugate() * other.along).imag
        if abs(cross) < 1e-12:
            return []
        s = ((other.start - one.start).conjugate() * other.along).imag / cross
        candidates = [one.start + s * one.along]
    elif isinstance(one, Arc) and isinstance(other, Arc):
        d = other.centre - one.centre
        if abs(d) < 1e-12:
            return []
        x = (one.radius**2 - other.radius**2 + abs(d) ** 2) / (2.0 * abs(d))
        y2 = one.radius**2 - x * x
        if y2 < 0.0:
            return []
        u = d / abs(d)
        candidates = [one.centre + u * complex(x, sign * math.sqrt(y2)) for sign in (1.0, -1.0)]
    else:
        ray, arc = (one, other) if isinstance(one, Ray) else (other, one)
        assert isinstance(ray, Ray)
        assert isinstance(arc, Arc)
        foot = (arc.centre - ray.start) * ray.along.conjugate()
        y2 = arc.radius**2 - foot.imag**2
        if y2 < 0.0:
            return []
        ways = [foot.real + sign * math.sqrt(y2) for sign in (1.0, -1.0)]
        candidates = [ray.start + s * ray.along for s in ways]
    on = [z for z in candidates if max(c.off(np.array([z]))[0] for c in (one, other)) < 1e-9]
    return [complex(z) for z in on]
