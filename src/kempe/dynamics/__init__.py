"""How a mechanism moves under forces."""

from kempe.dynamics.gear import Gear
from kempe.dynamics.simulation import simulate

__all__ = ["Gear", "simulate"]
