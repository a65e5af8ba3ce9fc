"""Surfaces in a model file: in the file's units, and back."""

import dataclasses
import typing

import pytest

import kempe
import kempe.geometry.surfaces
from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import json_text
from kempe.geometry import Marker
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints import PointOnSurface
from kempe.model import Body, Model
from tests.geometry.surfaces.test_surfaces import SURFACES

TEXT = """
version: 1
name: bowl
units: {length: mm}
bodies:
  P: {at: [30, 0, 0]}
joints:
  bowl:
    type: point_from_surface
    I: ground
    J: P
    surface: {type: sphere_surface, centre: [10, 0, 0], radius: 20}
    length: -5
"""


def members():
    found = (getattr(kempe.geometry.surfaces, name) for name in kempe.geometry.surfaces.__all__)
    classes = [c for c in found if isinstance(c, type) and issubclass(c, AbstractSurface)]
    return [c for c in classes if dataclasses.is_dataclass(c)]


def test_the_numbers_of_a_surface_are_in_the_file_s_units(tmp_path):
    file = tmp_path / "bowl.yaml"
    file.write_text(TEXT)
    joint = kempe.Mechanism.load(file).model.joint("bowl")
    assert joint.surface.centre == (0.01, 0.0, 0.0)
    assert joint.surface.radius == 0.02
    assert joint.length == -0.005


def test_every_surface_is_tried_here():
    assert {type(s) for s in SURFACES.values()} == set(members())


@pytest.mark.parametrize("name", SURFACES)
def test_a_surface_comes_back_from_its_file(name):
    joint = PointOnSurface(Marker("ground"), Marker("P"), "floor", surface=SURFACES[name])
    model = Model("ball", False, (Body("P"),), (joint,))
    read = document_from(json_text(document_data(model)).encode(), "ball.json").model
    assert read.joint("floor").surface == SURFACES[name]


@pytest.mark.parametrize("kind", members(), ids=lambda c: c.__name__)
def test_every_number_of_a_surface_says_its_unit(kind):
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        hint = str(hints[field.name])
        assert "float" not in hint or "Unit(text=" in hint, field.name


def test_a_surface_that_is_none_is_refused_with_its_line(tmp_path):
    file = tmp_path / "bowl.yaml"
    file.write_text(TEXT.replace("radius: 20", "radius: -20"))
    with pytest.raises(FileError, match="radius"):
        kempe.Mechanism.load(file)
