"""Constraints: one formula of marker frames each, zero where the constraint holds."""

from kempe.constraints.abstract import AbstractConstraint
from kempe.constraints.at_angle import AtAngle
from kempe.constraints.coincident import Coincident
from kempe.constraints.distance import Distance
from kempe.constraints.distance_from_line import DistanceFromLine
from kempe.constraints.in_plane import InPlane
from kempe.constraints.on_line import OnLine
from kempe.constraints.parallel import Parallel
from kempe.constraints.perpendicular import Perpendicular
from kempe.constraints.same_orientation import SameOrientation
from kempe.constraints.same_spin import SameSpin

__all__ = [
    "AbstractConstraint",
    "AtAngle",
    "Coincident",
    "Distance",
    "DistanceFromLine",
    "InPlane",
    "OnLine",
    "Parallel",
    "Perpendicular",
    "SameOrientation",
    "SameSpin",
]
