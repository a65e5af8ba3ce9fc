"""Columns: one scalar over time, with its name, its SI unit and where it belongs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.geometry import GROUND
from kempe.readings.channel import (
    AXES,
    Channel,
    Kind,
    PointChannel,
    ScalarChannel,
    kind_of,
    labels_of,
    unit_of,
)

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

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
