"""What would close a loop that is open: a link of another length, a drive at another value.

Every change is tried before it is proposed: with it, the mechanism goes together.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np

from kempe.algebra import Adjustable
from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.compile.program import Program
from kempe.drives import Drive, Ramp, Setting
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint
from kempe.kinematics.closing import (
    ASSEMBLED,
    Assembled,
    FloatArray,
    close,
    close_many,
    row_weights,
    step_weights,
)
from kempe.kinematics.evaluator import SMALL_PLAN, evaluator
from kempe.kinematics.winding import initial_turns
from kempe.model import Model
from kempe.model.topology import Loop
from kempe.units import factor

MOST_STEPS = 12  # of Newton's method on the length of a link
FURTHEST = 10.0  # sizes of the machine by which a length may change
SAME = 1e-9  # share of a row that others leave of it where it says nothing new
DIGITS = 6  # of a proposed number
CLEAR = 1e-3  # share of a drive's row that joints leave free, below which it is a dead centre
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

    @property
    def facts(self) -> dict[str, float | str | tuple[str, ...]]:
        """As plain data."""
        names = ("kind", "name", "before", "after", "unit", "joints")
        return {name: getattr(self, name) for name in names}

    def words(self, length_unit: str) -> str:
        """What to do, lengths in the mechanism's unit."""
        scale, unit = (factor("m", length_unit), length_unit) if self.unit == "m" else (1.0, "rad")
        before, after = self.before * scale, self.after * scale
        if self.kind == "drive":
            return (
                f"start the drive on {self.name!r} at {after:.{DIGITS}g} {unit} instead of"
                f" {before:.{DIGITS}g} {unit}"
            )
        if self.kind == "value":
            return (
                f"hold {self.name!r} at {after:.{DIGITS}g} {unit} instead of"
                f" {before:.{DIGITS}g} {unit}"
            )
        more = "more" if after > before else "less"
        if not self.is_bar:
            a, b = (repr(name) for name in self.joints)
            nearly = f"a little {more} than " if self.is_just_enough else ""
            return (
                f"on {self.name!r} put {a} and {b} {nearly}{after:.{DIGITS}g} {unit} apart instead"
                f" of {before:.{DIGITS}g} {unit}"
            )
        beyond = f" and a little {more}" if self.is_just_enough else ""
        word = "lengthen" if after > before else "shorten"
        return f"{word} {self.name!r} from {before:.{DIGITS}g} to {after:.{DIGITS}g} {unit}{beyond}"


def closing_changes(
    layout: Layout, q: FloatArray, t: float, loop: Loop | None
) -> tuple[Change, ...]:
    """Changes that close a loop: drives first, then lengths, smallest first; none for large ones.

    Own: one length at a time; at the best fit J^T f = 0, so a change by d of a number p with
    g = dphi/dp closes the loop to first order where f . (f + g d) = 0; repeated to convergence.
    """
    if len(layout.elements) > SMALL_PLAN:
        return ()
    lengths = sorted(_lengths(layout, q, t, loop), key=lambda c: abs(c.after - c.before))
    return (*_drives(layout, q, t), *lengths)


def _lengths(layout: Layout, q: FloatArray, t: float, loop: Loop | None) -> Iterator[Change]:
    if loop is None or len(loop.bodies) < 3:
        return
    loose = Layout(_adjustable(layout.model, loop))
    program = evaluator(loose)
    for k, body in enumerate(loop.bodies):
        before, after = loop.joints[k - 1], loop.joints[k]
        start = next(m for m in before.markers if m.body == body)
        end = next(m for m in after.markers if m.body == body)
        length = math.dist(start.position, end.position)
        if length <= ASSEMBLED * layout.size:
            continue
        unit = tuple((b - a) / length for a, b in zip(start.position, end.position, strict=True))
        longer = _moved(loose.model, after, end, unit)
        slope = Layout(longer).parameters - loose.parameters
        mended = _closing_length(loose, program, q, t, slope, length)
        if mended is not None and mended[0] > 0.0:
            n = sum(body in (j.I.body, j.J.body) for j in layout.model.joints)
            joints = (before.name, after.name)
            is_bar = n == 2 and body != GROUND
            yield Change("length", body, length, mended[0], "m", joints, is_bar, mended[1])


def _closing_length(
    layout: Layout, program: Program, q: FloatArray, t: float, slope: FloatArray, length: float
) -> tuple[float, bool] | None:
    """The length, p changing along dp/dlength = slope, that closes the loops; None if none does.

    And whether a little more is needed for the drives to move it.
    """
    rows, columns = row_weights(layout, program), 1.0 / step_weights(layout)
    last = initial_turns(layout, program, t, q)

    def closed(at: float) -> tuple[bool, FloatArray, FloatArray]:
        p = layout.parameters + (at - length) * slope
        ends = close_many(layout, program, p[None], q[None], t, last[None], rows, columns)
        return bool(ends["residual"][0] <= ASSEMBLED), p, ends["q"][0]

    def is_driven(at: float) -> bool:
        is_closed, p, q = closed(at)
        return is_closed and _moves(layout, program, p, q, t, last, clear=True)

    mended, per = length, factor("m", layout.model.length_unit)
    for _ in range(MOST_STEPS):
        is_closed, p, q = closed(mended)
        if is_closed:
            is_mended = mended != length and _moves(layout, program, p, q, t, last)
            if not is_mended:
                return None
            return mended, _further(length, mended, per, is_driven) != mended
        f = rows * program.evaluate(p, q, t, last)[0]
        moved = rows * program.evaluate(p + layout.size * slope, q, t, last)[0]
        gain = float(f @ (moved - f)) / layout.size
        if gain == 0.0:
            return None
        mended = _outward(length, mended - float(f @ f) / gain, per)
        if abs(mended - length) > FURTHEST * layout.size:
            return None
    return None


