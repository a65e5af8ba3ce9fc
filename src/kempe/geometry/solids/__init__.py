"""Solids: shapes of one material, from which mass properties follow."""

from kempe.geometry.solids.abstract import AbstractSolid
from kempe.geometry.solids.cone import Cone
from kempe.geometry.solids.convex_part import ConvexPart
from kempe.geometry.solids.cuboid import Cuboid
from kempe.geometry.solids.cylinder import Cylinder
from kempe.geometry.solids.mesh import Mesh
from kempe.geometry.solids.plate import Plate
from kempe.geometry.solids.revolution import Revolution
from kempe.geometry.solids.slender_bar import SlenderBar
from kempe.geometry.solids.sphere import Sphere
from kempe.geometry.solids.tube import Tube

__all__ = [
    "AbstractSolid",
    "Cone",
    "ConvexPart",
    "Cuboid",
    "Cylinder",
    "Mesh",
    "Plate",
    "Revolution",
    "SlenderBar",
    "Sphere",
    "Tube",
]
