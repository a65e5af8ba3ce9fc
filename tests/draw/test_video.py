"""A film shows what the stills show: it is read back by ffmpeg and compared with its frames."""

import subprocess
import sys

import numpy as np
import pytest

import kempe
from kempe.draw.formats.painting import even_samples, painted
from kempe.draw.formats.video import RATE, scene_video
from kempe.errors import BadNumber, KempeError, MissingPart
from kempe.pictures.animation import standing

imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
SIZE = (320, 200)  # px
SHADES = 6.0  # of 255, on the mean: films keep less of colours than of brightness


@pytest.fixture(scope="module")
def turn():
    return kempe.gallery.four_bar().kinematics(until=1.0, steps=9)


@pytest.mark.parametrize(("ending", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_the_frames_of_a_film_are_those_that_were_painted(turn, tmp_path, ending, codec):
    scene = standing(turn, ())
    path = tmp_path / f"film{ending}"
    path.write_bytes(scene_video(scene, ending, width=SIZE[0], height=SIZE[1]))
    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    read = [ffmpeg, "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    answer = subprocess.run(read, capture_output=True, check=True)
    said = answer.stderr.decode()
    assert f"Video: {codec}" in said
    assert f"{SIZE[0]}x{SIZE[1]}" in said
    assert f"{RATE} fps" in said
    frames = list(np.frombuffer(answer.stdout, np.uint8).reshape(-1, SIZE[1], SIZE[0], 3))
    assert len(frames) == RATE  # a motion of 1 s in real time
    wanted = list(painted(scene, even_samples(scene.times, RATE), *SIZE))
    for frame, page in zip(frames, wanted, strict=True):
        assert np.abs(frame.astype(float) - np.asarray(page, dtype=float)).mean() < SHADES
    apart = np.abs(frames[0].astype(float) - np.asarray(wanted[RATE // 2], dtype=float)).mean()
    assert apart > 2.0 * np.abs(frames[0].astype(float) - np.asarray(wanted[0], dtype=float)).mean()


def test_a_film_of_an_odd_size_or_of_another_ending_is_refused(turn):
    scene = standing(turn, ())
    with pytest.raises(BadNumber, match="321 x 200"):
        scene_video(scene, width=321, height=200)
    with pytest.raises(BadNumber, match=r"\.mp4 or \.webm"):
        scene_video(scene, ".avi")


@pytest.mark.parametrize("package", ["PIL", "imageio_ffmpeg"])
def test_a_film_without_its_packages_names_the_extra(turn, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPart, match=r"kempe\[video\]"):
        turn.animate(tmp_path / "turn.mp4")
    assert not list(tmp_path.iterdir())


def test_what_ffmpeg_says_reaches_the_reader(turn, monkeypatch):
    from kempe.draw.formats import video

    monkeypatch.setattr(video, "CODECS", {".mp4": "-c:v no_such_codec"})
    with pytest.raises(KempeError, match=r"could not make the film: .+"):
        scene_video(standing(turn, ()), width=SIZE[0], height=SIZE[1])
