"""What would close a loop that is open: a link of another length, a drive at another value.

Every change is tried before it is proposed: with it, the mechanism goes together.
"""

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np

from kempe.algebra import Adjustable
from kempe.algebra.native import core
from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp, Setting
from kempe.equations import Equations, equations_of
from kempe.equations.rank import drive_rows
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.closing import (
    ASSEMBLED,
    FloatArray,
    close,
    close_many,
)
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.laws.drive_laws import law_rate
from kempe.model import Model
from kempe.model.graph import Loop
from kempe.results.state import State
from kempe.units import factor

FEW_ELEMENTS = 60  # joints, couplers and drives up to which every length is tried
MOST_STEPS = 12  # of Newton's method on the length of a link
FURTHEST = 10.0  # sizes of the machine by which a length may change
SAME = 1e-9  # share of a row that others leave of it where it says nothing new
MOST_STEPS_OF_GAP = 40
NUDGE = 1e-6  # sizes of the machine, by which a marker is moved to see what its rows do
SMALL = 1e-9  # singular values of that, beside the largest, that count as none
DIGITS = 6  # of a proposed number
CLEAR = 1e-3  # share of a drive's row that joints leave free, below which it is a dead centre
HOLDS = 3e-6  # share below which it sets nothing in motion, wherever it stands
BEYOND = (1, 10, 100, 1000)  # in the last digit of a proposed number, to be clear of one
STIFF = 1e4  # of the rows that are to close, beside that of the drive that gives way
CLOSED_BESIDE = 1e-6  # share of its change that others may keep
SCATTER = 0.3  # rad, and share of the machine's size


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One number of a mechanism before and after; with the second, the loops close."""

    kind: str  # "length", "drive", or "value" of a measure that is held
    name: str  # of the body, or of the measure that is driven or held
    before: float
    after: float
    unit: str  # "m" or "rad"
    joints: tuple[str, ...] = ()  # between which the length is meant
    is_bar: bool = False  # whether the body has no other joints
    is_just_enough: bool = False  # so that it closes in a dead centre
    mover: str = ""  # the one of these joints that is to be moved; any where it is empty
    is_dead_end: bool = False  # whether the drive would have to go the other way from there

    @property
    def facts(self) -> dict[str, float | str | tuple[str, ...]]:
        """As plain data."""
        names = ("kind", "name", "before", "after", "unit", "joints")
        return {name: getattr(self, name) for name in names}

    def words(self, length_unit: str) -> str:
        """What to do, lengths in the mechanism's unit."""
        scale, unit = (factor("m", length_unit), length_unit) if self.unit == "m" else (1.0, "rad")
        before, after = self.before * scale, self.after * scale
        if self.kind in ("drive", "value"):
            verb = "start" if self.kind == "drive" else "hold"
            back = " and let it go the other way" if self.is_dead_end else ""
            return (
                f"{verb} {self.name!r} at {after:.{DIGITS}g} {unit} instead of"
                f" {before:.{DIGITS}g} {unit}{back}"
            )
        more = "more" if after > before else "less"
        beyond = f" and a little {more}" if self.is_just_enough else ""
        if self.mover:
            rest = next(name for name in self.joints if name != self.mover)
            way = "away from" if after > before else "towards"
            return (
                f"on {self.name!r} move {self.mover!r} straight {way} {rest!r}, from"
                f" {before:.{DIGITS}g} to {after:.{DIGITS}g} {unit} apart{beyond}"
            )
        if not self.is_bar:
            a, b = (repr(name) for name in self.joints)
            nearly = f"a little {more} than " if self.is_just_enough else ""
            return (
                f"on {self.name!r} put {a} and {b} {nearly}{after:.{DIGITS}g} {unit} apart instead"
                f" of {before:.{DIGITS}g} {unit}"
            )
        word = "lengthen" if after > before else "shorten"
        return f"{word} {self.name!r} from {before:.{DIGITS}g} to {after:.{DIGITS}g} {unit}{beyond}"


def closing_changes(
    layout: Layout, q: FloatArray, t: float, loop: Loop | None
) -> tuple[Change, ...]:
    """Changes that close a loop: drives first, then lengths, smallest first; none for large ones.

    Own: one length at a time; at the best fit J^T f = 0, so a change by d of a number p with
    g = dphi/dp closes the loop to first order where f . (f + g d) = 0; repeated to convergence.
    """
    if len(layout.elements) > FEW_ELEMENTS:
        return ()
    return (*_drives(layout, q, t), *closing_lengths(layout, q, t, loop))


