"""Rotations by the array: every way to write them, and what is done with them.

Inside, and wherever nothing else is said, a rotation R_AB is a unit quaternion (..., 4) with the
scalar first. `converted` takes arrays from one representation to another.
"""

from kempe.geometry.rotations.abstract import AbstractRepresentation
from kempe.geometry.rotations.axial_rotator import AxialRotator
from kempe.geometry.rotations.axis_angle import AxisAngle
from kempe.geometry.rotations.euler import SEQUENCES, Euler, GimbalLock
from kempe.geometry.rotations.exponential import (
    adjoint,
    axial,
    exp_se3,
    exp_so3,
    log_se3,
    log_so3,
    right_jacobian,
    right_jacobian_rate,
    rodrigues,
    skew,
)
from kempe.geometry.rotations.group import (
    converted,
    cubic,
    direction,
    distance,
    inverse,
    least_turn,
    mean,
    product,
    slerp,
    spherical,
    squad,
    turn_between,
    turned,
    uniform,
)
from kempe.geometry.rotations.matrix import Matrix, orthonormal
from kempe.geometry.rotations.modified_rodrigues import ModifiedRodrigues
from kempe.geometry.rotations.quaternion import Quaternion
from kempe.geometry.rotations.rotation_vector import RotationVector
from kempe.geometry.rotations.six_d import SixD

__all__ = [
    "SEQUENCES",
    "AbstractRepresentation",
    "AxialRotator",
    "AxisAngle",
    "Euler",
    "GimbalLock",
    "Matrix",
    "ModifiedRodrigues",
    "Quaternion",
    "RotationVector",
    "SixD",
    "adjoint",
    "axial",
    "converted",
    "cubic",
    "direction",
    "distance",
    "exp_se3",
    "exp_so3",
    "inverse",
    "least_turn",
    "log_se3",
    "log_so3",
    "mean",
    "orthonormal",
    "product",
    "right_jacobian",
    "right_jacobian_rate",
    "rodrigues",
    "skew",
    "slerp",
    "spherical",
    "squad",
    "turn_between",
    "turned",
    "uniform",
]
