"""Curves: lines, circles, ellipses, helices and splines, on numbers and in formulas."""

from kempe.geometry.curves.abstract import AbstractCurve, Domain, Nearest
from kempe.geometry.curves.arc import Arc
from kempe.geometry.curves.bezier import Bezier
from kempe.geometry.curves.bspline import BSpline
from kempe.geometry.curves.circle import Circle
from kempe.geometry.curves.ellipse import Ellipse
from kempe.geometry.curves.helix import Helix
from kempe.geometry.curves.line import Line
from kempe.geometry.curves.polyline import Polyline
from kempe.geometry.curves.segment import Segment
from kempe.geometry.curves.through import Through

__all__ = [
    "AbstractCurve",
    "Arc",
    "BSpline",
    "Bezier",
    "Circle",
    "Domain",
    "Ellipse",
    "Helix",
    "Line",
    "Nearest",
    "Polyline",
    "Segment",
    "Through",
]
