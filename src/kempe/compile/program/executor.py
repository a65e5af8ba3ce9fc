"""Which executor runs a program: compiled code where it can be had, the VM everywhere.

Programs of the small plan are kept in the cache as a whole, tape and object file together, under
the key of their structure: a later process traces nothing and compiles nothing.
"""

from collections.abc import Callable
from typing import cast

from kempe.algebra import Tape
from kempe.algebra.native import core
from kempe.compile.llvm.object_cache import ObjectCache, default_cache
from kempe.compile.program.program import Program, tape_program
from kempe.compile.small.kinematic_tape import KinematicTape
from kempe.errors import MissingPart

EXECUTORS = ("auto", "vm", "llvm")
# Operations up to which the whole sweep is one compiled function; longer tapes run section by
# section under the C++ loop.
MOST_FUSED = 6000


def is_compiled(executor: str) -> bool:
    """Whether a program is to be compiled; MissingPart where that was asked for and cannot be."""
    if executor not in EXECUTORS:
        raise MissingPart(f"there is no executor {executor!r}: use one of {', '.join(EXECUTORS)}.")
    if executor == "vm":
        return False
    from kempe.compile.llvm.machine_code import llvm_available, llvm_reason

    if executor == "llvm" and not llvm_available():
        raise MissingPart(f"the executor llvm cannot be used here: {llvm_reason()}.")
    return llvm_available()


def attach_executor(program: Program, executor: str, image: bytes | None = None) -> None:
    """Give a program of the small plan compiled code where that is wanted and available."""
    if not is_compiled(executor):
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


def tile_compiler(executor: str, keep: list[object]) -> Callable[[Tape], int] | None:
    """What compiles the tapes of the large plan; compiled code is put into `keep` to live on."""
    if not is_compiled(executor):
        return None
    from kempe.compile.llvm.native_tape import LlvmTape

    def compiled(tape: Tape) -> int:
        code = LlvmTape(tape, kept=tape.outputs.tolist(), cache=default_cache())
        keep.append(code)
        return code.lane_section_addresses()[0]

    return compiled


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


def executor_report() -> dict[str, object]:
    """What `kempe doctor` says about executors and the cache."""
    from kempe.compile.llvm.machine_code import llvm_available, llvm_reason

    cache = default_cache()
    trial = "0" * 64
    cache.store(trial, {"trial": b"kempe"})
    works = cache.load(trial) == {"trial": b"kempe"}
    if cache.folder is None:
        said = "off"
    else:
        said = f"{cache.folder} ({'works' if works else 'cannot be used'})"
    return {
        "executor": "llvm" if llvm_available() else f"vm ({llvm_reason()})",
        "cache": said,
    }
