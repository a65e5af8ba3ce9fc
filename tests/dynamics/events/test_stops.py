"""Stops against closed forms: bounces, rests, departures, several at once."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import kempe
from kempe.drives import Harmonic
from kempe.dynamics.events.impacts import Masses, answer_to, complementary
from kempe.errors import ModelError
from kempe.events import Crossing, Latch, Release, Stop, Switch
from kempe.forces import Actuator, Control, SpringDamper
from kempe.geometry import Inertia, X, Y
from kempe.measures import Displacement
from kempe.outcome import Ending

pytestmark = pytest.mark.core

TIME = 1e-9  # s: how exactly an event is found; the tolerance of a run is 1e-8
BALANCE = 1e-8  # of the largest energy: how well energies add up
G = 9.81


def inertia(mass: float = 1.0, moment: float = 0.01) -> Inertia:
    return Inertia(mass, (0, 0, 0), np.eye(3) * moment)


def ball(height: float = 1.0, speed: float = 0.0) -> tuple[kempe.Builder, Any]:
    m = kempe.Builder("ball", plane=True, gravity=(0, -G))
    body = m.body("ball", at=(0, height), inertia=inertia(), velocity=(0, speed))
    guide = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1, 0), name="guide")
    return m, guide.displacement


def slider(at: float = 0.1, speed: float = 1.0, mass: float = 2.0) -> tuple[kempe.Builder, Any]:
    m = kempe.Builder("slider", plane=True)
    body = m.body("block", at=(at, 0), inertia=inertia(mass), velocity=(speed, 0))
    guide = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="guide")
    return m, guide.displacement


def balances(run: kempe.Trajectory) -> bool:
    energy = run.energy
    largest = np.abs([energy.kinetic, energy.potential, energy.dissipated, energy.driven]).max()
    return bool(np.ptp(energy.total) <= BALANCE * largest)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p"])
def test_a_ball_bounces_at_the_times_of_a_geometric_series_and_then_rests(
    e: float, method: str
) -> None:
    m, height = ball()
    m.event(Stop(height, low=0.0, restitution=e), "floor")
    fall = math.sqrt(2.0 / G)
    over = fall * (1.0 + e) / (1.0 - e)
    run = m.build().simulate(until=1.3 * over, steps=40, method=method)
    met = [event.t for event in run.events if event.kind == "impact"]
    lasts = [2.0 * fall * e**k for k in range(1, len(met))]
    expected = fall + np.concatenate([[0.0], np.cumsum(lasts)])
    assert np.abs(np.array(met) - expected).max() < TIME
    (rest,) = [event for event in run.events if event.kind == "contact"]
    assert abs(rest.t - over) < TIME
    assert run.outcome.is_done
    assert balances(run)
    assert run["floor.effort"].values[-1] == pytest.approx(G, rel=1e-12)
    assert abs(run["guide.displacement"].values[-1]) < 1e-12
    speeds = [event.speed for event in run.events if event.kind == "impact"][:5]
    assert speeds == pytest.approx([G * fall * e**k for k in range(len(speeds))], rel=1e-8)


def test_every_impact_loses_what_its_restitution_says() -> None:
    m, height = ball()
    m.event(Stop(height, low=0.0, restitution=0.6), "floor")
    run = m.build().simulate(until=2.0)
    for event in [event for event in run.events if event.kind == "impact"][:10]:
        assert event.lost == pytest.approx(0.5 * event.speed**2 * (1 - 0.36), rel=1e-9)
        assert event.impulse == pytest.approx(event.speed * 1.6, rel=1e-12)


def test_without_loss_a_ball_bounces_for_ever() -> None:
    m, height = ball()
    m.event(Stop(height, low=0.0, restitution=1.0), "floor")
    run = m.build().simulate(until=30.0)
    fall = math.sqrt(2.0 / G)
    met = np.array([event.t for event in run.events])
    assert np.abs(met - fall * (1 + 2 * np.arange(len(met)))).max() < TIME
    assert len(met) == 33
    assert balances(run)


def test_a_pendulum_meets_a_stop_when_an_elliptic_integral_says() -> None:
    # From rest at 90 degrees to the lowest point: a quarter of the period, K(sin 45 deg) sqrt(l/g).
    k, g = math.sin(math.pi / 4), [1.0, math.cos(math.pi / 4)]
    while abs(g[0] - g[1]) > 1e-15:  # K by the arithmetic-geometric mean
        g = [0.5 * (g[0] + g[1]), math.sqrt(g[0] * g[1])]
    quarter = math.pi / (2.0 * g[0]) * math.sqrt(1.0 / G)
    assert 0.0 < k < 1.0
    m = kempe.Builder("pendulum", plane=True, gravity=(0, -G))
    rod = m.bar("rod", 1.0, angle=0.0, inertia=Inertia(1.0, (1.0, 0, 0), np.zeros((3, 3))))
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.event(Stop(hinge.angle, low=-math.pi / 2, restitution=1.0), "stop")
    run = m.build().simulate(until=5.0, tolerance=1e-12)
    met = np.array([event.t for event in run.events])
    assert np.abs(met - quarter * (1 + 2 * np.arange(len(met)))).max() < TIME
    assert [event.speed for event in run.events] == pytest.approx([math.sqrt(2 * G)] * len(met))
    assert balances(run)


def test_a_block_leaves_its_stop_when_the_push_turns() -> None:
    m, way = slider(at=0.0, speed=0.0)
    m.event(Stop(way, low=0.0), "wall")
    m.force(Control(way, "2 * t - 3"), "push")
    run = m.build().simulate(until=3.0, steps=30)
    assert [(event.kind, event.direction) for event in run.events] == [
        ("contact", "low"),
        ("departure", "low"),
    ]
    assert abs(run.events[1].t - 1.5) < TIME
    t = run.t
    assert np.abs(run["wall.effort"].values - np.maximum(3.0 - 2.0 * t, 0.0)).max() < 1e-9
    moved = np.where(t > 1.5, (t - 1.5) ** 3 / 6.0, 0.0)  # 2 (t - 1.5) / 2 kg, twice integrated
    assert np.abs(run["guide.displacement"].values - moved).max() < 1e-10


def test_a_slider_goes_to_and_fro_between_two_limits() -> None:
    e, m = 0.8, slider(at=0.1, speed=1.0)
    m[0].event(Stop(m[1], low=0.0, high=0.4, restitution=e), "walls")
    run = m[0].build().simulate(until=5.0)
    expected, t, speed = [], 0.3, 1.0
    while t <= 5.0:
        expected.append(t)
        speed *= e
        t += 0.4 / speed
    assert np.abs(np.array([event.t for event in run.events]) - expected).max() < TIME
    assert [event.direction for event in run.events[:4]] == ["high", "low", "high", "low"]
    assert balances(run)


@pytest.mark.parametrize("e", [1.0, 0.7])
def test_two_balls_part_as_newton_says(e: float) -> None:
    m = kempe.Builder("two", plane=True)
    masses, speeds = (1.0, 3.0), (2.0, -0.5)
    blocks = [
        m.body(f"b{k}", at=(1.0 * k, 0), inertia=inertia(masses[k]), velocity=(speeds[k], 0))
        for k in range(2)
    ]
    for k, block in enumerate(blocks):
        m.prismatic(m.ground.at(0, 0), block.at(0, 0), name=f"s{k}")
    gap = m.gauge("gap", Displacement(X), blocks[0].at(0, 0), blocks[1].at(0, 0))
    m.event(Stop(gap, low=0.2, restitution=e), "bump")
    run = m.build().simulate(until=1.0)
    (event,) = run.events
    assert event.t == pytest.approx(0.8 / 2.5, abs=TIME)
    centre = (masses[0] * speeds[0] + masses[1] * speeds[1]) / sum(masses)
    push = (1 + e) * 2.5 / (1 / masses[0] + 1 / masses[1])
    assert event.impulse == pytest.approx(push)
    after = [speeds[0] - push / masses[0], speeds[1] + push / masses[1]]
    assert run.motion.v[-1][[0, 3]] == pytest.approx(after)
    assert masses[0] * after[0] + masses[1] * after[1] == pytest.approx(centre * sum(masses))


def test_of_a_row_of_balls_the_last_flies_off() -> None:
    m = kempe.Builder("cradle", plane=True)
    places = (-1.0, 0.0, 0.1, 0.2, 0.3)
    blocks = [
        m.body(f"b{k}", at=(x, 0), inertia=inertia(), velocity=(float(k == 0), 0))
        for k, x in enumerate(places)
    ]
    for k, block in enumerate(blocks):
        m.prismatic(m.ground.at(0, 0), block.at(0, 0), name=f"s{k}")
    for k in range(4):
        gap = m.gauge(f"gap{k}", Displacement(X), blocks[k].at(0, 0), blocks[k + 1].at(0, 0))
        m.event(Stop(gap, low=0.1, restitution=1.0), f"c{k}")
    run = m.build().simulate(until=2.0)
    assert run.motion.v[-1][::3] == pytest.approx([0, 0, 0, 0, 1], abs=1e-12)
    assert {event.t for event in run.events} == {run.events[0].t}
    assert run.events[0].t == pytest.approx(0.9, abs=TIME)
    assert "at once" in run.events[0].words


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_bar_that_falls_flat_on_two_stops_stays_flat(e: float) -> None:
    m = kempe.Builder("bar", plane=True, gravity=(0, -10.0))
    bar = m.body("bar", at=(0, 1), inertia=Inertia(1.0, (0, 0, 0), np.eye(3) / 12.0))
    for name, x in (("left", -0.5), ("right", 0.5)):
        height = m.gauge(f"y_{name}", Displacement(Y), m.ground.at(0, 0), bar.at(x, 0))
        m.event(Stop(height, low=0.0, restitution=e), name)
    run = m.build().simulate(until=0.8)
    after = next(event for event in run.events if event.kind == "impact").v_after
    assert after == pytest.approx((0.0, e * math.sqrt(20.0), 0.0), abs=1e-9)
    assert balances(run)
    if e == 0.0:
        assert run.motion.held[-1] == pytest.approx([5.0, 5.0])


def test_a_ball_that_only_touches_the_ceiling_is_not_turned_back() -> None:
    m = kempe.Builder("throw", plane=True, gravity=(0, -10.0))
    body = m.body("ball", at=(0, 0), inertia=inertia(), velocity=(0, 10.0))
    guide = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1, 0), name="guide")
    m.event(Stop(guide.displacement, high=5.0, restitution=0.5), "ceiling")
    run = m.build().simulate(until=2.0)
    assert abs(run["guide.displacement"].values[-1]) < 1e-6
    assert all(event.speed < 1e-5 for event in run.events)


def test_a_start_beyond_a_stop_says_by_how_much() -> None:
    m, way = slider(at=0.1)
    m.event(Stop(way, low=0.25), "wall")
    with pytest.raises(ModelError, match=r"0\.15 m past its limit of 0\.25 m") as mistake:
        m.build().simulate(until=1.0)
    assert mistake.value.facts["beyond"] == pytest.approx(0.15)


def test_stops_that_contradict_each_other_are_refused() -> None:
    m, way = slider(at=0.1)
    m.event(Stop(way, low=0.2), "low")
    m.event(Stop(way, high=0.05), "high")
    with pytest.raises(ModelError, match="'low' and 'high' contradict each other"):
        m.build().simulate(until=1.0)


def test_a_drive_that_runs_into_a_stop_is_told_and_keeps_its_samples() -> None:
    m, way = slider()
    m.drive(way, start=0.1, speed=0.5)
    m.event(Stop(way, high=0.4), "wall")
    run = m.build().simulate(until=2.0, steps=20)
    assert run.outcome.ending is Ending.LOCKED
    assert "'wall'" in run.outcome.message
    assert len(run) == 6 or len(run) == 7
    assert run.outcome.facts["t"] == pytest.approx(0.6, abs=TIME)


def test_a_start_on_a_stop_and_towards_it_is_an_impact_at_once() -> None:
    m, way = slider(at=0.4, speed=1.0)
    m.event(Stop(way, high=0.4, restitution=0.5), "wall")
    run = m.build().simulate(until=1.0)
    (event,) = run.events
    assert (event.t, event.kind) == (0.0, "impact")
    assert run["guide.displacement"].values[-1] == pytest.approx(-0.1, abs=1e-12)


def test_a_stop_that_is_released_lets_pass() -> None:
    m, way = slider(at=0.0, speed=1.0)
    m.event(Stop(way, high=0.4, restitution=1.0), "wall")
    m.event(Release("t - 0.2", parts=("wall",)), "open")
    run = m.build().simulate(until=1.0)
    assert [event.kind for event in run.events] == ["release"]
    assert run["guide.displacement"].values[-1] == pytest.approx(1.0)


def test_a_linkage_is_stopped_by_what_its_masses_make_at_the_stop() -> None:
    # The stop takes the energy of the one freedom: T = P s / 2 with its impulse P and speed s.
    m = kempe.Builder("four-bar", plane=True)
    lengths = {"crank": 0.3, "coupler": 0.9, "rocker": 0.7}
    bars = {
        name: m.bar(name, size, inertia=Inertia(size, (size / 2, 0, 0), np.eye(3) * size**3 / 12))
        for name, size in lengths.items()
    }
    crank = m.revolute(m.ground.at(0, 0), bars["crank"].start, name="a")
    m.revolute(bars["crank"].end, bars["coupler"].start, name="b")
    m.revolute(bars["coupler"].end, bars["rocker"].end, name="c")
    rocker = m.revolute(bars["rocker"].start, m.ground.at(1.0, 0), name="d")
    m.rate(crank.angle, 5.0)
    free = m.build().simulate(until=0.4, tolerance=1e-10)
    limit = float(free["d.angle"].values[-1])
    way = np.sign(limit - free["d.angle"].values[0])
    limits = {"high" if way > 0 else "low": limit}
    m.event(Stop(rocker.angle, **limits), "stop")
    run = m.build().simulate(until=0.8, tolerance=1e-10)
    event = run.events[0]
    assert event.t == pytest.approx(0.4, abs=1e-8)
    assert event.lost == pytest.approx(0.5 * event.impulse * event.speed, rel=1e-9)
    assert event.lost == pytest.approx(float(free.energy.kinetic[-1]), rel=1e-8)
    assert np.abs(event.v_after).max() < 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_contact_forces_are_those_of_all_that_could_be(seed: int) -> None:
    # brute force: of all sets of limits that push, those whose forces and gaps are not negative
    random = np.random.default_rng(seed)
    n, k = 6, 4
    rows = random.normal(size=(k, n))
    A, b = rows @ rows.T, random.normal(size=k)
    found = complementary(A, b)
    assert found is not None
    fits = []
    for pushing in itertools.product([False, True], repeat=k):
        some, x = np.array(pushing), np.zeros(k)
        if some.any():
            x[some] = np.linalg.solve(A[np.ix_(some, some)], -b[some])
        if (x >= -1e-12).all() and (A @ x + b >= -1e-9).all():
            fits.append(x)
    assert any(np.allclose(found, x, atol=1e-9) for x in fits)


def test_impulses_leave_joints_as_they_are() -> None:
    random = np.random.default_rng(3)
    J, rows = random.normal(size=(3, 6)), random.normal(size=(2, 6))
    masses = Masses(np.array([np.diag([2.0, 2.0, 0.1]), np.diag([1.0, 1.0, 1e-6])]), 0.7)
    answer = answer_to(J, masses, rows)
    M = np.diag([2.0, 2.0, 0.1, 1.0, 1.0, 1e-6])
    inverse = np.linalg.inv(M)
    S = J @ inverse @ J.T
    exact = inverse @ (rows.T - J.T @ np.linalg.solve(S, J @ inverse @ rows.T))
    assert np.abs(J @ answer.moved).max() < 1e-9
    assert answer.moved == pytest.approx(exact, rel=1e-6)


def test_switching_a_force_off_takes_its_energy_with_it() -> None:
    m, way = slider(at=0.5, speed=0.0)
    m.force(SpringDamper(way, stiffness=8.0), "spring")
    m.event(Switch("guide.displacement - 0.3", off="spring", direction="falling"), "cut")
    run = m.build().simulate(until=1.0)
    omega = 2.0  # sqrt(8 / 2)
    assert run.events[0].t == pytest.approx(math.acos(0.6) / omega, abs=TIME)
    assert run["guide.displacement.rate"].values[-1] == pytest.approx(-0.8, rel=1e-8)
    assert run["spring.effort"].values[-1] == 0.0
    assert balances(run)


def test_a_run_that_is_ended_has_its_last_sample_there() -> None:
    m, _ = slider(at=0.1, speed=1.0)
    end = Crossing("guide.displacement - 0.55", ends=True, name="there")
    run = m.build().simulate(until=2.0, steps=20, events=[end])
    assert run.outcome.is_done
    assert "'there'" in run.outcome.message
    assert run.t[-1] == pytest.approx(0.45, abs=TIME)
    assert run["guide.displacement"].values[-1] == pytest.approx(0.55, abs=1e-12)


@pytest.mark.parametrize("others", [0.5, 0.0, 0.2])
def test_two_stops_at_one_place_bounce_as_the_livelier_one_and_carry_the_weight_together(others):
    """The pegs of a pair: after sqrt(2 / g) (1 + e) / (1 - e), e = 0.5, the ball is at rest."""
    m, height = ball()
    m.event(Stop(height, low=0.0, restitution=0.5), "left")
    m.event(Stop(height, low=0.0, restitution=others), "right")
    run = m.build().simulate(until=2.0, steps=4)
    assert run.outcome.is_done
    bounced = [event.t for event in run.events if event.kind == "impact"][:2]
    first = math.sqrt(2.0 / G)
    assert min(bounced) == pytest.approx(first, abs=TIME)
    over = [event.t for event in run.events if event.kind == "contact"]
    assert over[0] == pytest.approx(3.0 * first, abs=1e-5)
    carried = run["left.effort"].values + run["right.effort"].values
    assert carried[-1] == pytest.approx(G, rel=1e-12)


@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p", "gear"])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_thrown_at_a_wall_without_bounce_stands_there_at_any_size(seed, method):
    """Rails of 1e-6 to 1e6 m: rounding of a place is a share of the place, not of a metre."""
    rng = np.random.default_rng(seed)
    size, start = 10.0 ** rng.uniform(-6, 6), rng.uniform(0, 1)
    wall = (start + rng.uniform(0.1, 1)) * size
    m = kempe.Builder("thrown", plane=True)
    moments = Inertia(1.0, (0, 0, 0), size**2 * np.eye(3))
    block = m.body(
        "block", at=(start * size, 0), angle=0.0, inertia=moments, velocity=(3 * size, 0)
    )
    m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="rail")
    m.event(Stop(block.x, high=wall), "wall")
    run = m.build().simulate(until=1.0, steps=3, method=method)
    assert run.outcome.is_done
    assert [event.kind for event in run.events] == ["impact"]
    assert run["block.x"].values[-1] == pytest.approx(wall, rel=1e-12)
    assert abs(run["block.x"].rate[-1]) <= 1e-12 * size


def test_each_impact_of_one_moment_loses_what_its_own_restitution_takes():
    """Two pairs of balls of 1 kg close at 2 m/s: (1 - e^2) 2^2 / 4 J each, 0 where e is 1."""
    m = kempe.Builder("pairs", plane=True)
    balls = []
    for k, (x, speed) in enumerate([(0.0, 1.0), (1.0, -1.0), (5.0, 1.0), (6.0, -1.0)]):
        body = m.body(f"ball{k}", at=(x, 0), angle=0.0, inertia=inertia(), velocity=(speed, 0))
        m.prismatic(m.ground.at(0, 0), body.at(0, 0))
        balls.append(body)
    for name, k, e in (("hard", 0, 1.0), ("soft", 2, 0.25)):
        gap = m.gauge(f"gap {name}", Displacement(X), balls[k].at(0, 0), balls[k + 1].at(0, 0))
        m.event(Stop(gap, low=0.0, restitution=e), name)
    run = m.build().simulate(until=1.0, steps=1)
    lost = {event.name: event.lost for event in run.events}
    assert lost["hard"] == pytest.approx(0.0, abs=1e-12)
    assert lost["soft"] == pytest.approx((1.0 - 0.25**2) * 2.0**2 / 4.0, rel=1e-9)


def test_what_one_latch_holds_another_takes_over_when_it_lets_go():
    """1 m/s and 1 m/s^2: x = 0.5 at sqrt(2) - 1 s, where half of (sqrt 2)^2 J are lost, once."""
    m, x = slider(at=0.0, speed=1.0, mass=1.0)
    m.force(SpringDamper(x, preload=1.0), "push")
    m.event(Latch("guide.displacement - 0.5", (x,)), "first")
    m.event(Latch("t - 0.7", (x,)), "second")
    m.event(Release("t - 0.8", ("first",)), "lets go")
    m.event(Release("t - 0.9", ("second",)), "goes")
    run = m.build().simulate(until=1.0, steps=20)
    assert run.outcome.is_done
    assert [event.t for event in run.events] == pytest.approx([2**0.5 - 1, 0.7, 0.8, 0.9], abs=TIME)
    assert [event.lost for event in run.events] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=1e-7)
    both = run["first.effort"].values + run["second.effort"].values
    held = (run.t > 0.42) & (run.t < 0.89)
    np.testing.assert_allclose(both[held], -1.0, rtol=1e-9)
    assert run["guide.displacement"].values[-1] == pytest.approx(0.5 + 0.5 * 0.1**2, abs=1e-9)


def test_latches_that_catch_at_one_moment_each_lose_what_they_stop():
    """Two blocks of 1 and 4 kg at 1 m/s: half a joule, and two."""
    m = kempe.Builder("two", plane=True)
    for name, y, mass in (("light", 0.0, 1.0), ("heavy", 1.0, 4.0)):
        body = m.body(name, at=(0, y), angle=0.0, inertia=inertia(mass), velocity=(1, 0))
        m.prismatic(m.ground.at(0, y), body.at(0, 0), name=f"{name} rail")
        m.event(Latch("t - 0.5", (m.part(f"{name} rail").displacement,)), f"{name} latch")
    run = m.build().simulate(until=1.0, steps=2)
    assert {event.name: event.lost for event in run.events} == pytest.approx(
        {"light latch": 0.5, "heavy latch": 2.0}, rel=1e-9
    )


@pytest.mark.parametrize("e", [0.2, 0.4, 0.7])
def test_bounces_by_gears_method_fall_by_the_restitution_each_and_end_in_contact(e: float) -> None:
    """All are over after sqrt(2 h / g) (1 + 2 e / (1 - e)); the last few are 1e-12 m high."""
    m, x = ball()
    m.event(Stop(x, low=0.0, restitution=e), "floor")
    run = m.build().simulate(until=3.0, steps=10, method="gear")
    assert run.outcome.is_done
    speeds = np.array([event.speed for event in run.events if event.kind == "impact"])
    np.testing.assert_allclose(speeds[1:-4] / speeds[:-5], e, rtol=3e-3)
    assert [event.kind for event in run.events[-2:]] == ["impact", "contact"]
    assert run.events[-1].t == pytest.approx((2 / G) ** 0.5 * (1 + 2 * e / (1 - e)), abs=3e-4)


@pytest.mark.parametrize("power", [0, -9, -15, -24])
def test_a_limit_is_left_however_small_the_torques_are(power):
    """T = cos t holds it at its limit until pi / 2, and leads it away from there."""
    small = 10.0**power
    m = kempe.Builder("wheel", plane=True)
    wheel = m.body(
        "wheel", at=(0, 0), angle=0.3, inertia=Inertia(small, (0, 0, 0), small * np.eye(3))
    )
    angle = m.revolute(m.ground.at(0, 0), wheel.at(0, 0), name="hinge").angle
    law = Harmonic(amplitude=small, frequency=1.0 / math.tau, phase=math.pi / 2)
    m.force(Actuator(angle, law), "push")
    m.event(Stop(angle, high=0.3, restitution=0.0), "stop")
    run = m.build().simulate(until=2.5, steps=5)
    (left,) = [event.t for event in run.events if event.kind == "departure"]
    assert left == pytest.approx(math.pi / 2)
    gone = -math.cos(2.5) - (2.5 - math.pi / 2)  # twice the integral of cos t
    assert run["hinge.angle"].values[-1] == pytest.approx(0.3 + gone, abs=1e-6)
