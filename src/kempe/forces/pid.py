"""A PID controller."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, final

from kempe.drives import AbstractLaw
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.instant import Action, Instant
from kempe.forces.limits import keep_limits, limited
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit, Seconds, Unit, effort_unit


@final
@dataclass(frozen=True)
class Pid(AbstractForce):
    """A controller that pushes along a measure until it reads what it shall.

    f = P e + z - D d,  z' = I e + (f - f_wanted) / tracking,  e = target(t) - x

    `proportional` P, `integral` I and `derivative` D are SI: N/m, N/(m s) and N s/m on a length. x
    is the measure it acts along, or another one, `seen`. d is the rate of x: D takes no notice of
    jumps of the target. With a `filter` T it is d, d' = (x' - d) / T, that is taken. Where `low`
    and `high` limit what it can give, f is not what was wanted, and the integral z follows it
    within the time `tracking`, P / I if omitted, rather than winding up. Its states are `integral`
    z and, with a filter, `slope` d.

    Source: [AstromMurray] ch. 10, the derivative of the output and back-calculation.

    Example:
        >>> import kempe
        >>> m = kempe.Builder("servo", plane=True)
        >>> rod = kempe.Inertia(2.0, (0.25, 0, 0), [[0, 0, 0], [0, 0.04, 0], [0, 0, 0.04]])
        >>> arm = m.bar("arm", 0.5, inertia=rod)
        >>> hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
        >>> servo = kempe.forces.Pid(hinge.angle, kempe.drives.Ramp(0.3), 40.0, 30.0, 5.0)
        >>> _ = m.force(servo, "servo")
        >>> motion = m.build().simulate(until=20.0, steps=10)
        >>> round(float(motion["hinge.angle"].values[-1]), 6)
        0.3
    """

    gauge: Gauge
    target: Annotated[AbstractLaw, Unit("")]  # what the measure shall read
    proportional: AnyUnit
    integral: AnyUnit = 0.0
    derivative: AnyUnit = 0.0
    filter: Seconds | None = None  # of the derivative
    low: AnyUnit | None = None  # N or N m
    high: AnyUnit | None = None
    tracking: Seconds | None = None  # of the integral, at a limit
    seen: Gauge | None = None

    symbol: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_finite(dict.fromkeys(("proportional", "integral", "derivative"), ""))
        keep_limits(self)
        is_limited = self.low is not None or self.high is not None
        if is_limited and self.integral and self.tracking is None:
            if not self.proportional / self.integral > 0.0:
                raise BadNumber(
                    f"{self._called} has limits and an integral, which would wind up: give the"
                    " time `tracking` (s) in which the integral follows what is given."
                )
            object.__setattr__(self, "tracking", self.proportional / self.integral)
        for word in ("filter", "tracking"):
            if getattr(self, word) is not None:
                self._keep_positive({word: "s"})

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """Its own measure; `seen` is only looked at."""
        return (self.gauge,)

    @property
    def states(self) -> tuple[str, ...]:
        return ("integral",) if self.filter is None else ("integral", "slope")

    @property
    def state_units(self) -> tuple[str, ...]:
        own = (effort_unit(self.gauge.unit), f"{self.gauges[-1].unit}/s")
        return own[: len(self.states)]

    def action(self, now: Instant) -> Action:
        effort = limited(self._wanted(now), self.low, self.high)
        return Action.along(effort, *(0.0 for _ in now.gauges[1:]))

    def rates(self, now: Instant) -> Sequence[Scalar]:
        x, wanted = now.gauges[-1], self._wanted(now)
        rates = [self.integral * self._error(now)]
        if self.tracking is not None:
            given = limited(wanted, self.low, self.high)
            rates = [rates[0] + (given - wanted) / self.tracking]
        if self.filter is not None:
            rates.append((x.rate - now.states[1]) / self.filter)
        return rates

    def _error(self, now: Instant) -> Scalar:
        return self.target.value(now.t) - now.gauges[-1].value

    def _wanted(self, now: Instant) -> Scalar:
        """What it would give without limits."""
        slope = now.gauges[-1].rate if self.filter is None else now.states[1]
        return self.proportional * self._error(now) + now.states[0] - self.derivative * slope
