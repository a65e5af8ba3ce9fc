"""Programs that evaluate all rows of a mechanism and solve none: enough to assemble and count."""

from kempe.compile.kinematic_tape import kinematic_tape
from kempe.compile.layout import Layout
from kempe.compile.program import Program, tape_program
from kempe.compile.program_cache import PROGRAMS
from kempe.compile.tiles import kinds_of, tile_program
from kempe.compile.tracing import trace
from kempe.errors import MissingPart

# Joints and drives up to which the whole step is one program; about 5,000 operations.
SMALL_PLAN = 60


def is_large(layout: Layout, plan: str = "auto") -> bool:
    """Whether the step is made of tiles; unknowns of elements themselves have no place in them."""
    if layout.n_own and plan == "large":
        raise MissingPart(
            "the large plan knows no points on curves: leave plan='auto', or use plan='small'."
        )
    many = len(layout.elements) > SMALL_PLAN and not layout.n_own
    return plan == "large" or (plan == "auto" and many)


def evaluator(layout: Layout) -> Program:
    """A program that evaluates all rows and solves none, remembered by structure."""
    key = f"{layout.key}:rows" if layout.is_built_in else None
    program = PROGRAMS.find(key)
    if program is None:
        if is_large(layout):
            program = tile_program(layout, None, kinds_of(layout))
        else:
            program = tape_program(kinematic_tape(trace(layout), [], None))
        PROGRAMS.keep(key, program)
    return program
