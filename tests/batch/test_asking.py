"""What a batch refuses, in words, and what its result says of itself."""

import pickle
import re

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, UnknownName

FOUR_BAR = kempe.gallery.four_bar(start=0.0)
CRANKS = np.linspace(0.8, 1.2, 5)


@pytest.mark.parametrize(
    ("parameters", "how", "mistake", "words"),
    [
        ({"krank": CRANKS}, {}, UnknownName, "no parameter 'krank'. Did you mean 'crank'?"),
        ({}, {}, BadNumber, "needs parameters that vary"),
        ({"crank": CRANKS, "rocker": [3.0, 3.1]}, {}, BadNumber, "crank: 5, rocker: 2"),
        (
            {"crank": [1.0, np.nan]},
            {},
            BadNumber,
            "not finite in 1 of 2 variants, first in number 1",
        ),
        ({"crank": 1.0}, {}, BadNumber, "how many variants?"),
        ({"crank": np.ones((2, 2))}, {}, BadNumber, "an array of 2 x 2"),
        ({"crank": ["a", "b"]}, {}, BadNumber, "no column of numbers"),
        ({"crank": CRANKS}, {"count": 7}, BadNumber, "`count` is 7"),
        ({"crank": CRANKS}, {"outputs": []}, BadNumber, "what is to be read?"),
        ({"crank": CRANKS}, {"outputs": ["rocker.angel"]}, UnknownName, "Did you mean"),
        ({"crank": CRANKS}, {"derivatives": 3}, BadNumber, "0, 1 or 2"),
        ({"crank": CRANKS}, {"threads": 0}, BadNumber, "1 or more"),
        ({"crank": CRANKS}, {"memory": "2 apples"}, BadNumber, "such as '2 GB'"),
        ({"crank": CRANKS}, {"memory": "1 kB"}, BadNumber, "ask for 1 variants at a time"),
        ({"crank": CRANKS}, {"until": None}, BadNumber, "how far?"),
    ],
)
def test_mistakes_are_told(parameters, how, mistake, words) -> None:
    asked = {"until": 1.0, "outputs": ["rocker.angle"], **how}
    with pytest.raises(mistake, match=re.escape(words)):
        FOUR_BAR.batch(parameters, **asked)


def test_a_mechanism_without_parameters_says_how_to_get_some() -> None:
    m = kempe.Builder("crank", plane=True)
    bar = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, rpm=60)
    with pytest.raises(UnknownName, match=r"kempe\.parametric"):
        m.build().batch({"length": CRANKS}, until=1.0, outputs=["crank.angle"])


def test_variants_that_cannot_be_built_say_why() -> None:
    found = FOUR_BAR.batch(
        {"crank": np.linspace(-0.5, 1.0, 40)}, until=1.0, outputs=["rocker.angle"]
    )
    refused = found.parameters["crank"] <= 0
    assert np.array_equal(found.outcomes == "Refused", refused)
    assert found.is_done[~refused].all()
    assert "every length must be a positive number" in found.why(0)
    assert np.isnan(found["rocker.angle"].values[refused]).all()


def test_it_says_what_it_is_and_why_a_variant_ended() -> None:
    found = FOUR_BAR.batch(
        {"crank": [1.0, 2.8, 30.0]}, until=1.0, steps=50, outputs=["rocker.angle", "coupler.P"]
    )
    assert repr(found) == (
        "Batch of 3 variants of 'four-bar' x 51 samples: 1 Done, 1 DeadPoint, 1 NotReached. Read:"
        " rocker.angle, coupler.P"
    )
    assert found.why(0).startswith("Done")
    assert "after" in found.why(1)
    assert "variant(1).kinematics" in found.why(1)
    assert "assemblies()" in found.why(-1)
    assert repr(found["coupler.P"]) == "coupler.P (m) of 3 variants: 3 x 51 x 2"
    with pytest.raises(BadNumber, match="derivatives=1"):
        _ = found["coupler.P"].rate
    with pytest.raises(UnknownName, match="was not asked for"):
        _ = found["crank.angle"]
    with pytest.raises(BadNumber, match="there are 3"):
        found.variant(3)


def test_it_pickles() -> None:
    found = FOUR_BAR.batch({"crank": CRANKS}, until=1.0, outputs=["rocker.angle"])
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again["rocker.angle"].values, found["rocker.angle"].values)
    assert repr(again) == repr(found)


def test_over_another_measure() -> None:
    found = FOUR_BAR.batch(
        {"crank": CRANKS}, over=("crank.angle", 0.0, "90 deg"), steps=9, outputs=["crank.angle"]
    )
    assert np.allclose(found["crank.angle"].values[:, -1], np.pi / 2)
