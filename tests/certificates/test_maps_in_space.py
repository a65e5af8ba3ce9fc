"""Maps in space proved again: what holds, and what a change of the map is found out by."""

from dataclasses import replace

import numpy as np
import pytest

import kempe
from tests.motion import _loops_in_space as loops
from tests.motion import _machines_in_space as machines


@pytest.fixture(scope="module")
def found():
    return kempe.gallery.spherical_four_bar().motions()


@pytest.mark.parametrize("name", ["spherical_four_bar", "rssr", "spatial_slider_crank"])
def test_a_map_in_space_is_proved_again_from_its_file(name, tmp_path):
    path = getattr(kempe.gallery, name)().motions().save(tmp_path / "map.npz")
    proved = kempe.MotionMap.load(path).verify()
    assert proved.holds
    assert proved.boxes > 0


def test_what_the_second_writing_does_not_know_is_said():
    proved = kempe.gallery.barrel_cam().assemblies(at=0).verify()
    assert not proved.failures
    assert "that its equations are what the joints say" in proved.unproved[0]


@pytest.mark.parametrize(
    "found",
    [
        lambda: kempe.gallery.differential().assemblies(at=0),  # one is exact: its radius is 0
        lambda: kempe.gallery.cyclohexane().motions(),  # ends at places, within 1e-8
    ],
)
def test_an_honest_list_is_not_refused(found):
    assert found().verify().failures == ()


def test_a_component_that_was_taken_out_is_missed(found):
    proved = replace(found, components=found.components[:1]).verify()
    assert "there may be solutions that are not listed" in proved.failures[0]
    assert "crank at (" in proved.failures[0]


def test_a_map_of_another_mechanism_is_refused(found):
    other = loops.four_bar(1.0, 2.5, 3.0, 2.8, np.eye(3)).motions()
    assert kempe.verify(replace(other, origin=found.origin)).failures
    assert kempe.verify(found, kempe.gallery.rssr()).failures


def test_equations_of_other_numbers_are_not_those_of_the_model():
    mine = machines.spherical_four_bar((0.7, 1.1, 1.2, 1.3))
    other = machines.spherical_four_bar((0.7, 1.1, 1.2, 1.3 + 1e-9))
    forged = replace(mine.motions(), origin=other.motions().origin)
    assert any("is not what the model says" in text for text in forged.verify().failures)


def test_bounds_that_cut_off_a_part_of_the_domain_are_found_out(found):
    (block,) = found.blocks
    low = block.low.copy()
    low[0] = 0.0
    cut = replace(block, low=low)
    components = tuple(replace(c, block=cut) for c in found.components)
    proved = replace(found, blocks=(cut,), components=components).verify()
    assert any("other bounds than in the model" in text for text in proved.failures)


def test_readings_that_put_bodies_elsewhere_are_found_out(found):
    names = found.readings.names
    tape = found.readings.tape
    outputs = tape.outputs.copy()
    k = names.index("rocker.ux")
    outputs[[k, k + 1]] = outputs[[k + 1, k]]
    readings = replace(found.readings, tape=replace(tape, outputs=outputs))
    components = tuple(replace(c, readings=readings) for c in found.components)
    proved = replace(found, readings=readings, components=components).verify()
    assert any("the reading rocker.ux is not what the model says" in t for t in proved.failures)
