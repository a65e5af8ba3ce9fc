"""Centrodes: the two curves that roll on each other when one body moves against another."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.observe.instant_centre import InstantCentre, instant_centre
from kempe.kinematics.observe.relative_motion import RelativeMotion

FloatArray = NDArray[np.float64]

# How many machines away a centrode is still drawn by default.
IN_SIGHT = 10.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Centrode:
    """The path of the instant centre in one body's axes; NaN where it is at infinity."""

    points: FloatArray  # (n, 2) m
    size: float  # m, of the machine
    passes_infinity: NDArray[np.bool_]  # (n - 1,) between a sample and the next

    def pieces(self, within: float | None = None) -> list[FloatArray]:
        """The curve as polylines, cut where the centre runs to infinity or out of sight.

        `within` (m) is how far from the body's origin the curve is followed: ten times the size of
        the machine if omitted.
        """
        reach = IN_SIGHT * self.size if within is None else within
        seen = np.linalg.norm(self.points, axis=1) <= reach  # NaN is not
        cuts = np.flatnonzero(self.passes_infinity | ~seen[:-1] | ~seen[1:]) + 1
        runs = np.split(np.arange(len(self.points)), cuts)
        return [self.points[run] for run in runs if len(run) > 1]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Centrodes:
    """`fixed` in the axes of the base, `moving` in the axes of the body that rolls on it."""

    fixed: Centrode
    moving: Centrode


def centrodes(relative: RelativeMotion) -> Centrodes:
    """The paths of the instant centre in both bodies: p_AP and R^T (p_AP - p_AB).

    Source: [Bottema] ch. VIII: the moving centrode rolls on the fixed one without slip.
    """
    centre = instant_centre(relative)
    flat = np.column_stack([centre.point, np.zeros(len(centre.t))])
    in_base = np.einsum("nji,nj->ni", relative.base_rotation, flat - relative.base_position)
    passes = _passes_infinity(relative, centre)
    return Centrodes(
        Centrode(in_base[:, :2], relative.size, passes),
        Centrode(relative.in_body(in_base)[:, :2], relative.size, passes),
    )


def _passes_infinity(relative: RelativeMotion, centre: InstantCentre) -> NDArray[np.bool_]:
    """Where the turning changes sign and the motion does not turn back.

    A motion that turns back reverses the whole twist, and its centre stays where it is.

    Own: the sign of the scalar product of neighbouring twists tells the two apart.
    """
    twist = np.column_stack([relative.v[:, :2] / relative.size, relative.w[:, 2]])
    onward = np.einsum("ni,ni->n", twist[:-1], twist[1:]) > 0.0
    turns_over = twist[:-1, 2] * twist[1:, 2] < 0.0
    gap = ~(centre.is_finite[:-1] & centre.is_finite[1:])
    passes: NDArray[np.bool_] = (turns_over & onward) | gap
    return passes
