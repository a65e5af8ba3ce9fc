"""Promise: `assemblies` in space lists every assembly, however bodies hang on each other.

Trees of bodies on hinges, slides, sleeves, crosses, balls and planes, closed by rods, points on
planes and kept angles between any two of them, some joints held; markers anywhere, or on a grid and
along its axes, so that joints coincide and axes are parallel or meet.

Oracle: joint coordinates by hand in NumPy, damped Newton's method from many starts; rows by hand.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import kempe as kp
from kempe.errors import KempeError
from kempe.geometry import Marker
from kempe.joints import (
    Angle,
    Cylindrical,
    Planar,
    PointInPlane,
    Prismatic,
    Revolute,
    Rod,
    Spherical,
    Universal,
)

Array = NDArray[np.float64]

CASES = 8
REMEMBERED = (85, 172)
STARTS = 300
STEPS = 60
SOLVED = 1e-11
NEAR = 1e-5
REGULAR = 1e-4  # the least singular value of a position that Newton's method can find and judge
FREEDOMS = {"hinge": 1, "slide": 1, "sleeve": 2, "cross": 2, "ball": 3, "foot": 3}
JOINTS = {
    "hinge": Revolute,
    "slide": Prismatic,
    "sleeve": Cylindrical,
    "cross": Universal,
    "ball": Spherical,
    "foot": Planar,
}
SHOWN = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])  # points that tell a pose


@dataclass(frozen=True)
class Frame:
    """A marker: body (0 is the ground), place, axes."""

    body: int
    at: Array
    R: Array

    @property
    def marker(self) -> Marker:
        """As kempe has it."""
        name = f"b{self.body}" if self.body else "ground"
        return Marker(name, tuple(map(float, self.at)), kp.Rotation.from_matrix(self.R))


@dataclass(frozen=True)
class Link:
    """A joint of the tree, from a parent to body k + 1; `held` is its only coordinate."""

    kind: str
    I: Frame
    J: Frame
    held: float | None


@dataclass(frozen=True)
class Closing:
    """A row between two markers."""

    kind: str  # rod, plane, angle
    I: Frame
    J: Frame
    value: float


@dataclass(frozen=True)
class Tree:
    """Bodies and rows."""

    links: tuple[Link, ...]
    closings: tuple[Closing, ...]

    @property
    def kinds(self) -> list[str]:
        """Of every unknown: whether it turns or slides."""
        turns = {"hinge": "t", "slide": "s", "sleeve": "ts", "cross": "tt", "ball": "ttt"}
        found = [turns.get(k.kind, "sst") for k in self.links if k.held is None]
        return [x for word in found for x in word]

    def poses(self, x: Array) -> list[tuple[Array, Array]]:
        """R (n, 3, 3) and p (n, 3) of the ground and every body at n sets of unknowns."""
        n, at = len(x), 0
        found = [(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)))]
        for link in self.links:
            count = FREEDOMS[link.kind] if link.held is None else 0
            mine = [x[:, at + k] for k in range(count)]
            if link.held is not None:
                mine = [np.full(n, link.held)]
            at += count
            R, p = _joint(link.kind, mine, n)
            R_I, p_I = _placed(found[link.I.body], link.I)
            R_J = R_I @ R
            R_B = R_J @ link.J.R.T
            origin = p_I + np.einsum("nij,nj->ni", R_I, p) - R_B @ link.J.at
            found.append((R_B, origin))
        return found

    def rows(self, x: Array) -> Array:
        """(n, rows)."""
        poses, found = self.poses(x), []
        for row in self.closings:
            (R_I, p_I), (R_J, p_J) = (
                _placed(poses[row.I.body], row.I),
                _placed(poses[row.J.body], row.J),
            )
            found.append(_row(row, R_I, p_I, R_J, p_J))
        return np.stack(found, axis=1)

    def slopes(self, x: Array) -> Array:
        """(n, rows, unknowns) by central differences."""
        h, columns = 1e-6, []
        for k in range(x.shape[1]):
            step = np.zeros(x.shape[1])
            step[k] = h
            columns.append((self.rows(x + step) - self.rows(x - step)) / (2 * h))
        return np.stack(columns, axis=2)

    def roots(self, rng: np.random.Generator) -> Array:
        """Poses' points (k, bodies * 9) of regular positions that Newton's method finds."""
        kinds = self.kinds
        x = rng.uniform(-math.pi, math.pi, (STARTS, len(kinds)))
        x[:, [k == "s" for k in kinds]] *= 1.5
        for _ in range(STEPS):
            f, J = self.rows(x), self.slopes(x)
            Jt = J.transpose(0, 2, 1)
            damp = 1e-3 * np.minimum(1.0, np.abs(f).max(1))[:, None, None] ** 2 + 1e-14
            step = np.linalg.solve(Jt @ J + damp * np.eye(len(kinds)), Jt @ f[..., None])[..., 0]
            step *= np.minimum(1.0, 0.7 / np.maximum(np.abs(step).max(1), 1e-300))[:, None]
            x = x - step
        x = x[(np.abs(self.rows(x)).max(1) < SOLVED) & (np.abs(x).max(1) < 1e3)]
        if not len(x):
            return np.zeros((0, 9 * len(self.links)))
        least = np.linalg.svd(self.slopes(x), compute_uv=False)[:, -1]
        return _distinct(self.points(x[least > REGULAR]))

    def points(self, x: Array) -> Array:
        """(n, bodies * 9) what is compared."""
        if not len(x):
            return np.zeros((0, 9 * len(self.links)))
        found = [
            (p[:, None, :] + np.einsum("nij,kj->nki", R, SHOWN)).reshape(len(x), 9)
            for R, p in self.poses(x)[1:]
        ]
        return np.concatenate(found, axis=1)


def _joint(kind: str, x: list[Array], n: int) -> tuple[Array, Array]:
    """R_IJ and p_IJ."""
    R, p = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
    if kind in ("hinge", "sleeve"):
        R = _turn(2, x[0])
    if kind in ("slide", "sleeve"):
        p[:, 2] = x[-1]
    if kind == "cross":
        R = _turn(2, x[0]) @ _turn(0, np.full(n, math.pi / 2)) @ _turn(2, x[1])
    if kind == "ball":
        R = _turn(2, x[0]) @ _turn(1, x[1]) @ _turn(2, x[2])
    if kind == "foot":
        p[:, 0], p[:, 1], R = x[0], x[1], _turn(2, x[2])
    return R, p


def _turn(axis: int, a: Array) -> Array:
    R = np.zeros((len(a), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[:, axis, axis] = 1.0
    R[:, i, i], R[:, j, j], R[:, i, j], R[:, j, i] = np.cos(a), np.cos(a), -np.sin(a), np.sin(a)
    return R


def _placed(pose: tuple[Array, Array], frame: Frame) -> tuple[Array, Array]:
    R, p = pose
    return R @ frame.R, p + R @ frame.at


def _row(row: Closing, R_I: Array, p_I: Array, R_J: Array, p_J: Array) -> Array:
    d = p_J - p_I
    if row.kind == "rod":
        return (np.sum(d * d, axis=1) - row.value**2) / (2 * row.value)
    if row.kind == "plane":
        return np.sum(d * R_I[:, :, 2], axis=1) - row.value
    return np.sum(R_I[:, :, 2] * R_J[:, :, 2], axis=1) - math.cos(row.value)


def _distinct(points: Array) -> Array:
    kept: list[Array] = []
    for x in points:
        if not any(np.abs(x - y).max() < 1e-6 for y in kept):
            kept.append(x)
    return np.array(kept).reshape(len(kept), points.shape[1])


def random_frame(rng: np.random.Generator, body: int, grid: bool) -> Frame:
    """Anywhere, or on a grid."""
    if grid:
        group = Rotation.create_group("O").as_matrix()
        turn = np.round(group[int(rng.integers(len(group)))])
        return Frame(body, rng.integers(-1, 2, 3).astype(float), turn)
    turn = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
    return Frame(body, rng.uniform(-1, 1, 3), turn)


def random_tree(rng: np.random.Generator) -> Tree | None:
    """A tree that closes somewhere; None where its rows cannot hold it there."""
    grid, wanted = bool(rng.random() < 0.5), int(rng.integers(1, 5))
    links: list[Link] = []
    free = 0
    while free < wanted:
        kinds = [k for k, count in FREEDOMS.items() if count <= wanted - free]
        kind = str(rng.choice(kinds))
        parent = int(rng.integers(0, len(links) + 1)) if rng.random() < 0.5 else len(links)
        I = random_frame(rng, parent, grid)
        J = random_frame(rng, len(links) + 1, grid)
        held = None
        if kind in ("hinge", "slide") and rng.random() < 0.2 and len(links) < 3:
            held = float(rng.choice([0.0, math.pi / 2, rng.uniform(-2, 2)]))
        free += 0 if held is not None else FREEDOMS[kind]
        links.append(Link(kind, I, J, held))
    bare = Tree(tuple(links), ())
    x = rng.uniform(-2, 2, (1, free))
    if grid and rng.random() < 0.3:
        x = np.round(x) * math.pi / 2
    poses = bare.poses(x)
    closings = []
    for _ in range(free):
        i, j = (int(k) for k in rng.choice(len(links) + 1, 2, replace=False))
        I, J = random_frame(rng, i, grid), random_frame(rng, j, grid)
        (R_I, p_I), (R_J, p_J) = _placed(poses[i], I), _placed(poses[j], J)
        d = (p_J - p_I)[0]
        kind = str(rng.choice(["rod", "rod", "rod", "plane", "angle"]))
        value = {
            "rod": float(np.linalg.norm(d)),
            "plane": float(d @ R_I[0, :, 2]),
            "angle": float(np.arccos(np.clip(R_I[0, :, 2] @ R_J[0, :, 2], -1, 1))),
        }[kind]
        if (kind == "rod" and value < 0.05) or (kind == "angle" and not 0.1 < value < 3.0):
            return None
        closings.append(Closing(kind, I, J, value))
    tree = Tree(tuple(links), tuple(closings))
    spread = rng.uniform(-2, 2, (5, free))
    if np.linalg.svd(tree.slopes(spread), compute_uv=False)[:, -1].min() < 1e-3:
        return None
    return tree


def attempt(rng: np.random.Generator) -> list[str]:
    """One tree."""
    tree = random_tree(rng)
    if tree is None:
        return []
    mechanism, held = built(tree)
    try:
        found = mechanism.assemblies(held, effort=kp.Effort(seconds=10.0))
    except KempeError as error:
        return [] if refused(error, tree) else [f"{type(error).__name__}: {error}; {tree}"]
    said = f"{found.outcome} ({found.form}; {found.message}); {tree}"
    listed = np.array(
        [
            np.concatenate([_points(state.poses[f"b{k + 1}"]) for k in range(len(tree.links))])
            for state in found
        ]
    ).reshape(-1, 9 * len(tree.links))
    faults = []
    roots = tree.roots(rng)
    outcome = str(found.outcome)
    if outcome != "certified_partial":
        for x in roots:
            if not len(listed) or np.abs(listed - x).max(axis=1).min() > NEAR:
                faults.append(f"not listed of {len(roots)}, with {len(listed)} listed: {x}")
                break
    for k, x in enumerate(listed):
        if k and np.abs(listed[:k] - x).max(axis=1).min() < 1e-9:
            faults.append(f"listed twice: {x}")
        off = gap(tree, x)
        if off > 1e-8:
            faults.append(f"rows of number {k} are off by {off:.1e}")
    return [f"{fault}; {said}" for fault in faults]


def refused(error: KempeError, tree: Tree) -> bool:
    """Whether it may be: what slides without bounds."""
    return "s" in tree.kinds and "limit" in str(error)


def gap(tree: Tree, x: Array) -> float:
    """The largest row, of joints too, where bodies' points are these."""
    poses = [(np.eye(3)[None], np.zeros((1, 3)))]
    for k in range(len(tree.links)):
        a, b, c = x[9 * k : 9 * k + 9].reshape(3, 3)
        R = np.stack([b - a, c - a, np.cross(b - a, c - a)], axis=1)
        poses.append((R[None], a[None]))
    worst = 0.0
    for row in tree.closings:
        I, J = _placed(poses[row.I.body], row.I), _placed(poses[row.J.body], row.J)
        worst = max(worst, abs(float(_row(row, *I, *J)[0])))
    for k, link in enumerate(tree.links):
        (R_I, p_I), (R_J, p_J) = _placed(poses[link.I.body], link.I), _placed(poses[k + 1], link.J)
        d, R = R_I[0].T @ (p_J - p_I)[0], R_I[0].T @ R_J[0]
        off = {
            "hinge": [*d, R[2, 2] - 1],
            "slide": [d[0], d[1], np.trace(R) - 3],
            "sleeve": [d[0], d[1], R[2, 2] - 1],
            "cross": [*d, R[2, 2]],
            "ball": [*d],
            "foot": [d[2], R[2, 2] - 1],
        }[link.kind]
        if link.held is not None:
            turned = [R[0, 0] - math.cos(link.held), R[1, 0] - math.sin(link.held)]
            off += [d[2] - link.held] if link.kind == "slide" else turned
        worst = max(worst, float(np.max(np.abs(off))))
    return worst


def _points(pose: kp.Pose) -> Array:
    R, p = np.array(pose.rotation.matrix()), np.array([*pose.position], dtype=float)
    return (p + SHOWN @ R.T).ravel()


def built(tree: Tree) -> tuple[kp.Mechanism, dict[str, float]]:
    """The mechanism, and what is held."""
    m, held = kp.Builder("tree"), {}
    for k in range(len(tree.links)):
        m.body(f"b{k + 1}", points={"O": (0, 0, 0)})
    for k, link in enumerate(tree.links):
        m.add(JOINTS[link.kind](link.I.marker, link.J.marker), f"j{k}")
        if link.held is not None:
            held[f"j{k}.{'angle' if link.kind == 'hinge' else 'displacement'}"] = link.held
    for k, row in enumerate(tree.closings):
        I, J = row.I.marker, row.J.marker
        if row.kind == "rod":
            m.add(Rod(I, J, length=row.value), f"c{k}")
        elif row.kind == "plane":
            m.add(PointInPlane(I, J, offset=row.value), f"c{k}")
        else:
            m.add(Angle(I, J, angle=row.value), f"c{k}")
    return m.build(), held
