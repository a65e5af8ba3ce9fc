"""An engine that is started: its speed over a turn from the energy integral."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe

CRANK, ROD, BORE, LOAD, BOOST = 0.04, 0.13, 0.08, 0.2, 1.5
ROD_MASS, PISTON = 0.3, 0.4
AREA, OUTSIDE, ROOM = math.pi * (0.5 * BORE) ** 2, 101325.0, 2.0 * CRANK / 7.0
FINE = 1e-11


def piston(a: complex) -> complex:
    """Its height at an angle of the crank, which may have an imaginary step."""
    return CRANK * np.sin(a) + np.sqrt(ROD**2 - (CRANK * np.cos(a)) ** 2)


def rod_angle(a: complex) -> complex:
    return np.arccos(-CRANK * np.cos(a) / ROD)


def slope(f, a: float) -> float:
    """df/da by a complex step."""
    return float(np.imag(f(a + 1e-30j)) / 1e-30)


def inertia(a: float, flywheel: float) -> float:
    """Twice the kinetic energy at a rate of 1 rad/s."""
    dy, lean, dlean = slope(piston, a), float(np.real(rod_angle(complex(a)))), slope(rod_angle, a)
    middle = 1j * CRANK * np.exp(1j * a) + 0.5j * ROD * np.exp(1j * lean) * dlean
    swung = ROD_MASS * (abs(middle) ** 2 + ROD**2 / 12.0 * dlean**2)
    return flywheel + swung + PISTON * dy**2


def gas(a: float) -> float:
    """Force on the piston: what is outside, less the closed gas, which burns on the way down."""
    closed = (
        (ROOM + 2.0 * CRANK) / (ROOM + CRANK + ROD - float(np.real(piston(complex(a)))))
    ) ** 1.3
    return (
        AREA * OUTSIDE * (1.0 - closed * (1.0 + BOOST * 0.5 * (1.0 - math.tanh(6.0 * math.cos(a)))))
    )


@pytest.fixture(scope="module")
def started():
    """The start, with twelve samples a turn and more at the end."""
    return kempe.gallery.engine_with_flywheel().simulate(until=4.0, steps=8000, tolerance=FINE)


def test_the_speed_over_a_turn_is_that_of_the_energy_integral(started) -> None:
    """dE/da = gas dy/da - load w, with E = I(a) w^2 / 2: over the last turns."""
    turn = started["crank.angle"]
    first = len(turn.values) - 400
    angles, rates = turn.values[first:], turn.rate[first:]

    def law(a: float, energy: np.ndarray) -> list[float]:
        w = math.sqrt(2.0 * float(energy[0]) / inertia(a, 0.2))
        return [gas(a) * slope(piston, a) - LOAD * w]

    start = 0.5 * inertia(angles[0], 0.2) * rates[0] ** 2
    run = solve_ivp(law, (angles[0], angles[-1]), [start], t_eval=angles, rtol=1e-10, atol=1e-8)
    wanted = [math.sqrt(2.0 * e / inertia(a, 0.2)) for a, e in zip(angles, run.y[0], strict=True)]
    assert angles[-1] - angles[0] > 4.0 * math.pi
    assert rates == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("flywheel", [0.2, 0.4])
def test_the_coefficient_of_fluctuation_is_the_energy_over_that_of_the_flywheel(flywheel) -> None:
    """delta = (E_max - E_min) / (I w^2), the design formula, of the torque's energy over a turn."""
    run = kempe.gallery.engine_with_flywheel(flywheel=flywheel).simulate(until=16.0, steps=32000)
    turn = run["crank.angle"]
    last = turn.values > turn.values[-1] - math.tau
    rates = turn.rate[last]
    mean = float(rates.mean())
    a = np.linspace(0.0, math.tau, 2001)
    torque = np.array([gas(x) * slope(piston, x) for x in a])
    excess = torque - np.trapezoid(torque, a) / math.tau
    energy = np.concatenate([[0.0], np.cumsum(0.5 * (excess[1:] + excess[:-1]) * np.diff(a))])
    told = float(np.ptp(energy)) / (flywheel * mean**2)
    assert float(np.ptp(rates)) / mean == pytest.approx(told, rel=0.1)
    assert mean == pytest.approx(np.trapezoid(torque, a) / math.tau / LOAD, rel=0.01)


def test_it_is_turned_over_fires_and_the_starter_lets_go(started) -> None:
    assert [(e.kind, e.name) for e in started.events] == [
        ("switch", "fires"),
        ("switch", "lets_go"),
    ]
    rate = started["crank.angle"].rate
    at = [int(np.searchsorted(started.t, event.t)) for event in started.events]
    assert rate[at[0]] == pytest.approx(25.0, abs=1.5)
    assert rate[at[1]] == pytest.approx(55.0, abs=1.5)
    assert np.abs(started["starter.effort"].values[at[1] + 1 :]).max() < 1e-12


def test_a_weak_starter_does_not_get_it_over_its_compression() -> None:
    tried = kempe.gallery.engine_with_flywheel(starter=8.0).simulate(until=3.0)
    assert tried.outcome.is_done
    assert not tried.events
    assert tried["crank.angle"].ptp() < math.tau
