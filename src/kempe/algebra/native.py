"""The C++ core, seen from Python: the only module that imports the extension."""

from kempe import _core

__all__ = ["core", "native_tape"]

from kempe.algebra.tape import Tape

core = _core


def native_tape(tape: Tape) -> "_core.Tape":
    """The tape as the C++ executors hold it."""
    return _core.Tape(
        tape.code,
        tape.constants,
        tape.n_inputs,
        tape.n_registers,
        tape.section_stops,
        [(t.breaks, t.coefficients) for t in tape.tables],
        [(s.breaks, s.numerators, s.denominators, s.is_periodic) for s in tape.splines],
    )
