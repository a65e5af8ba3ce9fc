"""How a mechanism moves under forces."""

from kempe.dynamics.simulation import simulate

__all__ = ["simulate"]
