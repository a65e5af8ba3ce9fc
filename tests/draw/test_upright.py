"""Scenes that are turned so that their weights point down."""

import json

import numpy as np
import pytest

from kempe import gallery
from kempe.draw import player_html, scene_svg, upright
from kempe.draw.view.camera import fitted
from kempe.draw.view.paper import grid
from kempe.pictures.animation import picture, scene_of

#: Rotations by quarter turns: rounding.
EXACT = 1e-9
AXES = [sign * axis for axis in np.eye(3) for sign in (1.0, -1.0)]


@pytest.fixture(scope="module")
def falling():
    return gallery.falling_bricard().simulate(until=0.5, steps=4)


@pytest.mark.parametrize("up", AXES, ids=str)
def test_whatever_is_up_is_drawn_upright_and_nothing_is_bent(falling, up):
    scene = scene_of(falling)
    turned = upright(scene, 9.81 * up)
    P = turned.world
    assert P @ up == pytest.approx([0.0, 0.0, 1.0])
    assert np.linalg.det(P) == pytest.approx(1.0)
    for before, after in zip(scene.bodies, turned.bodies, strict=True):
        points = before.corners
        there = before.motion.carried(points) @ P.T
        assert np.abs(after.motion.carried(points) - there).max() < EXACT
    for before, after in zip(scene.joints, turned.joints, strict=True):
        for k in range(len(scene.times)):
            (p, R), (q, S) = scene.pose(before.i, k), turned.pose(after.i, k)
            assert np.abs(q - P @ p).max() < EXACT
            assert np.abs(S - P @ R).max() < EXACT
    for before, after in zip(scene.loads, turned.loads, strict=True):
        assert np.abs(after.way - before.way @ P.T).max() < EXACT


def test_bricards_weights_point_down_in_its_pictures(falling):
    """Its gravity is along -y, as in its source."""
    scene = upright(scene_of(falling), np.array([0.0, 9.81, 0.0]))
    weight = next(load for load in scene.loads if load.name.startswith("weight"))
    assert (weight.way[:, 2] < 0.0).all()
    assert np.abs(weight.way[:, :2]).max() < EXACT
    assert picture(falling) == scene_svg(scene, index=0, ghosts=tuple(range(5)))
    camera = fitted(scene, 400.0, 300.0)
    letters = {text.text: text for text in grid(scene, camera, 400.0, 300.0)[1]}
    assert letters["y"].y < min(letters["x"].y, letters["z"].y)  # the highest on the screen
    assert json.loads(scene.to_json())["world"] == scene.world.tolist()
    assert "scene.world" in player_html(scene)


def test_what_stands_already_or_leans_is_left_alone(falling):
    scene = scene_of(falling)
    for up in ([0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0]):
        assert upright(scene, np.array(up)) is scene
    flat = scene_of(gallery.simple_pendulum().simulate(until=0.1, steps=2))
    assert upright(flat, np.array([0.0, 9.81, 0.0])) is flat
