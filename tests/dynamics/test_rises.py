"""Rises of cams, alone and in a row, as drives and as loads: but for rounding without corners."""

import itertools

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.drives import Cycloidal, Piecewise, Ramp
from kempe.forces import Actuator, LineSpring

LEVELS = (0.0, 0.9, -0.9, 0.0)  # N
CLOSE = 1e-7  # in m and m/s, at a tolerance of 1e-8 and sizes of about 1


def car(m, name, x):
    """A mass of 1 kg on the rail y = 0."""
    body = m.body(name, at=(x, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0), name=f"rail of {name}")
    return body


@pytest.mark.parametrize(
    ("rise", "duration", "dwell"),
    [
        (1.588855203878302, 0.6625859199442002, 0.0),  # comes to rest to -3.5e-16 m/s
        (-1.5131212296942325, 0.35206836636714345, 0.46114670980294215),  # sets off by 6.7e-16
        (0.9971558177279101, 0.758888415035124, 0.9002036627318349),  # still for nine samples
    ],
)
def test_a_rise_that_pulls_a_mass_by_a_spring_goes_all_the_way(rise, duration, dwell):
    m = Builder("pulled", plane=True)
    first, second = car(m, "first", 0.0), car(m, "second", 1.0)
    m.drive(first.x, Cycloidal(rise=rise, duration=duration, dwell=dwell))
    m.force(LineSpring(first.at(0, 0), second.at(0, 0), stiffness=10.0, free=1.0), "s")
    run = m.build().simulate(until=3.0, steps=30)
    assert run.outcome.is_done, run.outcome
    t = np.clip((run.t - dwell) / duration, 0.0, 1.0)
    expected = rise * (t - np.sin(2 * np.pi * t) / (2 * np.pi))
    assert np.abs(run["first.x"].values - expected).max() < CLOSE


def test_a_rate_that_jumps_is_still_refused():
    m = Builder("pushed", plane=True)
    body = car(m, "first", 0.0)
    m.drive(body.x, Piecewise(((0.5, Ramp(0.0, 1.0)), (0.5, Ramp(0.5, 1.0 + 1e-6)))))
    run = m.build().simulate(until=1.0, steps=10)
    assert run.outcome.name == "LimitReached"
    assert run.outcome.facts["t"] == pytest.approx(0.5)


@pytest.mark.parametrize("durations", list(itertools.product((0.2, 0.3, 0.4), repeat=3)))
def test_borders_of_pieces_a_rounding_apart_do_not_stop_a_run(durations):
    """Ends of rises and of pieces are sums of tenths, the same but for rounding.

    The mean of a rise is that of its levels: v = sum d_k (a_k + b_k) / 2.
    """
    rises = zip(durations, LEVELS, LEVELS[1:], strict=False)
    law = Piecewise(tuple((d, Cycloidal(rise=b - a, duration=d, start=a)) for d, a, b in rises))
    m = Builder("pushed", plane=True)
    body = car(m, "first", 0.0)
    m.force(Actuator(body.x, law), "a")
    run = m.build().simulate(until=2.0, steps=10)
    assert run.outcome.is_done, run.outcome
    speed = sum(d * (a + b) / 2 for d, a, b in zip(durations, LEVELS, LEVELS[1:], strict=False))
    assert run["first.x"].rate[-1] == pytest.approx(speed, abs=CLOSE)
