"""Whether bodies touch along a motion: which, from when to when, how deep, how near else."""

from kempe.interference.interference import interference as interference
from kempe.names import exported

__all__ = exported(globals())
