"""The scene: what it refuses, and the JSON that players read."""

import json
import math

import numpy as np
import pytest

from kempe import draw

SEVEN_DIGITS = 1e-6  # relative: numbers in the JSON are rounded to seven significant digits

HOSTILE = "</script><script>alert(1)</script><!-- & \"' \u2028 \u2029 \\ {{scene}} \u0001"


def arm(name="arm", samples=3, **more):
    return draw.DrawnBody(
        name,
        draw.PoseSeries(np.zeros((samples, 2)), np.zeros(samples)),
        draw.link([(0, 0), (1, 0)]),
        **more,
    )


def scene(**changed):
    fields = {"title": "arm", "plane": True, "times": [0.0, 0.5, 1.0], "bodies": [arm()]}
    return draw.Scene(**{**fields, **changed})


def test_the_json_holds_the_motion_to_seven_digits(fourbar):
    data = json.loads(fourbar.to_json())
    assert [body["name"] for body in data["bodies"]] == ["crank", "coupler", "rocker"]
    for read, body in zip(data["bodies"], fourbar.bodies, strict=True):
        position = np.array(read["position"]).reshape(-1, 2)
        reach = np.abs(body.motion.position).max() + 1e-9
        assert np.abs(position - body.motion.position[:, :2]).max() < SEVEN_DIGITS * reach
        assert np.allclose(read["rotation"], body.motion.angles, rtol=SEVEN_DIGITS, atol=1e-8)
    assert np.allclose(data["times"], fourbar.times, rtol=1e-9)
    assert np.allclose(data["series"][1]["values"], fourbar.series[1].values, rtol=SEVEN_DIGITS)


def test_a_spatial_scene_carries_quaternions(rssr):
    data = json.loads(rssr.to_json())
    rod = data["bodies"][1]
    assert len(rod["position"]) == 3 * len(rssr.times)
    quaternions = np.array(rod["rotation"]).reshape(-1, 4)
    assert np.allclose(quaternions, rssr.bodies[1].motion.quaternions, atol=SEVEN_DIGITS)


def test_hostile_names_survive_the_round_trip():
    body = arm(HOSTILE, points={HOSTILE: (1, 0)})
    hostile = scene(
        title=HOSTILE,
        bodies=[body],
        joints=[
            draw.JointSymbol(HOSTILE, "pin", draw.Frame(None, (0, 0)), draw.Frame(HOSTILE, (0, 0)))
        ],
        traces=[draw.Trace(HOSTILE, (1, 0), HOSTILE)],
        series=[draw.Series(HOSTILE, HOSTILE, np.zeros(3))],
        marks=[draw.Mark(0.5, HOSTILE)],
        unit=HOSTILE,
    )
    data = json.loads(hostile.to_json())
    assert data["title"] == data["unit"] == data["marks"][0]["name"] == HOSTILE
    assert data["bodies"][0]["name"] == data["bodies"][0]["points"][0][0] == HOSTILE
    assert data["joints"][0]["name"] == data["series"][0]["unit"] == HOSTILE


def test_round_off_is_written_as_zero():
    t = np.linspace(0.0, 1.0, 5)
    motion = draw.PoseSeries(np.column_stack([t, 1e-17 * np.ones(5)]), 1e-17 * np.ones(5))
    data = json.loads(scene(times=t, bodies=[draw.DrawnBody("block", motion)]).to_json())
    assert data["bodies"][0]["position"][1::2] == [0] * 5
    assert data["bodies"][0]["rotation"] == [0] * 5


def test_only_symbols_in_use_are_carried(slider_crank):
    assert sorted(json.loads(slider_crank.to_json())["symbols"]) == ["pin", "slider"]


def test_the_ground_guides_whichever_side_it_stands_on():
    onto = draw.JointSymbol("a", "slider", draw.Frame("arm", (0, 0)), draw.Frame(None, (1, 0)))
    guide, guided = onto.guiding
    assert (guide.body, guided.body) == (None, "arm")


