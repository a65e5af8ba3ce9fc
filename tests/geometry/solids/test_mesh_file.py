"""Meshes from files: STL as text and binary, OBJ, and what is refused."""

import struct

import numpy as np
import pytest

from kempe.errors import BadNumber, FileError
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


FILES = {"text.stl": text_stl(), "binary.STL": binary_stl(), "it.obj": obj()}


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
        ("a.ply", b"ply", r"a mesh ends in \.stl, \.obj"),
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
