"""Why a mechanism cannot be put together: which loop, which joint, how much, what would mend it."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout.elements import DriveElement
from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.equations.rank import drive_rows
from kempe.errors import AssemblyError
from kempe.kinematics.check.remedy import (
    DIGITS,
    FEW_ELEMENTS,
    Change,
    closing_changes,
    closing_lengths,
    gap_at,
    is_held,
    rounded_up,
)
from kempe.kinematics.check.removal import (
    closes_without,
    drives_at_fault,
    let_go,
    moves_that_close,
    one_of,
)
from kempe.kinematics.closing.attempts import best_attempt
from kempe.kinematics.closing.closing import DENSE, Closing, FloatArray, close
from kempe.kinematics.mobility.straightening import align_that_helps, tilted_axis
from kempe.model import Model
from kempe.model.graph import Loop, bodies_graph
from kempe.model.links import unreachable_link
from kempe.units import factor

# Rows that are to close weigh this much more than those of the joint that is left open.
STIFF = 1e4
CLOSED_BESIDE = 1e-6  # share of the opening that others may keep: the square of 1 / STIFF, rounded
NEARLY_STRAIGHT = 1e-3  # rad: a tilt that may be rounding in a file rather than intent
MOST_CHANGES = 3
NEARLY_ENOUGH = 1e-4  # share of a link by which a length that just reaches may be rounded


@final
@dataclass(frozen=True, slots=True)
class Opening:
    """How far a joint stays open when everything else is closed."""

    size: float
    unit: str  # "m" or "rad"

    def words(self, length_unit: str) -> str:
        """With its unit, lengths in the mechanism's."""
        if self.unit == "rad":
            return f"{self.size:.3g} rad ({np.degrees(self.size):.3g} deg)"
        return f"{self.size * factor('m', length_unit):.6g} {length_unit}"


def not_assembled(
    equations: Equations, best: Closing, *, is_impossible: bool = False
) -> AssemblyError:
    """The error that says what does not fit, and by how much, at the best fit that was found.

    `is_impossible` says that a complete search has proved it.
    """
    phi, _, _ = equations.evaluate(best.q, best.t, best.turns)
    weighted = np.nan_to_num(np.abs(phi) * equations.row_weights, nan=np.inf)
    worst = _worst_row(equations, weighted)
    row = equations.program.shape.rows[worst]
    element = equations.layout.elements[row.element]
    facts: dict[str, object] = {
        "joint": element.name,
        "misfit": float(abs(phi[worst])),
        "residual": best.residual,
        "infeasible": is_impossible,
        "proved": is_impossible,
        "starts": best.starts,
        "iterations": best.iterations,
    }
    if not np.isfinite(best.residual):
        return AssemblyError(
            f"{element.name!r} has no value where {equations.layout.model.name!r} starts, at"
            f" t = {best.t:g} s: row {row.place + 1} is {phi[worst]:g}, or its derivative is not"
            " finite. Give the bodies another first guess, or mend the formula there.",
            **facts,
        )
    loop = failing_loop(equations, weighted, element.name)
    opening = open_at(equations, best.q, best.t, row.element)
    if opening is None:
        opening = Opening(float(abs(phi[worst])), "m" if row.unit == "m" else "rad")
    facts |= {"opening": opening.size, "unit": opening.unit, "slope": best.slope}
    if loop is not None:
        facts |= {"loop": loop.bodies, "joints": tuple(j.name for j in loop.joints)}
    return _told(equations, best, loop, opening, facts)


