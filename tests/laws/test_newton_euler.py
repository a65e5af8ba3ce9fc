"""What a simulation reports obeys Newton and Euler body by body, and the joints hold, everywhere.

The members are the gallery's entries that forces move, and one machine that every kind of force
acts on. What is compared is what a user reads: places, accelerations, and by their names the forces
and torques of joints, springs, loads and drives, redundant ones included.
"""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Rotation
from kempe.drives import Polynomial, TextFormula
from kempe.equations import equations_of
from kempe.events import Latch, Stop
from kempe.forces import (
    Action,
    Actuator,
    AppliedLoad,
    Attraction,
    Axes,
    Bushing,
    Callback,
    Control,
    FormulaLoad,
    GasSpring,
    LineSpring,
    MassFlow,
    NonlinearSpring,
    SpringDamper,
    TorsionSpring,
)
from kempe.gallery import COURSES, MECHANISMS
from kempe.joints import Prismatic, Revolute, Spherical
from kempe.kinematics.observe.observation import observe
from kempe.measures import Coordinate, Displacement, Distance, Turn

#: Of the largest force, or the largest torque, of the motion.
BALANCE = 1e-9
#: m, or of a direction cosine.
HELD = 1e-9
EVERY_FORCE = "every kind of force"


def under_every_force():
    """An arm on a driven post, a slide along it, a free block in rubber: all that can act, acts."""
    m = Builder(EVERY_FORCE, gravity=(0.3, 0.0, -9.81))
    inertia = Inertia(2.0, (0.2, 0.1, 0.05), np.diag([0.1, 0.3, 0.35]))
    post = m.body("post", at=(0, 0, 0), inertia=inertia)
    arm = m.body("arm", points={"tip": (0.8, 0, 0)}, at=(0, 0, 0.5), inertia=inertia)
    slide = m.body("slide", at=(0.4, 0, 0.5), inertia=Inertia(0.7, (0, 0, 0.1), 0.02 * np.eye(3)))
    block = m.body("block", at=(1.2, 0.3, 0.2), inertia=inertia, spin=(0.3, 1.0, -0.4))
    ball = m.body("ball", at=(0.8, 0.0, 0.5), inertia=inertia, spin=(2.0, 0.5, 1.0))
    base = m.add(Revolute(m.ground.at(0, 0, 0), post.at(0, 0, 0)), "base")
    m.drive(base.angle, TextFormula("0.4 * sin(3 * t)"), name="motor")
    across, along = (0, 1, 0), (1, 0, 0)
    elbow = m.add(
        Revolute(post.at(0, 0, 0.5).facing(across), arm.at(0, 0, 0).facing(across)), "elbow"
    )
    rail = m.add(Prismatic(arm.at(0, 0, 0).facing(along), slide.at(0, 0, 0).facing(along)), "rail")
    m.add(Spherical(arm.tip, ball.at(0, 0, 0)), "socket")
    reach = m.gauge("reach", Distance(), slide.at(0, 0, 0.1), block.at(0.1, 0, 0))
    m.force(LineSpring(m.ground.at(1, 1, 1), ball.at(0.1, 0.2, 0), 40.0, 1.0, 0.3), "coil")
    m.force(Bushing(arm.tip, block.at(0, 0.1, 0), (300.0,) * 6, (2.0,) * 6), "rubber")
    m.force(Attraction(post.at(0, 0, 1), slide.at(0, 0, 0), 2.0), "magnet")
    m.force(SpringDamper(reach, 25.0, 0.5, 0.6), "strap")
    m.force(TorsionSpring(elbow.angle, 30.0, 0.4, theta_init=0.2), "spiral")
    m.force(GasSpring(rail.displacement, 3e5, 1e-4, 0.3, 0.4), "strut")
    m.force(NonlinearSpring(rail.displacement, Polynomial((1.0, 60.0, 0.0, 90.0))), "hard")
    m.force(Actuator(elbow.angle, TextFormula("2 * cos(t)")), "engine")
    m.force(Control(rail.displacement, "-3 * x_rate + a", seen=(elbow.angle,), names=("a",)), "pi")
    laws = tuple(TextFormula(text) for text in ("1", "t", "-2"))
    m.force(AppliedLoad(block.at(0, 0, 0.1), laws, laws, axes=Axes.MARKER), "wind")
    texts = ("r", "0", "1")
    against = post.at(0.1, 0, 0)
    m.force(
        FormulaLoad(ball.at(0, 0, 0), texts, texts, (reach,), ("r",), against=against), "thrust"
    )
    m.force(Callback(_pulled, at=(slide.at(0, 0.1, 0), ball.at(0, 0, 0.1))), "asked")
    return m.build()


def _pulled(now):
    return Action.between(now, (now.X[1].position - now.X[0].position) * -7.0)


@pytest.fixture(scope="module", params=(*COURSES, EVERY_FORCE))
def motion(request):
    """A fifth of its course, in fifty samples."""
    name = request.param
    if name == EVERY_FORCE:
        return under_every_force().simulate(until=0.5, steps=50)
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
    if body.inertia is None:
        return 0.0 * place, 0.0 * place, place, 0.0
    arm = R @ body.inertia.centre
    centre = force + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
    inertia = R @ body.inertia.tensor @ R.transpose(0, 2, 1)
    spun = np.einsum("nij,nj->ni", inertia, w)
    gyroscopic = np.cross(w, spun)
    turned = np.einsum("nij,nj->ni", inertia, alpha) + gyroscopic
    return body.inertia.mass * centre, turned, place + arm, np.abs(gyroscopic).max()


