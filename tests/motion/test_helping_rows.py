"""Rows that only help a search are not believed where what they follow from was left out."""

import math

import pytest

import kempe

ROD, OFF = 2.959, 0.727
DIGIT = 2.0**-52
BOUNDED = 1e-5  # what stretches of a curve are good for, where a row is bounded along it


@pytest.mark.parametrize("beside", [0.0, DIGIT, -4.0 * DIGIT])
@pytest.mark.parametrize("angle", [90.0, 0.0, 37.0])
def test_a_guide_a_last_digit_beside_another_guides_the_same(beside, angle):
    """A rod's end on a slide, and on a bar parallel to it: two loops, proved or to rounding."""
    along = complex(math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    at = OFF * 1j * along
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
