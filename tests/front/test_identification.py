"""Parameters found from measurements are those of closed forms, and so are their errors."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.errors import BadNumber, UnknownName

NOISE = 2e-4  # m
SAME = 1e-6  # of a parameter: what is left of rounding and of integration


@kp.parametric
def arm(length=1.0, phase=0.0):
    m = kp.Builder("arm", plane=True)
    bar = m.bar("bar", length)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, start=phase, speed=2.0)
    return m.build()


@kp.parametric
def pendulum(length=1.0, mass=2.0, damping=0.05):
    m = kp.Builder("pendulum", plane=True, gravity=(0, -9.81))
    moment = mass * length**2 / 12
    inertia = kp.Inertia(mass, (length / 2, 0, 0), np.diag([0, moment, moment]))
    rod = m.bar("rod", length, inertia=inertia, angle=0.0)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.force(kp.forces.SpringDamper(hinge.angle, damping=damping), "friction")
    return m.build()


def test_standard_errors_of_a_length_and_a_phase_are_those_of_linear_regression():
    t = np.linspace(0.3, 2.0, 40)
    rng = np.random.default_rng(5)
    L, p = 1.03, 0.02
    clean = L * np.column_stack([np.cos(2 * t + p), np.sin(2 * t + p)])
    seen = clean + rng.normal(0.0, NOISE, clean.shape)
    found = arm().identify(
        {"length": (0.5, 2.0), "phase": (-0.5, 0.5)}, {"bar.end": seen}, t, sigma={"bar.end": NOISE}
    )
    # d/dL is a unit vector and d/dp one of length L square to it: both errors are known.
    n = len(t)
    assert found.errors["length"] == pytest.approx(NOISE / np.sqrt(n), rel=1e-3)
    assert found.errors["phase"] == pytest.approx(NOISE / np.sqrt(n) / L, rel=1e-3)
    assert abs(found.parameters["length"] - L) < 4.0 * found.errors["length"]
    assert abs(found.parameters["phase"] - p) < 4.0 * found.errors["phase"]
    assert found.noise["bar.end"] == pytest.approx(NOISE, rel=0.3)
    # The estimate itself: least squares of (x, y) = R(2 t) (L cos p, L sin p) is a mean.
    turned = np.exp(-2j * t) * (seen[:, 0] + 1j * seen[:, 1])
    assert found.parameters["length"] == pytest.approx(abs(turned.mean()), rel=SAME)
    assert found.parameters["phase"] == pytest.approx(np.angle(turned.mean()), rel=1e-4)


@pytest.fixture(scope="module")
def fall():
    """A damped pendulum of its own equation, by SciPy."""
    length, mass, damping = 1.1, 1.7, 0.2
    moment = mass * length**2 / 3

    def rates(t, y):
        weight = -mass * 9.81 * length / 2 * np.cos(y[0])
        return [y[1], (weight - damping * y[1]) / moment]

    t = np.sort(np.random.default_rng(2).uniform(0.05, 1.5, 30))
    run = solve_ivp(rates, (0, t[-1]), [0.0, 0.0], t_eval=t, rtol=1e-11, atol=1e-12)
    return t, run.y[0]


def test_a_pendulum_tells_its_length_and_damping_from_a_swing_by_another_integrator(fall):
    t, angle = fall
    found = pendulum(mass=1.7).identify(
        {"length": (0.5, 2.0), "damping": (0.0, 1.0)},
        {"rod.angle": angle},
        t,
        analysis="simulation",
    )
    assert found.is_settled
    assert found.parameters["length"] == pytest.approx(1.1, rel=SAME)
    assert found.parameters["damping"] == pytest.approx(0.2, rel=1e-5)


def test_what_the_data_does_not_tell_is_said_in_words(fall):
    t, angle = fall  # only damping / mass decides
    found = pendulum().identify(
        {"length": (0.5, 2.0), "mass": (0.5, 4.0), "damping": (0.01, 1.0)},
        {"rod.angle": angle},
        t,
        analysis="simulation",
    )
    assert len(found.unknown) == 1
    assert set(found.unknown[0]) == {"mass", "damping"}
    assert found.errors["mass"] == np.inf
    assert found.errors["length"] < 1e-3
    assert "says nothing about" in found.message
    ratio = found.parameters["damping"] / found.parameters["mass"]
    assert ratio == pytest.approx(0.2 / 1.7, rel=1e-4)


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"measured": {}}, BadNumber, "what was measured"),
        ({"measured": {"bar.angle": [1.0, 2.0]}}, BadNumber, "3 times"),
        ({"measured": {"bar.angle": [np.nan] * 3}}, BadNumber, "not finite"),
        ({"measured": {"bar.angl": [1.0, 2.0, 3.0]}}, UnknownName, "bar.angle"),
        ({"times": [0.0, 2.0, 1.0]}, BadNumber, "grow"),
        ({"times": [-1.0, 0.0, 1.0]}, BadNumber, "begin"),
        ({"parameters": {"length": (2.0, 1.0)}}, BadNumber, "low < high"),
        ({"parameters": {"width": (1.0, 2.0)}}, UnknownName, "width"),
        ({"analysis": "guess"}, UnknownName, "analysis"),
        ({"sigma": {"bar.angle": -1.0}}, BadNumber, "positive"),
        ({"sigma": {}}, BadNumber, "says nothing"),
        ({"measured": {"bar.end": [0.0, 1.0, 2.0]}}, BadNumber, "of a point a row"),
    ],
)
def test_what_means_nothing_is_refused_in_words(given, kind, said):
    asked = {
        "parameters": {"phase": (-1.0, 1.0)},
        "measured": {"bar.angle": [0.0, 1.0, 2.0]},
        "times": [0.0, 0.5, 1.0],
        **given,
    }
    with pytest.raises(kind, match=said):
        arm().identify(**asked)
