"""Loads: what springs, dampers and other forces do along every velocity, sample by sample."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import record_formula
from kempe.algebra.native import native_tape
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.compile.trace.force_tracing import ForceTracer, Load, moving_bodies
from kempe.compile.trace.tracing import Inputs
from kempe.kinematics.observe.observation import observe_gauge
from kempe.kinematics.reactions.force_numbers import lifted_numbers
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def applied_loads(layout: Layout, motion: Motion) -> FloatArray:
    """Generalised forces (n, n_v) of the model's forces: world axes, torques in body axes."""
    loads = np.zeros((len(motion), layout.n_v))
    elements = [ForceElement(force) for force in layout.model.forces]
    if not elements or not len(motion):
        return loads
    inputs = Inputs.fresh(layout.n_q, layout.n_v)
    bodies = moving_bodies(layout.coordinates, inputs)
    tracer = ForceTracer(layout.chart, inputs, bodies)
    load: Load = {}
    turns: list[FloatArray] = []
    for element in elements:
        places = [layout.body_index[m.body] for m in element.markers]
        riding = [None if k == GROUND_INDEX else bodies[k] for k in places]
        found = tracer.trace(element, riding)
        turns += [observe_gauge(layout, motion, element.force.gauges[k])[0] for k in found.turned]
        for column, term in found.load.items():
            load[column] = load[column] + term if column in load else term
    columns = sorted(load)
    if columns:
        ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
        tape = record_formula(ins, [load[k] for k in columns])
        numbers = [lifted_numbers(layout, motion, element) for element in elements]
        samples = np.column_stack([motion.q, motion.v, motion.t, *turns, *numbers])
        found_loads = native_tape(tape).evaluate_lanes(np.ascontiguousarray(samples), tape.outputs)
        loads[:, columns] = found_loads
    return loads
