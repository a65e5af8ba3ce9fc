"""How a mechanism moves under forces."""

from kempe.dynamics.fixed_step import FixedStep
from kempe.dynamics.gear import Gear
from kempe.dynamics.simulation import simulate

__all__ = ["FixedStep", "Gear", "simulate"]
