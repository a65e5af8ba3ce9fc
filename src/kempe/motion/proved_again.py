"""One component of a motion map, proved again: its charts, the links between them, its ends."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.motion.chart_arrays import AbstractCharts, ChartArrays
from kempe.motion.exact_charts import ExactCharts, ExactRows
from kempe.motion.long_charts import LongCharts
from kempe.results.component import Component

FloatArray = NDArray[np.float64]

AT_A_BOUND = 1e-12  # in unknowns, which are of the size of 1: beyond the end's own radius
NEAR = 1.01  # of a chart's reach: whether it is looked at for a point


@final
class ProvedAgain:
    """One component, in long numbers: whole ones where its rows are of second degree."""

    def __init__(self, component: Component, exact: ExactRows | None = None) -> None:
        self.component, self.block = component, component.block
        self.a = ChartArrays(component)
        self.long = LongCharts(self.a)
        self.charts: AbstractCharts = self.long
        if exact is not None and ExactCharts.can_hold(self.a):
            self.charts = ExactCharts(self.a, exact)
        self.count = self.a.count
        self.checked = 0  # charts, so far

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
            found += [f"{who}: {trouble}" for trouble in (*self.links(), *self.ends())]
        return found

    def chart(self, k: int) -> bool:
        """Whether for every s there is exactly one y, and on its side."""
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
        links = c["links"]
        if len(links) != self.count - (not self.component.closed):
            return [f"{self.count} charts are joined by {len(links)} links"]
        after = {i: (i + 1) % self.count for i in range(len(links))}
        left = [float("-inf")] * self.count  # where the curve has entered a chart
        if self.component.closed:
            start = self.charts.refined(self.count - 1, links[-1])
            left[0] = self.charts.place(0, start[0])[0] if start else float("nan")
        for i, link in enumerate(links):
            found = self.charts.refined(i, link)
            if found is None:
                troubles.append(f"link {i} is no solution")
                continue
            x, t = found
            s, inside = self.charts.place(i, x)
            s_next, inside_next = self.charts.place(after[i], x)
            if not (inside and inside_next):
                troubles.append(f"link {i} lies outside a chart that it joins")
            if not s > left[i]:
                troubles.append(f"chart {i} is left before it is entered")
            if not (self.charts.runs(i, t) and self.charts.runs(after[i], t)):
                troubles.append(f"the curve turns round at link {i}")
            if after[i] != 0:
                left[after[i]] = s_next
        return troubles

    def ends(self) -> list[str]:
        """What is wrong with the ends of an arc: each is a solution, and a limit is met there."""
        troubles = []
        for end, k in zip(self.component.ends, (0, self.count - 1), strict=False):
            x = end.x[list(self.block.places)]
            found = self.charts.refined(k, x)
            if found is None or not self.charts.place(k, found[0])[1]:
                troubles.append(f"its end in chart {k} is no solution")
            elif end.kind == "limit" and not self._meets_a_bound(found[0], end.radius):
                troubles.append(f"its end in chart {k} meets no limit")
        return troubles

    def _meets_a_bound(self, x: Any, radius: float) -> bool:
        b, within = self.block, radius + AT_A_BOUND
        return any(
            min(self.charts.gap(x, j, float(b.low[j])), self.charts.gap(x, j, float(b.high[j])))
            <= within
            for j in range(self.a.n)
            if b.limited[j]
        )

    def shares_a_point(self, other: "ProvedAgain") -> bool:
        """Whether a point of this component lies on the other: then they are one."""
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
