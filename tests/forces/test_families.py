"""Springs along a line, gas, rubber, planets, loads and control: each against a closed form."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, forces
from kempe.drives import Polynomial, Ramp, TextFormula
from kempe.errors import BadNumber, KempeError
from kempe.joints import Prismatic

#: Ten times the tolerance of the runs, relative to sizes of 1.
CLOSE = 1e-7
#: Energies at default settings, beside the largest.
BALANCED = 1e-6
ROUND = np.eye(3)


def free_body(**start):
    m = Builder("free body")
    body = m.body(
        "body", at=(0, 0, 0), inertia=Inertia(2.0, (0, 0, 0), np.diag([1, 2, 3.0])), **start
    )
    return m, body


def test_a_spring_pendulum_moves_as_three_unrelated_codes_say():
    """Source: elastic pendulum, m = 1 kg, k = 40 N/m, free length 1 m, from (0.6, -1) at rest."""
    m = Builder("spring pendulum", plane=True, gravity=(0, -9.81))
    bob = m.body("bob", at=(0.6, -1.0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), ROUND))
    m.force(forces.LineSpring(m.ground.at(0, 0), bob.at(0, 0), stiffness=40.0, free=1.0))
    motion = m.build().simulate(until=10.0, steps=10, tolerance=1e-11)
    path = motion["bob"].position
    known = {
        1: (-0.5114545846650885, -1.1180927088267143),
        5: (0.5462227400782101, -0.9965659115023485),
        10: (0.5027228809052896, -1.0806648253571374),
    }
    for k, there in known.items():
        assert np.abs(path[k] - there).max() < 1e-7
    assert np.ptp(motion.energy.total) < 1e-8


def test_a_rope_pulls_only_where_it_is_taut(slider):
    """Thrown up from below its end, the mass flies freely until the rope is taut again."""
    m, block = slider(2.0, at=-0.5)
    m.force(
        forces.LineSpring(
            m.ground.at(0, 0), block.at(0, 0), 200.0, free=1.0, acting=forces.Acting.TENSION
        )
    )
    m.force(
        forces.AppliedLoad(block.at(0, 0), force=(Ramp(4.0, 0.0), Ramp(0.0, 0.0), Ramp(0.0, 0.0)))
    )
    motion = m.build().simulate(until=1.0, steps=100)
    x, t = motion["block.x"].values, motion.t
    slack = x < 1.0
    assert slack[:-1].any()
    assert np.abs(x[slack] - (-0.5 + t[slack] ** 2)).max() < CLOSE


def test_a_buffer_pushes_only_where_it_is_pressed(slider):
    m, block = slider(1.0, at=1.5)
    m.force(
        forces.LineSpring(
            m.ground.at(0, 0), block.at(0, 0), 400.0, free=0.5, acting=forces.Acting.COMPRESSION
        )
    )
    fall = (Ramp(-3.0, 0.0), Ramp(0.0, 0.0), Ramp(0.0, 0.0))
    m.force(forces.AppliedLoad(block.at(0, 0), force=fall))
    motion = m.build().simulate(until=2.2, steps=220, tolerance=1e-9)
    energy = motion.energy
    assert motion["block.x"].values.min() < 0.5
    # One bounce takes it back where it came from: no energy is lost to the buffer.
    assert motion["block.x"].values[-60:].max() == pytest.approx(1.5, abs=1e-3)
    assert np.ptp(energy.total) < BALANCED * 10.0


def test_a_polynomial_spring_of_first_order_is_a_linear_spring(slider):
    runs = []
    for nonlinear in (True, False):
        m, block = slider()
        spring = (
            forces.NonlinearSpring(block.x, Polynomial((0.0, 50.0)), damping=1.0, free=0.1)
            if nonlinear
            else forces.SpringDamper(block.x, 50.0, 1.0, 0.1)
        )
        m.force(spring)
        runs.append(m.build().simulate(until=2.0, steps=20)["block.x"].values)
    assert np.abs(runs[0] - runs[1]).max() < CLOSE


def test_a_hard_spring_swings_as_long_as_the_elliptic_integral_says(slider):
    """x'' = -x^3 from x = 1: the period is 4 K(1/2) (modulus squared 1/2)."""
    from scipy.special import ellipk

    m, block = slider(1.0, at=1.0)
    m.force(forces.NonlinearSpring(block.x, TextFormula("t^3")))
    period = 4.0 * ellipk(0.5)
    motion = m.build().simulate(until=period, steps=4, tolerance=1e-11)
    assert motion["block.x"].values[-1] == pytest.approx(1.0, abs=1e-8)
    assert motion["block.x"].values[1] == pytest.approx(0.0, abs=1e-8)


def test_a_gas_spring_holds_what_its_pressure_carries(slider):
    """p A - outside A = load where the column has its length; stiffness n p A / l there."""
    pressure, area, length = 8e5, 4e-4, 0.2
    m, block = slider(5.0, at=0.001)
    m.force(forces.GasSpring(block.x, pressure, area, length))
    load = (pressure - 101325.0) * area
    m.force(forces.AppliedLoad(block.at(0, 0), force=(Ramp(-load, 0.0), Ramp(0, 0), Ramp(0, 0))))
    stiffness = 1.4 * pressure * area / length
    period = math.tau / math.sqrt(stiffness / 5.0)
    motion = m.build().simulate(until=period, steps=4)
    x = motion["block.x"].values
    # The second order of the gas law shifts the swing by a part in a thousand of itself.
    assert x[0] == pytest.approx(x[-1], rel=2e-3)
    assert x[2] == pytest.approx(-0.001, rel=2e-2)
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.potential.max()


def test_a_bushing_carries_a_weight_where_its_stiffness_says():
    """A body that hangs in rubber sags by m g / k, and comes to rest there."""
    m, body = free_body()
    m.gravity = (0.0, 0.0, -9.81)
    stiffness, damping = (
        (3e3, 4e3, 5e3, 200.0, 300.0, 400.0),
        (160.0, 190.0, 200.0, 30.0, 50.0, 70.0),
    )
    m.force(forces.Bushing(m.ground.at(0, 0, 0), body.at(0, 0, 0), stiffness, damping))
    motion = m.build().simulate(until=3.0, steps=3)
    assert motion["body"].position[-1] == pytest.approx([0, 0, -2.0 * 9.81 / 5e3], abs=1e-9)
    assert motion.energy.dissipated[-1] > 0.0


def test_a_bushing_with_crossed_stiffness_keeps_its_energy():
    """Six rows of six: whatever the motion in space, what it takes it gives back."""
    rng = np.random.default_rng(3)
    root = rng.normal(size=(6, 6))
    stiffness = 40.0 * (root @ root.T + 2.0 * np.eye(6))
    m, body = free_body(velocity=(0.3, -0.2, 0.4), spin=(0.5, 0.8, -0.6))
    m.force(forces.Bushing(m.ground.at(0.1, 0, 0), body.at(0.05, 0.1, -0.1), stiffness))
    motion = m.build().simulate(until=2.0, steps=40, tolerance=1e-10)
    energy = motion.energy
    assert np.ptp(energy.kinetic + energy.potential) < 1e-8 * energy.kinetic.max()


def test_a_bushing_that_would_make_energy_is_refused():
    lopsided = np.diag([1.0] * 6)
    lopsided[0, 1] = 0.5
    m, body = free_body()
    with pytest.raises(BadNumber, match="not symmetric"):
        forces.Bushing(m.ground.at(0, 0, 0), body.at(0, 0, 0), lopsided)


def test_a_satellite_comes_back_after_keplers_period():
    """T = 2 pi sqrt(a^3 / mu), from the far end of an ellipse of eccentricity 0.5."""
    mu, a, e = 10.0, 1.0, 0.5
    far = a * (1.0 + e)
    speed = math.sqrt(mu / a * (1.0 - e) / (1.0 + e))
    m = Builder("orbit")
    moon = m.body(
        "moon", at=(far, 0, 0), inertia=Inertia(3.0, (0, 0, 0), ROUND), velocity=(0, speed, 0)
    )
    m.force(forces.Attraction(m.ground.at(0, 0, 0), moon.at(0, 0, 0), strength=3.0 * mu))
    period = math.tau * math.sqrt(a**3 / mu)
    motion = m.build().simulate(until=period, steps=2, tolerance=1e-11)
    near, back = motion["moon"].position[1:]
    assert near == pytest.approx([-a * (1.0 - e), 0, 0], abs=1e-8)
    assert back == pytest.approx([far, 0, 0], abs=1e-8)


def test_a_load_in_its_own_axes_turns_with_the_body():
    """A thruster at the centre of a spinning body drives it around a circle."""
    spin, thrust, mass = 2.0, 6.0, 2.0
    m, body = free_body(spin=(0, 0, spin))
    laws = (Ramp(thrust, 0.0), Ramp(0, 0), Ramp(0, 0))
    m.force(forces.AppliedLoad(body.at(0, 0, 0), force=laws, axes=forces.Axes.MARKER))
    motion = m.build().simulate(until=math.tau / spin, steps=8)
    t, k = motion.t, thrust / (mass * spin)
    v = np.column_stack([k * np.sin(spin * t), k * (1.0 - np.cos(spin * t)), 0.0 * t])
    assert np.abs(motion["body"].velocity - v).max() < CLOSE


def test_a_load_between_two_bodies_moves_no_centre_of_mass():
    m = Builder("pair", plane=True)
    one = m.body("one", at=(0, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), ROUND))
    two = m.body("two", at=(1, 0), angle=0.0, inertia=Inertia(2.0, (0, 0, 0), ROUND))
    force = (TextFormula("3 * sin(2 * t)"), Ramp(1.0, 0.0), Ramp(0, 0))
    m.force(forces.AppliedLoad(one.at(0, 0.2), force, against=two.at(0, 0)))
    motion = m.build().simulate(until=1.5, steps=15)
    momentum = motion["one"].velocity + 2.0 * motion["two"].velocity
    assert np.abs(momentum).max() < CLOSE
    assert np.abs(motion["one"].velocity).max() > 0.5


def test_a_controller_in_text_is_the_spring_it_describes(slider):
    runs = []
    for text in (True, False):
        m, block = slider()
        if text:
            words = "-k * (x - goal) - c * x_rate"
            control = forces.Control(
                block.x, words, constants=("k", "c", "goal"), values=(50.0, 1.0, 0.1)
            )
            m.force(control)
        else:
            m.force(forces.SpringDamper(block.x, 50.0, 1.0, 0.1))
        runs.append(m.build().simulate(until=2.0, steps=20)["block.x"].values)
    assert np.abs(runs[0] - runs[1]).max() < CLOSE


def test_a_controller_may_look_at_another_measure():
    """One block is pulled by how far another one is."""
    m = Builder("two blocks", plane=True)
    rail = (1, 0, 0)
    blocks = []
    for name, start in (("a", 0.0), ("b", 1.0)):
        block = m.body(name, at=(start, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), ROUND))
        m.add(
            Prismatic(m.ground.at(0, 0).facing(rail), block.at(0, 0).facing(rail)), f"rail_{name}"
        )
        blocks.append(block)
    a, b = blocks
    m.force(forces.Control(a.x, "2 * y + t", seen=(b.x,), names=("y",)))
    motion = m.build().simulate(until=1.0, steps=4)
    t = motion.t
    assert np.abs(motion["a.x"].values - (t**2 + t**3 / 6.0)).max() < CLOSE
    assert np.abs(motion["b.x"].values - 1.0).max() < CLOSE


WRONG = {
    "a spring without a number": lambda m, b: forces.LineSpring(
        m.ground.at(0, 0), b.at(0, 0), math.nan
    ),
    "a rope with a preload": lambda m, b: forces.LineSpring(
        m.ground.at(0, 0), b.at(0, 0), 10.0, preload=1.0, acting=forces.Acting.TENSION
    ),
    "gas without pressure": lambda m, b: forces.GasSpring(b.x, 0.0, 1e-4, 0.1),
    "gas at an exponent of one": lambda m, b: forces.GasSpring(b.x, 1e5, 1e-4, 0.1, exponent=1.0),
    "a force of two components": lambda m, b: forces.AppliedLoad(
        b.at(0, 0), force=(Ramp(1, 0), Ramp(1, 0))
    ),
    "a load of nothing": lambda m, b: forces.AppliedLoad(b.at(0, 0)),
    "a name that nobody gave": lambda m, b: forces.Control(b.x, "-k * x"),
    "more names than measures": lambda m, b: forces.Control(b.x, "x", names=("y",)),
    "a formula that is none": lambda m, b: forces.Control(b.x, "3 +"),
    "five stiffnesses": lambda m, b: forces.Bushing(m.ground.at(0, 0), b.at(0, 0), (1.0,) * 5),
    "a pull of nothing": lambda m, b: forces.Attraction(m.ground.at(0, 0), b.at(0, 0), 0.0),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_number_is_refused_where_it_is_given(slider, wrong):
    m, block = slider()
    with pytest.raises(KempeError) as caught:
        WRONG[wrong](m, block)
    assert len(str(caught.value)) > 20
