"""A scene as an animated GIF."""

import io

from kempe.draw.formats.painting import even_samples, painted, playing_time
from kempe.draw.scene.scene import Scene

WIDTH, HEIGHT = 720, 450  # px
FRAME = 0.04  # s: GIF counts hundredths, and viewers slow down what is shorter than 2
COLOURS = 128  # of the palette that all frames share


def scene_gif(scene: Scene, *, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """The scene as an endless animated GIF of so many px.

    It plays in real time; a motion shorter than 1 s or longer than 10 s is stretched or pressed to
    that. Needs Pillow.
    """
    from PIL import Image

    seconds = playing_time(scene)
    count = max(2, min(len(scene.times), round(seconds / FRAME)))
    frames = painted(scene, even_samples(scene.times, count), width, height)
    palette = next(frames).quantize(COLOURS)
    pages = (page.quantize(palette=palette, dither=Image.Dither.NONE) for page in frames)
    buffer = io.BytesIO()
    palette.save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=pages,
        duration=round(1e3 * seconds / count),  # ms
        loop=0,
    )
    return buffer.getvalue()
