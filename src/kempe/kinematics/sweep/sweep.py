"""The sweep: position, velocity and acceleration at every sample, stretch after stretch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.untraced import said_of_untraced
from kempe.drives import Setting
from kempe.errors import KempeError, UnknownName, nearest_name
from kempe.kinematics.check.check import check
from kempe.kinematics.check.removal import removal_elsewhere
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.closing.curve_ends import off_its_curve
from kempe.kinematics.closing.placement import Given
from kempe.kinematics.laws.drive_laws import ValueJump, refuse_rough_start, value_jump
from kempe.kinematics.singular.hidden_crossing import hidden_crossing
from kempe.kinematics.singular.junction import Junction, Ray, junction
from kempe.kinematics.stepping.ending import SweepCost, SweepEnd, broken_law, ending, is_singular
from kempe.kinematics.stepping.newton import USUAL, Newton
from kempe.kinematics.stepping.preparation import prepare
from kempe.kinematics.stepping.stretch import Clock, Samples, swept, tolerances
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.outcome import DONE, Continuation, Ending, Outcome
from kempe.results import DriveRange, Motion, Pass, Recipe, Report, StepControl
from kempe.results.reports.counts import Straightened
from kempe.results.state import State

FloatArray = NDArray[np.float64]

MOMENTUM, BRANCH = "momentum", "branch "
MOST_PASSES = 10_000
# Where branches cross no sample can be solved for; it is read off a polynomial through this many
# samples on either side of it, of the branch the motion came on.
BESIDE = 4

SAMPLES = 361
FAR = 10.0  # sizes of the machine: as far as a slider is followed


@final
@dataclass(slots=True)
class Stretches:
    """The samples of all stretches so far, and what they cost."""

    prepared: Prepared
    times: FloatArray  # of the run
    clock: Clock
    t: list[FloatArray] = field(default_factory=list)
    samples: list[Samples] = field(default_factory=list)
    cost: SweepCost = field(default_factory=SweepCost)
    passes: list[Pass] = field(default_factory=list)
    done: int = 0  # samples of the run that are over, found or left out
    jump: ValueJump | None = None  # of a drive, that has ended the last stretch

    def run(self, start: State, laws: FloatArray) -> tuple[Samples, SweepEnd]:
        """One stretch over times of the laws; velocities become those of the run."""
        (q_out, v, a), end = swept(self.prepared, start, laws)
        if self.prepared.equations.program.shape.n_spare:
            end = hidden_crossing(self.prepared, start, laws, (q_out, v, a), end) or end
        self.cost += end.cost
        return (q_out, v if self.clock.way > 0 else -v, a), end

    def run_to_jump(self, start: State, laws: FloatArray) -> tuple[Samples, SweepEnd]:
        """One stretch, or as much of it as comes before the value of a drive jumps."""
        samples, end = self.run(start, laws)
        drives = self.prepared.equations.layout.model.drives
        self.jump = value_jump(drives, laws, end.at.t) if end.samples else None
        if self.jump is not None:
            way = 1.0 if laws[-1] >= laws[0] else -1.0
            before = int(np.count_nonzero(way * (laws - self.jump.t) <= 0.0))
            end = replace(end, samples=before, at=replace(end.at, t=self.jump.t))
        return samples, end

    def keep(self, t: FloatArray, samples: Samples) -> None:
        """Put samples at the end; the first stretch counts where it has none, too."""
        if len(t) or not self.t:
            self.t.append(t)
            self.samples.append(samples)

    def start(self) -> SweepEnd:
        """The first stretch."""
        samples, end = self.run_to_jump(self.prepared.start, self.clock.law(self.times))
        n = self.done = end.samples
        self.keep(self.times[:n], _cut(samples, slice(n)))
        return end

    def go_on(self, junction: Junction, ray: Ray, taken: Continuation, ended: float) -> SweepEnd:
        """Past a junction on a ray; `ended` is where the laws stood when the stretch ended."""
        place = junction.place
        now, gap = self.clock.run(place.t), abs(place.t - ended)
        self._sample_at(junction, now, gap if junction.point.is_crossing else 0.0)
        self.clock = Clock(now, place.t, ray.way)
        later = self.times[self.done :]
        laws = self.clock.law(later)
        near = int(np.count_nonzero(ray.way * (laws - ray.clear.t) < 0.0))
        if near:
            self._near(ray, later[:near], laws[:near])
        samples, end = self.run_to_jump(ray.clear, np.concatenate([[ray.clear.t], laws[near:]]))
        n = max(end.samples - 1, 0)
        self.keep(later[near : near + n], _cut(samples, slice(1, 1 + n)))
        self.done += near + n
        self.passes.append(_pass(junction.outcome, taken))
        return end

    def _near(self, ray: Ray, t: FloatArray, laws: FloatArray) -> None:
        """Samples between the junction and where the ray is clear of it, from there backwards."""
        samples, end = self.run(ray.clear, np.concatenate([[ray.clear.t], laws[::-1]]))
        n = max(end.samples - 1, 0)
        back = slice(n, 0, -1) if n else slice(0, 0)
        self.keep(t[len(t) - n :], _cut(samples, back))

    def _sample_at(self, junction: Junction, now: float, gap: float) -> None:
        """Samples at the junction itself: where branches cross, on the branch the motion came on.

        In a dead point the velocity is infinite: such a sample is left out.
        """
        late = self.times[self.done :]
        n = int(np.count_nonzero(late <= now + gap))
        if n and junction.point.is_crossing:
            beside = self._beside(junction)
            if beside is not None:
                nodes, samples = beside
                laws = self.clock.law(late[:n])
                q, v, a = (_interpolated(nodes, s, laws) for s in samples)
                self.keep(late[:n], (q, v, a))
        self.done += n

    def _beside(self, junction: Junction) -> tuple[FloatArray, Samples] | None:
        """Samples before and after a crossing, straight through it, over times of the laws."""
        place = junction.place
        ways = [r for r in junction.rays if r.way != 0 and (r.is_straight or r.is_return)]
        if len(ways) != 2:
            return None
        room = min(abs(ray.clear.t - place.t) for ray in ways)
        parts, nodes = [], []
        for ray in ways:
            laws = place.t + ray.way * room * np.arange(BESIDE, 0, -1) / (BESIDE + 1)
            samples, end = self.run(ray.clear, np.concatenate([[ray.clear.t], laws]))
            if end.samples != BESIDE + 1:
                return None
            nodes.append(laws)
            parts.append(_cut(samples, slice(1, None)))
        q, v, a = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return np.concatenate(nodes), (q, v, a)


def sweep(
    layout: Layout,
    times: FloatArray,
    executor: str = "auto",
    plan: str = "auto",
    through: str | Sequence[str] = (),
    *,
    ways_on: bool = True,
    given: Given | None = None,
    newton: Newton = USUAL,
) -> Motion:
    """Samples at the given times (s, rising), from the assembly at the first of them.

    The assembly is the one nearest to the `given` poses, the model's first guesses if omitted.
    Second-order predictor with an extrapolated jerk, Newton corrector, then J v = -phi_t and
    J a = gamma. A step is accepted where every diagonal block of J keeps the sign of its
    determinant, every correction halves the residual and stays near the predictor; else it is
    halved. `through` says how to go on from singular positions: one way for all of them, or one
    for each in turn. Without `ways_on` they are located, but their continuations not looked for.
    `newton` says when a sample has converged.

    Source: [Sung] ch. III for the appended driving constraints; acceptance: Own.
    """
    _refuse_unknown_ways((through,) if isinstance(through, str) else through)
    prepared = prepare(layout, float(times[0]), executor, plan, given)
    return _swept(replace(prepared, newton=newton), times, through, ways_on=ways_on)


def swept_from_start(prepared: Prepared, times: FloatArray) -> Motion:
    """Samples at the given times (s, rising) of a mechanism that stands at the first of them.

    As `sweep` makes them; singular positions end it, and continuations are not looked for.
    """
    return _swept(prepared, times, ways_on=False)


def _swept(
    prepared: Prepared, times: FloatArray, through: str | Sequence[str] = (), *, ways_on: bool
) -> Motion:
    """Samples at the given times from a start, as `sweep` tells."""
    asked = (through,) if isinstance(through, str) else tuple(through)
    start = float(times[0])
    stretches = Stretches(prepared, times, Clock(start, start))
    end = stretches.start()
    if not stretches.done and not end.interrupted:
        refuse_rough_start(prepared.equations.layout.model.drives, start)
    while True:
        outcome, met = _ended(stretches, end, ways_on=ways_on)
        number = len(stretches.passes)
        if met is None or not asked or (number >= len(asked) and not isinstance(through, str)):
            break
        way = asked[0] if isinstance(through, str) else asked[number]
        found = _chosen(met, way)
        if found is None or found[0].way == 0 or number >= MOST_PASSES:
            outcome = _refused(outcome, way, found, number)
            break
        end = stretches.go_on(met, *found, end.at.t)
    return _motion(stretches, outcome)


def _ended(
    stretches: Stretches, end: SweepEnd, *, ways_on: bool
) -> tuple[Outcome, Junction | None]:
    """How the last stretch ended, and the singular position it ended at."""
    if stretches.jump is not None:
        now = stretches.clock.run(stretches.jump.t)
        return stretches.jump.outcome(now, end.refusal.name), None
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
        advice=(removal_elsewhere(layout, t, drives - n) if n else "")
        or " ".join(map(str, report.singular)),
    )


def _refused(
    outcome: Outcome,
    way: str,
    found: tuple[Ray, Continuation] | None,
    number: int,
) -> Outcome:
    """The outcome where the way that was asked for is not gone, which its message then says."""
    if number >= MOST_PASSES:
        message = f"{MOST_PASSES} singular positions have been passed. {outcome.message}"
        return replace(outcome, ending=Ending.LIMIT_REACHED, message=message)
    if found is not None:
        why = f"Along branch {found[1].number} the drive stands still, so it cannot lead the way"
    elif way != MOMENTUM and int(way.removeprefix(BRANCH)) > len(outcome.continuations):
        why = f"There is no continuation {way.removeprefix(BRANCH)}"
    else:
        why = f"Through={way!r} leads nowhere here"
    return replace(outcome, message=f"{outcome.message} {why}.")


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
    layout = prepared.equations.layout
    left = off_its_curve(layout, q, t, (v, a)) if len(t) and layout.n_own else None
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
        redundant=program.shape.redundant(layout.elements),
        recipe=Recipe(program.executor, program.plan, tolerances(stretches.prepared)),
        control=_control(stretches),
        passes=tuple(stretches.passes),
        notes=(*prepared.moved, *said_of_untraced(layout)),
    )


def _control(stretches: Stretches) -> StepControl:
    spacing = float(np.diff(stretches.times).min(initial=np.inf))
    smallest = min(stretches.cost.smallest_step, spacing)
    return StepControl(smallest if np.isfinite(smallest) else 0.0, stretches.cost.refusals)


def _refuse_unknown_ways(through: Sequence[str]) -> None:
    """UnknownName where a way to pass is neither "momentum" nor "branch k"."""
    for way in through:
        number = way.removeprefix(BRANCH) if way.startswith(BRANCH) else ""
        if way != MOMENTUM and not (number.isdecimal() and int(number) >= 1):
            near = nearest_name(way, [MOMENTUM, "branch 1", "branch 2"])
            raise UnknownName(
                f"there is no way {way!r} through a dead point: write 'momentum' or 'branch k', k"
                f" the number of a continuation.{near}",
                name=way,
            )


def _chosen(junction: Junction, way: str) -> tuple[Ray, Continuation] | None:
    """The ray that a way means; None where there is none such."""
    pairs = zip(junction.rays, junction.outcome.continuations, strict=True)
    for ray, continuation in pairs:
        if way == MOMENTUM and ray.is_straight:
            return ray, continuation
        if way != MOMENTUM and continuation.number == int(way.removeprefix(BRANCH)):
            return ray, continuation
    return None


def _cut(samples: Samples, rows: slice) -> Samples:
    q, v, a = (part[rows] for part in samples)
    return q, v, a


def _interpolated(nodes: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    """The polynomial through values at nodes, read at other places: Lagrange's form."""
    found = np.zeros((len(at), values.shape[1]))
    for k, node in enumerate(nodes):
        others = np.delete(nodes, k)
        found += np.prod((at[:, None] - others) / (node - others), axis=1)[:, None] * values[k]
    return found


