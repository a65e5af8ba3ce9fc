"""Corners of tables and jumps of rounded values are found where they are, in state and in time."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import kempe
from kempe import Builder, Inertia
from kempe.algebra.functions import Interpolation
from kempe.drives import Formula, Polynomial, Table
from kempe.forces import Actuator, Control, NonlinearSpring
from tests.dynamics.efforts import Effort, block

TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-10]
PLANS = ["small", "large"]
#: Between corners the motions are polynomials of a degree that the steps follow exactly.
ROUNDING = 1e-12
#: A few dozen steps, each to its tolerance, in lengths and energies of about 1.
PER_TOLERANCE = 100.0


def zigzag(x, y) -> Interpolation:
    """Straight pieces between points."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    return Interpolation(x, np.stack([np.diff(y) / np.diff(x), y[:-1]], axis=1))


def twice_integrated(x, y, times):
    """Places and speeds from rest under straight pieces between points, piece by piece."""
    x, y, found = np.asarray(x, float), np.asarray(y, float), []
    for t in times:
        place = speed = 0.0
        for a, b, f, g in zip(x[:-1], x[1:], y[:-1], y[1:], strict=True):
            h, slope = min(t, b) - a, (g - f) / (b - a)
            if h <= 0.0:
                break
            place += speed * h + f * h**2 / 2 + slope * h**3 / 6
            speed += f * h + slope * h**2 / 2
        found.append((place, speed))
    return np.transpose(found)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_table_of_time_is_followed_exactly_whatever_the_tolerance(tolerance, plan):
    """Nothing, a straight rise from 0.31 to 0.73 s, and a level: x is a cubic in each."""
    table = Table(((0.31, 0.0), (0.73, 5.0)))
    run = block(lambda x: Actuator(x, table)).simulate(
        until=1.1, steps=37, tolerance=tolerance, plan=plan
    )
    place, speed = twice_integrated((0, 0.31, 0.73, 2), (0, 0, 5, 5), run.t)
    assert run.outcome.is_done
    assert run.motion.counts["switched"] == 2
    assert run.motion.counts["rejected"] == 0
    assert np.abs(run["block.x"].values - place).max() < ROUNDING
    assert np.abs(run.motion.v[:, 0] - speed).max() < ROUNDING
    work = 0.5 * speed**2
    assert np.abs(run.energy.dissipated + work).max() < ROUNDING


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_every_corner_of_a_zigzag_of_time_ends_a_step(tolerance, plan):
    rng = np.random.default_rng(5)
    x = np.concatenate([[0.0], np.sort(rng.uniform(0.01, 1.9, 40)), [2.0]])
    y = rng.normal(size=len(x))
    law = zigzag(x, y)
    run = block(lambda gauge: Effort(gauge, lambda m, t: law(t))).simulate(
        until=2.0, steps=11, tolerance=tolerance, plan=plan
    )
    place, speed = twice_integrated(x, y, run.t)
    assert run.outcome.is_done
    assert run.motion.counts["switched"] == 40
    assert np.abs(run["block.x"].values - place).max() < ROUNDING
    assert np.abs(run.motion.v[:, 0] - speed).max() < ROUNDING


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_rounded_time_jumps_where_it_jumps(tolerance, plan):
    """f = round(3 t): 0, 1, 2, 3, 4 N from the halves of thirds of a second on."""
    run = block(lambda gauge: Effort(gauge, lambda m, t: np.rint(3.0 * t))).simulate(
        until=1.4, steps=9, tolerance=tolerance, plan=plan
    )
    edges = [(n + 0.5) / 3.0 for n in range(4)]
    expected = sum(0.5 * np.maximum(run.t - edge, 0.0) ** 2 for edge in edges)
    assert run.outcome.is_done
    assert run.motion.counts["switched"] == 4
    assert run.motion.counts["rejected"] == 0
    assert np.abs(run["block.x"].values - expected).max() < ROUNDING


def test_a_formula_that_changes_over_with_time_costs_no_rejected_step():
    run = block(lambda x: Control(x, "7 if t < 0.37 else (-2 if t < 0.81 else 1)")).simulate(
        until=1.0, steps=3
    )
    t = run.t
    expected = 3.5 * t**2 - 4.5 * np.maximum(t - 0.37, 0) ** 2 + 1.5 * np.maximum(t - 0.81, 0) ** 2
    assert run.motion.counts["switched"] == 2
    assert run.motion.counts["rejected"] == 0
    assert run.motion.counts["steps"] <= 8
    assert np.abs(run["block.x"].values - expected).max() < ROUNDING


