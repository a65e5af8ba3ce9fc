"""What to remove, move or drive instead so that a mechanism moves; all of it was tried."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import combinations, islice

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.drives import Drive, Ramp
from kempe.equations import Equations, equations_of
from kempe.errors import KempeError
from kempe.geometry import GROUND
from kempe.joints import AbstractJoint
from kempe.kinematics.check.remedy import DIGITS, STIFF, gap_at
from kempe.kinematics.closing.attempts import best_attempt
from kempe.kinematics.closing.closing import ASSEMBLED, DENSE, Closing, FloatArray, close
from kempe.kinematics.closing.nearest import free_directions
from kempe.kinematics.closing.placement import body_pose, gauge_reading
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.mobility.finite_motion import part_freedoms
from kempe.kinematics.mobility.free_motions import drivable, idle_drives, telling_drives
from kempe.kinematics.mobility.loosening import with_joint
from kempe.measures import Gauge
from kempe.model import Model
from kempe.results.state import State
from kempe.units import factor

MOST_ADDED = 4  # drives that are advised instead of others
MOST_TRIALS = 16  # each puts the mechanism together once more


def joints_to_remove(layout: Layout, t: float, first: Iterable[str] = ()) -> tuple[str, ...]:
    """Joints and couplers without any one of which the drives move the mechanism.

    Those named `first` are asked alone, if there are any.
    """
    return parts_to_remove(layout.model, lambda model: is_ready(model, t), first)


def parts_to_remove(
    model: Model, is_better: Callable[[Model], bool], first: Iterable[str] = ()
) -> tuple[str, ...]:
    """Joints and couplers without any one of which a model is better; none of very many.

    Those named `first` are asked alone, if there are any.
    """
    asked = tuple(first)
    names = [*(j.name for j in model.joints), *(c.name for c in model.couplers)]
    trials = [name for name in names if not asked or name in asked]
    if len(trials) > MOST_TRIALS:
        return ()

    def is_fit(trial: Model) -> bool:
        try:
            return is_better(trial)
        except KempeError:
            return False

    return tuple(name for name in trials if is_fit(_without(model, name)))


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
    number = next((k for k, j in enumerate(layout.model.joints) if j.name == name), None)
    if number is None:
        return []
    equations, unit = equations_of(layout), layout.model.length_unit
    per = factor("m", unit)
    found = close(equations, q, t, stiffness=np.where(equations.rows_of(number), 1.0, STIFF))
    size = float(np.linalg.norm(gap_at(layout, found.q, t, number)))
    if not ASSEMBLED * layout.size < size < math.inf:
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
        if not np.isfinite(gap).all():  # no place of this marker closes the joint
            continue
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
    if model.drives:
        return is_ready(model, t)
    try:
        layout = Layout(model)
        return best_attempt(equations_of(layout), t).is_closed
    except KempeError:
        return False


def is_ready(model: Model, t: float) -> bool:
    """Whether a model goes together at time t and its drives determine how it moves."""
    from kempe.kinematics.check.check import check

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
    value = float(f"{gauge_reading(layout, q, gauge) * per:.{DIGITS}g}")
    unit = layout.model.length_unit if gauge.unit == "m" else gauge.unit
    return (
        f"{value:.{DIGITS}g} {unit}" if _can_be_driven(layout.model, gauge, value / per, t) else ""
    )


def _can_be_driven(model: Model, gauge: Gauge, value: float, t: float) -> bool:
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
        many = f"There {'is' if surplus == 1 else 'are'} {surplus} too many."
        return exchanged_drives(layout, t) or many
    if not sets:
        none = f"No {surplus} of them can go so that the others move it."
        return exchanged_drives(layout, t) or none
    if len(sets) == sum(1 for _ in combinations(drives, surplus)):
        return f"Remove {surplus} of them."
    return f"Remove {' or '.join(_shown(sets))}."


def removal_elsewhere(layout: Layout, t: float, surplus: int) -> str:
    """Which drives to remove where it also has to start elsewhere: where singular parts move on."""
    start = best_attempt(equations_of(layout), t)
    q = start.q
    for part in part_freedoms(layout, q, t):
        if part.is_singular and part.others and len(part.others[0]) == len(q):
            q = np.where(part.others[0] == start.q, q, part.others[0])
    moved = replace(
        layout.model,
        bodies=tuple(
            body if body.name == GROUND else replace(body, guess=body_pose(layout, q, body.name))
            for body in layout.model.bodies
        ),
        drives=tuple(
            Drive(d.gauge, Ramp(gauge_reading(layout, q, d.gauge))) for d in layout.model.drives
        ),
    )
    words = removal_words(Layout(moved), t, surplus)
    fits = words.startswith("Remove ")
    return f"{words[:-1]}, and start in another position." if fits else ""


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
    return f" {one_of(said)}"


def one_of(said: Sequence[str]) -> str:
    """A sentence that names things of which one is to be done."""
    words = f"{', '.join(said[:-1])}, or {said[-1]}" if len(said) > 1 else said[0]
    return f"{words[0].upper()}{words[1:]}."


def _instead(layout: Layout, at: State, drive: Drive) -> str:
    """A measure that could be driven instead, and from which value; "" where none was found."""
    others = tuple(d for d in layout.model.drives if d is not drive)
    other = _another_drive(layout, others, at)
    if other is None or not is_ready(replace(layout.model, drives=(*others, other)), at.t):
        return ""
    return _words(layout, other)


def _another_drive(layout: Layout, others: tuple[Drive, ...], at: State) -> Drive | None:
    """A drive of what `others` leave free, from where it stands; None where no measure was found.

    It is none of those that the layout has.
    """
    rest = Layout(replace(layout.model, drives=others))
    equations = equations_of(rest)
    last = initial_turns(equations, at.t, at.q)
    free = free_directions(equations, replace(at, turns=last))
    bodies = [body.name for body in layout.model.moving]
    known = Equations(layout, equations.program)
    gauge = drivable(known, at.q, free, bodies, np.zeros((0, layout.n_v)), ())
    if gauge is None:
        return None
    value = gauge_reading(layout, at.q, gauge)
    per = factor("m", layout.model.length_unit) if gauge.unit == "m" else 1.0
    return Drive(gauge, Ramp(float(f"{value * per:.{DIGITS}g}") / per))


def exchanged_drives(layout: Layout, t: float) -> str:
    """Which drives to remove, and what to drive instead, in a sentence; "" where nothing helped.

    Kept are the first ones that together say all that the drives say.
    """
    bare = Layout(replace(layout.model, drives=()))
    at = best_attempt(equations_of(bare), t)
    if layout.n_v > DENSE or not at.is_closed:
        return ""
    kept = telling_drives(layout, [at.q], t)
    drives = tuple(layout.model.drives[k] for k in kept)
    gone = [d.gauge.name for k, d in enumerate(layout.model.drives) if k not in kept]
    if not gone:
        return ""
    added: list[Drive] = []
    while not is_ready(replace(layout.model, drives=(*drives, *added)), t):
        other = _another_drive(layout, (*drives, *added), at)
        if other is None or len(added) == MOST_ADDED:
            return ""
        added.append(other)
    instead = f", and drive {' and '.join(_words(layout, d) for d in added)}" if added else ""
    return f"Remove {next(_shown([tuple(gone)]))}{instead}."


def _words(layout: Layout, drive: Drive) -> str:
    """A drive by its measure and the value that it starts from."""
    start = float(drive.law.value(0.0))
    return f"{drive.gauge.name!r} from {_number(layout, drive.gauge, start)}"


def _number(layout: Layout, gauge: Gauge, value: float) -> str:
    unit, per = gauge.unit, 1.0
    if unit == "m":
        unit, per = layout.model.length_unit, factor("m", layout.model.length_unit)
        value = 0.0 if abs(value) <= ASSEMBLED * layout.size else value
    return f"{value * per:.{DIGITS}g} {unit}"
