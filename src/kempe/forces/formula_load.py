"""A force and a torque by formulas of time and of what is measured."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.forces.abstract import AbstractForce
from kempe.forces.applied_load import Axes, loaded, refuse_components
from kempe.forces.instant import Action, Instant
from kempe.forces.words import Words, Written
from kempe.geometry.marker import Marker
from kempe.geometry.number import finite
from kempe.geometry.vector import Vector
from kempe.measures import Gauge
from kempe.units import AnyUnit


@final
@dataclass(frozen=True)
class FormulaLoad(AbstractForce):
    """A force and a torque at a marker whose components are formulas of time and of measures.

    f = R (text_x, text_y, text_z),  m = R (...),  R = 1 or R_WM; for example a tow that slackens:
    FormulaLoad(car.hook, ("k * (L - x)", "0", "0"), seen=(car.x,), names=("x",),
    constants=("k", "L"), values=(300, 4))

    Every name of `names` is what the gauge of the same place in `seen` shows, and name_rate its
    rate; `t` is the time. With `against` the other marker's body gets the reaction, in the same
    line.
    """

    at: Marker
    force: tuple[str, ...] = ()  # N
    torque: tuple[str, ...] = ()  # N m
    seen: tuple[Gauge, ...] = ()
    names: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    values: tuple[AnyUnit, ...] = ()  # of the constants
    against: Marker | None = None
    axes: Axes = Axes.WORLD

    symbol: ClassVar[str] = "arrow"
    felt_at: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        who = f"load {self.name or 'FormulaLoad'!r}"
        refuse_components(who, self.force, self.torque, "three formulas")
        texts = (*self.force, *self.torque)
        self._words.refuse(who, texts, len(self.seen), len(self.values))
        numbers = tuple(finite(x, f"a value of {who}") for x in self.values)
        object.__setattr__(self, "values", numbers)

    @property
    def acts_along(self) -> tuple[Gauge, ...]:
        """None: those of `seen` are only looked at."""
        return ()

    @property
    def written(self) -> tuple[Written, ...]:
        readings = self._words.units(self.seen)
        fields = (("force", self.force, "N"), ("torque", self.torque, "N m"))
        return tuple(
            Written((word, k), text, unit, readings)
            for word, texts, unit in fields
            for k, text in enumerate(texts)
        )

    def action(self, now: Instant) -> Action:
        force, torque = (self._vector(texts, now) for texts in (self.force, self.torque))
        action = loaded(now, force, torque, self.axes)
        return Action(action.wrenches, tuple(0.0 for _ in self.seen))

    def _vector(self, texts: tuple[str, ...], now: Instant) -> Vector:
        parts = [self._words.value(text, now, self.values) for text in texts]
        return Vector(*parts) if parts else Vector(0.0, 0.0, 0.0)

    @property
    def _words(self) -> Words:
        return Words(self.names, self.constants)
