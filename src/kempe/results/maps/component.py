"""Components: connected curves of a mechanism's positions, and single positions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Tape
from kempe.algebra.native import core, native_tape
from kempe.compile.layout.charts import PLANAR, SPATIAL
from kempe.compile.layout.coordinates import Coordinates
from kempe.errors import BadNumber, CertificateError
from kempe.results.maps.certificate import CertifiedBlock
from kempe.results.memory import memory

FloatArray = NDArray[np.float64]

NOTED = frozenset(("contraction", "lean", "from", "to"))  # by the search, beside its charts
MEASURED_STEP = 0.01  # in unknowns, which are of the size of 1: for lengths
IN_PLANE, IN_SPACE = 4, 12  # numbers that tell where a body is
BYTES_A_NUMBER = 100  # of a position: in arrays, and once more in what is made of them


def quaternions(columns: FloatArray) -> FloatArray:
    """Unit quaternions (..., 4), scalar first and not negative, of columns (..., 3, 3).

    Of the four squares the largest is taken, so that nothing is lost.

    Source: [Shepperd].
    """
    m = np.swapaxes(columns, -1, -2)
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    x, y, z = (1.0 + 2.0 * m[..., k, k] - trace for k in range(3))
    rows = [[1.0 + trace, a, b, c], [a, x, d, e], [b, d, y, f], [c, e, f, z]]
    ways = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    best = np.argmax(np.stack([1.0 + trace, x, y, z], axis=-1), axis=-1)
    q = np.take_along_axis(ways, best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    made: FloatArray = np.where(q[..., :1] < 0.0, -q, q)
    return made


def rotation_columns(turns: FloatArray) -> FloatArray:
    """The columns (k, 9) of the rotations by unit quaternions (k, 4), scalar first."""
    s, u = turns[:, 0], turns[:, 1:]
    axes = []
    for e in np.eye(3):
        across = np.cross(u, e)
        axes.append(e + 2.0 * (s[:, None] * across + np.cross(u, across)))
    return np.concatenate(axes, axis=1)


@final
@dataclass(frozen=True, eq=False)
class Readings:
    """What is read at a solution: a tape from all unknowns to named numbers."""

    tape: Tape
    names: tuple[str, ...]  # first x, y, c and s of every body; in space place and rotation
    bodies: tuple[str, ...]
    plane: bool = True
    loose: tuple[str, ...] = ()  # bodies that are rods, shown turned in one way of several

    def __reduce__(self) -> tuple[object, ...]:
        # the native tape is made anew
        return Readings, (self.tape, self.names, self.bodies, self.plane, self.loose)

    @property
    def of_body(self) -> int:
        """How many numbers tell where a body is: (x, y, c, s), or its place and rotation."""
        return IN_PLANE if self.plane else IN_SPACE

    @property
    def at(self) -> Coordinates:
        """Where the numbers of every body lie in q."""
        return Coordinates(PLANAR if self.plane else SPATIAL, len(self.bodies))

    @property
    def n_q(self) -> int:
        """How many coordinates q the bodies have together."""
        return int(self.at.bodies_q.stop)

    @cached_property
    def _native(self) -> Any:
        return native_tape(self.tape)

    def values(self, x: FloatArray) -> FloatArray:
        """The readings (k, number of readings) at points x (k, n), in plain numbers.

        Unknowns beyond those that the tape knows are the search's own.
        """
        if not self.names:
            return np.zeros((len(x), 0))
        x = np.ascontiguousarray(x[:, : self.tape.n_inputs])
        values: FloatArray = self._native.evaluate(x, self.tape.outputs)
        return values

    def of(self, x: FloatArray, radius: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(values, error bounds) at points x (k, n) that are known to within `radius` (k, n).

        Values are (k, number of readings); the bound of a point is its largest.
        """
        n = self.tape.n_inputs
        x, radius = np.ascontiguousarray(x[:, :n]), radius[:, :n]
        if not self.names:
            return np.zeros((len(x), 0)), np.zeros(len(x))
        values = self._native.evaluate(x, self.tape.outputs)
        low = np.nextafter(x - radius, -np.inf)
        high = np.nextafter(x + radius, np.inf)
        lows, highs, known = self._native.evaluate_decorated(low, high, self.tape.outputs)
        off = np.nextafter(np.maximum(highs - values, values - lows), np.inf)
        off[(known == 0) | np.isnan(off)] = np.inf  # a reading that may not exist is not bounded
        return values, off.max(axis=1)

    def coordinates(self, values: FloatArray, *, is_curve: bool = True) -> FloatArray:
        """(x, y, angle) of all bodies from values (k, ...); along a curve angles do not jump.

        In space (x, y, z) and a unit quaternion, scalar first, which along a curve does not jump.
        """
        count = len(self.bodies)
        if not self.plane:
            return self._in_space(values, is_curve=is_curve)
        four = values[:, : 4 * count].reshape(len(values), count, 4)
        angles = np.arctan2(four[:, :, 3], four[:, :, 2])
        if is_curve:
            angles = np.unwrap(angles, axis=0)
        at = self.at
        q = np.empty((len(values), at.bodies_q.stop))
        at.places(q)[:], q[:, at.angles] = four[:, :, :2], angles
        return q

    def _in_space(self, values: FloatArray, *, is_curve: bool) -> FloatArray:
        count = len(self.bodies)
        twelve = values[:, : IN_SPACE * count].reshape(len(values), count, 4, 3)
        q = np.concatenate([twelve[:, :, 0], quaternions(twelve[:, :, 1:])], axis=2)
        if is_curve and len(q) > 1:
            turns = np.sign((q[1:, :, 3:] * q[:-1, :, 3:]).sum(axis=2))
            q[1:, :, 3:] *= np.cumprod(np.where(turns < 0.0, -1.0, 1.0), axis=0)[:, :, None]
        return q.reshape(len(values), 7 * count)

    def of_coordinates(self, q: FloatArray) -> FloatArray:
        """Places and turns of every body at q, in a row, as readings have them.

        In the plane (x, y, cosine, sine), in space the place and the columns of the rotation.
        """
        at = self.at
        if not self.plane:
            return np.column_stack([at.places(q), rotation_columns(at.turns(q))]).reshape(-1)
        angle = q[at.angles]
        return np.column_stack([at.places(q), np.cos(angle), np.sin(angle)]).reshape(-1)

    def others(self, values: FloatArray) -> dict[str, FloatArray]:
        """What else is read, by name."""
        first = self.of_body * len(self.bodies)
        return {name: values[:, first + k] for k, name in enumerate(self.names[first:])}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points along a curve in the space of its unknowns, each within `radius` of a true one."""

    x: FloatArray  # (k, unknowns that move)
    radius: FloatArray  # (k,), in the longest coordinate
    length: FloatArray  # (k,), along the curve


@final
@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions along a component, in order.

    `q` are the bodies' coordinates (x, y, angle; angles without jumps), in space their places and
    unit quaternions, scalar first. `length` is measured along the curve in the space of unknowns,
    `radius` bounds how far the true position is: in metres for positions, in cosines and sines for
    angles, in the numbers of rotation matrices in space.
    """

    q: FloatArray  # (k, 3 per body), in space (k, 7 per body)
    x: FloatArray  # (k, unknowns)
    length: FloatArray  # (k,)
    radius: FloatArray  # (k,)
    others: dict[str, FloatArray]  # what else is read: points, parameters of curves

    def __len__(self) -> int:
        return len(self.q)


