"""A part that has no name yet is told by what it joins: no message shows an empty name."""

import dataclasses

import pytest

import kempe
from kempe.errors import BadNumber, KempeError
from kempe.geometry import Marker
from kempe.joints import Rod

WRONG = (float("nan"), -1.0, 0.0, "three apples", "5 kg")


def complaints(part):
    """What a part says about numbers that it cannot have."""
    said = []
    for field in dataclasses.fields(part):
        if not field.init or not isinstance(getattr(part, field.name), (float, tuple)):
            continue
        is_tuple = isinstance(getattr(part, field.name), tuple)
        for wrong in WRONG:
            given = (wrong,) * len(getattr(part, field.name)) if is_tuple else wrong
            try:
                dataclasses.replace(part, **{"name": "", field.name: given})
            except KempeError as mistake:
                said.append(str(mistake))
            except (TypeError, AttributeError):
                continue  # a tuple of things that are no numbers
    return said


def refuse_empty_names(parts):
    for part in parts:
        for sentence in complaints(part):
            assert "''" not in sentence, sentence


def test_no_complaint_of_a_joint_shows_an_empty_name(joint_class, sampled):
    refuse_empty_names(sampled(joint_class))


def test_no_complaint_of_a_coupler_shows_an_empty_name(coupler_class, sampled):
    refuse_empty_names(sampled(coupler_class))


def test_no_complaint_of_a_force_shows_an_empty_name(force_class, sampled):
    refuse_empty_names(sampled(force_class))


def test_a_rod_without_a_name_says_between_what():
    with pytest.raises(BadNumber, match="rod between 'a' and 'b' needs a positive length"):
        Rod(Marker("a"), Marker("b"), length=0.0)


def test_a_bar_between_points_is_called_by_its_name():
    m = kempe.Builder(plane=True)
    with pytest.raises(BadNumber, match="rod 'stay' needs a positive length"):
        m.stick("stay", m.ground.at(0, 0), m.body("plate"), 0.0)


def test_a_mechanism_without_a_name_has_one_in_messages():
    m = kempe.Builder("", plane=True)
    with pytest.raises(KempeError, match="'mechanism' has no body"):
        m.build().check()
