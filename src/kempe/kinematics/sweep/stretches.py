"""Going on from singular positions: stretch after stretch, on the branches that were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import UnknownName, nearest_name
from kempe.kinematics.singular.hidden_crossing import hidden_crossing
from kempe.kinematics.singular.junction import Clock, Junction
from kempe.kinematics.singular.rays import Ray
from kempe.kinematics.stepping.ending import SweepCost, SweepEnd
from kempe.kinematics.stepping.preparation import Prepared
from kempe.kinematics.stepping.row_exchange import Samples
from kempe.kinematics.stepping.stretch import swept
from kempe.outcome import Continuation, Ending, Outcome
from kempe.results import Pass
from kempe.results.state import State

FloatArray = NDArray[np.float64]

MOMENTUM, BRANCH = "momentum", "branch "
MOST_PASSES = 10_000
# Where branches cross no sample can be solved for; it is read off a polynomial through this many
# samples on either side of it, of the branch the motion came on.
BESIDE = 4


def refuse_unknown_ways(through: Sequence[str]) -> None:
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


def chosen(junction: Junction, way: str) -> tuple[Ray, Continuation] | None:
    """The ray that a way means; None where there is none such."""
    pairs = zip(junction.rays, junction.outcome.continuations, strict=True)
    for ray, continuation in pairs:
        if way == MOMENTUM and ray.is_straight:
            return ray, continuation
        if way != MOMENTUM and continuation.number == int(way.removeprefix(BRANCH)):
            return ray, continuation
    return None


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

    def run(self, start: State, laws: FloatArray) -> tuple[Samples, SweepEnd]:
        """One stretch over times of the laws; velocities become those of the run."""
        (q_out, v, a), end = swept(self.prepared, start, laws)
        end = hidden_crossing(self.prepared, start, laws, (q_out, v, a), end) or end
        self.cost += end.cost
        return (q_out, v if self.clock.way > 0 else -v, a), end

    def keep(self, t: FloatArray, samples: Samples) -> None:
        """Put samples at the end; the first stretch counts where it has none, too."""
        if len(t) or not self.t:
            self.t.append(t)
            self.samples.append(samples)

    def start(self) -> SweepEnd:
        """The first stretch."""
        samples, end = self.run(self.prepared.start, self.clock.law(self.times))
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
        samples, end = self.run(ray.clear, np.concatenate([[ray.clear.t], laws[near:]]))
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


def not_taken(outcome: Outcome, way: str) -> Outcome:
    """The outcome where the way that was asked for leads nowhere."""
    why = f"through={way!r} leads nowhere here"
    if way != MOMENTUM and int(way.removeprefix(BRANCH)) > len(outcome.continuations):
        why = f"there is no continuation {way.removeprefix(BRANCH)}"
    return replace(outcome, message=f"{outcome.message} {why[0].upper()}{why[1:]}.")


def standing(outcome: Outcome, taken: Continuation) -> Outcome:
    """The outcome where the drive does not move along the branch that was asked for."""
    return replace(
        outcome,
        message=f"{outcome.message} Along branch {taken.number} the drive stands still, so it"
        " cannot lead the way.",
    )


def too_many(outcome: Outcome) -> Outcome:
    """The outcome after more passes than anybody wants."""
    return replace(
        outcome,
        ending=Ending.LIMIT_REACHED,
        message=f"{MOST_PASSES} singular positions have been passed. {outcome.message}",
    )
