"""Axes of a link that are almost, but not quite, parallel or square."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.geometry import Marker
from kempe.model.graph import Loop

# Axes count as meant to be parallel or square within the larger angle, and as being it within the
# smaller one (rad).
NEARLY, EXACTLY = 0.05, 1e-9


@final
@dataclass(frozen=True, slots=True)
class Tilt:
    """The axes of two joints on one body are off parallel or square by an angle (rad)."""

    joint: str  # the one to look at first
    other: str
    body: str
    angle: float
    meant: str  # "parallel" or "square"

    def __str__(self) -> str:
        size = f"{self.angle:.3g} rad ({math.degrees(self.angle):.3g} deg)"
        return (
            f"on {self.body!r} the axis of {self.joint!r} is {size} off"
            f" {'parallel' if self.meant == 'parallel' else 'square'} to that of {self.other!r}"
        )


def tilted_axis(loop: Loop) -> Tilt | None:
    """The largest tilt of a loop's links; None where all axes are straight, or meant aslant."""
    return max(tilted_axes(loop), key=lambda tilt: tilt.angle, default=None)


def tilted_axes(loop: Loop) -> list[Tilt]:
    """The tilts of a loop's links, one for each link whose two axes are not straight.

    Own: a twist close to a quarter turn is taken for one that was meant to be exact.
    """
    found = []
    for k, body in enumerate(loop.bodies):
        pair = (loop.joints[k - 1], loop.joints[k])
        if len(loop.bodies) < 3 or not all(loop.ways[i].has_z for i in (k - 1, k)):
            continue
        a, b = (next(m for m in j.markers if m.body == body) for j in pair)
        z_a, z_b = (np.array(list(m.rotation.z), dtype=float) for m in (a, b))
        angle = math.atan2(float(np.linalg.norm(np.cross(z_a, z_b))), float(z_a @ z_b))
        quarters = round(angle / (0.5 * math.pi))
        off = abs(angle - quarters * 0.5 * math.pi)
        if EXACTLY < off < NEARLY:
            first, second = pair if _skew(a) > _skew(b) else pair[::-1]
            meant = "square" if quarters % 2 else "parallel"
            found.append(Tilt(first.name, second.name, body, off, meant))
    return found


def _skew(marker: Marker) -> float:
    """How far a marker's axis is from the nearest axis of its body: the sine of the angle."""
    z = np.abs(np.array(list(marker.rotation.z), dtype=float))
    return float(np.linalg.norm(np.delete(z, int(z.argmax()))))