def _pass(outcome: Outcome, taken: Continuation) -> Pass:
    facts = outcome.facts
    return Pass(
        outcome.name,
        float(facts["t"]),
        str(facts["drive"]),
        float(facts["value"]),
        taken.number,
        taken.drive == "turns back",
        taken.words,
    )


def check_with_ranges(layout: Layout, straightened: tuple[Straightened, ...] = ()) -> Report:
    """What `check` says of a mechanism at its start, and how far each of its drives can go."""
    report = check(layout, straightened=straightened)
    if not report.is_determined or report.passive or layout.n_v > DENSE:
        return report
    return replace(report, ranges=drive_ranges(layout, 0.0))


def drive_ranges(layout: Layout, t: float) -> tuple[DriveRange, ...]:
    """The range of every drive, swept from where it stands while the others hold still.

    A turn is followed once round, a way ten sizes of the machine. Drives that cannot start to
    move are left out.
    """
    found = []
    for k in range(len(layout.model.drives)):
        try:
            low, high = _ends(layout, k, t)
        except KempeError:
            continue
        drive = layout.model.drives[k]
        found.append(
            DriveRange(drive.gauge.name, drive.gauge.unit, low[0], high[0], low[1], high[1])
        )
    return tuple(found)


def _ends(layout: Layout, k: int, t: float) -> list[tuple[float, str]]:
    """Where drive k ends when it is moved down and up, and how.

    Both ways begin in one place: what was prepared for the first does for the second as well, where
    it has the same structure.
    """
    stands = [float(drive.law.value(t)) for drive in layout.model.drives]
    drives = [
        replace(drive, law=Setting(x, x))
        for drive, x in zip(layout.model.drives, stands, strict=True)
    ]
    start = stands[k]
    far = math.tau if drives[k].gauge.unit == "rad" else FAR * layout.size
    ends: list[tuple[float, str]] = []
    prepared: Prepared | None = None
    for way in (-far, far):
        drives[k] = replace(drives[k], law=Setting(start, start + way))
        moved = Layout(replace(layout.model, drives=tuple(drives)))
        if prepared is None or not _is_alike(prepared.equations.layout, moved):
            prepared = prepare(moved, 0.0, "vm")
        prepared = replace(prepared, equations=replace(prepared.equations, layout=moved))
        motion = _swept(prepared, np.linspace(0.0, 1.0, SAMPLES), ways_on=False)
        outcome = motion.outcome
        reached = 1.0 if outcome.is_done else float(outcome.facts.get("t", 0.0))  # of the way
        ends.append((start + way * reached, outcome.name))
    return ends


def _is_alike(layout: Layout, other: Layout) -> bool:
    """Whether one program does for both."""
    return layout.is_built_in and other.is_built_in and layout.key == other.key
