"""A Geneva drive and a ratchet: closed forms, and an integrator of another make."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe.errors import BadNumber

#: The pin is held in its slot by a row that is closed to rounding at every step.
EXACT = 1e-10
#: Of the largest energy, at the tolerance of these runs.
BALANCED = 1e-8
FINE = 1e-11


def geneva_law(slots: int, driver: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle of the wheel, its first and second derivative by the driver's angle.

    Source: tan b = l sin a / (1 - l cos a), l = sin(pi / n); at rest outside |a| <= pi/2 - pi/n.
    """
    share, ends = math.sin(math.pi / slots), math.pi / 2 - math.pi / slots
    turns = np.round(driver / math.tau)
    a = driver - math.tau * turns
    inside = np.abs(a) < ends
    a = np.clip(a, -ends, ends)
    below = 1.0 - 2.0 * share * np.cos(a) + share**2
    angle = np.arctan2(share * np.sin(a), 1.0 - share * np.cos(a))
    first = share * (np.cos(a) - share) / below
    second = -share * (1.0 - share**2) * np.sin(a) / below**2
    return -(math.tau / slots * turns + angle), -first * inside, -second * inside


@pytest.mark.parametrize("slots", [3, 4, 6])
def test_a_geneva_wheel_turns_by_its_law_slot_after_slot(slots: int) -> None:
    turn = kempe.gallery.geneva_drive(slots=slots, rpm=30.0).simulate(
        until=2.0 * slots + 1.1, steps=997, tolerance=FINE
    )
    assert turn.outcome.is_done
    speed = math.pi  # rad/s of the driver
    driver, wheel = turn["driver.angle"].values, turn["wheel.angle"]
    angle, first, second = geneva_law(slots, driver)
    assert np.abs(wheel.values - wheel.values[0] - (angle - angle[0])).max() < EXACT
    a = np.abs(driver - math.tau * np.round(driver / math.tau))
    clear = np.abs(a - math.pi / 2 + math.pi / slots) > 1e-6  # where the acceleration jumps
    assert np.abs(wheel.rate - speed * first).max() < 1e-8
    assert np.abs(wheel.acceleration - speed**2 * second)[clear].max() < 1e-6
    assert np.ptp(turn.energy.total) < BALANCED * turn.energy.kinetic.max()


@pytest.mark.parametrize(("slots", "peak"), [(4, math.sqrt(2.0) + 1.0), (6, 1.0)])
def test_the_published_peak_of_the_velocity_ratio_is_reached(slots: int, peak: float) -> None:
    turn = kempe.gallery.geneva_drive(slots=slots).simulate(until=1.0, steps=100, tolerance=FINE)
    assert turn["driver.angle"].values[-1] == pytest.approx(0.0, abs=1e-12)
    assert -turn["wheel.angle"].rate[-1] / math.pi == pytest.approx(peak, rel=1e-9)


def test_pin_and_disc_take_turns() -> None:
    turn = kempe.gallery.geneva_drive().simulate(until=4.0, steps=40)
    names = [(event.kind, event.name) for event in turn.events]
    assert names[:5] == [
        ("latch", "pin0"),
        ("release", "out0"),
        ("latch", "lock0"),
        ("release", "open1"),
        ("latch", "pin1"),
    ]
    assert [event.t for event in turn.events][:3] == pytest.approx([0.75, 1.25, 1.25], abs=1e-9)


def pawl_and_teeth(end: float) -> tuple[float, float, list[int]]:
    """Angle and speed of the drum at a time, and the teeth that were caught, by SciPy."""
    load, pull, inertia, pitch, clear = 4.0, 9.0, 0.5, math.tau / 12, 0.02

    def push(t: float) -> float:
        return pull * max(0.0, math.sin(math.tau * t)) - load

    t, y, tooth, caught = 0.0, [0.0, 0.0], 0, []
    while t < end:
        if y[1] == 0.0 and y[0] == tooth * pitch and push(t + 1e-9) <= 0.0:
            lifts = math.asin(load / pull) / math.tau
            t = math.floor(t) + lifts + (1.0 if t - math.floor(t) > lifts else 0.0)
            continue

        def hit(_, y, low=tooth * pitch):
            return y[0] - low

        def by(_, y, high=(tooth + 1 + clear) * pitch):
            return y[0] - high

        hit.terminal = by.terminal = True
        hit.direction, by.direction = -1.0, 1.0
        options = {"rtol": 1e-11, "atol": 1e-13, "max_step": 0.005, "events": (hit, by)}
        run = solve_ivp(lambda t, y: [y[1], push(t) / inertia], (t, end), y, **options)
        t, y = float(run.t[-1]), [float(x) for x in run.y[:, -1]]
        if len(run.t_events[0]):
            y = [tooth * pitch, 0.0]
            caught.append(tooth)
        elif len(run.t_events[1]):
            tooth += 1
    return y[0], y[1], caught


def test_a_ratchet_climbs_tooth_by_tooth_as_scipy_says() -> None:
    """SciPy's steps of 0.005 s at most over the corners of the pull err by some 1e-8."""
    end = 4.3
    motion = kempe.gallery.ratchet().simulate(until=end, steps=430, tolerance=FINE)
    angle, speed, caught = pawl_and_teeth(end)
    assert motion.outcome.is_done
    assert motion["hub.angle"].values[-1] == pytest.approx(angle, abs=1e-6)
    assert motion["hub.angle"].rate[-1] == pytest.approx(speed, abs=1e-5)
    impacts = [event.name for event in motion.events if event.kind == "impact"]
    assert impacts == [f"tooth{k}" for k in caught]
    assert caught
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()


def test_a_ratchet_never_comes_back_behind_a_tooth_that_has_passed() -> None:
    motion = kempe.gallery.ratchet().simulate(until=6.0, steps=600)
    pitch = math.tau / 12
    angle = motion["hub.angle"].values
    passed = np.floor((np.maximum.accumulate(angle) / pitch) - 0.02)
    assert (angle >= passed * pitch - 1e-9).all()
    assert angle[-1] > 3 * pitch


@pytest.mark.parametrize("wrong", [2, 4.0, True])
def test_a_wheel_without_enough_slots_is_refused(wrong: object) -> None:
    for make in (
        lambda: kempe.gallery.geneva_drive(slots=wrong),  # type: ignore[arg-type]
        lambda: kempe.gallery.ratchet(teeth=wrong),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadNumber, match="whole number"):
            make()
