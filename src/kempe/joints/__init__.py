"""Joints: the words of the trade, each one class for the plane and for space."""

from kempe.joints.absolute import Absolute as Absolute
from kempe.joints.abstract import AbstractJoint as AbstractJoint
from kempe.joints.angle import Angle as Angle
from kempe.joints.bar_angle import BarAngle as BarAngle
from kempe.joints.bar_off_curve import BarOffCurve as BarOffCurve
from kempe.joints.bar_on_curve import BarOnCurve as BarOnCurve
from kempe.joints.bars_apart import BarsApart as BarsApart
from kempe.joints.bars_parallel import BarsParallel as BarsParallel
from kempe.joints.constant_velocity import ConstantVelocity as ConstantVelocity
from kempe.joints.cyl_sph import CylSph as CylSph
from kempe.joints.cylindrical import Cylindrical as Cylindrical
from kempe.joints.fixed import Fixed as Fixed
from kempe.joints.joint import Joint as Joint
from kempe.joints.knife_edge import KnifeEdge as KnifeEdge
from kempe.joints.line_angle import LineAngle as LineAngle
from kempe.joints.line_in_plane import LineInPlane as LineInPlane
from kempe.joints.no_rotation import NoRotation as NoRotation
from kempe.joints.numbered import AbstractBarJoint as AbstractBarJoint
from kempe.joints.numbered import AbstractBarPair as AbstractBarPair
from kempe.joints.numbered import AbstractCheckedJoint as AbstractCheckedJoint
from kempe.joints.numbered import AbstractDirectedBars as AbstractDirectedBars
from kempe.joints.numbered import AbstractMasslessLink as AbstractMasslessLink
from kempe.joints.numbered import AbstractOnPlane as AbstractOnPlane
from kempe.joints.parallel_axes import ParallelAxes as ParallelAxes
from kempe.joints.perpendicular_axes import PerpendicularAxes as PerpendicularAxes
from kempe.joints.pin_in_slot import PinInSlot as PinInSlot
from kempe.joints.planar import Planar as Planar
from kempe.joints.point_from_bar import PointFromBar as PointFromBar
from kempe.joints.point_from_curve import PointFromCurve as PointFromCurve
from kempe.joints.point_in_plane import PointInPlane as PointInPlane
from kempe.joints.point_on_curve import PointOnCurve as PointOnCurve
from kempe.joints.point_on_line import PointOnLine as PointOnLine
from kempe.joints.prismatic import Prismatic as Prismatic
from kempe.joints.rev_cyl import RevCyl as RevCyl
from kempe.joints.rev_rev import RevRev as RevRev
from kempe.joints.revolute import Revolute as Revolute
from kempe.joints.rod import Rod as Rod
from kempe.joints.rolling import AbstractRolling as AbstractRolling
from kempe.joints.rolling_disc import RollingDisc as RollingDisc
from kempe.joints.rolling_ellipsoid import RollingEllipsoid as RollingEllipsoid
from kempe.joints.rolling_on_curve import RollingOnCurve as RollingOnCurve
from kempe.joints.rolling_on_sphere import RollingOnSphere as RollingOnSphere
from kempe.joints.rolling_sphere import RollingSphere as RollingSphere
from kempe.joints.screw import Screw as Screw
from kempe.joints.side import AbstractSide as AbstractSide
from kempe.joints.side import Opposed as Opposed
from kempe.joints.side import SameWay as SameWay
from kempe.joints.skew_bars import SkewBars as SkewBars
from kempe.joints.spherical import Spherical as Spherical
from kempe.joints.universal import Universal as Universal
from kempe.joints.ways import Kind as Kind
from kempe.joints.ways import Ways as Ways
from kempe.names import exported

__all__ = exported(globals())
