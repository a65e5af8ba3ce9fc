"""Events as words: what they refuse, and how they follow changes of the model."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, KempeError, ModelError, UnknownName
from kempe.events import Crossing, Direction, Latch, Release, Stop, Switch
from kempe.forces import SpringDamper
from kempe.geometry import Inertia


def sliding() -> tuple[kempe.Builder, Any]:
    m = kempe.Builder("slider", plane=True)
    block = m.body("block", at=(0.1, 0), inertia=Inertia(2.0, (0, 0, 0), np.eye(3)))
    return m, m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="guide").displacement


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"restitution": 1.5, "low": 0.0}, "restitution of Stop is 1.5"),
        ({"restitution": -0.1, "low": 0.0}, "between 0"),
        ({"restitution": float("nan"), "low": 0.0}, "restitution"),
        ({}, "limits nothing"),
        ({"low": 2.0, "high": 1.0}, "`low` must be less than `high`"),
        ({"low": float("inf")}, "low of Stop"),
    ],
)
def test_a_stop_refuses_what_is_no_limit(given: dict[str, float], said: str) -> None:
    _, gauge = sliding()
    with pytest.raises(KempeError, match=said):
        Stop(gauge, **given)


def test_a_direction_is_one_of_three_words() -> None:
    rising: Any = "rising"
    up: Any = "up"
    assert Crossing("t - 1", direction=rising).direction is Direction.RISING
    with pytest.raises(BadNumber, match="both, rising, falling"):
        Crossing("t - 1", direction=up)


def test_an_event_says_when_it_happens() -> None:
    with pytest.raises(ModelError, match="formula in text"):
        Crossing("  ")
    with pytest.raises(ModelError, match="lets nothing go"):
        Release("t - 1", parts=())
    with pytest.raises(ModelError, match="switches nothing"):
        Switch("t - 1")
    with pytest.raises(ModelError, match="holds measures"):
        Latch("t - 1", held=("guide",))  # type: ignore[arg-type]


def test_an_event_names_parts_that_there_are() -> None:
    m, gauge = sliding()
    m.force(SpringDamper(gauge, stiffness=3.0), "spring")
    m.event(Release("t - 1", parts=("sprong",)), "go")
    with pytest.raises(UnknownName, match=r"names 'sprong', which there is not. Did"):
        m.build()


def test_names_in_an_expression_are_those_that_can_be_read() -> None:
    m, _ = sliding()
    with pytest.raises(UnknownName, match=r"guide\.displacement"):
        m.build().simulate(until=1.0, events=["guide.displacment - 1"])


def test_an_event_follows_a_part_that_is_renamed() -> None:
    m, gauge = sliding()
    m.force(SpringDamper(gauge, stiffness=3.0), "spring")
    m.event(Release("guide.displacement - 0.2", parts=("spring",)), "go")
    m.event(Stop(gauge, high=1.0), "wall")
    m.rename({"guide": "rail", "spring": "coil"})
    found: Any = m.build().model.events
    release, stop = found
    assert release.when == "rail.displacement - 0.2"
    assert release.parts == ("coil",)
    assert stop.gauges[0].name == "rail.displacement"


def test_a_model_with_events_comes_back_from_a_file(tmp_path: Path) -> None:
    m, gauge = sliding()
    m.force(SpringDamper(gauge, stiffness=3.0), "spring")
    m.event(Stop(gauge, low=0.0, high=0.5, restitution=0.25), "wall")
    m.event(Crossing("block.vx", direction=Direction.FALLING, ends=True), "turn")
    m.event(Latch("guide.displacement - 0.3", held=(gauge,)), "hook")
    m.event(Release("t - 2", parts=("hook",)), "unhook")
    m.event(Switch("t - 1", on=("spring",)), "on")
    made = m.build()
    path = tmp_path / "slider.yaml"
    made.save(path)
    assert kempe.load(path).model.events == made.model.events


def test_merging_keeps_the_events_of_both() -> None:
    first, gauge = sliding()
    first.event(Stop(gauge, low=0.0), "wall")
    second, other = sliding()
    second.event(Stop(other, high=1.0), "end")
    both = kempe.merge(first.build(), second.build(), rename={"block": "other", "guide": "rail"})
    assert [event.name for event in both.model.events] == ["wall", "end"]


def test_a_part_goes_with_the_events_that_need_it() -> None:
    m, gauge = sliding()
    m.force(SpringDamper(gauge, stiffness=3.0), "spring")
    m.event(Release("t - 1", parts=("spring",)), "go")
    m.remove("spring")
    assert m.build().model.events == ()
