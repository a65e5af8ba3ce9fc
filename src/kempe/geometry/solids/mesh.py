"""A solid given by the triangles of its surface."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from kempe.disk import content_of
from kempe.errors import BadNumber, FileError
from kempe.geometry.number import Floats, finite
from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.facets import Facets
from kempe.geometry.solids.mesh_file import LARGEST_MESH, MOST_TRIANGLES, triangles_in
from kempe.units import Metres, in_si

CONVEX = 1e-9  # of the extent: a corner so little above a face lies in it
MOST_COMPARED = (
    20_000_000  # corners times faces: beyond it a mesh is not asked whether it is convex
)


@final
@dataclass(frozen=True, slots=True)
class Mesh(AbstractSolid):
    """A solid by the triangles of its surface, each counter-clockwise as seen from outside.

    V = sum a . (b x c) / 6,  and centroid and tensor likewise, over tetrahedra with the origin

    Source: the divergence theorem; [Tonon2004] for the second moments of a tetrahedron.
    """

    vertices: tuple[tuple[Metres, Metres, Metres], ...]
    triangles: tuple[tuple[int, int, int], ...]  # numbers of vertices, from 0

    def __post_init__(self) -> None:
        points = tuple(
            tuple(c if type(c) is float else finite(c, "a corner of a mesh", "m") for c in point)
            for point in self.vertices
        )
        if len(points) < 3 or any(len(point) != 3 for point in points):
            raise BadNumber("a mesh has three corners (x, y, z) or more.")
        if not np.isfinite(np.array(points)).all():
            raise BadNumber("a corner of a mesh is not finite.")
        faces = tuple(tuple(int(k) for k in face) for face in self.triangles)
        if not faces or any(len(face) != 3 for face in faces):
            raise BadNumber("a mesh has one triangle or more, of three corners each.")
        if len(faces) > MOST_TRIANGLES:
            raise BadNumber(
                f"a mesh has at most {MOST_TRIANGLES} triangles, this one has {len(faces)}: make a"
                " coarser one."
            )
        numbers = np.array(faces)
        if numbers.min() < 0 or numbers.max() >= len(points):
            wrong = int(numbers.max() if numbers.max() >= len(points) else numbers.min())
            raise BadNumber(
                f"a triangle of a mesh names corner {wrong}: there are 0 to {len(points) - 1}."
            )
        object.__setattr__(self, "vertices", points)
        object.__setattr__(self, "triangles", faces)

    @classmethod
    def read(cls, path: str | Path, *, unit: str = "m") -> "Mesh":
        """The mesh in the file `path` (.stl, .obj, .glb, .gltf, .ply, .off), its numbers in `unit`.

        Of a scene in a glTF file all surfaces are taken, where their nodes put them; that, PLY and
        OFF need trimesh, of the extra `mesh`. Equal corners become one;
        faces with more corners are cut into triangles.
        """
        target = Path(path)
        scale = in_si(1.0, "m", unit)
        points, faces = triangles_in(content_of(target, LARGEST_MESH), target.name)
        try:
            return cls(
                tuple((x, y, z) for x, y, z in (scale * points).tolist()),
                tuple((i, j, k) for i, j, k in faces.tolist()),
            )
        except BadNumber as mistake:
            raise FileError(mistake.message, path=str(path)) from None

    @property
    def corners(self) -> Floats:
        """The corners (t, 3, 3) of its triangles (m)."""
        return np.asarray(np.array(self.vertices)[np.array(self.triangles)])

    @property
    def is_closed(self) -> bool:
        """Whether it has an inside: every edge is run along once each way."""
        faces = np.array(self.triangles)
        edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        there = {tuple(edge) for edge in edges.tolist()}
        return len(there) == len(edges) and all((b, a) in there for a, b in there)

    @property
    def is_convex(self) -> bool:
        """Whether no corner lies outside of any face, as far as so many can be compared."""
        c, points = self.corners, np.array(self.vertices)
        if len(c) * len(points) > MOST_COMPARED or not self.is_closed:
            return False
        normals = np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0])
        sizes = np.linalg.norm(normals, axis=1)
        is_face = sizes > 0.0
        normals = normals[is_face] / sizes[is_face, None]
        above = normals @ points.T - np.einsum("ti,ti->t", normals, c[is_face, 0])[:, None]
        return bool(above.max() <= CONVEX * float(np.ptp(points, axis=0).max()))

    @property
    def _sixfold(self) -> Floats:
        """Six times the signed volumes (t,) of the tetrahedra of the origin and each triangle."""
        a, b, c = self.corners.transpose(1, 0, 2)
        return np.asarray(np.einsum("ti,ti->t", a, np.cross(b, c)))

    @property
    def volume(self) -> float:
        volume = float(self._sixfold.sum()) / 6.0 if self.is_closed else 0.0
        if volume < 0.0:
            raise BadNumber("the triangles of a mesh go round the wrong way: turn them over.")
        return volume

    def _refuse_open(self) -> None:
        if self.volume == 0.0:
            raise BadNumber(
                "a mesh with open edges, or without a volume, has no mass properties: close it, or"
                " give the body's inertia."
            )

    @property
    def centroid(self) -> Floats:
        self._refuse_open()
        corners = self.corners.sum(axis=1)
        return np.asarray(self._sixfold @ corners / (24.0 * self.volume))

    @property
    def gyration(self) -> Floats:
        self._refuse_open()
        corners, weights = self.corners, self._sixfold
        sums = corners.sum(axis=1)
        # integral of p p^T over a tetrahedron with a corner at the origin
        spread = np.einsum("t,ti,tj->ij", weights, sums, sums)
        spread = spread + np.einsum("t,tki,tkj->ij", weights, corners, corners)
        c = self.centroid
        S = spread / (120.0 * self.volume) - np.outer(c, c)
        return np.asarray(np.trace(S) * np.eye(3) - S)

    @property
    def convex_parts(self) -> tuple[ConvexPart, ...]:
        if self.is_convex:
            return (ConvexPart(np.array(self.vertices)),)
        return tuple(ConvexPart(corners) for corners in self.corners)

    @property
    def shell(self) -> "Mesh | None":
        return None if self.is_convex else self

    @property
    def facets(self) -> Facets | None:
        return Facets(np.array(self.vertices), self.triangles)
