"""The robot's arm that lifts a box: friction holds it, and motors give what weights ask."""

import numpy as np
import pytest

import kempe

G = 9.81
AT_REST = 1e-4  # N m: springs of the jaws and pads have nearly come to rest
FLAT = 1e-3  # m: what a box may have moved while it was set down on soft pads


@pytest.fixture(scope="module")
def work():
    return kempe.gallery.robot_arm().simulate(until=3.2, steps=32)


def test_the_box_is_lifted_carried_and_set_down(work):
    assert work.outcome.is_done
    assert [e.kind for e in work.events if e.name == "floor"] == ["lift-off"] * 2 + ["touch"] * 2
    assert work["box.y"].max() - work["box.y"].values[-1] == pytest.approx(0.2, abs=FLAT)
    assert work["box.x"].values[0] - work["box.x"].values[-1] == pytest.approx(0.35, abs=FLAT)


def test_motors_in_the_joints_give_the_moments_of_all_weights_at_rest(work):
    names = ("shoulder.angle", "elbow.angle", "wrist.angle")
    told = work.efforts(*names)
    parts = {"upper_arm": 3.0, "forearm": 2.0, "hand": 1.0, "left_jaw": 0.2, "right_jaw": 0.2}
    x = {part: work[part].position[-1, 0] for part in parts}
    x["hand"] = work["hand.x"].values[-1]
    pins = {"shoulder": 0.0, "elbow": work["forearm.start"].position[-1, 0], "wrist": x["hand"]}
    beyond = {"shoulder": [*parts], "elbow": [*parts][1:], "wrist": [*parts][2:]}
    for pin, at in pins.items():
        due = sum(parts[part] * G * (x[part] - at) for part in beyond[pin])
        assert told[f"{pin}.angle"].effort.values[-1] == pytest.approx(due, abs=AT_REST)


@pytest.mark.parametrize(("grip", "comes_along"), [(3.9, False), (6.0, True)])
def test_friction_carries_twice_its_coefficient_times_the_grip(grip, comes_along):
    """2 mu F against m g = 4.905 N, with what the acceleration of the lift needs beside it."""
    work = kempe.gallery.robot_arm(grip=grip).simulate(until=1.6, steps=16)
    assert (np.ptp(work["box.y"].values) > 0.15) == comes_along
