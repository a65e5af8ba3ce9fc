"""What a simulation reports obeys Newton and Euler body by body, and the joints hold, everywhere.

The members are the gallery's entries that forces move; what is compared is what a user reads:
places, accelerations, `joint.force` and `joint.torque`, redundant ones included.
"""

import numpy as np
import pytest

from kempe import Rotation
from kempe.gallery import COURSES, MECHANISMS
from kempe.kinematics.evaluator import evaluator
from kempe.kinematics.observation import observe_point

#: Of the largest force, or the largest torque, of the motion.
BALANCE = 1e-9
#: m, or of a direction cosine.
HELD = 1e-9


@pytest.fixture(scope="module", params=COURSES)
def motion(request):
    """A fifth of its course, in fifty samples."""
    name = request.param
    return MECHANISMS[name]().simulate(until=0.2 * COURSES[name].until, steps=50)


def in_space(values, plane, angular=False):
    """Components in the plane as three: forces in x and y, torques about z."""
    if not plane:
        return values
    values = values.reshape(len(values), -1)
    zeros = np.zeros((len(values), 3 - values.shape[1]))
    return np.hstack([zeros, values] if angular else [values, zeros])


def kinetics(motion, k, body):
    """Rates of momentum and angular momentum, the centre, the largest gyroscopic torque."""
    raw, plane = motion.motion, motion.layout.model.plane
    n_q, n_v = (3, 3) if plane else (7, 6)
    q, v, a = raw.q[:, k * n_q :], raw.v[:, k * n_v :], raw.a[:, k * n_v :]
    if plane:
        R = np.array([Rotation.planar(angle).matrix() for angle in q[:, 2]])
        place, force = in_space(q[:, :2], True), in_space(a[:, :2], True)
        w, alpha = (in_space(x[:, 2:3], True, angular=True) for x in (v, a))
    else:
        R = np.array([Rotation.from_quaternion(e).matrix() for e in q[:, 3:7]])
        place, force = q[:, :3], a[:, :3]
        w, alpha = (np.einsum("nij,nj->ni", R, x[:, 3:6]) for x in (v, a))
    arm = R @ body.inertia.centre
    centre = force + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
    inertia = R @ body.inertia.tensor @ R.transpose(0, 2, 1)
    spun = np.einsum("nij,nj->ni", inertia, w)
    gyroscopic = np.cross(w, spun)
    turned = np.einsum("nij,nj->ni", inertia, alpha) + gyroscopic
    return body.inertia.mass * centre, turned, place + arm, np.abs(gyroscopic).max()


def test_masses_accelerate_as_the_reported_reactions_say(motion):
    """m a = m g + sum of forces;  I alpha + w x I w = sum of torques about the centre."""
    model = motion.layout.model
    if model.forces or model.drives:
        pytest.skip("what its forces do is not read joint by joint")
    largest = turning = 0.0
    missing = {}
    for k, body in enumerate(model.moving):
        force, torque, centre, gyroscopic = kinetics(motion, k, body)
        turning = max(turning, gyroscopic)
        force = force - body.inertia.mass * np.array(model.gravity)
        for joint in model.joints:
            if body.name not in (joint.I.body, joint.J.body):
                continue
            sign = 1.0 if joint.J.body == body.name else -1.0
            pull = sign * in_space(motion[f"{joint.name}.force"].values, model.plane)
            twist = sign * in_space(motion[f"{joint.name}.torque"].values, model.plane, True)
            place = in_space(observe_point(motion.layout, motion.motion, joint.J)[0], model.plane)
            force = force - pull
            torque = torque - twist - np.cross(place - centre, pull)
            largest = max(largest, np.abs(pull).max())
            turning = max(turning, np.abs(twist).max())
        largest = max(largest, body.inertia.mass * np.linalg.norm(model.gravity))
        missing[body.name] = force, torque
    turning = max(turning, largest * motion.layout.size)
    for name, (force, torque) in missing.items():
        if model.plane:
            force, torque = force[:, :2], torque[:, 2:]
        assert np.abs(force).max() <= BALANCE * max(largest, turning / motion.layout.size), name
        assert np.abs(torque).max() <= BALANCE * turning, name


def test_joints_hold_at_every_sample(motion):
    layout, program = motion.layout, evaluator(motion.layout)
    worst = 0.0
    for q, t in zip(motion.motion.q, motion.t, strict=True):
        last = np.zeros(program.shape.n_turns)
        phi, _, _ = program.evaluate(layout.parameters, q, float(t), last)
        driven = np.array([row.unit for row in program.shape.rows]) == "rad"
        worst = max(worst, np.abs(np.where(driven, 0.0, phi)).max(initial=0.0))
    assert worst < HELD
