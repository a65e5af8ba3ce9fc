"""A curve of one body that touches a curve of another."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from kempe.constraints import AbstractConstraint, TouchingCurves
from kempe.errors import BadConnection
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.curves import AbstractCurve, Line, Segment
from kempe.geometry.surfaces.abstract import drawn_between
from kempe.joints.numbered import AbstractCheckedJoint

SOMEWHERE = 0.37  # of a domain: away from ends and symmetries


@dataclass(frozen=True, kw_only=True)
class AbstractCurvePair(AbstractCheckedJoint):
    """A joint that holds a curve of I and a curve of J in one place where they touch."""

    curve: AbstractCurve  # of I
    other: AbstractCurve  # of J

    made_of: ClassVar[type[AbstractConstraint]] = TouchingCurves

    def __post_init__(self) -> None:
        if all(isinstance(c, Line | Segment) for c in (self.curve, self.other)):
            raise BadConnection(
                f"joint {self.called} cannot hold two straight lines by a place where they touch:"
                " they touch all along. Use BarsApart, or a slide."
            )
        super().__post_init__()

    @property
    def home(self) -> Pose:
        places, ways = zip(*(_somewhere(c) for c in (self.curve, self.other)), strict=True)
        turns = [math.atan2(float(way[1]), float(way[0])) for way in ways]
        R_IJ = Rotation.planar(turns[0] - turns[1])
        p = Vector(*places[0].tolist()) - R_IJ.apply(Vector(*places[1].tolist()))
        return Pose(Vector(*np.array(p, float).tolist()), R_IJ)


@final
@dataclass(frozen=True, kw_only=True)
class CurveOnCurve(AbstractCurvePair):
    """A curve of J touches a curve of I in a point, and slides and rolls on it freely.

    phi = (p_WI + R_WI C(s) - p_WJ - R_WJ D(t),  (C'(s) x D'(t)) . z_I / (speeds))

    A cam and its rocker, two teeth: both curves in one plane. The places s and t are unknowns of
    its own. It is held both ways, and never lifts off; on which side it lies tells where it is put.
    One that does not slip is RollingCurves.

    Source: [Barton] section 2.2, tangency, for two curves.
    """


def _somewhere(curve: AbstractCurve) -> tuple[Any, Any]:
    """A place on a curve, and its derivative there."""
    low, high = drawn_between(curve.domain, 1.0)
    t = low + SOMEWHERE * (high - low)
    return np.asarray(curve(t), float), np.asarray(curve(t, 1), float)
