"""Couplers: measures that depend on each other."""

from kempe.couplers.abstract import AbstractCoupler
from kempe.couplers.combination import Combination

__all__ = ["AbstractCoupler", "Combination"]
