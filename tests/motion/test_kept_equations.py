"""What is prepared for a question is kept, and changes no bit of any answer."""

import numpy as np
import pytest

import kempe
from kempe import Effort
from kempe.compile.layout.layout import MOST_PREPARED
from kempe.front.requests.motions import Question

ANGLES = ("10 deg", "75 deg", "10 deg", "200 deg", "75 deg")


def same_assemblies(one, other):
    assert one.counts == other.counts
    assert (one.outcome, one.message) == (other.outcome, other.message)
    for a, b in zip(one.states, other.states, strict=True):
        np.testing.assert_array_equal(a.x, b.x)
        np.testing.assert_array_equal(a.q, b.q)
        assert (a.radius, a.others) == (b.radius, b.others)


def same_maps(one, other):
    assert one.counts == other.counts
    assert (one.outcome, one.message) == (other.outcome, other.message)
    for a, b in zip(one.components, other.components, strict=True):
        assert a.charts.keys() == b.charts.keys()
        for key in a.charts:
            np.testing.assert_array_equal(a.charts[key], b.charts[key])


def test_a_question_asked_again_is_not_written_again():
    layout = kempe.gallery.four_bar().layout
    first = Question.of(layout, {"crank.angle": "10 deg"}, None, None).system(0)
    second = Question.of(layout, {"crank.angle": "10 deg"}, None, None).system(0)
    assert second is first
    (block,) = first.blocks
    assert block.problem is block.problem


def test_another_value_or_freedom_or_limit_is_another_question():
    layout = kempe.gallery.four_bar().layout
    asked = [
        Question.of(layout, {"crank.angle": "10 deg"}, None, None).system(0),
        Question.of(layout, {"crank.angle": "11 deg"}, None, None).system(0),
        Question.of(layout, {"rocker.angle": "10 deg"}, None, None).system(0),
        Question.of(layout, {"crank.angle": "10 deg"}, None, None).system(1),
        Question.of(layout, None, {"crank.angle": ("10 deg", "20 deg")}, None).system(1),
        Question.of(layout, None, {"crank.angle": ("10 deg", "21 deg")}, None).system(1),
    ]
    assert len({id(system) for system in asked}) == len(asked)


def test_held_values_in_turn_give_what_new_mechanisms_give():
    bar = kempe.gallery.four_bar()
    for angle in ANGLES:
        new = kempe.gallery.four_bar().assemblies({"crank.angle": angle})
        same_assemblies(bar.assemblies({"crank.angle": angle}), new)


def test_changed_numbers_give_what_new_mechanisms_give():
    first = kempe.gallery.planar_platform()
    first.assemblies(at=0)
    longer = {"legs": (2.9, 3.1461464000712254, 3.317923947043593)}
    changed = kempe.gallery.planar_platform(**longer)
    again = kempe.gallery.planar_platform(**longer)
    same_assemblies(changed.assemblies(at=0), again.assemblies(at=0))
    assert not np.array_equal(changed.assemblies(at=0)[0].x, first.assemblies(at=0)[0].x)


@pytest.mark.parametrize("resolution", [1e-6, 1e-3])
def test_another_resolution_is_not_that_of_the_search_before(resolution):
    def parallelogram():
        return kempe.gallery.four_bar(crank=1.0, rocker=1.0, coupler=2.0, ground=2.0)

    asked = parallelogram()
    asked.motions(effort=Effort(resolution=1e-4))
    again = asked.motions(effort=Effort(resolution=resolution))
    same_maps(again, parallelogram().motions(effort=Effort(resolution=resolution)))


def test_a_search_cut_short_spoils_none_after_it():
    chain = kempe.gallery.dyad_chain(dyads=2)
    assert chain.motions(effort=Effort(boxes=8)).outcome == "certified_partial"
    same_maps(chain.motions(), kempe.gallery.dyad_chain(dyads=2).motions())


def test_only_the_last_few_questions_are_kept():
    layout = kempe.gallery.four_bar().layout
    first = Question.of(layout, {"crank.angle": 0.0}, None, None).system(0)
    for k in range(MOST_PREPARED):
        Question.of(layout, {"crank.angle": 0.1 * (k + 1)}, None, None).system(0)
    assert Question.of(layout, {"crank.angle": 0.0}, None, None).system(0) is not first
