"""Callbacks as the compiler sees them: a tape of what one sees, and the numbers it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, record_formula
from kempe.algebra.native import native_tape
from kempe.compile.layout.charts import AbstractChart
from kempe.compile.layout.coordinates import Coordinates, Places
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import GROUND_INDEX
from kempe.compile.layout.numbers import is_literal, marker_numbers
from kempe.compile.trace.force_tracing import ForceTracer, moving_bodies
from kempe.compile.trace.tracing import Inputs
from kempe.forces import Callback, Instant, Observed
from kempe.geometry import Pose, Rotation, Twist, Vector

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """What a callback sees, as a native tape of its bodies' coordinates and velocities.

    `q` and `v` say which coordinates and velocities of the whole system those are; `turned` which
    of its gauges count whole turns.
    """

    force: Callback
    q: Places
    v: Places
    turned: tuple[int, ...]
    markers: int
    gauges: int
    numbers: FloatArray  # of its markers and measures
    tape: Any
    outputs: Any

    def instant(self, q: FloatArray, v: FloatArray, t: float, turns: FloatArray) -> Instant:
        """What it sees at one place and time of the whole system."""
        row = np.concatenate([q[self.q], v[self.v], [t], turns, self.numbers])
        return self._instant(t, self.tape.evaluate(row[None], self.outputs)[0].tolist())

    def instants(
        self, q: FloatArray, v: FloatArray, t: FloatArray, turns: FloatArray
    ) -> list[Instant]:
        """What it sees at samples (n, ...) of the whole system; turns (n, k) are its own."""
        n = len(t)
        rows = np.hstack(
            [q[:, self.q], v[:, self.v], t[:, None], turns, np.tile(self.numbers, (n, 1))]
        )
        values = self.tape.evaluate(np.ascontiguousarray(rows), self.outputs)
        return [self._instant(float(t[k]), values[k].tolist()) for k in range(n)]

    def _instant(self, t: float, values: list[float]) -> Instant:
        markers, gauges = self.markers, self.gauges
        parts = [values[18 * k : 18 * k + 18] for k in range(markers)]
        rest = values[18 * markers :]
        return Instant(
            t,
            tuple(_pose(part) for part in parts),
            tuple(Twist(Vector(*part[12:15]), Vector(*part[15:18])) for part in parts),
            tuple(Observed(*rest[2 * k : 2 * k + 2]) for k in range(gauges)),
        )


def sight_of(chart: AbstractChart, element: ForceElement, places: Sequence[int]) -> Sight:
    """The sight of a callback whose markers ride on the bodies of these indices."""
    force = element.force
    assert isinstance(force, Callback)
    bodies = sorted(set(places) - {GROUND_INDEX})
    mine = Coordinates(chart, len(bodies))
    inputs = Inputs.of_bodies(mine)
    moving = dict(zip(bodies, moving_bodies(mine, inputs), strict=True))
    tracer = ForceTracer(chart, inputs, list(moving.values()))
    seen = tracer.see(element, [moving.get(b) for b in places])
    outputs = [tracer.zero + x for x in _plain(seen.now)]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
    tape = record_formula(ins, outputs)
    numbers = [x for m in element.markers for x in marker_numbers(m)] + element.numbers
    return Sight(
        force,
        mine.all_q_of(bodies),
        mine.all_v_of(bodies),
        tuple(seen.turned),
        len(force.markers),
        len(force.gauges),
        np.array([x for x in numbers if not is_literal(x)], dtype=np.float64),
        native_tape(tape),
        tape.outputs,
    )


def _plain(now: Instant) -> list[Expression | float]:
    """Position, axes and twist of every marker, value and rate of every gauge."""
    found: list[Any] = []
    for X, V in zip(now.X, now.V, strict=True):
        R = X.rotation
        found += [*X.position, *R.x, *R.y, *R.z, *V.v, *V.w]
    for one in now.gauges:
        found += [one.value, one.rate]
    return found


def _pose(numbers: Sequence[float]) -> Pose:
    x, y, z = (Vector(*numbers[3 + 3 * k : 6 + 3 * k]) for k in range(3))
    return Pose(Vector(*numbers[:3]), Rotation(x, y, z))
