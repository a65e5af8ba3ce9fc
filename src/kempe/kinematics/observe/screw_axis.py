"""Instantaneous screw axes: every small motion in space turns about a line and slides along it."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.observe.instant_centre import INFINITELY_FAR
from kempe.kinematics.observe.relative_motion import RelativeMotion

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ScrewAxis:
    """The line, in world axes, about which a body turns against another and along which it slides.

    Where the body only slides, `pitch` is infinite, `direction` the way it goes and `point` its
    origin. NaN: no motion at all.
    """

    t: FloatArray  # (n,) s
    point: FloatArray  # (n, 3) m, the axis's point nearest to the body's origin
    direction: FloatArray  # (n, 3) unit vectors; the body turns about them right-handedly
    pitch: FloatArray  # (n,) m/rad, negative for a left-handed screw


def screw_axis(relative: RelativeMotion) -> ScrewAxis:
    """Point, direction and pitch of the relative twist (v, w) at B's origin r.

    c = r + w x v / w^2,  s = w / |w|,  h = w . v / w^2

    Source: [Ball] ch. I; [Featherstone] section 2.5 for a screw's coordinates.
    """
    v, w = relative.v, relative.w
    turning, going = np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1)
    turns = turning * relative.size * INFINITELY_FAR > going
    square = np.where(turns, turning, np.nan) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        arm = np.cross(w, v) / square[:, None]
        pitch = np.einsum("ni,ni->n", w, v) / square
        direction = np.where(turns[:, None], w / turning[:, None], v / going[:, None])
    slides = ~turns & (going > 0.0)
    pitch[slides] = np.inf
    arm[slides] = 0.0
    return ScrewAxis(
        relative.t, relative.in_world(relative.p + arm), relative.turned(direction), pitch
    )
