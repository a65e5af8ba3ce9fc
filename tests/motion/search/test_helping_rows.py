"""Rows that only help a search are not believed where what they follow from was left out."""

import math

import numpy as np
import pytest

import kempe
from kempe.geometry import Vector
from kempe.joints import PinInSlot
from kempe.motion import Effort, reduced
from kempe.motion.equations.system import FullSystem
from kempe.motion.search.search import search

ROD, OFF = 2.959, 0.727
DIGIT = 2.0**-52
BOUNDED = 1e-5  # what stretches of a curve are good for, where a row is bounded along it
NO_MORE = 1.1  # times the boxes without rows that help: they may fall otherwise here and there
WIDE = 1.125  # beyond the bounds of a direction's parts


def guide(angle):
    """A guide's direction, and its point nearest to the origin, as complex numbers."""
    along = complex(math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    return along, OFF * 1j * along


@pytest.mark.parametrize("beside", [0.0, DIGIT, -4.0 * DIGIT])
@pytest.mark.parametrize("angle", [90.0, 0.0, 37.0])
def test_a_guide_a_last_digit_beside_another_guides_the_same(beside, angle):
    """A rod's end on a slide, and on a bar parallel to it: two loops, proved or to rounding."""
    along, at = guide(angle)
    m = kempe.Builder("guided rod", plane=True)
    crank, rod, slider, sign = (
        m.bar("crank", 1.0),
        m.bar("rod", ROD),
        m.body("slider"),
        m.body("sign"),
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(
        m.ground.at(at.real, at.imag),
        slider.at(0, 0),
        along=(along.real, along.imag, 0.0),
        along_b=(1, 0, 0),
    )
    m.revolute(m.ground.at(at.real, at.imag), sign.at(0, 0))
    m.hold(sign, angle=math.radians(angle))
    far = at + 9.0 * along + beside * 1j * along
    bar = m.stick("bar", m.ground.at(far.real, far.imag), rod.end)
    bar.parallel_to(m.stick("own", sign.at(0, 0), sign.at(1, 0)))
    found = m.build().motions()
    assert [c.closed for c in found.components] == [True, True]
    assert str(found.outcome) in ("complete", "numerical")
    assert found.within < BOUNDED


@pytest.mark.parametrize("beside", [0.0, DIGIT, -4.0 * DIGIT])
@pytest.mark.parametrize("angle", [90.0, 0.0, 37.0])
def test_bars_that_guide_alike_guide_as_a_slot_does_a_last_digit_beside_them(beside, angle):
    """One bar repeats the other, and the other repeats the slot to rounding: so do both."""
    along, at = guide(angle)
    m = kempe.Builder("guided rod", plane=True)
    crank, rod = m.bar("crank", 1.0), m.bar("rod", ROD)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    slot = m.ground.at(at.real, at.imag).facing((along.real, along.imag, 0.0))
    m.add(PinInSlot(slot, rod.end))
    for k, far in enumerate((9.0, 8.5)):
        sign = m.body(f"sign{k}")
        m.revolute(m.ground.at(at.real, at.imag), sign.at(0, 0))
        m.hold(sign, angle=math.radians(angle))
        end = at + far * along + beside * 1j * along
        bar = m.stick(f"bar{k}", m.ground.at(end.real, end.imag), rod.end)
        bar.parallel_to(m.stick(f"own{k}", sign.at(0, 0), sign.at(1, 0)))
    found = m.build().motions(limits={"crank.angle": (-2.5, 2.1)})
    assert [c.closed for c in found.components] == [False, False]
    assert str(found.outcome) in ("complete", "numerical")


def test_legs_that_reach_nowhere_are_refused_by_proof_and_not_as_too_many_rows():
    """A rod says again how long a held leg is; the two circles do not meet."""
    m = kempe.Builder("legs", plane=True)
    P = m.point("P")
    held = {}
    for k, (foot, length) in enumerate([(0.0, 0.5), (2.0, 0.25)]):
        lower, upper = m.body(f"lower{k}"), m.body(f"upper{k}")
        m.revolute(m.ground.at(foot, 0), lower.at(0, 0))
        m.prismatic(lower.at(0, 0), upper.at(0, 0), along=(1, 0, 0), name=f"leg{k}")
        m.revolute(upper.at(0, 0), P.at(0, 0))
        m.stick(f"rod{k}", m.ground.at(foot, 0), P, length)
        held[f"leg{k}.displacement"] = length
    found = m.build().assemblies(held)
    assert len(found) == 0
    assert str(found.outcome) == "complete"


def held_ball(seed, *, is_helped):
    """Directions u, v, w = u x v of a body on a ball that two rods hold from far away."""
    e, chance = FullSystem(), np.random.default_rng(seed)
    u, v, w = (Vector(*(e.unknown(k + i, -WIDE, WIDE) for i in "xyz")) for k in "uvw")
    for row in (u.square - 1.0, v.square - 1.0, u @ v):
        e.equate(row, "square")
    for own, made in zip(w, u.cross(v), strict=True):
        e.equate(own - made, "third")
    for row in (w.square - 1.0, w @ u, w @ v) if is_helped else ():
        e.imply(row, "third")
    for _ in range(2):
        a, b = (x / np.linalg.norm(x) for x in chance.normal(size=(2, 3)))
        there = u * float(b[0]) + v * float(b[1]) + w * float(b[2])
        e.equate(there @ Vector(*a.tolist()) - float(chance.uniform(-0.3, 0.3)), "rod")
    return reduced(e, 1)


@pytest.mark.core
@pytest.mark.parametrize("seed", range(4))
def test_rows_that_follow_from_others_make_no_search_longer(seed):
    """Of as many equations as are independent mixtures are made, and of no row beyond."""
    plain, helped = (
        [search(block, Effort()) for block in held_ball(seed, is_helped=is_helped).blocks]
        for is_helped in (False, True)
    )
    assert {found.ended for found in (*plain, *helped)} == {"complete"}
    assert [len(f.components) for f in plain] == [len(f.components) for f in helped]
    boxes = [sum(f.counts["boxes"] for f in every) for every in (plain, helped)]
    assert boxes[1] <= NO_MORE * boxes[0]
