"""Meshes that a robot's file names, from the folder of that file or below it, never from elsewhere.

`package://NAME/rest`, as ROS writes it, is looked for in the nearest folder above that is called
NAME, and where there is none as `rest` beside the file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

import numpy as np

from kempe.disk import below
from kempe.errors import KempeError
from kempe.geometry.solids import Mesh

PACKAGE = re.compile(r"(?:package|model)://([^/]+)/(.+)")
MOST_ABOVE = 8  # folders above the file that are asked for their name
MOST_TRIANGLES = 1_000_000  # of all meshes of one file


@final
@dataclass(slots=True)
class MeshFiles:
    """Reads the meshes of the file at `path`, each once."""

    path: str
    triangles: int = 0  # read so far
    read_before: dict[Path, Mesh] = field(default_factory=dict)

    def mesh(self, named: str, scale: Sequence[float] = (1.0, 1.0, 1.0)) -> Mesh:
        """The mesh in the file of this name, its axes scaled; a KempeError says why there is none.

        A scale that mirrors turns the triangles over, so that they still face outwards.
        """
        target = self._place(named)
        if target not in self.read_before:
            found = Mesh.read(target)
            self.triangles += len(found.triangles)
            if self.triangles > MOST_TRIANGLES:
                raise KempeError(f"the meshes of a file have at most {MOST_TRIANGLES} triangles.")
            self.read_before[target] = found
        found = self.read_before[target]
        if tuple(scale) == (1.0, 1.0, 1.0):
            return found
        if not all(scale):
            raise KempeError("a scale of 0 leaves nothing of a mesh.")
        with np.errstate(over="ignore"):
            points = np.array(found.vertices) * np.array(scale)
        faces = np.array(found.triangles)[:, :: -1 if np.prod(np.sign(scale)) < 0.0 else 1]
        return replace(
            found,
            vertices=tuple((x, y, z) for x, y, z in points.tolist()),
            triangles=tuple((i, j, k) for i, j, k in faces.tolist()),
        )

    def _place(self, named: str) -> Path:
        folder = Path(self.path).resolve().parent
        of_package = PACKAGE.fullmatch(named)
        if of_package is None:
            return below(folder, named.removeprefix("file://"))
        name, rest = of_package.groups()
        above = (folder, *folder.parents)[:MOST_ABOVE]
        return below(next((one for one in above if one.name == name), folder), rest)
