"""A chunk of a sweep where a worker runs it: in this process, in another, or on another machine.

What is to be asked travels as bytes made once, so that a worker that cannot read them says so, and
one that has read them keeps the mechanism, compiled, for the next chunk.
"""

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import MissingPart, SweepError
from kempe.extras import extra
from kempe.sweeps.analyses import AbstractAnalysis
from kempe.sweeps.table import SweepTable

FloatArray = NDArray[np.float64]

KEPT: Final = 4  # questions that a worker keeps
_KNOWN: "OrderedDict[str, Question]" = OrderedDict()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of every variant of a mechanism, with the seed of its random numbers."""

    mechanism: Any
    analysis: AbstractAnalysis
    seed: int

    def packed(self) -> bytes:
        """Itself as bytes for another process; a SweepError where it cannot leave this one."""
        try:  # it sends functions of a script and of a notebook, too
            dumps = extra("cloudpickle", "cluster", "a function of a script").dumps
        except MissingPart:
            dumps = pickle.dumps
        try:
            content: bytes = dumps(self)
        except Exception as trouble:
            raise SweepError(
                "what is asked cannot be sent to another process"
                f" ({' '.join(str(trouble).split())}): define the function at the top of a module,"
                " or take executor='threads'."
            ) from None
        return content

    def answer(self, first: int, parameters: Mapping[str, FloatArray]) -> SweepTable:
        """The table of variants from number `first` on."""
        return self.analysis.table(self.mechanism, first, parameters, self.seed)


def answered(
    question: Question | bytes, first: int, parameters: Mapping[str, FloatArray]
) -> SweepTable:
    """The table of a chunk, wherever this runs."""
    found = _unpacked(question) if isinstance(question, bytes) else question
    return found.answer(first, parameters)


def _unpacked(content: bytes) -> Question:
    key = hashlib.sha256(content).hexdigest()
    if key not in _KNOWN:
        try:
            _KNOWN[key] = pickle.loads(content)
        except Exception as trouble:
            raise SweepError(
                f"a worker cannot read what is asked ({type(trouble).__name__}: {trouble}): the"
                " module that defines it must be there too, or take executor='threads'."
            ) from None
        while len(_KNOWN) > KEPT:
            _KNOWN.popitem(last=False)
    return _KNOWN[key]
