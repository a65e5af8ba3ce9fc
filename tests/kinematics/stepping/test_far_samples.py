"""Steps between samples are the sweep's own business, however far apart the samples are."""

import numpy as np
import pytest

import kempe

#: Of angles: closing tolerance of a position, and the rounding of an angle of some 1e4 rad.
CLOSED = 1e-7


@pytest.mark.parametrize("executor", ["vm", "llvm"])
def test_samples_a_thousand_turns_apart_are_those_of_a_dense_sweep(executor):
    """The drive turns once a second; after whole turns everything stands as it did."""
    mechanism = kempe.gallery.four_bar()
    rate = mechanism.kinematics(until=1.0, steps=10)["crank.angle"].rate[0]
    turn = 2 * np.pi / abs(rate)
    run = mechanism.kinematics(until=5_000 * turn, steps=5, executor=executor)
    assert run.outcome.is_done
    assert len(run) == 6
    for name in ("crank.angle", "coupler.angle", "rocker.angle"):
        turns = run[name].values / (2 * np.pi)
        away = turns - turns[0]
        assert np.abs(away - np.rint(away)).max() < CLOSED
    assert abs(run["crank.angle"].values[-1] - run["crank.angle"].values[0]) > 5_000


def test_a_sweep_that_creeps_still_ends():
    """A law that runs away to infinity is not followed for ever."""
    m = kempe.Builder("runaway", plane=True)
    bar = m.bar("bar", 1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, lambda t: 1.0 / (1.0 - t))
    run = m.build().kinematics(until=2.0, steps=4)
    assert not run.outcome.is_done
    assert run.outcome.facts["t"] < 1.0
