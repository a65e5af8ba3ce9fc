"""A deadbeat escapement: an integrator of another make, and the energy of a beat."""

import cmath
import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe.errors import BadNumber

G, RADIUS, TEETH, LIFT = 9.81, 0.07, 12, math.radians(4.0)
MASS, LENGTH, TORQUE, DAMPING, WHEEL = 0.5, 0.25, 2e-3, 6.5e-3, 0.5 * 3e-3 * RADIUS**2
PENDULUM = MASS * LENGTH**2
FINE = 1e-11
HALF = math.pi / TEETH * 2.5  # of the wheel's span: two pitches and a half
PUSHED = 0.9 * math.pi / TEETH  # rad of the wheel while a tooth pushes


@dataclass(frozen=True)
class Pallet:
    """A tooth on the end of a pallet, side 1 left and -1 right, in complex numbers.

    The tooth is at t(a), the end at e^(i theta) c; their difference is along the pallet:
    Im(conj(e^(i theta) f) (t(a) - e^(i theta) c)) = 0, with f along it.
    """

    side: int

    def tip(self, a: float) -> complex:
        below = RADIUS / math.cos(HALF)
        return RADIUS * cmath.exp(1j * (math.pi / 2 + self.side * HALF + a)) - 1j * below

    def corners(self) -> tuple[complex, complex]:
        lift = 0.5j * self.side * LIFT
        return self.tip(0.0) * cmath.exp(-lift), self.tip(-PUSHED) * cmath.exp(lift)

    def slopes(self, a: float, theta: float) -> tuple[float, float]:
        """Derivatives of the condition by a and by theta."""
        c, d = self.corners()
        along = (d - c) * cmath.exp(1j * theta)
        turning = 1j * (self.tip(a) + 1j * RADIUS / math.cos(HALF))
        by_a = (along.conjugate() * turning).imag
        return by_a, (-1j * along.conjugate() * self.tip(a)).imag

    def ratio(self, a: float, theta: float) -> float:
        by_a, by_theta = self.slopes(a, theta)
        return -by_theta / by_a

    def bend(self, a: float, theta: float, h: float = 1e-5) -> float:
        """The second derivative of a by theta along the motion, by differences."""
        i = self.ratio(a, theta)
        ahead, behind = self.ratio(a + i * h, theta + h), self.ratio(a - i * h, theta - h)
        return (ahead - behind) / (2.0 * h)


def pull(theta: float, rate: float) -> float:
    return -MASS * G * LENGTH * math.sin(theta) - DAMPING * rate


def swung(t: float, y: list[float], law, angle: float, way: int) -> tuple[float, list[float]]:
    """Up to where theta passes an angle in one direction."""

    def passes(_, y):
        return y[0] - angle

    passes.terminal, passes.direction = True, way
    options = {"rtol": 1e-11, "atol": 1e-13, "max_step": 0.02, "events": passes}
    run = solve_ivp(law, (t, t + 5.0), y, **options)
    assert run.status == 1
    return float(run.t[-1]), [float(x) for x in run.y[:, -1]]


def clock(start: float, beats: int) -> list[float]:
    """Times of the ticks, by SciPy."""
    t, y, ticks, side = 0.0, [start, 0.0], [], 1
    drop = math.pi / TEETH - PUSHED
    ticks.append(math.sqrt(2.0 * drop * WHEEL / TORQUE))
    for _ in range(beats):
        pallet = Pallet(side)

        def free(_, y):
            return [y[1], pull(*y) / PENDULUM]

        def pushed(_, y, pallet=pallet):
            theta, rate, a = y
            i, bend = pallet.ratio(a, theta), pallet.bend(a, theta)
            moment = pull(theta, rate) - TORQUE * i - WHEEL * i * bend * rate**2
            return [rate, moment / (PENDULUM + WHEEL * i * i), i * rate]

        t, y = swung(t, y, free, 0.5 * side * LIFT, -side)
        i = pallet.ratio(0.0, 0.5 * side * LIFT)
        met = y[1] * PENDULUM / (PENDULUM + WHEEL * i * i)
        t, (theta, rate, a) = swung(t, [y[0], met, 0.0], pushed, -0.5 * side * LIFT, -side)
        assert a == pytest.approx(-PUSHED, abs=1e-9)  # it leaves at the corner
        speed = -pallet.ratio(a, theta) * rate
        push = TORQUE / WHEEL
        ticks.append(t + (math.sqrt(speed**2 + 2.0 * push * drop) - speed) / push)
        y, side = [theta, rate], -side
    return ticks


