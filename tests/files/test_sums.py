"""A sum of lengths and angles in a file means the same whatever the file's units are."""

import math

import pytest

from kempe import Mechanism
from kempe.errors import FileError
from kempe.measures import Displacement, Sum, Turn

LENGTHS = {"m": 1.0, "mm": 1e-3, "inch": 0.0254}
ANGLES = {"rad": 1.0, "deg": math.pi / 180.0, "turn": math.tau}
MODEL = """
version: 1
plane: true
units: {{length: {length}, angle: {angle}}}
bodies: {{nut: {{}}, disc: {{}}}}
joints:
  rail: {{type: prismatic, I: ground, J: nut, axis: [1, 0, 0]}}
  pin: {{type: revolute, I: nut, J: disc}}
gauges:
  s: {{measure: {measure}, I: ground, J: disc}}
drives: {{rail.displacement: "0.3 m" , pin.angle: "0.7 rad"}}
"""
SLIDE, SPIN = "{type: displacement, axis: x}", "{type: turn, axis: z}"
SYSTEMS = [(x, y) for x in LENGTHS for y in ANGLES]


def sum_of(a, b):
    return f"{{type: sum, terms: [[{a}, {SLIDE}], [{b}, {SPIN}]]}}"


@pytest.fixture
def reading(document):
    """What the sum reads at 0.3 m and 0.7 rad, in SI."""

    def value(length, angle, measure):
        model = document(MODEL.format(length=length, angle=angle, measure=measure)).model
        return float(Mechanism(model).kinematics(until=1.0, steps=1)["s"].values[0])

    return value


@pytest.mark.parametrize(("length", "angle"), SYSTEMS)
def test_a_coefficient_with_a_unit_means_the_same_everywhere(length, angle, reading):
    """Oracle: 2 * 0.3 m + 5 mm/deg * 0.7 rad by hand."""
    wanted = 2 * 0.3 + 0.005 / math.radians(1.0) * 0.7
    for share in ("'5 mm/deg'", f"'{0.005 / LENGTHS[length] / math.radians(1)!r} {length}/rad'"):
        assert reading(length, angle, sum_of(2, share)) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("length", "angle"), SYSTEMS)
def test_a_bare_coefficient_of_an_angle_is_refused_unless_the_file_is_in_si(length, angle, reading):
    if length == "m" and angle == "rad":
        assert reading(length, angle, sum_of(2, 0.5)) == pytest.approx(2 * 0.3 + 0.5 * 0.7)
        return
    for bare in ("0.5", "'0.5'", "1 / 2"):
        with pytest.raises(FileError, match="say its unit, such as '5 mm/deg'"):
            reading(length, angle, sum_of(2, bare))
    assert reading(length, angle, sum_of(2, 0)) == pytest.approx(0.6)


@pytest.mark.parametrize(("length", "angle"), SYSTEMS)
def test_sums_of_one_kind_need_no_units(length, angle, reading):
    turns = f"{{type: sum, terms: [[3, {SPIN}], [-1, {SPIN}]]}}"
    assert reading(length, angle, turns) == pytest.approx(1.4)
    nested = f"{{type: sum, terms: [[3, {SLIDE}], [0.5, {{type: sum, terms: [[2, {SLIDE}]]}}]]}}"
    assert reading(length, angle, nested) == pytest.approx(1.2)


def test_wrong_units_are_refused(reading):
    with pytest.raises(FileError, match="'3 mm' is a length, where a plain number is needed"):
        reading("mm", "deg", sum_of("3 mm", "5 mm/deg"))
    with pytest.raises(FileError, match="is a mass"):
        reading("m", "rad", sum_of(1, "5 kg"))


def test_sums_in_sums_are_read_once_each(document):
    """Reading a member twice would take 2^40 readings here."""
    measure = SLIDE
    for _ in range(20):
        measure = f"{{type: sum, terms: [[1, {measure}]]}}"
    model = document(MODEL.format(length="mm", angle="deg", measure=measure)).model
    assert isinstance(model.gauges[0].measure, Sum)


def test_a_sum_is_written_and_read_again(tmp_path, document):
    from kempe.files.documents.document import read_document
    from kempe.files.documents.writer import write_model

    model = document(MODEL.format(length="mm", angle="deg", measure=sum_of(2, "'5 mm/deg'"))).model
    again = read_document(write_model(model, tmp_path / "sum.yaml")).model
    assert again.gauges[0].measure == model.gauges[0].measure
    (_, a), (share, b) = model.gauges[0].measure.terms
    assert isinstance(a, Displacement)
    assert isinstance(b, Turn)
    assert share == pytest.approx(0.005 * 180 / math.pi)
