"""A block as the core holds it, made once however often it is searched."""

import math
from typing import final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.algebra.native import core, native_tape
from kempe.errors import Unbounded, UnsolvableKind
from kempe.motion.equations.system import Block
from kempe.results.maps.certificate import CertifiedBlock

FloatArray = NDArray[np.float64]

ROOM = 2.0**-20  # beyond bounds that follow from rows which hold to 2^-44
# Charts are at most this share of the domain's largest side long, either way.
LONGEST_CHART = 0.25


@final
class PreparedBlock:
    """A block's equations, bounds and native problem; it holds no settings of a search."""

    def __init__(self, block: Block) -> None:
        self.certified = _certified(block)
        spans = [u.high - u.low for u in block.unknowns]
        self.longest_chart = LONGEST_CHART * max([1.0, *(s for s in spans if s < math.inf)])
        self._names = tuple(u.name for u in block.unknowns)
        self._bounding = block.bounding
        self._problem: core.BoxProblem | None = None

    @property
    def problem(self) -> "core.BoxProblem":
        """The native problem, its unknowns bounded as far as the rows bound them."""
        if self._problem is None:
            self._problem = self._native()
        return self._problem

    def _native(self) -> "core.BoxProblem":
        of = self.certified
        low, high = (of.low, of.high) if self._bounding is None else self._reach(self._bounding)
        counts = [of.n_equations, of.n_redundant, of.n_sides]
        problem = self._made(of.tape, of.tape.outputs, counts, (low, high))
        if problem.unbounded is not None:
            name = self._names[problem.unbounded]
            raise Unbounded(
                f"nothing bounds {name!r}: a search for all positions needs a limit. Give one to"
                f" what slides, for example limits={{{name!r}: (0, '80 mm')}}.",
                unknown=name,
            )
        return problem

    def _reach(self, tape: Tape) -> tuple[FloatArray, FloatArray]:
        """Bounds of the unknowns, with room, that follow from rows which hold to rounding.

        Rows that contradict others, in the last digit, are not asked.
        """
        of, m = self.certified, self.certified.n_equations
        asked = list(range(m))
        bounds = of.low, of.high
        for row in range(m, len(tape.outputs)):
            outputs = tape.outputs[[*asked, row]]
            problem = self._made(tape, outputs, [m, len(outputs) - m, 0], (of.low, of.high))
            domain = problem.domain()
            (low,), (high,) = domain.low, domain.high
            if (low <= high).all():
                asked, bounds = [*asked, row], (low, high)
        low, high = bounds
        return (
            np.where(np.isinf(of.low), low - ROOM * (1.0 + np.abs(low)), of.low),
            np.where(np.isinf(of.high), high + ROOM * (1.0 + np.abs(high)), of.high),
        )

    def _made(
        self,
        tape: Tape,
        outputs: NDArray[np.int32],
        counts: list[int],
        bounds: tuple[FloatArray, FloatArray],
    ) -> "core.BoxProblem":
        of = self.certified
        try:
            return core.BoxProblem(
                native_tape(tape),
                np.ascontiguousarray(outputs),
                counts,
                *bounds,
                of.period,
                of.limited,
            )
        except ValueError as trouble:
            raise UnsolvableKind(
                f"the certified search cannot use these equations: {trouble}."
            ) from None


_PREPARED: WeakKeyDictionary[Block, PreparedBlock] = WeakKeyDictionary()


def prepared(block: Block) -> PreparedBlock:
    """The block, ready to be searched."""
    found = _PREPARED.get(block)
    if found is None:
        found = _PREPARED[block] = PreparedBlock(block)
    return found


def _certified(block: Block) -> CertifiedBlock:
    unknowns = block.unknowns
    return CertifiedBlock(
        places=block.places,
        tape=block.tape,
        n_equations=len(block.equations),
        n_redundant=len(block.redundant),
        n_sides=len(block.sides),
        sources=block.equations,
        low=np.array([u.low for u in unknowns]),
        high=np.array([u.high for u in unknowns]),
        period=np.array([u.period for u in unknowns]),
        limited=np.array([float(u.is_limit) for u in unknowns]),
    )
