"""A law in text moves a mechanism as the same law in Python does."""

import dataclasses
import pickle

import numpy as np
import pytest

import kempe
from kempe.drives import Drive, Formula, TextFormula
from kempe.errors import BadNumber, DriveError, ExpressionError, UnknownName

TEXT = "a * t + 0.2 * sin(2 * pi * t)"


def driven(law):
    model = kempe.gallery.four_bar().model
    drive = Drive(model.drives[0].gauge, law)
    return kempe.Mechanism(dataclasses.replace(model, drives=(drive,)))


def test_a_law_in_text_moves_as_the_same_law_in_python():
    text = driven(TextFormula(TEXT, ("a",), (1.5,)))
    code = driven(Formula(lambda t: 1.5 * t + 0.2 * np.sin(2 * np.pi * t)))
    a, b = (m.kinematics(until=1.0)["rocker.angle"] for m in (text, code))
    assert (a.values == b.values).all()
    assert (a.rate == b.rate).all()
    assert (a.acceleration == b.acceleration).all()


def test_other_values_share_the_program_and_another_text_does_not():
    one, two = (driven(TextFormula(TEXT, ("a",), (a,))) for a in (1.5, 1.7))
    other = driven(TextFormula(TEXT + " + 0", ("a",), (1.5,)))
    assert one.layout.key == two.layout.key
    assert one.layout.key != other.layout.key
    assert one.layout.is_built_in


def test_the_scale_turns_the_result_into_si():
    assert TextFormula("90 * t", scale=np.pi / 180).value(1.0) == pytest.approx(np.pi / 2)


def test_a_law_in_text_is_data():
    law = TextFormula(TEXT, ("a",), (1.5,))
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(law) == hash(TextFormula(TEXT, ("a",), (1.5,)))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("2 * x",), ExpressionError),
        (("2 *",), ExpressionError),
        ((3.0,), BadNumber),
        ((TEXT, ("a",), ()), BadNumber),
        ((TEXT, ("a", "a"), (1.0, 2.0)), BadNumber),
        ((TEXT, ("a",), (np.inf,)), BadNumber),
        (("t", ("t",), (1.0,)), UnknownName),
        (("sin", ("sin",), (1.0,)), UnknownName),
    ],
)
def test_what_is_no_law_is_refused(arguments, error):
    with pytest.raises(error):
        TextFormula(*arguments)


def test_a_law_without_a_value_says_when():
    with pytest.raises(ExpressionError, match="at t = 2 s") as refusal:
        TextFormula("sqrt(1 - t)").value(2.0)
    assert refusal.value.facts["t"] == 2.0


@pytest.mark.parametrize("law", [TextFormula("log(t - 1)"), Formula(lambda t: np.sqrt(t - 1.0))])
def test_a_law_without_a_value_at_the_start_is_refused(law):
    with pytest.raises(DriveError, match=r"'crank\.angle' has no value to start from"):
        driven(law).kinematics(until=1.0)


@pytest.mark.parametrize("law", [TextFormula("sqrt(1 - t)"), Formula(lambda t: np.sqrt(1 - t))])
def test_a_law_that_ends_keeps_the_samples_before(law):
    turn = driven(law).kinematics(until=2.0, steps=100)
    assert turn.outcome.name == "LimitReached"
    assert 40 <= len(turn) <= 51


def test_a_function_that_divides_by_zero_ends_the_run_there():
    turn = driven(Formula(lambda t: 0.1 / (t - 1.0))).kinematics(until=2.0, steps=100)
    assert turn.outcome.name == "LimitReached"
    assert "'crank.angle'" in turn.outcome.message
