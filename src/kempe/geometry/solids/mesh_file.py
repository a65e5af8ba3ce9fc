"""Meshes in files: STL, as text or binary, and OBJ; glTF, PLY and OFF by trimesh."""

import io
import struct
from itertools import pairwise
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from kempe.errors import FileError
from kempe.extras import extra
from kempe.geometry.number import Floats

LARGEST_MESH = 50_000_000  # bytes
MOST_TRIANGLES = 200_000
HEADER = 84  # bytes of a binary STL before its triangles: a title of 80 and their count
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
Numbers = NDArray[np.int64]


def triangles_in(content: bytes, name: str) -> tuple[Floats, Numbers]:
    """Vertices (n, 3), each once, and triangles (t, 3) of them, from the bytes of a file."""
    reader = READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise FileError(f"a mesh ends in {', '.join(READERS)}.", path=name)
    try:
        points, faces = reader(content, name)
    except (ValueError, IndexError, struct.error) as trouble:
        raise FileError(f"this is no mesh that can be read: {trouble}.", path=name) from None
    if not len(faces):
        raise FileError("there is no triangle in it.", path=name)
    if not np.isfinite(points).all():
        raise FileError("a corner of the mesh is not finite.", path=name)
    kept, number = np.unique(points, axis=0, return_inverse=True)
    merged = number.reshape(-1)[faces]
    a, b, c = merged.T
    return kept, merged[(a != b) & (b != c) & (c != a)]


def _refuse_many(count: int, name: str) -> None:
    if count > MOST_TRIANGLES:
        raise FileError(
            f"a mesh has at most {MOST_TRIANGLES} triangles, this one has {count}: make a coarser"
            " one.",
            path=name,
        )


def _stl(content: bytes, name: str) -> tuple[Floats, Numbers]:
    count = struct.unpack_from("<I", content, HEADER - 4)[0] if len(content) >= HEADER else -1
    if count >= 0 and len(content) == HEADER + count * RECORD.itemsize:
        _refuse_many(count, name)
        corners = np.frombuffer(content, RECORD, count, HEADER)["corners"].astype(float)
    else:
        corners = _text_stl(content, name)
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def _text_stl(content: bytes, name: str) -> Floats:
    if not content.lstrip()[:5].lower() == b"solid":
        raise ValueError("an STL file begins with 'solid', or says how many triangles follow")
    numbers = []
    for line in content.decode("ascii", "replace").splitlines():
        words = line.split()
        if words and words[0].lower() == "vertex":
            x, y, z = (float(word) for word in words[1:])
            numbers.append((x, y, z))
    if len(numbers) % 3:
        raise ValueError(f"{len(numbers)} corners do not make triangles")
    _refuse_many(len(numbers) // 3, name)
    return np.array(numbers, dtype=float).reshape(-1, 3, 3)


def _obj(content: bytes, name: str) -> tuple[Floats, Numbers]:
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            x, y, z = (float(word) for word in words[1:4])
            points.append([x, y, z])
        elif words[0] == "f":
            corners = [int(word.partition("/")[0]) for word in words[1:]]
            corners = [k - 1 if k > 0 else len(points) + k for k in corners]
            if min(corners) < 0 or max(corners) >= len(points):
                raise ValueError(f"a face names a corner that there is not: {line.strip()[:60]!r}")
            pairs = pairwise(corners[1:])
            faces += [(corners[0], b, c) for b, c in pairs]
            _refuse_many(len(faces), name)
    places = np.array(points, dtype=float).reshape(-1, 3)
    return places, np.array(faces, dtype=np.int64).reshape(-1, 3)


def _by_trimesh(content: bytes, name: str) -> tuple[Floats, Numbers]:
    """All surfaces of a file, where its scene puts them; nothing outside the file is opened."""
    ending = PurePath(name).suffix.lower()
    trimesh = extra("trimesh", "mesh", f"a mesh in a {ending} file")
    try:
        scene = trimesh.load_scene(io.BytesIO(content), file_type=ending[1:], resolver=None)
        found = scene.to_mesh()
        points, faces = np.array(found.vertices, dtype=float), np.array(found.faces)
    except Exception as trouble:  # whatever a damaged file leads a foreign reader to
        raise ValueError(str(trouble) or type(trouble).__name__) from None
    _refuse_many(len(faces), name)
    return points.reshape(-1, 3), faces.astype(np.int64).reshape(-1, 3)


READERS = {
    ".stl": _stl,
    ".obj": _obj,
    ".glb": _by_trimesh,
    ".gltf": _by_trimesh,
    ".ply": _by_trimesh,
    ".off": _by_trimesh,
}
