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


def follower_by_hand(until: float):
    """When the follower of `cam_follower` leaves its cam and comes back, by SciPy alone.

    m y'' = -m g - F - c (y - y_0) + f n_y with f = k d max(0, 1 + b d'), d the overlap of a roller
    at (0, y) with an ellipse that is turned by w t: its foot is a root of one equation.
    """
    a, b, r, k, loss, mass, w = 0.03, 0.022, 0.01, 5e6, 0.4, 0.4, 80.0
    preload, spring, g = 20.0, 2000.0, 9.81
    start = b + r - (mass * g + preload) / k

    def overlap(t, y, speed):
        c, s = math.cos(w * t), math.sin(w * t)
        px, py = y * s, y * c  # (0, y) as the cam sees it
        u = math.atan2(py / b, px / a)
        for _ in range(30):  # (p - C) . C' = 0
            cu, su = math.cos(u), math.sin(u)
            miss = (px - a * cu) * -a * su + (py - b * su) * b * cu
            slope = (
                -(a * a * su * su + b * b * cu * cu)
                - (px - a * cu) * a * cu
                - (py - b * su) * b * su
            )
            u -= miss / slope
        nx, ny = b * math.cos(u), a * math.sin(u)
        size = math.hypot(nx, ny)
        nx, ny = nx / size, ny / size
        dx, dy = px - a * math.cos(u), py - b * math.sin(u)
        d = r - (dx * nx + dy * ny)
        # seen from the cam the roller moves by (y s, y c)'
        rate = -(nx * (speed * s + y * w * c) + ny * (speed * c - y * w * s))
        return d, rate, nx * s + ny * c

    def flight(t, x):
        return [x[1], -g - (preload + spring * (x[0] - start)) / mass]

    def pressed(t, x):
        d, rate, up = overlap(t, *x)
        away = flight(t, x)
        return [x[1], away[1] + k * d * max(0.0, 1.0 + loss * rate) * up / mass]

    def apart(t, x):
        return overlap(t, *x)[0]

    apart.terminal = True
    x, t, touching, times = [start, 0.0], 0.0, True, []
    while t < until:
        apart.direction = -1.0 if touching else 1.0
        law = pressed if touching else flight
        run = solve_ivp(
            law, (t, until), x, "DOP853", events=apart, rtol=1e-12, atol=1e-15, max_step=2e-4
        )
        t, x = float(run.t[-1]), run.y[:, -1]
        if run.status != 1:
            break
        times.append(t)
        touching = not touching
    return times


def test_a_cam_loses_and_regains_its_follower_when_an_equation_by_hand_says():
    due = follower_by_hand(0.03)
    run = kempe.gallery.cam_follower().simulate(until=0.03, steps=30, tolerance=1e-11)
    assert len(due) >= 2
    assert [e.kind for e in run.events] == [("lift-off", "touch")[k % 2] for k in range(len(due))]
    for event, t in zip(run.events, due, strict=True):
        assert event.t == pytest.approx(t, abs=1e-9)
