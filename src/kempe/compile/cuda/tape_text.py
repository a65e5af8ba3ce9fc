"""Tape to C: the sections of a tape as functions whose temporaries are constants.

The text is CUDA C++ and C++ alike: a graphics card's compiler reads it, and so does any compiler of
the processor, which is how it is tested where there is no card. Every function does, operation by
operation, what `core/tape/functions.hpp` does.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, final

from kempe.algebra.operations import Op
from kempe.algebra.tape import IntArray, Tape
from kempe.compile.llvm.emit import Operation, operations, reads, writes
from kempe.compile.llvm.sections import section_numbers

Rule: TypeAlias = Callable[..., str]
Results: TypeAlias = Mapping[str, Sequence[tuple[str, IntArray]]]  # arrays by section


def _call(name: str) -> Rule:
    return lambda *operands: f"{name}({', '.join(operands)})"


#: By operation: the C expression of its operands.
RULES: Final[dict[Op, Rule]] = {
    Op.ADD: lambda a, b: f"{a} + {b}",
    Op.SUB: lambda a, b: f"{a} - {b}",
    Op.MUL: lambda a, b: f"{a} * {b}",
    Op.DIV: lambda a, b: f"{a} / {b}",
    Op.NEG: lambda a: f"-{a}",
    Op.REC: lambda a: f"1.0 / {a}",
    Op.SQR: lambda a: f"{a} * {a}",
    Op.SQRT: _call("sqrt"),
    Op.TAN: _call("tan"),
    Op.ASIN: _call("asin"),
    Op.ACOS: _call("acos"),
    Op.ATAN2: _call("atan2"),
    Op.EXP: _call("exp"),
    Op.LOG: _call("log"),
    Op.TANH: _call("tanh"),
    Op.ABS: _call("fabs"),
    Op.MIN: lambda a, b: f"{a} < {b} ? {a} : {b}",
    Op.MAX: lambda a, b: f"{a} > {b} ? {a} : {b}",
    Op.POW: _call("pow"),
    Op.ROUND: _call("rint"),
    Op.WHERE_POSITIVE: lambda a, b, c: f"{a} > 0.0 ? {b} : {c}",
    Op.WHERE_NOT_NEGATIVE: lambda a, b, c: f"{a} >= 0.0 ? {b} : {c}",
    Op.MULADD: lambda a, b, c: f"{a} * {b} + {c}",
    Op.MULSUB: lambda a, b, c: f"{a} * {b} - {c}",
    Op.NMULADD: lambda a, b, c: f"{c} - {a} * {b}",
    Op.COPY: lambda a: f"{a}",
}
_BY_OPCODE: Final = [RULES.get(op) for op in Op]
_SINCOS, _SIN, _COS = (int(op) for op in (Op.SINCOS, Op.SIN, Op.COS))
_TABLE, _SPLINE = int(Op.TABLE), int(Op.SPLINE)


def number(value: float) -> str:
    """A number as C has it, to the last bit."""
    if value != value:
        return "(INFINITY - INFINITY)"
    if math.isinf(value):
        return "INFINITY" if value > 0.0 else "(-INFINITY)"
    return f"({value.hex()})" if math.copysign(1.0, value) < 0.0 else value.hex()


@final
class SectionText:
    """The functions of a tape's sections, and what passes from one section to another.

    `results` says of every section, in the order in which they may use each other, which arrays it
    writes and of which registers. A function reads its inputs from `in`, an array of the tape's
    inputs, and keeps what later sections read in `kept`. `prefix` keeps the names of two tapes
    apart.
    """

    def __init__(self, tape: Tape, prefix: str, results: Results) -> None:
        self.tape, self.prefix = tape, prefix
        self.results = {
            section: [(name, registers.tolist()) for name, registers in arrays]
            for section, arrays in results.items()
        }
        self._values: dict[int, str] = {}  # of registers that this section has written
        self._count = 0
        numbers = section_numbers(tape)
        self.code = {name: operations(tape, numbers[name]) for name in results}
        self.kept = sorted(self._passed_on(), key=int)

    def function(self, section: str) -> str:
        """One section as a function."""
        self._values = {}
        lines = [line for one in self.code[section] for line in self._lines(one)]
        written = {r for one in self.code[section] for r in writes(one)}
        lines += [f"kept.r{r} = {self._values[r]};" for r in self.kept if r in written]
        named = self.results[section]
        for name, registers in named:
            lines += [f"{name}[{k}] = {self._value(r)};" for k, r in enumerate(registers)]
        arrays = "".join(f", double* {name}" for name, _ in named)
        kind = f"{self.prefix}Kept"
        body = "\n    ".join(["(void)in; (void)kept;", *lines])
        head = f"KEMPE_DEVICE void {self.prefix}_{section}(const double* in, {kind}& kept{arrays})"
        return f"{head} {{\n    {body}\n}}\n"

    def structure(self) -> str:
        """The registers that pass from one section to another."""
        fields = "".join(f" double r{r};" for r in self.kept)
        return f"struct {self.prefix}Kept {{{fields} int none; }};\n"

    def data(self) -> str:
        """Tables and splines as arrays."""
        blocks = {}
        for k, table in enumerate(self.tape.tables):
            pieces, terms = table.coefficients.shape
            flat = [*table.breaks.tolist(), *table.coefficients.ravel().tolist()]
            blocks[f"table_{k}"] = [float(pieces), float(terms), *flat]
        for k, spline in enumerate(self.tape.splines):
            blocks[f"spline_{k}"] = [float(x) for x in spline.block]
        return "".join(
            f"KEMPE_DATA double {self.prefix}_{name}[] = {{{', '.join(map(number, block))}}};\n"
            for name, block in blocks.items()
        )

    def _passed_on(self) -> set[int]:
        """Registers that a section reads and an earlier one has written."""
        found: set[int] = set()
        before: set[int] = set()
        for section, code in self.code.items():
            here: set[int] = set()
            for one in code:
                found.update(r for r in reads(one) if r in before and r not in here)
                here.update(writes(one))
            given = {r for _, registers in self.results[section] for r in registers}
            found |= (given & before) - here
            before |= here
        return found

    def _value(self, register: int) -> str:
        """A register's value here: of this section, a constant, an input, or passed on."""
        if register in self._values:
            return self._values[register]
        k = register - self.tape.n_inputs
        if register < self.tape.n_inputs:
            return f"in[{register}]"
        if k < len(self.tape.constants):
            return number(float(self.tape.constants[k]))
        return f"kept.r{register}"

    def _lines(self, operation: Operation) -> list[str]:
        opcode, d, a, b, c = operation
        rule = _BY_OPCODE[opcode]
        operands = [self._value(r) for r in reads(operation)]
        if rule is not None:
            return [f"const double {self._new(d)} = {rule(*operands)};"]
        x = self._value(a)
        if opcode in (_TABLE, _SPLINE):
            kind = "table" if opcode == _TABLE else "spline"
            data = f"{self.prefix}_{kind}_{b}"
            return [f"const double {self._new(d)} = kempe_{kind}({data}, {x}, {c});"]
        if opcode == _SINCOS:
            sine, cosine = self._new(d), self._new(b)
        else:
            sine, cosine = self._unused(), self._unused()
            self._values[d] = cosine if opcode == _COS else sine
        return [f"double {sine}, {cosine}; kempe_sincos({x}, {sine}, {cosine});"]

    def _new(self, register: int) -> str:
        """The name of what an operation writes."""
        name = self._unused()
        self._values[register] = name
        return name

    def _unused(self) -> str:
        self._count += 1
        return f"x{self._count}"
