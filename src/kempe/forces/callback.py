"""An action by any Python function, called as the run goes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from kempe.errors import BadConnection, FormulaError
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Vector, Wrench
from kempe.measures import Gauge

# Neither 0 nor 1, so that the numbers stay inputs of the compiled program.
ROOM = 0.5


@final
@dataclass(frozen=True)
class Callback(AbstractForce):
    """What a Python function says that cannot be traced: a controller, a table look-up, a solver.

    (wrenches at the markers `at`, efforts along the measures `along`) = function(now)

    The function gets an `Instant` in plain numbers: the time, poses and twists of the markers,
    value and rate of the measures; first those it acts on, then those of `seen`, which it only
    looks at. Marker("cart") is the pose of a body itself. It returns an `Action`; where it acts
    along one measure and on no marker, it may return the effort alone. It is called at every
    evaluation, tried steps included and not always forward in time, so it should depend on nothing
    but what it is given. That makes a small run fifty times slower: a class with a formula runs
    compiled. Where it raises, or returns anything else, the run ends there and keeps its samples.

    Own: its numbers are inputs of the compiled program that are asked for at every evaluation.
    """

    function: Callable[[Instant], Any]
    at: tuple[Marker, ...] | Marker = ()
    along: tuple[Gauge, ...] | Gauge = ()
    seen: tuple[Marker | Gauge, ...] | Marker | Gauge = ()
    given: tuple[float, ...] = field(default=(), init=False, repr=False)  # room for its answers

    def __post_init__(self) -> None:
        for word in ("at", "along", "seen"):
            given = getattr(self, word)
            several = (given,) if isinstance(given, (Marker, Gauge)) else tuple(given)
            object.__setattr__(self, word, several)
        self._refuse_other("at", Marker, "places on bodies, such as cart.at(0, 0)")
        self._refuse_other("along", Gauge, "measures, such as hinge.angle")
        self._refuse_other("seen", (Marker, Gauge), "places on bodies and measures")
        super().__post_init__()
        if not callable(self.function):
            raise BadConnection(
                f"{self._called} needs a function of the instant, not {self.function!r}."
            )
        room = 6 * len(self.acts_on) + len(self.acts_along)
        object.__setattr__(self, "given", (ROOM,) * room)

    def _refuse_other(self, word: str, kinds: type | tuple[type, ...], wanted: str) -> None:
        for one in getattr(self, word):
            if not isinstance(one, kinds):
                raise BadConnection(f"`{word}` of {self._called} takes {wanted}, not {one!r}.")

    @property
    def acts_on(self) -> tuple[Marker, ...]:
        """The markers `at`."""
        assert isinstance(self.at, tuple)
        return self.at

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """The measures `along`."""
        assert isinstance(self.along, tuple)
        return self.along

    def action(self, now: Instant) -> Action:
        """The action at `now` in the numbers last given; nothing on what is only looked at."""
        n = len(self.acts_on)
        parts = [self.given[6 * k : 6 * k + 6] for k in range(n)]
        wrenches = [Wrench(Vector(*part[:3]), Vector(*part[3:])) for part in parts]
        still = Wrench(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
        wrenches += [still] * (len(self.markers) - n)
        idle = (0.0,) * (len(self.gauges) - len(self.acts_along))
        return Action(tuple(wrenches), (*self.given[6 * n :], *idle))

    def numbers(self, now: Instant) -> list[float]:
        """What the function answers at `now`: force, torque of every marker, then every effort."""
        answer = self.function(now)
        markers, gauges = len(self.acts_on), len(self.acts_along)
        if not isinstance(answer, Action):
            if markers or gauges != 1:
                raise FormulaError(
                    f"it returned a {type(answer).__name__} instead of an Action: return"
                    " Action(wrenches, efforts)."
                )
            answer = Action.along(answer)
        wrenches = answer.wrenches or (None,) * markers
        efforts = answer.efforts or (0.0,) * gauges
        for what, count, wanted in (
            ("wrenches", len(wrenches), markers),
            ("efforts", len(efforts), gauges),
        ):
            if count != wanted:
                raise FormulaError(f"it returned {count} {what} instead of {wanted}.")
        numbers = [x for wrench in wrenches for x in _of_wrench(wrench)]
        return [plain_number(x) for x in (*numbers, *efforts)]


def _of_wrench(wrench: Any) -> list[Any]:
    if wrench is None:
        return [0.0] * 6
    if not isinstance(wrench, Wrench):
        raise FormulaError(f"it returned a {type(wrench).__name__} in place of a Wrench.")
    return [*wrench.force, *wrench.torque]


def plain_number(value: Any) -> float:
    """The `value` that a function returned, as one number; a FormulaError where it is none."""
    if type(value) is float:
        return value
    if isinstance(value, (bool, str)) or np.ndim(value) != 0:
        raise FormulaError(f"it returned {value!r} where one number is needed.")
    try:
        return float(value)
    except (TypeError, ValueError):
        kind = type(value).__name__
        raise FormulaError(f"it returned a {kind} where one number is needed.") from None
