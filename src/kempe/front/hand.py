"""A mechanism that goes on from wherever it stands: dragged by points, driven by values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.trace.part_names import measure_named
from kempe.drives import Drive, Setting
from kempe.errors import UnknownName
from kempe.front.drag import Drag
from kempe.front.mechanism import Mechanism
from kempe.front.solver import Snapshot, Solver
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import still
from kempe.kinematics.closing.placement import Guesses, body_pose, gauge_reading
from kempe.results import Dragged

FloatArray = NDArray[np.float64]
Number = float | str

MOST_STOPS = 200  # of one drag, which keeps them all: then it is taken up anew


@final
class Hand:
    """A mechanism in the hand of a person: what is done next starts where it stands.

    Examples:
        >>> import kempe
        >>> hand = Hand(kempe.gallery.four_bar())
        >>> hand.drag("crank.end", (0.0, 1.0)).outcome.name
        'Done'
        >>> round(hand.values["crank.angle"], 9)
        1.570796327
    """

    def __init__(self, mechanism: Mechanism, q: FloatArray | None = None) -> None:
        self.mechanism = mechanism
        self.q = still(mechanism.layout).q[0].copy() if q is None else q.copy()
        self._drag: Drag | None = None
        self._stops = 0
        self._solver: tuple[tuple[str, ...], Solver] | None = None

    @property
    def poses(self) -> dict[str, Pose]:
        """Where the moving bodies are: X_WB by name."""
        layout = self.mechanism.layout
        return {b.name: body_pose(layout, self.q, b.name) for b in layout.model.moving}

    @property
    def values(self) -> dict[str, float]:
        """What the driven measures read, m or rad."""
        layout = self.mechanism.layout
        return {d.gauge.name: gauge_reading(layout, self.q, d.gauge) for d in layout.model.drives}

    def put(self, q: FloatArray) -> None:
        """Go on from the position `q`, the coordinates of all bodies (m, rad)."""
        self._drag, self._solver, self.q = None, None, q.copy()

    def drag(self, point: str, target: Sequence[Number]) -> Dragged:
        """Pull the point named `point` towards `target`, a place in the world (m), drives let go.

        It stays on its branch; what comes back is what `Drag.to` gives.
        """
        if self._drag is None or self._stops >= MOST_STOPS:
            self._drag, self._stops = self.mechanism.drag(poses=self.poses), 0
        self._solver = None
        there = self._drag.to(point, target)
        self._stops += 1
        self.q = self._drag.q
        return there

    def drive(self, values: Mapping[str, Number]) -> Snapshot:
        """Go on its branch to the `values` of driven measures (m, rad), or of any if none is."""
        driven = {drive.gauge.name for drive in self.mechanism.model.drives}
        names = () if driven and driven >= set(values) else tuple(sorted(values))
        if names and driven:
            stray = sorted(set(values) - driven)[0]
            raise UnknownName(f"{stray!r} is not driven: drag it instead.", name=stray)
        if self._solver is None or self._solver[0] != names:
            self._solver = names, self._solver_here(names)
        self._drag = None
        snapshot = self._solver[1].update(values)
        self.q = snapshot.q[: self.mechanism.layout.n_q].copy()
        return snapshot

    def _solver_here(self, names: tuple[str, ...]) -> Solver:
        """A solver that stands where the mechanism stands."""
        layout = self.mechanism.layout
        gauges = [measure_named(layout.model, name, "set") for name in names]
        gauges = gauges or [drive.gauge for drive in layout.model.drives]
        here = [gauge_reading(layout, self.q, gauge) for gauge in gauges]
        drives = tuple(Drive(g, Setting(x, x)) for g, x in zip(gauges, here, strict=True))
        return Solver(replace(layout.model, drives=drives), start=Guesses(self.poses))