def _told(
    equations: Equations,
    best: Closing,
    loop: Loop | None,
    opening: Opening,
    facts: dict[str, object],
) -> AssemblyError:
    """The error in words: a link too long, a contradiction, or a loop that no search has closed.

    Only what is proved is called impossible; the fact `infeasible` without `proved` means that all
    searches have settled on a misfit.
    """
    unit, joint = equations.layout.model.length_unit, facts["joint"]
    where = repr(equations.layout.model.name) if loop is None else f"the loop {loop}"
    driven = {
        e.name: e.drive.gauge.name for e in equations.layout.elements if isinstance(e, DriveElement)
    }
    if joint in driven:
        stays = f"{driven[str(joint)]!r} off its value by"
    elif opening.unit == "rad":
        stays = f"the axes of {joint!r} out of line by"
    else:
        stays = f"{joint!r} open by"
    left = f"{stays} {opening.words(unit)}"
    drives = equations.layout.model.drives
    when = "" if drives and all(map(is_held, drives)) else f" at t = {best.t:g} s"
    proved = f"{equations.layout.model.name!r} cannot be put together{when}, which is proved"
    not_closed = f"{where} was not closed from {_counted(best.starts)}{when}"
    too_short = _too_short(equations.layout, best.q, best.t)
    if too_short is not None:
        facts |= {"infeasible": True, "proved": True}
        facts |= {"changes": tuple(c.facts for c in too_short[1])}
        return AssemblyError(too_short[0], **facts)
    tilt = None if loop is None else tilted_axis(loop)
    if tilt is not None and best.residual <= tilt.angle:
        return AssemblyError(
            f"{proved if facts['proved'] else not_closed}: {tilt}. Straighten it"
            f"{_align_hint(equations.layout, tilt.angle, best.t)}.",
            **facts | {"infeasible": True, "joint": tilt.joint, "tilt": tilt.angle},
        )
    if not best.is_stationary and not facts["proved"]:
        return AssemblyError(
            f"{not_closed}: the best search leaves {left} after {best.iterations} steps and has not"
            " settled. Give the bodies a better first guess.",
            **facts,
        )
    return _explained(equations.layout, best, loop, left, (proved, not_closed), opening, facts)


def _explained(
    layout: Layout,
    best: Closing,
    loop: Loop | None,
    left: str,
    said: tuple[str, str],
    opening: Opening,
    facts: dict[str, object],
) -> AssemblyError:
    """The error after a search that has settled: drives, joints or lengths are at fault.

    `said` is how it begins where it is proved, and where it is not.
    """
    proved, not_closed = said
    facts |= {"infeasible": True, "changes": ()}
    drives = layout.model.drives
    is_driven = not all(map(is_held, drives)) and layout.n_v <= DENSE
    bare = let_go(layout, best.q, best.t) if is_driven else None
    if bare is not None and bare[1].is_closed:
        fault = drives_at_fault(layout, bare[1])
        if fault:
            begun = proved if facts["proved"] else not_closed
            return AssemblyError(f"{begun}: {fault}", **facts)
    changes = closing_changes(layout, best.q, best.t, loop)
    facts |= {"changes": tuple(c.facts for c in changes)}
    mended = "" if changes else _mended(layout, best.q, best.t, loop, facts)
    advice = mended or _advice(
        layout, opening, changes, best.q, best.t, is_impossible=bool(facts["proved"])
    )
    if bare is not None and not advice and not bare[1].is_closed and bare[1].is_stationary:
        told = not_assembled(equations_of(bare[0]), bare[1])
        names = " and ".join(repr(drive.gauge.name) for drive in layout.model.drives)
        kept = {name: facts[name] for name in ("proved", "starts", "iterations")}
        message = f"even with {names} let go, {told.message}"
        return AssemblyError(message, **told.facts | kept)
    fits = bare is not None and bare[1].is_closed
    if (
        loop is not None
        and len(loop.bodies) == 2
        and not fits
        and not _fit_alone(layout, loop, best.t)
    ):
        a, b = (repr(j.name) for j in loop.joints)
        bodies = " and ".join(repr(body) for body in loop.bodies)
        word = "contradict each other" if facts["proved"] else "seem to contradict each other"
        return AssemblyError(
            f"joints {a} and {b} {word}: both join {bodies}, and the best fit of"
            f" {_counted(best.starts)} leaves {left}. {mended}".rstrip(),
            **facts,
        )
    where = "" if loop is None else f"in the loop {loop}, "
    begun = f"{proved}: {where}" if facts["proved"] else f"{not_closed}: "
    if not advice and not facts["proved"]:
        advice = "Give the bodies a better first guess."
    sentence = f"{begun}with everything else closed, the best leaves {left}. {advice}"
    return AssemblyError(sentence.rstrip(), **facts)


