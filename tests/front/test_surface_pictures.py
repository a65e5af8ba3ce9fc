"""Pictures of surfaces of positions, and small multiples: what is on them, and how many."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import kempe
from kempe.draw.view.meshes import mesh_items, thinned
from kempe.errors import BadNumber, UnknownName
from kempe.front.surface_pictures import covered_ground
from tests.motion._two_freedoms import COARSE, arm_of_two, point_on_torus

SVG = "{http://www.w3.org/2000/svg}"
FLAT = 0.02  # of an area that strips and triangles cover
NAMES = ("P.x", "P.y", "P.z")


def drawn(text, kind):
    found = ElementTree.fromstring(text).iter(f"{SVG}path")
    return [p for p in found if p.get("class", "").split()[0] == kind]


@pytest.fixture(scope="module")
def arm():
    mechanism = arm_of_two(1.0, 0.8)
    return mechanism, mechanism.motions(effort=COARSE)


@pytest.fixture(scope="module")
def torus():
    mechanism = point_on_torus()
    return mechanism, mechanism.motions(effort=COARSE)


def test_a_surface_is_drawn_shaded_in_three_readings_that_are_named(torus):
    mechanism, found = torus
    text = mechanism.pictures(found).surface(0, NAMES)
    facets = drawn(text, "facet")
    assert 500 < len(facets) <= 6000
    assert len({p.get("class") for p in facets}) >= 5  # shades
    assert all(f"{name}  -" in text for name in NAMES)


def test_far_triangles_are_drawn_before_near_ones(torus):
    _, found = torus
    mesh = found.components[0].mesh()
    items = mesh_items(mesh.seen(NAMES), mesh.triangles, 0)
    near = [item.near for item in items]
    assert near == sorted(near)


def test_a_thinned_torus_is_still_the_torus(torus):
    _, found = torus
    mesh = found.components[0].mesh()
    points, triangles = thinned(mesh.seen(NAMES), mesh.triangles, 1500)
    assert len(triangles) <= 1500
    away = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 2.0, points[:, 2])
    assert np.abs(away - 1.0).max() < 0.1
    a, b, c = (points[triangles[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    assert area == pytest.approx(8.0 * math.pi**2, rel=0.1)


def test_strips_cover_as_much_as_the_point_reaches(arm):
    mechanism, found = arm
    reached = mechanism.workspace(found, "lower.end")
    corners = covered_ground(reached.coverage).reshape(-1, 4, 2)
    area = (np.ptp(corners[:, :, 0], axis=1) * np.ptp(corners[:, :, 1], axis=1)).sum()
    assert area == pytest.approx(4.0 * math.pi * 0.8, rel=FLAT)


def test_a_workspace_is_drawn_with_its_rim_and_its_area(arm):
    mechanism, found = arm
    text = mechanism.pictures(found).workspace("lower.end")
    assert len(drawn(text, "trace")) == 2  # the rim, outside and inside
    assert len(drawn(text, "face")) == 1
    (area,) = set(re.findall(r"can be, ([\d.]+) m", text))
    assert float(area) == pytest.approx(4.0 * math.pi * 0.8, rel=FLAT)


def test_a_sphere_seen_from_above_covers_a_disc():
    from tests.motion._two_freedoms import rod_in_space

    mechanism = rod_in_space()
    found = mechanism.motions(effort=COARSE)
    reached = mechanism.workspace(found, "P", ("x", "z"))
    assert reached.area == pytest.approx(math.pi, rel=FLAT)
    assert reached.seen == ("x", "z")


@pytest.mark.parametrize("seen", [("x", "x"), ("x", "w"), ("x",), ("", "y"), ("xy", "z")])
def test_a_workspace_is_told_in_two_coordinates(torus, seen):
    mechanism, found = torus
    with pytest.raises(BadNumber, match="two of x, y and z"):
        mechanism.workspace(found, "P", seen)


def test_a_workspace_needs_a_point_and_a_surface_its_number(arm):
    mechanism, found = arm
    with pytest.raises(UnknownName, match="is no point"):
        mechanism.workspace(found, "upper.angle")
    with pytest.raises(BadNumber, match="moves in the plane"):
        mechanism.workspace(found, "lower.end", ("x", "z"))
    with pytest.raises(BadNumber, match="has 1, counted from 0"):
        mechanism.pictures(found).surface(1)


def test_every_component_has_a_panel_of_its_own_in_its_colour():
    mechanism = kempe.gallery.rssr()
    text = mechanism.pictures(mechanism.motions()).each("rocker.end")
    assert {p.get("class") for p in drawn(text, "trace")} == {"trace c0", "trace c1"}
    assert {p.get("class") for p in drawn(text, "ghost")} == {"ghost c0", "ghost c1"}
    assert "1: loop" in text
    assert "2: loop" in text


def test_every_assembly_of_a_platform_has_a_panel_with_its_six_legs():
    mechanism = kempe.gallery.octahedral_platform()
    text = mechanism.pictures(mechanism.assemblies(at=0)).each()
    assert len(drawn(text, "line")) == 8 * (4 + 6)  # sides of the plate, through P, and legs
    assert len({p.get("class") for p in drawn(text, "line")}) == 2 * 8
