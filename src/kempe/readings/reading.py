"""What can be read: a name with its unit, its shape, what it is, and the one way to compute it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.readings.channel import Channel, Kind, ValueChannel
from kempe.readings.column import Column, channel_columns, headings

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]

ORDERS = ("", "rate of ", "second rate of ")
# What else is read off a point: its unit, its order, what it is, how it is made of the channel.
OF_POINTS: dict[str, tuple[str, int, str, Callable[[Any], FloatArray]]] = {
    "speed": ("m/s", 1, "speed", lambda point: point.speed.values),
    "curvature": ("1/m", 0, "curvature of the path", lambda point: point.curvature.values),
    "radius": ("m", 0, "radius of curvature of the path", lambda point: point.curvature.radius),
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
