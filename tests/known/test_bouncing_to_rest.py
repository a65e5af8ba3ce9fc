"""A ball that bounces ever lower comes to rest after infinitely many bounces, at a known time.

t = sqrt(2 h / g) (1 + e) / (1 - e): the sum of a geometric series of flights.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.events import Stop

G, HEIGHT = 9.81, 1.0
TIMED = 1e-9  # s, of a bounce
REST = 1e-8  # s: the flights that are left out are shorter


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8])
def test_it_lies_still_when_all_its_bounces_are_over(restitution):
    m = kempe.Builder("ball", plane=True, gravity=(0, -G))
    inertia = kempe.Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3))
    ball = m.body("ball", at=(0, HEIGHT), angle=0.0, inertia=inertia)
    m.prismatic(m.ground.at(0, 0), ball.at(0, 0), along=(0, 1), name="rail")
    m.event(Stop(ball.y, low=0.0, restitution=restitution), "floor")
    first = math.sqrt(2.0 * HEIGHT / G)
    due = first * (1.0 + restitution) / (1.0 - restitution)
    run = m.build().simulate(until=due + 0.5, steps=10)
    assert run.outcome.is_done
    bounces = [event for event in run.events if event.kind == "impact"]
    flights = 2.0 * first * np.cumsum(restitution ** np.arange(1, 6))
    assert bounces[0].t == pytest.approx(first, abs=TIMED)
    for event, flight in zip(bounces[1:], flights, strict=False):
        assert event.t == pytest.approx(first + flight, abs=TIMED)
    assert run.events[-1].kind == "contact"
    assert run.events[-1].t == pytest.approx(due, abs=REST)
    assert abs(run["ball.y"].values[-1]) < 1e-12
    lost = run.energy.dissipated[-1]
    assert lost == pytest.approx(G * HEIGHT, rel=1e-9)
