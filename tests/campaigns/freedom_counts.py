"""Promise: `check` counts freedoms of finite motion, tells singular starts and judges drives.

Parts on the ground or on swinging arms, several of them in one mechanism, in the plane (chains,
four-bars, parallelograms with more cranks than needed, trusses, links pulled straight, hinges and
slides said twice, gears in a ring, bodies that float) and in space (open chains, loops of four to
seven hinges in general position, planar and spherical loops, Bennett's and Sarrus' linkages, slides
said twice), at several sizes, with and without drives. `mobility`, `mobility_at_start`,
`mobility_by_count`, `redundant_rows`, `is_singular`, `freedom_left` and `is_ready` are compared,
and the sentence with the number of freedoms.

Oracle: the joints' equations written once more in NumPy, their Jacobian by central differences, its
rank in the start; and steps along everything that is free there, closed again by Gauss and Newton:
what is left of them is the finite motion. The theory of every part must agree, or it is not judged.
"""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation as Turn

import kempe as kp
from kempe.couplers import GearPair
from kempe.joints import Prismatic, Revolute, Rod, Spherical

CASES = 2
Z = (0.0, 0.0, 1.0)


class Row(NamedTuple):
    """One joint for the oracle: bodies by number, -1 the ground."""

    kind: str
    a: int
    b: int
    place: np.ndarray  # in the world, at the start
    axis: np.ndarray
    other: np.ndarray  # a rod's second end
    ratio: float = 0.0


class Part(NamedTuple):
    """What theory says of one part."""

    said: str
    mobility: int
    at_start: int


class Drawing:
    """A mechanism for kempe and for the oracle; all bodies start unturned."""

    def __init__(self, rng: np.random.Generator, plane: bool, scale: float) -> None:
        self.rng, self.plane, self.scale = rng, plane, scale
        self.m = kp.Builder("counted", plane=plane)
        self.places: list[np.ndarray] = []
        self.handles: list[Any] = []
        self.rows: list[Row] = []
        self.count = 0  # rows that the joints have, by the list of joints
        self.hinges: list[tuple[Any, int, int]] = []

    def body(self, at: np.ndarray) -> int:
        """A new body whose origin is there."""
        where = [float(x) * self.scale for x in at]
        name = f"b{len(self.places)}"
        how: dict[str, Any] = {"at": where[:2], "angle": 0.0} if self.plane else {"at": where}
        tip = (self.scale, 0.0) if self.plane else (self.scale, 0.0, 0.0)
        self.handles.append(self.m.body(name, points={"tip": tip}, **how))
        self.places.append(np.array(at, dtype=float))
        return len(self.places) - 1

    def marker(self, body: int, place: np.ndarray, axis: Any) -> Any:
        """A place of the world on a body, its z along an axis."""
        at = place - (self.places[body] if body >= 0 else 0.0)
        handle = self.handles[body] if body >= 0 else self.m.ground
        numbers = [float(x) * self.scale for x in at]
        marker = handle.at(*numbers[:2]) if self.plane else handle.at(*numbers)
        if np.allclose(axis, Z):
            return marker
        way = [float(x) for x in axis]
        return marker.facing(tuple(way[:2]) if self.plane else tuple(way))

    def join(self, kind: str, a: int, b: int, place: Any, axis: Any = Z, other: Any = None) -> Any:
        """A joint of two bodies at a place of the world."""
        p, n = np.array(place, dtype=float), np.array(axis, dtype=float)
        end = p if other is None else np.array(other, dtype=float)
        self.rows.append(Row(kind, a, b, p, n / np.linalg.norm(n), end))
        first, second = self.marker(a, p, axis), self.marker(b, end, axis)
        if kind == "rod":
            self.count += 1
            return self.m.add(
                Rod(first, second, length=float(np.linalg.norm(end - p)) * self.scale)
            )
        self.count += (
            {"hinge": 2, "slide": 2}[kind]
            if self.plane
            else {"hinge": 5, "slide": 5, "ball": 3}[kind]
        )
        made = {"hinge": Revolute, "slide": Prismatic, "ball": Spherical}[kind]
        joint = self.m.add(made(first, second))
        if kind == "hinge":
            self.hinges.append((joint, a, b))
        return joint

    def gear(self, a: int, b: int, ratio: float) -> None:
        """Two wheels: a + ratio b = 0."""
        self.rows.append(Row("gear", a, b, np.zeros(3), np.array(Z), np.zeros(3), ratio))
        self.count += 1
        self.m.couple(GearPair((self.handles[a].angle, self.handles[b].angle), teeth=(1.0, ratio)))


