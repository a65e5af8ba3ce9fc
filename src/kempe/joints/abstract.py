"""What every joint is: names of constraints and measures between two markers."""

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.errors import BadConnection
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.joints.side import AbstractSide
from kempe.joints.ways import Ways, ways_of
from kempe.measures import AbstractMeasure, Held
from kempe.names import refuse_dot

CROSSED = Pose(Vector(0.0, 0.0, 0.0), Rotation.with_z((1.0, 0.0, 0.0)))  # z of J along x of I


@dataclass(frozen=True)
class AbstractJoint(ABC):
    """A joint between markers I and J; its axis is the markers' z.

    A joint either names `constraints`, or gives one formula `phi` of its own together with `rows`
    (the unit of every row, "m" or "1"; a plain count means metres). It may give the derivative of
    `phi` by hand as `jacobian`; that is then checked against the traced one and used for nothing
    else.

    What a joint holds of velocities alone, as a wheel that does not slip, is a second formula `psi`
    of the markers' frames and twists, and of the joint's own unknowns, linear in the twists,
    together with `velocity_rows` (the unit of every row, "m" for m/s or "1" for rad/s).

    A `phi` that cannot be traced, as it calls foreign code, is differentiated numerically where the
    class says `traced = False`: in Python, in steps of `step` rad, and of as many sizes of the
    machine in metres. Certified analyses, batches and exact gradients need formulas, and refuse it.
    """

    I: Marker
    J: Marker
    name: str = ""

    constraints: ClassVar[tuple[AbstractConstraint, ...]] = ()
    rows: ClassVar[tuple[str, ...] | int] = ()
    velocity_rows: ClassVar[tuple[str, ...] | int] = ()  # of psi
    sides: ClassVar[tuple[AbstractSide, ...]] = ()  # what tells the assembly from its mirror image
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = ()  # what a drive or a limit can hold
    symbol: ClassVar[str] = "pin"  # how it is drawn
    traced: ClassVar[bool] = True  # whether phi is a formula that can be traced
    step: ClassVar[float] = 2e-3  # of differences, where it is not: rad, and sizes of the machine

    def __post_init__(self) -> None:
        refuse_dot(self.name, "a joint", "hinge.angle")
        if len({marker.body for marker in self.markers}) < 2:
            raise BadConnection(
                f"joint {self.name or type(self).__name__!r} connects body {self.I.body!r} to"
                " itself: a joint needs two bodies."
            )
        if not self.traced and (self.constraints or self.held or self.unknowns):
            raise BadConnection(
                f"joint {self.called} names constraints or holds measures, whose formulas are"
                " traced: `traced = False` is for a phi of your own. Leave it out."
            )

    @property
    def called(self) -> str:
        """Which one it is, in a message: its name, or what it joins as long as it has none."""
        return repr(self.name) if self.name else f"between {self.I.body!r} and {self.J.body!r}"

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers whose frames `phi` sees."""
        return (self.I, self.J)

    @property
    def home(self) -> Pose:
        """X_IJ of one assembled position: where a search for others starts."""
        return Pose.identity()

    @property
    def held(self) -> tuple[Held, ...]:
        """Measures, or sums of them, that the joint keeps at a value."""
        return ()

    @property
    def measures(self) -> tuple[AbstractMeasure, ...]:
        """All that is read off the joint by name: what it leaves free, then what it holds."""
        held = (measure for held in self.held for measure in held.measures)
        return tuple(dict.fromkeys((*self.freedom, *held)))

    @property
    def off(self) -> "AbstractJoint | None":
        """What is left of it where an event lets go of it: nothing."""
        return None

    def ways(self, *, plane: bool) -> Ways:
        """What it leaves free in the `plane` or in space, found from its rows alone."""
        return ways_of(self, plane)

    def phi(self, *X: Any) -> Rows:
        """Rows of all constraints, in order, at `X`: the markers' frames, then the own unknowns."""
        frames, own = X[: len(self.markers)], iter(X[len(self.markers) :])
        rows: Rows = []
        for constraint in self.constraints:
            rows += constraint.phi(*frames, *(next(own) for _ in constraint.unknowns))
        return rows

    def psi(self, *XV: Any) -> Rows:
        """Rows of velocities at `XV`: frame and twist of I, of J, of further markers, own unknowns.

        Twists are those of the markers' origins, in world axes. None, unless a joint has some.
        """
        return []

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The unknowns of its constraints, in order."""
        return tuple(u for constraint in self.constraints for u in constraint.unknowns)

    def moved(self, move: Callable[[Marker], Marker]) -> Self:
        """The joint with every marker as `move` makes it."""
        held = {f.name: getattr(self, f.name) for f in fields(self)}
        places: Any = {k: move(v) for k, v in held.items() if isinstance(v, Marker)}
        return replace(self, **places)

    def jacobian(self, X_WI: Pose, X_WJ: Pose) -> list[list[Any]] | None:
        """d phi / d (v_I, w_I, v_J, w_J) at `X_WI`, `X_WJ`: rows of 12, world axes; or None."""
        return None

    @property
    def row_units(self) -> tuple[str, ...]:
        """The unit of every row in space."""
        if self.constraints:
            return tuple(unit for c in self.constraints for unit in c.rows)
        return ("m",) * self.rows if isinstance(self.rows, int) else self.rows

    @property
    def velocity_units(self) -> tuple[str, ...]:
        """The unit of every row of `psi` in space: "m" for m/s, "1" for rad/s."""
        rows = self.velocity_rows
        return ("m",) * rows if isinstance(rows, int) else rows

    def flipped(self) -> Self:
        """The joint with marker J turned round, for axes that oppose each other on purpose."""
        return replace(self, J=self.J.mirrored())