def seen(motion, marker):
    """Where a marker is, and its axes as columns."""

    def entries(X):
        R = X[0].rotation
        return [*X[0].position, *R.x, *R.y, *R.z]

    values = observe(motion.layout, motion.motion, [marker], entries)[0]
    return values[:, :3], values[:, 3:].reshape(-1, 3, 3)


def pair(I, J, place, force, torque):
    """What acts on the body of J at a place, and its reaction on that of I where there is one."""
    reaction = [] if I is None else [(I.body, place, -force, -torque)]
    return [(J.body, place, force, torque), *reaction]


def along(motion, gauge, effort):
    """An effort along a measure as forces: a couple about an axis, a push along a line."""
    (p_I, axes), (p_J, _) = seen(motion, gauge.I), seen(motion, gauge.J)
    effort = effort.reshape(-1, 1)
    if isinstance(gauge.measure, Turn):  # whose axes are parallel where this is used
        way = axes[:, gauge.measure.axis.value]
        return pair(gauge.I, gauge.J, p_J, 0.0 * way, effort * way)
    if isinstance(gauge.measure, (Coordinate, Displacement)):
        way = axes[:, gauge.measure.axis.value]
    else:
        assert isinstance(gauge.measure, Distance), "say here what an effort along it is"
        way = (p_J - p_I) / np.linalg.norm(p_J - p_I, axis=1)[:, None]
    return pair(gauge.I, gauge.J, p_J, effort * way, 0.0 * way)


def felt(motion, I, J, name):
    """A force and a torque on marker J by name; the reaction on marker I, if any."""
    plane = motion.layout.model.plane
    force = in_space(motion[f"{name}.force"].values, plane)
    torque = in_space(motion[f"{name}.torque"].values, plane, True)
    return pair(I, J, seen(motion, J)[0], force, torque)


def acting(motion):
    """Everything that acts on a body, weights apart: (body, place, force, torque)."""
    model, found = motion.layout.model, []
    for joint in model.joints:
        found += felt(motion, joint.I, joint.J, joint.name)
    for drive in model.drives:
        found += along(motion, drive.gauge, motion[f"{drive.gauge.name}.effort"].values)
    for event in model.events:
        if isinstance(event, Stop):
            found += along(motion, event.gauge, motion[f"{event.name}.effort"].values)
        for k, gauge in enumerate(event.held if isinstance(event, Latch) else ()):
            effort = motion[f"{event.name}.effort{k + 1 if k else ''}"].values
            found += along(motion, gauge, effort)
    for force in model.forces:
        if not force.acts_on:
            found += along(motion, force.gauges[0], motion[f"{force.name}.effort"].values)
            continue
        J = force.acts_on[force.felt_at]
        I = next((m for m in force.acts_on if m is not J), None)
        found += felt(motion, I, J, force.name)
    return found


def mass_share(motion, body):
    """The mass of a body beside that at the start, (n, 1)."""
    flows = [f for f in motion.layout.model.forces if isinstance(f, MassFlow)]
    gained = sum(motion[f"{f.name}.gained"].values for f in flows if f.at.body == body.name)
    return np.reshape(1.0 + gained / (body.inertia.mass if flows else 1.0), (-1, 1))


def test_masses_accelerate_as_the_reported_forces_say(motion):
    """m a = m g + sum of forces;  I alpha + w x I w = sum of torques about the centre."""
    model, size = motion.layout.model, motion.layout.size
    assert not model.couplers, "say here what a coupler does"
    loads = acting(motion)
    gravity = np.array(model.gravity)
    largest = max(np.abs(force).max() for _, _, force, _ in loads) if loads else 0.0
    turning = max((np.abs(torque).max() for _, _, _, torque in loads), default=0.0)
    missing = {}
    for k, body in enumerate(model.moving):
        force, torque, centre, gyroscopic = kinetics(motion, k, body)
        share = mass_share(motion, body)  # what has come or gone keeps radii of gyration
        weight = share * (0.0 if body.inertia is None else body.inertia.mass) * gravity
        force, torque = share * force - weight, share * torque
        for on, place, pull, twist in loads:
            if on == body.name:
                force = force - pull
                torque = torque - twist - np.cross(place - centre, pull)
        largest = max(largest, np.linalg.norm(weight))
        turning = max(turning, gyroscopic)
        missing[body.name] = force, torque
    turning = max(turning, largest * size)
    for name, (force, torque) in missing.items():
        if model.plane:
            force, torque = force[:, :2], torque[:, 2:]
        assert np.abs(force).max() <= BALANCE * max(largest, turning / size), name
        assert np.abs(torque).max() <= BALANCE * turning, name


def test_joints_hold_at_every_sample(motion):
    layout, program = motion.layout, equations_of(motion.layout).program
    worst, held_until = (
        0.0,
        min((e.t for e in motion.events if e.kind == "release"), default=math.inf),
    )
    for q, t in zip(motion.motion.q, motion.t, strict=True):
        if t > held_until:
            break
        last = np.zeros(program.shape.n_turns)
        phi, _, _ = program.evaluate(layout.parameters, q, float(t), last)
        driven = np.array([row.unit for row in program.shape.rows]) == "rad"
        worst = max(worst, np.abs(np.where(driven, 0.0, phi)).max(initial=0.0))
    assert worst < HELD
