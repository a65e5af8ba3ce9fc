"""Facets: a closed surface as flat convex faces, for whoever draws a solid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry.number import Floats
from kempe.geometry.pose import Pose
from kempe.geometry.solids.polygons import bridged, convex_pieces, hull

ROUND = 24  # faces round a full turn
LEVEL = 1.0 - 1e-9  # cosine of the angle between faces in one plane
AXIS = 1e-12  # of the largest radius: a profile nearer to its axis touches it


@final
@dataclass(frozen=True, slots=True, eq=False)
class Facets:
    """Corners and the flat convex faces between them, each counter-clockwise from outside."""

    points: Floats  # (n, 3), m
    faces: tuple[tuple[int, ...], ...]

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The faces as triangles (t, 3) of corners: a fan from the first corner of each."""
        fans = [(f[0], a, b) for f in self.faces for a, b in pairwise(f[1:])]
        return np.array(fans, dtype=np.int64).reshape(-1, 3)

    @property
    def normals(self) -> Floats:
        """Unit vectors (f, 3) out of the faces; zero for a face without area.

        n = sum of p_k x p_k+1 round the face (Newell)
        """
        found = np.zeros((len(self.faces), 3))
        alike: dict[int, list[int]] = {}
        for f, face in enumerate(self.faces):
            alike.setdefault(len(face), []).append(f)
        for chosen in alike.values():
            p = self.points[np.array([self.faces[f] for f in chosen], dtype=np.int64)]
            p = p - p[:, :1]
            found[chosen] = np.cross(p, np.roll(p, -1, axis=1)).sum(axis=1)
        sizes = np.linalg.norm(found, axis=1)[:, None]
        return np.asarray(np.divide(found, sizes, out=np.zeros_like(found), where=sizes > 0.0))

    @property
    def edges(self) -> tuple[tuple[int, int, int, int], ...]:
        """Its edges as two corners and the two faces that meet there; face -1 where there is none.

        Edges between faces in one plane are left out.
        """
        meeting: dict[tuple[int, int], list[int]] = {}
        for f, face in enumerate(self.faces):
            for a, b in zip(face, (*face[1:], face[0]), strict=True):
                meeting.setdefault((min(a, b), max(a, b)), []).append(f)
        normals = self.normals
        return tuple(
            (a, b, mine[0], mine[1] if len(mine) > 1 else -1)
            for (a, b), mine in meeting.items()
            if len(mine) != 2 or float(normals[mine[0]] @ normals[mine[1]]) < LEVEL
        )

    @property
    def volume(self) -> float:
        """The volume inside (m^3): the sum of the tetrahedra of the origin and each triangle."""
        a, b, c = self.points[self.triangles].transpose(1, 0, 2)
        return float(np.einsum("ti,ti->", a, np.cross(b, c))) / 6.0

    def seen_from(self, at: Pose) -> "Facets":
        """The facets in another frame, in which their own lies at `at`."""
        R = np.array(at.rotation.matrix(), dtype=float)
        p = np.array([float(c) for c in at.position])
        return Facets(self.points @ R.T + p, self.faces)

    def moved(self, R: Floats, p: Floats) -> "Facets":
        """The facets turned by the matrix R (3, 3), then shifted by p (3,) m."""
        return Facets(self.points @ R.T + p, self.faces)


def joined(parts: Sequence[Facets]) -> Facets:
    """Several surfaces as one."""
    faces: list[tuple[int, ...]] = []
    start = 0
    for part in parts:
        faces += [tuple(start + k for k in face) for face in part.faces]
        start += len(part.points)
    points = np.concatenate([part.points for part in parts]) if parts else np.empty((0, 3))
    return Facets(points, tuple(faces))


