"""Scalars of marker frames at one configuration: their values, and how they change with it."""

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Graph, record_formula, sparse_jacobian
from kempe.algebra.native import native_tape
from kempe.compile.layout.charts import Seeds
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.layout.numbers import marker_numbers, marker_pose
from kempe.geometry import Marker, Pose
from kempe.kinematics.observe.observation import Formula

FloatArray = NDArray[np.float64]


@final
class Gradient:
    """m scalars of the markers' frames, traced once: value and derivative at any configuration.

    ds = G d, d the displacement of all bodies in the chart's velocities.
    """

    def __init__(self, layout: Layout, markers: Sequence[Marker], formula: Formula) -> None:
        chart, graph = layout.chart, Graph()
        bodies = sorted({layout.body_index[m.body] for m in markers} - {GROUND_INDEX})
        inputs: list[Expression] = []
        frames, seeds = {GROUND_INDEX: Pose.identity()}, Seeds()
        for body in bodies:
            q = chart.q_inputs(graph, f"q{body}_")
            frame = chart.frame(q)
            frames[body] = chart.pose(frame)
            seeds |= chart.seeds(frame, layout.coordinates.v_of(body).start)
            inputs += q
        poses = []
        for marker in markers:
            X_WB = frames[layout.body_index[marker.body]]
            poses.append(X_WB @ marker_pose(marker, marker_numbers(marker)))
        zero = Expression(graph, graph.constant(0.0))
        values = [zero + e for e in formula(poses)]
        rows = sparse_jacobian(values, seeds)
        places = [(k, column) for k, row in enumerate(rows) for column in row]
        tape = record_formula(inputs, [*values, *(e for row in rows for e in row.values())])
        self._tape, self._outputs = native_tape(tape), tape.outputs
        self._inputs = layout.coordinates.all_q_of(bodies)
        self._rows, self._columns = np.array(places, dtype=np.intp).reshape(-1, 2).T
        self._shape = (len(values), layout.n_v)

    def __call__(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values (m,) and G (m, n_v) at the configuration q."""
        m = self._shape[0]
        numbers = self._tape.evaluate(q[None, self._inputs], self._outputs)[0]
        G = np.zeros(self._shape)
        G[self._rows, self._columns] = numbers[m:]
        return numbers[:m], G
