"""Rows that only help a search are not believed where what they follow from was left out."""

import math

import pytest

import kempe
from kempe.joints import PinInSlot

ROD, OFF = 2.959, 0.727
DIGIT = 2.0**-52
BOUNDED = 1e-5  # what stretches of a curve are good for, where a row is bounded along it


def guide(angle):
    """A guide's direction, and its point nearest to the origin, as complex numbers."""
    along = complex(math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    return along, OFF * 1j * along


@pytest.mark.parametrize("beside", [0.0, DIGIT, -4.0 * DIGIT])
@pytest.mark.parametrize("angle", [90.0, 0.0, 37.0])
def test_a_guide_a_last_digit_beside_another_guides_the_same(beside, angle):
    """A rod's end on a slide, and on a bar parallel to it: two loops, proved or to rounding."""
    along, at = guide(angle)
    m = kempe.Builder("guided rod", plane=True)
    crank, rod, slider, sign = (
        m.bar("crank", 1.0),
        m.bar("rod", ROD),
        m.body("slider"),
        m.body("sign"),
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(
        m.ground.at(at.real, at.imag),
        slider.at(0, 0),
        along=(along.real, along.imag, 0.0),
        along_b=(1, 0, 0),
    )
    m.revolute(m.ground.at(at.real, at.imag), sign.at(0, 0))
    m.hold(sign, angle=math.radians(angle))
    far = at + 9.0 * along + beside * 1j * along
    bar = m.stick("bar", m.ground.at(far.real, far.imag), rod.end)
    bar.parallel_to(m.stick("own", sign.at(0, 0), sign.at(1, 0)))
    found = m.build().motions()
    assert [c.closed for c in found.components] == [True, True]
    assert str(found.outcome) in ("complete", "numerical")
    assert found.within < BOUNDED


@pytest.mark.parametrize("beside", [0.0, DIGIT, -4.0 * DIGIT])
@pytest.mark.parametrize("angle", [90.0, 0.0, 37.0])
def test_bars_that_guide_alike_guide_as_a_slot_does_a_last_digit_beside_them(beside, angle):
    """One bar repeats the other, and the other repeats the slot to rounding: so do both."""
    along, at = guide(angle)
    m = kempe.Builder("guided rod", plane=True)
    crank, rod = m.bar("crank", 1.0), m.bar("rod", ROD)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    slot = m.ground.at(at.real, at.imag).facing((along.real, along.imag, 0.0))
    m.add(PinInSlot(slot, rod.end))
    for k, far in enumerate((9.0, 8.5)):
        sign = m.body(f"sign{k}")
        m.revolute(m.ground.at(at.real, at.imag), sign.at(0, 0))
        m.hold(sign, angle=math.radians(angle))
        end = at + far * along + beside * 1j * along
        bar = m.stick(f"bar{k}", m.ground.at(end.real, end.imag), rod.end)
        bar.parallel_to(m.stick(f"own{k}", sign.at(0, 0), sign.at(1, 0)))
    found = m.build().motions(limits={"crank.angle": (-2.5, 2.1)})
    assert [c.closed for c in found.components] == [False, False]
    assert str(found.outcome) in ("complete", "numerical")


def test_legs_that_reach_nowhere_are_refused_by_proof_and_not_as_too_many_rows():
    """A rod says again how long a held leg is; the two circles do not meet."""
    m = kempe.Builder("legs", plane=True)
    P = m.point("P")
    held = {}
    for k, (foot, length) in enumerate([(0.0, 0.5), (2.0, 0.25)]):
        lower, upper = m.body(f"lower{k}"), m.body(f"upper{k}")
        m.revolute(m.ground.at(foot, 0), lower.at(0, 0))
        m.prismatic(lower.at(0, 0), upper.at(0, 0), along=(1, 0, 0), name=f"leg{k}")
        m.revolute(upper.at(0, 0), P.at(0, 0))
        m.stick(f"rod{k}", m.ground.at(foot, 0), P, length)
        held[f"leg{k}.displacement"] = length
    found = m.build().assemblies(held)
    assert len(found) == 0
    assert str(found.outcome) == "complete"