def moves(layout: Layout, program: Program, at: Assembled, t: float) -> bool:
    """Whether the joints leave as many freedoms as there are drives."""
    return _moves(layout, program, layout.parameters, at.q, t, at.last)


def _moves(
    layout: Layout,
    program: Program,
    p: FloatArray,
    q: FloatArray,
    t: float,
    last: FloatArray,
    *,
    clear: bool = False,
) -> bool:
    """Whether there are freedoms for the drives; `clear` of a dead centre, that these set them."""
    entries = program.evaluate(p, q, t, last)[1]
    J = row_weights(layout, program)[:, None] * program.dense_jacobian(entries)
    is_joint = np.array([r.element < layout.first_drive for r in program.shape.rows])
    J /= step_weights(layout)
    joints = np.ascontiguousarray(J[is_joint])
    kept = core.rank_revealing_rows(joints, SAME)[0] if len(joints) else []
    has_room = layout.n_v - len(kept) >= len(layout.model.drives)
    if not clear or not has_room or is_joint.all():
        return has_room
    basis = np.linalg.qr(joints[list(kept)].T)[0]  # of what the joints hold
    drives = J[~is_joint] / np.linalg.norm(J[~is_joint], axis=1, keepdims=True)
    left = drives - (drives @ basis) @ basis.T
    return float(np.linalg.svd(left, compute_uv=False).min()) > CLEAR


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
    """The value nearest to the asked one that each drive could hold, the others as they are."""
    program = evaluator(layout)
    rows = program.shape.rows
    for k, drive in enumerate(layout.model.drives):
        mine = np.array([r.element == layout.first_drive + k for r in rows])
        asked = float(drive.law.value(t))
        near: tuple[float, FloatArray] | None = None
        for start in _scattered(layout, program, q):
            found = close(layout, program, start, t, stiffness=np.where(mine, 1.0, STIFF))
            phi = program.evaluate(layout.parameters, found.q, t, found.last)[0]
            off = float(phi[mine][0])
            if np.abs(phi[~mine]).max(initial=0.0) < abs(off) * CLOSED_BESIDE and (
                near is None or abs(off) < abs(near[0])
            ):
                near = off, found.q
        if near is None:
            continue
        per = factor("m", layout.model.length_unit) if drive.gauge.unit == "m" else 1.0
        after = _outward(asked, asked + near[0], per)

        def can_start(value: float, *, clear: bool, k: int = k, q: FloatArray = near[1]) -> bool:
            settled = Layout(replace(layout.model, drives=_held(layout.model, k, value)))
            program = evaluator(settled)
            ends = (close(settled, program, x, t) for x in _scattered(settled, program, q))
            end = next((e for e in ends if e.is_closed), None)
            if end is None:
                return False
            p = settled.parameters
            return _moves(settled, program, p, end.q, t, end.last, clear=clear)

        if can_start(after, clear=False):
            kind = "value" if is_held(drive) else "drive"
            if kind == "drive":
                after = _further(asked, after, per, partial(can_start, clear=True))
            yield Change(kind, drive.gauge.name, asked, after, drive.gauge.unit)


def is_held(drive: Drive) -> bool:
    """Whether it is no drive of the model but a value that was asked for."""
    return isinstance(drive.law, Setting)


def _scattered(layout: Layout, program: Program, q: FloatArray) -> Iterator[FloatArray]:
    """q, and places around it: links in a line are a saddle that a search does not leave."""
    yield q
    places = np.arange(1, layout.n_v + 1)
    for prime in (2.0, 3.0):
        d = 2.0 * ((places * np.sqrt(prime)) % 1.0) - 1.0
        yield program.retract(q, SCATTER * d / step_weights(layout))
        yield program.retract(q, -SCATTER * d / step_weights(layout))


def _held(model: Model, k: int, value: float) -> tuple[Drive, ...]:
    held = replace(model.drives[k], law=Ramp(Adjustable(value)))
    return (*model.drives[:k], held, *model.drives[k + 1 :])


def _adjustable(model: Model, loop: Loop) -> Model:
    """The model with the places of the loop's joints as inputs of its program."""
    names = {joint.name for joint in loop.joints}
    joints = tuple(_loosened(j, plane=model.plane) if j.name in names else j for j in model.joints)
    return replace(model, joints=joints)


def _loosened(joint: AbstractJoint, *, plane: bool) -> AbstractJoint:
    def loose(marker: Marker) -> Marker:
        x, y, z = marker.position
        return replace(
            marker, position=(Adjustable(x), Adjustable(y), z if plane else Adjustable(z))
        )

    return replace(joint, I=loose(joint.I), J=loose(joint.J))


def _moved(model: Model, joint: AbstractJoint, end: Marker, by: tuple[float, ...]) -> Model:
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
