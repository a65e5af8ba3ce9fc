"""Surfaces of positions: shapes that are known, and what is said where they are not proved."""

import math

import numpy as np
import pytest

import kempe
import kempe.motion.search.search
from kempe.results.maps.surface_map import SurfaceMap
from tests.motion._two_freedoms import (
    COARSE,
    arm_of_two,
    five_bar,
    pentagons,
    point_on_torus,
    rod_in_space,
)

FLAT = 0.01  # of the area of a smooth surface: what flat triangles, a tenth of its bends wide, lose
LENGTHS = [  # of sides: genus 4, 3, 2, 1, two tori, a sphere
    (1.0, 1.0, 1.0, 1.0, 1.0),
    (0.885, 1.34, 1.812, 1.754, 1.208),
    (0.441, 1.266, 1.903, 1.01, 0.747),
    (1.0, 1.1, 1.2, 1.3, 3.0),
    (0.5, 2.0, 2.0, 2.0, 0.6),
]


@pytest.fixture(scope="module")
def sphere():
    return rod_in_space().motions(effort=COARSE)


def test_a_point_on_a_rod_moves_on_a_sphere(sphere):
    assert isinstance(sphere, SurfaceMap)
    (surface,) = sphere.components
    assert (str(sphere.outcome), len(sphere.singular)) == ("complete", 0)
    assert (surface.euler, surface.genus, surface.closed, surface.orientable) == (2, 0, True, True)
    mesh = surface.mesh()
    assert mesh.area == pytest.approx(4.0 * math.pi, rel=FLAT)
    places = mesh.seen(("P.x", "P.y", "P.z"))
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=1e-12)
    assert str(sphere) == "point on a rod: 1 sphere - complete."


@pytest.mark.row("B5")
@pytest.mark.parametrize("make", [point_on_torus, arm_of_two])
def test_a_torus_has_one_handle(make):
    found = make().motions(effort=COARSE)
    (surface,) = found.components
    assert (str(found.outcome), surface.euler, surface.genus) == ("complete", 0, 1)


def test_an_arm_s_torus_has_the_area_of_two_circles():
    (surface,) = arm_of_two().motions(effort=COARSE).components
    assert surface.mesh().area == pytest.approx(4.0 * math.pi**2, rel=FLAT)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_five_bars_make_the_surfaces_of_planar_pentagons(lengths):
    found = five_bar(lengths).motions(effort=COARSE)
    assert (str(found.outcome), len(found.singular)) == ("complete", 0)
    shapes = [surface.euler for surface in found.components]
    assert (len(shapes), sum(shapes)) == pentagons(lengths)


def test_corners_of_a_five_bar_s_mesh_close_its_loop():
    lengths = LENGTHS[3]
    mechanism = five_bar(lengths)
    (surface,) = mechanism.motions(effort=COARSE).components
    mesh = surface.mesh()
    angles = mesh.q[:, 2::3]
    tip = sum(length * np.exp(1j * angles[:, k]) for k, length in enumerate(lengths[:4]))
    np.testing.assert_allclose(tip, lengths[4], atol=1e-9)
    assert mesh.radius.max() < 1e-10


def test_five_bars_that_can_lie_flat_are_not_called_a_surface():
    found = five_bar((1.0, 1.0, 1.0, 1.0, 2.0)).motions(effort=COARSE)
    assert found.outcome != "complete"
    assert all(surface.euler is None for surface in found.components)
    assert found.singular


def test_bars_that_do_not_reach_have_no_surface_which_is_proved():
    found = five_bar((1.0, 1.0, 1.0, 1.0, 5.0)).motions(effort=COARSE)
    assert (str(found.outcome), len(found)) == ("complete", 0)


def test_a_search_that_runs_out_of_time_says_so():
    effort = kempe.Effort(seconds=0.05, resolution=1e-2)
    found = five_bar(LENGTHS[0]).motions(effort=effort)
    assert found.outcome == "certified_partial"
    assert all(surface.euler is None for surface in found.components)


def test_a_mesh_is_written_and_read_by_others(sphere, tmp_path):
    mesh = sphere.components[0].mesh()
    lines = mesh.save(tmp_path / "ball.obj", ("P.x", "P.y", "P.z")).read_text().splitlines()
    corners = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
    faces = np.array([line.split()[1:] for line in lines if line.startswith("f ")], dtype=int)
    a, b, c = (corners[faces[:, k] - 1] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    assert abs(volume) == pytest.approx(4.0 / 3.0 * math.pi, rel=2.0 * FLAT)
    saved = np.load(mesh.save(tmp_path / "ball.npz"))
    np.testing.assert_array_equal(saved["triangles"], mesh.triangles)
    np.testing.assert_array_equal(saved["x"], mesh.x)


def test_a_mesh_is_written_to_no_other_kind_of_file(sphere, tmp_path):
    with pytest.raises(kempe.errors.FileError, match=r"\.obj, \.npz"):
        sphere.components[0].mesh().save(tmp_path / "ball.stl")
    assert not list(tmp_path.iterdir())


def test_a_mesh_that_is_given_no_time_proves_nothing(monkeypatch):
    asked = []

    def hurried(native, effort, began):
        asked.append(native.surface(0.0))
        return asked[-1]

    monkeypatch.setattr(kempe.motion.search.search, "_mesh", hurried)
    found = five_bar(LENGTHS[0]).motions(effort=COARSE)
    assert not asked[0].proved.any()
    assert all(surface.euler is None for surface in found.components)
    assert found.outcome != "complete"
