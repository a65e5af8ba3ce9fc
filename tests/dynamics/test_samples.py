"""Samples between the ends of steps are as good as those ends, a few times over."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Mechanism
from kempe.forces import Acting, NonlinearSpring, SpringDamper

#: Speeds beside the largest: errors of dozens of steps, and of the polynomial between them.
PER_TOLERANCE = 300.0


def slider(x: float, v: float, mass: float, *forces, gravity: float = 0.0) -> Mechanism:
    """A body on a straight guide along x."""
    m = Builder("slider", plane=True, gravity=(gravity, 0))
    inertia = Inertia(mass, (0, 0, 0), np.eye(3))
    car = m.body("car", at=(x, 0), angle=0.0, inertia=inertia, velocity=(v, 0))
    m.prismatic(m.ground.at(0, 0), car.at(0, 0))
    for force in forces:
        m.force(force(car.x))
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_samples_of_an_overdamped_slider_follow_their_closed_form(tolerance, method, plan):
    """Steps as long as stability lets them be, and their polynomials far from the motion."""
    mass, k, c, x0, v0 = 0.148, 97.7, 25.3, 0.2, 0.9
    model = slider(x0, v0, mass, lambda x: SpringDamper(x, stiffness=k, damping=c))
    run = model.simulate(until=2.0, steps=2000, tolerance=tolerance, method=method, plan=plan)
    rates = np.roots([mass, c, k])
    sizes = np.linalg.solve(np.array([[1, 1], rates]), [x0, v0])
    speed = (sizes * rates * np.exp(np.outer(run.t, rates))).sum(axis=1)
    assert run.outcome.is_done
    assert np.abs(run["car.x"].rate - speed).max() < PER_TOLERANCE * tolerance
    # docs/howto/simulate.md: below 1e-6 of the largest kinetic energy at 1e-8, by the usual method;
    # those of order 5 take many more steps, whose errors add up beside all energies
    moved = 0.5 * mass * v0**2 + (0.5 * k * x0**2 if method != "dop853" else 0.0)
    assert np.ptp(run.energy.total) < 100 * tolerance * moved


def test_a_strong_spring_that_has_hardly_moved_yet_raises_no_alarm():
    """Errors of places are beside the machine's length, whatever has been moved until then."""
    k, free, mass = 2.91e4, 0.479, 5.36
    run = slider(
        0.668,
        1.77,
        mass,
        lambda x: SpringDamper(x, stiffness=4.03, free=1.0),
        lambda x: NonlinearSpring(x, f"{k}*t", free=free, acting=Acting.TENSION),
        gravity=-1.64,
    ).simulate(until=2.0, steps=1000)
    assert run.outcome.is_done
    taut = run.t < 0.02  # a harmonic motion about the place where all forces balance
    both = k + 4.03
    home = (k * free + 4.03 - mass * 1.64) / both
    w = math.sqrt(both / mass)
    t = run.t[taut]
    expected = home + (0.668 - home) * np.cos(w * t) + 1.77 / w * np.sin(w * t)
    assert np.abs(run["car.x"].values[taut] - expected).max() < 1e-6
