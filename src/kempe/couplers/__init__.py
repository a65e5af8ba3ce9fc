"""Couplers: measures that depend on each other."""

from kempe.couplers.abstract import AbstractCoupler, Span
from kempe.couplers.belt import Belt
from kempe.couplers.cam_law import CamLaw
from kempe.couplers.combination import Combination
from kempe.couplers.differential import Differential
from kempe.couplers.gear_pair import GearPair
from kempe.couplers.rack_and_pinion import RackAndPinion
from kempe.couplers.screw_coupler import ScrewCoupler

__all__ = [
    "AbstractCoupler",
    "Belt",
    "CamLaw",
    "Combination",
    "Differential",
    "GearPair",
    "RackAndPinion",
    "ScrewCoupler",
    "Span",
]
