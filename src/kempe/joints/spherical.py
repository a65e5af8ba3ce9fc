"""A ball in a socket."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.constraints import AbstractConstraint, Coincident
from kempe.joints.abstract import AbstractJoint
from kempe.measures import TURNS, AbstractMeasure


@final
@dataclass(frozen=True)
class Spherical(AbstractJoint):
    """A ball in a socket: two markers share a point, and all turns are left free.

    phi = p_WI - p_WJ

    Source: [GeorgeGuenter] spherical joint, [KohPark] fig. 2.
    """

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = (Coincident(),)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = TURNS
    symbol: ClassVar[str] = "ball"
