"""Inverse dynamics: what drives must exert for a motion to be as it is, and what that costs.

The motion is known, whoever made it, so the equations of motion give the efforts tau along the
driven measures m(q), the multipliers lam of joints and couplers beside them:

    J^T lam + G^T tau = M a + h(v) - f,   G = dm/dq

Power is tau m', work its integral over time from the first sample on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.dynamics.events.modes import acting
from kempe.equations import equations_of
from kempe.equations.equations import Equations, Sampled
from kempe.equations.rank import drive_rows
from kempe.errors import BadNumber, DriveError
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.reactions.reactions import inertia_forces
from kempe.measures import Gauge
from kempe.readings.acting_loads import acting_loads
from kempe.readings.channel import ForceChannel
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]

# Of the largest load, lengths in sizes of the machine: what is left over is rounding and the error
# of a simulation's samples.
LEFT = 1e-6
RANK = 1e-9  # singular values of rows of length 1 below this share of the largest count as zero


def work(t: FloatArray, power: FloatArray, jumps: Sequence[float] = ()) -> FloatArray:
    """The integral of samples of power (n,), W, over their times (n,), s: J since the first.

    A cubic spline through the samples is integrated; the error falls with the fourth power of the
    step where the power has no corners. At the times (s) of `jumps` it may jump: splines end there.
    """
    if len(jumps) and np.isfinite(power).all():
        return _work_in_parts(t, power, jumps)
    if len(t) < 3:
        steps = np.diff(t) * 0.5 * (power[1:] + power[:-1])
        return np.concatenate([np.zeros(min(1, len(t))), np.cumsum(steps)])
    if not np.isfinite(power).all():
        return np.full(len(t), np.nan)
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, power).antiderivative()(t))


def _work_in_parts(t: FloatArray, power: FloatArray, jumps: Sequence[float]) -> FloatArray:
    """The integral of power, part after part; a sample at the time of a jump is before it."""
    from scipy.interpolate import CubicSpline

    edges = [t[0], *(x for x in jumps if t[0] < x < t[-1]), t[-1]]
    done, found = 0.0, np.zeros(len(t))
    for low, high in pairwise(edges):
        inside = (t > low) & (t <= high) if low > t[0] else t <= high
        if not inside.any():  # nothing is known of it: as it was, and as it will be
            done += (high - low) * float(np.interp(0.5 * (low + high), t, power))
            continue
        own = CubicSpline(t[inside], power[inside]) if inside.sum() > 1 else None
        whole = own.antiderivative() if own else partial(np.multiply, power[inside][0])
        found[inside] = done + whole(t[inside]) - whole(low)
        done += float(whole(high) - whole(low))
    return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class DriveEffort:
    """What one drive does along a motion: effort (N or N m), power (W) and work (J), channels."""

    measure: str
    effort: ForceChannel
    power: ForceChannel
    work: ForceChannel

    @property
    def peak_effort(self) -> float:
        """The largest effort either way, N or N m."""
        return float(np.abs(self.effort.values).max(initial=0.0))

    @property
    def rms_effort(self) -> float:
        """The root of the mean of its square over time, N or N m: what heats a motor."""
        t, square = self.effort.t, self.effort.values**2
        if len(t) < 2:
            return float(np.sqrt(square.mean())) if len(t) else 0.0
        return float(np.sqrt(max(work(t, square)[-1] / (t[-1] - t[0]), 0.0)))

    @property
    def peak_power(self) -> float:
        """The largest power either way, W."""
        return float(np.abs(self.power.values).max(initial=0.0))

    @property
    def energy(self) -> float:
        """What it has put in by the end, less what it took out, J."""
        return float(self.work.values[-1]) if len(self.work.values) else 0.0

    @property
    def put_in(self) -> float:
        """What it has put in while its power was positive, J: with no brake that gives back."""
        gone = work(self.power.t, np.maximum(self.power.values, 0.0))
        return float(gone[-1]) if len(gone) else 0.0

    def __str__(self) -> str:
        unit = self.effort.unit
        return (
            f"{self.measure}: at most {self.peak_effort:.4g} {unit}, rms {self.rms_effort:.4g}"
            f" {unit}; at most {self.peak_power:.4g} W; {self.energy:.4g} J in all"
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Efforts(Mapping[str, DriveEffort]):
    """What drives do along a motion, by the measures they hold: efforts["crank.angle"]."""

    drives: Mapping[str, DriveEffort]

    def __getitem__(self, name: str) -> DriveEffort:
        return self.drives[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.drives)

    def __len__(self) -> int:
        return len(self.drives)

    def __str__(self) -> str:
        return "\n".join(map(str, self.drives.values())) or "There is no drive."


def efforts_read(source: "AbstractSource", names: tuple[str, ...]) -> Efforts:
    """The efforts of a motion's own drives, as its names tell them."""
    found = {}
    for name in names:
        effort, power, gone = (source[f"{name}.{word}"] for word in ("effort", "power", "work"))
        found[name] = DriveEffort(name, effort, power, gone)
    return Efforts(found)


