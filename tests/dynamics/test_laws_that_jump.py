"""A drive whose value jumps ends a simulation there, and is named."""

import numpy as np
import pytest

import kempe as kp
from kempe.outcome import Ending

MASS = kp.Inertia(1.0, (0.5, 0, 0), np.eye(3) * 0.1)


def two_bars(law, *, held, gravity):
    m = kp.Builder("two bars", plane=True, gravity=(0, -gravity))
    a, b = m.bar("a", 1.0, inertia=MASS), m.bar("b", 1.0, inertia=MASS)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.drive(a.angle, law)
    if held:
        m.drive(b.angle)
    return m.build()


@pytest.mark.parametrize("jump", [1.0, -0.01, 1e-5, 2.0 * np.pi])
@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_a_law_that_jumps_is_named_where_it_jumps(jump, held, gravity):
    """It used to be followed in silence where nothing weighs and all is driven."""
    bars = two_bars(lambda t: kp.where(t < 0.35, t, jump + t), held=held, gravity=gravity)
    run = bars.simulate(until=1.0, steps=10)
    assert run.outcome.ending is Ending.LIMIT_REACHED
    assert run.outcome.facts["t"] == pytest.approx(0.35, abs=1e-12)
    assert run.outcome.facts["drive"] == "a.angle"
    assert run.outcome.facts["after"] - run.outcome.facts["before"] == pytest.approx(jump)
    assert "jumps from 0.35 to" in run.outcome.message
    assert "rad/s" not in run.outcome.message
    assert run["a.angle"].values == pytest.approx([0.0, 0.1, 0.2, 0.3])


@pytest.mark.parametrize("scale", [1e-6, 1.0, 100.0])
@pytest.mark.parametrize("at", [0.35, 0.1, 1.0 / 3.0])
def test_pieces_that_meet_do_not_jump(scale, at):
    """t^3 on both sides, told in two ways: they differ by rounding."""

    def law(t):
        return kp.where(t < at, scale * t**3, scale * (at + (t - at)) ** 3)

    run = two_bars(law, held=True, gravity=0.0).simulate(until=1.0, steps=10)
    assert run.outcome.is_done
    assert run["a.angle"].values == pytest.approx(scale * np.linspace(0, 1, 11) ** 3, rel=1e-6)
