"""The fitted view."""

import numpy as np
import pytest

from kempe.draw import Scene, View
from kempe.draw.view.camera import fitted

ROUND_OFF = 1e-12
SIZES_IN_PX = [(960, 600), (390, 500), (300, 900)]


@pytest.mark.parametrize("size", SIZES_IN_PX)
@pytest.mark.parametrize("which", ["fourbar", "slider_crank", "rssr"])
def test_the_whole_motion_fits_into_the_picture(which, size, request):
    scene = request.getfixturevalue(which)
    camera = fitted(scene, *size)
    for body in scene.bodies:
        if not len(body.corners):
            continue
        seen = camera.project(body.motion.carried(body.corners))
        assert seen[..., 0].min() > 0.0
        assert seen[..., 0].max() < size[0]
        assert seen[..., 1].min() > 0.0
        assert seen[..., 1].max() < size[1]


def test_y_goes_up_and_lengths_are_equal_both_ways(fourbar):
    camera = fitted(fourbar, 960, 600)
    origin, right, up = camera.project(np.array([[0.0, 0, 0], [0.01, 0, 0], [0, 0.01, 0]]))
    assert right[0] - origin[0] == pytest.approx(origin[1] - up[1])
    assert right[1] == origin[1]
    assert up[1] < origin[1]


@pytest.mark.parametrize("view", [View(), View(0, 0), View(-90, 90), View(130, -20)])
def test_a_view_is_a_right_handed_frame(view):
    assert np.abs(view.rows @ view.rows.T - np.eye(3)).max() < ROUND_OFF
    assert np.linalg.det(view.rows) == pytest.approx(1.0)


def test_the_front_view_sees_x_to_the_right_and_z_up():
    assert np.abs(View(-90, 0).rows - [[1, 0, 0], [0, 0, 1], [0, -1, 0]]).max() < ROUND_OFF


def test_a_scene_with_nothing_in_it_can_be_seen():
    camera = fitted(Scene("nothing", True, [0.0], []), 400, 300)
    assert np.isfinite(camera.project(np.zeros((1, 3)))).all()
