"""A force and a torque by formulas of time and of what is measured."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.forces.applied_load import AbstractLoad, Axes
from kempe.forces.instant import Instant
from kempe.forces.words import Words, Written
from kempe.geometry import Marker, Scalar
from kempe.measures import Gauge
from kempe.units import AnyUnit


@final
@dataclass(frozen=True)
class FormulaLoad(AbstractLoad):
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

    given_by: ClassVar[str] = "formulas"

    def __post_init__(self) -> None:
        super().__post_init__()
        texts = (*self.force, *self.torque)
        numbers = self._words.checked(self._called, texts, len(self.seen), self.values)
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

    def _component(self, part: str, now: Instant) -> Scalar:
        return self._words.value(part, now, self.values)

    @property
    def _words(self) -> Words:
        return Words(self.names, self.constants)
