"""Couplers: measures that depend on each other."""

from kempe.couplers.abstract import AbstractCoupler as AbstractCoupler
from kempe.couplers.abstract import Span as Span
from kempe.couplers.belt import Belt as Belt
from kempe.couplers.cam_law import CamLaw as CamLaw
from kempe.couplers.combination import Combination as Combination
from kempe.couplers.differential import Differential as Differential
from kempe.couplers.gear_pair import GearPair as GearPair
from kempe.couplers.rack_and_pinion import RackAndPinion as RackAndPinion
from kempe.couplers.screw_coupler import ScrewCoupler as ScrewCoupler
from kempe.names import exported

__all__ = exported(globals())
