"""Nobody escapes: every exported class of a family is sampled, final, and says what it is."""

import dataclasses
import importlib
import inspect
import re
from collections.abc import Callable
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest

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


def test_every_word_is_one_sentence_and_an_equation(member_class):
    """The reference, the schema and tooltips show the sentence first and the equation after it."""
    sentence, *others = inspect.getdoc(member_class).split("\n\n")
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert any(re.match(r"\S.* = ", part) for part in others), "no equation"


def test_every_number_of_a_word_has_a_unit(member_class):
    """Who reads a field need not guess what it is in: its type says so."""
    hints = get_type_hints(member_class, include_extras=True)
    fields = [f.name for f in dataclasses.fields(member_class) if f.init]
    assert not [name for name in fields if _has_bare_number(hints[name])]


def _has_bare_number(hint):
    if hint is float:
        return True
    inner = () if get_origin(hint) in (Annotated, Callable) else get_args(hint)
    return any(_has_bare_number(part) for part in inner)


@pytest.mark.parametrize("room", ["joints", "constraints", "couplers"])
def test_every_formula_of_a_mechanism_says_where_it_comes_from(room):
    module = importlib.import_module(f"kempe.{room}")
    kinds = [getattr(module, name) for name in module.__all__]
    words = [kind for kind in kinds if getattr(kind, "__final__", False) and hasattr(kind, "phi")]
    assert len(words) > 5
    for kind in words:
        assert re.search(r"^(Source: \[|Own[.:])", inspect.getdoc(kind), re.MULTILINE), kind


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
