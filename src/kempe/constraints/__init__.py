"""Constraints: one formula of marker frames each, zero where the constraint holds."""

from kempe.constraints.abstract import AbstractConstraint
from kempe.constraints.coincident import Coincident
from kempe.constraints.distance import Distance
from kempe.constraints.in_plane import InPlane
from kempe.constraints.perpendicular import Perpendicular

__all__ = ["AbstractConstraint", "Coincident", "Distance", "InPlane", "Perpendicular"]
