"""A spring and damper along the line between two points."""

from dataclasses import dataclass
from typing import ClassVar, final

from kempe.algebra.functions import sqrt
from kempe.errors import BadNumber
from kempe.forces.abstract import AbstractForce
from kempe.forces.acting import Acting
from kempe.forces.instant import Action, Instant
from kempe.geometry import Marker, Scalar, Vector
from kempe.units import LineDamping, LineStiffness, Metres, Newtons

UNITS = {"stiffness": "N/m", "damping": "N s/m", "free": "m", "preload": "N"}


@final
@dataclass(frozen=True)
class LineSpring(AbstractForce):
    """A coil spring, a damper, a rope or a buffer between two points.

    pull = k (L - free) + c dL/dt + preload,  L = |p_J - p_I|;  E = k (L - free)^2 / 2 + preload L

    The pull draws the points together. With `acting=Acting.TENSION` it is a rope: nothing where it
    hangs loose (L < free), and no damper pushes; with `Acting.COMPRESSION` it is a buffer.

    Source: [KohPark] section 3.
    """

    I: Marker
    J: Marker
    stiffness: LineStiffness = 0.0  # N/m
    damping: LineDamping = 0.0  # N s/m
    free: Metres = 0.0  # length at rest
    preload: Newtons = 0.0  # pull there
    acting: Acting = Acting.BOTH

    symbol: ClassVar[str] = "spring"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep_two_bodies()
        self._keep_finite(UNITS)
        if self.preload and self.acting is not Acting.BOTH:
            raise BadNumber(
                f"{self._called} has a preload of {self.preload:g} N and acts in"
                f" {self.acting.value} only: shorten or lengthen `free` by preload / stiffness"
                " instead."
            )

    @property
    def drawn_as(self) -> str:
        """A coil, a dashpot, both side by side, or a rope."""
        if self.acting is Acting.TENSION:
            return "rope"
        if not self.stiffness:
            return "damper"
        return "spring_damper" if self.damping else "spring"

    def action(self, now: Instant) -> Action:
        line, length = self._line(now)
        speed = (now.V[1].v - now.V[0].v) @ line / length
        stretch = length - self.free
        pull = self.stiffness * self.acting.part(stretch) + self.damping * speed + self.preload
        return Action.between(now, line * (-self.acting.held(pull, stretch) / length))

    def energy(self, now: Instant) -> Scalar:
        _, length = self._line(now)
        stretch = self.acting.part(length - self.free)
        return 0.5 * self.stiffness * stretch * stretch + self.preload * length

    @staticmethod
    def _line(now: Instant) -> tuple[Vector, Scalar]:
        line = now.X[1].position - now.X[0].position
        return line, sqrt(line @ line)
