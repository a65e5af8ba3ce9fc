"""Free play between parts that drive each other."""

import itertools
from dataclasses import dataclass
from typing import ClassVar, Self, final

from kempe.couplers import AbstractCoupler
from kempe.errors import BadConnection, BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.instant import Action, Instant
from kempe.geometry.number import finite
from kempe.geometry.vector import Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit, Damping, Reading, Stiffness, unit_along

ALONG = {"width": "u", "at": "u", "stiffness": "f/u", "damping": "f s/u"}
STRAIGHT = 1e-12  # of a coupler's row: how little it may differ from its coefficients


@final
@dataclass(frozen=True)
class Backlash(AbstractForce):
    """Parts that drive each other with free play: gears with backlash, a worn key, a loose screw.

    f = -max(0, k d + c x') where d = x - width / 2 > 0, the same the other way below -width / 2,
    and 0 between; x = m + sum r_i m_i - at;  E = k d^2 / 2

    m is what `gauge` reads. Of a pair of gears the other wheel is among `meshed`, with the ratio r
    by which it moves the flanks: 20 teeth that drive 40 have m = a, m_1 = b, r = 40 / 20. f acts
    along m, and r_i f along m_i, so that it gives away no power. The play is `width` wide in all,
    in the unit of `gauge`, and `at` is where its middle is. A flank never pulls. Touch (place 1 the
    flank below, 2 the one above) and lift-off are found exactly and listed in `trajectory.events`.

    `Backlash.of` takes ratios from a coupler. A limit on one side alone is a Bumper.

    Example: Backlash(small.angle, 0.002, 5e4, meshed=(large.angle,), ratios=(2.0,))

    Own: a spring and damper beyond each flank.
    """

    gauge: Gauge
    width: Reading  # m or rad: from flank to flank
    stiffness: Stiffness  # N/m, or N m/rad
    damping: Damping = 0.0  # N s/m, or N m s/rad, while flanks touch
    at: Reading = 0.0  # x where the play has its middle
    meshed: tuple[Gauge, ...] = ()
    ratios: tuple[AnyUnit, ...] = ()  # of the unit of `gauge`, per unit of each that is meshed

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        unit = self.gauge.unit
        self._keep_finite({word: unit_along(u, unit) for word, u in ALONG.items()})
        object.__setattr__(self, "meshed", tuple(self.meshed))
        if len(self.ratios) != len(self.meshed):
            raise BadNumber(
                f"{self._called} meshes with {len(self.meshed)} measures and has"
                f" {len(self.ratios)} ratios: give one for each."
            )
        ratios = tuple(finite(r, f"a ratio of {self._called}") for r in self.ratios)
        object.__setattr__(self, "ratios", ratios)
        if not self.width >= 0.0:
            raise BadNumber(
                f"width of {self._called} is {self.width:g} {unit}: it is the play from flank to"
                " flank, and 0 where there is none."
            )
        if not self.stiffness > 0.0 or not self.damping >= 0.0:
            raise BadNumber(
                f"{self._called} needs a positive stiffness, and a damping that is not negative:"
                f" they are {self.stiffness:g} and {self.damping:g}."
            )

    @classmethod
    def of(
        cls,
        coupler: AbstractCoupler,
        width: float | str,
        stiffness: float | str,
        *,
        damping: float | str = 0.0,
        at: float | str | None = None,
        name: str = "",
    ) -> Self:
        """The play of a `coupler` that is not added itself: of its row, in the unit of that.

        `width`, `stiffness` and `damping` are those of its first measure; `at` is the constant of
        the coupler unless given, and 0 where the coupler has none; `name` is that of the force.

        A GearPair, a Belt, a RackAndPinion, a Differential or any other coupler whose row is a sum
        of measures, sum c_k m_k = constant, has ratios r_k = c_k / c_0.
        """
        called = f"backlash {name!r}" if name else "backlash"
        c, constant = _coefficients(coupler, called)
        if not c[0]:
            raise BadConnection(
                f"{called}: the first measure of coupler {coupler.called} does not move it."
            )
        middle = constant / c[0] if at is None else at
        first, *others = coupler.gauges
        ratios = tuple(one / c[0] for one in c[1:])
        return cls(first, width, stiffness, damping, middle, tuple(others), ratios, name=name)  # type: ignore[arg-type]

    def action(self, now: Instant) -> Action:
        x, rate = self._play(now)
        effort: Scalar = 0.0
        for side, acting in self._flanks:
            stretch = x - side
            pull = self.stiffness * stretch + self.damping * rate
            effort = effort - acting.held(pull, stretch)
        return Action.along(effort, *(r * effort for r in self.ratios))

    def energy(self, now: Instant) -> Scalar:
        x, _ = self._play(now)
        stored: Scalar = 0.0
        for side, acting in self._flanks:
            d = acting.part(x - side)
            stored = stored + 0.5 * self.stiffness * d * d
        return stored

    def overlaps(self, now: Instant) -> tuple[Scalar, ...]:
        """How deep the flanks are pressed at `now`, that below the play and that above it."""
        x, _ = self._play(now)
        (low, _), (high, _) = self._flanks
        return (-(x - low), x - high)  # what `action` chooses by, or minus it

    def closing_speed(self, now: Instant, place: int) -> Scalar:
        """How fast the flank of `place` comes nearer at `now`, per second."""
        _, rate = self._play(now)
        return rate if place else -rate

    @property
    def _flanks(self) -> tuple[tuple[Scalar, Acting], ...]:
        half = 0.5 * self.width
        return ((-half, Acting.COMPRESSION), (half, Acting.TENSION))

    def _play(self, now: Instant) -> tuple[Scalar, Scalar]:
        """x and its rate."""
        first, *others = now.gauges
        x, rate = first.value - self.at, first.rate
        for r, one in zip(self.ratios, others, strict=True):
            x, rate = x + r * one.value, rate + r * one.rate
        return x, rate


def _coefficients(coupler: AbstractCoupler, called: str) -> tuple[list[float], float]:
    """c and the constant of a coupler whose row is sum c_k m_k - constant."""
    n = len(coupler.gauges)
    row = coupler.settled([0.0] * n)
    still = float(row.phi([0.0] * n))
    c = [float(row.phi([float(k == j) for j in range(n)])) - still for k in range(n)]
    for place in itertools.product((-1.7, 0.6), repeat=n):
        due = still + sum(a * b for a, b in zip(c, place, strict=True))
        size = abs(still) + sum(abs(a * b) for a, b in zip(c, place, strict=True))
        if not abs(float(row.phi(list(place))) - due) <= STRAIGHT * size:
            raise BadConnection(
                f"{called}: the row of coupler {coupler.called} is no sum of its measures, so its"
                " play is not the same everywhere. Use Backlash on one of them, or a contact.",
                coupler=coupler.name,
            )
    return c, -still