def _fit_alone(layout: Layout, loop: Loop, t: float) -> bool:
    """Whether two joints between two bodies go together where nothing else is joined."""
    mine = {joint.name for joint in loop.joints}
    joints = tuple(j for j in layout.model.joints if j.name in mine)
    model = layout.model
    alone = Layout(Model(model.name, model.plane, model.bodies, joints))
    return best_attempt(equations_of(alone), t).is_closed


def _mended(
    layout: Layout, q: FloatArray, t: float, loop: Loop | None, facts: dict[str, object]
) -> str:
    """Joints to remove, and markers to move, so that all goes together, as far as it was tried."""
    if layout.n_v > DENSE or len(layout.elements) > FEW_ELEMENTS:
        return ""
    names = [j.name for j in (layout.model.joints if loop is None else loop.joints)]
    said = [f"remove {name!r}" for name in closes_without(layout, t, names)]
    said += moves_that_close(layout, q, t, str(facts["joint"]))
    return one_of(said) if said else ""


def _counted(starts: int) -> str:
    return "1 start" if starts == 1 else f"{starts} starts"


def _advice(
    layout: Layout,
    opening: Opening,
    changes: tuple[Change, ...],
    q: FloatArray,
    t: float,
    *,
    is_impossible: bool,
) -> str:
    unit, plane, size = layout.model.length_unit, layout.model.plane, layout.size
    if changes:
        return _told_changes(changes, unit)
    guess = "" if is_impossible else ", or give the bodies a better first guess"
    held = _held_apart(layout, q, t)
    if held:
        return held
    if opening.unit == "rad":
        hint = _align_hint(layout, opening.size, t)
        return f"Straighten the axes of its markers{hint}{guess}."
    hint = "" if plane else _align_hint(layout, opening.size / size, t)
    return f"{hint.removeprefix(', or ').capitalize()}{guess}." if hint else ""


def _held_apart(layout: Layout, q: FloatArray, t: float) -> str:
    """What to do where the joints go together, and only values that are held keep them apart."""
    drives = layout.model.drives
    if not drives or layout.n_v > DENSE:
        return ""
    free = Layout(replace(layout.model, drives=()))
    if not close(equations_of(free), q, t).is_closed:
        return ""
    names = " and ".join(repr(drive.gauge.name) for drive in drives)
    it = "it" if len(drives) == 1 else "them"
    return f"It closes with {names} let go: hold {it} at other values, or hold fewer measures."


def _align_hint(layout: Layout, tilt: float, t: float) -> str:
    """Small tilts come from rounded numbers in files: they can be straightened on request.

    Only what was tried and helps is proposed.
    """
    if layout.model.plane or layout.n_v > DENSE or not 0.0 < tilt <= NEARLY_STRAIGHT:
        return ""
    align = align_that_helps(layout, tilt, t, max(1, len(layout.model.drives)))
    if align is None:
        return ""
    return f", or let check(align={align:.0e}) straighten it".replace("e-0", "e-")


def _worst_row(equations: Equations, weighted: FloatArray) -> int:
    """The row that is furthest off; one of a joint, where any is off by more than rounding."""
    joints = np.where(drive_rows(equations), -1.0, weighted)
    is_open = joints.max(initial=0.0) > CLOSED_BESIDE * weighted.max(initial=0.0)
    return int(np.argmax(joints if is_open else weighted))


def failing_loop(equations: Equations, weighted: FloatArray, joint: str) -> Loop | None:
    """The loop through a joint that carries the misfit all the way round.

    At the best fit the misfits are forces in balance, J^T f = 0, so they run round the loop that
    does not close and through no joint outside it.
    """
    misfits = {e.name: 0.0 for e in equations.layout.elements}
    for row, size in zip(equations.program.shape.rows, weighted, strict=True):
        name = equations.layout.elements[row.element].name
        misfits[name] = max(misfits[name], float(size))
    loops = [
        loop
        for loop in bodies_graph(equations.layout.model).loops
        if joint in (j.name for j in loop.joints)
    ]
    return max(loops, key=lambda loop: min(misfits[j.name] for j in loop.joints), default=None)


