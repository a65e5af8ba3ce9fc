"""A scene as a film: frames painted as those of a GIF, pressed by the ffmpeg that comes along."""

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby, repeat
from pathlib import Path

from kempe.draw.formats.painting import even_samples, painted, playing_time
from kempe.draw.scene.scene import Scene
from kempe.errors import BadNumber, KempeError

WIDTH, HEIGHT = 1280, 800  # px; even, as films want
RATE = 30  # frames a second
# ending -> what ffmpeg is told: a codec, how much to keep, and where the index goes
CODECS: Mapping[str, str] = {
    ".mp4": "-c:v libx264 -crf 20 -movflags +faststart",
    ".webm": "-c:v libvpx-vp9 -crf 30 -b:v 0 -row-mt 1 -deadline good -cpu-used 4",
}


def scene_video(
    scene: Scene, ending: str = ".mp4", *, width: int = WIDTH, height: int = HEIGHT
) -> bytes:
    """The scene as a film of `width` by `height` px: H.264 in .mp4 or VP9 in .webm, by `ending`.

    It plays as long as a GIF of the scene does, 30 frames a second. Needs Pillow and
    imageio-ffmpeg, which brings ffmpeg.
    """
    if ending not in CODECS:
        raise BadNumber(f"a film ends in {' or '.join(CODECS)}, not in {ending!r}.")
    if width % 2 or height % 2 or min(width, height) < 2:
        raise BadNumber(f"a film has an even number of px each way, not {width} x {height}.")
    count = max(2, round(playing_time(scene) * RATE))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"film{ending}"
        given = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {RATE} -i -"
        told = f"{given} {CODECS[ending]} -pix_fmt yuv420p"
        _pressed(told.split(), target, _frames(scene, count, width, height))
        return target.read_bytes()


def _pressed(told: list[str], target: Path, frames: Iterator[bytes]) -> None:
    """Let ffmpeg read frames and write a film; a KempeError with its last line where it cannot."""
    import imageio_ffmpeg

    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y", *told, str(target)]
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as ffmpeg:
            assert ffmpeg.stdin is not None
            try:
                for frame in frames:
                    ffmpeg.stdin.write(frame)
                ffmpeg.stdin.close()
            except BrokenPipeError:  # it gave up, and says why
                pass
        if ffmpeg.returncode:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            reason = lines[-1] if lines else f"exit code {ffmpeg.returncode}"
            raise KempeError(f"ffmpeg could not make the film: {reason}")


def _frames(scene: Scene, count: int, width: int, height: int) -> Iterator[bytes]:
    """`count` frames, evenly in time, as bytes; a sample that is shown again is painted once."""
    chosen = even_samples(scene.times, count)
    runs = [(index, len(list(same))) for index, same in groupby(chosen)]
    pages = painted(scene, [index for index, _ in runs], width, height)
    for (_, repeats), page in zip(runs, pages, strict=True):
        yield from repeat(page.tobytes(), repeats)
