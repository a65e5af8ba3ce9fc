"""Every member of every family can stand in a file, or says why it cannot."""

import dataclasses
import typing

import pytest

from kempe.couplers import AbstractCoupler
from kempe.drives import AbstractLaw, Drive
from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.schema.kinds import ArrayKind, ListKind, NumberKind, OptionalKind, fields_of
from kempe.files.schema.schema import family
from kempe.files.syntax.text import json_text
from kempe.forces import AbstractForce
from kempe.geometry import Marker
from kempe.geometry.curves import AbstractCurve
from kempe.geometry.surfaces import AbstractSurface
from kempe.joints import AbstractJoint
from kempe.measures import Gauge, Turn
from kempe.model import Body, Model
from kempe.units import (
    OF_DIRECTIONS,
    OF_EFFORTS,
    in_base_units,
    unit_along,
    unit_of_direction,
)


def read_back(model):
    return document_from(json_text(document_data(model)).encode(), "member.json").model


def pair(**parts):
    return Model("pair", False, (Body("a"), Body("b")), **{"joints": (), **parts})


def with_a_file(base, member):
    return type(member) not in family(base).unwritable


def test_a_joint_comes_back_from_its_file(joint):
    assert repr(read_back(pair(joints=(joint,))).joints) == repr((joint,))


def assert_refused_or_comes_back(base, members, member, *, holds_a_function):
    model = pair(**{members: (member,)})
    if holds_a_function:
        with pytest.raises(FileError, match="cannot be written"):
            document_data(model)
    else:
        assert with_a_file(base, member)
        assert repr(getattr(read_back(model), members)) == repr((member,))


def test_a_coupler_comes_back_from_its_file_or_holds_a_function(coupler):
    is_refused = any(not with_a_file(AbstractLaw, v) for v in vars(coupler).values())
    assert_refused_or_comes_back(AbstractCoupler, "couplers", coupler, holds_a_function=is_refused)


def test_a_force_comes_back_from_its_file_or_holds_a_function(force):
    shapes = AbstractCurve | AbstractSurface  # called, and written
    held = [v for v in vars(force).values() if not isinstance(v, shapes)]
    is_refused = any(callable(v) or not with_a_file(AbstractLaw, v) for v in held)
    assert_refused_or_comes_back(AbstractForce, "forces", force, holds_a_function=is_refused)


def test_a_law_comes_back_from_its_file_or_is_a_function(law):
    gauge = Gauge("a.angle", Turn(), Marker("ground"), Marker("a"))
    model = pair(drives=(Drive(gauge, law),))
    if with_a_file(AbstractLaw, law):
        assert repr(read_back(model).drives) == repr(model.drives)
    else:
        with pytest.raises(FileError, match=r"the drive on 'a\.angle' cannot be written"):
            document_data(model)


def test_a_measure_comes_back_from_its_file(measure):
    gauge = Gauge("reading", measure, Marker("a"), Marker("b", (0.1, 0.2, 0.3)))
    assert repr(read_back(pair(gauges=(gauge,))).gauges) == repr((gauge,))


def test_every_joint_is_a_word_of_the_file(joint_class):
    assert joint_class in {word.made for word in family(AbstractJoint).words.values()}


def test_every_number_says_its_unit(member_class):
    """Else a file in millimetres would give it in metres: annotate it, `length: Metres`."""
    if any("Callable" in str(hint) for hint in typing.get_type_hints(member_class).values()):
        return
    kinds, _ = fields_of(member_class)
    hints = typing.get_type_hints(member_class, include_extras=True)
    for field in dataclasses.fields(member_class):
        if field.init and _has_numbers(kinds[field.name]):
            assert "Unit(text=" in str(hints[field.name]), field.name
    for unit in _units(kinds.values()):
        if unit in OF_EFFORTS:
            in_base_units(unit_along(unit, "rad"))
        elif unit in OF_DIRECTIONS:
            in_base_units(unit_of_direction(unit, 3, 36))
        else:  # n: place in a list
            in_base_units(unit.replace("u", "m", 1).replace("^n", "^2") or "1")


def _has_numbers(kind):
    return bool(list(_numbers(kind)))


def _units(kinds):
    return {number.unit for kind in kinds for number in _numbers(kind)}


def _numbers(kind):
    if isinstance(kind, (NumberKind, ArrayKind)):
        yield kind
    elif isinstance(kind, OptionalKind):
        yield from _numbers(kind.item)
    elif isinstance(kind, ListKind):
        for item in kind.items:
            yield from _numbers(item)
