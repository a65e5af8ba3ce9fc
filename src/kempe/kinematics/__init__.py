"""Does it go together, how freely does it move, and where is everything as the drive turns?"""

from kempe.kinematics.check import check
from kempe.kinematics.quasi_kinematics import quasi_sweep
from kempe.kinematics.sweep import sweep

__all__ = ["check", "quasi_sweep", "sweep"]