def closing_lengths(
    layout: Layout, q: FloatArray, t: float, loop: Loop | None
) -> tuple[Change, ...]:
    """Lengths that close a loop, smallest change first; none for large ones."""
    if len(layout.elements) > FEW_ELEMENTS:
        return ()
    return tuple(sorted(_lengths(layout, q, t, loop), key=lambda c: abs(c.after - c.before)))


def rounded_up(value: float) -> float:
    """To as many digits as are told, so that it is enough."""
    grain = _grain(value, 1.0)
    return grain * math.ceil(value / grain)


def _lengths(layout: Layout, q: FloatArray, t: float, loop: Loop | None) -> Iterator[Change]:
    if loop is None or len(loop.bodies) < 3:
        return
    loose = Layout(joints_adjustable(layout.model, {joint.name for joint in loop.joints}))
    equations = equations_of(loose)
    for k, body in enumerate(loop.bodies):
        before, after = loop.joints[k - 1], loop.joints[k]
        start = next(m for m in before.markers if m.body == body)
        end = next(m for m in after.markers if m.body == body)
        length = math.dist(start.position, end.position)
        if length <= ASSEMBLED * layout.size:
            continue
        unit = tuple((b - a) / length for a, b in zip(start.position, end.position, strict=True))
        back = tuple(-x for x in unit)
        slopes = {
            joint.name: Layout(marker_moved(loose.model, joint, marker, by)).parameters
            - loose.parameters
            for joint, marker, by in ((after, end, unit), (before, start, back))
            if any(marker.position) or body == GROUND  # what lies in a body's origin stays there
        }
        found = _closing_move(equations, q, t, slopes, length)
        if found is not None and found[0] > 0.0:
            n = sum(body in (j.I.body, j.J.body) for j in layout.model.joints)
            joints = (before.name, after.name)
            is_bar = n == 2 and body != GROUND
            yield Change("length", body, length, found[0], "m", joints, is_bar, *found[1:])


def _closing_move(
    equations: Equations,
    q: FloatArray,
    t: float,
    slopes: dict[str, FloatArray],
    length: float,
) -> tuple[float, bool, str] | None:
    """The length that closes the loops, whether it just does, and the joint to be moved for it.

    No joint is named where it may be any of those that have slopes.
    """
    found = {
        name: mended
        for name, slope in slopes.items()
        if (mended := _closing_length(equations, q, t, slope, length)) is not None
    }
    if not found:
        return None
    name, (after, is_just_enough) = min(found.items(), key=lambda item: abs(item[1][0] - length))
    is_any = len(found) == len(slopes) and all(
        math.isclose(x, after, rel_tol=10.0**-DIGITS) for x, _ in found.values()
    )
    return after, is_just_enough, "" if is_any else name


def _closing_length(
    equations: Equations, q: FloatArray, t: float, slope: FloatArray, length: float
) -> tuple[float, bool] | None:
    """The length, p changing along dp/dlength = slope, that closes the loops; None if none does.

    And whether a little more is needed for the drives to move it.
    """
    rows, columns = equations.row_weights, 1.0 / equations.layout.step_weights
    last = initial_turns(equations, t, q)

    def closed(at: float, q: FloatArray) -> tuple[bool, Equations, State]:
        p = equations.parameters + (at - length) * slope
        ends = close_many(equations, p[None], q[None], t, last[None], rows, columns)
        there = State(t, ends.q[0], turns=last)
        return bool(ends.residual[0] <= ASSEMBLED), equations.with_parameters(p), there

    def found(at: float) -> tuple[Equations, State] | None:
        ends = (closed(at, start) for start in _scattered(equations, q))
        return next((end[1:] for end in ends if end[0]), None)

    def is_driven(at: float, clear: float = CLEAR) -> bool:
        here = found(at)
        if here is None or not _moves(*here, clear=clear):
            return False
        there = found(at + math.copysign(BEYOND[-1] * _grain(at, per), at - length))
        return there is None or _room(*here) <= _room(*there)

    mended, per = length, factor("m", equations.layout.model.length_unit)
    for _ in range(MOST_STEPS):
        is_closed, longer, there = closed(mended, q)
        q = there.q
        if is_closed:
            is_mended = mended != length and _moves(longer, there)
            if not is_mended:
                return None
            further = _further(length, mended, per, is_driven)
            if further == mended and not is_driven(mended, HOLDS):
                return None
            return mended, further != mended
        f = rows * longer.evaluate(q, t, last)[0]
        still_longer = longer.with_parameters(longer.parameters + equations.layout.size * slope)
        moved = rows * still_longer.evaluate(q, t, last)[0]
        gain = float(f @ (moved - f)) / equations.layout.size
        if gain == 0.0:
            return None
        mended = _outward(length, mended - float(f @ f) / gain, per)
        if abs(mended - length) > FURTHEST * equations.layout.size:
            return None
    return None


