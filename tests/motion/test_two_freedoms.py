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
    two_hinges_in_space,
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


# (limits of a point on a sphere, pieces, Euler characteristic and rims of each, their whole area)
CAPS = {
    "cap": ({"P.z": (-0.5, 2.0)}, 1, (1, 1), 3.0 * math.pi),
    "zone": ({"P.z": (-0.5, 0.5)}, 1, (0, 2), 2.0 * math.pi),
    "two caps": ({"P.z": (-0.5, 0.5), "P.x": (-0.5, 0.5)}, 2, (1, 1), None),
    "octant": ({"P.x": (0.0, 2.0), "P.y": (0.0, 2.0), "P.z": (0.0, 2.0)}, 1, (1, 1), math.pi / 2),
    "none met": ({"P.z": (-2.0, 2.0)}, 1, (2, 0), 4.0 * math.pi),
}


@pytest.mark.parametrize("name", CAPS)
def test_limits_cut_a_sphere_into_the_pieces_that_archimedes_measured(name):
    limits, count, shape, area = CAPS[name]
    found = rod_in_space().motions(limits=limits, effort=COARSE)
    assert (str(found.outcome), len(found)) == ("complete", count)
    assert {(s.euler, s.rims) for s in found.components} == {shape}
    if area is not None:
        whole = sum(s.mesh().area for s in found.components)
        assert whole == pytest.approx(area, rel=FLAT)
    for surface in found.components:
        x = surface.mesh().seen(("P.x", "P.y", "P.z"))
        np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1.0, atol=1e-12)
        for axis, ends in limits.items():
            column = x[:, "xyz".index(axis[-1])]
            assert column.min() > ends[0] - 1e-12
            assert column.max() < ends[1] + 1e-12


def test_a_plane_beside_the_middle_cuts_a_ring_open():
    found = point_on_torus().motions(limits={"P.x": (0.5, 5.0)}, effort=COARSE)
    (tube,) = found.components  # the half with x > 0.5 < 1: a bent tube
    assert (str(found), tube.genus) == ("point on a torus: 1 ring - complete.", 0)


@pytest.mark.parametrize(
    ("limits", "words"),
    [({"O.angle": (-1.0, 1.0)}, "1 ring"), ({"O.angle": (-1, 1), "A.angle": (0.2, 2)}, "1 disc")],
)
def test_limits_of_hinges_cut_an_arm_s_torus(limits, words):
    found = arm_of_two().motions(limits=limits, effort=COARSE)
    assert str(found) == f"arm: {words} - complete."


def test_limits_of_hinges_in_space_cut_a_torus_too():
    found = two_hinges_in_space().motions(
        limits={"base_hinge.angle": (-1.0, 1.0), "tip.angle": (-2.0, 2.0)}, effort=COARSE
    )
    assert str(found) == "two hinges: 1 disc - complete."
    base = found.components[0].mesh().seen(("base.ux", "base.uy", "base.uz"))
    assert np.abs(np.arctan2(base[:, 1], base[:, 0])).max() == pytest.approx(1.0, abs=1e-9)


def test_limits_out_of_reach_leave_nothing_which_is_proved():
    found = rod_in_space().motions(limits={"P.z": (1.5, 2.0)}, effort=COARSE)
    assert (str(found.outcome), len(found)) == ("complete", 0)


def test_a_limit_that_touches_the_surface_in_a_point_leaves_its_shape_open():
    found = rod_in_space().motions(limits={"P.z": (-1.0, 0.5)}, effort=COARSE)
    assert found.outcome == "complete_except"
    assert all(surface.euler is None for surface in found.components)


def test_a_five_bar_with_a_limited_crank_has_the_rings_of_its_four_bars():
    # at every angle of the crank what is left is a four-bar of one loop
    found = five_bar(LENGTHS[3]).motions(limits={"bar0.angle": (-1.5, 0.4)}, effort=COARSE)
    assert str(found) == "five-bar: 1 ring - complete."


def test_the_workspace_between_limits_is_the_part_of_a_ring_that_the_elbow_leaves():
    arm = arm_of_two(1.0, 0.8)
    low, high = 0.2, 2.0
    found = arm.motions(limits={"O.angle": (-1.0, 1.0), "A.angle": (low, high)}, effort=COARSE)
    reached = arm.workspace(found, "lower.end")
    # r^2 = 1 + 0.8^2 + 1.6 cos(elbow), over 2 rad of the shoulder: no place is reached twice
    area = 2.0 * 0.8 * (math.cos(low) - math.cos(high))
    assert reached.area == pytest.approx(area, rel=1e-3)
    assert len(reached.folds) == 1  # its rim: the elbow is never straight
    r = np.linalg.norm(reached.folds[0], axis=1)
    ends = [math.sqrt(1.64 + 1.6 * math.cos(angle)) for angle in (high, low)]
    assert r.min() == pytest.approx(ends[0], abs=1e-9)
    assert r.max() == pytest.approx(ends[1], abs=1e-9)


def test_an_arm_s_drives_fail_where_its_elbow_is_straight_up_to_the_limits():
    arm = arm_of_two()
    limits = {"O.angle": (-1.0, 1.0), "A.angle": (-2.0, 2.0)}
    found = arm.motions(limits=limits, effort=COARSE)
    singular = arm.singular_curves(found, "lower.end.x", "lower.end.y")
    assert singular.is_closed == (False,)
    np.testing.assert_allclose(singular.q[0][:, 5], singular.q[0][:, 2], atol=1e-3)
    assert np.ptp(singular.q[0][:, 2]) == pytest.approx(2.0, abs=1e-3)  # from limit to limit


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
