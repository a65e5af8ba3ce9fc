"""Positions of a mechanism as the studio needs them: at rest, or of a document without bodies."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.draw import Scene
from kempe.front.trajectory import Trajectory
from kempe.outcome import DONE
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def resting(layout: Layout, q: FloatArray) -> Trajectory:
    """One sample of a mechanism at q, at rest."""
    rest = np.zeros((1, layout.n_v))
    return Trajectory(layout, Motion(np.zeros(1), q[None].copy(), rest, rest.copy(), DONE))


def empty_scene(name: str, *, plane: bool, unit: str, scale: float) -> Scene:
    """The scene of a document without bodies."""
    return Scene(name, plane, np.zeros(1), [], unit=unit, unit_scale=scale)
