"""A PID controller in a computer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.forces.limits import keep_limits, limited
from kempe.forces.sampled_control import keep_clock
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit, Seconds, Unit, effort_unit


@final
@dataclass(frozen=True)
class SampledPid(AbstractForce):
    """A PID controller that is asked every period, and holds its answer in between.

    f_k = P e_k + z_k - D (x_k - x_(k-1)) / period,  z_(k+1) = z_k + I period e_k

    e_k = target - x_k is what the measure lacks at t = k period; gains are SI, as those of `Pid`.
    Where `low` or `high` limits f, the integral z goes on only where that leads back. What it
    answers acts after the `delay`. Its states are what is `held`, the `integral` z, the reading
    `last` x_(k-1), and whether there is one, `asked` (0 or 1): at the first sample of all it takes
    the rate in place of the difference. A run that goes on from the state of another takes the
    reading of that one. What waited for its delay there is not carried on.

    Source: [AstromMurray] ch. 10, the controller in discrete time; the integral at a limit is
    clamped: Own.
    """

    gauge: Gauge
    target: Annotated[AbstractLaw, Unit("")]  # what the measure shall read
    period: Seconds
    proportional: AnyUnit
    integral: AnyUnit = 0.0
    derivative: AnyUnit = 0.0
    delay: Seconds = 0.0
    low: AnyUnit | None = None  # N or N m
    high: AnyUnit | None = None

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_finite(dict.fromkeys(("proportional", "integral", "derivative"), ""))
        keep_limits(self)
        keep_clock(self)

    @property
    def states(self) -> tuple[str, ...]:
        return ("held", "integral", "last", "asked")

    @property
    def state_units(self) -> tuple[str, ...]:
        effort = effort_unit(self.gauge.unit)
        return effort, effort, self.gauge.unit, ""

    @property
    def clock(self) -> tuple[float, float] | None:
        return self.period, self.delay

    def action(self, now: Instant) -> Action:
        return Action.along(now.states[0])

    def rates(self, now: Instant) -> Sequence[Scalar]:
        return [0.0, 0.0, 0.0, 0.0]

    def sampled(self, now: Instant) -> Sequence[float]:
        x: Any = now.gauges[0]
        _, z, last, asked = now.states
        error = float(self.target.value(now.t)) - x.value
        slope = (x.value - last) / self.period if asked else x.rate
        wanted = self.proportional * error + z - self.derivative * slope
        given = limited(wanted, self.low, self.high)
        more = self.integral * self.period * error
        if (wanted - given) * more > 0.0:
            more = 0.0
        return [float(given), float(z + more), float(x.value), 1.0]
