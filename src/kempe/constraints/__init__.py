"""Constraints: one formula of marker frames each, zero where the constraint holds."""

from kempe.constraints.abstract import AbstractConstraint as AbstractConstraint
from kempe.constraints.abstract import Unknown as Unknown
from kempe.constraints.at_angle import AtAngle as AtAngle
from kempe.constraints.bar import AbstractBarConstraint as AbstractBarConstraint
from kempe.constraints.bar import AbstractTwoBars as AbstractTwoBars
from kempe.constraints.bar import Parted as Parted
from kempe.constraints.bar_and_curve import AbstractBarAndCurve as AbstractBarAndCurve
from kempe.constraints.bar_and_curve import AbstractWithinBarAndCurve as AbstractWithinBarAndCurve
from kempe.constraints.bar_and_surface import AbstractBarAndSurface as AbstractBarAndSurface
from kempe.constraints.bar_at_plane import BarAtPlane as BarAtPlane
from kempe.constraints.bar_from_curve import BarFromCurve as BarFromCurve
from kempe.constraints.bar_from_surface import BarFromSurface as BarFromSurface
from kempe.constraints.bar_within_from_curve import BarWithinFromCurve as BarWithinFromCurve
from kempe.constraints.bar_within_from_surface import (
    BarWithinFromSurface as BarWithinFromSurface,
)
from kempe.constraints.bars_at_angle import BarsAtAngle as BarsAtAngle
from kempe.constraints.bars_at_unoriented_angle import (
    BarsAtUnorientedAngle as BarsAtUnorientedAngle,
)
from kempe.constraints.coincident import Coincident as Coincident
from kempe.constraints.curve_touching_surface import (
    CurveTouchingSurface as CurveTouchingSurface,
)
from kempe.constraints.distance import Distance as Distance
from kempe.constraints.distance_between_bars import DistanceBetweenBars as DistanceBetweenBars
from kempe.constraints.distance_from_bar import DistanceFromBar as DistanceFromBar
from kempe.constraints.distance_from_curve import DistanceFromCurve as DistanceFromCurve
from kempe.constraints.distance_from_line import DistanceFromLine as DistanceFromLine
from kempe.constraints.distance_from_surface import DistanceFromSurface as DistanceFromSurface
from kempe.constraints.face_from_surface import FaceFromSurface as FaceFromSurface
from kempe.constraints.foot_within_bar import FootWithinBar as FootWithinBar
from kempe.constraints.in_plane import InPlane as InPlane
from kempe.constraints.of_surface import AbstractPointAndSurface as AbstractPointAndSurface
from kempe.constraints.on_curve import OnCurve as OnCurve
from kempe.constraints.on_line import OnLine as OnLine
from kempe.constraints.on_surface import OnSurface as OnSurface
from kempe.constraints.parallel import Parallel as Parallel
from kempe.constraints.parallel_bars import ParallelBars as ParallelBars
from kempe.constraints.parallel_bars_apart import ParallelBarsApart as ParallelBarsApart
from kempe.constraints.perpendicular import Perpendicular as Perpendicular
from kempe.constraints.same_orientation import SameOrientation as SameOrientation
from kempe.constraints.same_spin import SameSpin as SameSpin
from kempe.constraints.tangent_to_curve import TangentToCurve as TangentToCurve
from kempe.constraints.tangent_within_bar import TangentWithinBar as TangentWithinBar
from kempe.constraints.touching_curves import TouchingCurves as TouchingCurves
from kempe.constraints.touching_surfaces import TouchingSurfaces as TouchingSurfaces
from kempe.names import exported

__all__ = exported(globals())
