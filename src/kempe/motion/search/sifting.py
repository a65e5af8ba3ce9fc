"""Sifting what was found without some rows: kept where those rows hold, dropped where they fail."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from kempe.algebra import Op, Tape
from kempe.motion.equations.constants import LEAST
from kempe.motion.equations.sources import spoken
from kempe.motion.search.residual import ROUGH, residual
from kempe.motion.search.search import Found

#: Operations that may be one formula here and another there.
IN_PIECES: frozenset[int] = frozenset(
    {
        *(Op.SPLINE, Op.TABLE, Op.ABS, Op.MIN, Op.MAX, Op.ROUND),
        *(Op.WHERE_POSITIVE, Op.WHERE_NOT_NEGATIVE),
    }
)


@final
@dataclass(frozen=True, slots=True)
class Sifting:
    """What rows that were left out of the search say to what it found.

    `within` bounds them on everything that was kept. `crossed` curves are dropped since the rows
    fail somewhere on them; they may still hold at single places of those.
    """

    sources: tuple[str, ...] = ()
    within: float = 0.0
    crossed: int = 0


def sifted(found: Found, seconds: float = math.inf) -> tuple[Found, Sifting]:
    """The components on which the rows that were left out are not proved to fail.

    When the `seconds` are up the rows are bounded roughly.

    A row that fails by no more than lengths written as doubles explain is said to hold within that.
    One that fails somewhere vanishes at single places of a curve at most, if all formulas are
    analytic; those in pieces may vanish along a part of it, which stays listed.
    """
    surplus = found.block.surplus
    if surplus is None:
        return found, Sifting()
    kept, within, crossed = [], 0.0, 0
    analytic = is_analytic(surplus.tape) and is_analytic(found.block.tape)
    end = time.monotonic() + seconds
    for component in found.components:
        bounds = residual(found.block, component, ROUGH)
        if bounds.everywhere <= LEAST and time.monotonic() < end:
            bounds = residual(found.block, component)
        fails = bounds.somewhere if analytic or found.block.freedom == 0 else bounds.everywhere
        if fails > LEAST:  # more than rounded lengths explain
            crossed += bounds.everywhere <= LEAST
        else:
            kept.append(component)
            within = max(within, bounds.most)
    return replace(found, components=kept), Sifting(surplus.sources, within, crossed)


def is_analytic(tape: Tape) -> bool:
    """Whether no operation of a tape is made of pieces."""
    return not (set(tape.code[:, 0].tolist()) & IN_PIECES)


def verdict(siftings: Sequence[Sifting]) -> str:
    """What is known of the rows that were left out; nothing where none were."""
    names = spoken(name for s in siftings for name in s.sources)
    if not names:
        return ""
    within = max(s.within for s in siftings)
    crossed = sum(s.crossed for s in siftings)
    message = (
        f"{names} repeats what the others say: left out of the search, it holds within"
        f" {within:.1g} on all that is listed; that it holds exactly is not proved."
    )
    if crossed:
        message += f" On {crossed} more it fails, but for single places."
    return message
