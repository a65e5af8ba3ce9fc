"""Where everything is as the drive turns."""

from kempe.kinematics.sweep import sweep

__all__ = ["sweep"]
