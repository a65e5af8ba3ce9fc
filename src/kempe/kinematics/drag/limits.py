"""Limits: measures that must stay between two values while a mechanism is moved by hand."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber
from kempe.geometry import Pose
from kempe.kinematics.observe.observation import Gradient
from kempe.measures import Gauge, Wrapped

FloatArray = NDArray[np.float64]
Limit = tuple[Gauge, float, float]  # lowest and highest value, m or rad

# A measure this near to its limit stands on it; lengths in sizes of the machine.
ON_LIMIT = 1e-9
TURN = 2.0 * np.pi
NOTHING: FloatArray = np.zeros(0)


@final
class Limits:
    """The limited measures: their scaled values and derivatives, turns counted on.

    low <= s(q) <= high
    """

    def __init__(self, layout: Layout, limits: Sequence[Limit], scale: FloatArray) -> None:
        self.names = tuple(gauge.name for gauge, _, _ in limits)
        gauges = [gauge for gauge, _, _ in limits]
        self._units = np.array([layout.size if g.unit == "m" else 1.0 for g in gauges])
        self._angles = tuple(g.unit == "rad" for g in gauges)
        self.low, self.high = (
            np.array([limit[k] for limit in limits], dtype=float) / self._units for k in (1, 2)
        )
        self._scale = scale
        self._wrapped = np.zeros(len(limits), dtype=bool)

        def formula(X: list[Pose]) -> list[Any]:
            read = [g.measure.value(X[2 * k], X[2 * k + 1]) for k, g in enumerate(gauges)]
            self._wrapped[:] = [isinstance(s, Wrapped) for s in read]
            return [s.angle if isinstance(s, Wrapped) else s for s in read]

        markers = [marker for g in gauges for marker in (g.I, g.J)]
        self._gradient = Gradient(layout, markers, formula) if limits else None

    def __len__(self) -> int:
        return len(self.names)

    def read(self, q: FloatArray, near: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Scaled values (m,), within half a turn of `near`, and rows (m, n_v)."""
        if self._gradient is None:
            return np.zeros(0), np.zeros((0, len(self._scale)))
        values, rows = self._gradient(q)
        values = values / self._units
        if near is None:
            near = 0.5 * (self.low + self.high)
        turns = np.rint((near - values) / TURN)
        values = values + np.where(self._wrapped, TURN * turns, 0.0)
        return values, rows * self._scale / self._units[:, None]

    def kept(self, values: FloatArray, held: tuple[int, ...]) -> tuple[int, ...]:
        """The limits that are held, and those that the values have overstepped."""
        if not len(self):
            return ()
        over = np.maximum(values - self.high, self.low - values) > ON_LIMIT
        return (*held, *(i for i in np.flatnonzero(over).tolist() if i not in held))

    def gap(self, values: FloatArray, held: tuple[int, ...]) -> FloatArray:
        """From the values of held measures to the limit, low or high, that each is nearest to."""
        if not held:
            return NOTHING
        mine = list(held)
        up, down = self.high[mine] - values[mine], self.low[mine] - values[mine]
        gap: FloatArray = np.where(np.abs(up) < np.abs(down), up, down)
        return gap

    def refuse_start(self, values: FloatArray) -> None:
        """A start outside the limits is a mistake."""
        for name, value, low, high, unit, angle in zip(
            self.names, values, self.low, self.high, self._units, self._angles, strict=True
        ):
            if not low - ON_LIMIT <= value <= high + ON_LIMIT:
                raise BadNumber(
                    f"{name!r} starts at {_told(value, low, high, unit, is_angle=angle)}: widen"
                    " them, or start where it is within them.",
                    measure=name,
                    value=float(value * unit),
                )


def _told(value: float, low: float, high: float, unit: float, *, is_angle: bool) -> str:
    """A scaled value and the limits it is outside of, in rad and deg or in m."""
    outside = "{:.6g}, outside its limits {:.6g} ... {:.6g}"
    si = outside.format(value * unit, low * unit, high * unit)
    if not is_angle:
        return f"{si} m"
    degrees = "{:.6g}, {:.6g} ... {:.6g}".format(*np.degrees([value, low, high]))
    return f"{si} rad ({degrees} deg)"
