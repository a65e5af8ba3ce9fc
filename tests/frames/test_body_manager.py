"""The body manager keeps many bodies' states by name."""

import pytest

from kempe.errors import DuplicateName, FrameMismatch, UnknownFrame
from kempe.frames import BodyManager

ROUNDING = 1e-12


@pytest.mark.row("D7")
def test_any_body_is_seen_from_any_other(any_state, apart) -> None:
    bodies = BodyManager("ground", [any_state("ship", "ground"), any_state("buoy", "ground")])
    seen = bodies.seen("buoy", "ship")
    assert apart(bodies["ship"] + seen, bodies["buoy"]) < ROUNDING
    assert apart(bodies.seen("ground", "ship"), bodies["ship"].inverse()) == 0.0
    assert bodies.seen("ship", "ground") is bodies["ship"]
    assert list(bodies) == ["ship", "buoy"]


def test_a_state_can_be_assigned_and_a_body_removed(any_state, apart) -> None:
    bodies = BodyManager("ground", [any_state("ship", "ground")])
    moved = any_state("ship", "ground")
    bodies.assign(moved)
    assert apart(bodies["ship"], moved) == 0.0
    bodies.remove("ship")
    assert "ship" not in bodies
    assert len(bodies) == 0


def test_wrong_names_and_frames_are_refused(any_state) -> None:
    bodies = BodyManager("ground", [any_state("ship", "ground")])
    with pytest.raises(UnknownFrame, match="Did you mean 'ship'"):
        bodies["shp"]
    with pytest.raises(UnknownFrame):
        bodies.assign(any_state("buoy", "ground"))
    with pytest.raises(DuplicateName):
        bodies.add(any_state("ship", "ground"))
    with pytest.raises(FrameMismatch, match=r"'quay'.*'ground'"):
        bodies.add(any_state("buoy", "quay"))
