"""Whether a force is what its energy says: minus the gradient, where everything is at rest."""

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import record_formula
from kempe.algebra.native import native_tape
from kempe.compile.dynamic_layout import DynamicLayout
from kempe.compile.dynamic_tracing import TracedDynamics
from kempe.errors import FormulaError

FloatArray = NDArray[np.float64]

# Exact derivatives of two formulas of the same thing agree to rounding, and a few digits less
# where large terms cancel.
AGREES = 1e-8
SCATTER = 0.1  # m and rad: positions around the start that are looked at
LOOKS = 4


def check_energies(layout: DynamicLayout, traced: TracedDynamics, q: FloatArray, t: float) -> None:
    """A FormulaError where a force of the user's is not the gradient of its energy."""
    ours = {f.name for f in layout.forces if f.is_built_in}
    for stored in traced.stored:
        if stored.name in ours:
            continue  # a law over every exported member says so
        inputs = traced.system.inputs
        columns = sorted({*stored.load, *stored.gradient})
        zero = 0.0 * inputs.t
        outputs = [stored.load.get(c, zero) for c in columns]
        outputs += [stored.gradient.get(c, zero) for c in columns]
        ins = inputs.in_order()
        tape = record_formula(ins, outputs)
        values = native_tape(tape).evaluate(_samples(layout, traced, q, t), tape.outputs)
        n = len(columns)
        load, gradient = values[:, :n], values[:, n:]
        size = max(float(np.abs(load).max(initial=0.0)), float(np.abs(gradient).max(initial=0.0)))
        worst = float(np.abs(load + gradient).max(initial=0.0))
        if not worst <= AGREES * size:
            raise FormulaError(
                f"the energy of force {stored.name!r} is not what its action stores: at rest they"
                f" differ by {worst:.3g} of {size:.3g}. Correct one of the formulas, or leave the"
                " energy out.",
                force=stored.name,
                difference=worst,
            )


def _samples(layout: DynamicLayout, traced: TracedDynamics, q: FloatArray, t: float) -> FloatArray:
    """Inputs at rest, at the start and around it."""
    inputs = traced.system.inputs
    rows = np.zeros((LOOKS, len(inputs.in_order())))
    random = np.random.default_rng(0)
    n_q, n_v = len(inputs.q), len(inputs.v)
    rows[:, :n_q] = q
    rows[1:, :n_q] += SCATTER * random.normal(size=(LOOKS - 1, n_q))
    if not layout.model.plane:
        for k in range(layout.layout.n_bodies):
            quaternion = rows[:, 7 * k + 3 : 7 * k + 7]
            quaternion /= np.linalg.norm(quaternion, axis=1)[:, None]
    rows[:, n_q + 2 * n_v] = t
    rows[:, len(inputs.in_order()) - len(inputs.p) :] = layout.parameters
    return rows
