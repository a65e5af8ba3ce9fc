"""What joints, drives, springs and weights do to bodies along a motion, as plain arrays."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.results.subject import Triple

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ActingLoad:
    """A force and a torque that act on a body at one of its points, and oppositely on another body.

    `point` (m) is in the axes of `body`; `force` (N) and `torque` (N m, about that point) are in
    world axes, (n, 3) also in the plane. `other` is the body that pushes back, "ground" or, where
    only one body is meant (weights, one end of a spring), the body itself.
    """

    name: str
    body: str
    point: Triple
    other: str
    force: FloatArray
    torque: FloatArray

    def cut(self, samples: slice) -> "ActingLoad":
        """The load at some of the samples."""
        return replace(self, force=self.force[samples].copy(), torque=self.torque[samples].copy())
