"""What rolling and gliding keep: first integrals over a minute, to eight digits.

Sources: [NeimarkFufaev] for Chaplygin's sleigh and for the disc, whose two integrals beside the
energy Appell and Korteweg found in 1900: spin and turning obey a linear equation in the angle of
the disc alone, so that both are known functions of it, with two constants.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe import Rotation

pytestmark = pytest.mark.row("C4")

MINUTE = 60.0
KEPT = 1e-8  # of the largest
TOLERANCE = 1e-11
METHODS = ["dop853", "rodas5p"]


def spread(values):
    return float(np.ptp(values, axis=0).max() / np.abs(values).max())


@pytest.mark.parametrize("method", METHODS)
def test_chaplygins_sleigh_keeps_its_energy_and_how_its_heading_goes_with_its_speed(method):
    ahead, mass, inertia = 0.3, 2.0, 0.1
    sleigh = kempe.gallery.chaplygin_sleigh(ahead=ahead, mass=mass, inertia=inertia)
    glide = sleigh.simulate(until=MINUTE, tolerance=TOLERANCE, method=method)
    angle = glide["sleigh.angle"].values
    w = glide["sleigh.angle"].rate
    v = glide["sleigh.blade"].velocity
    u = np.cos(angle) * v[:, 0] + np.sin(angle) * v[:, 1]
    whole = inertia + mass * ahead**2
    energy = 0.5 * mass * u**2 + 0.5 * whole * w**2
    assert spread(energy) < KEPT
    # du/dt = a w^2 and |w| = sqrt(m / whole) sqrt(U^2 - u^2) give the heading as a function of u
    U = np.sqrt(2.0 * energy[0] / mass)
    turning = np.arctan2(u, np.sqrt(whole / mass) * np.abs(w))  # asin(u / U), well known at the end
    kept = angle - np.sign(w[0]) * np.sqrt(whole / mass) / ahead * turning
    assert np.ptp(kept) < KEPT * np.ptp(angle)
    # and both as functions of time
    phase = ahead * U * mass / whole * glide.t + np.arctanh(u[0] / U)
    assert np.abs(u - U * np.tanh(phase)).max() < KEPT * U


@pytest.mark.parametrize("method", METHODS)
def test_a_rolling_disc_keeps_its_energy_and_the_integrals_of_appell_and_korteweg(method):
    radius, mass = 0.5, 1.0
    roll = kempe.gallery.rolling_disc(radius=radius, mass=mass).simulate(
        until=MINUTE, steps=600, tolerance=TOLERANCE, method=method
    )
    assert spread(roll.energy.mechanical) < KEPT
    q, v = roll.motion.q, roll.motion.v
    up = np.array([Rotation.from_quaternion(e).matrix()[2] for e in q[:, 3:7]])  # in body axes
    angle = np.arccos(up[:, 2])  # of the disc's axis from the vertical
    spin = v[:, 5]  # about that axis
    turning = (np.einsum("ni,ni->n", up, v[:, 3:6]) - up[:, 2] * spin) / np.sin(angle)
    A, C, rolled = 0.25, 0.5, 1.0  # of m r^2

    def slope(t, y):
        spun, turned = y[:2], y[2:]
        return [*(rolled / (C + rolled) * turned), *(C / A * spun - turned / np.tan(t))]

    first, unit = angle[0], (1.0, 0.0, 0.0, 1.0)  # two solutions side by side
    exact = {"method": "DOP853", "dense_output": True, "rtol": 1e-13, "atol": 1e-14}
    ends = (angle.min() - 1e-3, angle.max() + 1e-3)
    parts = [solve_ivp(slope, (first, end), unit, **exact) for end in ends]
    ways = np.where(angle[:, None] < first, parts[0].sol(angle).T, parts[1].sol(angle).T)
    constants = np.linalg.solve(ways.reshape(-1, 2, 2), np.stack([spin, turning], 1)[..., None])
    assert np.ptp(angle) > 0.3  # it nods, or nothing would be shown
    assert spread(constants[..., 0]) < KEPT


@pytest.mark.parametrize("method", METHODS)
def test_a_rattleback_keeps_its_energy(method):
    stone = kempe.gallery.rattleback().simulate(until=MINUTE, tolerance=TOLERANCE, method=method)
    assert stone.outcome.is_done
    about_z = stone.motion.v[:, 5]
    assert about_z.min() < -4.0  # it sets out so, and has turned round meanwhile
    assert about_z.max() > 4.0
    assert spread(stone.energy.mechanical) < KEPT
