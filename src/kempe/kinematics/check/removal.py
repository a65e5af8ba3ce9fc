"""What to remove so that the drives move a mechanism; each was tried before it is named."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from itertools import combinations, islice

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.equations import equations_of
from kempe.errors import KempeError
from kempe.joints import AbstractJoint
from kempe.kinematics.closing.closing import ASSEMBLED, DENSE, FloatArray, close
from kempe.kinematics.closing.poses import body_pose
from kempe.kinematics.mobility.lengths_to_change import with_joint
from kempe.measures import Gauge
from kempe.model import Model
from kempe.units import factor

STIFF = 1e4  # of the rows that are to close, beside those of the joint that is left open
DIGITS = 6  # of a proposed number
MOST_TRIALS = 16  # each puts the mechanism together once more


def joints_to_remove(layout: Layout, t: float, first: Iterable[str] = ()) -> tuple[str, ...]:
    """Joints and couplers without any one of which the drives move the mechanism.

    Those named `first` are asked alone, if there are any.
    """
    model, asked = layout.model, tuple(first)
    names = [*(j.name for j in model.joints), *(c.name for c in model.couplers)]
    trials = [name for name in names if not asked or name in asked]
    if len(trials) > MOST_TRIALS:
        return ()
    return tuple(name for name in trials if is_ready(_without(model, name), t))


def drives_to_remove(layout: Layout, t: float, surplus: int) -> tuple[tuple[str, ...], ...] | None:
    """Sets of so many drives without which the others move the mechanism.

    None where there are too many sets to try them all.
    """
    drives = layout.model.drives
    sets = list(islice(combinations(range(len(drives)), surplus), MOST_TRIALS + 1))
    if len(sets) > MOST_TRIALS or layout.n_v > DENSE:
        return None
    return tuple(
        tuple(drives[k].gauge.name for k in gone)
        for gone in sets
        if is_ready(_with_drives(layout.model, gone), t)
    )


def closes_without(layout: Layout, t: float, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these joints without any one of which the mechanism goes together.

    Its drives, if it has any, are to move it then.
    """
    model, asked = layout.model, tuple(names)
    if len(asked) > MOST_TRIALS:
        return ()
    return tuple(name for name in asked if _goes(_without(model, name), t))


def moves_that_close(layout: Layout, q: FloatArray, t: float, name: str) -> list[str]:
    """Another place of a joint's marker, or length of a rod, with which all goes together.

    Each is tried with the numbers that are told, in the mechanism's unit.
    """
    from kempe.kinematics.check.gap import gap_at

    number = next((k for k, j in enumerate(layout.model.joints) if j.name == name), None)
    if number is None:
        return []
    equations, unit = equations_of(layout), layout.model.length_unit
    per = factor("m", unit)
    mine = np.array([r.element == number for r in equations.program.shape.rows])
    found = close(equations, q, t, stiffness=np.where(mine, 1.0, STIFF))
    size = float(np.linalg.norm(gap_at(layout, found.q, t, number)))
    if not size > ASSEMBLED * layout.size:
        return []
    joint, said = layout.model.joints[number], []
    for length in _lengths_of(joint, size):
        after = float(f"{length * per:.{DIGITS}g}")
        other = replace(joint, length=after / per)  # type: ignore[call-arg]
        if _goes(with_joint(layout.model, number, other), t):
            before = joint.length * per  # type: ignore[attr-defined]
            word = "lengthen" if after > before else "shorten"
            said.append(f"{word} {name!r} from {before:.{DIGITS}g} to {after:.{DIGITS}g} {unit}")
    for side in ("J", "I"):
        gap = gap_at(layout, found.q, t, number, side=side) * per
        grain = 10.0 ** (math.floor(math.log10(size * per)) + 1 - DIGITS)
        shown = [float(f"{round(float(x) / grain) * grain:.{DIGITS}g}") for x in gap]
        marker = getattr(joint, side)
        x, y, z = (a + b / per for a, b in zip(marker.position, (*shown, 0.0), strict=False))
        moved = replace(joint, **{side: replace(marker, position=(x, y, z))})
        if _goes(with_joint(layout.model, number, moved), t):
            by = ", ".join(f"{x + 0.0:.{DIGITS}g}" for x in shown)
            return [*said, f"move the marker of {name!r} on {marker.body!r} by ({by}) {unit}"]
    return said


