"""Tape to LLVM IR: the operations of a section, in straight-line code or in chunks.

Small tapes become one function per section whose temporaries are SSA values. A large tape is cut
into chunks of a few hundred operations that work on the register file in memory: compile time
then grows linearly with the length of the tape.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias, final

from kempe.algebra.operations import Op
from kempe.algebra.tape import Tape
from kempe.compile.llvm.functions import (
    core_function,
    sincos,
    sincos_together,
    spline_function,
    table_function,
)
from kempe.compile.llvm.ir import LANE_COUNT, Lanes, Module, Writer

CHUNK: Final = 200  # operations in one function of a large tape

Rule: TypeAlias = Callable[..., str]
Operation: TypeAlias = tuple[int, int, int, int, int]  # opcode, d, a, b, c


def _core(name: str) -> Rule:
    return lambda w, *operands: core_function(w, name, *operands)


def _intrinsic(name: str) -> Rule:
    return lambda w, a: w.intrinsic(name, a)


def _extremum(relation: str) -> Rule:
    return lambda w, a, b: w.choose(w.compare(relation, a, b), a, b)


def _where(relation: str) -> Rule:
    return lambda w, a, b, c: w.choose(w.compare(relation, a, w.lanes.constant(0.0)), b, c)


#: By operation: how many of a, b, c are registers that it reads, and its instructions.
RULES: Final[dict[Op, tuple[int, Rule]]] = {
    Op.ADD: (2, Writer.add),
    Op.SUB: (2, Writer.subtract),
    Op.MUL: (2, Writer.multiply),
    Op.DIV: (2, Writer.divide),
    Op.NEG: (1, Writer.negative),
    Op.REC: (1, lambda w, a: w.divide(w.lanes.constant(1.0), a)),
    Op.SQR: (1, lambda w, a: w.multiply(a, a)),
    Op.SQRT: (1, _intrinsic("sqrt")),
    Op.TAN: (1, _core("kempe_tan")),
    Op.ASIN: (1, _core("kempe_asin")),
    Op.ACOS: (1, _core("kempe_acos")),
    Op.ATAN2: (2, _core("kempe_atan2")),
    Op.EXP: (1, _core("kempe_exp")),
    Op.LOG: (1, _core("kempe_log")),
    Op.TANH: (1, _core("kempe_tanh")),
    Op.ABS: (1, Writer.magnitude),
    Op.MIN: (2, _extremum("olt")),
    Op.MAX: (2, _extremum("ogt")),
    Op.POW: (2, _core("kempe_pow")),
    Op.ROUND: (1, _intrinsic("nearbyint")),
    Op.WHERE_POSITIVE: (3, _where("ogt")),
    Op.WHERE_NOT_NEGATIVE: (3, _where("oge")),
    Op.MULADD: (3, lambda w, a, b, c: w.add(w.multiply(a, b), c)),
    Op.MULSUB: (3, lambda w, a, b, c: w.subtract(w.multiply(a, b), c)),
    Op.NMULADD: (3, lambda w, a, b, c: w.subtract(c, w.multiply(a, b))),
    Op.COPY: (1, lambda w, a: a),
}
_TRIGONOMETRIC: Final = frozenset(int(op) for op in (Op.SINCOS, Op.SIN, Op.COS))
_SINCOS, _COS, _TABLE, _SPLINE = (int(op) for op in (Op.SINCOS, Op.COS, Op.TABLE, Op.SPLINE))
_BY_OPCODE: Final = [RULES.get(op) for op in Op]  # what has no rule is written apart
_ARITY: Final = [1 if rule is None else rule[0] for rule in _BY_OPCODE]


def reads(operation: Operation) -> tuple[int, ...]:
    """The registers that an operation reads."""
    return operation[2 : 2 + _ARITY[operation[0]]]


def writes(operation: Operation) -> tuple[int, ...]:
    """The registers that an operation writes."""
    opcode, d, _, b, _ = operation
    return (d, b) if opcode == _SINCOS else (d,)


def operations(tape: Tape, section: int) -> list[Operation]:
    """The operations of one section."""
    bounds = tape.sections[section]
    rows: list[list[int]] = tape.code[bounds.start : bounds.stop].tolist()
    return [(opcode, d, a, b, c) for opcode, d, a, b, c in rows]


@final
class Registers:
    """Where each register's value stands while code is being written.

    Constants are literals; any other register that no operation has written yet is asked of
    `missing`, which writes a load or refuses.
    """

    __slots__ = ("_constants", "_first", "_lanes", "_missing", "values")

    def __init__(
        self,
        lanes: Lanes,
        tape: Tape,
        missing: Callable[[int], str],
        values: dict[int, str] | None = None,
    ) -> None:
        self._lanes = lanes
        self._first = tape.n_inputs
        self._constants = tape.constants
        self._missing = missing
        self.values = {} if values is None else values

    def __getitem__(self, register: int) -> str:
        value = self.values.get(register)
        if value is None:
            k = register - self._first
            if 0 <= k < len(self._constants):
                value = self._lanes.constant(float(self._constants[k]))
            else:
                value = self._missing(register)
            self.values[register] = value
        return value


def write_operations(
    writer: Writer, tape: Tape, code: Sequence[Operation], registers: Registers
) -> None:
    """Write operations one after another; what they leave is found in `registers`."""
    values = registers.values
    angles = _angles_ahead(writer, code, registers)
    for position, operation in enumerate(code):
        opcode, d, a, b, c = operation
        rule = _BY_OPCODE[opcode]
        if rule is not None:
            operands = [registers[register] for register in operation[2 : 2 + rule[0]]]
            values[d] = rule[1](writer, *operands)
        elif opcode == _TABLE:
            values[d] = table_function(writer, tape.tables[b], b, c, registers[a])
        elif opcode == _SPLINE:
            values[d] = spline_function(writer, tape.splines[b], b, c, registers[a])
        else:
            sine, cosine = angles.get(position) or sincos(writer, registers[a])
            values[d] = cosine if opcode == _COS else sine
            if opcode == _SINCOS:
                values[b] = cosine


def _angles_ahead(
    writer: Writer, code: Sequence[Operation], registers: Registers
) -> dict[int, tuple[str, str]]:
    """Sines and cosines of the angles known before the code starts, by position in the code.

    Scalar code takes them side by side in SIMD lanes: the angles of all bodies for the price of
    one, which is most of what a small mechanism costs.
    """
    if not writer.lanes.is_scalar:
        return {}
    written: set[int] = set()
    ahead: list[int] = []
    for position, operation in enumerate(code):
        if operation[0] in _TRIGONOMETRIC and operation[2] not in written:
            ahead.append(position)
        written.update(writes(operation))
    found: dict[int, tuple[str, str]] = {}
    for k in range(0, len(ahead), LANE_COUNT):
        group = ahead[k : k + LANE_COUNT]
        if len(group) > 1:
            pairs = sincos_together(writer, [registers[code[p][2]] for p in group])
            found.update(zip(group, pairs, strict=True))
    return found


def write_section(
    module: Module,
    lanes: Lanes,
    tape: Tape,
    section: int,
    live: frozenset[int],
    chunk: int | None,
) -> str:
    """Add the function of one section, void(ptr registers); returns its name.

    `live` names the registers somebody reads afterwards; only these are written back. With
    `chunk` the section is cut into functions of that many operations.
    """
    name = f"section_{section}_x{lanes.count}"
    code = operations(tape, section)
    size = max(len(code) if chunk is None else chunk, 1)
    pieces = [code[k : k + size] for k in range(0, len(code), size)]
    parts = [f"{name}_{k}" for k in range(len(pieces))]
    for part, piece, needed in zip(parts, pieces, _live_after(pieces, live), strict=True):
        module.pieces[part] = _piece_text(module, lanes, tape, part, piece, needed)
    w = Writer(module, lanes)
    for part in parts:
        w.line(f"call void @{part}(ptr %registers)")
    w.line("ret void")
    module.pieces[name] = w.function(f"define void @{name}(ptr noalias %registers) nounwind")
    return name


def live_registers(tape: Tape, kept: Iterable[int]) -> frozenset[int]:
    """The kept registers and those that some section reads from before it."""
    live = set(kept)
    for section in range(len(tape.sections)):
        written: set[int] = set()
        for operation in operations(tape, section):
            live.update(r for r in reads(operation) if r not in written)
            written.update(writes(operation))
    return frozenset(live)


def _live_after(pieces: list[list[Operation]], live: frozenset[int]) -> list[frozenset[int]]:
    """For each piece, the registers that are read after it before they are written again."""
    now = set(live)
    after: list[frozenset[int]] = []
    for piece in reversed(pieces):
        after.append(frozenset(now))
        for operation in reversed(piece):
            now.difference_update(writes(operation))
            now.update(reads(operation))
    return after[::-1]


def _piece_text(
    module: Module,
    lanes: Lanes,
    tape: Tape,
    name: str,
    code: list[Operation],
    live: frozenset[int],
) -> str:
    w = Writer(module, lanes)
    registers = Registers(lanes, tape, lambda r: w.load(w.at("%registers", r), lanes.size))
    write_operations(w, tape, code, registers)
    written = {register for operation in code for register in writes(operation)}
    for register in sorted(written & live):
        w.store(registers[register], w.at("%registers", register), lanes.size)
    w.line("ret void")
    return w.function(f"define internal void @{name}(ptr noalias %registers) nounwind")
