"""What a map gets wrong is said in words of the model: what, where, and by how much."""

import dataclasses

import numpy as np
import pytest

import kempe
from kempe.motion.equations.system import CIRCLE

replace = dataclasses.replace


@pytest.fixture(scope="module")
def arcs():
    return kempe.gallery.slider_crank().motions(limits={"slider.x": (2.5, 3.5)})


@pytest.fixture(scope="module")
def loops():
    return kempe.gallery.four_bar().motions()


def with_charts(motions, **changes):
    first, *rest = motions.components
    charts = dict(first.charts)
    for key, change in changes.items():
        charts[key] = change(np.array(charts[key]))
    return replace(motions, components=(replace(first, charts=charts), *rest))


def moved(index, by):
    def changed(array):
        array[index] += by
        return array

    return changed


def test_a_chart_that_fails_is_found_by_where_the_bodies_stand(loops):
    said = with_charts(loops, p=moved(3, 0.05)).verify().failures[0]
    assert "chart 3 is not proved" in said
    assert "crank at (0, 0) m, " in said
    assert "deg" in said


def test_a_link_says_how_far_off_it_is(loops):
    said = with_charts(loops, link_radii=lambda a: 0.0 * a).verify().failures[0]
    assert "from the curve, farther than its radius 0" in said
    assert "e-" in said


def test_an_end_says_how_far_it_is_from_its_limit(arcs):
    first, other = arcs.components[0].ends
    ends = (replace(first, limit=other.limit), other)
    tampered = replace(arcs.components[0], ends=ends)
    said = replace(arcs, components=(tampered, *arcs.components[1:])).verify().failures[0]
    assert "does not meet 'slider.x at " in said
    assert "it is 0.25 away, near crank at" in said  # of a machine whose unit is 4 m


def test_an_end_says_how_far_its_bodies_are_from_where_it_puts_them(arcs):
    first, other = arcs.components[0].ends
    ends = (replace(first, q=first.q + 1e-6), other)
    tampered = replace(arcs.components[0], ends=ends)
    said = replace(arcs, components=(tampered, *arcs.components[1:])).verify().failures[0]
    assert "does not read what it says: a body is " in said
    assert "e-07 of the machine's size from there" in said or "1e-06 of the" in said


def test_what_is_missing_is_found_by_where_the_bodies_stand(loops):
    rest = tuple(replace(c, number=k) for k, c in enumerate(loops.components[1:]))
    said = replace(loops, components=rest).verify().failures[0]
    assert "there may be solutions that are not listed, near crank at (0, 0) m, " in said


def test_an_equation_is_named_by_its_joint_or_its_body(loops):
    block = loops.blocks[0]
    constants = block.tape.constants.copy()
    k = int(np.flatnonzero((constants != 0.0) & (np.abs(constants) != 1.0))[0])
    constants[k] = np.nextafter(constants[k], np.inf)
    other = replace(block, tape=replace(block.tape, constants=constants))
    components = tuple(replace(c, block=other) for c in loops.components)
    said = replace(loops, blocks=(other,), components=components).verify().failures
    assert any("its equation " in one and "is not what the model says" in one for one in said)
    assert not any(CIRCLE in one for one in said)
