"""What a map promises, and what it was proved for: the equations as tapes, unknowns and domains."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.model import Model


@final
class Promise(StrEnum):
    """How sure a list of solutions is.

    - complete: for the system with these exact coefficients, every solution in the domain lies on
      one of the listed components; each is one connected, regular curve (or one point).
    - complete_except: the same outside the listed singular or unresolved places.
    - certified_partial: what is listed is certified; that nothing is missing is not.
    - numerical: not certified.
    """

    COMPLETE = "complete"
    COMPLETE_EXCEPT = "complete_except"
    CERTIFIED_PARTIAL = "certified_partial"
    NUMERICAL = "numerical"


FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class CertifiedBlock:
    """F(x) = 0 for x in a box: the tape gives equations, redundant rows and sides, in order.

    An unknown with a period lives on a circle; the bounds of a limited one cut the motion off.
    """

    places: tuple[int, ...]  # of its unknowns among all
    tape: Tape
    n_equations: int
    n_redundant: int
    n_sides: int
    sources: tuple[str, ...]  # of the equations
    low: FloatArray
    high: FloatArray
    period: FloatArray
    limited: FloatArray  # 0 or 1

    @property
    def freedom(self) -> int:
        """How many more unknowns than equations there are."""
        return len(self.places) - self.n_equations


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """How the domain of a block was cut up, and why each of the last parts holds nothing more.

    Nodes stand level by level, the whole domain first. `unknown[k]` says which unknown is cut in
    node k, at the next number of `at`; the halves of the i-th node that is cut are nodes 2 i + 1
    and 2 i + 2, both closed. A negative entry is a last part: OPEN was not looked at, DONE holds no
    solution but on listed charts, PLACE none but there and in the boxes of a listed place.
    """

    OPEN: ClassVar[int] = -1
    DONE: ClassVar[int] = -2
    PLACE: ClassVar[int] = -3

    unknown: NDArray[np.int16]
    at: FloatArray
    low: FloatArray  # of the domain: what the rows imply where the unknown has no bounds of its own
    high: FloatArray


@final
@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The question that a map answers: a model, what was held and what was limited (SI).

    `during` is the span of time (s) over which its other drives followed their laws.

    `text` writes the model as the document of a model file; of a map that was loaded `document` is
    that text, and the model is read from it by whoever proves the map again.
    """

    held: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    model: Model | None = None
    text: Callable[[Model], str] | None = None
    document: str = ""
    during: tuple[float, float] | None = None

    def written(self) -> str:
        """The model's document as JSON; empty where the model cannot be written to a file."""
        if self.model is None or self.text is None:
            return self.document
        return self.text(self.model)
