"""Gravity means the same in Python and in files of any unit."""

import pytest

import kempe
from kempe.errors import FileError

FILE = """version: 1
plane: true
units: {units}
parameters: {{g: {g}}}
gravity: [0, {gravity}]
bodies: {{rod: {{length: 1000, at: [0, 0], angle: 0}}}}
joints: {{hinge: {{type: revolute, I: ground, J: rod.start}}}}
"""


def gravity(document, number, units="{length: mm}", g="1"):
    return document(FILE.format(gravity=number, units=units, g=g)).model.gravity


@pytest.mark.parametrize("number", ["-9.81 m/s^2", "-9810 mm/s^2", "-g"])
@pytest.mark.parametrize("units", ["{length: mm}", "{angle: deg}", "{length: m}"])
def test_gravity_with_its_unit_is_that_of_the_builder(document, number, units):
    built = kempe.Builder("g", plane=True, units="mm", gravity=(0, -9.81))
    found = gravity(document, number, units, "9.81 m/s^2")
    assert found == pytest.approx(built.gravity, rel=1e-14)


@pytest.mark.parametrize("number", ["-9.81", "-9810", "-9.81 * 2", "-g"])
def test_a_bare_gravity_in_a_file_of_other_lengths_is_refused(document, number):
    with pytest.raises(FileError, match="without a unit, and the file's units are not SI"):
        gravity(document, number)


def test_bare_numbers_are_taken_in_si_and_where_they_are_nothing(document):
    assert gravity(document, "-9.81", "{angle: deg}") == (0.0, -9.81, 0.0)
    assert gravity(document, "0") == (0.0, 0.0, 0.0)
