"""Bodies without inertia: point masses whose turning nothing sees, and rods without thickness.

A point mass keeps its orientation whatever happens, so any inertia will do for it. A rod whose spin
the joints hold moves alike with any axial moment that is small enough.
"""

from dataclasses import replace

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.geometry import Inertia
from kempe.model import Body, Model
from kempe.results.state import State

# Of the largest moment: nobody notices it, and it is more than rounding.
SLIGHT = 1e-13
SCATTER = 0.3  # rad, and sizes of the machine: another position in which to look


def with_idle_rotations(layout: Layout, start: State) -> Model:
    """The model with an inertia for every point mass that no joint turns.

    A body is one where it has a mass and no tensor, and where no row changes as it turns about its
    centre of mass.
    """
    if not any(_is_point(body) for body in layout.model.moving):
        return layout.model
    equations = equations_of(layout)
    random = np.random.default_rng(0)
    moved = equations.program.retract(
        start.q, SCATTER * layout.size * random.normal(size=layout.n_v)
    )
    jacobians = [
        equations.program.dense_jacobian(equations.entries(replace(start, q=q)))
        for q in (start.q, moved)
    ]
    bodies = {body.name: body for body in layout.model.bodies}
    for k, body in enumerate(layout.model.moving):
        turning = layout.coordinates.spin_of(k)
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


def with_slight_moments(model: Model) -> Model:
    """The model with a slight moment about every axis about which a body with mass has none.

    Without it the equations of motion must be solved by the rows that were chosen at the start;
    with it redundant rows can help where those come near dependence.
    """
    bodies = tuple(_thickened(body) for body in model.bodies)
    return replace(model, bodies=bodies)


def _thickened(body: Body) -> Body:
    inertia = body.inertia
    if inertia is None or not inertia.mass > 0.0 or not inertia.tensor.any():
        return body
    moments, axes = np.linalg.eigh(inertia.tensor)
    slight = np.where(moments < SLIGHT * moments[-1], SLIGHT * moments[-1], 0.0)
    if not slight.any():
        return body
    tensor = inertia.tensor + (axes * slight) @ axes.T
    return replace(body, inertia=Inertia(inertia.mass, inertia.centre, tensor))
