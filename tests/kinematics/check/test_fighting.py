"""A drive that asks for what joints hold is named, and joints that fit are not blamed."""

import math
import re

import pytest

import kempe
from kempe.errors import AssemblyError
from kempe.joints import Rod


def refusal(mechanism):
    with pytest.raises(AssemblyError) as caught:
        mechanism.check()
    return caught.value


def one_arm(start, *, parts=("hinge", "rod"), length=1.77):
    """A crank of 0.75 m whose end a rod ties to (-1.941, 0.649)."""
    m = kempe.Builder("one arm", plane=True)
    crank = m.bar("crank", 0.75)
    if "hinge" in parts:
        m.revolute(m.ground.at(0, 0), crank.start, name="hinge")
    if "rod" in parts:
        m.add(Rod(crank.end, m.ground.at(-1.941, 0.649), length=length), "rod")
    m.drive(crank.angle, start=start, rpm=-30)
    return m.build()


@pytest.mark.parametrize("start", [0.922, -1.0, 3.0])
def test_joints_that_hold_a_crank_still_do_not_contradict_each_other(start):
    """The end of the crank is where two circles meet: by the law of cosines, at two angles."""
    d = math.hypot(1.941, 0.649)
    half = math.acos((0.75**2 + d**2 - 1.77**2) / (2 * 0.75 * d))
    places = [math.remainder(math.atan2(0.649, -1.941) + s * half, math.tau) for s in (1, -1)]
    said = refusal(one_arm(start)).message
    assert "contradict" not in said
    stands = float(
        re.search(r"'crank.angle' let go, which the joints then hold at (\S+) rad", said)[1]
    )
    assert min(abs(math.remainder(stands - a, math.tau)) for a in places) < 1e-5
    assert said.endswith("Remove 'rod'.")
    assert one_arm(start, parts=("hinge",)).check().is_ready
    assert not one_arm(start, parts=("rod",)).check().is_ready


def slider_crank(*, guide, rod=2.0, y=0.13, driven="y", start=0.0):
    m = kempe.Builder("slider-crank", plane=True)
    a, b, s = m.bar("crank", 1.0), m.bar("rod", rod), m.body("slider")
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, s.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, guide), s.at(0, 0), name="D")
    if driven == "y":
        m.drive(a.y, start=y, speed=1)
    else:
        m.drive(a.angle, start=start, speed=1)
    return m.build()


@pytest.mark.parametrize("guide", [2.5, 2.37, 1.0])
def test_a_drive_of_a_place_that_a_hinge_holds_is_named_and_another_is_tried(guide):
    """The hinged end of the crank is at y = 0, whatever the lengths."""
    said = refusal(slider_crank(guide=guide)).message
    assert "'crank.y' let go, which the joints then hold at 0 m, not at 0.13 m" in said
    assert "apart" not in said
    start = float(re.search(r"Drive 'crank.angle' from (\S+) rad instead of 'crank.y'", said)[1])
    mended = slider_crank(guide=guide, driven="angle", start=start)
    assert mended.kinematics(until=0.001, steps=2).outcome.is_done


def test_where_drives_and_lengths_are_wrong_the_lengths_are_told_without_the_drives():
    """Crank and rod reach 3 m; the guide is 3.5 m away."""
    error = refusal(slider_crank(guide=3.5))
    assert error.message.startswith("even with 'crank.y' let go, the loop ground - crank - rod")
    assert error.facts["opening"] == pytest.approx(0.5, rel=1e-6)
    longer = next(c for c in error.facts["changes"] if c["name"] == "rod")["after"]
    assert longer == pytest.approx(2.5, abs=1e-4)
    then = refusal(slider_crank(guide=3.5, rod=longer + 1e-3)).message
    assert "'crank.y' let go, which the joints then hold at 0 m" in then


def parallel_rods(length):
    """A rod beside a bar of 0.71 m, between the same two pins."""
    m = kempe.Builder("rods", plane=True)
    a, b, s = m.bar("crank", 1.0), m.bar("bar", 0.71), m.body("slider")
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, s.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, 0.5), s.at(0, 0), name="D")
    m.add(Rod(a.end, s.at(0, 0), length=length), "R")
    m.drive(a.angle, rpm=10, start=0.5)
    return m.build()


@pytest.mark.parametrize("length", [0.76, 0.73, 0.711645])
def test_a_rod_is_open_by_metres_and_the_length_that_is_told_closes_it(length):
    error = refusal(parallel_rods(length))
    if error.facts["joint"] == "R":
        assert error.facts["opening"] == pytest.approx(abs(length - 0.71), rel=1e-6)
    word = "shorten" if length > 0.71 else "lengthen"
    assert f"{word} 'R' from {length:g} to 0.71 m" in error.message
    assert parallel_rods(0.71).check().is_ready


def test_a_hinge_that_is_doubled_beside_itself_is_to_be_removed_or_moved_by_what_is_told():
    def crank_and_rod(by=(0.0, 0.0), joints=("j2", "j2b")):
        m = kempe.Builder("doubled hinge", plane=True)
        crank, rod = m.bar("crank", 1.0), m.bar("rod", 2.0)
        m.revolute(m.ground.at(0, 0), crank.start, name="j1")
        if "j2" in joints:
            m.revolute(crank.end, rod.start, name="j2")
        if "j2b" in joints:
            m.revolute(crank.at(1.0 + by[0], 0.001 + by[1]), rod.start, name="j2b")
        return m.build()

    said = refusal(crank_and_rod()).message
    assert "Remove 'j2', remove 'j2b', or move the marker of" in said
    assert crank_and_rod(joints=("j2",)).check().mobility == 2
    assert crank_and_rod(joints=("j2b",)).check().mobility == 2
    told = re.search(r"marker of 'j2b' on 'crank' by \((\S+), (\S+)\) m", said)
    assert crank_and_rod(by=(float(told[1]), float(told[2]))).check().mobility == 2


def test_joints_that_fit_are_not_said_to_contradict_each_other_where_a_third_does_not():
    """Hinge and first rod fit; the second rod is 0.5 m too short for where they leave the end."""
    m = kempe.Builder("two rods", plane=True)
    crank = m.bar("crank", 1.0)
    m.revolute(m.ground.at(0, 0), crank.start, name="hinge")
    m.add(Rod(crank.end, m.ground.at(2, 1), length=1.5), "first")
    m.add(Rod(crank.end, m.ground.at(-2, 1), length=1.5), "second")
    assert "contradict" not in refusal(m.build()).message
