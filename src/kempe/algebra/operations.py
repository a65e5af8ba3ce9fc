"""The one list of operations that a formula can be made of.

The position in `OPERATIONS` is the opcode on a tape; the C++ core mirrors the list and a test
compares the two.
"""

from enum import IntEnum
from typing import final


@final
class Op(IntEnum):
    """Operations on a tape; `d`, `a`, `b`, `c` are the columns of an instruction."""

    ADD = 0  # d = a + b
    SUB = 1  # d = a - b
    MUL = 2  # d = a b
    DIV = 3  # d = a / b
    NEG = 4  # d = -a
    REC = 5  # d = 1 / a
    SQR = 6  # d = a a
    SQRT = 7
    SINCOS = 8  # d = sin a, b = cos a
    SIN = 9
    COS = 10
    TAN = 11
    ASIN = 12
    ACOS = 13
    ATAN2 = 14  # d = atan2(a, b)
    EXP = 15
    LOG = 16
    TANH = 17
    ABS = 18
    MIN = 19
    MAX = 20
    POW = 21  # d = a ** b
    ROUND = 22
    WHERE_POSITIVE = 23  # d = b if a > 0 else c
    WHERE_NOT_NEGATIVE = 24  # d = b if a >= 0 else c
    TABLE = 25  # d = derivative c of table b at a
    MULADD = 26  # d = a b + c, rounded twice
    MULSUB = 27  # d = a b - c
    NMULADD = 28  # d = c - a b
    COPY = 29
    SPLINE = 30  # d = derivative c of spline b at a


#: What passes on one of two operands by the sign of a third.
CHOICES = (Op.WHERE_POSITIVE, Op.WHERE_NOT_NEGATIVE)

#: What reads one register, and names what it evaluates and the order of a derivative.
PIECEWISE = frozenset({Op.TABLE, Op.SPLINE})

OPERATIONS: tuple[str, ...] = tuple(op.name.lower() for op in Op)

#: Nodes of a graph that are no instructions: an input and a constant.
INPUT = -1
CONSTANT = -2
