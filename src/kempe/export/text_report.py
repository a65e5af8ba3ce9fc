"""The text report of a motion, as one prints and files it.

Source: [Sung] ch. V for what it holds: the count of freedoms, the initial position estimates, and
positions, velocities and accelerations of all bodies and of interesting points, time by time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.readings.channel import ForceChannel, PointChannel
from kempe.readings.unit_choice import UnitChoice, unit_choice
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Labels = tuple[tuple[str, str], ...]  # a symbol and its SI unit

DIGITS = 8
WIDTH = DIGITS + 9  # of a column: sign, point, exponent and some air
# A number this much smaller than the largest of its kind is what rounding left of a zero.
NOTHING = 1e-14
EXERTED_BY = {"effort": "drive or coupler", "power": "drive"}


def _labels(symbols: str, unit: str) -> Labels:
    return tuple((symbol, unit) for symbol in symbols.split())


PLANAR = (
    (*_labels("x y", "m"), ("angle", "rad")),
    (*_labels("vx vy", "m/s"), ("w", "rad/s")),
    (*_labels("ax ay", "m/s**2"), ("alpha", "rad/s**2")),
)
SPATIAL = (
    (*_labels("x y z", "m"), *_labels("e0 e1 e2 e3", "")),
    (*_labels("vx vy vz", "m/s"), *_labels("wx wy wz", "rad/s")),
    (*_labels("ax ay az", "m/s**2"), *_labels("alphax alphay alphaz", "rad/s**2")),
)
CONVENTIONS = (
    "Positions are those of the bodies' origins, e0 ... e3 is the unit quaternion (scalar first),"
    "\nw and alpha are in body axes. The ground stands still."
)


def report(
    trajectory: "Trajectory",
    at: Iterable[float | str] | None,
    points: Iterable[str] | None,
    units: Iterable[str],
) -> str:
    """The whole report; lengths are in the mechanism's unit and angles in rad if not chosen."""
    subject = trajectory.subject
    choice = unit_choice(units, (subject.length_unit,))
    wanted = subject.free_points
    if points is not None:
        names = (points,) if isinstance(points, str) else points
        wanted = tuple(trajectory.registry.point(name, "report").name for name in names)
    blocks = [_heading(trajectory), _section("DEGREES OF FREEDOM", trajectory.count_table)]
    blocks.append(_section("INITIAL ESTIMATES", _estimates(trajectory, choice)))
    for k, note in _samples(trajectory, at):
        time = f"TIME = {trajectory.t[k] * choice.factor('s'):.9g} {choice.shown('s')}{note}"
        parts = [_bodies(trajectory, k, choice), *_points(trajectory, wanted, k, choice)]
        blocks.append(_section(time, "\n\n".join([*parts, *_forces(trajectory, k, choice)])))
    return "\n\n".join(blocks) + "\n"


def _heading(trajectory: "Trajectory") -> str:
    kind = "DYNAMIC" if trajectory.motion.is_simulated else "KINEMATIC"
    title = f"{kind} ANALYSIS of {trajectory.subject.name}"
    n = len(trajectory)
    span = f", t = {trajectory.t[0]:.9g} ... {trajectory.t[-1]:.9g} s" if n else ""
    lines = [title, "=" * len(title), f"{n} samples{span}. {trajectory.outcome}"]
    lines += [f"Passed: {passed}." for passed in trajectory.passes]
    lines += [f"Event: {event}." for event in trajectory.events]
    lines.append(f"{trajectory.provenance}.")
    counts = trajectory.motion.counts
    if trajectory.motion.is_simulated:
        told = ("rejected", "evaluations", "damped")
        cost = ", ".join(f"{counts.get(word, 0)} {word}" for word in told)
        lines.append(f"Steps: {counts.get('steps', 0)}, {cost}.")
        if len(trajectory.motion.violation):
            gap = float(trajectory.motion.violation.max())
            lines.append(f"Joints and drives hold to {gap:.1e} m at all samples.")
    elif counts:
        cost = f"{counts.get('substeps', 0)} between samples, {counts.get('halvings', 0)} halved"
        lines.append(f"Steps: {cost}, {trajectory.motion.control}.")
    lines += trajectory.motion.notes
    if trajectory.redundant:
        lines.append(f"Redundant, consistently: {', '.join(trajectory.redundant)}.")
    if not trajectory.subject.plane:
        lines.append(CONVENTIONS)
    return "\n".join(lines)


