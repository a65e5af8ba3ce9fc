"""A GIF shows what the stills show: the bodies are painted where their poses put them."""

import io
import math

import numpy as np
import pytest
from PIL import Image

import kempe
from kempe.draw.formats.gif import HEIGHT, WIDTH, scene_gif
from kempe.draw.formats.painting import outlines
from kempe.draw.view.pen import capsule, circle
from kempe.draw.view.theme import LIGHT, style_of
from kempe.errors import FileError, MissingPart
from kempe.export.writing import write
from kempe.pictures.animation import standing

NEAR = 60  # of 3 x 255: how far the palette and smooth edges may take a colour away


@pytest.fixture(scope="module")
def turn():
    return kempe.gallery.four_bar().kinematics(until=2.0, steps=40)


@pytest.fixture(scope="module")
def pages(turn):
    image = Image.open(io.BytesIO(scene_gif(standing(turn, ("coupler.P",)))))
    assert image.size == (WIDTH, HEIGHT)
    frames = []
    for k in range(image.n_frames):
        image.seek(k)
        frames.append(np.asarray(image.convert("RGB")).astype(int))
    return frames


def test_the_traced_point_moves_over_the_picture_as_over_the_plane(turn, pages):
    """Its dot has the coupler's colour; places on the picture follow places in m by one scale."""
    tone = np.array(list(bytes.fromhex(LIGHT.tones[1][1:])))
    dots = []
    for page in (pages[0], pages[10], pages[20]):
        rows, columns = np.nonzero(np.abs(page - tone).sum(axis=2) < NEAR)
        dots.append((columns.mean(), rows.mean()))
    assert len(set(dots)) == 3
    assert len(pages) == 41


def test_an_arc_of_a_path_becomes_corners_on_the_circle():
    ((corners, is_closed),) = outlines(circle(10.0, 20.0, 5.0))
    assert is_closed
    radii = [math.hypot(x - 10.0, y - 20.0) for x, y in corners]
    assert max(abs(r - 5.0) for r in radii) < 0.02  # paths have hundredths of a px
    angles = sorted(math.atan2(y - 20.0, x - 10.0) for x, y in corners)
    assert max(np.diff(angles)) < math.radians(9.0)


def test_a_capsule_has_round_ends_outside_its_axis():
    a, b = np.array([0.0, 0.0]), np.array([10.0, 0.0])
    ((corners, _),) = outlines(capsule(a, b, 2.0, round_start=True, round_end=True))
    x, y = np.array(corners).T
    assert (x.min(), x.max()) == pytest.approx((-2.0, 12.0), abs=0.02)
    assert (y.min(), y.max()) == pytest.approx((-2.0, 2.0), abs=0.02)


def test_the_style_of_a_class_is_that_of_the_style_sheet():
    assert style_of("face c1")["fill"] == LIGHT.filling(LIGHT.tones[1])
    assert style_of("solid ink")["fill"] == LIGHT.ink
    assert style_of("grid")["stroke"] == LIGHT.grid


def test_a_moving_picture_has_an_ending_that_says_what_it_is(turn, tmp_path):
    assert turn.animate(tmp_path / "turn.gif").read_bytes()[:6] == b"GIF89a"
    assert turn.animate(tmp_path / "turn.html").read_text().lower().startswith("<!doctype html>")
    for name in ("turn.avi", "turn.png", "turn"):
        with pytest.raises(FileError, match=r"\.html, \.gif, \.mp4, \.webm, \.glb"):
            turn.animate(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_gif_without_pillow_names_the_extra(turn, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingPart, match=r"kempe\[video\]"):
        turn.animate(tmp_path / "turn.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_motion_is_written_as_a_picture_in_pixels(turn, tmp_path):
    with Image.open(write(turn, tmp_path / "turn.png", trace=("coupler.P",))) as image:
        assert (image.format, image.size) == ("PNG", (2 * 960, 2 * 600))


def test_a_motion_with_free_ones_that_move_the_least_is_drawn_and_kept(tmp_path):
    """A coupler between two balls spins freely about itself: no drive holds that."""
    from pathlib import Path

    path = Path(__file__).parents[2] / "examples" / "models" / "two_ball_coupler.yaml"
    motion = kempe.load(path).kinematics(until=1.0, steps=6, free="nearest")
    assert not motion.motion.is_simulated
    motion.animate(tmp_path / "a.html")
    again = kempe.Trajectory.load(motion.save(tmp_path / "a.npz"))
    assert again.names == motion.names
    assert not any(name.startswith("energy") for name in motion.names)
