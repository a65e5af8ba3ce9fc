"""Rotations by the array: every way to write them, and what is done with them.

Inside, and wherever nothing else is said, a rotation R_AB is a unit quaternion (..., 4) with the
scalar first. `converted` takes arrays from one representation to another.
"""

from kempe.geometry.rotations.abstract import AbstractRepresentation as AbstractRepresentation
from kempe.geometry.rotations.axial_rotator import AxialRotator as AxialRotator
from kempe.geometry.rotations.axis_angle import AxisAngle as AxisAngle
from kempe.geometry.rotations.euler import SEQUENCES as SEQUENCES
from kempe.geometry.rotations.euler import Euler as Euler
from kempe.geometry.rotations.euler import GimbalLock as GimbalLock
from kempe.geometry.rotations.exponential import adjoint as adjoint
from kempe.geometry.rotations.exponential import axial as axial
from kempe.geometry.rotations.exponential import exp_se3 as exp_se3
from kempe.geometry.rotations.exponential import exp_so3 as exp_so3
from kempe.geometry.rotations.exponential import log_se3 as log_se3
from kempe.geometry.rotations.exponential import log_so3 as log_so3
from kempe.geometry.rotations.exponential import right_jacobian as right_jacobian
from kempe.geometry.rotations.exponential import right_jacobian_rate as right_jacobian_rate
from kempe.geometry.rotations.exponential import rodrigues as rodrigues
from kempe.geometry.rotations.exponential import skew as skew
from kempe.geometry.rotations.group import converted as converted
from kempe.geometry.rotations.group import cubic as cubic
from kempe.geometry.rotations.group import direction as direction
from kempe.geometry.rotations.group import distance as distance
from kempe.geometry.rotations.group import inverse as inverse
from kempe.geometry.rotations.group import least_turn as least_turn
from kempe.geometry.rotations.group import mean as mean
from kempe.geometry.rotations.group import product as product
from kempe.geometry.rotations.group import slerp as slerp
from kempe.geometry.rotations.group import spherical as spherical
from kempe.geometry.rotations.group import squad as squad
from kempe.geometry.rotations.group import turn_between as turn_between
from kempe.geometry.rotations.group import turned as turned
from kempe.geometry.rotations.group import uniform as uniform
from kempe.geometry.rotations.matrix import Matrix as Matrix
from kempe.geometry.rotations.matrix import orthonormal as orthonormal
from kempe.geometry.rotations.modified_rodrigues import ModifiedRodrigues as ModifiedRodrigues
from kempe.geometry.rotations.quaternion import Quaternion as Quaternion
from kempe.geometry.rotations.rotation_vector import RotationVector as RotationVector
from kempe.geometry.rotations.six_d import SixD as SixD
from kempe.names import exported

__all__ = exported(globals())
