"""Distances in space: balls, boxes, round bars and meshes by closed forms."""

import math

import numpy as np
import pytest

from kempe.errors import MissingPart
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.solids import Cuboid, Cylinder, Mesh, SlenderBar, Sphere
from kempe.interference.spatial_form import SpatialForm

CLOSE = 1e-9  # a hundred times what the searches of distances end at


def form(solid, at=None):
    parts = [part.seen_from(at or Pose.identity()) for part in solid.convex_parts]
    shell = solid.shell
    corners = np.array([part.points for part in parts]) if shell else None
    return SpatialForm("b", "b.s", parts, (corners, shell.is_closed) if shell else None)


def gap(one, other, p=(0, 0, 0), R=None):
    turned = np.eye(3) if R is None else R
    return one.gaps(other, np.array([p], float), turned.reshape(1, 3, 3)).distance[0]


def test_balls():
    assert gap(form(Sphere(0.5)), form(Sphere(0.25)), (0, 1, 0)) == pytest.approx(0.25, abs=CLOSE)
    assert gap(form(Sphere(0.5)), form(Sphere(0.25)), (0, 0.5, 0)) == pytest.approx(
        -0.25, abs=CLOSE
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_ball_and_a_box_by_the_distance_of_a_point_to_a_box(seed):
    rng = np.random.default_rng(seed)
    sides = rng.uniform(0.2, 1.0, 3)
    box, ball = form(Cuboid(tuple(sides))), form(Sphere(0.1))
    for _ in range(20):
        p = rng.uniform(-1.5, 1.5, 3)
        beyond = np.abs(p) - sides / 2
        outside = np.linalg.norm(np.maximum(beyond, 0.0))
        expected = outside if outside > 0 else beyond.max()
        assert gap(box, ball, p) == pytest.approx(expected - 0.1, abs=CLOSE)


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0])
def test_boxes_turned_about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    one, other = form(Cuboid((1, 1, 1))), form(Cuboid((0.6, 0.8, 1)))
    reach = 0.3 * c + 0.4 * s
    assert gap(one, other, (2, 0, 0), R) == pytest.approx(1.5 - reach, abs=CLOSE)
    assert gap(one, other, (0.9, 0, 0), R) == pytest.approx(0.4 - reach, abs=CLOSE)


def test_round_bars_and_lines():
    side = Pose(Vector(0, 0, 0), Rotation.with_z((1.0, 0, 0)))
    one, across = form(Cylinder(0.2, 2.0)), form(Cylinder(0.1, 2.0), side)
    assert gap(one, across, (0, 0.5, 0)) == pytest.approx(0.2, abs=CLOSE)
    assert gap(one, one, (0.7, 0, 0)) == pytest.approx(0.3, abs=CLOSE)
    assert gap(one, form(SlenderBar(1.0)), (0.3, 0.4, 1.7)) == pytest.approx(
        math.hypot(0.5 - 0.2, 0.7), abs=CLOSE
    )


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_a_mesh_of_a_box_is_the_box(angle):
    from scipy.spatial import ConvexHull

    corners = Cuboid((0.6, 0.8, 1)).convex_parts[0].points
    found = ConvexHull(corners)
    faces = []
    for face, equation in zip(found.simplices, found.equations, strict=True):
        a, b, c = corners[face]
        is_outward = np.cross(b - a, c - a) @ equation[:3] > 0
        faces.append(tuple(int(k) for k in (face if is_outward else face[::-1])))
    mesh = Mesh(tuple(map(tuple, corners.tolist())), tuple(faces))
    assert mesh.is_convex
    assert mesh.volume == pytest.approx(0.48)
    R = np.array(Rotation.about((1, 2, 3), angle).matrix())
    for p in ((1.5, 0.2, 0.1), (0.4, 0.1, -0.2)):
        of_box, of_mesh = (
            gap(form(s), form(Cuboid((0.5, 0.5, 0.5))), p, R) for s in (Cuboid((0.6, 0.8, 1)), mesh)
        )
        assert of_mesh == pytest.approx(of_box, abs=CLOSE)


def test_without_the_package_it_says_what_to_install(monkeypatch):
    import importlib

    real = importlib.import_module

    def missing(name):
        if name == "coal":
            raise ModuleNotFoundError("No module named 'coal'", name="coal")
        return real(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingPart, match=r"needs coal, .* pip install 'kempe\[interference\]'"):
        gap(form(Sphere(1.0)), form(Sphere(1.0)))
