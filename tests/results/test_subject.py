"""What a result keeps of its mechanism: names and frames that pictures are drawn from."""

import dataclasses

import pytest

import kempe
from kempe.geometry import Marker
from kempe.joints import BarAngle, BarsApart, BarsParallel, LineAngle, PointFromBar, SkewBars
from kempe.results.subject import subject_of

#: joints of bars, which have more ends than I and J, and what else they need
OF_BARS = {
    PointFromBar: {"length": 0.5},
    BarsApart: {"length": 0.5},
    BarsParallel: {},
    SkewBars: {"length": 0.5},
    BarAngle: {"angle": 0.5},
    LineAngle: {"angle": 0.5},
}


@pytest.mark.parametrize("kind", OF_BARS, ids=lambda kind: kind.__name__)
def test_a_joint_of_bars_is_drawn_between_its_markers_i_and_j(kind):
    """It was drawn to the far end of the last bar."""
    build = kempe.Builder("bars")
    build.body("bar")
    build.body("other")
    at = {"I": ("bar", 0.0), "J": ("other", 0.1), "K": ("bar", 1.0), "L": ("other", 1.1)}
    names = {field.name for field in dataclasses.fields(kind)}
    markers = {word: Marker(body, (x, 0.2, 0.0)) for word, (body, x) in at.items() if word in names}
    build.add(kind(**markers, **OF_BARS[kind]), "gap")
    (joint,) = subject_of(build.build().layout).joints
    for frame, word in ((joint.I, "I"), (joint.J, "J")):
        assert (frame.body, frame.position) == (at[word][0], (at[word][1], 0.2, 0.0))
    far = {(frame.body, frame.position[0]) for frame in joint.ends}
    assert far == {at[word] for word in markers if word in "KL"}


def test_ends_of_bars_are_no_free_points():
    build = kempe.Builder("bars")
    bar = build.body("bar", points={"start": (0, 0, 0), "end": (1, 0, 0), "free": (2, 0, 0)})
    other = build.body("other", points={"P": (0, 0, 0)})
    joint = PointFromBar(bar.start, other.P, K=bar.end, length=0.5)
    build.add(joint, "gap")
    assert subject_of(build.build().layout).free_points == ("bar.free",)


def test_a_driven_distance_is_drawn_as_a_leg_between_two_bodies():
    """A platform stood in the air: its legs are measures, not bodies."""
    subject = kempe.gallery.octahedral_platform().kinematics(until=0.1, steps=1).subject
    legs = [s for s in subject.spans if s.symbol == "cylinder"]
    assert len(legs) == 6
    assert {leg.I.body for leg in legs} | {leg.J.body for leg in legs} == {"ground", "platform"}
    assert not [s for s in kempe.gallery.stewart().kinematics(until=0.1, steps=1).subject.spans]