def _section(title: str, body: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{body}"


def _estimates(trajectory: "Trajectory", choice: UnitChoice) -> str:
    labels = PLANAR[0] if trajectory.subject.plane else SPATIAL[0]
    rows = {body.name: body.estimate for body in trajectory.subject.bodies}
    given = {name: row for name, row in rows.items() if row is not None}
    lines = [_table("body", labels, given, choice)] if given else []
    placed = [name for name, row in rows.items() if row is None]
    if placed:
        lines.append(f"Placed by kempe, joint by joint: {', '.join(placed)}.")
    return "\n".join(lines)


def _samples(
    trajectory: "Trajectory", at: Iterable[float | str] | None
) -> Iterator[tuple[int, str]]:
    """Numbers of the samples to print, each with a note where another time was asked for."""
    t = trajectory.t
    if at is None or not len(t):
        yield from ((k, "") for k in dict.fromkeys([0, len(t) - 1]) if len(t))
        return
    room = 0.5 * float(np.diff(t).max(initial=0.0))
    for asked in (at,) if isinstance(at, str) else at:
        time = in_si(asked, "s")
        if not t[0] - room <= time <= t[-1] + room:
            raise BadNumber(
                f"there is no sample at t = {time:g} s: the motion goes from {t[0]:g} s to"
                f" {t[-1]:g} s.",
                t=time,
            )
        k = int(np.abs(t - time).argmin())
        exact = abs(t[k] - time) <= 1e-9 * max(1.0, abs(time))
        yield k, "" if exact else f" (the sample nearest to {time:g} s)"


def _bodies(trajectory: "Trajectory", k: int, choice: UnitChoice) -> str:
    """Three tables: positions, velocities, accelerations of all bodies."""
    subject, motion = trajectory.subject, trajectory.motion
    tables = []
    orders = PLANAR if subject.plane else SPATIAL
    at = subject.coordinates
    each = [at.q_by_body(motion.q[k]), at.v_by_body(motion.v[k]), at.v_by_body(motion.a[k])]
    for labels, numbers in zip(orders, each, strict=True):
        rows = {body.name: own.tolist() for body, own in zip(subject.bodies, numbers, strict=True)}
        tables.append(_table("body", labels, rows, choice))
    return "\n\n".join(tables)


def _points(
    trajectory: "Trajectory", names: Sequence[str], k: int, choice: UnitChoice
) -> Iterator[str]:
    axes = "x y" if trajectory.subject.plane else "x y z"
    for order, word in enumerate(("", "v", "a") if names else ()):
        unit = ("m", "m/s", "m/s**2")[order]
        labels = _labels(" ".join(f"{word}{axis}" for axis in axes.split()), unit)
        rows = {}
        for name in names:
            channel = trajectory[name]
            assert isinstance(channel, PointChannel)
            samples = (channel.position, channel.velocity, channel.acceleration)[order]
            rows[name] = samples[k].tolist()
        yield _table("point of interest", labels, rows, choice)


def _forces(trajectory: "Trajectory", k: int, choice: UnitChoice) -> Iterator[str]:
    """What joints and drives exert, where bodies have masses."""
    rows: dict[str, dict[str, list[float]]] = {}
    for name in trajectory.names:
        part, _, word = name.rpartition(".")
        if word in ("force", "torque", "effort", "power"):
            channel = trajectory[name]
            if isinstance(channel, ForceChannel):
                sure = "" if all(channel.unique) else " (one of many)"
                values = np.atleast_1d(channel.values[k]).tolist()
                rows.setdefault(f"{word} [{channel.unit}]", {})[part + sure] = values
    for title, of in rows.items():
        word, _, unit = title.removesuffix("]").partition(" [")
        size = max(map(len, of.values()))
        axes = {1: ("",), 2: ("x", "y"), 3: ("x", "y", "z")}[size]
        labels = tuple((f"{word} {axis}".strip(), unit) for axis in axes)
        yield _table(EXERTED_BY.get(word, "joint"), labels, of, choice)


def _table(
    corner: str, labels: Labels, rows: Mapping[str, Sequence[float]], choice: UnitChoice
) -> str:
    width = max(len(name) for name in (corner, *rows)) + 2
    heads = [f"{symbol} [{choice.shown(u)}]" if u else symbol for symbol, u in labels]
    lines = [corner.ljust(width) + "".join(head.rjust(WIDTH) for head in heads)]
    largest: dict[str, float] = {}
    for row in rows.values():
        for (_, unit), value in zip(labels, row, strict=True):
            least = 1.0 if unit == "rad" else 0.0
            largest[unit] = max(largest.get(unit, least), abs(value))
    for name, row in rows.items():
        cells = []
        for (_, unit), value in zip(labels, row, strict=True):
            number = 0.0 if abs(value) <= NOTHING * largest[unit] else value
            number *= choice.factor(unit) if unit else 1.0
            cells.append(f"{number:.{DIGITS}g}".rjust(WIDTH))
        lines.append(name.ljust(width) + "".join(cells))
    return "\n".join(lines)
