"""What a body of a long chain costs in memory: lists of the equations and of the integrator."""

import numpy as np

import kempe
from kempe.dynamics.integration import integrated
from kempe.dynamics.preparation.preparation import prepare
from kempe.geometry import Inertia
from kempe.joints import Revolute

LINKS = 1500
MOST = 4096  # bytes


def test_a_body_whose_mass_stays_costs_at_most_four_kilobytes():
    m = kempe.Builder("chain", gravity=(0, 0, -9.81))
    last, inertia = m.ground.at(0, 0, 0), Inertia(1.0, (0.5, 0, 0), np.diag([0.01, 0.1, 0.1]))
    for k in range(LINKS):
        axis = (0, 1, 0) if k % 2 == 0 else (0, 0, 1)
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    prepared = prepare(m.build().layout, 0.0)
    end = integrated(prepared, np.array([0.0, 0.001]), "dop853", 1e-6, None)[1]
    assert end.counts["steps"] > 0
    assert end.bytes <= MOST * LINKS
