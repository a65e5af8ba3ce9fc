"""Whether a force is what its energy says: minus the gradient, where everything is at rest."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import record_formula
from kempe.algebra.native import native_tape
from kempe.compile.dynamic_layout import DynamicLayout, force_numbers
from kempe.compile.force_elements import ForceElement
from kempe.compile.force_tracing import ForceTracer, MovingBody
from kempe.compile.layout import GROUND_INDEX
from kempe.compile.numbers import is_literal
from kempe.compile.tracing import Inputs
from kempe.errors import FormulaError

FloatArray = NDArray[np.float64]

# Exact derivatives of two formulas of the same thing agree to rounding, and a few digits less
# where large terms cancel.
AGREES = 1e-8
SCATTER = 0.1  # m and rad: positions around the start that are looked at
LOOKS = 4


def check_energies(layout: DynamicLayout, q: FloatArray, t: float) -> None:
    """A FormulaError where a force of the user's is not the gradient of its energy.

    kempe's own forces are checked by a law over every exported member.
    """
    for force in layout.forces:
        if force.force.promises or not force.is_built_in:
            misfit, size = energy_misfit(layout, force, q, t)
            if not misfit <= AGREES * size:
                raise FormulaError(
                    f"the energy of force {force.name!r} is not what its action stores: at rest"
                    f" they differ by {misfit:.3g} of {size:.3g}. Correct one of the formulas, or"
                    " leave the energy out.",
                    force=force.name,
                    difference=misfit,
                )


def energy_misfit(
    layout: DynamicLayout, force: ForceElement, q: FloatArray, t: float
) -> tuple[float, float]:
    """The largest |load + gradient of the energy| at rest around q, and the largest of either.

    (0, 0) where the force has no energy.
    """
    chart, places = layout.layout.chart, layout.bodies_of(force)
    riding = sorted(set(places) - {GROUND_INDEX})
    inputs = Inputs.fresh(len(riding) * chart.n_q, len(riding) * chart.n_v)
    bodies = {
        body: MovingBody(
            chart.frame(inputs.q[k * chart.n_q : (k + 1) * chart.n_q]),
            inputs.v[k * chart.n_v : (k + 1) * chart.n_v],
            k * chart.n_v,
        )
        for k, body in enumerate(riding)
    }
    tracer = ForceTracer(chart, inputs, list(bodies.values()))
    found = tracer.trace(force, [bodies.get(b) for b in places])
    if found.energy is None:
        return 0.0, 0.0
    gradient = tracer.energy_gradient(found.energy)
    columns = range(len(inputs.v))
    outputs = [found.load.get(c, tracer.zero) for c in columns]
    outputs += [gradient.get(c, tracer.zero) for c in columns]
    ins = [*inputs.q, *inputs.v, inputs.t, *inputs.last, *inputs.p]
    tape = record_formula(ins, outputs)
    rows = np.zeros((LOOKS, len(ins)))
    rows[:, : len(inputs.q)] = _around(layout, riding, q)
    rows[:, len(inputs.q) + len(inputs.v)] = t
    numbers = [x for x in force_numbers(force) if not is_literal(x)]
    rows[:, len(ins) - len(inputs.p) :] = np.array(numbers, dtype=np.float64)
    values = native_tape(tape).evaluate(rows, tape.outputs)
    n = len(columns)
    load, slope = values[:, :n], values[:, n:]
    return float(np.abs(load + slope).max()), float(max(np.abs(load).max(), np.abs(slope).max()))


def _around(layout: DynamicLayout, bodies: list[int], q: FloatArray) -> FloatArray:
    """Coordinates of bodies at the start and around it, (LOOKS, ...)."""
    size, random = layout.layout.chart.n_q, np.random.default_rng(0)
    own = np.concatenate([q[b * size : (b + 1) * size] for b in bodies])
    rows = np.tile(own, (LOOKS, 1))
    rows[1:] += SCATTER * random.normal(size=rows[1:].shape)
    if not layout.model.plane:
        for k in range(len(bodies)):
            quaternion = rows[:, 7 * k + 3 : 7 * k + 7]
            quaternion /= np.linalg.norm(quaternion, axis=1)[:, None]
    return rows
