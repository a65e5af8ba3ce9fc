"""Surfaces: connected pieces of all positions of a mechanism that has two freedoms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.archive import archive_bytes
from kempe.disk import replace_file
from kempe.endings import refuse_unwritable
from kempe.errors import BadNumber
from kempe.results.maps.certificate import CertifiedBlock
from kempe.results.maps.component import Readings
from kempe.results.maps.cut_mesh import CutMesh

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FORMATS = (".obj", ".npz")
ARRAYS = ("x", "q", "values", "triangles", "radius")  # of a mesh in a file


def edges_of(triangles: IntArray) -> IntArray:
    """The edges (e, 2) of triangles (f, 3), each once, lower corner first."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def euler_characteristic(charts: Mapping[str, Any]) -> int | None:
    """V - E + F of a mesh that is proved to be its surface; None where it is not.

    Own: the proof is in core/boxes/search/triangulation.hpp, in words in the manual's page on
    what is certified.
    """
    if not (charts["once"] and np.all(charts["proved"])):
        return None
    triangles = charts["triangles"]
    corners = len(np.unique(triangles))  # charts that no triangle needed are none
    return int(corners - len(edges_of(triangles)) + len(triangles))


@final
@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """Triangles whose corners are positions of a mechanism, each within `radius` of a true one.

    `x` (v, n) are the unknowns, in the size of the machine, without those of the search alone; `q`
    (v, n_q) the coordinates of all bodies (m and rad); `values` (v, r) what is read there, by
    `names`; `triangles` (f, 3) number the corners from 0, all turning the same way.
    """

    x: FloatArray
    q: FloatArray
    values: FloatArray
    names: tuple[str, ...]
    triangles: IntArray
    radius: FloatArray

    @property
    def area(self) -> float:
        """The area of all triangles in the space of unknowns."""
        a, b, c = (self.x[self.triangles[:, k]] for k in range(3))
        u, v = b - a, c - a
        square = (u * u).sum(axis=1) * (v * v).sum(axis=1) - (u * v).sum(axis=1) ** 2
        return float(0.5 * np.sqrt(np.maximum(square, 0.0)).sum())

    def seen(self, axes: tuple[str, str, str] | None = None) -> FloatArray:
        """Corners (v, 3) in three of the readings, such as ("A.x", "A.y", "B.x").

        Without `axes`, those three directions among the unknowns in which the mesh is largest.
        """
        if axes is not None:
            return np.column_stack([self._reading(name) for name in axes])
        centred = self.x - self.x.mean(axis=0)
        _, _, main = np.linalg.svd(centred, full_matrices=False)
        flat: FloatArray = centred @ main[:3].T
        room = ((0, 0), (0, 3 - flat.shape[1]))
        return np.pad(flat, room)

    def _reading(self, name: str) -> FloatArray:
        if name not in self.names:
            known = ", ".join(self.names[:12])
            raise BadNumber(f"the mesh has no reading {name!r}; it has {known} ...", name=name)
        column: FloatArray = self.values[:, self.names.index(name)]
        return column

    def save(self, path: str | Path, axes: tuple[str, str, str] | None = None) -> Path:
        """Write it to an .obj file, as seen in three `axes`, or all numbers to an .npz file."""
        path = Path(path)
        refuse_unwritable(path, FORMATS, "a mesh")
        if path.suffix.lower() == ".obj":
            return replace_file(path, self._obj(axes).encode())
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return replace_file(path, archive_bytes({"names": self.names}, arrays))

    def _obj(self, axes: tuple[str, str, str] | None) -> str:
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in self.seen(axes).tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (self.triangles + 1).tolist()]
        return "\n".join([*lines, ""])


@final
@dataclass(frozen=True, eq=False)
class Surface:
    """A connected, regular and orientable surface of positions, cut off where limits are met.

    `charts` holds, for every corner of its mesh, the certified chart about it: middle `x` (v, n),
    frame `A` (v, n n), inverse `C` (v, m m), half-length `h` and half-width `w`, and the same of
    the smaller chart that holds the triangles about it (`star_h`, `star_w`). In a chart the surface
    is a graph over two directions, proved. `euler` is the Euler characteristic, None where the
    mesh is not proved to be the surface.

    It is orientable because it is the regular zero set of n - 2 functions of n unknowns: the
    gradients and a frame along the surface are turned alike everywhere.
    """

    number: int
    euler: int | None
    charts: Mapping[str, Any]
    block: CertifiedBlock
    x: FloatArray  # of all unknowns; those of the surface are in its charts
    radius: FloatArray
    readings: Readings
    rims: int | None = 0
    cut: CutMesh | None = None

    @property
    def closed(self) -> bool:
        """Whether it has no rim: every edge of its mesh has a triangle on either side."""
        if self.cut is not None:
            return False
        triangles = self.charts["triangles"]
        return 2 * len(edges_of(triangles)) == 3 * len(triangles)

    @property
    def orientable(self) -> bool:
        """Always True: regular zero sets of n - 2 functions of n unknowns are."""
        return True

    @property
    def genus(self) -> int | None:
        """How many handles it has: 0 for a sphere, 1 for a torus; None where it is not proved.

        2 - 2 g - b is the Euler characteristic, with g handles and b rims: a disc has no handle.
        """
        if self.euler is None or self.rims is None:
            return None
        return (2 - self.rims - self.euler) // 2

    @cached_property
    def _mesh(self) -> SurfaceMesh:
        charts, cut = self.charts, self.cut
        own = np.asarray(charts["x"] if cut is None else cut.x)
        off = np.asarray(charts["radius"] if cut is None else cut.radius)
        corners = np.asarray(charts["triangles"] if cut is None else cut.triangles)
        x = np.repeat(self.x[None, :], len(own), axis=0)
        radius = np.repeat(self.radius[None, :], len(own), axis=0)
        x[:, list(self.block.places)] = own
        radius[:, list(self.block.places)] = off[:, None]
        values, bound = self.readings.of(x, radius)
        q = self.readings.coordinates(values, is_curve=False)
        triangles = corners.astype(np.int64)
        known = x[:, : self.readings.tape.n_inputs]
        return SurfaceMesh(known, q, values, self.readings.names, triangles, bound)

    def mesh(self) -> SurfaceMesh:
        """The triangles of it, with the positions of all bodies at every corner."""
        return self._mesh

    def __str__(self) -> str:
        kinds = {0: "sphere", 1: "torus"}
        if self.genus is None:
            return "surface of unproved shape"
        if self.genus == 0 and self.rims in (1, 2):
            return "disc" if self.rims == 1 else "ring"
        kind = kinds.get(self.genus, f"surface of genus {self.genus}")
        holes = f" with {self.rims} hole{'s' * (self.rims != 1)}" if self.rims else ""
        return kind + holes
