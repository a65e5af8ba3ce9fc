"""One component of a motion map, proved again: its charts, the links between them, its ends."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.verify.cover.blocks import BlockProof
from kempe.motion.verify.long_charts import ChartArrays, LongCharts
from kempe.motion.verify.tape_run import run_tape
from kempe.results.maps.component import Component, ComponentEnd, Readings

FloatArray = NDArray[np.float64]

AT_A_BOUND = 1e-12  # in unknowns, which are of the size of 1: beyond the end's own radius
READ = 1e-12  # of the machine's size: two ways to evaluate the same reading in doubles
MOST_TOLD = 2  # bodies whose place is told where something fails
NEAR = 1.01  # of a chart's reach: whether it is looked at for a point


def standing(readings: Readings, x: FloatArray) -> str:
    """Where the first bodies stand at a point of all unknowns, to end a sentence with."""
    q = readings.coordinates(readings.values(x[None, :]))[0]
    at = readings.at
    if not readings.plane:
        each = zip(readings.bodies, at.places(q), strict=True)
        spots = [f"{name} at ({', '.join(f'{c:.4g}' for c in p)}) m" for name, p in each]
        return " and ".join(spots[:MOST_TOLD]) or "a place where nothing is read"
    poses = zip(readings.bodies, at.places(q), np.degrees(q[at.angles]), strict=True)
    told = [f"{name} at ({x:.4g}, {y:.4g}) m, {turn:.4g} deg" for name, (x, y), turn in poses]
    return " and ".join(told[:MOST_TOLD]) or "a place where nothing is read"


@final
class ProvedAgain:
    """One component: what its block does not prove in doubles is proved in long numbers."""

    def __init__(
        self,
        component: Component,
        proof: BlockProof | None = None,
        unknowns: tuple[str, ...] = (),
    ) -> None:
        self.component, self.block = component, component.block
        self.a = ChartArrays(component)
        self.proof = proof  # of the block, in doubles: tells most charts and points
        self.count = self.a.count
        self.names = [unknowns[p].removeprefix("limit of ") for p in self.block.places if unknowns]
        self.proved = None if proof is None else proof.flags_of(component)
        self.checked = 0  # charts, so far

    @cached_property
    def long(self) -> LongCharts:
        """The charts in mpmath's numbers."""
        return LongCharts(self.a)

    def failures(self, tell: Callable[[], None]) -> list[str]:
        """What of the component does not hold; `tell` is called after every chart."""
        who, found = f"component {self.component.number}", list[str]()
        for k in range(self.count):
            if not self.chart(k):
                there = self._standing(self.a.p[k])
                found.append(f"{who}: chart {k} is not proved to hold one arc, near {there}")
            reach, period = self.a.reach(k), self.block.period
            for j in np.flatnonzero((period > 0.0) & ~(reach < 0.5 * period)):
                found.append(
                    f"{who}: chart {k} reaches {reach[j]:.3g} either way round a circle of"
                    f" {period[j]:.3g}: which point of it is meant is not told"
                )
            self.checked += 1
            tell()
        if self.block.freedom == 1:
            parts = (*self.links(), *self.start(), *self.ends())
            found += [f"{who}: {trouble}" for trouble in parts]
        return found

    def chart(self, k: int) -> bool:
        """Whether for every s there is exactly one y, and on its side."""
        if self.proved is not None and self.proved[k]:
            return True
        return self.long.is_one_arc(k) and self.long.keeps_sides(k)

    def _standing(self, x: FloatArray) -> str:
        """Where the bodies stand at a point of the block."""
        at = self.component.x.copy()
        at[list(self.block.places)] = x
        return standing(self.component.readings, at)

    def links(self) -> list[str]:
        """What is wrong with the points that join charts, and with their order."""
        c, troubles = self.component.charts, []
        links, radii = c["links"], c["link_radii"]
        if len(links) != self.count - (not self.component.closed):
            return [f"{self.count} charts are joined by {len(links)} links"]
        known = None if self.proof is None else self.proof.joined(self.component)
        for i, link in enumerate(links):
            if known is None or not known[i]:
                troubles += self._link(i, link, float(radii[i]))
        return troubles

    def _link(self, i: int, link: FloatArray, radius: float) -> list[str]:
        """What is wrong with one link, in long numbers."""
        after, troubles = (i + 1) % self.count, list[str]()
        found = self.long.refined(i, link)
        if found is None:
            return [f"link {i} is no solution, near {self._standing(link)}"]
        x, t = found
        if (off := self._off(x, link)) > radius:
            troubles.append(
                f"link {i} is {off:.2g} from the curve, farther than its radius {radius:.2g}"
            )
        s, inside = self.long.place(i, x)
        if not (inside and self.long.place(after, x)[1]):
            there = self._standing(link)
            troubles.append(
                f"link {i} lies outside chart {i} or {after} that it joins, near {there}"
            )
        if not s > self._entered(i):
            troubles.append(f"chart {i} is left before it is entered, at link {i}")
        if not (self.long.runs(i, t) and self.long.runs(after, t)):
            troubles.append(f"the curve turns round at link {i}, near {self._standing(link)}")
        return troubles

    def _entered(self, i: int) -> Any:
        """Where the curve enters chart i: at the link before it."""
        if i == 0 and not self.component.closed:
            return float("-inf")
        before = self.long.refined((i - 1) % self.count, self.component.charts["links"][i - 1])
        return float("nan") if before is None else self.long.place(i, before[0])[0]

    def _off(self, x: Any, told: FloatArray) -> float:
        """How far a double point is from the solution beside it, in the longest coordinate."""
        return max(self.long.gap(x, j, float(told[j])) for j in range(self.a.n))

    def start(self) -> list[str]:
        """What is wrong with the one point of the component that the map names."""
        places = list(self.block.places)
        x, radius = self.component.x[places], self.component.radius[places]
        told, off = (
            np.asarray(self.component.charts["start"]),
            self.component.charts["start_radius"],
        )
        if (x != told).any() or (radius != off).any():
            return ["its start is not where its charts say"]
        near = self._near(x)
        if self.proof is not None and self.proof.points_of is not None:
            numbers = self.proof.numbers_of(self.component, near)
            if self.proof.points_of.holds_one(x, float(off), numbers):
                return []
        for k in near:
            found = self.long.refined(k, x)
            if found is None or self._off(found[0], x) > off:
                continue
            if self.long.place(k, found[0])[1]:
                return []
        there = self._standing(x)
        return [f"its start is on none of its charts, or farther off than its radius, near {there}"]

    def readings_at(self, x: FloatArray) -> list[Any]:
        """What is read at a point of all unknowns, in long numbers."""
        tape, mp = self.component.readings.tape, self.long.mp
        inputs = [mp.mpf(float(e)) for e in x]
        return [value for value, _ in run_tape(tape, inputs, mp, len(tape.outputs))]

    def ends(self) -> list[str]:
        """What is wrong with the ends of an arc: each is a solution, and a limit is met there."""
        troubles = []
        for end, k in zip(self.component.ends, (0, self.count - 1), strict=False):
            x = end.x[list(self.block.places)]
            found = self.long.refined(k, x)
            if found is None or not self.long.place(k, found[0])[1]:
                troubles.append(f"its end in chart {k} is no solution, near {self._standing(x)}")
                continue
            away = self._to_bound(found[0], end) if end.kind == "limit" else 0.0
            if not away <= end.radius + AT_A_BOUND:
                troubles.append(
                    f"its end in chart {k} does not meet {end.limit!r}: it is {away:.2g} away,"
                    f" near {self._standing(x)}"
                )
            elif not (off := self._misread(end)) <= max(READ, end.radius):
                troubles.append(
                    f"its end in chart {k} does not read what it says: a body is {off:.2g} of the"
                    f" machine's size from there, near {self._standing(x)}"
                )
        return troubles

    def _to_bound(self, x: Any, end: ComponentEnd) -> float:
        """How far a point is from the limit that an end names, in unknowns."""
        name, _, side = end.limit.rpartition(" at ")
        bounds = self.block.high if side == "most" else self.block.low
        gaps = [
            self.long.gap(x, j, float(bounds[j]))
            for j in range(self.a.n)
            if self.block.limited[j] and (not self.names or self.names[j] == name)
        ]
        return min(gaps, default=np.inf)

    def _misread(self, end: ComponentEnd) -> float:
        """How far bodies are at an end from where it says, of their reach; turns do not count."""
        if not np.isfinite(end.radius) or end.radius < 0.0:
            return np.inf
        readings = self.component.readings
        if end.q.shape != (readings.n_q,):
            return np.inf
        told = readings.of_coordinates(end.q)
        read = np.array([float(v) for v in self.readings_at(end.x)])[: len(told)]
        size = np.maximum(np.abs(read).max(initial=0.0), 1.0)
        return float((np.abs(told - read) / size).max(initial=0.0))

    def shares_a_point(self, other: "ProvedAgain") -> bool:
        """Whether a point of this component lies on the other: then they are one."""
        x, off = self.component.x[list(self.block.places)], self.component.charts["start_radius"]
        near, proof = other._near(x), other.proof
        if proof is not None and proof.points_of is not None:
            numbers = proof.numbers_of(other.component, near)
            if proof.points_of.are_outside(x, float(off), numbers):
                return False
        found = self._a_point
        if found is None:
            return True
        return any(
            other.long.place(k, found[0])[1] for k in other._near(self.long.floats(found[0]))
        )

    @cached_property
    def _a_point(self) -> tuple[Any, Any] | None:
        return self.long.refined(0, self.a.p[0])

    def _near(self, x: FloatArray) -> list[int]:
        """The charts that may hold a point."""
        d, period = x - self.a.p, self.block.period
        turns = np.round(np.divide(d, period, out=np.zeros_like(d), where=period > 0.0))
        reach = NEAR * (self.a.h + self.a.n * self.a.w)
        near = (np.abs(d - turns * period) <= reach[:, None]).all(axis=1)
        return [int(k) for k in np.flatnonzero(near)]
