"""Controllers in a computer: asked at exact times, against discrete closed forms."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

from kempe import forces
from kempe.drives import Ramp
from kempe.dynamics.live import LiveDynamics
from kempe.errors import BadConnection, BadNumber, ModelError
from kempe.events import Crossing
from tests.forces.carts import MASS, cart

#: A hundred times the tolerance of the runs here, 1e-10, relative to sizes of 1.
CLOSE = 1e-8
CLOSE_OF_GEAR = 1e-6
FINE = 1e-10


def law(now):
    return -3.0 * now.gauges[0].value - 2.0 * now.gauges[0].rate


def held_exactly(period, delay, end, answer=lambda x, v: -3.0 * x - 2.0 * v):
    """A mass under a held force: x + v h + f h^2 / 2 m from one change of the force to the next."""
    samples = math.floor(end / period + 1e-9) + 1
    changes = sorted(
        {*(k * period for k in range(samples)), *(k * period + delay for k in range(samples))}
    )
    x, v, f, t, waiting, k = 1.0, 0.0, 0.0, 0.0, [], 0
    for when in [*(c for c in changes if c < end), end]:
        h = when - t
        x, v, t = x + v * h + 0.5 * f / MASS * h * h, v + f / MASS * h, when
        if k < samples and abs(when - k * period) < 1e-12:
            waiting.append((when + delay, answer(x, v)))
            k += 1
        while waiting and waiting[0][0] <= when + 1e-12:
            f = waiting.pop(0)[1]
    return np.array([x, v])


def ends(motion):
    rail = motion["rail.displacement"]
    return np.array([rail.values[-1], rail.rate[-1]])


@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p", "gear"])
@pytest.mark.parametrize("delay", [0.0, 0.03, 0.25])
def test_a_held_force_moves_a_mass_along_parabolas(method, delay):
    model = cart(lambda g: forces.SampledControl(g, law, 0.1, delay)).build()
    motion = model.simulate(1.95, 10, method=method, tolerance=FINE)
    allowed = CLOSE_OF_GEAR if method == "gear" else CLOSE
    assert motion.outcome.is_done
    assert np.abs(ends(motion) - held_exactly(0.1, delay, 1.95)).max() < allowed


def test_a_function_is_asked_once_at_each_multiple_of_its_period_and_forward():
    times = []

    def clock(now):
        times.append(now.t)
        return 0.0

    cart(lambda g: forces.SampledControl(g, clock, 0.1)).build().simulate(1.0, 7)
    assert times[:10] == [k * 0.1 for k in range(10)]
    assert len(times) in (10, 11)  # the end itself changes nothing any more


def test_two_clocks_and_events_do_not_disturb_each_other():
    fast = lambda g: forces.SampledControl(g, lambda now: -now.gauges[0].value, 0.03)  # noqa: E731
    slow = lambda g: forces.SampledControl(g, lambda now: -2.0 * now.gauges[0].rate, 0.07)  # noqa: E731
    alone = cart(fast, slow).build().simulate(1.0, 20, tolerance=FINE)
    m = cart(fast, slow)
    m.event(Crossing("rail.displacement - 0.9"), "passed")
    m.event(Crossing("t - 0.3"), "struck")  # at the same time as a sample
    watched = m.build().simulate(1.0, 20, tolerance=FINE)
    assert len(watched.events) == 2
    off = alone["rail.displacement"].values - watched["rail.displacement"].values
    assert np.abs(off).max() < CLOSE


def test_what_is_held_can_be_read_and_is_in_the_balance():
    motion = (
        cart(lambda g: forces.SampledControl(g, law, 0.1))
        .build()
        .simulate(1.0, 100, tolerance=FINE)
    )
    held = motion["force0.held"].values
    assert held[0] == -3.0
    assert (held == motion["force0.effort"].values).all()
    assert len(np.unique(held)) <= 11
    assert np.ptp(motion.energy.total) < 1e-8 * motion.energy.kinetic.max()


def test_a_sampled_pid_is_its_difference_equation():
    P, I, D, T, goal = 30.0, 20.0, 9.0, 0.02, 0.4
    motion = cart(lambda g: forces.SampledPid(g, Ramp(goal), T, P, I, D)).build()
    motion = motion.simulate(1.0, 5, tolerance=FINE)
    x, v, z, last = 1.0, 0.0, 0.0, None
    for _ in range(50):
        slope = v if last is None else (x - last) / T
        f = P * (goal - x) + z - D * slope
        z, last = z + I * T * (goal - x), x
        x, v = x + v * T + 0.5 * f / MASS * T * T, v + f / MASS * T
    assert np.abs(ends(motion) - [x, v]).max() < CLOSE


def test_a_sampled_pid_at_its_limit_does_not_wind_up():
    """Its integral stands still while it would lead further beyond the limit."""
    P, I, D, T, top = 20.0, 20.0, 12.0, 0.01, 1.0
    pid = lambda g: forces.SampledPid(g, Ramp(0.0), T, P, I, D, low=-top, high=top)  # noqa: E731
    motion = cart(pid).build().simulate(8.0, 80, tolerance=FINE)
    x, v, z, last, wound = 1.0, 0.0, 0.0, None, 0.0
    for _ in range(800):
        wanted = P * -x + z - D * (v if last is None else (x - last) / T)
        f = min(max(wanted, -top), top)
        wound += I * T * -x
        z += I * T * -x if (wanted - f) * -x <= 0.0 else 0.0
        last, x, v = x, x + v * T + 0.5 * f / MASS * T * T, v + f / MASS * T
    assert np.abs(ends(motion) - [x, v]).max() < 1e-6
    assert np.abs(motion["force0.effort"].values).max() <= top
    assert abs(motion["rail.displacement"].values[-1]) < 1e-2
    assert np.abs(motion["force0.integral"].values).max() < 0.5 * abs(wound)


def test_ever_faster_samples_come_to_the_continuous_controller():
    """The distance falls with the period: half of it, half as far, to a fifth."""
    A = np.array([[0.0, 1.0], [-3.0 / MASS, -2.0 / MASS]])
    wanted = expm(2.0 * A) @ [1.0, 0.0]
    off = []
    for period in (0.02, 0.01):
        motion = cart(lambda g, T=period: forces.SampledControl(g, law, T)).build().simulate(2.0, 1)
        off.append(np.abs(ends(motion) - wanted).max())
    assert 1.6 < off[0] / off[1] < 2.4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda now: math.nan, "nan for 'held' at t = 0.5 s"),
        (lambda now: [1.0, 2.0], "where one number is needed"),
        (lambda now: "much", "where one number is needed"),
        (lambda now: 1.0 / 0.0, "division by zero"),
    ],
)
def test_a_controller_that_gives_no_number_ends_the_run_and_keeps_its_samples(answer, said):
    def function(now):
        return answer(now) if now.t > 0.45 else 0.5

    motion = cart(lambda g: forces.SampledControl(g, function, 0.1)).build().simulate(1.0, 100)
    assert not motion.outcome.is_done
    assert said in str(motion.outcome)
    assert motion.outcome.advice
    assert motion.t[-1] == pytest.approx(0.5)
    assert np.isfinite(motion["rail.displacement"].values).all()


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda g: forces.SampledControl(g, law, 0.0), BadNumber, "period"),
        (lambda g: forces.SampledControl(g, law, 0.1, -0.1), BadNumber, "cannot act before"),
        (lambda g: forces.SampledControl(g, 3.0, 0.1), BadConnection, "needs a function"),
        (
            lambda g: forces.SampledPid(g, Ramp(0.0), 0.1, 1.0, low=1.0, high=0.0),
            BadNumber,
            "at least",
        ),
    ],
)
def test_what_is_no_sampled_controller_is_refused(make, error, said):
    with pytest.raises(error, match=said):
        cart(make)


def test_a_live_simulation_refuses_a_clock_rather_than_hold_nothing():
    model = cart(lambda g: forces.SampledControl(g, law, 0.1)).build()
    with pytest.raises(ModelError, match="asked by a clock"):
        LiveDynamics(model.layout, (), method="dop853", tolerance=1e-8)


@pytest.mark.parametrize("delay", [0.0, 0.02])
def test_a_run_that_goes_on_from_a_sample_is_as_one_that_was_not_interrupted(delay):
    """The reading before the cut is a state: the difference at the cut is not a rate."""
    law = {"proportional": 30.0, "integral": 5.0, "derivative": 4.0, "delay": delay}
    machine = cart(lambda g: forces.SampledPid(g, Ramp(0.3, 0.0), 0.05, **law)).build()
    whole = machine.simulate(until=1.0, steps=20)
    for k in (1, 9, 10):
        first = machine.simulate(until=0.05 * k, steps=k)
        rest = machine.simulate(until=1.0 - 0.05 * k, steps=20 - k, start=first.state(-1))
        np.testing.assert_allclose(rest.motion.q, whole.motion.q[k:], atol=1e-12)
        np.testing.assert_allclose(rest.motion.states[1:], whole.motion.states[k + 1 :], atol=1e-11)


@pytest.mark.parametrize("period", [0.12695456901662122, 0.2569165148187259, 0.3, 0.1])
def test_times_that_differ_in_their_last_digit_are_one(period):
    """5 T + 2 T comes a last digit before 7 T: who is due at 7 T is not asked before it."""
    asked: list[float] = []

    def seen(now):
        asked.append(now.t)
        return 0.0

    cart(
        lambda g: forces.SampledControl(g, seen, period),
        lambda g: forces.SampledControl(g, law, period, 2.0 * period),
        lambda g: forces.SampledControl(g, law, 3.0 * period),
    ).build().simulate(until=7.0 * period, steps=3)
    assert asked == [k * period for k in range(7)]
