"""What can be read: a name with its unit, its shape, what it is, and the one way to compute it.

A reading is listed and written as columns: one scalar over time each, in SI units.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND
from kempe.readings.channel import (
    AXES,
    Channel,
    Kind,
    PointChannel,
    ScalarChannel,
    ValueChannel,
    kind_of,
    labels_of,
    unit_of,
)

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]

# What order of derivative is called, of scalars and of points.
SCALAR_ORDERS = ("", ".rate", ".acceleration")
POINT_ORDERS = ("", ".velocity", ".acceleration")
PREFIXES = ("", "v", "a")
PER_SECOND = ("", "/s", "/s**2")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One scalar over time, in SI units; without values where it is only listed.

    `group` names what it is a part of: the velocity of a point has one column for every axis.
    """

    name: str
    unit: str
    channel: str  # the name it was read by
    order: int = 0  # of the time derivative
    axis: str = ""  # x, y or z where it is a component
    group: str = ""
    values: FloatArray = field(default_factory=lambda: np.empty(0))  # (n,)


def headings(name: str, kind: Kind, unit: str, labels: Sequence[str]) -> list[Column]:
    """The columns of what has this name, listed: value, rate, acceleration, axis by axis."""
    if kind == "scalar":
        return [
            Column(name + word, unit + per, name, k, "", name + word)
            for k, (word, per) in enumerate(zip(SCALAR_ORDERS, PER_SECOND, strict=True))
        ]
    if kind == "point":
        return [
            Column(f"{name}.{v}{axis}", unit + per, name, k, axis, name + word)
            for axis in labels
            for k, (v, per, word) in enumerate(zip(PREFIXES, PER_SECOND, POINT_ORDERS, strict=True))
        ]
    return [
        Column(f"{name}.{word}", unit, name, 0, word if word in AXES else "", name)
        for word in labels
    ] or [Column(name, unit, name, group=name)]


def _arrays(channel: Channel) -> list[FloatArray]:
    """The values of a channel's columns, in the order of `headings`."""
    if isinstance(channel, ScalarChannel):
        return [channel.values, channel.rate, channel.acceleration]
    if isinstance(channel, PointChannel):
        orders = (channel.position, channel.velocity, channel.acceleration)
        return [values[:, j] for j in range(channel.position.shape[1]) for values in orders]
    values = channel.values
    return [values] if values.ndim == 1 else [values[:, j] for j in range(values.shape[1])]


def channel_columns(channel: Channel) -> list[Column]:
    """The columns of a channel: value, rate, acceleration, axis by axis."""
    listed = headings(channel.name, kind_of(channel), unit_of(channel), labels_of(channel))
    return [replace(c, values=x) for c, x in zip(listed, _arrays(channel), strict=True)]


def all_columns(trajectory: "Trajectory") -> Iterator[Column]:
    """Every column; the coordinates of a body are those of its origin and come once."""
    bodies = {GROUND, *(body.name for body in trajectory.subject.bodies)}
    for name in trajectory.names:
        head, _, word = name.rpartition(".")
        if not (head in bodies and word in AXES and isinstance(trajectory[name], ScalarChannel)):
            yield from channel_columns(trajectory[name])


def named_columns(trajectory: "Trajectory", name: str) -> list[Column]:
    """The columns of a part, of a channel, or one by its own name: a speed, an analysis, a formula.

    A part's name stands for all that is read off it.
    """
    found: list[Column] = []
    for one in trajectory.registry.expanded(name):
        channel, listed = trajectory[one], trajectory.registry.find(one).column
        found += [replace(listed, values=channel.values)] if listed else channel_columns(channel)
    return found


def chosen(trajectory: "Trajectory") -> list[Column]:
    """The columns of the outputs that the model asks for."""
    outputs = trajectory.subject.outputs
    return [column for output in outputs for column in named_columns(trajectory, output.title)]


ORDERS = ("", "rate of ", "second rate of ")
# What else is read off a point: its unit, its order, what it is, how it is made of the channel.
OF_POINTS: dict[str, tuple[str, int, str, Callable[[Any], FloatArray]]] = {
    "speed": ("m/s", 1, "speed", lambda point: point.speed.values),
    "curvature": ("1/m", 0, "curvature of the path", lambda point: point.curvature.values),
    "radius": ("m", 0, "radius of curvature of the path", lambda p: p.curvature.radius.values),
}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A readable name; `read` computes it from a motion.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
        >>> one = turn.registry.find("coupler.P")
        >>> one.unit, one.shape, one.description
        ('m', (2,), 'point P of body coupler')
        >>> [part.name for part in one.parts()][-3:]
        ['coupler.P.speed', 'coupler.P.curvature', 'coupler.P.radius']
    """

    name: str
    kind: Kind
    unit: str  # SI
    description: str
    read: "Callable[[AbstractSource], Channel]"
    labels: tuple[str, ...] = ()  # of a point's axes, a force's, several values
    column: Column | None = None  # where it is one column by its own name

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one sample: () for a number."""
        return (len(self.labels),) if self.labels else ()

    def columns(self) -> list[Column]:
        """Its columns, listed: they have no values."""
        if self.column is not None:
            return [self.column]
        return headings(self.name, self.kind, self.unit, self.labels)

    def parts(self) -> "Iterator[Reading]":
        """What is read off it by names of their own: its columns, a speed, a magnitude."""
        if self.column is not None:
            return
        for k, column in enumerate(self.columns()):
            if column.name != self.name:
                word = column.name.rpartition(".")[2].lstrip("va") if self.labels else ""
                says = f"{ORDERS[column.order]}{f'{word} of ' if word else ''}{self.description}"
                yield one_column(column, says, partial(_kth, self.name, k))
        if self.kind == "point":
            for word, (unit, order, says, _) in OF_POINTS.items():
                own = f"{self.name}.{word}"
                column = Column(own, unit, own, order, "", own)
                told = f"{says} of {self.description}"
                yield one_column(column, told, partial(_of_point, self.name, word))
        elif self.kind != "scalar":
            own = f"{self.name}.magnitude"
            column = Column(own, self.unit, own, group=own)
            told = f"magnitude of {self.description}"
            yield one_column(column, told, partial(_magnitude, self.name))


def one_column(
    column: Column, description: str, values: "Callable[[AbstractSource], FloatArray]"
) -> Reading:
    """A reading that is one column by its own name."""
    read = partial(_values, column, values)
    return Reading(column.name, "value", column.unit, description, read, (), column)


def _values(
    column: Column, values: "Callable[[AbstractSource], FloatArray]", source: "AbstractSource"
) -> Channel:
    return ValueChannel(column.name, source.motion.t, values(source), column.unit)


def _kth(name: str, k: int, source: "AbstractSource") -> FloatArray:
    return channel_columns(source[name])[k].values


def _of_point(name: str, word: str, source: "AbstractSource") -> FloatArray:
    return OF_POINTS[word][3](source[name])


def _magnitude(name: str, source: "AbstractSource") -> FloatArray:
    size: FloatArray = source[name].magnitude.values
    return size
