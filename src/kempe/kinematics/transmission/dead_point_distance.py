"""How far the drive can still go before the mechanism is in a dead point."""

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.transmission.condition import Condition

FloatArray = NDArray[np.float64]


def dead_point_distance(condition: Condition, rate: FloatArray) -> FloatArray:
    """The way (n,) a drive that moves with `rate` (n,) has before it, by the condition's trend.

    On the way into a dead point the square of the smallest singular value falls linearly with the
    drive:  sigma^2 ~ s_dead - s,  so  s_dead - s = -sigma / (2 sigma') s'.

    Never negative, in the drive's unit; infinite where the condition is getting better or the drive
    stands still. It is an estimate that becomes exact as the dead point comes near. Where branches
    cross, sigma itself falls linearly, and the crossing is twice as far away.

    Own: from the square-root behaviour of a fold.
    """
    distance: FloatArray = np.full(len(condition), np.inf)
    nears = (condition.trend < 0.0) & (rate != 0.0)
    with np.errstate(over="ignore"):
        time = -0.5 * condition.smallest[nears] / condition.trend[nears]
        distance[nears] = time * np.abs(rate[nears])
    distance[condition.smallest == 0.0] = 0.0
    return distance
