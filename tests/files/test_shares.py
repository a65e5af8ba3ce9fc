"""5 % is a share of something: no length, no angle and no force, whatever the file's units are."""

import math

import pytest

import kempe
from kempe.errors import FileError, UnitError

MODEL = """
version: 1
plane: true
units: {{length: {unit}, angle: deg}}
parameters: {{p: 5 %, q: {{value: 200, unit: ppm}}, L: 20 mm, N: 30{more}}}
bodies:
  crank: {{length: {length}}}
joints:
  hinge: {{type: revolute, I: ground, J: crank.start}}
"""


def model(document, length, unit="mm", more="", end=""):
    return document(MODEL.format(length=length, unit=unit, more=more) + end).model


@pytest.mark.parametrize(
    "length", ["5 %", "5%", "-5 %", "200 ppm", "p", "q", "-p", "p * q", "p + q"]
)
@pytest.mark.parametrize("unit", ["m", "mm", "in"])
def test_a_share_is_no_length(length, unit, document):
    with pytest.raises(FileError, match="is a share of something, where a length is needed"):
        model(document, length, unit)


@pytest.mark.parametrize(
    ("length", "metres"),
    [
        ("p * L", 0.001),
        ("(1 + p) * L", 0.021),
        ("30 * p", 0.0015),
        ("N * (1 - p)", 0.0285),
        ("N * (1 + q)", 0.030006),
    ],
)
def test_a_share_of_a_length_is_one(length, metres, document):
    """Oracle: by hand, bare numbers in mm."""
    end = model(document, length).bodies[0].points["end"]
    assert end[0] == pytest.approx(metres, rel=1e-14)


@pytest.mark.parametrize(
    "end",
    [
        "drives: {hinge.angle: 5 %}",
        "drives: {hinge.angle: {type: ramp, start: 0, speed: 5 %}}",
        "drives: {hinge.angle: {type: harmonic, amplitude: 5 deg, frequency: 1 %}}",
        "rates: {hinge.angle: 5 %}",
        "gravity: [0, 5 %]",
        "forces: {f: {type: spring_damper, gauge: hinge.angle, stiffness: 5 %}}",
        "forces: {f: {type: spring_damper, gauge: hinge.angle, stiffness: 1, free: 5 %}}",
    ],
)
def test_a_share_is_nothing_else_that_has_a_dimension(end, document):
    with pytest.raises(FileError, match="is a share of something"):
        model(document, "30", end=end)


def test_a_parameter_with_a_unit_is_not_given_by_a_share(document):
    with pytest.raises(FileError, match="is a share of something, where a length"):
        model(document, "30", more=", X: {value: 5 %, unit: mm}")


def test_a_bare_parameter_may_be_set_to_a_share_where_it_is_one(document):
    made = document(MODEL.format(length="L * r", unit="mm", more=", r: 0.5"))
    end = made.with_parameters({"r": "25 %"}).model.bodies[0].points["end"]
    assert end[0] == pytest.approx(0.005, rel=1e-14)
    wrong = document(MODEL.format(length="N", unit="mm", more="")).with_parameters({"N": "5 %"})
    with pytest.raises(FileError, match="is a share of something"):
        _ = wrong.model


def test_directions_may_be_shares_and_pi_is_none(document):
    end = "  other: {type: revolute, I: ground, J: {body: crank, angle: pi}}\n"
    end += "  rail: {type: prismatic, I: ground, J: crank, axis: [100 %, 0, 0]}\n"
    other, rail = model(document, "30", end=end).joints[1:]
    assert other.J.rotation.angle == pytest.approx(math.radians(math.pi))
    assert [float(c) for c in rail.I.rotation.z] == pytest.approx([1, 0, 0])


def test_a_share_is_no_length_in_python_either():
    with pytest.raises(UnitError, match="no unit of length"):
        kempe.Builder(plane=True).bar("crank", "5 %")