@final
@dataclass(frozen=True, slots=True, eq=False)
class ComponentEnd:
    """Where an arc ends: at a `limit` of a measure, or at a `singular` place of the map."""

    kind: str  # "limit", "singular" or "unfinished"
    q: FloatArray
    x: FloatArray
    radius: float
    limit: str = ""  # which limit, such as "slider.displacement at most"
    place: int = -1  # which singular place of the map


@final
@dataclass(frozen=True, eq=False)
class Component:
    """A connected piece of all positions: a loop, an arc with two ends, or a single position.

    `charts` are its certificate: for every chart the centre p, the frame A, the half-length h and
    the half-width w, and the links that join them. What a search notes beside them (NOTED) is not
    kept in files, and found again by whoever needs it. The unknowns outside the block stand still.
    """

    number: int
    closed: bool
    ends: tuple[ComponentEnd, ...]
    charts: Mapping[str, Any]
    block: CertifiedBlock  # the equations of the unknowns that move
    x: FloatArray  # all unknowns at one point of it
    radius: FloatArray  # of each
    readings: Readings

    def __repr__(self) -> str:
        kind = "loop" if self.closed else "arc"
        return f"Component {self.number}: {kind}, {len(self.charts['h'])} charts"

    def chart_shapes(self, count: int) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays of `count` charts; those of single positions have no links."""
        n, m = len(self.block.places), self.block.n_equations
        shapes: dict[str, tuple[int, ...]] = {
            "p": (count, n),
            "A": (count, n * n),
            "C": (count, m * m),
            "h": (count,),
            "w": (count,),
            "start": (n,),
        }
        links = count - (not self.closed)
        return shapes | ({"links": (links, n), "link_radii": (links,)} if n > m else {})

    @cached_property
    def length(self) -> float:
        """Its length in the space of unknowns (cosines, sines, positions over the size)."""
        points = self.points(MEASURED_STEP)
        length = float(points.length[-1])
        if self.closed:
            gap = points.x[0] - points.x[-1]
            periods = self.block.period
            wraps = periods > 0.0
            gap[wraps] -= np.round(gap[wraps] / periods[wraps]) * periods[wraps]
            length += float(np.linalg.norm(gap))
        return length

    def sample(self, step: float = 0.05) -> Samples:
        """Positions no further apart than `step` in the space of unknowns, from end to end.

        A loop does not repeat its first position. Every position lies within `radius` of a true
        one on this very component.
        """
        points = self.points(step)
        count = len(points.x)
        x = np.repeat(self.x[None, :], count, axis=0)
        radius = np.repeat(self.radius[None, :], count, axis=0)
        x[:, self.block.places] = points.x
        radius[:, self.block.places] = points.radius[:, None]
        values, off = self.readings.of(x, radius)
        readings = self.readings
        return Samples(readings.coordinates(values), x, points.length, off, readings.others(values))

    def points(self, step: float) -> Points:
        """Points of the curve itself, in the unknowns that move, no further apart than `step`."""
        if not (np.isfinite(step) and step > 0.0):
            raise BadNumber(f"the step between samples must be positive, it is {step}.")
        if step < MEASURED_STEP:
            self._refuse_more_than_fits(step)
        try:
            found = core.sample_charts(
                native_tape(self.block.tape),
                self.block.tape.outputs[: self.block.n_equations],
                self.block.period,
                self._given(),
                float(step),
            )
        except (RuntimeError, ValueError) as trouble:
            raise CertificateError(
                f"component {self.number} cannot be sampled: {trouble}. Its charts are no"
                " certificate; verify() says which, and the motions can be computed again."
            ) from None
        return Points(found.x, found.radius, found.length)

    def _refuse_more_than_fits(self, step: float) -> None:
        """A BadNumber where positions would fill more than half of the machine's memory."""
        room = memory()
        each = BYTES_A_NUMBER * (len(self.x) + len(self.readings.names) + 1)
        count = self.length / step
        if room is None or count * each <= room / 2:
            return
        least = self.length * each / (room / 2)
        unit = 10.0 ** (math.floor(math.log10(least)) - 1)
        raise BadNumber(
            f"a step of {step:g} makes {count:.3g} positions of component {self.number + 1}, which"
            f" take {count * each / 2**30:.3g} GiB, and this machine has {room / 2**30:.3g} GiB:"
            f" ask for a step of {math.ceil(least / unit) * unit:.2g} or more.",
            step=step,
        )

    def _given(self) -> "core.GivenCurve":
        """Its charts as the core takes them; without contractions every point is proved anew."""
        charts = dict(self.charts) | (self._stretches() if self.block.freedom else {})
        named = {name: np.ravel(charts[name]) for name in ("start", "p", "A", "h", "w")}
        proofs = {name: np.ravel(charts.get(name, ())) for name in ("contraction", "C")}
        return core.GivenCurve(
            start_radius=float(charts["start_radius"]),
            closed=bool(charts["closed"]),
            entered=np.ravel(charts["from"]),
            left=np.ravel(charts["to"]),
            **named,
            **proofs,
        )

    def _stretches(self) -> dict[str, FloatArray]:
        """Where (n charts,) the curve enters and leaves every chart: at its links and its ends.

        Of x = p + N y + T s that is the last number of A^-1 (x - p), A = [N T].
        """
        p, links = np.asarray(self.charts["p"]), np.asarray(self.charts["links"])
        A = np.asarray(self.charts["A"]).reshape(len(p), p.shape[1], p.shape[1])  # by columns
        if self.closed:
            entered, left = np.roll(links, 1, axis=0), links
        else:
            first, last = (end.x[list(self.block.places)][None, :] for end in self.ends)
            entered, left = np.concatenate([first, links]), np.concatenate([links, last])
        return {"from": self._along(A, entered - p), "to": self._along(A, left - p)}

    def _along(self, A: FloatArray, d: FloatArray) -> FloatArray:
        """How far displacements (n, unknowns) lead along the charts, the nearest way round."""
        period = self.block.period
        wraps = period > 0.0
        d[:, wraps] -= np.round(d[:, wraps] / period[wraps]) * period[wraps]
        solved = np.linalg.solve(A.transpose(0, 2, 1), d[:, :, None])
        return np.ascontiguousarray(solved[:, -1, 0], dtype=np.float64)