def test_a_periodic_table_is_smooth_where_it_begins_anew():
    """A step that ended at every period would be wasted: nothing jumps there."""
    t = np.linspace(0.0, 0.2, 129)
    table = Table(
        tuple(zip(t.tolist(), np.sin(10 * np.pi * t).round(15).tolist(), strict=True)), True
    )
    run = block(lambda x: Actuator(x, table)).simulate(until=1.0, steps=3)
    assert run.outcome.is_done
    assert run.motion.counts["switched"] == 0


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10, 1e-12])
def test_a_spline_of_few_points_keeps_its_energy(tolerance):
    """Between its pieces the third derivative jumps: steps end there, and none is wasted."""
    points = ((-0.6, -40.0), (-0.3, -9.0), (0.0, 0.5), (0.2, 12.0), (0.5, 30.0))
    m = Builder("slider", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), np.eye(3))
    body = m.body("block", at=(0.4, 0), angle=0.0, inertia=inertia)
    m.prismatic(m.ground.at(0, 0), body.at(0, 0))
    m.force(NonlinearSpring(body.x, Table(points)), "spring")
    run = m.build().simulate(until=2.0, steps=80, tolerance=tolerance)
    counts, energy = run.motion.counts, run.energy
    assert counts["switched"] > 0
    assert counts["rejected"] <= 1
    assert np.ptp(energy.mechanical) < 20.0 * tolerance * energy.kinetic.max()


def thrown(x: float, v: float, f: float, t):
    """x and x' under a steady push."""
    return x + v * t + 0.5 * f * t * t, v + f * t


def swung(x: float, v: float, w: float, t):
    """x and x' on a spring."""
    return x * np.cos(w * t) + v / w * np.sin(w * t), v * np.cos(w * t) - x * w * np.sin(w * t)


def clipped_motion(k: float, edge: float, x0: float, times):
    """x and x' from rest at x0 > edge of a spring k whose force stays level beyond +-edge."""
    w, found = math.sqrt(k), np.empty((len(times), 2))
    t, x, v = 0.0, x0, 0.0
    while t < times[-1]:
        side = math.copysign(edge, x)
        if x * v >= 0.0:  # beyond the edge, and back to it
            f = -k * side
            law = partial(thrown, x, v, f)
            lasts = (abs(v) + math.sqrt(v * v + 2 * abs(f) * (abs(x) - edge))) / abs(f)
        else:  # from one edge to the other
            law, side = partial(swung, x, v, w), -side
            lasts = 2.0 * math.atan2(edge * w, abs(v)) / w
        inside = (times >= t) & (times <= t + lasts)
        found[inside] = np.transpose(law(times[inside] - t))
        t, x, v = t + lasts, side, law(lasts)[1]
    return found.T


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_spring_drawn_as_a_table_follows_its_closed_form(tolerance, plan):
    """Straight between two points, level beyond them: swings and parabolas in turn."""
    k, edge, x0 = 40.0, 0.1, 0.25
    table = Table(((-edge, -k * edge), (edge, k * edge)))
    run = block(lambda x: NonlinearSpring(x, table), x=x0).simulate(
        until=3.0, steps=60, tolerance=tolerance, plan=plan
    )
    x, v = clipped_motion(k, edge, x0, run.t)
    allowed = PER_TOLERANCE * tolerance + ROUNDING
    assert run.outcome.is_done
    assert run.motion.counts["switched"] >= 6
    assert run.motion.counts["rejected"] <= 1.5 * run.motion.counts["switched"]
    assert np.abs(run["block.x"].values - x).max() < allowed
    stored = 0.5 * k * np.minimum(np.abs(x), edge) ** 2 + k * edge * np.maximum(np.abs(x) - edge, 0)
    energy = run.energy
    assert (
        np.abs(energy.potential - energy.potential[0] - (stored - stored[0])).max() < 10 * allowed
    )
    assert np.abs(0.5 * v * v - energy.kinetic).max() < 10 * allowed
    assert np.abs(energy.dissipated).max() < 10 * allowed


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_zigzag_of_place_keeps_the_energy(tolerance, plan):
    """f(x) between random points: 1/2 v^2 less its integral, trapezoid by trapezoid, stays."""
    rng = np.random.default_rng(3)
    places = np.linspace(-1.0, 1.0, 21)
    forces = -8.0 * places + rng.normal(size=21)
    law = zigzag(places, forces)
    run = block(lambda gauge: Effort(gauge, lambda m, t: law(m.value)), x=0.63).simulate(
        until=3.0, steps=60, tolerance=tolerance, plan=plan
    )
    x, v = run["block.x"].values, run.motion.v[:, 0]
    areas = np.concatenate([[0.0], np.cumsum(0.1 * 0.5 * (forces[1:] + forces[:-1]))])
    piece = np.clip(np.searchsorted(places, x) - 1, 0, 19)
    part = x - places[piece]
    slope = (forces[piece + 1] - forces[piece]) / 0.1
    gained = areas[piece] + forces[piece] * part + 0.5 * slope * part**2
    energy = 0.5 * v * v - gained
    assert run.outcome.is_done
    assert run.motion.counts["switched"] > 20
    assert run.motion.counts["rejected"] <= 2.5 * run.motion.counts["switched"]
    assert np.abs(energy - energy[0]).max() < PER_TOLERANCE * tolerance + ROUNDING


