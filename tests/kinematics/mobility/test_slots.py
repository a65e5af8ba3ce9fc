"""A hinge too many in the plane becomes a pin in a slot, and the advice works as it is written."""

import re

import pytest

import kempe
from kempe.joints import PinInSlot


def three_arms(tilt: float = 0.0) -> kempe.Builder:
    """A plate on three equal arms: one of them repeats what the others say."""
    m = kempe.Builder("plate on three arms", plane=True)
    plate = m.body("plate", at=(0, 1))
    for k in range(3):
        arm = m.bar(f"arm{k}", 1.0, at=(float(k), tilt * k), angle="70 deg")
        m.revolute(m.ground.at(float(k), tilt * k), arm.start, name=f"foot{k}")
        m.revolute(arm.end, plate.at(float(k), tilt * k), name=f"head{k}")
    return m


@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_a_slot_that_is_proposed_takes_the_redundant_row_away(tilt):
    m = three_arms(tilt)
    before = m.build().check()
    assert (before.mobility, before.redundant_rows) == (1, 1)
    (looser,) = before.looser
    said = re.fullmatch(
        r"make '(\w+)' a pin in a slot \(PinInSlot\) along ([xy]) of its second marker:"
        r" 1 redundant row goes",
        str(looser),
    )
    assert said is not None
    hinge = m.build().model.joint(said[1])
    x, y, _ = hinge.J.rotation.axis(kempe.X if said[2] == "x" else kempe.Y)
    m.replace(said[1], PinInSlot(hinge.J.facing((x, y)), hinge.I, name=said[1]))
    after = m.build().check()
    assert (after.mobility, after.redundant_rows) == (1, 0)
    assert not after.looser
    assert not after.is_singular
