"""Whether a formula of two frames asks only how they lie to each other, and not how in the world.

Equations in space may be written along other axes than the world's. A formula that reads the
world's axes, as a coordinate of a place does, must then not be given frames in these.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from kempe.geometry import Pose, Rotation, Vector
from kempe.measures import Wrapped

TURN = Rotation.about((2.0, -1.0, 1.5), 1.1)
FRAMES = (  # pairs with nothing in common, so that no value is the same by chance
    (
        Pose(Vector(0.3, -0.2, 0.5), Rotation.about((1.0, 2.0, 3.0), 0.7)),
        Pose(Vector(-0.4, 0.9, 0.1), Rotation.about((-1.0, 0.5, 2.0), 1.9)),
    ),
    (
        Pose(Vector(1.1, 0.6, -0.7), Rotation.about((0.2, 1.0, -0.4), 2.3)),
        Pose(Vector(0.8, -1.3, 0.4), Rotation.about((1.0, -0.3, 0.6), 0.4)),
    ),
)
ALIKE = 1e-9  # of values of about 1: far above rounding, far below what a turn would change


def turns_along(formula: Callable[[Pose, Pose], Any]) -> bool:
    """Whether a formula says the same of two frames when both turn about the world's origin.

    It gives a number, a wrapped angle, or rows that vanish together: of those the length counts.
    """
    for X_WI, X_WJ in FRAMES:
        before = _numbers(formula(X_WI, X_WJ))
        after = _numbers(formula(_turned(X_WI), _turned(X_WJ)))
        if not np.allclose(before, after, rtol=0.0, atol=ALIKE):
            return False
    return True


def _turned(X: Pose) -> Pose:
    """X after a turn about the world's origin."""
    return Pose(TURN.apply(X.position), TURN @ X.rotation)


def _numbers(value: Any) -> list[float]:
    """What a formula gave: a number, the cosine and sine of an angle, or the length of rows."""
    if isinstance(value, Wrapped):
        return [float(np.cos(value.angle)), float(np.sin(value.angle))]
    if isinstance(value, Iterable):
        return [float(np.linalg.norm([float(row) for row in value]))]
    return [float(value)]
