"""Straightening axes that are tilted by a little, so that what was meant to move can move.

A hinge whose axis was written with five digits locks a loop of hinges in space, or keeps it from
closing at all. The smallest turns of axes are sought with which every loop closes all along the
motion, not only in one position.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.errors import AssemblyError, BadNumber, KempeError
from kempe.geometry import Marker, Rotation, X, Y
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.attempts import best_attempt
from kempe.kinematics.closing.closing import (
    ASSEMBLED,
    TIGHTER,
    Closing,
    FloatArray,
    close,
)
from kempe.kinematics.mobility.finite_motion import part_freedoms
from kempe.kinematics.mobility.loosening import turn_column
from kempe.model import Model
from kempe.model.graph import Loop, bodies_graph
from kempe.results import Straightened
from kempe.results.state import State

# Axes count as meant to be parallel or square within the larger angle, and as being it within the
# smaller one (rad).
NEARLY, EXACTLY = 0.05, 1e-9

Axis = tuple[str, str]  # of a joint, on a body
Turns = dict[Axis, tuple[float, float]]  # rad, of the marker there about its own x and y

WEAK = 10.0  # times a turn: singular values below it belong to what was meant to be redundant
SHARES = (1.0, 0.3, 0.1, 0.03, 0.01)  # of `align`: turns that are expected, the largest first
MOST_STEPS = 8
REACH = (0.0, 0.15, -0.15, 0.3, -0.3)  # rad and sizes of the machine: where the motion is looked at
FITS = 1e-4  # share of the misfit that turns of the chosen axes may leave, to first order
UNTURNED = 1e-3  # share of the largest turn below which one is rounding, and not reported


@final
@dataclass(frozen=True, slots=True)
class Tilt:
    """The axes of two joints on one body are off parallel or square by an angle (rad)."""

    joint: str  # the one to look at first
    other: str
    body: str
    angle: float
    meant: str  # "parallel" or "square"

    def __str__(self) -> str:
        size = f"{self.angle:.3g} rad ({math.degrees(self.angle):.3g} deg)"
        return (
            f"on {self.body!r} the axis of {self.joint!r} is {size} off"
            f" {'parallel' if self.meant == 'parallel' else 'square'} to that of {self.other!r}"
        )


def tilted_axis(loop: Loop) -> Tilt | None:
    """The largest tilt of a loop's links; None where all axes are straight, or meant aslant."""
    return max(tilted_axes(loop), key=lambda tilt: tilt.angle, default=None)


def tilted_axes(loop: Loop) -> list[Tilt]:
    """The tilts of a loop's links, one for each link whose two axes are not straight.

    Own: a twist close to a quarter turn is taken for one that was meant to be exact.
    """
    found = []
    for k, body in enumerate(loop.bodies):
        pair = (loop.joints[k - 1], loop.joints[k])
        if len(loop.bodies) < 3 or not all(loop.ways[i].has_z for i in (k - 1, k)):
            continue
        a, b = (next(m for m in j.markers if m.body == body) for j in pair)
        z_a, z_b = (np.array(list(m.rotation.z), dtype=float) for m in (a, b))
        angle = math.atan2(float(np.linalg.norm(np.cross(z_a, z_b))), float(z_a @ z_b))
        quarters = round(angle / (0.5 * math.pi))
        off = abs(angle - quarters * 0.5 * math.pi)
        if EXACTLY < off < NEARLY:
            first, second = pair if _skew(a) > _skew(b) else pair[::-1]
            meant = "square" if quarters % 2 else "parallel"
            found.append(Tilt(first.name, second.name, body, off, meant))
    return found


def _skew(marker: Marker) -> float:
    """How far a marker's axis is from the nearest axis of its body: the sine of the angle."""
    z = np.abs(np.array(list(marker.rotation.z), dtype=float))
    return float(np.linalg.norm(np.delete(z, int(z.argmax()))))


def straightened(layout: Layout, align: float, t: float) -> tuple[Model, tuple[Straightened, ...]]:
    """The model with axes turned by at most `align` (rad) each, and what was turned.

    With J = U S V^T and U0 those left singular vectors whose values are below ten times the turns
    that are expected, the turns x solve U0^T (phi + G x) = 0 in several positions at once,
    G = dphi/dx; shortest x. Ten times a generous `align` may reach what does hold: then smaller
    turns are expected. Axes that are off square or parallel on their body are turned alone, if that
    is enough; else all of them. An AssemblyError where no turns within `align` were found. Own.
    """
    model = layout.model
    if not align > 0.0:
        raise BadNumber(f"axes are turned by up to a positive angle, not {align:g} rad.")
    if model.plane or not model.joints:
        return model, ()
    start = best_attempt(equations_of(layout), t)
    tilts = [tilt for loop in bodies_graph(model).loops for tilt in tilted_axes(loop)]
    suspects = list(dict.fromkeys((tilt.joint, tilt.body) for tilt in tilts))
    axes = [j for j in model.joints if j.ways(plane=False).has_z]
    one_side = [(j.name, j.J.body) for j in axes]
    everything = one_side + [(j.name, j.I.body) for j in axes]
    needed = np.inf
    for chosen, share in product((suspects, one_side, everything), SHARES):
        turns = _turns(model, start.q, t, chosen, share * align, alone=share == SHARES[0])
        if turns is None:
            continue
        largest = max((float(np.hypot(*x)) for x in turns.values()), default=0.0)
        if largest <= align:
            return _turned(model, turns), tuple(
                Straightened(name, body, float(np.hypot(*x)))
                for (name, body), x in turns.items()
                if np.hypot(*x) > UNTURNED * largest
            )
        needed = min(needed, largest)
        if chosen is suspects:
            break  # smaller turns of all axes would make another linkage of it
    raise AssemblyError(
        f"{model.name!r} cannot be straightened with turns of axes up to {align:g} rad: "
        + (
            f"it would take {needed:.3g} rad or more. Straighten its axes by hand, or give a larger"
            " `align`."
            if np.isfinite(needed)
            else "none were found that close its loops wherever it goes. Straighten its axes by"
            " hand."
        ),
        align=align,
        needed=float(needed),
    )


