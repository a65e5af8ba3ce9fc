"""Equations that are evaluated and not solved: enough to assemble a mechanism and to count."""

from kempe.compile.large.tiles import kinds_of, tile_program
from kempe.compile.layout.layout import Layout
from kempe.compile.program.program import tape_program
from kempe.compile.program.program_cache import PROGRAMS
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.trace.tracing import trace
from kempe.equations.equations import Equations
from kempe.equations.plan import is_large


def equations_of(layout: Layout) -> Equations:
    """The equations of a layout, all rows evaluated and none solved; remembered by structure."""
    key = f"{layout.key}:rows" if layout.is_built_in else None
    program = PROGRAMS.find(key)
    if program is None:
        if is_large(layout):
            program = tile_program(layout, None, kinds_of(layout))
        else:
            program = tape_program(kinematic_tape(trace(layout), [], None))
        PROGRAMS.keep(key, program)
    return Equations(layout, program)
