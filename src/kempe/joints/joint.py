"""A joint put together from constraints on the spot."""

from dataclasses import dataclass
from typing import final

from kempe.constraints import AbstractConstraint
from kempe.errors import BadConnection
from kempe.geometry import Marker, Pose
from kempe.joints.abstract import AbstractJoint
from kempe.joints.side import AbstractSide
from kempe.measures import AbstractMeasure, Held

AT_I = Pose.identity()


@final
@dataclass(frozen=True, init=False)
class Joint(AbstractJoint):
    """Any combination of constraints and held measures between two markers.

    phi = the rows of the constraints in order, then those of the held measures

    Own: what [KohPark] combines from three kinds of constraints, here from any.

    Example:
        >>> from kempe import Marker, X, Z
        >>> from kempe.constraints import Coincident, Perpendicular
        >>> from kempe.joints import Joint
        >>> Joint(Marker("ground"), Marker("shaft"), Coincident(), Perpendicular(Z, X)).row_units
        ('m', 'm', 'm', '1')
    """

    constraints: tuple[AbstractConstraint, ...] = ()  # type: ignore[misc]
    held: tuple[Held, ...] = ()
    sides: tuple[AbstractSide, ...] = ()  # type: ignore[misc]
    freedom: tuple[AbstractMeasure, ...] = ()  # type: ignore[misc]
    symbol: str = "contact"  # type: ignore[misc]
    home: Pose = AT_I

    def __init__(
        self,
        I: Marker,
        J: Marker,
        *parts: AbstractConstraint | Held,
        name: str = "",
        constraints: tuple[AbstractConstraint, ...] = (),
        held: tuple[Held, ...] = (),
        sides: tuple[AbstractSide, ...] = (),
        freedom: tuple[AbstractMeasure, ...] = (),
        symbol: str = "contact",
        home: Pose = AT_I,
    ) -> None:
        rows = (*(part for part in parts if not isinstance(part, Held)), *constraints)
        kept = (*(part for part in parts if isinstance(part, Held)), *held)
        given = (("I", I), ("J", J), ("name", name), ("constraints", rows), ("held", kept))
        others = (("sides", sides), ("freedom", freedom), ("symbol", symbol), ("home", home))
        for field, value in (*given, *others):
            object.__setattr__(self, field, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        for place in (self.I, self.J):
            if not isinstance(place, Marker):
                raise BadConnection(
                    f"a joint holds on to two places before its constraints, not to {place!r}:"
                    " Joint(crank.end, rod.start, Coincident(), Perpendicular(Z, X))."
                )
        super().__post_init__()
        if not self.constraints and not self.held:
            raise BadConnection(
                f"joint {self.called} constrains nothing: give it constraints, for example"
                " Joint(a, b, Coincident())."
            )
        for part in self.constraints:
            if not isinstance(part, AbstractConstraint):
                raise BadConnection(
                    f"joint {self.called} is made of constraints such as Coincident(), not of"
                    f" {part!r}."
                )