def prism(outline: Floats, low: float, high: float, holes: Sequence[Floats] = ()) -> Facets:
    """An `outline` (n, 2) without its `holes`, from z = `low` to z = `high` (m).

    The outline may go in and turn either way; holes lie inside it and apart.
    """
    rings = [_turning(outline, 1.0), *(_turning(hole, -1.0) for hole in holes)]
    flat = np.concatenate(rings)
    n = len(flat)
    points = np.vstack([np.column_stack([flat, np.full(n, z)]) for z in (low, high)])
    faces: list[tuple[int, ...]] = []
    start = 0
    for ring in rings:
        for k in range(len(ring)):
            a, b = start + k, start + (k + 1) % len(ring)
            faces.append((a, b, n + b, n + a))
        start += len(ring)
    number = {(x, y): k for k, (x, y) in reversed(list(enumerate(flat.tolist())))}
    whole = cut_out(rings[0], rings[1:]) if holes else rings[0]
    for piece in convex_pieces(whole):
        around = tuple(number[x, y] for x, y in piece.tolist())
        faces += [around[::-1], tuple(n + k for k in around)]
    return Facets(points, tuple(faces))


def cut_out(outline: Floats, holes: Sequence[Floats]) -> Floats:
    """One ring (m, 2) round an outline and its holes, whichever way they go; see `bridged`."""
    return bridged(_turning(outline, 1.0), [_turning(hole, -1.0) for hole in holes])


def _turning(ring: Floats, way: float) -> Floats:
    """A ring of corners (n, 2) that goes round counter-clockwise (way 1) or clockwise (-1)."""
    x, y = np.asarray(ring, dtype=float).T
    area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return np.asarray(ring if area * way > 0.0 else ring[::-1], dtype=float)


def lathe(profile: Floats, count: int = ROUND) -> Facets:
    """A closed `profile` (n, 2) of radius and height (m), turned about z in `count` steps.

    Corners on the axis become one point each; edges along it make no face.
    """
    ring = _turning(profile, 1.0)
    small = AXIS * float(np.abs(ring[:, 0]).max())
    angles = math.tau * np.arange(count) / count
    points: list[list[float]] = []
    rows: list[list[int]] = []
    for r, z in ring.tolist():
        on_axis = r <= small
        rows.append([len(points) + (0 if on_axis else k) for k in range(count)])
        around = angles[:1] if on_axis else angles
        points += [[r * math.cos(a), r * math.sin(a), z] for a in around]
    faces = []
    for mine, nexts in zip(rows, [*rows[1:], rows[0]], strict=True):
        for k in range(count):
            j = (k + 1) % count
            corners = tuple(dict.fromkeys((mine[k], mine[j], nexts[j], nexts[k])))
            faces += [corners] if len(corners) > 2 else []
    return Facets(np.array(points), tuple(faces))


def drum(radius: float, low: float, high: float, count: int = ROUND) -> Facets:
    """A cylinder about z from `low` to `high` (m)."""
    angles = math.tau * np.arange(count) / count
    return prism(radius * np.column_stack([np.cos(angles), np.sin(angles)]), low, high)


def ball(radius: float, count: int = ROUND) -> Facets:
    """A sphere about the origin (m), of half as many rings as faces go round it."""
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, count // 2 + 1)
    half = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    half[[0, -1], 0] = 0.0
    return lathe(half, count)


def box(half: Sequence[float]) -> Facets:
    """A box about the origin with these half sides along x, y, z (m)."""
    a, b, c = half
    return prism(np.array([[a, b], [-a, b], [-a, -b], [a, -b]]), -c, c)


def hull_facets(points: Floats) -> Facets | None:
    """The triangles of the convex hull of points (n, 3); None where they lie in one plane."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    faces = []
    for face, equation in zip(found.simplices.tolist(), found.equations, strict=True):
        a, b, c = points[face]
        turned = float(np.cross(b - a, c - a) @ equation[:3]) < 0.0
        faces.append(tuple(face[::-1] if turned else face))
    return Facets(np.asarray(points, dtype=float), tuple(faces))


def capsule_outline(start: Floats, end: Floats, radius: float, count: int = ROUND) -> Floats:
    """The outline (m, 2) of a bar with round ends, from `start` to `end` (2,), m."""
    angles = math.tau * np.arange(count) / count
    rim = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return hull(np.concatenate([start + rim, end + rim]))


def frame_along(way: Floats) -> Floats:
    """A rotation matrix (3, 3) whose z axis points along `way` (3,)."""
    z = np.asarray(way, dtype=float) / np.linalg.norm(way)
    other = np.array([1.0, 0.0, 0.0]) if abs(z[2]) > 0.9 else np.array([0.0, 0.0, 1.0])
    y = np.cross(z, other)
    y = y / np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])