def align_that_helps(layout: Layout, tilt: float, t: float, freedoms: int) -> float | None:
    """An `align` with which axes off by `tilt` (rad) are straightened, tried; None if none does.

    With it the mechanism goes together and has at least so many freedoms.
    """
    for align in (10.0 ** np.ceil(np.log10(4.0 * tilt)), 10.0 ** np.ceil(np.log10(40.0 * tilt))):
        try:
            mended = Layout(straightened(layout, float(align), t)[0])
            start = best_attempt(equations_of(mended), t)
            if not start.is_closed:
                continue
            parts = part_freedoms(mended, start.q, t)
        except KempeError:
            continue
        if sum(part.mobility for part in parts) >= freedoms:
            return float(align)
    return None


def _turns(
    model: Model, q: FloatArray, t: float, chosen: Sequence[Axis], align: float, *, alone: bool
) -> Turns | None:
    """Turns of the chosen axes that close all positions; None if none do.

    `alone` says whether the start may be the only position, where nothing is nearly let move.
    """
    if not chosen:
        return None
    places: list[FloatArray] | None = None
    x = np.zeros(2 * len(chosen))
    for _ in range(MOST_STEPS):
        free = Layout(replace(_turned(model, _by_axis(chosen, x)), drives=()))
        equations = equations_of(free)
        if places is None:
            places = _along(equations, q, t, align)
            if len(places) == 1 and not alone:
                return None
        ends = [_held_close(equations, place, t, align) for place in places]
        places = [end.q for end in ends]
        if all(end.residual <= TIGHTER * ASSEMBLED for end in ends):
            return _by_axis(chosen, x)
        rows, misfit = _conditions(equations, ends, t, chosen, align)
        step = np.linalg.lstsq(rows, -misfit, rcond=1e-6)[0]
        left = float(np.linalg.norm(rows @ step + misfit))
        if left > FITS * float(np.linalg.norm(misfit)) and left > ASSEMBLED:
            return None
        x = x + step
    return None


def _conditions(
    equations: Equations,
    ends: Sequence[Closing],
    t: float,
    chosen: Sequence[Axis],
    align: float,
) -> tuple[FloatArray, FloatArray]:
    """U0^T G and U0^T phi of all positions, one below the other."""
    rows, misfits = [], []
    layout = equations.layout
    number = {j.name: k for k, j in enumerate(layout.model.joints)}
    element = np.array([r.element for r in equations.program.shape.rows])
    for end in ends:
        J = equations.scaled_jacobian(end)
        U, sigma, _ = np.linalg.svd(J)
        U0 = U[:, int((sigma > WEAK * align).sum()) :]
        phi = equations.evaluate(end.q, t, end.turns)[0]
        G = np.column_stack(
            [
                turn_column(layout, end.q, J, element == number[n], layout.model.joint(n), body, e)
                for n, body in chosen
                for e in (X, Y)
            ]
        )
        rows.append(U0.T @ G)
        misfits.append(U0.T @ (phi * equations.row_weights))
    return np.concatenate(rows), np.concatenate(misfits)


def _along(equations: Equations, q: FloatArray, t: float, align: float) -> list[FloatArray]:
    """Positions along what the joints nearly let move."""
    start = close(equations, q, t)
    J = equations.scaled_jacobian(start)
    _, sigma, Vt = np.linalg.svd(J)
    weak = Vt[int((sigma > WEAK * align).sum()) :]
    scale = 1.0 / equations.layout.step_weights
    places = [start.q]
    for direction in weak:
        way = direction / np.abs(direction).max()
        places += [equations.program.retract(start.q, step * scale * way) for step in REACH[1:]]
    return places


def _held_close(equations: Equations, q: FloatArray, t: float, align: float) -> Closing:
    """The best fit near q that stays there: what moves most in every weak direction is held."""
    at = State(t, q, turns=np.zeros(equations.program.shape.n_turns))
    sigma, Vt = np.linalg.svd(equations.scaled_jacobian(at))[1:]
    held = np.zeros(equations.layout.n_v, dtype=bool)
    for direction in Vt[int((sigma > WEAK * align).sum()) :]:
        size = np.where(held, 0.0, np.abs(direction))
        held[int(size.argmax())] = True
    return close(equations, q, t, held=held)


def _by_axis(chosen: Sequence[Axis], x: FloatArray) -> Turns:
    pairs = x.reshape(-1, 2)
    return {axis: (float(a), float(b)) for axis, (a, b) in zip(chosen, pairs, strict=True)}


def _turned(model: Model, turns: Turns) -> Model:
    """The model with its axes turned."""
    none = (0.0, 0.0)

    def turned(joint: AbstractJoint) -> AbstractJoint:
        I, J = (_marker(m, *turns.get((joint.name, m.body), none)) for m in (joint.I, joint.J))
        return joint if (I, J) == (joint.I, joint.J) else replace(joint, I=I, J=J)

    return replace(model, joints=tuple(turned(j) for j in model.joints))


def _marker(marker: Marker, x: float, y: float) -> Marker:
    angle = float(np.hypot(x, y))
    if angle == 0.0:
        return marker
    turn = Rotation.about((x / angle, y / angle, 0.0), angle)
    return replace(marker, rotation=marker.rotation @ turn)
