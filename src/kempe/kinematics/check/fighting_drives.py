"""Drives that ask for what the joints hold already, at another value."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.equations import Equations, equations_of
from kempe.kinematics.check.removal import drives_to_remove, is_ready, joints_to_remove
from kempe.kinematics.closing.attempts import best_attempt
from kempe.kinematics.closing.closing import ASSEMBLED, DENSE, Closing, FloatArray, close
from kempe.kinematics.closing.nearest import free_directions
from kempe.kinematics.closing.poses import gauge_reading
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.drivable import drivable
from kempe.kinematics.mobility.idle_drives import idle_drives
from kempe.measures import Gauge
from kempe.results.state import State
from kempe.units import factor

DIGITS = 6


def let_go(layout: Layout, q: FloatArray, t: float) -> tuple[Layout, Closing]:
    """The mechanism without its drives, as near to q as it closes, or else its best fit."""
    bare = Layout(replace(layout.model, drives=()))
    equations = equations_of(bare)
    near = close(equations, q, t)
    return bare, near if near.is_closed else best_attempt(equations, t)


def drives_at_fault(layout: Layout, at: State) -> str:
    """What is wrong where the joints go together in `at` and hold what drives ask for otherwise.

    Empty where the drives can move the mechanism, somewhere.
    """
    if layout.n_v > DENSE:
        return ""
    last = initial_turns(equations_of(layout), at.t, at.q)
    idle = idle_drives(layout, replace(at, turns=last))
    if not idle.names or not idle.is_general:
        return ""
    drives = [d for d in layout.model.drives if d.gauge.name in idle.names]
    shown = " and ".join(repr(d.gauge.name) for d in drives)
    said = f"it goes together with {shown} let go"
    advice = _advice(layout, at, drives, idle.surplus)
    if len(drives) > 1:
        return f"{said}, which depend on each other.{advice}"
    gauge = drives[0].gauge
    stands = _number(layout, gauge, gauge_reading(layout, at.q, gauge))
    asked = _number(layout, gauge, float(drives[0].law.value(at.t)))
    return f"{said}, which the joints then hold at {stands}, not at {asked}.{advice}"


def _advice(layout: Layout, at: State, drives: Sequence[Drive], surplus: int) -> str:
    """What to do, as far as it was tried."""
    said = [f"remove {name!r}" for name in joints_to_remove(layout, at.t)]
    for names in drives_to_remove(layout, at.t, surplus) or ():
        s = "s" * (len(names) != 1)
        said.append(f"remove the drive{s} on {' and '.join(map(repr, names))}")
    for drive in drives:
        other = _instead(layout, at, drive)
        if other:
            said.append(f"drive {other} instead of {drive.gauge.name!r}")
    if not said:
        return ""
    words = f"{', '.join(said[:-1])}, or {said[-1]}" if len(said) > 1 else said[0]
    return f" {words[0].upper()}{words[1:]}."


def _instead(layout: Layout, at: State, drive: Drive) -> str:
    """A measure that could be driven instead, and from which value; "" where none was found."""
    others = tuple(d for d in layout.model.drives if d is not drive)
    rest = Layout(replace(layout.model, drives=others))
    equations = equations_of(rest)
    last = initial_turns(equations, at.t, at.q)
    free = free_directions(equations, replace(at, turns=last))
    bodies = [body.name for body in layout.model.moving]
    gauge = drivable(
        Equations(layout, equations.program), at.q, free, bodies, np.zeros((0, layout.n_v)), ()
    )
    if gauge is None:
        return ""
    value = gauge_reading(layout, at.q, gauge)
    per = factor("m", layout.model.length_unit) if gauge.unit == "m" else 1.0
    value = float(f"{value * per:.{DIGITS}g}") / per
    trial = replace(rest.model, drives=(*others, Drive(gauge, Ramp(value))))
    return f"{gauge.name!r} from {_number(layout, gauge, value)}" if is_ready(trial, at.t) else ""


def _number(layout: Layout, gauge: Gauge, value: float) -> str:
    unit, per = gauge.unit, 1.0
    if unit == "m":
        unit, per = layout.model.length_unit, factor("m", layout.model.length_unit)
        value = 0.0 if abs(value) <= ASSEMBLED * layout.size else value
    return f"{value * per:.{DIGITS}g} {unit}"
