"""What joints with numbers of their own share: a constraint, ends of bars, a length, an offset."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from kempe.constraints import AbstractConstraint
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.curves.abstract import refuse_no_curve
from kempe.geometry.number import finite, keep, positive
from kempe.joints.abstract import AbstractJoint
from kempe.units import Metres


@dataclass(frozen=True)
class AbstractCheckedJoint(AbstractJoint):
    """A joint whose constraints are made of its own numbers, and refuse those that mean nothing.

    `made_of` is the class of its only constraint, whose fields are fields of the joint too.
    """

    made_of: ClassVar[Any]
    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        for f in fields(self):
            if f.type is AbstractCurve:
                refuse_no_curve(f"joint {self.called}", getattr(self, f.name))
        _ = self.constraints  # made once here, so that a bad number is refused with the joint

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        return (self.made_of(**{f.name: getattr(self, f.name) for f in fields(self.made_of)}),)


@dataclass(frozen=True, kw_only=True)
class AbstractBarJoint(AbstractCheckedJoint):
    """A joint that holds the line of one bar, which ends at marker K."""

    K: Marker  # end of the bar
    bar: Metres | None = None  # its length, where that is fixed
    segment: bool = False  # whether what touches it keeps to the bar, not beyond its ends

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K)


@dataclass(frozen=True, kw_only=True)
class AbstractBarPair(AbstractCheckedJoint):
    """A joint between two bars: one from I to K, the other from J to L."""

    K: Marker  # end of the first bar
    L: Marker  # end of the second

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (self.I, self.J, self.K, self.L)


@dataclass(frozen=True, kw_only=True)
class AbstractDirectedBars(AbstractBarPair):
    """A joint between the directions of two bars, whose lengths may be fixed."""

    first: Metres | None = None  # length of the first bar, where fixed
    second: Metres | None = None  # of the second


@dataclass(frozen=True, kw_only=True)
class AbstractMasslessLink(AbstractJoint):
    """A massless link, square to the z axis of I, that keeps J `length` from it."""

    length: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, positive, f"joint {self.called}", {"length": "m"})

    @property
    def home(self) -> Pose:
        return Pose(Vector(self.length, 0.0, 0.0), Rotation.identity())


@dataclass(frozen=True, kw_only=True)
class AbstractOnPlane(AbstractJoint):
    """A joint that keeps the origin of J in the plane z = `offset` of I."""

    offset: Metres = 0.0  # along z of I

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, finite, f"joint {self.called}", {"offset": "m"})

    @property
    def home(self) -> Pose:
        return Pose(Vector(0.0, 0.0, self.offset), Rotation.identity())
