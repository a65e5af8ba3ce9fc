"""Every way a mechanism can be put together and move, certified."""

from kempe.motion.equations.bodies import is_writable as is_writable
from kempe.motion.equations.bodies import planar_equations as planar_equations
from kempe.motion.equations.question import Holding as Holding
from kempe.motion.equations.question import Limited as Limited
from kempe.motion.equations.spatial import spatial_equations as spatial_equations
from kempe.motion.equations.system import FullSystem as FullSystem
from kempe.motion.equations.system import SystemUnknown as SystemUnknown
from kempe.motion.reduction.blocks import System as System
from kempe.motion.reduction.count import counted_in_space as counted_in_space
from kempe.motion.reduction.count import freedom_count as freedom_count
from kempe.motion.reduction.reduction import reduced as reduced
from kempe.motion.search.search import Effort as Effort
from kempe.motion.search.search import Progress as Progress
from kempe.motion.search.solution import assemblies as assemblies
from kempe.motion.search.solution import has_surfaces as has_surfaces
from kempe.motion.search.solution import motions as motions
from kempe.motion.search.solution import surfaces as surfaces
from kempe.names import exported

__all__ = exported(globals())
