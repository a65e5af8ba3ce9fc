"""Switches of force laws are found where they are: steps end there, whatever the tolerance."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
import pytest
from scipy.optimize import brentq

import kempe
from kempe import Builder, Inertia, Marker, Mechanism
from kempe.drives import Piecewise, Polynomial, Ramp
from kempe.forces import (
    AbstractForce,
    Acting,
    Action,
    Actuator,
    Control,
    LineSpring,
    NonlinearSpring,
)
from tests.dynamics.efforts import Effort, block

G = 9.81
K, C, FREE = 400.0, 3.0, 1.0  # of a spring under a ball of 1 kg
HEIGHT = 0.4  # m above it
TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-10]
#: Of places and energies: a few dozen steps, each to its tolerance; bounces stretch their errors.
PER_TOLERANCE = 300.0
ROUNDING = 1e-11
INERTIA = Inertia(1.0, (0, 0, 0), np.eye(3))


def bouncing(balls: int = 1, height: float = HEIGHT) -> Mechanism:
    """Balls of 1 kg that fall on damped springs which only push, each straight down."""
    m = Builder("bouncing", plane=True, gravity=(0, -G))
    for k in range(balls):
        inertia = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
        ball = m.body(f"ball{k}", at=(3.0 * k, FREE + height), angle=0.0, inertia=inertia)
        spring = LineSpring(
            m.ground.at(3.0 * k, 0), ball.at(0, 0), K, C, FREE, acting=Acting.COMPRESSION
        )
        m.force(spring, f"spring{k}")
    return m.build()


def pull(s, rate):
    """K s + C s', what the spring would pull with if it could."""
    return K * s + C * rate


def flight(s0: float, v0: float):
    """s and s' of a ball that nothing holds."""
    return lambda t: (s0 + v0 * t - 0.5 * G * t * t, v0 - G * t)


def contact(s0: float, v0: float):
    """s and s' of a ball on its spring, a damped oscillation about -G/K."""
    decay = 0.5 * C
    w = math.sqrt(K - decay * decay)
    a, b = s0 + G / K, (v0 + decay * (s0 + G / K)) / w

    def at(t):
        e, c, s = np.exp(-decay * t), np.cos(w * t), np.sin(w * t)
        return (
            e * (a * c + b * s) - G / K,
            e * ((b * w - decay * a) * c - (a * w + decay * b) * s),
        )

    return at


def bounces(times: np.ndarray, height: float = HEIGHT) -> tuple[np.ndarray, np.ndarray, int]:
    """s and s' at the times, piece by piece in closed form; and how often the law changes."""
    found, t, s, v = np.empty((len(times), 2)), 0.0, height, 0.0
    touching, pushing, changes = height < 0.0, False, 0
    while True:
        law = contact(s, v) if touching and pushing else flight(s, v)

        def until(x, law=law, touching=touching, pushing=pushing):
            return pull(*law(x)) if touching and pushing else law(x)[0]

        grid = np.linspace(1e-9, 0.5, 4000)
        sides = np.sign([until(x) for x in grid])
        turns = np.flatnonzero(sides[1:] != sides[:-1])
        length = brentq(until, grid[turns[0]], grid[turns[0] + 1], xtol=1e-15) if len(turns) else 9
        inside = (times >= t) & (times <= t + length)
        found[inside] = np.transpose(law(times[inside] - t))
        if t + length >= times[-1]:
            return found[:, 0], found[:, 1], changes
        t, (s, v), changes = t + length, law(length), changes + 1
        if touching and pushing:
            pushing = False
        else:
            touching, s = not touching, 0.0
            pushing = touching


def lost(s: np.ndarray, v: np.ndarray, height: float = HEIGHT) -> np.ndarray:
    """What the damper has taken, by what is left of the energy."""
    return G * (height - s) - 0.5 * v * v - 0.5 * K * np.minimum(s, 0.0) ** 2


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_bouncing_ball_follows_its_closed_form(tolerance, plan):
    motion = bouncing().simulate(until=2.0, steps=400, tolerance=tolerance, plan=plan)
    s, v, changes = bounces(motion.t)
    allowed = PER_TOLERANCE * tolerance + ROUNDING
    assert motion.outcome.is_done
    assert changes >= 6
    assert motion.motion.counts["switched"] == changes
    assert np.abs(motion.motion.q[:, 1] - FREE - s).max() < allowed
    assert np.abs(motion.motion.v[:, 1] - v).max() < 10 * allowed
    energy = motion.energy
    assert np.abs(energy.dissipated - lost(s, v)).max() < 10 * allowed
    assert np.diff(energy.dissipated).min() > -ROUNDING


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_law_that_changes_over_costs_hardly_a_rejected_step(tolerance):
    """Before switches were found, every one of them was met by half a dozen or more."""
    motion = bouncing().simulate(until=2.0, steps=4, tolerance=tolerance)
    counts = motion.motion.counts
    assert counts["rejected"] <= 1.5 * counts["switched"]


