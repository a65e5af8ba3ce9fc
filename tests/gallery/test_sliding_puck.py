"""A puck on a tilted table: it slides and spins as slip and spin in one vector say."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe

G = 9.81
CLOSE = 1e-6  # m and rad


def test_a_puck_slides_spins_and_stops_as_scipy_says():
    tilt, mu, radius, mass, speed, spin = math.radians(12.0), 0.3, 0.06, 0.5, 2.0, 20.0
    run = kempe.gallery.sliding_puck().simulate(until=2.5)
    rho, about = 2 * radius / 3, 0.5 * mass * radius**2
    pull = np.array([0.0, -G * math.sin(tilt)])  # across, and up the slope
    normal = mass * G * math.cos(tilt)

    def slope(_, y):
        s = np.array([y[3], y[4], rho * y[5]])
        e = -mu * normal * s / np.linalg.norm(s)
        return [*y[3:], e[0] / mass + pull[0], e[1] / mass + pull[1], rho * e[2] / about]

    (stick,) = run.events
    before = run.t[run.t < stick.t - 0.01]
    start = [0, 0, 0, speed, 0, spin]
    due = solve_ivp(slope, (0, before[-1]), start, rtol=1e-11, atol=1e-13, dense_output=True)
    x, y, z = (run[f"puck.P.{axis}"].values for axis in "xyz")
    along = y * math.cos(tilt) - z * math.sin(tilt)
    found = x, math.copysign(1.0, z[-1] * along[-1]) * along
    expected = due.sol(before)
    assert np.abs(found[0][: len(before)]) == pytest.approx(np.abs(expected[0]), abs=CLOSE)
    assert np.abs(found[1][: len(before)]) == pytest.approx(np.abs(expected[1]), abs=CLOSE)
    assert z[-1] == pytest.approx(z[run.t > stick.t][0], abs=1e-12)
    assert np.ptp(run.energy.total) < 1e-7 * run.energy.kinetic[0]
