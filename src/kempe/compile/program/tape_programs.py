"""Programs of the small plan: one tape each, run by the VM or compiled, kept between processes."""

from typing import TYPE_CHECKING, cast

from kempe.algebra.native import core, native_tape
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.llvm.object_cache import ObjectCache, default_cache
from kempe.compile.program.program import (
    Derived,
    DynamicProgram,
    Program,
    dynamic_size,
    is_compiled,
    system_size,
)
from kempe.compile.small.kinematic_tape import REGISTER_NAMES, KinematicTape
from kempe.compile.trace.elimination import saddle_blocks

if TYPE_CHECKING:
    from kempe.compile.small.derivative_tape import DerivativeTape
    from kempe.compile.small.dynamic_tape import DynamicTape
    from kempe.compile.trace.untraced import UntracedJoints

# Operations up to which the whole sweep is one compiled function; longer tapes run section by
# section under the C++ loop.
MOST_FUSED = 6000


def tape_program(tape: KinematicTape, untraced: "UntracedJoints | None" = None) -> Program:
    """The small plan's program, on the VM until compiled code is attached.

    With joints that are `untraced` it stays there, and asks them for numbers.
    """
    registers = core.TapeRegisters(
        **{name: getattr(tape, name) for name in REGISTER_NAMES},
        jacobian_rows=tape.jacobian_rows,
        jacobian_columns=tape.jacobian_columns,
        blocks=tape.blocks,
        pivot_blocks=tape.pivot_blocks,
    )
    system = core.TapeSystem(native_tape(tape.tape), system_size(tape), registers)
    program = Program(tape, system, "small")
    if untraced is not None:
        system.ask_outside(untraced.places, untraced)
        program.untraced = untraced
    return program


def dynamic_tape_program(tape: "DynamicTape", at: Coordinates, executor: str) -> DynamicProgram:
    """The small plan's equations of motion: one tape, compiled where wanted and available."""
    size = dynamic_size(tape, len(tape.registers["switches"]))
    registers = core.DynamicRegisters(**tape.registers)
    saddle = saddle_blocks(tape.rows, tape.jacobian_rows, tape.jacobian_columns, at)
    massless = list(tape.massless)
    system = core.TapeDynamics(native_tape(tape.tape), size, registers, saddle, massless)
    program = DynamicProgram(tape, system, "small")
    if is_compiled(executor):
        from kempe.compile.llvm.native_tape import LlvmTape

        kept = [int(r) for results in tape.registers.values() for r in results]
        sections = LlvmTape(tape.tape, kept=kept, cache=default_cache())
        system.set_compiled(sections.section_addresses())
        program.compiled, program.executor = sections, "llvm"
    return program


def tape_derivatives(tape: "DerivativeTape", size: "core.DynamicSize", executor: str) -> Derived:
    """The small plan's derivatives of the equations of motion, of these sizes."""
    found = core.TapeDerivatives(
        native_tape(tape.tape), size, tape.tape.outputs, tape.rows, tape.columns
    )
    if not is_compiled(executor):
        return Derived(found, None)
    from kempe.compile.llvm.native_tape import LlvmTape

    code = LlvmTape(tape.tape, kept=tape.tape.outputs.tolist(), cache=default_cache())
    found.set_compiled(code.section_addresses())
    return Derived(found, code)


def attach_executor(program: Program, executor: str, image: bytes | None = None) -> None:
    """Give a program of the small plan compiled code where that is wanted and available."""
    if not is_compiled(executor) or program.untraced is not None:
        return
    tape = program.tape
    if len(tape.tape.code) <= MOST_FUSED:
        from kempe.compile.llvm.fused import FusedSweep

        fused = FusedSweep(tape, image=image, cache=ObjectCache(None))
        program.compiled, program.fused_address = fused, fused.address
    else:
        from kempe.compile.llvm.native_tape import LlvmTape

        sections = LlvmTape(tape.tape)
        system = cast("core.TapeSystem", program.prototype)
        system.set_compiled(sections.section_addresses())
        program.compiled = sections
    program.executor = "llvm"


def stored_program(key: str, executor: str) -> Program | None:
    """The program another process left in the cache, ready to run."""
    if not is_compiled(executor):
        return None
    from kempe.compile.llvm.machine_code import machine_key

    blobs = default_cache().load(machine_key(f"program {key}"))
    if blobs is None:
        return None
    try:
        program = tape_program(KinematicTape.from_bytes(blobs))
        attach_executor(program, executor, blobs["object"])
    except (KeyError, ValueError, RuntimeError):  # of an older make, or damaged: made anew
        return None
    return program


def store_program(key: str, program: Program) -> None:
    """Leave a program in the cache for other processes."""
    if program.fused_address == 0:
        return
    from kempe.compile.llvm.machine_code import machine_key

    blobs = program.tape.to_bytes() | {"object": program.compiled.image}
    default_cache().store(machine_key(f"program {key}"), blobs)
