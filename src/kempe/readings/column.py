"""Columns: one scalar over time, with its name, its SI unit and where it belongs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnknownName
from kempe.geometry import GROUND
from kempe.readings.channel import (
    Channel,
    ForceChannel,
    PointChannel,
    ScalarChannel,
    ValueChannel,
)

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

AXES = "xyz"
# What order of derivative is called, of scalars and of points.
SCALAR_ORDERS = ("", ".rate", ".acceleration")
POINT_ORDERS = ("", ".velocity", ".acceleration")
PREFIXES = ("", "v", "a")
PER_SECOND = ("", "/s", "/s**2")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One scalar over time, in SI units.

    `group` names what it is a part of: the velocity of a point has one column for every axis.
    """

    name: str
    unit: str
    values: FloatArray  # (n,)
    channel: str  # the name it was read by
    order: int = 0  # of the time derivative
    axis: str = ""  # x, y or z where it is a component
    group: str = ""


def channel_columns(channel: Channel) -> list[Column]:
    """The columns of a channel: value, rate, acceleration, axis by axis."""
    if isinstance(channel, PointChannel):
        return list(_of_point(channel))
    if isinstance(channel, ForceChannel):
        return list(_of_force(channel))
    if isinstance(channel, ValueChannel):
        return list(_of_values(channel))
    name, unit = channel.name, channel.unit
    orders = (channel.values, channel.rate, channel.acceleration)
    return [
        Column(name + word, unit + per, values, name, k, "", name + word)
        for k, (word, per, values) in enumerate(zip(SCALAR_ORDERS, PER_SECOND, orders, strict=True))
    ]


def _of_point(channel: PointChannel) -> Iterator[Column]:
    name = channel.name
    orders = (channel.position, channel.velocity, channel.acceleration)
    for j, axis in enumerate(AXES[: channel.position.shape[1]]):
        for k, values in enumerate(orders):
            yield Column(
                f"{name}.{PREFIXES[k]}{axis}",
                f"m{PER_SECOND[k]}",
                values[:, j],
                name,
                k,
                axis,
                name + POINT_ORDERS[k],
            )


def _of_force(channel: ForceChannel) -> Iterator[Column]:
    name = channel.name
    if channel.values.ndim == 1:
        yield Column(name, channel.unit, channel.values, name, group=name)
        return
    size = channel.values.shape[1]
    for j, axis in enumerate("z" if size == 1 else AXES[:size]):
        yield Column(f"{name}.{axis}", channel.unit, channel.values[:, j], name, 0, axis, name)


def _of_values(channel: ValueChannel) -> Iterator[Column]:
    name, unit = channel.name, channel.unit
    if channel.values.ndim == 1:
        yield Column(name, unit, channel.values, name, group=name)
    for k, label in enumerate(channel.labels):
        axis = label if label in AXES else ""
        yield Column(f"{name}.{label}", unit, channel.values[:, k], name, 0, axis, name)


def all_columns(trajectory: "Trajectory") -> Iterator[Column]:
    """Every column; the coordinates of a body are those of its origin and come once."""
    bodies = {GROUND, *(body.name for body in trajectory.subject.bodies)}
    for name in trajectory.names:
        head, _, word = name.rpartition(".")
        if not (head in bodies and word in AXES and isinstance(trajectory[name], ScalarChannel)):
            yield from channel_columns(trajectory[name])


def named_columns(trajectory: "Trajectory", name: str) -> list[Column]:
    """The columns of a channel, or one by its own name: a speed, an analysis, a formula."""
    name = name.strip()
    if name not in trajectory:
        own = own_column(trajectory, name)
        if own is not None:
            return [own]
    return channel_columns(trajectory[name])  # a formula, too, or what is wrong with the name


def own_column(trajectory: "Trajectory", name: str) -> Column | None:
    """The one column that has this name of its own: coupler.P.vx, coupler.P.speed, an analysis.

    None where it is a channel, which may have several, a formula, or nothing.
    """
    from kempe.readings.analysis_columns import derived_column

    if name == "t":
        return Column("t", "s", trajectory.t, "t", group="t")
    found = _of_head(trajectory, name)
    return found[0] if found else derived_column(trajectory, name)


def _of_head(trajectory: "Trajectory", name: str) -> list[Column]:
    """A column by its own name: one of a channel's, a speed, a magnitude."""
    head, _, word = name.rpartition(".")
    if head not in trajectory:
        return []
    channel = trajectory[head]
    if word == "speed" and isinstance(channel, PointChannel):
        return [Column(name, "m/s", channel.speed.values, name, 1, "", name)]
    if word == "magnitude" and isinstance(channel, (ForceChannel, ValueChannel)):
        return [Column(name, channel.unit, channel.magnitude.values, name, 0, "", name)]
    return [c for c in channel_columns(channel) if c.name == name]


def single_column(trajectory: "Trajectory", name: str) -> FloatArray:
    """The values (n,) that a name stands for in a formula."""
    found = named_columns(trajectory, name)
    is_scalar = name in trajectory and isinstance(trajectory[name], ScalarChannel)
    if len(found) == 1 or is_scalar:
        return found[0].values
    parts = ", ".join(c.name for c in found[:6])
    raise UnknownName(f"{name!r} is no single number: take one of {parts}.", name=name)
