"""Constraints: one formula of marker frames each, zero where the constraint holds."""

from kempe.constraints.abstract import AbstractConstraint, Unknown
from kempe.constraints.at_angle import AtAngle
from kempe.constraints.bar import AbstractBarConstraint, AbstractTwoBars
from kempe.constraints.bar_and_curve import AbstractBarAndCurve, AbstractWithinBarAndCurve
from kempe.constraints.bar_from_curve import BarFromCurve
from kempe.constraints.bar_within_from_curve import BarWithinFromCurve
from kempe.constraints.bars_at_angle import BarsAtAngle
from kempe.constraints.bars_at_unoriented_angle import BarsAtUnorientedAngle
from kempe.constraints.coincident import Coincident
from kempe.constraints.distance import Distance
from kempe.constraints.distance_between_bars import DistanceBetweenBars
from kempe.constraints.distance_from_bar import DistanceFromBar
from kempe.constraints.distance_from_curve import DistanceFromCurve
from kempe.constraints.distance_from_line import DistanceFromLine
from kempe.constraints.foot_within_bar import FootWithinBar
from kempe.constraints.in_plane import InPlane
from kempe.constraints.on_curve import OnCurve
from kempe.constraints.on_line import OnLine
from kempe.constraints.parallel import Parallel
from kempe.constraints.parallel_bars import ParallelBars
from kempe.constraints.parallel_bars_apart import ParallelBarsApart
from kempe.constraints.perpendicular import Perpendicular
from kempe.constraints.same_orientation import SameOrientation
from kempe.constraints.same_spin import SameSpin
from kempe.constraints.tangent_to_curve import TangentToCurve
from kempe.constraints.tangent_within_bar import TangentWithinBar

__all__ = [
    "AbstractBarAndCurve",
    "AbstractBarConstraint",
    "AbstractConstraint",
    "AbstractTwoBars",
    "AbstractWithinBarAndCurve",
    "AtAngle",
    "BarFromCurve",
    "BarWithinFromCurve",
    "BarsAtAngle",
    "BarsAtUnorientedAngle",
    "Coincident",
    "Distance",
    "DistanceBetweenBars",
    "DistanceFromBar",
    "DistanceFromCurve",
    "DistanceFromLine",
    "FootWithinBar",
    "InPlane",
    "OnCurve",
    "OnLine",
    "Parallel",
    "ParallelBars",
    "ParallelBarsApart",
    "Perpendicular",
    "SameOrientation",
    "SameSpin",
    "TangentToCurve",
    "TangentWithinBar",
    "Unknown",
]
