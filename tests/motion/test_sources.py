"""Refusals of complete searches name joints, measures and bodies of the model, nothing else."""

import pytest

import kempe
from kempe.motion.equations.system import circle, spoken


@pytest.fixture(scope="module")
def four_bar():
    return kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5)


def test_held_values_that_contradict_each_other_are_told_with_words_of_the_model(four_bar):
    """Crank and rocker at 1 rad: their ends are then 4.88 m apart, and the coupler is 3 m long."""
    found = four_bar.assemblies({"crank.angle": 1.0, "rocker.angle": 1.0})
    assert len(found) == 0
    assert "circle" not in str(found)
    assert "No place of 'coupler' fits all joints and held values." in str(found)


def test_a_measure_held_at_two_values_is_named(four_bar):
    found = four_bar.assemblies({"crank.angle": 1.0, "A.angle": 1.5})
    assert len(found) == 0
    assert "contradicts the other joints and held values." in str(found)


def test_bodies_are_named_only_where_no_joint_is():
    assert spoken(["A", circle("rod"), "A", "B"]) == "A, B"
    assert spoken([circle("rod"), circle("rod")]) == "a joint of rod"
