"""Channels: what is read off a trajectory, as arrays in SI units, and its summaries."""

from abc import ABC
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber, UnknownName
from kempe.kinematics.observe.curvature import PathPlace, curvature
from kempe.kinematics.observe.turn_counting import leaps
from kempe.notebook import table_html
from kempe.units import factor


@final
class Quantity(float):
    """A plain float, shown with its unit: Quantity(51.83, "deg") prints as 51.8 deg."""

    __slots__ = ("unit",)
    unit: str

    def __new__(cls, value: float, unit: str) -> "Quantity":
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __repr__(self) -> str:
        return f"{float(self):.6g} {self.unit}".rstrip()

    def __str__(self) -> str:
        return f"{float(self):.4g} {self.unit}".rstrip()

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __reduce__(self) -> tuple[object, ...]:
        return Quantity, (float(self), self.unit)


FloatArray = NDArray[np.float64]
Kind = Literal["scalar", "point", "force", "effort", "value", "values"]

AXES = ("x", "y", "z")
SUMMARY = ("", "samples", "min", "max", "mean", "peak to peak")  # heads of a table
NO_DIRECTION = (
    "the axis whose angle it is points along the axis it is read about. Read the joint's angle, or"
    " 'orientation', instead."
)


def _freeze(*arrays: FloatArray) -> None:
    for array in arrays:
        array.setflags(write=False)


def _some(values: FloatArray) -> FloatArray:
    """The values; a BadNumber where there are none to sum up."""
    if not len(values):
        raise BadNumber(
            "there are no samples, so there is neither a smallest nor a largest value, nor a mean:"
            " the outcome of the trajectory says why it has none."
        )
    return values


def _as_array(values: FloatArray, dtype: Any, copy: bool | None) -> NDArray[Any]:
    """What NumPy takes a channel for; a copy, which may be changed, where one is asked for."""
    found = np.asarray(values, dtype=dtype)
    return found.copy() if copy else found


class AbstractSamples(ABC):
    """Numbers over time in one SI unit, (n,) or (n, k), with their summaries; arrays to NumPy."""

    __slots__ = ()
    values: FloatArray
    unit: str

    @property
    def _told(self) -> FloatArray:
        """The values that summaries are made of."""
        return _some(self.values)

    def _summary(self, value: float, unit: str | None) -> Quantity:
        shown: str = unit if unit else getattr(self, "shown", self.unit)
        return Quantity(float(value) * factor(self.unit, shown), shown)

    def min(self, unit: str | None = None) -> Quantity:
        """The smallest value."""
        return self._summary(self._told.min(), unit)

    def max(self, unit: str | None = None) -> Quantity:
        """The largest value."""
        return self._summary(self._told.max(), unit)

    def mean(self, unit: str | None = None) -> Quantity:
        """The mean of the samples."""
        return self._summary(self._told.mean(), unit)

    def ptp(self, unit: str | None = None) -> Quantity:
        """Peak to peak: largest minus smallest."""
        return self._summary(np.ptp(self._told), unit)

    def to(self, unit: str) -> FloatArray:
        """The values in another unit."""
        return self.values * factor(self.unit, unit)

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _as_array(self.values, dtype, copy)

    def _repr_html_(self) -> str:
        """What a notebook shows: how many samples, and between what they lie."""
        name = getattr(self, "name", "")
        if not len(self):
            return table_html(["", "samples"], [[name, 0]])
        try:
            told = [str(summary()) for summary in (self.min, self.max, self.mean, self.ptp)]
        except UnknownName:  # an angle without a direction anywhere, a point that stands still
            told = ["-"] * 4
        return table_html(SUMMARY, [[name, len(self), *told]])


class AbstractVectors(AbstractSamples):
    """Numbers, or vectors, over time that have a magnitude."""

    __slots__ = ()

    @property
    def magnitude(self) -> "Series":
        """The length of the vector, or the absolute value."""
        size = np.abs(self.values) if self.values.ndim == 1 else np.linalg.norm(self.values, axis=1)
        return Series(size, self.unit, self.unit)