@pytest.mark.parametrize("plan", PLANS)
def test_a_rounded_place_pushes_by_steps(plan):
    """f = -10 round(10 x): level between steps, and every level adds its own parabola."""
    run = block(lambda x: Effort(x, lambda m, t: -10.0 * np.rint(10.0 * m.value)), x=0.32).simulate(
        until=2.0, steps=50, tolerance=1e-8, plan=plan
    )
    x, v = run["block.x"].values, run.motion.v[:, 0]
    stored = sum(np.maximum(np.abs(x) - (n + 0.5) / 10, 0.0) * 10.0 for n in range(5))
    energy = 0.5 * v * v + stored
    assert run.outcome.is_done
    assert run.motion.counts["switched"] > 10
    assert np.abs(energy - energy[0]).max() < 1e-9


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_drive_whose_acceleration_jumps_is_met_on_time(tolerance):
    """A cart that starts and stops with +-2 m/s^2, and a mass on a spring that it carries."""
    k, jumps = 90.0, ((0.21, 2.0), (0.56, -4.0), (0.91, 2.0))

    def law(t):
        return sum(0.5 * a * kempe.where(t > at, (t - at) * (t - at), 0.0) for at, a in jumps)

    m = Builder("cart", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
    cart = m.body("cart", at=(0, 0), angle=0.0, inertia=inertia)
    load = m.body("load", at=(1, 0), angle=0.0, inertia=inertia)
    rail = m.prismatic(m.ground.at(0, 0), cart.at(0, 0), name="rail")
    seat = m.prismatic(cart.at(1, 0), load.at(0, 0), name="seat")
    m.drive(rail.displacement, Formula(law))
    m.force(Control(seat.displacement, f"-{k} * x"), "spring")
    run = m.build().simulate(until=1.4, steps=23, tolerance=tolerance)
    w = math.sqrt(k)
    lag = sum(-a / k * np.where(run.t > at, 1.0 - np.cos(w * (run.t - at)), 0.0) for at, a in jumps)
    assert run.outcome.is_done
    assert run.motion.counts["rejected"] <= 1
    assert (
        np.abs(run["seat.displacement"].values - lag).max() < PER_TOLERANCE * tolerance + ROUNDING
    )


SEAMS = {
    "four points": (((0, 1), (1, 2), (2, 1.5), (3, 1)), 0.1),
    "four points from -1": (((-1, 1), (0, 2), (1, 1.5), (2, 1)), -0.9),
    "three points": (((0, 1), (1, 2), (3, 1)), 0.1),
    "three corners": (((0, 1), (1, 2), (1.5, 0.5), (2, 1.5), (3, 1)), 0.1),
}


@pytest.mark.parametrize(("points", "speed"), SEAMS.values(), ids=SEAMS)
def test_a_periodic_table_of_few_points_goes_on_round(points, speed):
    """A damper whose rate falls through the seam again and again, beside an integration of its own.

    v' = -law(v),  law by another library, in steps far below those of the table.
    """
    m = Builder("car", plane=True)
    body = m.body(
        "block",
        at=(0, 0),
        angle=0.0,
        inertia=Inertia(1.0, (0, 0, 0), np.eye(3)),
        velocity=(speed, 0),
    )
    m.prismatic(m.ground.at(0, 0), body.at(0, 0))
    m.force(NonlinearSpring(body.x, Polynomial((0.0,)), damper=Table(points, periodic=True)), "d")
    run = m.build().simulate(until=4.0, steps=20, tolerance=1e-10)
    assert run.outcome.is_done, run.outcome
    t, y = np.array(points).T
    law = CubicSpline(t, y, bc_type="periodic")
    found = solve_ivp(
        lambda _, v: -law(t[0] + (v - t[0]) % (t[-1] - t[0])),
        (0.0, 4.0),
        [speed],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        max_step=2e-3,
        t_eval=run.t,
    )
    assert np.abs(run["block.x"].rate - found.y[0]).max() < 1e-8
    assert run.motion.counts["switched"] < 20


@pytest.mark.parametrize("points", [((0, 1), (1, -1), (2, 1)), ((3, 1), (4, 2), (5, 1.5), (6, 1))])
def test_a_spring_by_a_periodic_table_stores_what_it_takes(points):
    """Over several periods; the integral beside a sum of many thin strips."""
    table = Table(points, periodic=True)
    m = Builder("car", plane=True)
    body = m.body(
        "block", at=(0.1, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)), velocity=(5, 0)
    )
    m.prismatic(m.ground.at(0, 0), body.at(0, 0))
    m.force(NonlinearSpring(body.x, table), "s")
    run = m.build().simulate(until=2.0, steps=20, tolerance=1e-10)
    assert run.outcome.is_done, run.outcome
    assert np.ptp(run.energy.mechanical) < 1e-7
    assert np.abs(run.energy.dissipated).max() < 1e-12
    x = run["block.x"].values[-1]
    width = x / 100_000
    strips = width * table.value(width * (np.arange(100_000) + 0.5)).sum()
    assert run["s.energy"].values[-1] == pytest.approx(strips, abs=1e-7)
