"""Sections: second moments by their integrals, torsion of rectangles by published factors."""

import math

import pytest

from kempe.errors import BadNumber
from kempe.geometry.section import Section

E, RHO, NU = 200e9, 7800.0, 0.25
G = E / 2.5
#: k1 of J = k1 a b^3, three or four digits, from the table of [Timoshenko1951] ch. 11
TABLE = {1.0: 0.1406, 1.5: 0.196, 2.0: 0.229, 3.0: 0.263, 5.0: 0.291, 10.0: 0.312}


def test_a_rectangle_has_the_moments_of_its_area():
    found = Section.rectangle(0.02, 0.03, young=E, density=RHO, poisson=NU)
    assert found.bending_z == pytest.approx(E * 0.03 * 0.02**3 / 12)
    assert found.bending_y == pytest.approx(E * 0.02 * 0.03**3 / 12)
    assert found.mass == pytest.approx(RHO * 0.0006)
    assert found.polar == pytest.approx(RHO * (0.03 * 0.02**3 + 0.02 * 0.03**3) / 12)


@pytest.mark.parametrize("ratio", TABLE)
def test_a_rectangle_twists_as_the_table_says(ratio):
    b = 0.01
    for sides in ((ratio * b, b), (b, ratio * b)):
        found = Section.rectangle(*sides, young=E, density=RHO, poisson=NU)
        assert found.twisting == pytest.approx(G * TABLE[ratio] * ratio * b**4, rel=2.5e-3)


def test_a_circle_bends_alike_and_twists_by_its_polar_moment():
    found = Section.circle("10 mm", young="200 GPa", density="7800 kg/m^3", poisson=NU)
    I = math.pi * 0.01**4 / 4
    assert found.bending_y == found.bending_z == pytest.approx(E * I)
    assert found.twisting == pytest.approx(G * 2 * I)
    assert found.polar == pytest.approx(RHO * 2 * I)


def test_numbers_that_are_no_section_are_refused():
    with pytest.raises(BadNumber, match="a side of a section"):
        Section.rectangle(0.0, 1.0, young=E, density=RHO)
    with pytest.raises(BadNumber, match="twisting of a section"):
        Section(1.0, 1.0, -1.0, 1.0, 1.0)