@final
@dataclass(frozen=True, slots=True, eq=False)
class ScalarChannel(AbstractSamples):
    """One value over time: `values`, `rate` and `acceleration` (n,), in m or rad and seconds.

    An angle is NaN at samples where it has no direction, as that of a body whose x axis points
    along the axis it is read about; summaries are those of the other samples. Whole turns are
    counted by the side on which what points passes that axis; where it goes straight through, the
    angle makes half a turn at once, so that it stays near its first value.
    """

    name: str
    t: FloatArray
    values: FloatArray
    rate: FloatArray
    acceleration: FloatArray
    unit: str  # of `values`, SI
    shown: str  # the unit summaries are given in

    def __post_init__(self) -> None:
        _freeze(self.t, self.values, self.rate, self.acceleration)

    @property
    def note(self) -> str:
        """What an angle does not tell: its value or its turns, at how many samples; else empty."""
        missing, no_rate = np.isnan(self.values), np.isnan(self.rate)
        told = ~missing & ~no_rate
        known = (self.t[told], self.values[told], self.rate[told])
        leaping = int(leaps(*known).sum()) if self.unit == "rad" and told.any() else 0
        of = f"of {len(self)} samples"
        counts = {
            f"no direction, so NaN, at {{}} {of}": int((missing & no_rate).sum()),
            f"turns that were not counted, so NaN, at {{}} {of}, which are too far apart: ask for"
            " more steps": int((missing & ~no_rate).sum()),
            f"made half a turn at once, by a place without direction, after {{}} {of}": leaping,
        }
        return "; ".join(text.format(count) for text, count in counts.items() if count)

    @property
    def _told(self) -> FloatArray:
        told: FloatArray = _some(self.values)[~np.isnan(self.values)]
        if not len(told):
            raise UnknownName(
                f"{self.name!r} has no direction anywhere along this motion: {NO_DIRECTION}",
                name=self.name,
            )
        return told

    def __repr__(self) -> str:
        if not len(self):
            return f"{self.name}: no samples"
        told = "" if np.isnan(self.values).all() else f" from {self.min()!r} to {self.max()!r}"
        note = f"; {self.note}" if self.note else ""
        return f"{self.name}: {len(self)} samples{told}{note}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Series(AbstractSamples):
    """A quantity derived from a channel, such as a speed, with summaries in the model's unit."""

    values: FloatArray
    unit: str
    shown: str

    @property
    def _told(self) -> FloatArray:
        told: FloatArray = _some(self.values)[~np.isnan(self.values)]
        return told if len(told) else self.values

    def __repr__(self) -> str:
        told = f" from {self.min()!r} to {self.max()!r}" if len(self) else ""
        return f"{len(self)} samples{told}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class CurvatureChannel(AbstractSamples):
    """The curvature of a path over time: `values` (n,), 1/m, with its cusps and inflections.

    In the plane positive to the left of the way the point goes, in space never negative. It is
    infinite on a cusp, and NaN where the point stands still and goes back as it came; summaries are
    those of the other samples, in one over the model's unit.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0)
        >>> bend = turn["crank.end"].curvature
        >>> bend.max(), bend.max("1/mm"), bend.radius.min()
        (1 1/m, 0.001 1/mm, 1 m)
    """

    name: str
    t: FloatArray
    values: FloatArray
    cusps: tuple[PathPlace, ...]  # the point stops and leaves the way it came from: v = 0
    inflections: tuple[PathPlace, ...]  # the path bends to the other side
    shown: str  # the unit summaries are given in
    unit: str = "1/m"

    def __post_init__(self) -> None:
        _freeze(self.values)

    @property
    def radius(self) -> Series:
        """The radius of curvature (n,), with the curvature's sign; infinite where straight."""
        with np.errstate(divide="ignore"):
            return Series(1.0 / self.values, "m", self.shown.removeprefix("1/"))

    @property
    def _told(self) -> FloatArray:
        told: FloatArray = _some(self.values)[~np.isnan(self.values)]
        if not len(told):
            raise UnknownName(
                f"{self.name!r} draws no path along this motion, so nothing bends.", name=self.name
            )
        return told

    def __repr__(self) -> str:
        places = f"{len(self.cusps)} cusps, {len(self.inflections)} inflections"
        told = f" from {self.min()!r} to {self.max()!r}" if not np.isnan(self.values).all() else ""
        return f"{self.name}: {len(self)} samples{told}, {places}: .values, .radius, .max(), .cusps"


