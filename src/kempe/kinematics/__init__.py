"""Does it go together, how freely does it move, and where is everything as the drive turns?"""

from kempe.kinematics.check import check
from kempe.kinematics.nearest import nearest_sweep
from kempe.kinematics.sweep import sweep

__all__ = ["check", "nearest_sweep", "sweep"]
