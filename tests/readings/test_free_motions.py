"""What can be read of a motion whose free parts move as little as they can."""

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.errors import ModelError
from kempe.export.summary import summary

ROD = Inertia(1.0, (0.05, 0, 0), 0.01 * np.eye(3))


@pytest.fixture
def motion():
    """A driven rod with another one that hangs on it, both with a mass."""
    m = Builder("two rods", plane=True, gravity=(0, -9.81))
    a, b = (m.bar(name, 0.1, inertia=ROD) for name in "ab")
    m.revolute(m.ground.at(0, 0), a.start, name="pin")
    m.revolute(a.end, b.start, name="knee")
    m.drive(a.angle, speed=1.0)
    return m.build().kinematics(until=1.0, steps=4, free="nearest")


@pytest.mark.parametrize("name", ["pin.force", "knee.torque.z", "a.angle.work", "2 * pin.force.x"])
def test_it_tells_no_loads_and_says_why(motion, name):
    with pytest.raises(ModelError, match="does not follow from a motion whose free parts"):
        motion[name]


def test_every_name_that_it_lists_can_be_read(motion, tmp_path):
    assert "b.angle" in motion.names
    assert not any("pin.force" in name or name.endswith("effort") for name in motion.names)
    for name in motion.names:
        motion[name]
    motion.to_csv(tmp_path / "a.csv")
    assert "It went all the way." in summary(motion)