def moves(equations: Equations, at: State) -> bool:
    """Whether the joints leave as many freedoms as there are drives."""
    return _moves(equations, at)


def _moves(equations: Equations, at: State, *, clear: float = 0.0) -> bool:
    """Whether there are freedoms for the drives, and these set them, `clear` of a dead centre.

    That is the share of their rows that the joints leave free at least; it is not asked where 0.
    """
    J, is_joint = equations.scaled_jacobian(at), ~drive_rows(equations)
    joints = np.ascontiguousarray(J[is_joint])
    kept = core.rank_revealing_rows(joints, SAME).independent
    has_room = equations.layout.n_v - len(kept) >= len(equations.layout.model.drives)
    if not clear or not has_room or is_joint.all():
        return has_room
    basis = np.linalg.qr(joints[list(kept)].T)[0]  # of what the joints hold
    drives = J[~is_joint] / np.linalg.norm(J[~is_joint], axis=1, keepdims=True)
    left = drives - (drives @ basis) @ basis.T
    return float(np.linalg.svd(left, compute_uv=False).min()) > clear


def _room(equations: Equations, at: State) -> int:
    """Freedoms that joints leave, where rows that nearly depend on others count for nothing."""
    joints = np.ascontiguousarray(equations.scaled_jacobian(at)[~drive_rows(equations)])
    return equations.layout.n_v - len(core.rank_revealing_rows(joints, CLEAR).independent)


def _outward(before: float, after: float, per: float) -> float:
    """Rounded to a few digits, away from where it came from: enough, and easy to read.

    It is read in a unit of which there are `per` in one of these.
    """
    if after == 0.0:
        return after
    grain = _grain(after, per)
    rounding = math.ceil if after > before else math.floor
    return grain * rounding(after / grain)


def _further(before: float, after: float, per: float, is_driven: Callable[[float], bool]) -> float:
    """A number beyond which the drives move the mechanism, which they do not at a dead centre.

    What just closes a loop stretches its links into a line. `after` itself where nothing helps.
    """
    for grains in (0, *BEYOND):
        value = after + math.copysign(grains * _grain(after, per), after - before)
        if is_driven(value):
            return value
    return after


def _grain(value: float, per: float) -> float:
    """One in the last digit of a proposed number."""
    return float(10.0 ** (math.floor(math.log10(abs(value * per) or 1.0)) + 1 - DIGITS)) / per


def _drives(layout: Layout, q: FloatArray, t: float) -> Iterator[Change]:
    """The value that each drive could start at, the others as they are: the nearest ahead of it.

    Where none lies ahead of the drive, the nearest behind it, from which it has to go back.
    """
    equations = equations_of(layout)
    for k, drive in enumerate(layout.model.drives):
        mine = equations.rows_of(layout.first_drive + k)
        asked = float(drive.law.value(t))
        near: dict[bool, tuple[float, FloatArray]] = {}  # by whether it lies ahead
        rate = 0.0 if is_held(drive) else law_rate(drive.law, t)
        for start in _scattered(equations, q):
            found = close(equations, start, t, stiffness=np.where(mine, 1.0, STIFF))
            phi = equations.evaluate(found.q, t, found.turns)[0]
            off = float(phi[mine][0])
            is_ahead = not rate * off < 0.0
            if np.abs(phi[~mine]).max(initial=0.0) < abs(off) * CLOSED_BESIDE and (
                is_ahead not in near or abs(off) < abs(near[is_ahead][0])
            ):
                near[is_ahead] = off, found.q
        for is_ahead in sorted(near, reverse=True):
            after = _start_of_drive(layout, t, k, asked, *near[is_ahead])
            if after is not None:
                kind = "value" if is_held(drive) else "drive"
                name, unit = drive.gauge.name, drive.gauge.unit
                yield Change(kind, name, asked, after, unit, is_dead_end=not is_ahead)
                break


