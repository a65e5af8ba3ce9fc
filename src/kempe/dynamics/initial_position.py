"""Where bodies start instead of where they were given, in words."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.kinematics.poses import body_pose

FloatArray = NDArray[np.float64]

# Of the machine's size, or rad: less is what the digits of given places lose.
MOVED = 1e-6
MOST_NAMED = 4


def moved_bodies(layout: Layout, q: FloatArray) -> tuple[str, ...]:
    """One sentence for all bodies that the joints hold elsewhere than they were given."""
    found = []
    for body in layout.model.moving:
        if body.guess is None:
            continue
        X = body_pose(layout, q, body.name)
        step = X.position - body.guess.position
        way = math.sqrt(float(step @ step))
        turn = _angle((body.guess.rotation.inverse() @ X.rotation).matrix())
        if way > MOVED * layout.size or turn > MOVED:
            found.append(f"{body.name!r} by {way:.3g} m and {math.degrees(turn):.3g} deg")
    if not found:
        return ()
    more = len(found) - MOST_NAMED
    named = ", ".join(found[:MOST_NAMED]) + (f" and {more} more bodies" if more > 0 else "")
    return (f"the joints make bodies start away from their first guess: {named}",)


def _angle(R: FloatArray) -> float:
    """The angle of a rotation, exact for small ones."""
    axial = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return math.atan2(float(np.linalg.norm(axial)), float(np.trace(R)) - 1.0)
