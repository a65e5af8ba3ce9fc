"""Sweeps: one question asked of many variants, in chunks, on any executor, kept chunk by chunk.

`values` says what a parameter takes, `plan` which variants that makes, `analyses` what is asked of
each, `chunk` asks it where a worker runs, `running` hands chunks out and takes tables in, `workers`
and `clusters` are where they run, `store` keeps what is finished.
"""

from kempe.names import exported
from kempe.sweeps.analyses import AbstractAnalysis as AbstractAnalysis
from kempe.sweeps.analyses import Assemblies as Assemblies
from kempe.sweeps.analyses import Function as Function
from kempe.sweeps.analyses import Kinematics as Kinematics
from kempe.sweeps.analyses import Modes as Modes
from kempe.sweeps.analyses import Simulation as Simulation
from kempe.sweeps.analyses import Statics as Statics
from kempe.sweeps.clusters import DaskWorkers as DaskWorkers
from kempe.sweeps.clusters import RayWorkers as RayWorkers
from kempe.sweeps.plan import Plan as Plan
from kempe.sweeps.running import SweepProgress as SweepProgress
from kempe.sweeps.table import SweepTable as SweepTable

__all__ = exported(globals())
