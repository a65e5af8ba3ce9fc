"""States: where every body is at one moment, and how fast."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def _none() -> FloatArray:
    return np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """One moment of a mechanism, as `start` of another analysis takes it.

    Coordinates and velocities as in a `Motion`: x, y, angle of a planar body, place and quaternion
    of one in space; velocities of the origins in world axes, angular ones in body axes. Poses in
    space look the same after a whole turn: `angles` has the readings that have turned, by name.
    `states` are those of the model's forces, such as the integral of a controller.
    """

    t: float  # s
    q: FloatArray  # (n_q,) m and rad
    v: FloatArray = field(default_factory=_none)  # (n_v,) m/s and rad/s; empty where nobody asked
    turns: FloatArray = field(default_factory=_none)  # (n_turns,) rad: angles that rows count
    angles: Mapping[str, float] = field(default_factory=dict)  # rad, of readings by name
    states: FloatArray = field(default_factory=_none)  # that forces have of their own, in order
