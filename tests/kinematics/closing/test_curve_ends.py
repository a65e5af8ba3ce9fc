"""Curves end: what runs off one between two samples, and back, is seen."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.drives import TextFormula
from kempe.geometry.curves import Segment
from kempe.joints import PointOnCurve
from kempe.kinematics.closing.curve_ends import first_exit

G = 9.81
#: Exits are found on polynomials through places, rates and accelerations of samples.
CLOSE = 1e-6
BEAD = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))


def parabola(times, peak):
    """0 at 0 and at 2, `peak` at 1, with its two derivatives."""
    return peak * times * (2 - times), peak * 2 * (1 - times), np.full_like(times, -2 * peak)


def test_an_exit_between_samples_is_where_the_parabola_leaves():
    times = np.array([0.0, 2.0])
    t, value = first_exit(times, parabola(times, 1.25), -1.0, 1.0)
    assert (t, value) == (pytest.approx(1 - math.sqrt(0.2), abs=1e-9), 1.0)
    t, value = first_exit(times, [-x for x in parabola(times, 1.25)], -1.0, 1.0)
    assert (t, value) == (pytest.approx(1 - math.sqrt(0.2), abs=1e-9), -1.0)
    assert first_exit(times, parabola(times, 1.0), -1.0, 1.0) is None  # touches and returns
    assert first_exit(times, parabola(times, 1.25)[:1], -1.0, 1.0) is None  # without rates: unseen


def test_an_exit_at_a_look_or_between_two_of_them_is_found_as_exactly():
    straight = np.array([0.0, 1.0]), np.ones(2), np.zeros(2)
    assert first_exit(np.array([0.0, 1.0]), straight, -1.0, 0.5) == (0.5, 0.5)
    times = np.array([0.0, 2.03])  # 1 s, where it turns back, is half a hundredth from a look
    t, value = first_exit(times, parabola(times, 1.0), -1.0, 1.0 - 1e-5)
    assert (t, value) == (pytest.approx(1 - math.sqrt(1e-5), abs=1e-9), 1.0 - 1e-5)


def test_the_first_of_several_exits_counts():
    times = np.linspace(0.0, 20.0, 41)
    s = np.sin(times) * times
    v, a = np.cos(times) * times + np.sin(times), 2 * np.cos(times) - np.sin(times) * times
    t, value = first_exit(times, (s, v, a), -4.0, 1e9)
    assert value == -4.0
    assert t * math.sin(t) == pytest.approx(-4.0, abs=1e-3)
    assert np.pi < t < 2 * np.pi
    assert first_exit(times, (s, v, a), -21.0, 21.0) is None


def thrown(speed, until, steps, **how):
    """A bead thrown up a wire of 1 m from its lower end."""
    m = Builder("bead on a wire", plane=True, gravity=(0, -G))
    bead = m.body("bead", at=(0, 0), angle=0.0, inertia=BEAD, velocity=(0, speed))
    wire = Segment((0, -1), (0, 1))
    m.add(PointOnCurve(m.ground.at(0, 0), bead.at(0, 0), curve=wire), "wire")
    return m.build().simulate(until=until, steps=steps, **how)


@pytest.mark.parametrize("method", ["auto", "gear", "rodas5p", "fixed"])
def test_a_bead_that_leaves_its_wire_and_comes_back_between_samples_has_left_it(method):
    over = math.sqrt(2 * G * 1.02)  # rises to 1.02 m, 2 cm past the end, for 0.13 s
    run = thrown(over, 0.9, 2, method=method)
    assert run.outcome.name == "LimitReached"
    assert run.outcome.facts["t"] == pytest.approx(
        (over - math.sqrt(over**2 - 2 * G)) / G, abs=CLOSE
    )
    assert list(run.t) == [0.0]  # 0.45 s comes after it
    under = math.sqrt(2 * G * 0.999)
    assert thrown(under, 0.9, 2, method=method).outcome.is_done


def test_a_driven_point_that_leaves_its_curve_between_samples_has_left_it():
    def swung(size):
        m = Builder("swung", plane=True)
        bead = m.body("bead", at=(0.0, 0.0), angle=0.0)
        wire = Segment((-1, 0), (1, 0))
        m.add(PointOnCurve(m.ground.at(0, 0), bead.at(0, 0), curve=wire), "wire")
        m.drive(bead.angle, speed=0.0)
        m.drive(bead.x, TextFormula("A * sin(t)", ("A",), (size,)))
        return m.build().kinematics(until=3.0, steps=3)

    off = swung(1.02)  # beyond the end from 1.372 s to 1.769 s, between samples
    assert off.outcome.name == "LimitReached"
    assert off.outcome.facts["t"] == pytest.approx(math.asin(1 / 1.02), abs=1e-3)
    assert list(off.t) == [0.0, 1.0]
    assert swung(0.99).outcome.is_done
