"""Point masses: bodies without inertia whose turning nothing sees.

Such a body keeps its orientation whatever happens, so any inertia will do for it.
"""

from dataclasses import replace

import numpy as np

from kempe.compile.layout import Layout
from kempe.geometry import Inertia
from kempe.kinematics.assembly import Assembled
from kempe.kinematics.evaluator import evaluator
from kempe.model import Body, Model

SCATTER = 0.3  # rad, and sizes of the machine: another position in which to look


def with_idle_rotations(layout: Layout, start: Assembled, t: float) -> Model:
    """The model with an inertia for every point mass that no joint turns.

    A body is one where it has a mass and no tensor, and where no row changes as it turns about its
    centre of mass.
    """
    if not any(_is_point(body) for body in layout.model.moving):
        return layout.model
    program, n = evaluator(layout), layout.chart.n_v
    random = np.random.default_rng(0)
    moved = program.retract(start.q, SCATTER * layout.size * random.normal(size=layout.n_v))
    jacobians = [
        program.dense_jacobian(program.evaluate(layout.parameters, q, t, start.last)[1])
        for q in (start.q, moved)
    ]
    bodies = {body.name: body for body in layout.model.bodies}
    for k, body in enumerate(layout.model.moving):
        turning = slice(k * n + (2 if layout.model.plane else 3), (k + 1) * n)
        if _is_point(body) and not any(J[:, turning].any() for J in jacobians):
            bodies[body.name] = replace(body, inertia=_spread(body, layout.size))
    return replace(layout.model, bodies=tuple(bodies.values()))


def _is_point(body: Body) -> bool:
    inertia = body.inertia
    if inertia is None or not inertia.mass > 0.0 or inertia.tensor.any():
        return False
    return not np.any(inertia.centre)  # seen from its centre, which is its origin


def _spread(body: Body, size: float) -> Inertia:
    assert body.inertia is not None
    return Inertia(body.inertia.mass, np.zeros(3), body.inertia.mass * size**2 * np.eye(3))
