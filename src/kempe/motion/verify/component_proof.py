"""One component of a motion map, proved again: its charts, the links between them, its ends."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.charts import PLANAR
from kempe.compile.layout.coordinates import Coordinates
from kempe.motion.verify.cover.blocks import BlockProof
from kempe.motion.verify.exact_charts import ExactCharts, ExactRows
from kempe.motion.verify.long_charts import AbstractCharts, ChartArrays, LongCharts
from kempe.motion.verify.tape_run import run_tape
from kempe.results.maps.component import Component, ComponentEnd

FloatArray = NDArray[np.float64]

AT_A_BOUND = 1e-12  # in unknowns, which are of the size of 1: beyond the end's own radius
READ = 1e-12  # of the machine's size: two ways to evaluate the same reading in doubles
NEAR = 1.01  # of a chart's reach: whether it is looked at for a point


@final
class ProvedAgain:
    """One component, in long numbers: whole ones where its rows are of second degree."""

    def __init__(
        self,
        component: Component,
        exact: ExactRows | None = None,
        proof: BlockProof | None = None,
        unknowns: tuple[str, ...] = (),
    ) -> None:
        self.component, self.block = component, component.block
        self.a = ChartArrays(component)
        self.exact = exact
        self.proof = proof  # of the block, in doubles: tells most charts and points
        self.count = self.a.count
        self.names = [unknowns[p].removeprefix("limit of ") for p in self.block.places if unknowns]
        self.proved = None if proof is None else proof.flags_of(component)
        self.checked = 0  # charts, so far

    @cached_property
    def long(self) -> LongCharts:
        """The charts in mpmath's numbers."""
        return LongCharts(self.a)

    @cached_property
    def charts(self) -> AbstractCharts:
        """The charts in whole numbers, or in mpmath's where those do not do."""
        if self.exact is not None and ExactCharts.can_hold(self.a):
            return ExactCharts(self.a, self.exact)
        return self.long

    def failures(self, tell: Callable[[], None]) -> list[str]:
        """What of the component does not hold; `tell` is called after every chart."""
        who, found = f"component {self.component.number}", list[str]()
        for k in range(self.count):
            if not self.chart(k):
                found.append(f"{who}: chart {k} is not proved")
            if not self._fits_circles(k):
                found.append(f"{who}: chart {k} reaches round a circle")
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
        proved = self.charts.is_one_arc(k)
        if not proved and self.charts is not self.long:
            proved = self.long.is_one_arc(k)
        return proved and self.long.keeps_sides(k)

    def _fits_circles(self, k: int) -> bool:
        """Whether the nearest way round a circle tells which point of the chart is meant."""
        period = self.block.period
        return bool((self.a.reach(k)[period > 0.0] < 0.5 * period[period > 0.0]).all())

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
        found = self.charts.refined(i, link)
        if found is None:
            return [f"link {i} is no solution"]
        x, t = found
        if self._off(x, link) > radius:
            troubles.append(f"link {i} is farther from the curve than its radius")
        s, inside = self.charts.place(i, x)
        if not (inside and self.charts.place(after, x)[1]):
            troubles.append(f"link {i} lies outside a chart that it joins")
        if not s > self._entered(i):
            troubles.append(f"chart {i} is left before it is entered")
        if not (self.charts.runs(i, t) and self.charts.runs(after, t)):
            troubles.append(f"the curve turns round at link {i}")
        return troubles

    def _entered(self, i: int) -> Any:
        """Where the curve enters chart i: at the link before it."""
        if i == 0 and not self.component.closed:
            return float("-inf")
        before = self.charts.refined((i - 1) % self.count, self.component.charts["links"][i - 1])
        return float("nan") if before is None else self.charts.place(i, before[0])[0]

    def _off(self, x: Any, told: FloatArray) -> float:
        """How far a double point is from the solution beside it, in the longest coordinate."""
        return max(self.charts.gap(x, j, float(told[j])) for j in range(self.a.n))

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
        if self.proof is not None and self.proof.holds_a_point(self.component, x, float(off), near):
            return []
        for k in near:
            found = self.charts.refined(k, x)
            if found is None or self._off(found[0], x) > off:
                continue
            if self.charts.place(k, found[0])[1]:
                return []
        return ["its start is on none of its charts, or farther off than its radius"]

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
            found = self.charts.refined(k, x)
            if found is None or not self.charts.place(k, found[0])[1]:
                troubles.append(f"its end in chart {k} is no solution")
            elif end.kind == "limit" and not self._meets_a_bound(found[0], end):
                troubles.append(f"its end in chart {k} does not meet {end.limit!r}")
            elif not self._reads(end):
                troubles.append(f"its end in chart {k} does not read what it says")
        return troubles

    def _meets_a_bound(self, x: Any, end: ComponentEnd) -> bool:
        """Whether the limit that an end names is met there, and no other is left."""
        b, within = self.block, end.radius + AT_A_BOUND
        name, _, side = end.limit.rpartition(" at ")
        bounds = b.high if side == "most" else b.low
        return any(
            (not self.names or self.names[j] == name)
            and self.charts.gap(x, j, float(bounds[j])) <= within
            for j in range(self.a.n)
            if b.limited[j]
        )

    def _reads(self, end: ComponentEnd) -> bool:
        """Whether the bodies stand at an end where it says they do; angles up to whole turns."""
        if not np.isfinite(end.radius) or end.radius < 0.0:
            return False
        four = np.array([float(v) for v in self.readings_at(end.x)])
        four = four[: 4 * len(self.component.readings.bodies)].reshape(-1, 4)
        at = Coordinates(PLANAR, len(four))
        if end.q.shape != (at.bodies_q.stop,):
            return False
        angles = end.q[at.angles]
        told = np.column_stack([at.places(end.q), np.cos(angles), np.sin(angles)])
        size = np.maximum(np.abs(four).max(initial=0.0), 1.0)
        return bool((np.abs(told - four) <= READ * size).all())

    def shares_a_point(self, other: "ProvedAgain") -> bool:
        """Whether a point of this component lies on the other: then they are one."""
        x, off = self.component.x[list(self.block.places)], self.component.charts["start_radius"]
        near, proof = other._near(x), other.proof
        if proof is not None and proof.is_outside(other.component, x, float(off), near):
            return False
        in_wholes = self.charts is not self.long and other.charts is not other.long
        mine, theirs = (c.charts if in_wholes else c.long for c in (self, other))
        found = mine.refined(0, self.a.p[0]) if not in_wholes else self._a_point
        if found is None:
            return True
        return any(theirs.place(k, found[0])[1] for k in other._near(mine.floats(found[0])))

    @cached_property
    def _a_point(self) -> tuple[Any, Any] | None:
        return self.charts.refined(0, self.a.p[0])

    def _near(self, x: FloatArray) -> list[int]:
        """The charts that may hold a point."""
        d, period = x - self.a.p, self.block.period
        turns = np.round(np.divide(d, period, out=np.zeros_like(d), where=period > 0.0))
        reach = NEAR * (self.a.h + self.a.n * self.a.w)
        near = (np.abs(d - turns * period) <= reach[:, None]).all(axis=1)
        return [int(k) for k in np.flatnonzero(near)]
