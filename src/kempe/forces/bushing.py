"""A bushing: springs and dampers in all six directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Pose, Rotation, Scalar, Vector
from kempe.geometry.number import finite
from kempe.units import (
    OF_DIRECTIONS,
    DirectionDamping,
    DirectionStiffness,
    unit_of_direction,
)

SYMMETRIC = 1e-9  # of the largest entry: what the digits of a file lose


@final
@dataclass(frozen=True)
class Bushing(AbstractForce):
    """Rubber between two bodies: stiff and damped along and about all three axes of marker I.

    x = (R_I^T (p_J - p_I), axial(R_IJ));  F = -K x - C dx/dt;  E = x^T K x / 2

    `stiffness` and `damping` are six numbers, or six rows of six for a bushing whose directions act
    on each other: lengths first, then angles. axial(R) = sin(angle) axis, so that the torque of a
    pure twist is k sin(angle): right for the small angles a bushing allows, and without a seam.

    Own: the torque is the gradient of E, with d axial(R) = (tr(R) 1 - R) w / 2.
    """

    I: Marker
    J: Marker
    stiffness: tuple[DirectionStiffness, ...]  # 6, or 36 row by row: N/m, N m/rad and mixed
    damping: tuple[DirectionDamping, ...] = (0.0,) * 6

    symbol: ClassVar[str] = "bushing"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_two_bodies()
        for word in ("stiffness", "damping"):
            object.__setattr__(self, word, self._checked(word, getattr(self, word)))

    def _checked(self, word: str, given: Any) -> tuple[float, ...]:
        who = f"the {word} of bushing {self.name or 'Bushing'!r}"
        unit = OF_DIRECTIONS[word == "damping"]
        flat = np.asarray(given, dtype=object).ravel().tolist()
        if any(isinstance(entry, str) for entry in flat):
            given = [
                finite(entry, who, unit_of_direction(unit, k, len(flat)))
                for k, entry in enumerate(flat)
            ]
        matrix = np.asarray(given, dtype=np.float64)
        if matrix.shape not in ((6,), (36,), (6, 6)):
            raise BadNumber(f"{who} is six numbers or six rows of six, not shape {matrix.shape}.")
        if not np.isfinite(matrix).all():
            raise BadNumber(f"{who} has a value that is not finite.")
        if matrix.size == 36:
            square = matrix.reshape(6, 6)
            if abs(square - square.T).max() > SYMMETRIC * abs(square).max():
                raise BadNumber(
                    f"{who} is not symmetric: it would make energy from nothing. Use its symmetric"
                    " part."
                )
        return tuple(matrix.ravel().tolist())

    def action(self, now: Instant) -> Action:
        x, R_IJ = self._deflection(now.X)
        rates = self._rates(now, R_IJ)
        push = [
            -a - b
            for a, b in zip(_times(self.stiffness, x), _times(self.damping, rates), strict=True)
        ]
        R_WI = now.X[0].rotation
        force, turning = Vector(*push[:3]), Vector(*push[3:])
        torque = (turning * _trace(R_IJ) - R_IJ.inverse().apply(turning)) * 0.5
        return Action.between(now, R_WI.apply(force), R_WI.apply(torque))

    def energy(self, now: Instant) -> Scalar:
        x, _ = self._deflection(now.X)
        loads = _times(self.stiffness, x)
        return 0.5 * sum(a * b for a, b in zip(loads, x, strict=True))

    @staticmethod
    def _deflection(X: Sequence[Pose]) -> tuple[list[Scalar], Rotation]:
        R_IW = X[0].rotation.inverse()
        R = R_IW @ X[1].rotation
        axial = Vector(R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x) * 0.5
        return [*R_IW.apply(X[1].position - X[0].position), *axial], R

    @staticmethod
    def _rates(now: Instant, R: Rotation) -> list[Scalar]:
        (X_I, X_J), (V_I, V_J) = now.X, now.V
        R_IW = X_I.rotation.inverse()
        arm = X_J.position - X_I.position
        along = R_IW.apply(V_J.v - V_I.v - V_I.w.cross(arm))
        w = R_IW.apply(V_J.w - V_I.w)
        return [*along, *((w * _trace(R) - R.apply(w)) * 0.5)]


def _trace(R: Rotation) -> Scalar:
    return R.x.x + R.y.y + R.z.z


def _times(matrix: tuple[Any, ...], x: Sequence[Scalar]) -> list[Scalar]:
    if len(matrix) == 6:
        return [k * e for k, e in zip(matrix, x, strict=True)]
    rows = (matrix[6 * i : 6 * i + 6] for i in range(6))
    return [sum(k * e for k, e in zip(row, x, strict=True)) for row in rows]
