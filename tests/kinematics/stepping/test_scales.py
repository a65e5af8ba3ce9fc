"""A machine of any size is judged alike: in both plans, from a millionth of a millionth on."""

import numpy as np
import pytest

import kempe
from kempe.front.parts import BodyPart

PLANS = pytest.mark.parametrize("plan", ["small", "large"])
SCALES = (1e-12, 3e-8, 1e-7, 1e-3, 1e3, 1e8)
# Of the machine's size: a sample is closed to 1e-13 of it, and each dyad hands that on doubled.
ALIKE = 1e-9


def dyads(scale):
    lengths = {"crank": 1.0, "coupler": 3.0, "rocker": 2.5, "ground": 2.8}
    return kempe.gallery.dyad_chain(dyads=20, **{n: x * scale for n, x in lengths.items()})


@PLANS
def test_twenty_dyads_move_alike_at_every_size(plan):
    before = dyads(1.0).kinematics(until=1.0, steps=40, plan=plan)
    assert before.outcome.is_done
    for scale in SCALES:
        after = dyads(scale).kinematics(until=1.0, steps=40, plan=plan)
        assert (after.outcome.name, len(after)) == ("Done", len(before)), scale
        unit = np.tile([scale, scale, 1.0], after.motion.q.shape[1] // 3)
        assert np.abs(after.motion.q / unit - before.motion.q).max() < ALIKE
        assert np.abs(after.motion.v / unit - before.motion.v).max() < 1e3 * ALIKE


@PLANS
@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e3, 1e9])
def test_a_sample_in_a_dead_point_is_left_out_at_every_size(scale, plan):
    """There the velocity is infinite; the slider is driven to the stretched position exactly."""
    m = kempe.gallery.slider_crank(crank=0.03 * scale, rod=0.09 * scale, start=0.9).edit()
    m.remove("crank.angle")
    m.drive(BodyPart(m, "slider").x, start=0.1 * scale, speed=0.02 * scale)
    turn = m.build().kinematics(until=2.0, steps=2000, plan=plan)
    assert turn.outcome.name == "DeadPoint"
    assert turn.outcome.facts["value"] == pytest.approx(0.12 * scale, rel=1e-12)
    assert len(turn) == 1000
    assert turn.t[-1] == pytest.approx(0.999)


@PLANS
def test_steps_between_samples_are_taken_as_long_as_they_lead_on(plan):
    turn = kempe.gallery.four_bar().kinematics(until=10_000.0, steps=10, plan=plan)
    assert turn.outcome.is_done, turn.outcome
    around = turn["crank.end"].position
    np.testing.assert_allclose(around, around[:1].repeat(11, axis=0), atol=1e-10)


def test_a_law_that_would_take_for_ever_ends_the_sweep():
    m = kempe.gallery.four_bar().edit()
    m.remove("crank.angle")
    m.drive(BodyPart(m, "crank").angle, speed=1e13)
    assert m.build().kinematics(until=1.0, steps=3).outcome.name == "StepTooSmall"