@final
@dataclass(frozen=True, slots=True, eq=False)
class PointChannel:
    """A point over time: `position`, `velocity`, `acceleration`, (n, 2) in the plane, else (n, 3).

    World axes, m and seconds. Speeds up to `still` (m/s) are what rounding leaves of none.
    """

    name: str
    t: FloatArray
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    shown: str  # the length unit summaries are given in
    still: float = 0.0

    def __post_init__(self) -> None:
        _freeze(self.t, self.position, self.velocity, self.acceleration)

    def _each(self, numbers: FloatArray, unit: str | None) -> tuple[Quantity, ...]:
        shown = unit or self.shown
        return tuple(Quantity(float(x) * factor("m", shown), shown) for x in numbers)

    def min(self, unit: str | None = None) -> tuple[Quantity, ...]:
        """The smallest of each coordinate: a corner of the box around the path."""
        return self._each(_some(self.position).min(axis=0), unit)

    def max(self, unit: str | None = None) -> tuple[Quantity, ...]:
        """The largest of each coordinate: the other corner of the box around the path."""
        return self._each(_some(self.position).max(axis=0), unit)

    def mean(self, unit: str | None = None) -> tuple[Quantity, ...]:
        """The mean of each coordinate over the samples."""
        return self._each(_some(self.position).mean(axis=0), unit)

    def ptp(self, unit: str | None = None) -> tuple[Quantity, ...]:
        """How far the path reaches along each axis: largest minus smallest."""
        return self._each(np.ptp(_some(self.position), axis=0), unit)

    @property
    def speed(self) -> Series:
        """The length of the velocity."""
        return Series(np.linalg.norm(self.velocity, axis=1), "m/s", f"{self.shown}/s")

    @property
    def curvature(self) -> CurvatureChannel:
        """The curvature of the point's path, with its cusps and inflections."""
        found = curvature(self.t, self.position, self.velocity, self.acceleration, self.still)
        name, shown = f"{self.name}.curvature", f"1/{self.shown}"
        places = found.cusps, found.inflections
        return CurvatureChannel(name, found.t, found.values, *places, shown)

    @property
    def path_length(self) -> Quantity:
        """The length of the path through the samples."""
        steps = np.linalg.norm(np.diff(self.position, axis=0), axis=1)
        return Quantity(float(steps.sum()) * factor("m", self.shown), self.shown)

    def _repr_html_(self) -> str:
        """What a notebook shows: the box around the path, axis by axis."""
        if not len(self):
            return table_html(["", "samples"], [[self.name, 0]])
        told = zip(self.min(), self.max(), self.mean(), self.ptp(), strict=True)
        rows = [[f"{self.name}.{a}", len(self), *row] for a, row in zip(AXES, told, strict=False)]
        return table_html(SUMMARY, rows)

    def to(self, unit: str) -> FloatArray:
        """The positions in another unit."""
        return self.position * factor("m", unit)

    def __len__(self) -> int:
        return len(self.position)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _as_array(self.position, dtype, copy)

    def __repr__(self) -> str:
        return f"{self.name}: a point, {len(self)} samples"


@final
@dataclass(frozen=True, slots=True, eq=False)
class ForceChannel(AbstractVectors):
    """A force or torque over time, (n, k) in world axes, or (n,) along a driven measure.

    A joint's are those it exerts on the body of its second marker, at that marker. `unique` says
    for every component whether it is determined, or one of many because joints are redundant.
    """

    name: str
    t: FloatArray
    values: FloatArray
    unique: tuple[bool, ...]
    unit: str

    def __post_init__(self) -> None:
        _freeze(self.t, self.values)

    def __repr__(self) -> str:
        sure = "" if all(self.unique) else ", partly one of many"
        return f"{self.name}: {len(self)} samples in {self.unit}{sure}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class ValueChannel(AbstractVectors):
    """Values over time, (n,), or (n, k) with a label for each column; SI units.

    Energies, powers, angular velocities, and what formulas of other columns give.
    """

    name: str
    t: FloatArray
    values: FloatArray
    unit: str
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _freeze(self.t, self.values)

    def __repr__(self) -> str:
        unit = f" in {self.unit}" if self.unit else ""
        return f"{self.name}: {len(self)} samples{unit}"


Channel = ScalarChannel | PointChannel | ForceChannel | ValueChannel


def kind_of(channel: Channel) -> Kind:
    """The word for what a channel is."""
    if isinstance(channel, ScalarChannel):
        return "scalar"
    if isinstance(channel, PointChannel):
        return "point"
    is_one = channel.values.ndim == 1
    if isinstance(channel, ForceChannel):
        return "effort" if is_one else "force"
    return "value" if is_one else "values"


def unit_of(channel: Channel) -> str:
    """The SI unit of a channel's values."""
    return "m" if isinstance(channel, PointChannel) else channel.unit


def labels_of(channel: Channel) -> tuple[str, ...]:
    """What the parts of a channel's samples are called; () where each is a number."""
    if isinstance(channel, ValueChannel):
        return channel.labels
    if isinstance(channel, PointChannel):
        return AXES[: channel.position.shape[1]]
    if isinstance(channel, ScalarChannel) or channel.values.ndim == 1:
        return ()
    return force_labels(channel.values.shape[1])


def force_labels(size: int) -> tuple[str, ...]:
    """The axes of a force or torque; a torque in the plane has z alone."""
    return ("z",) if size == 1 else AXES[:size]
