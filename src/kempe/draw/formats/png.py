"""One moment of a scene as pixels."""

import io
from collections.abc import Sequence

from kempe.draw.formats.painting import painted
from kempe.draw.scene.scene import Scene

WIDTH, HEIGHT = 1440, 900  # px


def scene_png(
    scene: Scene,
    index: int = 0,
    ghosts: Sequence[int] = (),
    *,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> bytes:
    """One sample of a scene as a PNG of so many px; `ghosts` are samples shown faintly besides.

    It is the picture that `scene_svg` draws, in light. Needs Pillow.
    """
    page = next(painted(scene, [index], width, height, ghosts))
    buffer = io.BytesIO()
    page.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()
