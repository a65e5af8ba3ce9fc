"""An axis that is askew on its body is turned back there, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError

pytestmark = pytest.mark.core

TILT = 1e-3  # rad
STRAIGHT = 1e-9  # rad


def four_bar(tilted: str = "", side: str = "I", axis=(1, 0, 0), tilt=TILT) -> kempe.Mechanism:
    """A crank-rocker of hinges in space; one marker of one joint is turned."""
    m = kempe.Builder("frame")
    crank, coupler, rocker = m.bar("crank", 0.3), m.bar("coupler", 0.9), m.bar("rocker", 0.7)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(m.ground.at(1, 0), rocker.start, name="D")
    m.drive(crank.angle, rpm=60)
    if tilted:
        marker = getattr(m.build().model.joint(tilted), side)
        turn = kempe.Rotation.about(axis, tilt)
        m.reattach(tilted, **{side: replace(marker, rotation=marker.rotation @ turn)})
    return m.build()


def largest_twist(mechanism: kempe.Mechanism) -> float:
    """The largest angle between the two axes of a body: nought in a planar linkage."""
    axes: dict[str, list[np.ndarray]] = {}
    for joint in mechanism.model.joints:
        for marker in (joint.I, joint.J):
            axes.setdefault(marker.body, []).append(np.array(list(marker.rotation.z), dtype=float))
    return max(float(np.linalg.norm(np.cross(a, b))) for a, b in axes.values())


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0.6, 0.8, 0)])
@pytest.mark.parametrize(("joint", "side"), [("A", "I"), ("B", "J"), ("C", "I"), ("D", "I")])
def test_one_axis_askew_takes_one_turn_of_that_size(joint, side, axis):
    askew = four_bar(joint, side, axis)
    assert largest_twist(askew) == pytest.approx(TILT, rel=1e-6)
    report = askew.check(align=1.01 * TILT)
    body = getattr(askew.model.joint(joint), side).body
    assert [(s.joint, s.body) for s in report.straightened] == [(joint, body)]
    assert report.straightened[0].angle == pytest.approx(TILT, rel=1e-6)
    straight = askew.aligned(1.01 * TILT)
    assert largest_twist(straight) < STRAIGHT
    run, meant = (m.kinematics(until=1.0, steps=8) for m in (straight, four_bar()))
    assert run.outcome.is_done
    np.testing.assert_allclose(
        run["rocker.end"].position, meant["rocker.end"].position, atol=2 * TILT
    )


@pytest.mark.parametrize("times", [2.0, 10.0, 30.0])
def test_a_generous_align_turns_no_more_than_is_askew(times):
    askew = four_bar("D")
    assert [str(s) for s in askew.check(align=times * TILT).straightened] == [
        "'D' on 'ground' by 0.001 rad"
    ]


def test_two_axes_askew_are_both_turned_back():
    m = four_bar("D").edit()
    marker = m.build().model.joint("B").J
    turn = kempe.Rotation.about((0, 1, 0), 0.5 * TILT)
    m.reattach("B", J=replace(marker, rotation=marker.rotation @ turn))
    report = m.build().check(align=2.0 * TILT)
    assert {(s.joint, s.body): round(s.angle, 9) for s in report.straightened} == {
        ("B", "coupler"): 0.5 * TILT,
        ("D", "ground"): TILT,
    }


def test_too_small_an_align_says_what_it_takes_and_makes_no_other_linkage():
    with pytest.raises(AssemblyError, match=r"it would take 0\.001 rad") as caught:
        four_bar("D", axis=(0, 1, 0)).check(align=0.9 * TILT)
    assert caught.value.facts["needed"] == pytest.approx(TILT, rel=1e-6)
