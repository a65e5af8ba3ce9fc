"""A door closer: one freedom, its linkage in closed form, and an integrator of another make."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe

FINE = 1e-11
PINION, BRACKET, ARM, LINK = 0.24 + 0.05j, -0.12 + 0.15j, 0.22, 0.26
WIDTH, THICK, MASS, ARM_MASS = 0.9, 0.04, 25.0, 0.3
SPRING, PRELOAD, CLOSING, PUSH = 9.0, 12.0, 60.0, 32.0
DOOR = MASS * (WIDTH**2 + THICK**2) / 12.0 + MASS * (0.5 * WIDTH) ** 2  # kg m^2, about its hinge


def arm_angle(q: complex) -> complex:
    """The arm's angle in the world, by the law of cosines; q may have an imaginary step."""
    px = PINION.real * np.cos(q) - PINION.imag * np.sin(q)
    py = PINION.real * np.sin(q) + PINION.imag * np.cos(q)
    x, y = BRACKET.real - px, BRACKET.imag - py
    far = np.sqrt(x * x + y * y)
    bend = np.arccos((ARM**2 + far**2 - LINK**2) / (2.0 * ARM * far))
    # of vectors to the left atan2 is pi + atan(y / x), which a complex step goes through
    return np.arctan(y / x) + (math.pi if x.real < 0.0 else 0.0) - bend


def slope(f, q: float) -> float:
    """df/dq by a complex step."""
    return float(np.imag(f(q + 1e-30j)) / 1e-30)


def inertia(q: float) -> float:
    """Of door and arm about the hinge: twice the kinetic energy at a rate of 1 rad/s."""
    b, db = float(np.real(arm_angle(complex(q)))), slope(arm_angle, q)
    pinion = 1j * PINION * np.exp(1j * q)  # its velocity
    middle = pinion + 0.5j * ARM * np.exp(1j * b) * db
    return DOOR + ARM_MASS * abs(middle) ** 2 + ARM_MASS * ARM**2 / 12.0 * db**2


def moment(t: float, q: float, w: float) -> float:
    """Of spring, oil and visitor on the door: what acts on the arm, times how the arm turns."""
    beside = slope(arm_angle, q) - 1.0  # of the arm beside the door, for each rad of the door
    x = float(np.real(arm_angle(complex(q)))) - q
    shut = float(np.real(arm_angle(0j)))
    shutting = math.tanh((math.degrees(q) - 8.0) / 2.0)
    home = CLOSING * (0.75 + 0.25 * 0.5 * (1.0 + shutting))
    rate = beside * w
    oil = 0.5 + (home - 0.5) * 0.5 * (1.0 + math.tanh(rate / 0.01))
    spring = SPRING * (shut + PRELOAD / SPRING - x)
    visitor = PUSH * math.cos(math.pi / 3.0 * min(t, 1.5)) ** 2
    return beside * (spring - oil * rate) + visitor


def by_scipy() -> tuple[float, float, float]:
    """When it meets the frame, how fast, and how far it was open."""

    def law(t: float, y: np.ndarray) -> list[float]:
        q, w = float(y[0]), float(y[1])
        h = 1e-5
        bent = (inertia(q + h) - inertia(q - h)) / (2.0 * h)
        return [w, (moment(t, q, w) - 0.5 * bent * w * w) / inertia(q)]

    def shut(t: float, y: np.ndarray) -> float:
        return float(y[0]) if t > 0.1 else 1.0

    shut.terminal, shut.direction = True, -1.0  # type: ignore[attr-defined]
    options = {"rtol": 1e-10, "atol": 1e-12, "max_step": 0.05}
    first = solve_ivp(law, (0.0, 1.5), [0.0, 0.0], **options)  # the push has a corner there
    rest = solve_ivp(law, (1.5, 9.0), first.y[:, -1], events=shut, **options)
    opened = max(float(first.y[0].max()), float(rest.y[0].max()))
    return float(rest.t[-1]), -float(rest.y[1, -1]), opened


def test_it_meets_the_frame_when_and_as_fast_as_scipy_says() -> None:
    visit = kempe.gallery.door_closer().simulate(until=8.0, steps=800, tolerance=FINE)
    assert visit.outcome.is_done
    impacts = [event for event in visit.events if event.kind == "impact"]
    assert [event.name for event in impacts] == ["frame"]
    t, speed, opened = by_scipy()
    assert impacts[0].t == pytest.approx(t, abs=1e-6)
    assert impacts[0].speed == pytest.approx(speed, abs=1e-6)
    assert impacts[0].lost == pytest.approx(0.5 * inertia(0.0) * speed**2, rel=1e-5)
    assert float(visit["hinge.angle"].values.max()) == pytest.approx(opened, abs=1e-4)


def test_it_does_not_slam_and_without_oil_it_does() -> None:
    def met(closing: float) -> float:
        visit = kempe.gallery.door_closer(closing=closing).simulate(until=8.0)
        return max(event.speed for event in visit.events if event.kind == "impact")

    assert met(60.0) < 0.4  # rad/s: the edge of the door at 0.3 m/s
    assert met(2.0) > 1.5


def test_it_stays_shut_and_presses_on_the_frame_with_its_preload() -> None:
    visit = kempe.gallery.door_closer().simulate(until=8.0, steps=800)
    assert np.abs(visit["hinge.angle"].values[-50:]).max() < 1e-9
    beside = slope(arm_angle, 0.0) - 1.0
    assert visit["frame.effort"].values[-1] == pytest.approx(-beside * PRELOAD, rel=1e-6)


def test_the_speed_at_which_a_turn_meets_its_stop_is_told_in_radians() -> None:
    visit = kempe.gallery.door_closer().simulate(until=8.0)
    impact = next(event for event in visit.events if event.kind == "impact")
    assert impact.unit == "rad"
    assert "rad/s" in str(impact)
