"""Numbers that come from outside a compiled run: what callbacks answer at every evaluation."""

import math
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.elements import all_numbers, asking
from kempe.compile.layout.numbers import is_literal
from kempe.compile.trace.force_tracing import Sight, sight_of
from kempe.dynamics.preparation.user_functions import AbstractAsker
from kempe.equations.equations import DynamicEquations
from kempe.forces import Callback

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One callback: what it sees, which turns are its own, where its answers belong."""

    sight: Sight
    turns: list[int]  # among those of the program
    places: list[int]  # among the parameters


@final
@dataclass(slots=True, eq=False)
class Outside(AbstractAsker):
    """Asks the callbacks of a model at every evaluation."""

    asked: tuple[Asked, ...]
    doubt: str = field(default="", init=False)  # who answered last what is not finite
    rubbing: "core.FrictionDynamics | None" = field(default=None, init=False)  # joints of the run

    def system(self, inner: "core.DynamicSystem") -> "core.DynamicSystem":
        """The native system, made to ask at every evaluation."""
        places = np.array([p for one in self.asked for p in one.places], dtype=np.int32)
        return core.OutsideDynamics(inner, places, self)

    def reason(self, halt: "core.Halt") -> "core.Halt":
        """Why a run ended: one that got no answer by Ctrl-C was interrupted."""
        stopped = halt is core.Halt.outside and self.interrupt is not None
        return core.Halt.interrupted if stopped else halt

    def heed(self, trouble: str, interrupt: KeyboardInterrupt | None) -> None:
        """Remembers what went wrong elsewhere outside the compiled run."""
        self.trouble = self.trouble or trouble
        self.interrupt = self.interrupt or interrupt

    def answers(self, q: FloatArray, v: FloatArray, t: float, last: FloatArray) -> FloatArray:
        """The numbers of all callbacks; a FormulaError where one fails."""
        numbers: list[float] = []
        self.doubt = ""
        for one in self.asked:
            force = one.sight.force
            now = one.sight.instant(q, v, t, last[one.turns])
            with asking(f"the function of force {force.name!r}"):
                mine = force.numbers(now)
            if not all(map(math.isfinite, mine)):
                self.doubt = force.name
            numbers += mine
        return np.array(numbers, dtype=np.float64)

    def __call__(self, q: FloatArray, v: FloatArray, t: float, last: FloatArray) -> Any:
        """The numbers of all callbacks for the integrator, which stops where it gets None."""
        return self.attempt(self.answers, q, v, t, last)


def callbacks_of(equations: DynamicEquations) -> tuple[Asked, ...]:
    """The callbacks of a model."""
    layout, shape = equations.layout, equations.program.shape
    counted = shape.force_counted
    first_turn = shape.n_turns - len(counted)
    place, found = len(layout.layout.parameters), []
    for number, element in enumerate(layout.forces):
        place += sum(1 for x in all_numbers(element) if not is_literal(x))
        if isinstance(element.force, Callback):
            sight = sight_of(layout.layout.chart, element, layout.layout.markers_of(element))
            turns = [first_turn + counted.index((number, reading)) for reading in sight.turned]
            found.append(Asked(sight, turns, list(range(place - len(element.force.given), place))))
    return tuple(found)
