"""Where a mechanism is after it was dragged."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnknownName, nearest_name
from kempe.geometry import Pose
from kempe.outcome import Outcome


@final
@dataclass(frozen=True, slots=True, eq=False)
class Dragged:
    """The poses X_WB of all moving bodies, and how near the point came to its target.

    The outcome is Done where the point is on its target; LimitReached where it is as near as it can
    get, be it for want of reach or for a given limit; Bifurcation where it stopped because ways to
    move cross there; Locked where nothing can move.
    """

    poses: dict[str, Pose]
    position: NDArray[np.float64]  # of the point, (2,) in the plane, else (3,), m
    distance: float  # from the target, m
    outcome: Outcome
    steps: int  # small steps that were made

    def __getitem__(self, body: str) -> Pose:
        if body not in self.poses:
            raise UnknownName(f"there is no body {body!r}.{nearest_name(body, self.poses)}")
        return self.poses[body]