def xyz(x: float, y: float, z: float) -> np.ndarray:
    """Three coordinates."""
    return np.array([x, y, z], dtype=float)


# -- parts in the plane -------------------------------------------------------------------------


def chain(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Bars in a row."""
    n, before, place = int(d.rng.integers(1, 4)), base, o
    for _ in range(n):
        link = d.body(place)
        axis = Z if d.plane else d.rng.normal(size=3)
        d.join("hinge", before, link, place, axis)
        before, place = link, place + np.append(d.rng.uniform(-1, 1, 2), 0.0)
    return Part(f"chain of {n}", n, n)


def four_bar(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Four hinges at random places."""
    p = [o, o + xyz(0.3, 1.0, 0), o + xyz(2.0, 1.5, 0), o + xyz(1.6, -0.2, 0)]
    p = [x + np.append(d.rng.uniform(-0.15, 0.15, 2), 0.0) for x in p]
    links = [d.body(p[0]), d.body(p[1]), d.body(p[3])]
    for a, b, k in (
        (base, links[0], 0),
        (links[0], links[1], 1),
        (links[1], links[2], 2),
        (links[2], base, 3),
    ):
        d.join("hinge", a, b, p[k])
    return Part("four-bar", 1, 1)


def parallelogram(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Cranks that stay parallel, more of them than are needed."""
    n = int(d.rng.integers(2, 5))
    up = np.array([0.4, 0.9, 0.0])
    coupler = d.body(o + up)
    for k in range(n):
        foot = o + xyz(
            1.0 * k + float(d.rng.uniform(-0.2, 0.2)), float(d.rng.uniform(-0.3, 0.3)), 0.0
        )
        crank = d.body(foot)
        d.join("hinge", base, crank, foot)
        d.join("hinge", crank, coupler, foot + up)
    return Part(f"parallelogram of {n} cranks", 1, 1)


def flat_parallelogram(d: Drawing, base: int, o: np.ndarray) -> Part:
    """A parallelogram laid flat: two motions meet."""
    crank, coupler, rocker = d.body(o), d.body(o + xyz(1, 0, 0)), d.body(o + xyz(2, 0, 0))
    for a, b, x in ((base, crank, 0), (crank, coupler, 1), (coupler, rocker, 3), (rocker, base, 2)):
        d.join("hinge", a, b, o + xyz(x, 0, 0))
    return Part("parallelogram laid flat", 1, 2)


def truss(d: Drawing, base: int, o: np.ndarray) -> Part:
    """A triangle of bars, perhaps with a third bar that fits."""
    top = o + xyz(0.5, 0.8, 0)
    feet = [o, o + xyz(1.2, 0, 0)]
    links = [d.body(foot) for foot in feet]
    d.join("hinge", base, links[0], feet[0])
    d.join("hinge", base, links[1], feet[1])
    d.join("hinge", links[0], links[1], top)
    if d.rng.random() < 0.5:
        d.join("rod", base, links[0], o + xyz(0.3, -0.4, 0), other=top)
    return Part("truss", 0, 0)


def pulled(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Two or three links pulled straight: they shake and do not move."""
    n = int(d.rng.integers(2, 4))
    before = base
    for k in range(n):
        link = d.body(o + xyz(k, 0, 0))
        d.join("hinge", before, link, o + xyz(k, 0, 0))
        before = link
    d.join("hinge", before, base, o + xyz(n, 0, 0))
    return Part(f"{n} links pulled straight", 0, n - 1)


def twice(d: Drawing, base: int, o: np.ndarray) -> Part:
    """A hinge or a slide said two or three times, a rod that says nothing new."""
    link = d.body(o)
    n = int(d.rng.integers(1, 4))
    if d.rng.random() < 0.5:
        for _ in range(n):
            d.join("hinge", base, link, o)
        if d.rng.random() < 0.5:
            d.join("rod", base, link, o + xyz(0.4, 0.3, 0), other=o) if n else None
        return Part(f"hinge {n} times", 1, 1)
    way = np.append(d.rng.normal(size=2), 0.0)
    for k in range(n):
        d.join("slide", base, link, o + xyz(0.0, 0.5 * k, 0.0), way)
    return Part(f"slide {n} times", 1, 1)


def crossed(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Two slides in two directions hold a body."""
    link = d.body(o)
    d.join("slide", base, link, o, (1.0, 0.0, 0.0))
    d.join("slide", base, link, o, (0.6, 0.8, 0.0))
    return Part("crossed slides", 0, 0)


def floating(d: Drawing, base: int, o: np.ndarray) -> Part:
    """A body that nothing holds."""
    d.body(o)
    n = 3 if d.plane else 6
    return Part("floating body", n, n)


def gears(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Wheels in a row, or in a ring that locks or not."""
    n, ring = int(d.rng.integers(2, 5)), bool(d.rng.random() < 0.5)
    wheels = [d.body(o + xyz(k, 0, 0)) for k in range(n)]
    for k, wheel in enumerate(wheels):
        d.join("hinge", base, wheel, o + xyz(k, 0, 0))
    for a, b in pairwise(wheels):
        d.gear(a, b, 1.0)
    if ring and base < 0:
        d.gear(wheels[-1], wheels[0], 1.0)
        locked = n % 2 == 1
        return Part(f"ring of {n} wheels", 0 if locked else 1, 0 if locked else 1)
    return Part(f"{n} wheels in a row", 1, 1)


# -- parts in space -----------------------------------------------------------------------------


def general_loop(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Four to seven hinges in general position."""
    n = int(d.rng.integers(4, 9))
    places = [o + d.rng.uniform(-1, 1, 3) for _ in range(n)]
    links = [base, *(d.body(places[k]) for k in range(1, n)), base]
    for k in range(n):
        d.join("hinge", links[k], links[k + 1], places[k], d.rng.normal(size=3))
    left = max(0, n - 6)
    return Part(f"loop of {n} hinges", left, left)


def spherical(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Hinges whose axes meet in a point."""
    n = int(d.rng.integers(3, 6))
    links = [base, *(d.body(o) for _ in range(n - 1)), base]
    for k in range(n):
        way = d.rng.normal(size=3)
        d.join("hinge", links[k], links[k + 1], o + float(d.rng.uniform(-0.5, 0.5)) * way, way)
    return Part(f"spherical loop of {n}", n - 3, n - 3)


def sarrus(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Two chains of three parallel hinges, in two planes."""
    top = d.body(o + xyz(0, 0, 1.2))
    for angle in (0.0, float(d.rng.uniform(0.5, 2.0))):
        turn = Turn.from_rotvec([0, 0, angle]).as_matrix()
        axis = turn @ [0, 1, 0]
        foot, knee, head = (o + turn @ x for x in ([0.5, 0, 0], [1.1, 0, 0.6], [0.5, 0, 1.2]))
        low, high = d.body(foot), d.body(knee)
        d.join("hinge", base, low, foot, axis)
        d.join("hinge", low, high, knee, axis)
        d.join("hinge", high, top, head, axis)
    return Part("Sarrus' linkage", 1, 1)


def bennett(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Four hinges with equal opposite lengths and twists, a / sin(alpha) = b / sin(beta)."""
    a, alpha, beta = 1.0, float(d.rng.uniform(0.5, 1.2)), float(d.rng.uniform(0.5, 1.2))
    if abs(alpha - beta) < 0.1:
        beta = alpha + 0.25
    b, first = a * math.sin(beta) / math.sin(alpha), float(d.rng.uniform(0.6, 2.4))
    half = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    second = 2.0 * math.atan(half / math.tan(first / 2))
    angles, lengths, twists = (
        (first, second, -first, -second),
        (a, b, a, b),
        (alpha, beta, alpha, beta),
    )
    best = None
    for sign in (1.0, -1.0):
        X, frames = np.eye(4), []
        for k in range(4):
            turn, twist = np.eye(4), np.eye(4)
            turn[:3, :3] = Turn.from_rotvec([0, 0, sign**k * angles[k]]).as_matrix()
            twist[:3, :3] = Turn.from_rotvec([twists[k], 0, 0]).as_matrix()
            twist[0, 3] = lengths[k]
            frames.append(X.copy())
            X = X @ turn @ twist
        if best is None or np.abs(X - np.eye(4)).max() < best[0]:
            best = (float(np.abs(X - np.eye(4)).max()), frames)
    assert best is not None
    off, frames = best
    if off > 1e-12:
        return Part(f"no Bennett, off by {off:g}", -1, -1)
    places, axes = [o + F[:3, 3] for F in frames], [F[:3, 2] for F in frames]
    links = [base, *(d.body(places[k]) for k in range(1, 4)), base]
    for k in range(4):
        d.join("hinge", links[k], links[k + 1], places[k], axes[k])
    return Part("Bennett's linkage", 1, 1)


def rssr(d: Drawing, base: int, o: np.ndarray) -> Part:
    """Two hinges and a link on two balls, which spins idly; or a rod in its place."""
    p = [o + d.rng.uniform(-1, 1, 3) for _ in range(4)]
    crank, rocker = d.body(p[0]), d.body(p[3])
    d.join("hinge", base, crank, p[0], d.rng.normal(size=3))
    d.join("hinge", base, rocker, p[3], d.rng.normal(size=3))
    if d.rng.random() < 0.5:
        d.join("rod", crank, rocker, p[1], other=p[2])
        return Part("RSSR with a rod", 1, 1)
    link = d.body(p[1])
    d.join("ball", crank, link, p[1])
    d.join("ball", link, rocker, p[2])
    return Part("RSSR", 2, 2)


PLANE = (
    chain,
    four_bar,
    parallelogram,
    flat_parallelogram,
    truss,
    pulled,
    twice,
    crossed,
    floating,
    gears,
)
SPACE = (
    chain,
    four_bar,
    parallelogram,
    general_loop,
    spherical,
    sarrus,
    bennett,
    rssr,
    floating,
    twice,
)


# -- the oracle ---------------------------------------------------------------------------------


class Counted(NamedTuple):
    """Freedoms at first order and of finite motion."""

    at_start: int
    finite: int
    null: np.ndarray


def residual(d: Drawing, q: np.ndarray) -> np.ndarray:
    """All rows at displacements q of the bodies: a shift and a turn each."""
    found = []

    def pose(k: int) -> tuple[np.ndarray, np.ndarray]:
        if k < 0:
            return np.zeros(3), np.eye(3)
        if d.plane:
            x, y, a = q[3 * k : 3 * k + 3]
            return np.array([x, y, 0.0]), Turn.from_rotvec([0, 0, a]).as_matrix()
        return q[6 * k : 6 * k + 3], Turn.from_rotvec(q[6 * k + 3 : 6 * k + 6]).as_matrix()

    def where(k: int, p: np.ndarray) -> np.ndarray:
        shift, turn = pose(k)
        home = d.places[k] if k >= 0 else np.zeros(3)
        return home + shift + turn @ (p - home)

    for row in d.rows:
        (_, A), (_, B) = pose(row.a), pose(row.b)
        if row.kind == "gear":
            found.append([q[3 * row.a + 2] + row.ratio * q[3 * row.b + 2]])
            continue
        gap = where(row.b, row.other) - where(row.a, row.place)
        if row.kind == "rod":
            found.append([(gap @ gap - np.sum((row.other - row.place) ** 2)) / 2])
            continue
        if row.kind != "slide":
            found.append(gap)
        if row.kind == "hinge" and not d.plane:
            found.append(np.cross(A @ row.axis, B @ row.axis))
        if row.kind == "slide":
            n = A @ row.axis
            found.append(gap - (gap @ n) * n)
            R = A.T @ B
            found.append([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return np.concatenate([np.asarray(f, dtype=float) for f in found]) if found else np.zeros(1)


def jacobian(d: Drawing, q: np.ndarray) -> np.ndarray:
    """By central differences."""
    h = 1e-5
    step = np.eye(len(q)) * h
    return np.column_stack([(residual(d, q + s) - residual(d, q - s)) / (2 * h) for s in step])


def free_of(J: np.ndarray, least: float) -> np.ndarray | None:
    """What is free at first order, as columns; None where the rank is not clear."""
    _, s, V = np.linalg.svd(J)
    s = np.concatenate([s, np.zeros(J.shape[1] - len(s))]) if len(s) < J.shape[1] else s
    if ((s > least) & (s < 300 * least)).any():
        return None
    return V[s <= least].T


def counted(d: Drawing) -> Counted | None:
    """Rank at the start, and what is left of steps along all that is free there."""
    n = (3 if d.plane else 6) * len(d.places)
    zero = np.zeros(n)
    if np.abs(residual(d, zero)).max() > 1e-12:
        return None
    null = free_of(jacobian(d, zero), 1e-7)
    if null is None:
        return None
    if not null.shape[1]:
        return Counted(0, 0, null)
    left = []
    for _ in range(6):
        q = 0.02 * null @ d.rng.normal(size=null.shape[1])
        for _ in range(60):
            r = residual(d, q)
            if np.abs(r).max() < 1e-13:
                break
            q = q - np.linalg.lstsq(jacobian(d, q), r, rcond=1e-9)[0]
        if np.abs(residual(d, q)).max() > 1e-9:
            continue
        if np.linalg.norm(q) < 1e-3:
            left.append(0)
            continue
        there = free_of(jacobian(d, q), 1e-6)
        if there is not None:
            left.append(there.shape[1])
    return Counted(null.shape[1], max(left), null) if left else None


# -- judging ------------------------------------------------------------------------------------


def attempt(rng: np.random.Generator) -> list[str]:
    """Some parts, each on the ground or on an arm."""
    plane = bool(rng.random() < 0.5)
    scale = float(rng.choice([1.0, 1e-3, 1e3]))
    d = Drawing(rng, plane, scale)
    parts, said = [], []
    for k in range(int(rng.integers(1, 4 if plane else 3))):
        o, base = np.array([4.0 * k, 0.0, 0.0]), -1
        if rng.random() < 0.3:
            base = d.body(o - [1.0, 0.5, 0.0])
            d.join("hinge", -1, base, o - [1.0, 0.5, 0.0])
            parts.append(Part("arm", 1, 1))
        made = (PLANE if plane else SPACE)[int(rng.integers(len(PLANE)))]
        parts.append(made(d, base, o))
    said = f"{[p.said for p in parts]}, {'plane' if plane else 'space'}, x {scale:g}"
    if any(p.mobility < 0 for p in parts):
        return []
    mobility, at_start = sum(p.mobility for p in parts), sum(p.at_start for p in parts)
    truth = counted(d)
    if truth is None or (truth.finite, truth.at_start) != (mobility, at_start):
        return []
    driven = drive(d, mobility) if rng.random() < 0.5 else []
    report = d.m.build().check()
    return [
        f"{w}: {said}, drives {[n for n, _ in driven]}" for w in judge(d, report, truth, driven)
    ]


def drive(d: Drawing, mobility: int) -> list[tuple[str, np.ndarray]]:
    """Some hinges are driven; the row of each for the oracle."""
    n = 3 if d.plane else 6
    size = n * len(d.places)
    found = []
    many = int(d.rng.integers(1, mobility + 2))
    for k in d.rng.permutation(len(d.hinges))[:many]:
        joint, a, b = d.hinges[int(k)]
        row = np.zeros(size)
        hinge = [r for r in d.rows if r.kind == "hinge"][int(k)]
        for body, sign in ((b, 1.0), (a, -1.0)):
            if body >= 0 and d.plane:
                row[n * body + 2] += sign
            elif body >= 0:
                row[n * body + 3 : n * body + 6] += sign * hinge.axis
        d.m.drive(joint.angle, speed=1.0)
        found.append((joint.angle.name, row))
    return found


def judge(
    d: Drawing, report: Any, truth: Counted, driven: list[tuple[str, np.ndarray]]
) -> list[str]:
    """Fields of the report against the oracle."""
    by_count = (3 if d.plane else 6) * len(d.places) - d.count
    left = truth.finite - len(driven)
    known = {
        "mobility": truth.finite,
        "mobility_at_start": truth.at_start,
        "mobility_by_count": by_count,
        "is_singular": truth.at_start != truth.finite,
        "freedom_left": left,
        "bodies": len(d.places),
    }
    if truth.at_start == truth.finite:
        known["redundant_rows"] = truth.finite - by_count
    wrong = [
        f"{k} is {getattr(report, k)}, not {v}" for k, v in known.items() if getattr(report, k) != v
    ]
    if f"DOF {truth.finite}" not in str(report):
        wrong.append(f"the sentence does not say DOF {truth.finite}: {report}")
    if truth.at_start == truth.finite:
        rows = np.array([row for _, row in driven])
        rank = (
            int(np.linalg.matrix_rank(rows @ truth.null, tol=1e-6))
            if len(driven) and truth.null.size
            else 0
        )
        ready = bool(driven) and rank == len(driven) == truth.finite
        idle = any("idle" in n or "spin" in n for n in report.notes) or bool(report.passive)
        if report.is_ready != ready and not idle:
            wrong.append(f"is_ready is {report.is_ready}, not {ready}")
        as_many = len(driven) == truth.finite - len(report.passive)
        if as_many and (rank < len(driven)) != bool(report.idle_drives):
            wrong.append(f"idle_drives is {report.idle_drives}, the drives have rank {rank}")
    elif report.is_ready:
        wrong.append("is_ready in a singular start")
    return wrong
