"""An axis and an angle as coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from kempe.geometry import Rotation, Scalar, Vector
from kempe.geometry.rotations.axis_angle import AxisAngle
from kempe.geometry.specific.abstract import AbstractOrientator, rodrigues_rotation
from kempe.geometry.specific.euler_parameters import EulerParameters


@final
@dataclass(frozen=True, slots=True)
class AxisAndAngle(AbstractOrientator):
    """(a1, a2, a3, t) with a . a = 1: a turn by t (rad) about a; singular where t is zero.

    A = cos t 1 + (1 - cos t) a a^T / a.a + sin t skew(a) / |a|

    Source: [Pissanetzky] eq. 1.48. Divided by the length of a, so that a drifting axis still gives
    a rotation.
    """

    names: ClassVar = ("a1", "a2", "a3", "angle")
    representation: ClassVar = AxisAngle()
    partner: ClassVar = EulerParameters()  # for which no turn is singular

    def A(self, s: Sequence[Scalar]) -> Rotation:
        """Rodrigues' formula."""
        axis = Vector(*s[:3])
        a = axis / axis.norm
        sine, versine = np.sin(s[3]), 1.0 - np.cos(s[3])
        return rodrigues_rotation(a, sine, versine)

    def constraint(self, s: Sequence[Scalar]) -> list[Scalar]:
        """a . a - 1."""
        return [Vector(*s[:3]).square - 1.0]
