"""Nobody escapes: every exported class of a family is sampled, final, and says what it is."""

import dataclasses

from kempe.draw import SYMBOLS


def test_every_exported_class_can_be_sampled(member_class, sampled):
    assert sampled(member_class), (
        f"{member_class.__name__} cannot be made from the types of its fields: teach"
        " tests/laws/conftest.py to sample them."
    )


def test_every_exported_class_is_final_frozen_data(member_class):
    assert getattr(member_class, "__final__", False)
    assert dataclasses.is_dataclass(member_class)
    assert member_class.__dataclass_params__.frozen


def test_every_exported_class_says_its_formula(member_class):
    assert member_class.__doc__
    assert not member_class.__doc__.startswith(f"{member_class.__name__}(")


def test_every_joint_has_a_picture(joint_class):
    assert joint_class.symbol in SYMBOLS


def test_every_coupler_has_a_picture(coupler_class):
    assert coupler_class.symbol in SYMBOLS


def test_every_measure_has_a_word_and_a_unit(measure):
    assert measure.word.isidentifier()
    assert measure.unit in ("m", "rad")


def test_every_joint_s_freedoms_have_words_of_their_own(joint):
    words = [measure.word for measure in joint.freedom]
    assert len(set(words)) == len(words)


def test_every_row_has_a_unit(constraint):
    assert constraint.rows
    assert set(constraint.rows) <= {"m", "rad", "1"}


def test_every_joint_says_as_many_rows_as_it_has_units(joint):
    assert len(joint.row_units) + len(joint.held) > 0
    assert {*joint.row_units, *(held.unit for held in joint.held)} <= {"m", "rad", "1"}
