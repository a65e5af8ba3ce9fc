"""Meshes from files: STL as text and binary, OBJ, and what is refused."""

import base64
import json
import struct
import sys

import numpy as np
import pytest

from kempe.errors import BadNumber, FileError, MissingPart
from kempe.geometry.solids import Mesh

CORNERS = np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4]], dtype=float)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]  # a tetrahedron of volume 4


def text_stl():
    lines = ["solid tetrahedron"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in CORNERS[list(face)]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def binary_stl():
    content = b"solid by name only".ljust(80) + struct.pack("<I", len(FACES))
    for face in FACES:
        content += struct.pack("<12fH", 0, 0, 0, *CORNERS[list(face)].ravel(), 0)
    return content


def obj():
    lines = ["# a comment", *(f"v {x} {y} {z}" for x, y, z in CORNERS), "vn 0 0 1"]
    lines += [f"f {a + 1}//1 {b + 1}//1 {c + 1 - 5}" for a, b, c in FACES]
    return "\n".join(lines).encode()


def off():
    lines = ["OFF", "4 4 0", *(f"{x} {y} {z}" for x, y, z in CORNERS)]
    return "\n".join([*lines, *(f"3 {a} {b} {c}" for a, b, c in FACES)]).encode()


def ply():
    head = ["ply", "format ascii 1.0", "element vertex 4", *(f"property float {c}" for c in "xyz")]
    head += ["element face 4", "property list uchar int vertex_indices", "end_header"]
    lines = [*head, *(f"{x} {y} {z}" for x, y, z in CORNERS)]
    return "\n".join([*lines, *(f"3 {a} {b} {c}" for a, b, c in FACES), ""]).encode()


def gltf(address=""):
    """The tetrahedron below two nodes: one doubles it, the other halves it, and both move it."""
    block = CORNERS.astype("<f4").tobytes() + np.array(FACES, "<u2").tobytes()
    data = "data:application/octet-stream;base64," + base64.b64encode(block).decode()
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [
                {"children": [1], "scale": [2, 2, 2], "translation": [2, 0, 0]},
                {"mesh": 0, "scale": [0.5, 0.5, 0.5], "translation": [-1, 0, 0]},
            ],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteOffset": 0, "byteLength": 48},
                {"buffer": 0, "byteOffset": 48, "byteLength": 24},
            ],
            "buffers": [{"byteLength": 72, "uri": address or data}],
        }
    ).encode()


FILES = {
    "text.stl": text_stl(),
    "binary.STL": binary_stl(),
    "it.obj": obj(),
    "it.off": off(),
    "it.ply": ply(),
    "it.gltf": gltf(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_solid(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    mesh = Mesh.read(tmp_path / name, unit="mm")
    assert len(mesh.vertices) == 4
    assert len(mesh.triangles) == 4
    assert mesh.is_closed
    assert mesh.is_convex
    assert mesh.volume == pytest.approx(4e-9)
    np.testing.assert_allclose(mesh.centroid, [0.0005, 0.00075, 0.001])


def test_a_face_with_four_corners_is_cut(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    mesh = Mesh.read(tmp_path / "a.obj")
    assert len(mesh.triangles) == 2
    assert not mesh.is_closed
    with pytest.raises(BadNumber, match="no mass properties"):
        _ = mesh.centroid


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.step", b"ISO", r"a mesh ends in \.stl, \.obj"),
        ("a.stl", b"", "begins with 'solid'"),
        ("a.stl", b"solid\nvertex 1 2 x\n", "no mesh that can be read"),
        ("a.stl", b"solid\nvertex 1 2 3\n", "1 corners do not make triangles"),
        ("a.stl", b"solid\nvertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0\n", "not finite"),
        ("a.stl", b"solid\nendsolid\n", "there is no triangle"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "a corner that there is not"),
        ("a.stl", b" " * 80 + struct.pack("<I", 300_000) + bytes(50 * 300_000), "at most 200000"),
    ],
)
def test_what_is_no_mesh_is_refused_by_name(name, content, complaint, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=complaint) as refused:
        Mesh.read(tmp_path / name)
    assert name in str(refused.value)


def test_triangles_the_wrong_way_round_have_no_volume_that_is_believed():
    turned = Mesh(tuple(map(tuple, CORNERS.tolist())), tuple(face[::-1] for face in FACES))
    with pytest.raises(BadNumber, match="wrong way"):
        _ = turned.volume


@pytest.mark.parametrize(
    ("vertices", "triangles", "complaint"),
    [
        (((0, 0, 0), (1, 0, 0)), ((0, 1, 2),), "three corners"),
        (((0, 0, 0), (1, 0, 0), (0, 1, 0)), (), "one triangle or more"),
        (((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 1, 3),), "names corner 3"),
        (((0, 0, 0), (1, 0, 0), (0, 1, float("inf"))), ((0, 1, 2),), "finite"),
    ],
)
def test_a_mesh_by_numbers_is_checked(vertices, triangles, complaint):
    with pytest.raises(BadNumber, match=complaint):
        Mesh(vertices, triangles)


@pytest.mark.parametrize("name", ["it.gltf", "it.glb", "it.ply", "it.off"])
@pytest.mark.parametrize("content", [b"", b"glTF", b"ply\n", b"OFF 1e9 1e9 0", b"{}", b"\xff" * 99])
def test_a_damaged_file_is_refused_in_words_also_by_a_foreign_reader(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=name):
        Mesh.read(tmp_path / name)


def test_a_scene_opens_no_other_file(tmp_path):
    (tmp_path / "other.bin").write_bytes(b"\0" * 72)
    (tmp_path / "a.gltf").write_bytes(gltf("other.bin"))
    with pytest.raises(FileError, match=r"a\.gltf"):
        Mesh.read(tmp_path / "a.gltf")


def test_without_trimesh_the_extra_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.off").write_bytes(off())
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingPart, match=r"kempe\[mesh\]"):
        Mesh.read(tmp_path / "a.off")
