"""A mechanism that stands where it is told: driven values set from outside, again and again."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import all_numbers
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal
from kempe.drives import Drive, Setting
from kempe.kinematics.closing.placement import Guesses, given_of
from kempe.kinematics.stepping.ending import SweepEnd, ending
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.stepping.stretch import swept
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.model import Model
from kempe.outcome import DONE, Outcome
from kempe.results.state import State

FloatArray = NDArray[np.float64]

# Share of the way by which the mechanism stops before the point it cannot pass: there its speed
# is without bound, and no step would lead away from it.
CLEARANCE = 1e-9
NUMBERS_OF_A_SETTING = 2


@final
class Live:
    """The driven values are inputs; a new set of them is reached along the straight way.

    The way from the old values to the new ones is swept as a motion, t from 0 to 1, with all its
    checks, so that the mechanism never leaves its branch. Where it cannot go on, it stays there.
    """

    def __init__(
        self,
        model: Model,
        executor: str = "auto",
        plan: str = "auto",
        start: Guesses | None = None,
    ) -> None:
        settings = []
        for drive in model.drives:
            value = float(drive.law.value(0.0))
            settings.append(replace(drive, law=Setting(value, value)))
        self.layout = Layout(replace(model, drives=tuple(settings)))
        self._parameters = self.layout.parameters.copy()
        self._prepared = partial(_prepared, self.layout, self._parameters, executor, plan, start)
        self._places = _places_of_settings(self.layout)
        self.values = np.array([float(d.law.value(0.0)) for d in settings])
        self._at = self._prepared().start
        self.outcome = DONE

    @property
    def q(self) -> FloatArray:
        """The coordinates where it stands."""
        return self._at.q

    @property
    def drives(self) -> tuple[Drive, ...]:
        """The drives, in the order of the values."""
        return self.layout.model.drives

    @property
    def place(self) -> tuple[State, FloatArray]:
        """Where it stands and at which values: `stand` brings it back there."""
        return self._at, self.values

    def stand(self, place: tuple[State, FloatArray]) -> None:
        """Stand where it stood before."""
        self._at, self.values = place
        self.outcome = DONE

    def go_to(self, values: Sequence[float]) -> Outcome:
        """Move to these driven values, or as far towards them as the branch goes."""
        before, after = self.values, np.array(values, dtype=np.float64)
        end = self._sweep(before, after, 1.0)
        reached = end.at.t
        self.outcome = DONE
        if end.samples < 2:
            self.outcome = ending(
                end, 2, self._moving(before, after), self.layout.size, "{t:.3%} of the way"
            )
            reached -= CLEARANCE
            if reached <= 0.0:
                return self.outcome
            end = self._sweep(before, after, reached)
            reached = end.at.t
        self._at = State(0.0, end.at.q, turns=end.at.turns)
        self.values = before + reached * (after - before) if reached < 1.0 else after
        return self.outcome

    def _moving(self, before: FloatArray, after: FloatArray) -> list[Drive]:
        """The drives on their way from one set of values to another, the largest change first."""
        ways = [Setting(float(a), float(b)) for a, b in zip(before, after, strict=True)]
        drives = [replace(d, law=way) for d, way in zip(self.drives, ways, strict=True)]
        order = np.argsort(-np.abs(after - before), kind="stable")
        return [drives[int(k)] for k in order]

    def _sweep(self, before: FloatArray, after: FloatArray, until: float) -> SweepEnd:
        self._parameters[self._places] = before
        self._parameters[self._places + 1] = after
        return swept(self._prepared(), self._at, np.array([0.0, until]), afresh=False)[1]


def _prepared(
    layout: Layout, parameters: FloatArray, executor: str, plan: str, start: Guesses | None
) -> Prepared:
    """The program with these parameters, which may change, and the assembly nearest to a start.

    Kept as long as the layout lives.
    """
    key, given = ("live", executor, plan), None if start is None else given_of(layout, start)
    kept = layout.prepared(key, Prepared)
    if kept is not None:
        return kept
    found = prepare(layout, 0.0, executor, plan, given)
    equations = found.equations.with_parameters(parameters)
    return layout.keep(key, replace(found, equations=equations))


def _places_of_settings(layout: Layout) -> NDArray[np.intp]:
    """Where the first number of each drive's setting lies among the parameters."""
    counts = [sum(not is_literal(x) for x in all_numbers(e)) for e in layout.elements]
    ends = np.cumsum(counts)[layout.first_drive :]
    return np.asarray(ends - NUMBERS_OF_A_SETTING, dtype=np.intp)
