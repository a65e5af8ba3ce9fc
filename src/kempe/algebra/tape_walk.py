"""Running a tape in any arithmetic, one operation after the other."""

from collections.abc import Callable, Sequence
from typing import Any

from kempe.algebra.operations import Op
from kempe.algebra.tape import Tape

TWO = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.ATAN2})
FUSED = {Op.MULADD: Op.ADD, Op.MULSUB: Op.SUB, Op.NMULADD: Op.SUB}


def walk(
    tape: Tape, inputs: Sequence[Any], number: Callable[[float], Any], apply: Callable[..., Any]
) -> list[Any]:
    """The outputs of a tape, of whatever its inputs and `number` of its constants are.

    `apply(op, arguments)` is what an operation makes of them; of a spline also its data and which
    derivative. Operations that do two things at once are taken apart.
    """
    r = [*inputs, *(number(float(c)) for c in tape.constants)]
    r += [number(0.0)] * (tape.n_registers - len(r))  # what nothing writes is 0, as in the core
    for code, d, a, b, c in tape.code.tolist():
        op = Op(code)
        if op is Op.SINCOS:
            r[d], r[b] = apply(Op.SIN, [r[a]]), apply(Op.COS, [r[a]])
        elif op is Op.SPLINE:
            r[d] = apply(op, [r[a]], tape.splines[b], c)
        elif op in FUSED:
            product = apply(Op.MUL, [r[a], r[b]])
            both = [r[c], product] if op is Op.NMULADD else [product, r[c]]
            r[d] = apply(FUSED[op], both)
        else:
            r[d] = apply(op, [r[a], r[b]] if op in TWO else [r[a]])
    return [r[int(k)] for k in tape.outputs]
