"""Stiff forces by default: steps become implicit where it pays, explicit again, and it is told."""

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.events import Stop
from kempe.forces import Control, SpringDamper
from kempe.gallery import COURSES, MECHANISMS

MASS, START = 2.0, 0.3


# a damper of 1e5 N s/m; fingers of rubber
STIFF = {"stiff_flyball_governor", "box_gripper", "robot_arm"}


def slider(*forces, x=START, gravity=0.0):
    """A cart on a straight rail along x."""
    m = Builder("slider", plane=True, gravity=(gravity, 0))
    cart = m.body("cart", at=(x, 0), angle=0.0, inertia=Inertia(MASS, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), cart.at(0, 0))
    for force in forces:
        m.force(force(m, cart))
    return m.build()


def decay(k, c, t):
    """x of an overdamped mass that is let go at START; the slow root without subtraction."""
    fast = -(c + np.sqrt(c * c - 4.0 * k * MASS)) / (2.0 * MASS)
    slow = k / MASS / fast
    return START * (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (slow - fast)


@pytest.mark.parametrize("scale", [10.0**k for k in range(7)])
def test_whatever_the_strength_of_spring_and_damper_it_comes_in_few_steps(scale):
    k = c = 40.0 * scale
    machine = slider(lambda m, cart: SpringDamper(cart.x, stiffness=k, damping=c))
    run = machine.simulate(until=3.0, steps=60)
    assert run.outcome.is_done
    assert np.abs(run["cart.x"].values - decay(k, c, run.t)).max() < 1e-7
    # twice what the better of both methods takes at any of these strengths
    assert run.motion.counts["steps"] < 130
    assert run.motion.recipe.methods[0] == (0.0, "dop853")
    assert (run.motion.recipe.methods[-1][1] == "rodas5p") is (scale > 1.0)


def test_a_damper_of_ten_million_is_no_reason_to_end():
    machine = slider(lambda m, cart: SpringDamper(cart.x, stiffness=1e7, damping=1e7))
    run = machine.simulate(until=3.0, steps=60)
    assert run.outcome.is_done
    assert np.abs(run["cart.x"].values - decay(1e7, 1e7, run.t)).max() < 1e-7


def test_steps_are_explicit_again_where_what_was_stiff_lets_go():
    """A brake that fades within a second or two, on a cart that then swings on a soft spring."""
    machine = slider(
        lambda m, cart: Control(cart.x, "-1e5 * exp(-16 * t) * x_rate"),
        lambda m, cart: SpringDamper(cart.x, stiffness=40.0, free=0.5),
    )
    run = machine.simulate(until=20.0, steps=200)
    names = [name for _, name in run.motion.recipe.methods]
    assert run.outcome.is_done
    assert names == ["dop853", "rodas5p", "dop853"]
    times = [t for t, _ in run.motion.recipe.methods]
    assert times == sorted(times)
    exact = machine.simulate(until=20.0, steps=200, method="rodas5p", tolerance=1e-11)
    assert np.abs(run["cart.x"].values - exact["cart.x"].values).max() < 1e-5


def test_the_governor_is_exact_to_1e_5_by_default():
    governor = MECHANISMS["stiff_flyball_governor"]()
    run = governor.simulate(until=10.0, steps=20)
    height = run["guide.displacement"].values
    # Pinocchio's accelerations integrated by SciPy's Radau at 1e-10, given with six digits
    assert height[[1, 2, 10, 20]] == pytest.approx(
        [0.743249, 0.501421, 0.535563, 0.619623], abs=1.5e-6
    )
    assert [name for _, name in run.motion.recipe.methods] == ["dop853", "rodas5p"]
    assert run.motion.counts["jacobians"] > 0


@pytest.mark.parametrize("name", [n for n in COURSES if n not in STIFF])
def test_what_is_not_stiff_is_left_to_the_explicit_method_to_the_last_bit(name):
    machine, until = MECHANISMS[name](), 0.3 * COURSES[name].until
    usual = machine.simulate(until=until, steps=20)
    explicit = machine.simulate(until=until, steps=20, method="dop853")
    assert usual.motion.recipe.methods == ((0.0, "dop853"),)
    assert np.array_equal(usual.motion.q, explicit.motion.q)


def bouncing_beside_something_stiff():
    m = Builder("bounces", plane=True)
    ball = m.body("ball", at=(0, 1), angle=0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    fall = m.prismatic(m.ground.at(0, 0), ball.at(0, 0), along=(0, 1), name="fall").displacement
    m.force(SpringDamper(fall, preload=-9.81), "weight")
    m.event(Stop(fall, low=0.0, restitution=0.8), "floor")
    moving = Inertia(1.0, (0, 0, 0), np.eye(3))
    block = m.body("block", at=(1, 0), angle=0, inertia=moving, velocity=(1.0, 0))
    rail = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="rail").displacement
    m.force(SpringDamper(rail, stiffness=1e6, damping=1e6, free=1.0), "stiff")
    return m.build()


def test_steps_stay_implicit_over_events():
    """Bounces at t = (1 + 2 (e + e^2 + ...)) sqrt(2 / g), in far fewer steps than by restarts."""
    run = bouncing_beside_something_stiff().simulate(until=3.0)
    assert [word for _, word in run.motion.recipe.methods] == ["dop853", "rodas5p"]
    assert run.motion.counts["steps"] < 90  # 180 where every leg had to find out anew
    first = np.sqrt(2.0 / 9.81)
    due = [first * (1 + 2 * sum(0.8**j for j in range(1, k + 1))) for k in range(6)]
    assert np.array([event.t for event in run.events]) == pytest.approx(due, abs=1e-8)
