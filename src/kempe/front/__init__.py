"""What people import."""

from kempe.front.builder import Builder as Builder
from kempe.front.making import load as load
from kempe.front.making import merge as merge
from kempe.front.making import parametric as parametric
from kempe.front.mechanism import Mechanism as Mechanism
from kempe.front.solver import Snapshot as Snapshot
from kempe.front.solver import Solver as Solver
from kempe.front.trajectory import Trajectory as Trajectory
from kempe.names import exported

__all__ = exported(globals())
