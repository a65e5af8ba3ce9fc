"""Promise: `interference` tells which shapes touch along a motion, when, how deep, and how near.

An arm on a driven hinge and a slider that swings, with boxes, discs, balls and convex plates on
them and on the ground, placed and turned at random, in a plane machine of any size. Least gaps,
depths, and the times of every touch are compared, for few samples and for many, with and without a
margin; some mechanisms go through a file.

Oracle: at 1201 instants every pair is measured in NumPy, corners against edges where they are
apart, normals of edges where they are not; between two instants nothing moves further than speed
times time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

import kempe as kp
from kempe.drives import TextFormula
from kempe.geometry.solids import AbstractSolid, Cuboid, Cylinder, Plate, Sphere
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 4
INSTANTS = 1200
SURE = 1e-5  # of the machine: touches less deep than that need not be told
THICK = 0.1


class Outline(NamedTuple):
    """A convex polygon (n, 2), counterclockwise, or a point, rounded by a radius."""

    corners: Array
    radius: float

    def placed(self, x: Array, angle: float) -> "Outline":
        """Turned about its origin, then moved."""
        c, s = np.cos(angle), np.sin(angle)
        return Outline(self.corners @ np.array([[c, s], [-s, c]]) + x, self.radius)


class Shape(NamedTuple):
    """An outline on a body, in the body's frame."""

    body: str
    outline: Outline


def attempt(rng: np.random.Generator) -> list[str]:
    """One arm, one slider, some obstacles."""
    size = float(10.0 ** (rng.uniform(-3, 3) * int(rng.integers(0, 2))))
    l, w, a, u = (float(x) for x in rng.uniform((0.5, 0.5, 0.5, 1), (1.2, 3, 1.5, 6)))
    m = kp.Builder("arm", plane=True)
    arm = m.bar("arm", l * size, at=(0, 0), angle=0.0)
    car = m.body("car", at=(0, 0.8 * size), angle=0.0)
    hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    rail = m.prismatic(m.ground.at(0, 0.8 * size), car.at(0, 0), name="rail")
    m.drive(hinge.angle, TextFormula("w * t", ("w",), (w,)))
    m.drive(rail.displacement, TextFormula("a * sin(u * t)", ("a", "u"), (a * size, u)))
    shapes: dict[str, Shape] = {}
    parts = {"arm": arm, "car": car, "ground": m.ground}
    near = (("arm", l, 0.0), ("arm", 0.6 * l, 0.1), ("car", 0.0, 0.1))
    for body, x, y in (*near, ("ground", 0.3, 0.5), ("ground", -0.9, -0.2)):
        if rng.random() < 0.8:
            solid, outline = any_solid(rng, size)
            at, angle = np.array([x, y]) + rng.uniform(-0.1, 0.1, 2), float(rng.uniform(-3, 3))
            name = f"s{len(shapes)}"
            place = (float(at[0]) * size, float(at[1]) * size)
            m.shape(parts[body], solid, at=place, angle=angle, name=name)
            shapes[f"{body}.{name}"] = Shape(body, outline.placed(at, angle))
    if len({shape.body for shape in shapes.values()}) < 2:
        return []
    until, steps = float(rng.uniform(1, 4)), int(rng.choice([40, 100, 400]))
    margin = float(rng.uniform(0, 0.1)) if rng.random() < 0.3 else 0.0
    run = perhaps_reread(rng, m.build()).kinematics(until=until, steps=steps)
    found = run.interference(joined=True, margin=margin * size)

    def pose(body: str, t: float) -> tuple[Array, float]:
        if body == "arm":
            return np.zeros(2), w * t
        return np.array([a * np.sin(u * t), 0.8] if body == "car" else [0.0, 0.0]), 0.0

    speed = w * (l + 0.6) + a * u
    off = 10 * found.uncertainty / size + 1e-7  # what the cubics between samples may be off
    times = np.linspace(0, until, INSTANTS + 1)
    faults = []
    names = sorted(shapes)
    for i, first in enumerate(names):
        for second in names[:i]:
            one, two = shapes[first], shapes[second]
            if one.body == two.body:
                continue
            gaps = np.array(
                [
                    gap(
                        one.outline.placed(*pose(one.body, t)),
                        two.outline.placed(*pose(two.body, t)),
                    )
                    for t in times
                ]
            )
            pair = found[first, second]
            touches = [(q.start, q.end, q.depth / size) for q in pair.touches]
            faults += [
                f"{first} - {second}: {fault}"
                for fault in judged(times, gaps, margin, pair.gap / size, touches, speed, off)
            ]
    said = f"{size=} {l=} {w=} {a=} {u=} {until=} {steps=} {margin=} {shapes}"
    return [f"{fault}; {said}" for fault in faults]


