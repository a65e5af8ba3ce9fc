"""A spring whose force is any function of its stretch."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, final

from kempe.drives import AbstractLaw, Formula, TextFormula
from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.instant import Action, Instant
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import Argument, Damping, Reading, Unit, unit_along

Law = AbstractLaw | Callable[[Scalar], Scalar]


@final
@dataclass(frozen=True)
class NonlinearSpring(AbstractForce):
    """A spring on any measure that follows a function of its stretch, and a damper.

    f = -law(s) - damper(ds/dt) - c ds/dt,  s = m - free;  E = integral of law from 0 to s

    A law is that of a drive with the stretch, or its rate, in the place of time `t`: a formula in
    text, a table, a polynomial, a Python function. The energy of a table and of anything that is a
    polynomial is exact; that of another formula may be given as `stored`, a law too, and is checked
    against the force. Without either, what the spring takes counts as dissipated until it is given
    back. One that acts in `acting` alone stores nothing while it hangs loose; where it is taut its
    law must pull (or push).

    Own: the integral of a table's pieces; that of a polynomial found by running the formula on it.
    """

    gauge: Gauge
    law: Annotated[Law, Argument("u")]
    damping: Damping = 0.0  # N s/m, or N m s/rad
    free: Reading = 0.0  # where the stretch is zero
    acting: Acting = Acting.BOTH
    damper: Annotated[Law | None, Argument("u/s")] = None
    stored: Annotated[Law | None, Unit("J"), Argument("u")] = None

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        for word in ("law", "damper", "stored"):
            object.__setattr__(self, word, _law(getattr(self, word)))
        units = {"damping": "f s/u", "free": "u"}
        self._keep_finite({word: unit_along(u, self.gauge.unit) for word, u in units.items()})

    @property
    def stores(self) -> bool:
        """Whether its law, or `stored`, says what it has stored."""
        return self._stored(0.0) is not None

    @property
    def promises(self) -> bool:
        """Whether its energy was given rather than derived."""
        return self.stored is not None

    @property
    def damps(self) -> bool:
        """Whether it has a law for its damper: also one that is the same at every rate."""
        return self.damper is not None

    @property
    def undamped(self) -> "NonlinearSpring":
        """The spring alone: a damper may hold something at rest too, which is not stored."""
        return replace(self, damping=0.0, damper=None)

    def action(self, now: Instant) -> Action:
        assert isinstance(self.law, AbstractLaw)
        m = now.gauges[0]
        stretch = m.value - self.free
        pull = self.law.value(stretch) + self.damping * m.rate
        if isinstance(self.damper, AbstractLaw):
            pull = pull + self.damper.value(m.rate)
        return Action.along(-self.acting.held(pull, stretch))

    def energy(self, now: Instant) -> Scalar | None:
        return self._stored(self.acting.part(now.gauges[0].value - self.free))

    def _stored(self, stretch: Scalar) -> Scalar | None:
        if isinstance(self.stored, AbstractLaw):
            return self.stored.value(stretch)
        assert isinstance(self.law, AbstractLaw)
        return self.law.integral(stretch)


def _law(given: Any) -> AbstractLaw | None:
    """A text or a function as a law."""
    if given is None or isinstance(given, AbstractLaw):
        return given
    return TextFormula(given) if isinstance(given, str) else Formula(given)