def test_the_travel_of_a_slider_crank_is_twice_its_crank(slider_crank):
    guide = next(joint for joint in slider_crank.joints if joint.symbol == "slider")
    low, high = slider_crank.travel(guide)
    # The dead points fall between samples: 121 over a turn miss them by less than 1e-3.
    assert high - low == pytest.approx(2 * 0.040, rel=1e-3)
    assert high == pytest.approx(0.160, rel=1e-3)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"times": [0.0, 1.0, 1.0]}, "times must increase: sample 2 at 1.0 s"),
        ({"times": [0.0, math.nan, 1.0]}, "times: 1 of 3 numbers are not finite"),
        ({"times": []}, r"times must be \(n,\) with n at least 1"),
        ({"times": [[0.0]]}, r"times must be \(n,\)"),
        ({"bodies": [arm(samples=4)]}, "body 'arm' has 4 poses but there are 3 times"),
        ({"bodies": [arm(), arm()]}, "two bodies are called 'arm'"),
        ({"series": [draw.Series("angle", "deg", np.zeros(2))]}, "series 'angle' has the shape"),
        (
            {"series": [draw.Series("angle", "deg", np.zeros((3, 1)))]},
            "series 'angle' has the shape",
        ),
        ({"traces": [draw.Trace("amr", (0, 0), "P")]}, "trace 'P': body 'amr' is not known.*'arm'"),
        ({"marks": [draw.Mark(2.0, "limit")]}, "mark 'limit' at 2.0 s is outside the motion"),
        ({"marks": [draw.Mark(math.nan, "limit")]}, "mark 'limit' at nan s is outside"),
        ({"unit_scale": 0.0}, "unit_scale must be a positive number"),
    ],
)
def test_a_scene_that_does_not_fit_together_is_refused(changed, words):
    with pytest.raises(ValueError, match=words):
        scene(**changed)


def test_a_joint_to_a_missing_body_is_refused():
    joint = draw.JointSymbol("A", "pin", draw.Frame(None, (0, 0)), draw.Frame("crank", (0, 0)))
    with pytest.raises(ValueError, match=r"body 'crank' is not known\. There are: 'arm'"):
        scene(joints=[joint])


def test_a_body_that_leans_is_refused_in_the_plane():
    half = math.radians(5.0)
    tilted = np.tile([math.cos(half), math.sin(half), 0.0, 0.0], (3, 1))
    body = draw.DrawnBody("flap", draw.PoseSeries(np.zeros((3, 3)), tilted))
    with pytest.raises(ValueError, match="body 'flap' leans out of the plane by 10 deg"):
        scene(bodies=[body])
    assert scene(bodies=[body], plane=False).bodies[0] is body


def test_a_series_with_a_hole_is_refused():
    with pytest.raises(ValueError, match="series 'force': 1 of 3 numbers are not finite"):
        draw.Series("force", "N", np.array([1.0, math.nan, 2.0]))


def test_an_unknown_symbol_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match=r"symbol 'slidr' is not known. Did you mean 'slider'"):
        draw.JointSymbol("A", "slidr", draw.Frame(None, (0, 0)), draw.Frame(None, (0, 0)))


def test_a_frame_must_be_square():
    with pytest.raises(ValueError, match="must be square and of length 1"):
        draw.Frame(None, (0, 0), np.ones((3, 3)))
    with pytest.raises(ValueError, match="must have a direction"):
        draw.Frame.along(None, (0, 0), (0, 0, 0))


def test_the_ground_needs_lines_with_two_points():
    with pytest.raises(ValueError, match="a line of the ground needs at least 2 points"):
        draw.Ground(lines=[[(0, 0)]])


@pytest.mark.parametrize("symbol", draw.SYMBOLS)
def test_every_symbol_can_stand_in_a_scene(symbol):
    joint = draw.JointSymbol("A", symbol, draw.Frame(None, (0, 0)), draw.Frame("arm", (1, 0)))
    data = json.loads(scene(joints=[joint]).to_json())
    assert list(data["symbols"]) == [symbol]
