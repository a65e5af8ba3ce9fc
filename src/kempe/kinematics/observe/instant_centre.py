"""Instant centres: the point of the plane about which one body turns against another."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import ModelError
from kempe.kinematics.observe.relative_motion import RelativeMotion

FloatArray = NDArray[np.float64]

# A centre farther away than so many machines is at infinity: of the turning that would place it,
# rounding leaves no more than half the digits.
INFINITELY_FAR = 1e8


@final
@dataclass(frozen=True, slots=True, eq=False)
class InstantCentre:
    """Where two bodies have no velocity against each other, in world axes.

    A body that is carried along without turning has its centre at infinity, square to the way it
    goes: there `point` is NaN and `direction` says where. NaN in both: no motion at all.
    """

    t: FloatArray  # (n,) s
    point: FloatArray  # (n, 2) m
    direction: FloatArray  # (n, 2) unit vectors, only for centres at infinity
    size: float  # m, of the machine

    @property
    def is_finite(self) -> NDArray[np.bool_]:
        """Where the centre is a point of the plane."""
        return np.isfinite(self.point[:, 0])

    @property
    def homogeneous(self) -> FloatArray:
        """(n, 3) unit vectors along (x, y, 1) in sizes of the machine, or (direction, 0).

        Three centres lie on one line where the determinant of their coordinates is zero, also
        where some of them are at infinity.
        """
        finite = np.column_stack([self.point / self.size, np.ones(len(self.t))])
        far = np.column_stack([self.direction, np.zeros(len(self.t))])
        all_of_them = np.where(self.is_finite[:, None], finite, far)
        unit: FloatArray = all_of_them / np.linalg.norm(all_of_them, axis=1, keepdims=True)
        return unit


def instant_centre(relative: RelativeMotion) -> InstantCentre:
    """The centre P of the relative turning, where v + w x (P - r) = 0.

    P = r + (-v_y, v_x) / w

    Source: [Bottema] ch. VIII.
    """
    if not relative.plane:
        raise ModelError(
            "an instant centre belongs to motion in the plane: ask for the screw axis of a"
            " spatial mechanism, or build it with plane=True."
        )
    w = relative.w[:, 2]
    arm = np.column_stack([-relative.v[:, 1], relative.v[:, 0], np.zeros(len(w))])
    reach = np.linalg.norm(arm, axis=1)
    finite = np.abs(w) * relative.size * INFINITELY_FAR > reach
    far = ~finite & (reach > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        point = relative.in_world(relative.p + arm / np.where(finite, w, np.nan)[:, None])
        direction = relative.turned(arm / np.where(far, reach, np.nan)[:, None])
    return InstantCentre(relative.t, point[:, :2], direction[:, :2], relative.size)
