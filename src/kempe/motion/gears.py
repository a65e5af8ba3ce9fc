"""Turns in whole ratios: gear trains as products of cosine-sine pairs."""

import math
from collections.abc import Sequence
from fractions import Fraction

from kempe.algebra import Expression
from kempe.errors import UnsolvableKind

LARGEST_RATIO = 64  # powers beyond this are out of any search's reach
Arms = tuple[Expression, Expression]  # sine, cosine


def hold_coupler(
    arms: Sequence[Arms], shares: Sequence[float], constant: Expression, source: str
) -> tuple[Expression, Expression]:
    """(row, side) of sum k_i a_i = constant, the k_i whole numbers without a common factor.

    prod (c_i + j s_i)^k_i = exp(j constant): the row is the sine of the difference, the side its
    cosine. Whole turns of the wheels are all one position, which is the same set for coprime k_i.
    """
    whole, divisor = whole_ratios(shares, source)
    sine, cosine = -(constant / divisor).sin(), (constant / divisor).cos()
    for (s, c), power in zip(arms, whole, strict=True):
        turned = (s if power > 0 else -s, c)
        for _ in range(abs(power)):
            sine, cosine = (
                sine * turned[1] + cosine * turned[0],
                cosine * turned[1] - sine * turned[0],
            )
    return sine, cosine


def whole_ratios(shares: Sequence[float], source: str) -> tuple[list[int], float]:
    """Coprime whole numbers in the ratio of the shares, and what the shares are multiples of."""
    reference = next((x for x in shares if x != 0.0), 1.0)
    ratios = [Fraction(x / reference).limit_denominator(LARGEST_RATIO) for x in shares]
    common = math.lcm(*(r.denominator for r in ratios))
    whole = [int(r * common) for r in ratios]
    divisor = math.gcd(*whole) or 1
    whole = [w // divisor for w in whole]
    unit = reference * divisor / common
    close = all(
        math.isclose(w * unit, x, rel_tol=1e-14) for w, x in zip(whole, shares, strict=True)
    )
    if not close or max(map(abs, whole), default=0) > LARGEST_RATIO:
        raise UnsolvableKind(
            f"{source!r} couples turns in the ratio {', '.join(f'{x:g}' for x in shares)}, which is"
            f" no ratio of whole numbers up to {LARGEST_RATIO}: its motion never repeats, or not"
            " soon enough to be listed."
        )
    return whole, unit