def _lengths_of(joint: AbstractJoint, gap: float) -> tuple[float, ...]:
    """The lengths of a rod that differ from its own by a gap; none of other joints."""
    if "length" not in {f.name for f in fields(joint)}:
        return ()
    length = float(joint.length)  # type: ignore[attr-defined]
    return tuple(x for x in (length - gap, length + gap) if x > 0.0)


def _goes(model: Model, t: float) -> bool:
    """Whether a model goes together, and its drives move it if it has any."""
    from kempe.equations import equations_of
    from kempe.kinematics.closing.attempts import best_attempt

    if model.drives:
        return is_ready(model, t)
    try:
        layout = Layout(model)
        return best_attempt(equations_of(layout), t).is_closed
    except KempeError:
        return False


def is_ready(model: Model, t: float) -> bool:
    """Whether a model goes together at time t and its drives determine how it moves."""
    from kempe.equations import equations_of
    from kempe.kinematics.check.check import check
    from kempe.kinematics.closing.attempts import best_attempt

    try:
        layout = Layout(model)
        if layout.n_v > DENSE or not best_attempt(equations_of(layout), t).is_closed:
            return False
        return check(layout, t).is_ready
    except KempeError:
        return False


def example_start(layout: Layout, q: FloatArray, t: float, gauge: Gauge) -> str:
    """From which value a drive on a measure starts where the mechanism stands, in words.

    Empty where a drive that starts at 0, as one does by itself, goes together with the rest.
    """
    if _can_be_driven(layout.model, gauge, 0.0, t):
        return ""
    per = factor("m", layout.model.length_unit) if gauge.unit == "m" else 1.0
    X = [body_pose(layout, q, marker.body) @ marker.pose for marker in (gauge.I, gauge.J)]
    value = float(f"{gauge.measure.number(*X) * per:.{DIGITS}g}")
    unit = layout.model.length_unit if gauge.unit == "m" else gauge.unit
    return (
        f"{value:.{DIGITS}g} {unit}" if _can_be_driven(layout.model, gauge, value / per, t) else ""
    )


def _can_be_driven(model: Model, gauge: Gauge, value: float, t: float) -> bool:
    from kempe.kinematics.closing.attempts import best_attempt

    try:
        layout = Layout(replace(model, drives=(*model.drives, Drive(gauge, Ramp(value)))))
        return best_attempt(equations_of(layout), t).is_closed
    except KempeError:
        return False


def removal_words(layout: Layout, t: float, surplus: int) -> str:
    """Which drives to remove where there are so many too many."""
    sets = drives_to_remove(layout, t, surplus)
    drives = layout.model.drives
    if sets is None:
        return f"There {'is' if surplus == 1 else 'are'} {surplus} too many."
    if not sets:
        return f"No {surplus} of them can go so that the others move it."
    if len(sets) == sum(1 for _ in combinations(drives, surplus)):
        return f"Remove {surplus} of them."
    return f"Remove {' or '.join(_shown(sets))}."


def _shown(sets: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for names in sets:
        word = "the drive" if len(names) == 1 else "the drives"
        yield f"{word} on {' and '.join(repr(name) for name in names)}"


def _without(model: Model, name: str) -> Model:
    return replace(
        model,
        joints=tuple(j for j in model.joints if j.name != name),
        couplers=tuple(c for c in model.couplers if c.name != name),
    )


def _with_drives(model: Model, gone: tuple[int, ...]) -> Model:
    return replace(model, drives=tuple(d for k, d in enumerate(model.drives) if k not in gone))
