"""A picture of where shapes touch: the mechanism at its deepest, or nearest, moment."""

from typing import TYPE_CHECKING

import numpy as np

from kempe.draw import AxisLine, scene_svg
from kempe.errors import ModelError
from kempe.pictures.animation import extent, standing
from kempe.results.interference import Interference

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

MARK = 0.04  # of the extent of the machine: half the size of the cross at the place


def interference_svg(trajectory: "Trajectory", found: Interference) -> str:
    """The sample nearest to the deepest touch, or the least gap, as SVG: a cross marks where."""
    if not found.pairs:
        raise ModelError(f"no pair of shapes of {found.name!r} was looked at: nothing to draw.")
    pair = found.pairs[0]
    scene = standing(trajectory, ())
    place = np.mean(pair.places, axis=0)
    half = MARK * extent(scene.bodies)
    ways = ([1.0, 1.0, 0.0], [1.0, -1.0, 0.0])
    marks = [AxisLine(place, way, 2.0 * half) for way in ways]
    index = int(np.argmin(np.abs(scene.times - pair.at)))
    return scene_svg(scene, index=index, names=True, marks=marks)