def test_it_ticks_when_scipy_says() -> None:
    beats = 9
    motion = kempe.gallery.clock_escapement().simulate(until=5.0, steps=50, tolerance=FINE)
    assert motion.outcome.is_done
    ticks = [event.t for event in motion.events if event.name.startswith("tick")]
    wanted = clock(math.radians(3.0), beats)
    assert ticks[: beats + 1] == pytest.approx(wanted, abs=1e-7)


def test_the_wheel_goes_on_by_one_tooth_a_period_and_rests_between() -> None:
    motion = kempe.gallery.clock_escapement().simulate(until=12.0, steps=1200)
    ticks = [event for event in motion.events if event.name.startswith("tick")]
    assert [e.name for e in ticks[:4]] == ["tick_left", "tick_right", "tick_left", "tick_right"]
    angle = motion["hub.angle"].values
    for tick, k in zip(ticks, range(len(ticks)), strict=True):
        after = np.searchsorted(motion.t, tick.t)
        if after < len(angle):
            assert angle[after] == pytest.approx(-k * math.pi / TEETH, abs=1e-9)
    periods = np.diff([e.t for e in ticks[-9:]])[::2] + np.diff([e.t for e in ticks[-9:]])[1::2]
    pendulum = math.tau * math.sqrt(LENGTH / G)
    assert periods == pytest.approx(np.full(4, pendulum), rel=2e-3)


def test_it_swings_as_far_as_the_energy_of_a_beat_says() -> None:
    """A beat gives the torque's work over the push, less what the wheel takes along; the air takes
    c w pi A^2 / 2 of an amplitude A. Both are the small swing's, to a thousandth or so.
    """
    settled = kempe.gallery.clock_escapement(start=math.radians(4.5)).simulate(
        until=40.0, steps=8000
    )
    amplitude = float(np.abs(settled["pivot.angle"].values[-400:]).max())
    w = math.sqrt(G / LENGTH)
    middle = amplitude * w * math.sqrt(1.0 - (0.5 * LIFT / amplitude) ** 2)
    lost = 0.0
    for side in (1, -1):
        start = Pallet(side).ratio(0.0, 0.5 * side * LIFT)
        end = Pallet(side).ratio(-PUSHED, -0.5 * side * LIFT)
        lost += 0.25 * WHEEL * middle**2 * (start**2 + end**2)
    taken = DAMPING * w * math.pi * amplitude**2 / 2.0
    assert TORQUE * PUSHED - lost == pytest.approx(taken, rel=0.01)
    assert amplitude > LIFT


def test_more_torque_swings_it_further_and_too_little_lets_it_stop() -> None:
    strong = kempe.gallery.clock_escapement(torque=4e-3).simulate(until=12.0, steps=1200)
    weak = kempe.gallery.clock_escapement().simulate(until=12.0, steps=1200)
    far, near = (float(m["pivot.angle"].values.max()) for m in (strong, weak))
    assert far > 1.2 * near
    still = kempe.gallery.clock_escapement(torque=1e-4).simulate(until=12.0)
    assert max(event.t for event in still.events) < 6.0


@pytest.mark.parametrize("wrong", [{"teeth": 5}, {"teeth": 12.0}, {"lift": 0.6}, {"start": 0.03}])
def test_what_is_no_clock_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadNumber, match=r"teeth|lift"):
        kempe.gallery.clock_escapement(**wrong)  # type: ignore[arg-type]
