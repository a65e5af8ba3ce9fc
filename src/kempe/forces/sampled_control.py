"""A controller in a computer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from kempe.errors import BadConnection, BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.callback import plain_number
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Seconds, effort_unit


@final
@dataclass(frozen=True)
class SampledControl(AbstractForce):
    """A Python function that is asked every period, whose answer is held in between.

    f(t) = function(k period) for k period + delay <= t < (k + 1) period + delay

    The function gets an `Instant` in plain numbers: the time `t`, and in `gauges` value and rate of
    the measure it acts along, then of those of `seen`, as they are at that time, before its answer
    acts; `states[0]` is the effort that is held until then. It returns the effort (N or N m). It is
    called at t = 0, period, 2 period, ... to the last bit, once each, forward in time, and not at
    the end of the run, so it may remember what it likes; no step, sample or event in between calls
    it. Every run begins at t = 0, one that goes on from the state of another too. Where an event
    happens at such a time it is called once, after the event. What it returns acts after the
    `delay`; before that nothing does, or what the start holds. Its state is `held`, which at the
    very time of a change is what was held before. Where it raises, or returns no finite number, the
    run ends there and keeps its samples.

    Own: steps end at these times, and states change there at once.

    Example:
        >>> import kempe
        >>> m = kempe.Builder("servo", plane=True)
        >>> disc = kempe.Inertia(2.0, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        >>> arm = m.bar("arm", 0.5, inertia=disc)
        >>> hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
        >>> def law(now):
        ...     return 4.0 * (0.3 - now.gauges[0].value) - 3.0 * now.gauges[0].rate
        >>> _ = m.force(kempe.forces.SampledControl(hinge.angle, law, 0.01), "servo")
        >>> motion = m.build().simulate(until=10.0, steps=10)
        >>> round(float(motion["hinge.angle"].values[-1]), 4)
        0.3
    """

    gauge: Gauge
    function: Callable[[Instant], Any]
    period: Seconds
    delay: Seconds = 0.0
    seen: tuple[Gauge, ...] = ()

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seen", tuple(self.seen))
        if not callable(self.function):
            raise BadConnection(
                f"{self._called} needs a function of the instant, not {self.function!r}."
            )
        keep_clock(self)

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """Its own measure; those of `seen` are only looked at."""
        return (self.gauge,)

    @property
    def states(self) -> tuple[str, ...]:
        return ("held",)

    @property
    def state_units(self) -> tuple[str, ...]:
        return (effort_unit(self.gauge.unit),)

    @property
    def clock(self) -> tuple[float, float] | None:
        return self.period, self.delay

    def action(self, now: Instant) -> Action:
        return Action.along(now.states[0], *(0.0 for _ in self.seen))

    def rates(self, now: Instant) -> Sequence[Scalar]:
        return [0.0]

    def sampled(self, now: Instant) -> Sequence[float]:
        return [plain_number(self.function(now))]


def keep_clock(force: AbstractForce) -> None:
    """Makes floats of the period and the delay of a `force`; refuses what no clock has."""
    force._keep_positive({"period": "s"})
    force._keep_finite({"delay": "s"})
    if not getattr(force, "delay") >= 0.0:  # noqa: B009
        raise BadNumber(f"the delay of {force._called} is at least 0 s: it cannot act before.")
