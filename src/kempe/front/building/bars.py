"""Bars between points, and what can be asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from kempe.errors import about
from kempe.front.building.arguments import marker_of
from kempe.front.building.handles import BodyPart, JointPart
from kempe.geometry import GROUND, Marker
from kempe.geometry.curves import AbstractCurve
from kempe.joints import (
    AbstractJoint,
    BarAngle,
    BarOffCurve,
    BarOnCurve,
    BarsApart,
    BarsParallel,
    LineAngle,
    NoRotation,
    PointFromBar,
    PointOnCurve,
    Rod,
)
from kempe.measures import Distance, Gauge
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.builder import Builder

Number = float | str


def added_point(
    builder: "Builder",
    name: str,
    at: Sequence[Number] | None,
    on: AbstractCurve | None,
    of: BodyPart | None,
) -> BodyPart:
    """A point of a builder: a body that does not turn, on a curve where one is given."""
    part = builder.body(name, at=at)
    builder.add(NoRotation(Marker(GROUND), Marker(name)), f"{name}_upright")
    if on is not None:
        frame = Marker(GROUND if of is None else of.name)
        builder.add(PointOnCurve(frame, Marker(name), curve=on), f"{name}_path")
    return part


def added_stick(
    builder: "Builder", name: str, start: Marker, end: Marker, length: Number | None
) -> "StickPart":
    """A bar of a builder: a rod, or, where it is flexible, a measure of its length."""
    if length is None:
        builder.watch(Gauge(f"{name}.length", Distance(), start, end))
        return StickPart(builder, name, start, end)
    with about(f"the length of bar {name!r}"):
        metres = builder.length(length)
    builder.add(Rod(start, end, length=metres, name=name), name)
    return StickPart(builder, name, start, end, metres)


@final
@dataclass(frozen=True)
class StickPart:
    """A bar of a builder, from `start` to `end`; without a length it is flexible.

    What is asked of it is asked of the whole line through its two points, unless `segment` says
    that it is the bar itself.
    """

    _builder: "Builder"
    name: str
    start: Marker
    end: Marker
    length: float | None = None  # m

    def angle_to(
        self, other: "StickPart", angle: Number, *, oriented: bool = True, name: str = ""
    ) -> JointPart[Any]:
        """Keep the angle to another bar: of the two arrows, or of the two lines if not oriented."""
        kind = BarAngle if oriented else LineAngle
        with about(f"the angle of bar {self.name!r} to {other.name!r}"):
            radians = in_si(angle, "rad")
            joint = kind(
                self.start,
                other.start,
                K=self.end,
                L=other.end,
                angle=radians,
                first=self.length,
                second=other.length,
            )
        return self._add(joint, name)

    def parallel_to(
        self, other: "StickPart", *, apart: Number | None = None, name: str = ""
    ) -> JointPart[Any]:
        """Stay parallel to another bar, at a distance if one is given."""
        places = {"K": self.end, "L": other.end, "first": self.length, "second": other.length}
        if apart is None:
            return self._add(BarsParallel(self.start, other.start, **places), name)  # type: ignore[arg-type]
        gap = self._builder.length(apart)
        return self._add(BarsApart(self.start, other.start, length=gap, **places), name)  # type: ignore[arg-type]

    def tangent_to(
        self, curve: AbstractCurve, *, of: Any = None, segment: bool = False, name: str = ""
    ) -> JointPart[Any]:
        """Touch a curve that is fixed in the ground, or in body `of`."""
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        return self._add(BarOnCurve(_frame(of), self.start, curve=curve, **ends), name)  # type: ignore[arg-type]

    def off(
        self,
        curve: AbstractCurve,
        distance: Number,
        *,
        of: Any = None,
        segment: bool = False,
        name: str = "",
    ) -> JointPart[Any]:
        """Keep a distance from a curve that is fixed in the ground, or in body `of`."""
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        gap = self._builder.length(distance)
        joint = BarOffCurve(_frame(of), self.start, curve=curve, length=gap, **ends)  # type: ignore[arg-type]
        return self._add(joint, name)

    def clear_of(
        self, point: Any, distance: Number, *, segment: bool = False, name: str = ""
    ) -> JointPart[Any]:
        """Keep a distance from a point."""
        ends = {"K": self.end, "bar": self.length, "segment": segment}
        gap = self._builder.length(distance)
        return self._add(PointFromBar(self.start, marker_of(point), length=gap, **ends), name)  # type: ignore[arg-type]

    def _add(self, joint: AbstractJoint, name: str) -> JointPart[Any]:
        return self._builder.add(joint, name)


def _frame(of: Any) -> Marker:
    """Where a curve is fixed: in the ground, or in a body."""
    return Marker(GROUND if of is None else of.name)
