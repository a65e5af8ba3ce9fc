"""Solids: shapes of one material, from which mass properties follow."""

from typing import TYPE_CHECKING

from kempe.on_demand import OnDemand

if TYPE_CHECKING:
    from kempe.geometry.solids.abstract import AbstractSolid as AbstractSolid
    from kempe.geometry.solids.cone import Cone as Cone
    from kempe.geometry.solids.convex_part import ConvexPart as ConvexPart
    from kempe.geometry.solids.cuboid import Cuboid as Cuboid
    from kempe.geometry.solids.cylinder import Cylinder as Cylinder
    from kempe.geometry.solids.mesh import Mesh as Mesh
    from kempe.geometry.solids.plate import Plate as Plate
    from kempe.geometry.solids.revolution import Revolution as Revolution
    from kempe.geometry.solids.slender_bar import SlenderBar as SlenderBar
    from kempe.geometry.solids.sphere import Sphere as Sphere
    from kempe.geometry.solids.tube import Tube as Tube

__getattr__ = OnDemand(
    __name__,
    {
        "abstract": "AbstractSolid",
        "cone": "Cone",
        "convex_part": "ConvexPart",
        "cuboid": "Cuboid",
        "cylinder": "Cylinder",
        "mesh": "Mesh",
        "plate": "Plate",
        "revolution": "Revolution",
        "slender_bar": "SlenderBar",
        "sphere": "Sphere",
        "tube": "Tube",
    },
)
__all__ = __getattr__.names
