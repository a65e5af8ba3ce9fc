"""What every force obeys: it is the gradient of its energy, and kempe compiles it as it stands."""

import numpy as np
import pytest

from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.force_elements import ForceElement
from kempe.dynamics.energy_check import AGREES, energy_misfit
from kempe.geometry import Inertia
from kempe.model import Body, Model

MASS = Inertia(1.0, (0.0, 0.0, 0.0), np.eye(3))


@pytest.mark.parametrize("plane", [False, True], ids=["space", "plane"])
def test_at_rest_a_force_is_minus_the_gradient_of_its_energy(force, plane, rng):
    bodies = (Body("a", inertia=MASS), Body("b", inertia=MASS))
    layout = DynamicLayout(Model("pair", plane, bodies, (), forces=(force,)))
    chart, places = layout.layout.chart, []
    for _ in bodies:
        place = 0.5 * rng.standard_normal(chart.n_q)
        if not plane:
            place[3:] /= np.linalg.norm(place[3:])
        places.append(place)
    misfit, size = energy_misfit(layout, ForceElement(force), np.concatenate(places), 0.3)
    assert misfit <= AGREES * max(size, 1e-6)
