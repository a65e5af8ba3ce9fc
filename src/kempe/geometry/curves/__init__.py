"""Curves: lines, circles, ellipses, helices and splines, on numbers and in formulas."""

from kempe.geometry.curves.abstract import AbstractCurve as AbstractCurve
from kempe.geometry.curves.abstract import Domain as Domain
from kempe.geometry.curves.abstract import Nearest as Nearest
from kempe.geometry.curves.arc import Arc as Arc
from kempe.geometry.curves.bezier import Bezier as Bezier
from kempe.geometry.curves.bspline import BSpline as BSpline
from kempe.geometry.curves.circle import Circle as Circle
from kempe.geometry.curves.ellipse import Ellipse as Ellipse
from kempe.geometry.curves.helix import Helix as Helix
from kempe.geometry.curves.line import Line as Line
from kempe.geometry.curves.polyline import Polyline as Polyline
from kempe.geometry.curves.segment import Segment as Segment
from kempe.geometry.curves.through import Through as Through
from kempe.names import exported

__all__ = exported(globals())
