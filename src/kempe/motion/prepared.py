"""A block as the core holds it, made once however often it is searched."""

import math
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from kempe.algebra.native import core, native_tape
from kempe.errors import Unbounded, UnsolvableKind
from kempe.motion.system import Block
from kempe.results.certificate import CertifiedBlock

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
        self._problem: Any = None

    @property
    def problem(self) -> Any:
        """The native problem, its unknowns bounded as far as the rows bound them."""
        if self._problem is None:
            self._problem = self._native()
        return self._problem

    def _native(self) -> Any:
        of = self.certified
        try:
            problem = core.BoxProblem(
                native_tape(of.tape),
                of.tape.outputs,
                [of.n_equations, of.n_redundant, of.n_sides],
                of.low,
                of.high,
                of.period,
                of.limited,
            )
        except ValueError as trouble:
            raise UnsolvableKind(
                f"the certified search cannot use these equations: {trouble}."
            ) from None
        if problem.unbounded is not None:
            name = self._names[problem.unbounded]
            raise Unbounded(
                f"nothing bounds {name!r}: a search for all positions needs a limit. Give one to"
                " what slides, for example limits={'guide.displacement': (0, '80 mm')}.",
                unknown=name,
            )
        return problem


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
