"""Axes that oppose each other on purpose, and by mistake."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError
from kempe.geometry import Marker, Rotation
from kempe.joints import ConstantVelocity, Revolute

EXACT = 1e-10  # rates of a machine of size 1, solved to 1e-13
BEND = math.radians(30)


def bent_shafts(*, flip):
    """Two shafts whose z axes both run from the first to the second."""
    m = kempe.Builder("bent shafts")
    bent = Rotation.about((1, 0, 0), BEND)
    first = m.body("first", at=(0, 0, 0))
    second = m.body("second", at=(0, 0, 0), rotation=bent)
    m.revolute(m.ground.at(0, 0, -1), first.at(0, 0, -1), name="in")
    tail = Marker("ground", (0.0, -math.sin(BEND), math.cos(BEND)), bent)
    m.add(Revolute(tail, second.at(0, 0, 1)), name="out")
    m.add(ConstantVelocity(first.at(0, 0, 0), second.at(0, 0, 0)), name="coupling", flip=flip)
    m.drive(first.angle, rpm=60)
    return m.build()


def test_a_constant_velocity_joint_keeps_the_speed_whatever_the_bend():
    motion = bent_shafts(flip=True).kinematics(until=1.0, steps=36)
    assert motion.outcome.is_done, motion.outcome
    np.testing.assert_allclose(motion["out.angle"].rate, math.tau, atol=EXACT)
    np.testing.assert_allclose(motion["out.angle"].acceleration, 0.0, atol=100 * EXACT)


def test_outward_axes_are_its_own_and_others_need_a_flip():
    with pytest.raises(AssemblyError, match=r"z axes of its markers point the same way.*flip=True"):
        bent_shafts(flip=False).kinematics(until=1.0, steps=4)


def mounted(*, flip):
    """A disc put on its shaft face down."""
    m = kempe.Builder("disc")
    disc = m.body("disc", at=(0, 0, 0), rotation=Rotation.about((1, 0, 0), math.pi))
    hinge = m.add(Revolute(m.ground.at(0, 0, 0), disc.at(0, 0, 0)), name="hinge", flip=flip)
    m.drive(hinge.angle, rpm=60)
    return m.build()


def test_a_hinge_whose_axes_oppose_each_other_is_refused_with_the_remedy():
    with pytest.raises(AssemblyError, match=r"'hinge' went together the wrong way.*flip=True"):
        mounted(flip=False).kinematics(until=1.0, steps=4)


def test_a_flipped_hinge_takes_them():
    motion = mounted(flip=True).kinematics(until=1.0, steps=4)
    assert motion.outcome.is_done
    np.testing.assert_allclose(motion["hinge.angle"].values, math.tau * motion.t, atol=EXACT)


@pytest.mark.parametrize("start", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("tilt", [0.0, 0.01])
def test_a_body_put_face_down_is_not_turned_over_wherever_its_drive_starts(start, tilt):
    m = kempe.Builder("disc")
    put = Rotation.about((1, 0, 0), math.pi - tilt)
    disc = m.body("disc", at=(0, 0, 0), rotation=put)
    hinge = m.add(Revolute(m.ground.at(0, 0, 0), disc.at(0, 0, 0)), name="hinge")
    m.drive(hinge.angle, start=start, rpm=60)
    mechanism = m.build()
    for analysis in (lambda: mechanism.kinematics(until=1.0, steps=4), mechanism.assemble):
        with pytest.raises(AssemblyError, match=r"'hinge' went together the wrong way.*flip=True"):
            analysis()