def judged(
    times: Array,
    gaps: Array,
    margin: float,
    least: float,
    touches: list[tuple[float, float, float]],
    speed: float,
    off: float,
) -> list[str]:
    """What of the least gap and of the touches is not so."""
    faults = []
    between = speed * float(times[1]) / 2  # how much a gap may change between two instants
    most = float(gaps.min())
    larger = most + max(1e-4 * abs(most), SURE)  # as the theory has it: narrowed down to that
    if not most - between - off <= least <= larger + off:
        faults.append(f"the least gap is {most}, not {least}")
    inside = np.zeros(len(times), bool)
    for start, end, depth in touches:
        during = (times >= start) & (times <= end)
        inside |= (times >= start - 1e-9) & (times <= end + 1e-9)
        if during.any() and not margin:
            deep = -float(gaps[during].min())
            if not deep - off - SURE <= depth <= deep + between + off:
                faults.append(f"it is {deep} deep between {start} and {end} s, not {depth}")
    missed = (gaps < margin - off - SURE) & ~inside
    if missed.any():
        faults.append(f"at {times[missed][0]} s they are {gaps[missed][0]} apart: not told")
    apart = (gaps > margin + off + SURE) & inside
    if apart.any():
        faults.append(f"at {times[apart][0]} s they are {gaps[apart][0]} apart: told as touching")
    return faults


def any_solid(rng: np.random.Generator, size: float) -> tuple[AbstractSolid, Outline]:
    """A solid, and what it covers in units of the machine."""
    kind, r = int(rng.integers(0, 4)), float(rng.uniform(0.02, 0.2))
    if kind == 0:
        return Cylinder(r * size, THICK * size), Outline(np.zeros((1, 2)), r)
    if kind == 1:
        return Sphere(r * size), Outline(np.zeros((1, 2)), r)
    if kind == 2:
        a, b = (float(x) for x in rng.uniform(0.05, 0.5, 2))
        corners = np.array([[-a, -b], [a, -b], [a, b], [-a, b]]) / 2
        return Cuboid((a * size, b * size, THICK * size)), Outline(corners, 0.0)
    points = rng.uniform(-0.3, 0.3, (int(rng.integers(4, 9)), 2))
    corners = points[ConvexHull(points).vertices]
    plate = tuple((float(x), float(y)) for x, y in corners * size)
    return Plate(plate, THICK * size), Outline(corners, 0.0)


def gap(one: Outline, two: Outline) -> float:
    """The distance of two convex outlines; below zero, minus the way that parts them."""
    return _core(one.corners, two.corners) - one.radius - two.radius


def _core(A: Array, B: Array) -> float:
    if len(A) == 1 and len(B) == 1:
        return float(np.linalg.norm(A[0] - B[0]))
    parted = max(
        float(np.max(np.min((Q @ _normals(P).T) - np.sum(P * _normals(P), axis=1), axis=0)))
        for P, Q in ((A, B), (B, A))
        if len(P) > 1
    )
    if parted <= 0.0:
        return parted
    return min(_from_edges(A, B), _from_edges(B, A))


def _normals(P: Array) -> Array:
    edges = np.roll(P, -1, axis=0) - P
    outward = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    return np.asarray(outward / np.linalg.norm(outward, axis=1)[:, None])


def _from_edges(points: Array, P: Array) -> float:
    """The least distance of the points from the edges of P, or from P where it is a point."""
    edges = np.roll(P, -1, axis=0) - P
    squares = np.maximum(np.sum(edges**2, axis=1), 1e-300)
    shares = np.clip(np.sum((points[:, None] - P) * edges, axis=2) / squares, 0, 1)
    feet = P + shares[..., None] * edges
    return float(np.min(np.linalg.norm(points[:, None] - feet, axis=2)))