def test_switches_that_are_met_together_change_over_together():
    motion = bouncing(5).simulate(until=2.0, steps=40)
    s, _, changes = bounces(motion.t)
    assert motion.outcome.is_done
    for k in range(5):
        assert np.abs(motion.motion.q[:, 3 * k + 1] - FREE - s).max() < 1e-6
    assert motion.motion.counts["switched"] == changes


def pushed(x, edge, force):
    """f = `force` beyond `edge`, and nothing before it."""
    return Effort(x, lambda m, t: kempe.where(m.value > edge, force, 0.0))


def rubbed(x, force):
    """f = -`force` sign(v)."""
    return Effort(x, lambda m, t: -force * kempe.where(m.rate > 0.0, 1.0, -1.0))


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("depth", [1e-2, 1e-4, 1e-6, 1e-8, -1e-8, -1e-6, -1e-2])
def test_an_edge_that_is_just_passed_and_left_is_seen(depth, plan):
    """A block thrown up a slope turns round a little beyond an edge, where a force pulls it."""
    speed = 2.0
    top = speed * speed / (2 * G)
    edge, force = top - depth, -5.0
    motion = block(lambda x: pushed(x, edge, force), v=speed, gravity=-G).simulate(
        until=0.39, steps=3, plan=plan
    )
    assert motion.outcome.is_done
    # beyond the edge it brakes at G + 5 and comes back as fast as it was: it saves time there
    at_edge = math.sqrt(max(2 * G * depth, 0.0))
    t = 0.39 + 2 * at_edge * (1 / G - 1 / (G - force))
    assert motion["block.x"].values[-1] == pytest.approx(speed * t - 0.5 * G * t * t, abs=1e-7)
    assert motion.motion.counts["switched"] in ((2,) if depth > 1e-7 else (0, 2, 3))


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("v", [1.0, -1.0, 0.0])
def test_a_run_may_start_on_a_switch(v, plan):
    """At the edge of a force of 3 N, moving across it or away, or pushed off it by 1 N."""
    forces = (lambda x: pushed(x, 0.0, 3.0), lambda x: Control(x, "1"))
    motion = block(*forces, v=v).simulate(until=0.5, steps=5, plan=plan)
    t = motion.t
    expected = v * t + (0.5 if v < 0.0 else 2.0) * t * t
    assert motion.outcome.is_done
    assert np.abs(motion["block.x"].values - expected).max() < 1e-9
    assert motion.motion.counts["rejected"] <= 1


def test_friction_that_lets_go_again_is_followed_through_its_turns():
    """-0.3 sign(v) and a stiff spring: every half swing loses 2 * 0.3 / k, in closed form."""
    k, f, x0, swings = 40.0, 0.3, 0.2, 5
    half = math.pi / math.sqrt(k)
    forces = (lambda x: Control(x, f"-{k} * x"), lambda x: rubbed(x, f))
    motion = block(*forces, x=x0).simulate(until=swings * half, steps=10 * swings, tolerance=1e-10)
    expected = [(-1) ** n * (x0 - 2 * n * f / k) for n in range(swings + 1)]
    assert motion.outcome.is_done
    np.testing.assert_allclose(motion["block.x"].values[::10], expected, atol=1e-7)


@pytest.mark.parametrize("plan", ["small", "large"])
def test_friction_that_sticks_ends_the_run_with_advice(plan):
    """1 N against a push of 0.4 N: at rest after v / 0.6 s, where no side of the law holds."""
    forces = (lambda x: Control(x, "0.4"), lambda x: rubbed(x, 1.0))
    motion = block(*forces, v=0.9).simulate(until=4.0, steps=40, plan=plan)
    outcome = motion.outcome
    assert not outcome.is_done
    assert "force1" in outcome.message
    assert "tanh" in outcome.advice
    assert outcome.facts["t"] == pytest.approx(1.5, abs=1e-6)
    assert motion.t[-1] == pytest.approx(1.5)
    assert motion.motion.counts["steps"] < 50