def open_at(equations: Equations, q: FloatArray, t: float, element: int) -> Opening | None:
    """How far one element stays open when all others close; None where they cannot either."""
    mine = equations.rows_of(element)
    found = close(equations, q, t, stiffness=np.where(mine, 1.0, STIFF))
    phi, _, _ = equations.evaluate(found.q, t, found.turns)
    weights = equations.row_weights
    in_metres = np.array([r.unit == "m" for r in equations.program.shape.rows])
    gap = float(np.linalg.norm(phi[mine & in_metres]))
    if gap > 0.0 and element < len(equations.layout.model.joints) and equations.layout.n_v <= DENSE:
        least = float(np.linalg.norm(gap_at(equations.layout, found.q, t, element)))
        gap = least if np.isfinite(least) else gap
    tilt = float(np.linalg.norm(phi[mine & ~in_metres]))
    beside = float(np.abs(phi * weights)[~mine].max(initial=0.0))
    if beside > CLOSED_BESIDE * max(gap / equations.layout.size, tilt):
        return None
    return Opening(gap, "m") if gap / equations.layout.size >= tilt else Opening(tilt, "rad")


def _too_short(layout: Layout, q: FloatArray, t: float) -> tuple[str, tuple[Change, ...]] | None:
    """What is wrong with a loop of hinges one of whose links is longer than all others.

    What would do for the loop is advised where it does for all, drives included.
    """
    unit = layout.model.length_unit
    scale = factor("m", unit)
    found = unreachable_link(bodies_graph(layout.model).loops)
    if found is None:
        return None
    loop, longest, gap = found
    others, enough = longest.length - gap, NEARLY_ENOUGH * longest.length
    changes = closing_lengths(layout, q, t, loop)
    shorter = any(c.name == longest.body and c.after >= others - enough for c in changes)
    longer = any(c.name != longest.body and c.after - c.before <= gap + enough for c in changes)
    short = f"{others * scale:.12g} {unit}"
    more = f"by more than {rounded_up(gap * scale):.{DIGITS}g} {unit} in all"
    if shorter and longer:
        advice = f"Shorten {longest.body!r} below {short}, or lengthen the others {more}."
    elif changes:
        advice = _told_changes(changes, unit)
    else:
        advice = f"{longest.body!r} is to be below {short}, or the others longer {more}, at least."
    return (
        f"the loop {loop} cannot be closed: {longest.body!r} is"
        f" {longest.length * scale:.12g} {unit} between its hinges and the other links"
        f" reach only {short}. {advice}",
        changes,
    )


def _told_changes(changes: tuple[Change, ...], unit: str) -> str:
    return one_of([change.words(unit) for change in changes[:MOST_CHANGES]])


def not_with_locks(
    equations: Equations,
    best: Closing,
    locked: tuple[str, ...],
    *,
    is_impossible: bool = False,
) -> AssemblyError:
    """Why a mechanism does not close with these parts held where they are.

    `is_impossible` says it is proved that it does not close with nothing held either.
    """
    loose = close(equations, best.q, best.t)
    if not loose.is_closed:
        loose = replace(loose, starts=best.starts)
        return not_assembled(equations, loose, is_impossible=is_impossible)
    phi, _, _ = equations.evaluate(best.q, best.t, best.turns)
    weighted = np.abs(phi) * equations.row_weights
    worst = int(np.argmax(weighted))
    row = equations.program.shape.rows[worst]
    joint = equations.layout.elements[row.element].name
    loop = failing_loop(equations, weighted, joint)
    where = repr(equations.layout.model.name) if loop is None else f"the loop {loop}"
    names = ", ".join(repr(name) for name in locked)
    unit, scale = row.unit, 1.0
    if unit == "m":
        unit, scale = (
            equations.layout.model.length_unit,
            factor("m", equations.layout.model.length_unit),
        )
    return AssemblyError(
        f"with {names} locked, {where} does not close: the best fit leaves {joint!r} open by"
        f" {abs(phi[worst]) * scale:.6g} {'rad' if unit == '1' else unit}. It closes with nothing"
        f" locked: unlock {'it' if len(locked) == 1 else 'one of them'}, or put"
        f" {'it' if len(locked) == 1 else 'them'} elsewhere with `near`.",
        joint=joint,
        misfit=float(abs(phi[worst])),
        residual=best.residual,
        locked=locked,
        loop=() if loop is None else loop.bodies,
    )
