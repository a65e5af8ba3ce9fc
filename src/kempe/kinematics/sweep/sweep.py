"""The sweep: position, velocity and acceleration at every sample, on one branch."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.closing.curve_ends import off_its_curve
from kempe.kinematics.closing.given_poses import Given
from kempe.kinematics.laws.undefined_law import refuse_rough_start
from kempe.kinematics.singular.junction import Clock, Junction, junction
from kempe.kinematics.singular.rays import Ray
from kempe.kinematics.stepping.ending import SweepEnd, broken_law, ending, is_singular
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.stepping.stretch import TOLERANCES
from kempe.kinematics.sweep import stretches as passing
from kempe.kinematics.sweep.stretches import Stretches
from kempe.outcome import DONE, Continuation, Ending, Outcome
from kempe.results import Motion, Recipe, StepControl

FloatArray = NDArray[np.float64]


def sweep(
    layout: Layout,
    times: FloatArray,
    executor: str = "auto",
    plan: str = "auto",
    through: str | Sequence[str] = (),
    *,
    ways_on: bool = True,
    given: Given | None = None,
) -> Motion:
    """Samples at the given times (s, rising), from the assembly at the first of them.

    The assembly is the one nearest to the `given` poses, the model's first guesses if omitted.
    Second-order predictor with an extrapolated jerk, Newton corrector, then J v = -phi_t and
    J a = gamma. A step is accepted where every diagonal block of J keeps the sign of its
    determinant, every correction halves the residual and stays near the predictor; else it is
    halved. `through` says how to go on from singular positions: one way for all of them, or one
    for each in turn. Without `ways_on` they are located, but their continuations not looked for.

    Source: [Sung] ch. III for the appended driving constraints; acceptance: Own.
    """
    asked = (through,) if isinstance(through, str) else tuple(through)
    passing.refuse_unknown_ways(asked)
    start = float(times[0])
    prepared = prepare(layout, start, executor, plan, given)
    stretches = Stretches(prepared, times, Clock(start, start))
    end = stretches.start()
    if not stretches.done and not end.interrupted:
        refuse_rough_start(layout.model.drives, start)
    while True:
        outcome, met = _ended(stretches, end, ways_on=ways_on)
        number = len(stretches.passes)
        if met is None or not asked or (number >= len(asked) and not isinstance(through, str)):
            break
        way = asked[0] if isinstance(through, str) else asked[number]
        found = passing.chosen(met, way)
        if found is None or found[0].way == 0 or number >= passing.MOST_PASSES:
            outcome = _refused(outcome, way, found, number)
            break
        end = stretches.go_on(met, *found, end.at.t)
    return _motion(stretches, outcome)


def _ended(
    stretches: Stretches, end: SweepEnd, *, ways_on: bool
) -> tuple[Outcome, Junction | None]:
    """How the last stretch ended, and the singular position it ended at."""
    if stretches.done == len(stretches.times):
        return DONE, None
    layout, clock = stretches.prepared.equations.layout, stretches.clock
    drives, laws = layout.model.drives, clock.law(stretches.times)
    so_far = replace(end, samples=stretches.done)
    now = clock.run(end.at.t)
    broken = broken_law(drives, so_far, laws, now)
    if broken is not None:
        return broken, None
    met = None
    if is_singular(end):
        met = junction(stretches.prepared, end, clock, ways_on=ways_on)
    if met is not None:
        return met.outcome, met
    outcome = ending(so_far, len(laws), drives, layout.size, f"t = {now:.9g} s")
    if outcome.ending is Ending.LOCKED and stretches.done <= 1:
        return _locked_at_start(layout, outcome, float(laws[0])), None
    return outcome, None


def _locked_at_start(layout: Layout, outcome: Outcome, t: float) -> Outcome:
    """The outcome, or where the start is singular: that more drives fit on it than move it."""
    from kempe.kinematics.check.check import check

    report = check(layout, t)
    if not report.is_singular or report.freedom_left >= 0:
        return outcome
    n, here, drives = report.mobility, report.mobility_at_start, len(report.drives)
    return replace(
        outcome,
        message=(
            f"at t = {t:.9g} s it starts in a singular position, where {here}"
            f" freedom{' is' if here == 1 else 's are'} left at first order; it moves with {n}, and"
            f" has {drives} drive{'s' * (drives != 1)}."
        ),
        advice=f"Remove {drives - n} of them, and start in another position."
        if n
        else " ".join(str(part) for part in report.singular),
    )


def _refused(
    outcome: Outcome,
    way: str,
    found: tuple[Ray, Continuation] | None,
    number: int,
) -> Outcome:
    if number >= passing.MOST_PASSES:
        return passing.too_many(outcome)
    return passing.not_taken(outcome, way) if found is None else passing.standing(outcome, found[1])


def _motion(stretches: Stretches, outcome: Outcome) -> Motion:
    prepared, program = stretches.prepared, stretches.prepared.equations.program
    if not stretches.t:  # the first sample was refused
        n_q, n_v = program.shape.n_q, program.shape.n_v
        stretches.t.append(stretches.times[:0])
        stretches.samples.append((np.zeros((0, n_q)), np.zeros((0, n_v)), np.zeros((0, n_v))))
    whole = len(stretches.t) == 1
    t = stretches.t[0] if whole else np.concatenate(stretches.t)
    parts = zip(*stretches.samples, strict=True)
    q, v, a = (part[0] if whole else np.concatenate(part) for part in parts)
    left = off_its_curve(prepared.equations.layout, q, t) if len(t) else None
    if left is not None:
        t, q, v, a = (array[: int(left.facts["samples"])] for array in (t, q, v, a))
    counts = dict(stretches.cost.counts)
    if stretches.passes:
        counts |= {"passes": len(stretches.passes), "left_out": stretches.done - len(t)}
    return Motion(
        t=t if len(t) == len(stretches.times) else t.copy(),
        q=q,
        v=v,
        a=a,
        outcome=left or outcome,
        counts=counts,
        redundant=prepared.equations.program.shape.redundant(prepared.equations.layout.elements),
        recipe=Recipe(program.executor, program.plan, dict(TOLERANCES)),
        control=_control(stretches),
        passes=tuple(stretches.passes),
        notes=prepared.moved,
    )


def _control(stretches: Stretches) -> StepControl:
    spacing = float(np.diff(stretches.times).min(initial=np.inf))
    smallest = min(stretches.cost.smallest_step, spacing)
    return StepControl(smallest if np.isfinite(smallest) else 0.0, stretches.cost.refusals)
