"""Formulas of `control` and `formula_load` in files: SI, and refused where that is not plain."""

import math

import pytest

from kempe.errors import FileError

START = """
version: 1
plane: true
units: {units}
bodies: {{block: {{at: [30, 0], angle: 0}}, wheel: {{at: [0, 0], angle: 0}}}}
joints:
  rail: {{type: prismatic, I: ground, J: block, axis: [1, 0, 0]}}
  axle: {{type: revolute, I: ground, J: wheel}}
forces:
  f: {force}
"""
MM = "{length: mm, angle: deg}"
ONLY_MM = "{length: mm}"
SI = "{length: m}"


def control(gauge: str, text: str, more: str = "") -> str:
    return f'{{type: control, gauge: {gauge}, text: "{text}"{more}}}'


def load(text: str, more: str = "") -> str:
    names = ", seen: [block.x], names: [x]"
    return f'{{type: formula_load, at: block, force: ["{text}", "0", "0"]{names}{more}}}'


K = ", constants: [k], values: [40 N/m]"
TWIST = ", constants: [k, rest], values: [2 N m/rad, 30 deg]"
#: units, force, whether it says what it means
CASES = [
    (MM, control("block.x", "-40 * x"), False),
    (MM, control("block.x", "-40 * x_rate"), False),
    (MM, control("block.x", "-k * x", K), True),
    (MM, control("block.x", "-k * (x - 0.03)", K), False),
    (MM, control("block.x", "-k * x", ", constants: [k], values: [40]"), False),
    (MM, control("block.x", "if(x > 0, 5, -5)"), False),
    (MM, control("block.x", "5 * sin(t)"), True),  # sees nothing
    (MM, control("block.x", "if(t > 2, -k * x, 0)", K), True),
    (MM, control("wheel.angle", "-2 * x"), False),
    (MM, control("wheel.angle", "-k * (x - rest)", TWIST), True),
    (MM, control("wheel.angle", "k * sin(x)", ", constants: [k], values: [5 N m]"), True),
    (MM, control("wheel.angle", "5 * sin(x)"), False),
    (ONLY_MM, control("wheel.angle", "-2 * x"), True),  # angles are in rad anyway
    (ONLY_MM, control("block.x", "-2 * x"), False),
    (SI, control("block.x", "-40 * (x - 0.03)"), True),
    (MM, load("-k * x", K), True),
    (MM, load("-40 * x"), False),
    (SI, load("-40 * x"), True),
]


@pytest.mark.parametrize(("units", "force", "is_plain"), CASES)
def test_a_formula_whose_numbers_could_be_meant_in_the_files_units_is_refused(
    units, force, is_plain, document
):
    text = START.format(units=units, force=force)
    if is_plain:
        assert document(text).model.forces[0].name == "f"
        return
    with pytest.raises(FileError, match="write the file in SI") as refusal:
        _ = document(text).model
    assert "is a formula of SI" in str(refusal.value)


def test_what_is_read_means_the_same_in_every_file(document):
    """-k (x - rest) at 50 deg: 2 N m/rad times 20 deg, however the file counts angles."""
    force = document(
        START.format(units=MM, force=control("wheel.angle", "-k * (x - rest)", TWIST))
    ).model.forces[0]
    assert force.values == pytest.approx((2.0, math.radians(30.0)))
    model = document(START.format(units=MM, force=control("block.x", "-k * x", K))).model
    assert model.forces[0].values == (40.0,)
