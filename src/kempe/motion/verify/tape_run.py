"""Running a tape on any kind of number, with derivatives: slow, and independent of the core."""

from collections.abc import Callable, Sequence
from typing import Any

from kempe.algebra import Op, Tape
from kempe.errors import UnsolvableKind
from kempe.motion.verify.spline_run import spline_dual

Dual = tuple[Any, dict[int, Any]]  # value, derivatives by input


def run_tape(tape: Tape, x: Sequence[Any], numbers: Any, outputs: int) -> list[Dual]:
    """The first outputs of a tape and their gradients, in the arithmetic `numbers` (mpmath's)."""
    registers: list[Dual] = [(numbers.mpf(0), {})] * tape.n_registers
    one = numbers.mpf(1)
    for j in range(tape.n_inputs):
        registers[j] = (x[j], {j: one})
    for k, constant in enumerate(tape.constants):
        registers[tape.n_inputs + k] = (numbers.mpf(float(constant)), {})
    for op, d, a, b, c in tape.code.tolist():
        if op == Op.SINCOS:
            angle = registers[a]
            registers[d], registers[b] = _sine(angle, numbers), _cosine(angle, numbers)
            continue
        if op == Op.SPLINE:
            registers[d] = spline_dual(tape.splines[b], registers[a], c, numbers)
            continue
        registers[d] = _result(Op(op), registers, (a, b, c), numbers)
    return [registers[int(r)] for r in tape.outputs[:outputs]]


def _result(op: Op, r: list[Dual], at: tuple[int, int, int], numbers: Any) -> Dual:
    a, b, c = at
    if op in BINARY:
        return BINARY[op](r[a], r[b])
    if op in UNARY:
        return UNARY[op](r[a], numbers)
    if op == Op.MULADD:
        return _add(_mul(r[a], r[b]), r[c])
    if op == Op.MULSUB:
        return _sub(_mul(r[a], r[b]), r[c])
    if op == Op.NMULADD:
        return _sub(r[c], _mul(r[a], r[b]))
    raise UnsolvableKind(f"the verifier does not know the operation {op.name.lower()!r}.")


def _sum(a: dict[int, Any], b: dict[int, Any], p: Any, q: Any) -> dict[int, Any]:
    """p a + q b."""
    total = {j: p * g for j, g in a.items()}
    for j, g in b.items():
        total[j] = total[j] + q * g if j in total else q * g
    return total


def _add(a: Dual, b: Dual) -> Dual:
    return a[0] + b[0], _sum(a[1], b[1], 1, 1)


def _sub(a: Dual, b: Dual) -> Dual:
    return a[0] - b[0], _sum(a[1], b[1], 1, -1)


def _mul(a: Dual, b: Dual) -> Dual:
    return a[0] * b[0], _sum(a[1], b[1], b[0], a[0])


def _div(a: Dual, b: Dual) -> Dual:
    quotient = a[0] / b[0]
    return quotient, _sum(a[1], b[1], 1 / b[0], -quotient / b[0])


def _chain(a: Dual, value: Any, slope: Any) -> Dual:
    return value, {j: slope * g for j, g in a[1].items()}


def _sine(a: Dual, numbers: Any) -> Dual:
    return _chain(a, numbers.sin(a[0]), numbers.cos(a[0]))


def _cosine(a: Dual, numbers: Any) -> Dual:
    return _chain(a, numbers.cos(a[0]), -numbers.sin(a[0]))


def _root(a: Dual, numbers: Any) -> Dual:
    root = numbers.sqrt(a[0])
    return _chain(a, root, 1 / (2 * root) if a[1] else 0)


BINARY: dict[int, Callable[[Dual, Dual], Dual]] = {
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.MUL: _mul,
    Op.DIV: _div,
}
UNARY: dict[int, Callable[[Dual, Any], Dual]] = {
    Op.NEG: lambda a, _: (-a[0], {j: -g for j, g in a[1].items()}),
    Op.REC: lambda a, _: _chain(a, 1 / a[0], -1 / (a[0] * a[0])),
    Op.SQR: lambda a, _: _chain(a, a[0] ** 2, 2 * a[0]),
    Op.SQRT: _root,
    Op.SIN: _sine,
    Op.COS: _cosine,
    Op.EXP: lambda a, n: _chain(a, n.exp(a[0]), n.exp(a[0])),
    Op.LOG: lambda a, n: _chain(a, n.log(a[0]), 1 / a[0]),
    Op.COPY: lambda a, _: a,
}
