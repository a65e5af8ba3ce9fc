"""What every force is: one formula of marker frames, their motion, gauges and time."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from kempe.errors import BadConnection
from kempe.forces.given_laws import keep_laws
from kempe.forces.given_numbers import keep_numbers
from kempe.forces.instant import Action, Instant
from kempe.forces.words import Written
from kempe.geometry import Marker, Scalar
from kempe.geometry.number import finite, keep, keep_tuples, positive
from kempe.measures import Gauge
from kempe.names import refuse_dot


@dataclass(frozen=True)
class AbstractForce(ABC):
    """A force: a class of one formula, `action`, of what it sees at an instant.

    Its markers and gauges are its fields of those types, in order. A float field (or a tuple of
    floats) is a number of the model and can change without recompiling, and so are the numbers of a
    field that is a law. Everything in `action` is traced once and runs compiled: use NumPy's or
    kempe's functions, and `kempe.where` in place of `if`.

    A force that stores what it is given may say so by `energy`, which is then checked against the
    formula, before a run and at its samples: with everything at rest the action is minus the
    gradient of the energy. What the action does beyond that counts as dissipated; nothing, where
    neither formula knows speeds or time.

    A force may have `states`, numbers of its own that change along a run as `rates` says: the
    current of a motor, the integral of a controller. They are integrated with the motion, start at
    `first_states`, and are read by name, as in "motor.current".
    """

    name: str = field(default="", kw_only=True)

    symbol: ClassVar[str] = "arrow"  # how it is drawn
    felt_at: ClassVar[int] = -1  # of those it acts on: where "name.force" is told

    def __post_init__(self) -> None:
        keep_tuples(self)
        self._refuse_no_place()
        refuse_dot(self.name, "a force", "spring.force")
        if not self.acts_on and not self.acts_along:
            called = self.name or type(self).__name__
            raise BadConnection(f"force {called!r} acts nowhere: give it a marker or a measure.")
        keep_laws(self, self._called)
        keep_numbers(self, self._called)

    def _refuse_no_place(self) -> None:
        """Refuses what is no measure or no marker where one is wanted."""
        for name, kind in _places_of(type(self)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                wanted = "measure, such as `shaft.angle` of a joint"
                if kind is Marker:
                    wanted = "marker, such as `body.at(0, 0)`"
                raise BadConnection(
                    f"`{name}` of {self._called} is {value!r}: give it one {wanted}.", given=name
                )

    @property
    def _called(self) -> str:
        """Which one it is, in a message: its name, or its class as long as it has none."""
        return f"force {self.name or type(self).__name__!r}"

    def _keep_two_bodies(self) -> None:
        """Refuses a force between two markers that are on one body, which it cannot move."""
        bodies = [marker.body for marker in self.markers[:2]]
        if bodies[0] == bodies[1]:
            raise BadConnection(
                f"both ends of {self._called} are on {bodies[0]!r}, on which it can do nothing: put"
                " its markers on two bodies.",
                body=bodies[0],
            )

    def _keep_finite(self, units: Mapping[str, str]) -> None:
        """Makes floats of the fields of these names, in these units; refuses what is not finite."""
        keep(self, finite, self._called, units)

    def _keep_positive(self, units: Mapping[str, str]) -> None:
        """Makes floats of the fields of these names, in these units; refuses 0 and below."""
        keep(self, positive, self._called, units)

    def _keep_along(self, unit: str, otherwise: str) -> None:
        """Refuses a first measure that does not read in `unit`; `otherwise` is what fits there."""
        gauge = self.gauges[0]
        if gauge.unit != unit:
            is_length = gauge.unit == "m"
            raise BadConnection(
                f"{self._called} sits on {gauge.name!r}, which is"
                f" {'a length' if is_length else 'an angle'}: use {otherwise} there.",
                measure=gauge.name,
            )

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers that `action` sees."""
        return tuple(self._fields(Marker))

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        """The measures that `action` sees."""
        return tuple(self._fields(Gauge))

    @property
    def acts_on(self) -> tuple[Marker, ...]:
        """The markers it acts on, the first of those it sees: by default all."""
        return self.markers

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """The measures it acts along, the first of those it sees: by default all."""
        return self.gauges

    @abstractmethod
    def action(self, now: Instant) -> Action:
        """What the force does at the instant `now`: wrenches (N, N m) and efforts."""

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states it has of its own: by default none."""
        return ()

    @property
    def state_units(self) -> tuple[str, ...]:
        """The unit of every state in SI: by default "1"."""
        return ("1",) * len(self.states)

    @property
    def first_states(self) -> tuple[float, ...]:
        """What every state is at the start of a run: by default 0."""
        return (0.0,) * len(self.states)

    def rates(self, now: Instant) -> Sequence[Scalar]:
        """How fast each of its states changes (per second) at the instant `now`."""
        return ()

    @property
    def clock(self) -> tuple[float, float] | None:
        """Period and delay (s), where its states change at certain times at once, else None."""
        return None

    def sampled(self, now: Instant) -> Sequence[float]:
        """Its states from `now` on, where its clock strikes; the first one after the delay."""
        return [float(z) for z in now.states]

    @property
    def written(self) -> tuple[Written, ...]:
        """Its formulas in text: by default none."""
        return ()

    @property
    def drawn_as(self) -> str:
        """The word for how this one is drawn: by default that of its class."""
        return self.symbol

    @property
    def stores(self) -> bool:
        """Whether it has an energy: by default where its class says one."""
        return type(self).energy is not AbstractForce.energy

    @property
    def promises(self) -> bool:
        """Whether its energy is somebody's word: kempe's own are derived, and held to it by law."""
        return False

    @property
    def damps(self) -> bool:
        """Whether it dissipates by its own word, even if its formulas know no speeds."""
        return False

    @property
    def undamped(self) -> "AbstractForce":
        """The force that its energy is held to at rest: by default itself, speeds and all."""
        return self

    def overlaps(self, now: Instant) -> tuple[Scalar, ...]:
        """How deep (m) surfaces overlap at `now`: touch and lift-off, where one changes its sign.

        They are listed in `trajectory.events`. The `action` must choose by the same values, as in
        `kempe.where(overlap > 0.0, push, 0.0)`: where it changes over is found exactly.
        """
        return ()

    @property
    def off(self) -> "AbstractForce | None":
        """What is left of it where an event switches it off: by default nothing."""
        return None

    def kinetic(self, now: Instant) -> Scalar | None:
        """Kinetic energy (J) at `now` of mass that its states say bodies gained; None: of none."""
        return None

    def closing_speed(self, now: Instant, place: int) -> Scalar:
        """How fast the overlap of number `place` grows (per second) at `now`: by default 0."""
        return 0.0

    def energy(self, now: Instant) -> Scalar | None:
        """What it has stored (J) at `now`, by poses and readings alone; None if it has none."""
        return None

    def _fields(self, kind: type) -> Iterator[Any]:
        for name in _names_of_fields(type(self)):
            value = getattr(self, name)
            for entry in value if isinstance(value, tuple) else (value,):
                if isinstance(entry, kind):
                    yield entry


@cache
def _names_of_fields(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a class of forces; a machine may have thousands of one class."""
    return tuple(one.name for one in dataclasses.fields(kind))


@cache
def _places_of(kind: Any) -> tuple[tuple[str, type], ...]:
    """The fields of a class of forces that hold one measure or one marker, and which of both."""
    found = ((one.name, one.type) for one in dataclasses.fields(kind))
    return tuple((name, held) for name, held in found if held is Gauge or held is Marker)
