"""Solids on a picture: what is seen of them is what geometry says, and browsers agree."""

import math

import numpy as np
import pytest

from kempe.draw import DrawnBody, PoseSeries, Scene, Solid, View, scene_svg
from kempe.draw.formats.painting import outlines
from kempe.draw.scene.parts import BodyPose
from kempe.draw.view.camera import fitted
from kempe.draw.view.facets import LIGHT, shade, solid_items
from kempe.draw.view.theme import DARK, SHADES
from kempe.draw.view.theme import LIGHT as LIGHT_THEME
from kempe.geometry.solids import facets

SIZE = (400.0, 300.0)


def drawn(made, view=None):
    solid = Solid(made.points.tolist(), made.faces)
    scene = Scene(
        "it", False, [0.0], [DrawnBody("b", PoseSeries([[0, 0, 0]], [[1, 0, 0, 0]]), [solid])]
    )
    camera = fitted(scene, *SIZE, view)
    return camera, solid_items(camera, solid, BodyPose(np.zeros(3), np.eye(3)), "c0")


def area(d):
    total = 0.0
    for line, _ in outlines(d):
        x, y = np.array(line).T
        total += 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))
    return total


@pytest.mark.parametrize("view", [View(), View(10.0, -40.0), View(200.0, 75.0)])
def test_the_faces_of_a_box_that_are_seen_cover_its_projection(view):
    """The projection of a box of sides a, b, c along n has the area bc|n_x| + ca|n_y| + ab|n_z|."""
    a, b, c = 0.4, 0.7, 1.1
    camera, items = drawn(facets.box((a / 2, b / 2, c / 2)), view)
    n = np.abs(camera.rows[2])
    wanted = camera.scale**2 * (b * c * n[0] + c * a * n[1] + a * b * n[2])
    faces = [item for item in items if item.kind.startswith("facet")]
    assert len(faces) == 3
    assert sum(area(item.d) for item in faces) == pytest.approx(wanted, rel=1e-3)


def test_a_ball_looks_round_and_its_edges_are_its_silhouette():
    camera, items = drawn(facets.ball(1.0, 40))
    seen = sum(area(item.d) for item in items if item.kind.startswith("facet"))
    assert seen == pytest.approx(math.pi * camera.scale**2, rel=0.03)
    middle = camera.project(np.zeros((1, 3)))[0, :2]
    for item in items:
        for line, _ in outlines(item.d) if item.kind.startswith("crease") else ():
            far = np.linalg.norm(np.array(line) - middle, axis=1) / camera.scale
            assert far.min() > 0.9


def test_a_face_towards_the_light_is_the_brightest():
    assert shade(LIGHT / np.linalg.norm(LIGHT)) == SHADES - 1
    assert shade(-LIGHT) == 0
    levels = [shade(np.array([math.sin(a), 0.0, math.cos(a)])) for a in np.linspace(-0.5, 2.0, 40)]
    assert levels == sorted(levels, reverse=True)


@pytest.mark.parametrize("theme", [LIGHT_THEME, DARK])
def test_shades_go_from_dark_to_light(theme):
    def luminance(colour):
        return sum(bytes.fromhex(colour[1:]))

    for tone in (*theme.tones, theme.steel):
        levels = [luminance(theme.shaded(tone, k)) for k in range(SHADES)]
        assert levels == sorted(levels)
        assert levels[-1] - levels[0] > 60


def test_a_face_that_names_no_corner_is_refused():
    points = facets.box((1, 1, 1)).points.tolist()
    with pytest.raises(ValueError, match="3 of its corners"):
        Solid(points, [(0, 1, 9)])
    with pytest.raises(ValueError, match="at least 4 points"):
        Solid(points[:3], [(0, 1, 2)])


def test_a_picture_of_a_solid_has_a_shadow_and_ghosts():
    made = facets.box((1, 1, 1))
    motion = PoseSeries([[0, 0, 0], [1, 0, 0]], [[1, 0, 0, 0]] * 2)
    body = DrawnBody("b", motion, [Solid(made.points.tolist(), made.faces)], colour=1)
    page = scene_svg(Scene("it", False, [0.0, 1.0], [body]), ghosts=(1,))
    assert 'class="shadow-fill"' in page
    assert 'class="ghost c1"' in page