def _start_of_drive(
    layout: Layout, t: float, k: int, asked: float, off: float, q: FloatArray
) -> float | None:
    """The value about `off` from the one asked for, told in few digits, at which drive k can start.

    It was found at q; clear of a dead centre, if the drive is to move. None where it cannot start.
    """
    drive = layout.model.drives[k]
    per = factor("m", layout.model.length_unit) if drive.gauge.unit == "m" else 1.0
    after = _outward(asked, asked + off, per)

    def can_start(value: float, *, clear: float) -> bool:
        settled = Layout(replace(layout.model, drives=_held(layout.model, k, value)))
        there = equations_of(settled)
        ends = (close(there, x, t) for x in _scattered(there, q))
        end = next((e for e in ends if e.is_closed), None)
        return end is not None and _moves(there, end, clear=clear)

    if not can_start(after, clear=0.0):
        return None
    return after if is_held(drive) else _further(asked, after, per, partial(can_start, clear=CLEAR))


def is_held(drive: Drive) -> bool:
    """Whether it is no drive of the model but a value that was asked for."""
    return isinstance(drive.law, Setting)


def _scattered(equations: Equations, q: FloatArray) -> Iterator[FloatArray]:
    """q, and places around it: links in a line are a saddle that a search does not leave."""
    yield q
    places = np.arange(1, equations.layout.n_v + 1)
    for prime in (2.0, 3.0):
        d = 2.0 * ((places * np.sqrt(prime)) % 1.0) - 1.0
        yield equations.program.retract(q, SCATTER * d / equations.layout.step_weights)
        yield equations.program.retract(q, -SCATTER * d / equations.layout.step_weights)


def _held(model: Model, k: int, value: float) -> tuple[Drive, ...]:
    held = replace(model.drives[k], law=Ramp(Adjustable(value)))
    return (*model.drives[:k], held, *model.drives[k + 1 :])


def joints_adjustable(model: Model, names: Collection[str]) -> Model:
    """The model with the places of these joints as inputs of its program."""
    joints = tuple(_loosened(j, plane=model.plane) if j.name in names else j for j in model.joints)
    return replace(model, joints=joints)


def _loosened(joint: AbstractJoint, *, plane: bool) -> AbstractJoint:
    def loose(marker: Marker) -> Marker:
        x, y, z = marker.position
        return replace(
            marker, position=(Adjustable(x), Adjustable(y), z if plane else Adjustable(z))
        )

    return replace(joint, I=loose(joint.I), J=loose(joint.J))


def marker_moved(model: Model, joint: AbstractJoint, end: Marker, by: tuple[float, ...]) -> Model:
    """The model with one end of a joint moved in its body."""
    joints = []
    for other in model.joints:
        if other.name == joint.name:
            side = "I" if other.I.body == end.body else "J"
            marker = getattr(other, side)
            place = tuple(Adjustable(a + b) for a, b in zip(marker.position, by, strict=True))
            if model.plane:
                place = (*place[:2], marker.position[2])
            other = replace(other, **{side: replace(marker, position=place)})
        joints.append(other)
    return replace(model, joints=tuple(joints))


def gap_at(layout: Layout, q: FloatArray, t: float, element: int, *, side: str = "J") -> FloatArray:
    """The least displacement (m) of a joint's marker that closes its rows of lengths.

    In coordinates of the marker's body. With g the rows that are lengths, at fixed bodies,
    x <- x - G^+ g(x), G = dg/dx: the least x to first order, repeated until g vanishes. NaN where
    it does not. Own.
    """
    joint = layout.model.joints[element]
    marker = joint.J if side == "J" else joint.I
    loose = Layout(joints_adjustable(layout.model, {joint.name}))
    equations = equations_of(loose)
    mine = np.array([r.element == element and r.unit == "m" for r in equations.program.shape.rows])
    n = 2 if layout.model.plane else 3
    p = loose.parameters
    last = np.zeros(equations.program.shape.n_turns)
    units = [
        Layout(marker_moved(loose.model, joint, marker, tuple(e))).parameters - p
        for e in np.eye(3)[:n]
    ]
    h, x = NUDGE * layout.size, np.zeros(n)

    def rows(x: FloatArray) -> FloatArray:
        moved = p + sum(a * unit for a, unit in zip(x, units, strict=True))
        return np.asarray(equations.program.evaluate(moved, q, t, last)[0][mine])

    for _ in range(MOST_STEPS_OF_GAP):
        g = rows(x)
        if np.abs(g).max(initial=0.0) <= ASSEMBLED * layout.size:
            return x
        G = np.column_stack([(rows(x + h * e) - rows(x - h * e)) / (2.0 * h) for e in np.eye(n)])
        x = x - np.linalg.pinv(G, rcond=SMALL) @ g
    return np.full(n, np.nan)
