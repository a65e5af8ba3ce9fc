"""Surfaces: planes, round ones, what curves sweep, and splines, on numbers and in formulas."""

from kempe.geometry.surfaces.abstract import AbstractSurface as AbstractSurface
from kempe.geometry.surfaces.abstract import Curvature as Curvature
from kempe.geometry.surfaces.bspline import BSplineSurface as BSplineSurface
from kempe.geometry.surfaces.cone import ConeSurface as ConeSurface
from kempe.geometry.surfaces.cylinder import CylinderSurface as CylinderSurface
from kempe.geometry.surfaces.extrusion import ExtrusionSurface as ExtrusionSurface
from kempe.geometry.surfaces.nearest import NearestOnSurface as NearestOnSurface
from kempe.geometry.surfaces.plane import PlaneSurface as PlaneSurface
from kempe.geometry.surfaces.revolution import RevolutionSurface as RevolutionSurface
from kempe.geometry.surfaces.ruled import RuledSurface as RuledSurface
from kempe.geometry.surfaces.sphere import SphereSurface as SphereSurface
from kempe.geometry.surfaces.torus import TorusSurface as TorusSurface
from kempe.names import exported

__all__ = exported(globals())