def efforts_along(layout: Layout, motion: Motion, gauges: tuple[Gauge, ...]) -> Efforts:
    """The efforts that drives on these measures, and no others, would have to exert.

    A DriveError where they cannot make the motion: it has a freedom that none of them moves.
    """
    refuse_repeated(gauges)
    driven = tuple(Drive(gauge, Ramp(0.0, 0.0)) for gauge in gauges)
    bare = Layout(replace(layout.model, drives=driven)).moving
    equations = equations_of(bare)
    J = Sampled(equations, motion.q, motion.t).jacobians()
    loads = inertia_forces(layout, motion, layout.model.gravity) - acting_loads(layout, motion)
    on = _rows_on(bare, equations, motion)
    W, C = equations.row_weights, 1.0 / equations.step_weights
    mine = np.flatnonzero(drive_rows(equations))
    efforts, unique = np.zeros((len(gauges), len(motion))), np.ones(len(gauges), dtype=bool)
    largest = float(np.abs(C * loads).max(initial=0.0))
    for k in range(len(motion)):
        rows = (on[k][:, None] * W[:, None] * J[k] * C).T
        u, s, vt = np.linalg.svd(rows, full_matrices=False)
        rank = int((s > RANK * s.max(initial=0.0)).sum())
        lam = W * (vt[:rank].T @ ((u[:, :rank].T @ (C * loads[k])) / s[:rank]))
        left = C * loads[k] - rows @ (lam / W)
        if np.abs(left).max(initial=0.0) > LEFT * largest:
            raise _too_few(layout, motion, k, left, gauges)
        efforts[:, k] = lam[mine]
        idle = np.linalg.norm(vt[:rank, mine], axis=0)
        unique &= idle > 1.0 - 1e-8  # all of a unit effort is seen by the rows that are solved
    found = {}
    for k, gauge in enumerate(gauges):
        _, rate, _ = observe_gauge(layout, motion, gauge)
        found[gauge.name] = _told(gauge, motion.t, efforts[k], rate, bool(unique[k]))
    return Efforts(found)


def _rows_on(bare: Layout, equations: Equations, motion: Motion) -> FloatArray:
    """1 where the row of a joint, a coupler or an asked drive is there, (n, rows); else 0.

    What a release has let go, or a switch has off, holds nothing from then on.
    """
    rows = equations.program.shape.rows
    on = np.ones((len(motion), len(rows)))
    if not motion.is_simulated:
        return on
    joints = bare.model.joints
    rolling = [joint for joint in joints if joint.velocity_units]
    drives = [None] * len(bare.model.drives)
    parts = [*joints, *bare.model.couplers, *drives, *rolling]
    for k, row in enumerate(rows):
        part = parts[row.element]
        if part is not None:
            on[:, k] = acting(bare.model, motion, part.name)
    return on


def _told(
    gauge: Gauge, t: FloatArray, effort: FloatArray, rate: FloatArray, is_unique: bool
) -> DriveEffort:
    unit = "N m" if gauge.unit == "rad" else "N"
    power = effort * rate
    channels = (
        ForceChannel(f"{gauge.name}.{word}", t, values, (is_unique,), of)
        for word, values, of in (
            ("effort", effort, unit),
            ("power", power, "W"),
            ("work", work(t, power), "J"),
        )
    )
    return DriveEffort(gauge.name, *channels)


def refuse_repeated(gauges: tuple[Gauge, ...]) -> None:
    """A BadNumber where a measure is named twice."""
    names = [gauge.name for gauge in gauges]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadNumber(f"the measure {twice[0]!r} is named twice: name each once.")


def _too_few(
    layout: Layout, motion: Motion, k: int, left: FloatArray, gauges: tuple[Gauge, ...]
) -> DriveError:
    body, _ = layout.coordinates.body_of(np.array([int(np.abs(left).argmax())]))
    name = layout.model.moving[int(body[0])].name
    along = ", ".join(repr(gauge.name) for gauge in gauges) or "no measure"
    return DriveError(
        f"drives along {along} cannot make this motion: at t = {motion.t[k]:.6g} s something else"
        f" must push {name!r}. Name a measure for every freedom.",
        body=name,
    )