def test_a_law_whose_sides_agree_is_no_obstacle_at_rest():
    """A block at rest whose speed is 0 and stays 0, with a law of its sign."""
    motion = block(lambda x: Control(x, "-10 * x - abs(x_rate) * x_rate")).simulate(
        until=5.0, steps=5
    )
    assert motion.outcome.is_done
    assert motion.motion.counts["steps"] < 200


def nested(x):
    """f = |x - 0.5| where x > 0.2, else 0.1 min(v, 1)."""

    def law(m, t):
        return kempe.where(m.value > 0.2, abs(m.value - 0.5), 0.1 * kempe.minimum(m.rate, 1.0))

    return Effort(x, law)


def test_a_switch_that_is_never_met_costs_no_evaluation():
    plain = block(lambda x: Control(x, "-40 * x"), x=0.3).simulate(until=2.0, steps=7)
    watched = block(lambda x: Control(x, "-40 * min(x, 9)"), x=0.3).simulate(until=2.0, steps=7)
    extra = watched.motion.counts["evaluations"] - plain.motion.counts["evaluations"]
    assert 0 <= extra <= 2
    np.testing.assert_array_equal(watched.motion.q, plain.motion.q)


@pytest.mark.parametrize("plan", ["small", "large"])
def test_a_choice_inside_another_one_changes_over_with_it(plan):
    """f = |x - 0.5| where x > 0.2, else 0.1 min(v, 1): nested, and each met in its turn."""
    motions = [
        block(nested, v=0.5).simulate(until=3.0, steps=6, plan=plan, tolerance=tolerance)
        for tolerance in (1e-6, 1e-11)
    ]
    assert all(m.outcome.is_done for m in motions)
    assert motions[0].motion.counts["switched"] == motions[1].motion.counts["switched"] == 2
    assert np.abs(motions[0].motion.q - motions[1].motion.q).max() < 1e-4


def buffer_time(k: float, height: float) -> tuple[float, float]:
    """How long a ball of 1 kg that falls from a height stays on a spring k, and in the air."""
    speed, w = math.sqrt(2 * G * height), math.sqrt(k)
    return (2.0 * (math.pi - math.atan2(speed * w, G))) / w, 2.0 * speed / G


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("kind", ["line", "nonlinear"])
@pytest.mark.parametrize("k", [1e3, 3e3, 1e4, 1e5, 1e6])
def test_a_buffer_gives_back_what_it_took_bounce_after_bounce(k, kind, plan):
    """Slack and pull pass zero together, to the last bit on either side of it."""
    m = Builder("ball", plane=True, gravity=(0, -G))
    ball = m.body("ball", at=(0, 1), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), ball.at(0, 0), along=(0, 1))
    if kind == "line":
        spring = LineSpring(
            m.ground.at(0, -5), ball.at(0, 0), k, free=5.0, acting=Acting.COMPRESSION
        )
    else:
        spring = NonlinearSpring(ball.y, f"{k} * t", acting=Acting.COMPRESSION)
    m.force(spring, "buffer")
    run = m.build().simulate(until=20.0, steps=2000, plan=plan)
    y = run["ball.y"].values
    below = (G + math.sqrt(G * G + 2 * k * G)) / k  # m g (1 + d) = k d^2 / 2
    held, free = buffer_time(k, 1.0)
    bounces = math.floor((20.0 - 0.5 * free) / (held + free))
    assert run.outcome.is_done
    assert y.max() <= 1.0 + 1e-5
    assert y.min() >= -below - 1e-5
    assert np.abs(run.energy.dissipated).max() < 1e-6
    # a landing and a leaving each, in one or two pieces: two laws meet there
    assert 2 * bounces <= run.motion.counts["switched"] <= 6 * (bounces + 1)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("width", [0.1, 5.0, 10.0])
