"""Events of expressions that change their sign through infinity, or by a jump."""

import math

import numpy as np
import pytest

import kempe as kp

pytestmark = pytest.mark.core

METHODS = ("dop853", "tsit5", "rodas5p", "gear")


def gliding():
    """x = -0.5 + t."""
    m = kp.Builder("rail", plane=True)
    body = m.body("body", at=(-0.5, 0), inertia=kp.Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(1, 0), name="rail")
    m.rate(rail.displacement, 1.0)
    return m.build()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "text", ["1 / rail.displacement", "1 / body.x^3", "1 / (t - 0.3)", "-2 / (t - 1/3)^5"]
)
def test_what_passes_infinity_has_no_zero(text, method):
    run = gliding().simulate(until=1.0, steps=4, method=method, events=[text])
    assert run.outcome.is_done
    assert run.events == ()


@pytest.mark.parametrize("method", METHODS)
def test_a_tangent_has_its_zeros_and_not_its_poles(method):
    """tan 3 t = 0 at t = k pi / 3; rail.displacement = t - 0.5."""
    for text in ("tan(3 * t)", "tan(3 * rail.displacement + 1.5)"):
        run = gliding().simulate(until=4.0, steps=4, method=method, events=[text])
        assert [event.direction for event in run.events] == ["rising"] * 3
        due = [k * math.pi / 3 for k in (1, 2, 3)]
        assert [event.t for event in run.events] == pytest.approx(due, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_jump_over_zero_passes_it(method):
    for text in (
        "if(t < 0.3, 1, -1)",
        "if(rail.displacement < -0.2, 1e-3, -1e3)",
        "1 - exp(1 / (t - 0.3))",
    ):
        run = gliding().simulate(until=1.0, steps=4, method=method, events=[text])
        assert [event.t for event in run.events] == [pytest.approx(0.3, abs=1e-9)]


@pytest.mark.parametrize("method", METHODS)
def test_a_zero_beside_a_pole_is_found(method):
    """(x - e) / x^2 has a zero at e and a pole at 0 that changes no sign."""
    text = "(rail.displacement + 0.001) / rail.displacement"
    run = gliding().simulate(until=1.0, steps=4, method=method, events=[text])
    assert [event.t for event in run.events] == [pytest.approx(0.499, abs=1e-9)]
