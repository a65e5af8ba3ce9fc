"""Machines that touch: the mass of figure 4 and the shaken table beside equations by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe

G = 9.81
CREEP = 2e-3  # m/s, below which both machines smooth their friction


def by_hand(f, times, x):
    """x(t) of x'' = f(t, x, v) from rest."""
    found = solve_ivp(
        lambda t, y: [y[1], f(t, *y)],
        (0.0, times[-1]),
        [x, 0.0],
        method="LSODA",
        t_eval=times,
        rtol=1e-9,
        atol=1e-11,
    )
    return found.y[0]


def test_a_mass_on_a_floor_is_pulled_against_spring_damper_and_friction():
    """m x'' = F(t) - k (x - l) - c x' - mu m g x' / |x'|; the floor gives way by 0.1 mm."""
    run = kempe.gallery.spring_mass_on_floor().simulate(until=0.3, steps=30)

    def acceleration(t, x, v):
        share = min(t / 0.1, 1.0)
        pull = 60.0 * (share - math.sin(math.tau * share) / math.tau)
        rubbed = 0.1 * 2.0 * G * v / math.hypot(v, CREEP)
        return (pull - 400.0 * (x - 0.35) - 4.0 * v - rubbed) / 2.0

    wanted = by_hand(acceleration, run.t, 0.35)
    assert np.ptp(wanted) > 0.1
    assert run["mass.x"].values == pytest.approx(wanted, abs=1e-4)


def test_a_part_travels_along_a_shaken_table_as_its_friction_says():
    """x'' = -mu (g + a_y) r / |r|, r its speed on the table: pressed on as that rises."""
    stroke, omega, slope, mu = 0.002, math.tau * 15.0, math.radians(30.0), 0.4
    run = kempe.gallery.vibrating_table().simulate(until=0.4, steps=100)

    def acceleration(t, x, v):
        speed = stroke * omega * math.sin(omega * t) * math.cos(slope)
        pressed = G + stroke * omega**2 * math.cos(omega * t) * math.sin(slope)
        slip = v - speed
        return -mu * pressed * slip / math.hypot(slip, CREEP)

    wanted = by_hand(acceleration, run.t, 0.0)
    assert wanted[-1] > 0.02
    # a bed that gives way by 0.05 mm lets it tip
    assert run["part.x"].values - run["part.x"].values[0] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(("share", "flies"), [(0.9, False), (1.15, True)])
def test_a_part_leaves_its_table_where_that_falls_faster_than_it(share, flies):
    """stroke (2 pi frequency)^2 sin(slope) > g."""
    frequency = math.sqrt(share * G / (0.002 * math.sin(math.radians(30.0)))) / math.tau
    run = kempe.gallery.vibrating_table(frequency=frequency).simulate(until=0.1, steps=200)
    assert bool(run["bed.gap"].values.max() > 1e-5) is flies  # m, of both corners