def test_a_long_step_that_lands_on_a_buffer_is_no_law_thrown_back_and_forth(width, size):
    """A ball in a wide guide falls by one size on 1e5 N/m: the whole choice begins to count there.

    Before, the choice inside it had no side: a step of a second then fell through the buffer, and
    was thrown back, three times over.
    """
    m = Builder("ball", plane=True, gravity=(0, -G * size))
    inertia = Inertia(1.0, (0, 0, 0), size**2 * np.eye(3))
    ball = m.body("ball", at=(0, size), angle=0.0, inertia=inertia)
    m.prismatic(m.ground.at(width * size, 0), ball.at(width * size, 0), along=(0, 1))
    anchor = m.ground.at(0, -5 * size)
    spring = LineSpring(anchor, ball.at(0, 0), 1e5, free=5 * size, acting=Acting.COMPRESSION)
    m.force(spring, "buffer")
    run = m.build().simulate(until=20.0, steps=2000)
    held, free = buffer_time(1e5, 1.0)
    tops = np.arange(1, 21) * (held + free)  # as high as it was let go, after every bounce
    below = (G + math.sqrt(G * G + 2 * 1e5 * G)) / 1e5
    assert run.outcome.is_done
    assert -below - 1e-5 <= run["ball.y"].values.min() / size < 0.0
    assert np.all(np.interp(tops, run.t, run["ball.y"].values) > 0.999 * size)


@final
@dataclass(frozen=True)
class Buffer(AbstractForce):
    """Pushes by -k min(s, 0) where s = L - free < 0, and never pulls: two choices that meet."""

    I: Marker
    J: Marker
    k: float
    free: float

    def action(self, now):
        line = now.X[1].position - now.X[0].position
        length = kempe.sqrt(line @ line)
        stretch = length - self.free
        pull = self.k * kempe.minimum(stretch, 0.0)
        held = kempe.where(stretch < 0.0, kempe.minimum(pull, 0.0), 0.0)
        return Action.between(now, line * (-held / length))


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("k", [1e3, 3e3, 1e4, 3e4, 1e5])
def test_nothing_falls_through_a_buffer_that_a_long_step_would_meet_twice(k, plan):
    """Landing at zero to the last bit, a step of a second passes the anchor and comes out below."""
    m = Builder("ball", plane=True, gravity=(0, -G))
    ball = m.body("ball", at=(0, 1), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), ball.at(0, 0), along=(0, 1))
    m.force(Buffer(m.ground.at(0, -5), ball.at(0, 0), k, 5.0), "buffer")
    run = m.build().simulate(until=20.0, steps=2000, plan=plan)
    y = run["ball.y"].values
    below = (G + math.sqrt(G * G + 2 * k * G)) / k
    held, free = buffer_time(k, 1.0)
    bounces = math.floor((20.0 - 0.5 * free) / (held + free))
    assert run.outcome.is_done
    assert y.max() <= 1.0 + 1e-5
    assert y.min() >= -below - 1e-5
    tops = np.flatnonzero((y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:]))
    assert abs(len(tops) - bounces) <= 1


def test_a_law_that_begins_anew_soon_after_a_corner_is_not_thrown_back():
    """A damper whose law is a triangle of period 1: the rate passes its corner, and a step later
    the end of a period, beyond which the corner lies ahead. By closed form on each stretch."""
    m = Builder("car", plane=True)
    car = m.body("car", at=(0, 0), angle=0.0, inertia=INERTIA, velocity=(0.3, 0))
    m.prismatic(m.ground.at(0, 0), car.at(0, 0))
    m.force(Actuator(car.x, Polynomial((-5.0,))), "brake")
    law = Piecewise(((0.1, Ramp(0.0, -8.0)), (0.9, Ramp(-0.8, 8.0 / 9.0))), repeats=True)
    m.force(NonlinearSpring(car.x, Polynomial((0.0,)), damper=law), "damper")
    run = m.build().simulate(until=0.2, steps=20, tolerance=1e-9)
    assert run.outcome.is_done

    # v' = -5 - (f0 + k (v - v0)) on each stretch: v - v0 = (a / k) (exp(-k t) - 1), a = 5 + f0
    stretches = (
        (0.3, 0.1, -0.8 + 0.2 * 8 / 9, 8 / 9),
        (0.1, 0.0, -0.8, -8.0),
        (0.0, -0.85, 0.0, 8 / 9),
    )
    begun, expected = 0.0, np.full(len(run.t), np.nan)
    for v0, end, f0, k in stretches:
        a = 5.0 + f0
        lasts = -math.log(1.0 + (end - v0) * k / a) / k
        here = (run.t >= begun - ROUNDING) & (run.t <= begun + lasts + ROUNDING)
        expected[here] = v0 + (a / k) * np.expm1(-k * (run.t[here] - begun))
        begun += lasts
    assert run["car.x"].rate == pytest.approx(expected, abs=1e-7)
