"""What a picture says acts on a body is all that acts on it."""

import numpy as np
import pytest

import kempe as kp
from kempe.pictures.animation import free_body, scene_of

BALANCED = 1e-9  # of the largest force on the body: sums of a few terms of multipliers


def engine():
    return kp.gallery.engine().simulate(until=0.02, steps=40)  # gas, a brake, hinges, a slider


def governor():
    return kp.gallery.flyball_governor().simulate(until=0.2, steps=40)  # in space, with a damper


def door():
    return kp.gallery.door_closer().simulate(until=0.4, steps=40)  # springs on turns


def heavy_crank():
    m = kp.Builder("crank", plane=True, gravity=9.81)
    crank = m.bar("crank", 0.2, mass=1.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.drive(crank.angle, rpm=90)
    return m.build().kinematics(until=0.5, steps=40)  # its drive, and a weight that no run knows


@pytest.mark.parametrize("made", [engine, governor, door, heavy_crank])
def test_forces_and_torques_on_every_body_are_those_that_move_it(made):
    found = made()
    scene = scene_of(found)
    arrows = [*scene.reactions, *scene.loads]
    for body in scene.bodies:
        if body.name == "ground":
            continue
        assert body.name in scene.free
        inertia = found.layout.model.body(body.name).inertia
        centre = body.motion.carried(np.array([inertia.centre]))[:, 0]
        force, torque = np.zeros((2, len(found), 3))
        largest = 0.0
        for load in arrows:
            sign = 1.0 if load.body == body.name else -1.0
            if body.name not in (load.body, load.back):
                continue
            does = sign * load.way * load.newtons
            largest = max(largest, float(np.abs(does).max()))
            if load.is_torque:
                torque += does
            else:
                force += does
                torque += np.cross(load.at - centre, does)
        moving, turning = found[f"{body.name}.force"].values, found[f"{body.name}.torque"].values
        n = moving.shape[1]
        assert np.abs(force[:, :n] - moving).max() <= BALANCED * largest
        turning = turning.reshape(len(found), -1)
        assert np.abs(torque[:, -turning.shape[1] :] - turning).max() <= BALANCED * largest


def test_a_chain_too_long_to_be_read_carries_no_reactions():
    chain = kp.gallery.pendulum_chain(links=20).simulate(until=0.01, steps=2)
    assert scene_of(chain).reactions == ()
    for body in ("link1", "link10", "link20"):
        loads, is_all = free_body(chain, body, 2)
        assert is_all
        assert {load.name for load in loads} >= {f"weight of {body}"}
