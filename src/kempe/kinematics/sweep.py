"""The sweep: position, velocity and acceleration at every sample, on one branch."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout import Layout
from kempe.drives import Drive
from kempe.kinematics.assembly import row_weights, step_weights
from kempe.kinematics.curve_ends import off_its_curve
from kempe.kinematics.preparation import Prepared, prepare
from kempe.kinematics.row_exchange import Facts, Stretch, go_on_with_other_rows
from kempe.kinematics.undefined_law import law_value, undefined_law
from kempe.outcome import DONE, Ending, Outcome
from kempe.results import Motion, Recipe

FloatArray = NDArray[np.float64]

# Weighted residual of a converged sample: a hundred times what rounding leaves in a sum of a few
# lengths. Newton's last step is quadratic, so samples are usually exact to rounding.
CONVERGED = 1e-13
# Watched, redundant rows may be off by what a converged sample's error can become in them.
WATCHED = 1e-9
# A pivot that has shrunk to this share of its size at the start is not trusted: the step is then
# solved with a fresh order.
PIVOT_FLOOR = 1e-5
TOLERANCES = {"converged": CONVERGED, "watched": WATCHED, "pivot_floor": PIVOT_FLOOR}
# Beside a singular position pivots have all but vanished. At a dead point the velocity grows as the
# reciprocal of the pivot, where branches cross it stays finite: their product, over the speed of
# the drive, tells which it is.
NEAR_SINGULAR = 1e-4
FINITE_SPEED = 1e-4


def sweep(layout: Layout, times: FloatArray, executor: str = "auto", plan: str = "auto") -> Motion:
    """Samples at the given times (s, rising), from the assembly at the first of them.

    Second-order predictor with an extrapolated jerk, Newton corrector, then J v = -phi_t and
    J a = gamma. A step is accepted where det J keeps its sign, every correction halves the residual
    and stays near the predictor; else it is halved.

    Source: [Sung] ch. III for the appended driving constraints; acceptance: Own.
    """
    prepared = prepare(layout, float(times[0]), executor, plan)
    start = prepared.start
    (q, v, a), facts = swept(prepared, layout.parameters, start.q, start.last, times)
    done = int(facts["samples"])
    left = off_its_curve(layout, q[:done], times)
    done = done if left is None else int(left.facts["samples"])
    return Motion(
        t=times if done == len(times) else times[:done].copy(),
        q=q[:done],
        v=v[:done],
        a=a[:done],
        outcome=left or _outcome(layout, facts, times),
        counts={c: int(facts[c]) for c in ("iterations", "halvings", "substeps", "fallbacks")},
        redundant=_redundant_joints(prepared),
        recipe=Recipe(prepared.program.executor, prepared.program.plan, dict(TOLERANCES)),
    )


def swept(
    prepared: Prepared, parameters: FloatArray, q: FloatArray, last: FloatArray, times: FloatArray
) -> tuple[tuple[FloatArray, FloatArray, FloatArray], Facts]:
    """Coordinates, velocities and accelerations at the times, from (q, last), and the facts."""
    whole = Stretch.blank(prepared.program.shape, parameters, q, last, times)
    facts = _run(prepared, whole)
    if prepared.program.shape.n_spare and facts["samples"] < len(times):
        facts = go_on_with_other_rows(_run, prepared, whole, facts)
    return whole.samples, facts


def _run(prepared: Prepared, part: Stretch) -> Facts:
    """Fill a stretch of samples with the rows the program solves, as far as they lead."""
    layout, n_rows = prepared.layout, prepared.program.shape.n_rows
    weights = row_weights(layout, prepared.program)
    facts: Facts = core.Sweeper(prepared.program.system).run(
        part.parameters,
        part.q,
        part.last,
        part.times,
        *part.samples,
        weights[:n_rows] / CONVERGED,
        weights[n_rows:] / WATCHED,
        step_weights(layout),
        PIVOT_FLOOR * prepared.program.pivot_reference,
        prepared.program.fused_address,
    )
    return facts


def _outcome(layout: Layout, facts: Facts, times: FloatArray) -> Outcome:
    drives = layout.model.drives
    undefined = undefined_law(drives, facts, times)
    return undefined or ending(facts, len(times), drives, layout.size, "t = {t:.9g} s")


def _drive_rate(drives: Sequence[Drive], size: float, t: float) -> float:
    """How fast the drives move at time t, lengths in sizes of the machine."""
    h = 1e-6 * max(1.0, abs(t))
    rates = [
        abs(law_value(d, t)[0] - law_value(d, t - h)[0])
        / (h * (size if d.gauge.unit == "m" else 1.0))
        for d in drives
    ]
    return max(rates, default=0.0)


def _redundant_joints(prepared: Prepared) -> tuple[str, ...]:
    k, layout = prepared.program.shape, prepared.layout
    names = [layout.elements[r.element].name for r in k.rows[k.n_rows :]]
    return tuple(dict.fromkeys(names))


def ending(facts: Facts, wanted: int, drives: Sequence[Drive], size: float, moment: str) -> Outcome:
    """How a sweep of that many samples ended, told by the first of its drives; `moment` shows {t}.

    `size` is the machine's.
    """
    if facts["samples"] == wanted:
        return DONE
    drive = drives[0]
    t, ratio = float(facts["t"]), float(facts["pivot_ratio"])
    value, when = float(drive.law.value(t)), moment.format(t=t)
    details: dict[str, float | int | str] = {
        "t": t,
        "drive": drive.gauge.name,
        "value": value,
        "refusal": str(facts["refusal"]),
        "pivot_ratio": ratio,
    }
    if facts["interrupted"]:
        return Outcome(
            Ending.INTERRUPTED,
            f"stopped by request at {when}.",
            "The samples so far are kept.",
            details,
        )
    if facts["refusal"] == "spare_violated":
        return Outcome(
            Ending.LOCKED,
            f"at {when} the redundant joints no longer fit together.",
            "The mechanism moves only where its dimensions are exact: check angles and lengths.",
            details,
        )
    unit = "rad" if drive.gauge.unit == "rad" else "m"
    place = f"{drive.gauge.name} = {value:.9g} {unit} ({when})"
    speed = float(facts["speed"])
    if ratio < NEAR_SINGULAR and speed * ratio < FINITE_SPEED * _drive_rate(drives, size, t):
        return Outcome(
            Ending.BIFURCATION,
            f"at {place} branches of motion cross: there the drive does not say which to take.",
            "End the sweep before it, or start a new one on the branch you want.",
            details,
        )
    if facts["refusal"] == "too_far" and ratio > NEAR_SINGULAR:
        return Outcome(
            Ending.STEP_TOO_SMALL,
            f"at {place} the drive asks for more than can be followed in small steps.",
            "Look at the drive's law there: does it jump?",
            details,
        )
    return Outcome(
        Ending.DEAD_POINT,
        f"{drive.gauge.name} cannot go beyond {value:.9g} {unit} ({when}) on this branch.",
        "Turn back there, or drive another part through the dead point.",
        details,
    )
