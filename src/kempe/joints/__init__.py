"""Joints: the words of the trade, each one class for the plane and for space."""

from kempe.joints.absolute import Absolute
from kempe.joints.abstract import AbstractJoint
from kempe.joints.angle import Angle
from kempe.joints.bar_angle import BarAngle
from kempe.joints.bar_off_curve import BarOffCurve
from kempe.joints.bar_on_curve import BarOnCurve
from kempe.joints.bars_apart import BarsApart
from kempe.joints.bars_parallel import BarsParallel
from kempe.joints.constant_velocity import ConstantVelocity
from kempe.joints.cyl_sph import CylSph
from kempe.joints.cylindrical import Cylindrical
from kempe.joints.fixed import Fixed
from kempe.joints.joint import Joint
from kempe.joints.line_angle import LineAngle
from kempe.joints.line_in_plane import LineInPlane
from kempe.joints.no_rotation import NoRotation
from kempe.joints.numbered import (
    AbstractBarJoint,
    AbstractBarPair,
    AbstractCheckedJoint,
    AbstractDirectedBars,
    AbstractMasslessLink,
    AbstractOnPlane,
)
from kempe.joints.parallel_axes import ParallelAxes
from kempe.joints.perpendicular_axes import PerpendicularAxes
from kempe.joints.pin_in_slot import PinInSlot
from kempe.joints.planar import Planar
from kempe.joints.point_from_bar import PointFromBar
from kempe.joints.point_from_curve import PointFromCurve
from kempe.joints.point_in_plane import PointInPlane
from kempe.joints.point_on_curve import PointOnCurve
from kempe.joints.point_on_line import PointOnLine
from kempe.joints.prismatic import Prismatic
from kempe.joints.rev_cyl import RevCyl
from kempe.joints.rev_rev import RevRev
from kempe.joints.revolute import Revolute
from kempe.joints.rod import Rod
from kempe.joints.screw import Screw
from kempe.joints.side import AbstractSide, Opposed, SameWay
from kempe.joints.skew_bars import SkewBars
from kempe.joints.spherical import Spherical
from kempe.joints.universal import Universal
from kempe.joints.ways import Kind, Ways

__all__ = [
    "Absolute",
    "AbstractBarJoint",
    "AbstractBarPair",
    "AbstractCheckedJoint",
    "AbstractDirectedBars",
    "AbstractJoint",
    "AbstractMasslessLink",
    "AbstractOnPlane",
    "AbstractSide",
    "Angle",
    "BarAngle",
    "BarOffCurve",
    "BarOnCurve",
    "BarsApart",
    "BarsParallel",
    "ConstantVelocity",
    "CylSph",
    "Cylindrical",
    "Fixed",
    "Joint",
    "Kind",
    "LineAngle",
    "LineInPlane",
    "NoRotation",
    "Opposed",
    "ParallelAxes",
    "PerpendicularAxes",
    "PinInSlot",
    "Planar",
    "PointFromBar",
    "PointFromCurve",
    "PointInPlane",
    "PointOnCurve",
    "PointOnLine",
    "Prismatic",
    "RevCyl",
    "RevRev",
    "Revolute",
    "Rod",
    "SameWay",
    "Screw",
    "SkewBars",
    "Spherical",
    "Universal",
    "Ways",
]
