"""A .glb file: meshes, nodes and how they move, as any program that shows glTF 2.0 reads it.

Source: The Khronos Group, glTF 2.0 specification (ISO/IEC 12113), sections 3 and 4.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from kempe.draw.scene.shapes import FloatArray
from kempe.draw.view.theme import LIGHT
from kempe.geometry.solids.facets import Facets

MAGIC, VERSION = 0x46546C67, 2  # "glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942  # "JSON", "BIN\0"
FLOAT, UINT = 5126, 5125
VERTICES, INDICES = 34962, 34963
LINE_STRIP, TRIANGLES = 3, 4
SMOOTH = 0.75  # cosine of the angle between faces that are shaded as one


@final
@dataclass(slots=True)
class GltfFile:
    """A glTF file that is being put together: its JSON part and its one block of numbers."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    meshes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    channels: list[dict[str, Any]] = field(default_factory=list)
    samplers: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    block: bytearray = field(default_factory=bytearray)
    colours: dict[str, int] = field(default_factory=dict)

    def node(self, **facts: Any) -> int:
        """The number of a new node."""
        self.nodes.append(facts)
        return len(self.nodes) - 1

    def material(self, colour: str) -> int:
        """The number of the material of a colour, ``#rrggbb``."""
        if colour not in self.colours:
            linear = [_linear(int(colour[k : k + 2], 16) / 255.0) for k in (1, 3, 5)]
            shine = {"baseColorFactor": [*linear, 1.0], "metallicFactor": 0.1}
            shine["roughnessFactor"] = 0.6
            self.materials.append(
                {"name": colour, "pbrMetallicRoughness": shine, "doubleSided": True}
            )
            self.colours[colour] = len(self.materials) - 1
        return self.colours[colour]

    def numbers(self, values: Any, kind: str, *, target: int | None = None) -> int:
        """The number of a new accessor of floats, or of indices, laid into the block."""
        is_index = target == INDICES
        data = np.ascontiguousarray(values, dtype="<u4" if is_index else "<f4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.block)}
        view |= {"byteLength": data.nbytes} | ({} if target is None else {"target": target})
        self.views.append(view)
        self.block += data.tobytes()
        accessor = {"bufferView": len(self.views) - 1, "count": len(data), "type": kind}
        accessor["componentType"] = UINT if is_index else FLOAT
        if not is_index:
            rows = data.reshape(len(data), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def surface(self, facets: Facets, colour: str) -> dict[str, Any]:
        """A primitive of a mesh: triangles, smooth where faces meet at a small angle."""
        points, normals = _smooth(facets)
        attributes = {"POSITION": self.numbers(points, "VEC3", target=VERTICES)}
        attributes["NORMAL"] = self.numbers(normals, "VEC3", target=VERTICES)
        return {
            "attributes": attributes,
            "material": self.material(colour),
            "mode": TRIANGLES,
        }

    def line(self, points: FloatArray, colour: str) -> dict[str, Any]:
        """A primitive of a mesh: a line through points (n, 3)."""
        attributes = {"POSITION": self.numbers(points, "VEC3", target=VERTICES)}
        return {"attributes": attributes, "material": self.material(colour), "mode": LINE_STRIP}

    def mesh(self, name: str, primitives: Sequence[dict[str, Any]]) -> int:
        """The number of a new mesh."""
        self.meshes.append({"name": name, "primitives": list(primitives)})
        return len(self.meshes) - 1

    def animate(self, node: int, path: str, times: int, values: FloatArray) -> None:
        """Let a node's `path` (translation, rotation, scale) take values, one at each time.

        `times` is the accessor of the times; the node starts with the first value.
        """
        self.nodes[node][path] = np.asarray(values[0]).tolist()
        kind = "VEC4" if path == "rotation" else "VEC3"
        output = self.numbers(values, kind)
        self.samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})
        self.channels.append(
            {"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}}
        )

    def document(self, title: str, root: int) -> dict[str, Any]:
        """The JSON part."""
        moving = {"name": title, "channels": self.channels, "samplers": self.samplers}
        return {
            "asset": {"version": "2.0", "generator": "kempe"},
            "scene": 0,
            "scenes": [{"name": title, "nodes": [root]}],
            "nodes": self.nodes,
            **({"meshes": self.meshes} if self.meshes else {}),
            **({"materials": self.materials} if self.materials else {}),
            **({"animations": [moving]} if self.channels else {}),
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.block)}],
        }

    def packed(self, title: str, root: int) -> bytes:
        """The whole file: a head, the JSON part, the block."""
        text = json.dumps(self.document(title, root), ensure_ascii=False, allow_nan=False)
        words = text.encode()
        words += b" " * (-len(words) % 4)
        block = bytes(self.block) + b"\0" * (-len(self.block) % 4)
        chunks = struct.pack("<II", len(words), JSON_CHUNK) + words
        chunks += struct.pack("<II", len(block), BINARY_CHUNK) + block
        return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks


def body_colour(colour: int | None) -> str:
    """The colour of a body: its tone, or steel."""
    return LIGHT.steel if colour is None else LIGHT.tones[colour % len(LIGHT.tones)]


def _linear(share: float) -> float:
    """A channel of sRGB as the share of light that it stands for."""
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _smooth(facets: Facets) -> tuple[FloatArray, FloatArray]:
    """The corners (3 t, 3) of all triangles, and the normals that they are shaded with.

    A corner takes the mean of those faces at it that look nearly the same way as its own.
    """
    normals = facets.normals
    counts = np.array([len(face) for face in facets.faces], dtype=np.int64)
    corners = np.array([k for face in facets.faces for k in face], dtype=np.int64)
    face_of = np.repeat(np.arange(len(counts)), counts)
    # Every corner of a face beside every face at the same point, its own among them.
    at_point = face_of[np.argsort(corners, kind="stable")]
    sharing = np.bincount(corners)
    first = np.cumsum(sharing) - sharing
    shared = sharing[corners]
    corner = np.repeat(np.arange(len(corners)), shared)
    within = np.arange(len(corner)) - np.repeat(np.cumsum(shared) - shared, shared)
    other = at_point[first[corners[corner]] + within]
    near = np.einsum("pi,pi->p", normals[other], normals[face_of[corner]]) > SMOOTH
    total = np.stack(
        [
            np.bincount(corner[near], weights=normals[other[near], i], minlength=len(corners))
            for i in range(3)
        ],
        axis=1,
    )
    total[np.bincount(corner[near], minlength=len(corners)) == 0] = (0.0, 0.0, 1.0)
    sizes = np.linalg.norm(total, axis=1)
    shaded = total / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    starts = (np.cumsum(counts) - counts).tolist()
    fans = [
        (s, s + k, s + k + 1) for s, n in zip(starts, counts, strict=True) for k in range(1, n - 1)
    ]
    chosen = np.array(fans, dtype=np.int64).reshape(-1)
    return facets.points[corners[chosen]], shaded[chosen]
