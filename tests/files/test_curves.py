"""Curves in a model file: in the file's units, and back."""

import dataclasses
import typing

import pytest

import kempe
import kempe.geometry.curves
from kempe.errors import FileError
from kempe.geometry.curves import AbstractCurve

TEXT = """
version: 1
name: slot
plane: true
units: {length: mm}
bodies:
  P: {at: [30, 0]}
joints:
  upright: {type: no_rotation, I: ground, J: P}
  path:
    type: point_on_curve
    I: ground
    J: P
    curve: {type: circle, centre: [10, 0], radius: 20}
"""


def test_the_numbers_of_a_curve_are_in_the_file_s_units(tmp_path):
    file = tmp_path / "slot.yaml"
    file.write_text(TEXT)
    curve = kempe.Mechanism.load(file).model.joint("path").curve
    assert curve.centre == (0.01, 0.0, 0.0)
    assert curve.radius == 0.02


def test_every_number_of_every_curve_says_its_unit():
    for name in kempe.geometry.curves.__all__:
        curve = getattr(kempe.geometry.curves, name)
        if not (isinstance(curve, type) and issubclass(curve, AbstractCurve)):
            continue
        if not dataclasses.is_dataclass(curve):
            continue
        hints = typing.get_type_hints(curve, include_extras=True)
        for field in dataclasses.fields(curve):
            hint = str(hints[field.name])
            assert "float" not in hint or "Unit(text=" in hint, f"{name}.{field.name}"


def test_a_curve_that_is_none_is_refused_with_its_line(tmp_path):
    file = tmp_path / "slot.yaml"
    file.write_text(TEXT.replace("radius: 20", "radius: -20"))
    with pytest.raises(FileError, match="radius"):
        kempe.Mechanism.load(file)
