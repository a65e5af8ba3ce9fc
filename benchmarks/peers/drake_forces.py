"""The trials of dynamics in Drake: python -m peers.drake_forces < exact.json.

Trees in continuous time with Runge-Kutta methods that control their error; loops exist only in
discrete time, as nearly rigid ball constraints. Bricard's mechanism is left out: it
ends the process.
"""

import math
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    ContactModel,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlant,
)
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    LinearSpringDamper,
    PrismaticJoint,
    PrismaticSpring,
    RevoluteJoint,
    RevoluteSpring,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder
from yardsticks import trials

from peers.work import Run, cannot, clocked, measure

LARGEST_STEP = 0.05  # s
# Of a time: a look that rounding puts beyond a discrete step would see the state of the next one.
BEFORE = 1.0 - 1e-12


class Plant:
    """A plant of bodies on hinges."""

    def __init__(self, gravity: Any, h: float = 0.0) -> None:
        self.plant = MultibodyPlant(time_step=h)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, float))
        if h > 0.0:
            self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        self.world = self.plant.world_body()
        self.hinges: list[Any] = []

    def hang(self, parent: Any, place: Any, axis: Any, mass: float, centre: Any, I: Any) -> Any:
        """One more body on a hinge."""
        name, plant = f"{len(self.hinges)}", self.plant
        inertia = SpatialInertia.MakeFromCentralInertia(
            mass, np.array(centre, float), RotationalInertia(*I)
        )
        body = plant.AddRigidBody(f"body{name}", inertia)
        frame = FixedOffsetFrame(f"frame{name}", parent, RigidTransform(np.array(place, float)))
        frame = plant.AddFrame(frame)
        hinge = RevoluteJoint(f"hinge{name}", frame, body.body_frame(), np.array(axis, float))
        self.hinges.append(plant.AddJoint(hinge))
        return body

    def angles(self, context: Any) -> list[float]:
        """Where the hinges stand."""
        return [hinge.get_angle(context) for hinge in self.hinges]


def simulator(plant: Any, scheme: str = "", accuracy: float = 0.0) -> Any:
    """Of a finished plant; with a scheme in continuous time."""
    made = Simulator(plant)
    if scheme:
        ResetIntegratorFromFlags(made, scheme, LARGEST_STEP)
        made.get_mutable_integrator().set_target_accuracy(accuracy)
    return made


def advance(made: Any, case: str, look: Any) -> tuple[float, Any]:
    """To the end, with looks between."""
    made.Initialize()
    context = made.get_mutable_context()

    def solve() -> list[Any]:
        seen = []
        for t in trials.TRIALS[case].times[1:]:
            made.AdvanceTo(BEFORE * t)
            seen.append(look(context))
        return seen

    return clocked(solve)


def pendulum(scheme: str, accuracy: float) -> tuple[float, Any]:
    plant = Plant((0, -trials.G, 0))
    plant.hang(plant.world, (0, 0, 0), (0, 0, 1), 1.0, (1, 0, 0), (1e-12,) * 3)
    plant.plant.Finalize()

    def look(context: Any) -> Any:
        angle = plant.angles(context)[0]
        return [math.cos(angle), math.sin(angle)]

    return advance(simulator(plant.plant, scheme, accuracy), "D1", look)


def four_bars(case: str, h: float) -> tuple[float, Any]:
    n, plant, rates = trials.FOUR_BARS[case], Plant((0, -trials.G, 0), h), []
    cranks, bars, z = [], [], (0, 0, 1)
    for k in range(n + 1):
        upright = (trials.ROD, trials.THIN, trials.ROD)
        cranks.append(plant.hang(plant.world, (k, 0, 0), z, 1.0, (0, 0.5, 0), upright))
        rates.append(-1.0)
        if k < n:
            level = (trials.THIN, trials.ROD, trials.ROD)
            bars.append(plant.hang(cranks[-1], (0, 1, 0), z, 1.0, (0.5, 0, 0), level))
            rates.append(1.0)
    for k in range(n):
        plant.plant.AddBallConstraint(bars[k], [1, 0, 0], cranks[k + 1], [0, 1, 0])
    plant.plant.Finalize()
    made = simulator(plant.plant)
    for hinge, rate in zip(plant.hinges, rates, strict=True):
        hinge.set_angular_rate(made.get_mutable_context(), rate)

    def look(context: Any) -> Any:
        angle = plant.hinges[0].get_angle(context)
        return [-math.sin(angle), math.cos(angle)]

    return advance(made, case, look)


def squeezer(h: float) -> tuple[float, Any]:
    plant, z = Plant((0, 0, 0), h), (0, 0, 1)
    bodies: dict[str | None, Any] = {None: plant.world}
    for name, (mass, moment, parent, joint, centre, _) in trials.SQUEEZER.items():
        held = (moment,) * 3
        bodies[name] = plant.hang(bodies[parent], (*joint, 0), z, mass, (*centre, 0), held)
    for k in ("3", "4", "6"):
        ends = ([*trials.MEETING["2"], 0], [*trials.MEETING[k], 0])
        plant.plant.AddBallConstraint(bodies["2"], ends[0], bodies[k], ends[1])
    ends = ([*trials.COIL_ENDS[0], 0], [*trials.COIL_ENDS[1], 0])
    spring = LinearSpringDamper(
        plant.world, ends[0], bodies["3"], ends[1], trials.COIL[1], trials.COIL[0], 0.0
    )
    plant.plant.AddForceElement(spring)
    plant.plant.AddJointActuator("motor", plant.hinges[0])
    plant.plant.Finalize()
    made = simulator(plant.plant)
    context = made.get_mutable_context()
    plant.plant.get_actuation_input_port().FixValue(context, [trials.TORQUE])
    for hinge, part in zip(plant.hinges, trials.SQUEEZER.values(), strict=True):
        hinge.set_angle(context, part[5])
    return advance(made, "D3", plant.angles)


def chain(case: str, scheme: str, accuracy: float) -> tuple[float, Any]:
    plant = Plant(trials.PULL)
    body = seen = plant.world
    for k in range(trials.CHAINS[case]):
        place = (1.0 if k else 0.0, 0, 0)
        body = plant.hang(body, place, trials.chain_axis(k), 1.0, (0.5, 0, 0), trials.LINK)
        seen = body if k in (0, trials.SEEN_LINK) else seen
    plant.plant.Finalize()

    def look(context: Any) -> Any:
        return plant.plant.EvalBodyPoseInWorld(context, seen).translation()

    return advance(simulator(plant.plant, scheme, accuracy), case, look)


def double_pendulum(scheme: str, accuracy: float) -> tuple[float, Any]:
    plant = Plant((0, -trials.G, 0))
    body = plant.world
    for k in range(2):
        arm = (trials.ARM, trials.ARM_SELF, trials.ARM)
        body = plant.hang(body, (0, -k, 0), (0, 0, 1), 1.0, (0, -0.5, 0), arm)
    plant.plant.AddForceElement(RevoluteSpring(plant.hinges[0], 0.0, trials.TORSION))
    plant.plant.Finalize()
    made = simulator(plant.plant, scheme, accuracy)
    plant.hinges[0].set_angular_rate(made.get_mutable_context(), trials.SPIN)
    return advance(made, "D7", lambda context: np.cumsum(plant.angles(context)))


class Touching:
    """Shapes that slide or turn and push each other off: compliant points without friction."""

    def __init__(self, gravity: Any, stiffness: float) -> None:
        self.builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(self.builder, time_step=0.0)
        self.plant.set_contact_model(ContactModel.kPoint)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, float))
        self.properties = ProximityProperties()
        AddContactMaterial(  # two alike are half as stiff together
            properties=self.properties,
            dissipation=0.0,
            point_stiffness=2.0 * stiffness,
            friction=CoulombFriction(0.0, 0.0),
        )
        self.joints: list[Any] = []

    def body(self, mass: float, moment: float, kind: Any, axis: Any, place: Any) -> Any:
        """A body on a joint of the ground."""
        name = f"body{len(self.joints)}"
        inertia = SpatialInertia.MakeFromCentralInertia(
            mass, np.zeros(3), RotationalInertia(*(moment,) * 3)
        )
        body = self.plant.AddRigidBody(name, inertia)
        here = FixedOffsetFrame(f"at {name}", self.plant.world_frame(), RigidTransform(place))
        frame = self.plant.AddFrame(here)
        joint = kind(f"joint {name}", frame, body.body_frame(), np.array(axis, float))
        self.joints.append(self.plant.AddJoint(joint))
        return body

    def shape(self, body: Any, place: Any, shape: Any) -> None:
        """A shape that touches others."""
        name = f"shape of {body.name()}"
        pose = RigidTransform(np.array(place, float))
        self.plant.RegisterCollisionGeometry(body, pose, shape, name, self.properties)

    def simulator(self, scheme: str, accuracy: float) -> tuple[Any, Any]:
        """Of the finished diagram, and the context of its plant."""
        made = simulator(self.builder.Build(), scheme, accuracy)
        return made, self.plant.GetMyMutableContextFromRoot(made.get_mutable_context())


def balls(scheme: str, accuracy: float) -> tuple[float, Any]:
    train = Touching((0, -trials.G, 0), trials.BALL_STIFFNESS)
    upward = RollPitchYaw(-math.pi / 2, 0, 0).ToRotationMatrix()  # a half space faces its z
    floor = RigidTransform(upward, np.zeros(3))
    world = train.plant.world_body()
    train.plant.RegisterCollisionGeometry(world, floor, HalfSpace(), "floor", train.properties)
    for height in trials.BALL_HEIGHTS:
        place = np.array([0.0, height, 0.0])
        ball = train.body(trials.BALL_MASS, 1e-3, PrismaticJoint, (0, 1, 0), place)
        train.shape(ball, (0, 0, 0), Sphere(trials.BALL))
    train.plant.Finalize()
    made, context = train.simulator(scheme, accuracy)

    def look(_: Any) -> Any:
        moved = [joint.get_translation(context) for joint in train.joints]
        return np.array(trials.BALL_HEIGHTS) + moved

    return advance(made, "C1", look)


def cam(scheme: str, accuracy: float) -> tuple[float, Any]:
    pair = Touching((-trials.G, 0, 0), trials.CAM_STIFFNESS)
    disc = pair.body(1.0, trials.FLYWHEEL, RevoluteJoint, (0, 0, 1), np.zeros(3))
    start = np.array([trials.FOLLOWER_START, 0.0, 0.0])
    follower = pair.body(trials.FOLLOWER, 1e-3, PrismaticJoint, (1, 0, 0), start)
    pair.shape(disc, (trials.ECCENTRICITY, 0, 0), Sphere(trials.CAM))
    pair.shape(follower, (0, 0, 0), Sphere(trials.ROLLER))
    stiffness, free = trials.RETURN_SPRING
    pair.plant.AddForceElement(PrismaticSpring(pair.joints[1], free - start[0], stiffness))
    pair.plant.Finalize()
    made, context = pair.simulator(scheme, accuracy)
    pair.joints[0].set_angular_rate(context, trials.CAM_SPIN)
    return advance(made, "C2", lambda _: [start[0] + pair.joints[1].get_translation(context)])


def governor(scheme: str, accuracy: float) -> tuple[float, Any]:
    plant = Plant((0, 0, -trials.G))
    along, across = trials.GOVERNOR_ALONG, trials.GOVERNOR_ACROSS
    upright, z = (across, across, along), (0, 0, 1)
    shaft = plant.hang(plant.world, (0, 0, 0), z, trials.GOVERNOR_ROD, (0, 0, 0.5), upright)
    cube = SpatialInertia.MakeFromCentralInertia(
        trials.GOVERNOR_SLIDER, np.zeros(3), RotationalInertia(*(trials.GOVERNOR_CUBE,) * 3)
    )
    slider = plant.plant.AddRigidBody("slider", cube)
    guide = PrismaticJoint("guide", shaft.body_frame(), slider.body_frame(), np.array(z, float))
    guide = plant.plant.AddJoint(guide)
    held = (along, trials.BALL_ROD_ACROSS, trials.BALL_ROD_ACROSS)
    stiffness, damping, free = trials.GOVERNOR_SPRING
    for side in (1.0, -1.0):
        pivot = (side * trials.GOVERNOR_PIVOT, 0, 1)
        centre = (side * trials.BALL_ROD_CENTRE, 0, 0)
        rod = plant.hang(shaft, pivot, (0, side, 0), trials.BALL_ROD, centre, held)
        ends = ([side * trials.GOVERNOR_PIVOT, 0, 0], [0.5 * side, 0, 0])
        spring = LinearSpringDamper(slider, ends[0], rod, ends[1], free, stiffness, damping)
        plant.plant.AddForceElement(spring)
    plant.plant.Finalize()
    made = simulator(plant.plant, scheme, accuracy)
    context = made.get_mutable_context()
    guide.set_translation(context, trials.GOVERNOR_START[1])
    for hinge, angle in zip(plant.hinges[1:], trials.GOVERNOR_START[2:], strict=True):
        hinge.set_angle(context, angle)
    plant.hinges[0].set_angular_rate(context, trials.GOVERNOR_SPIN)
    return advance(made, "D5", lambda context: [guide.get_translation(context)])


def runs() -> Iterator[tuple[str, str, Run]]:
    """Cases, settings and what runs them."""
    third, fifth = "runge_kutta3", "runge_kutta5"
    for case, run, settings in (
        ("D1", pendulum, ((fifth, 1e-6), (third, 1e-7))),
        ("D7", double_pendulum, ((third, 1e-4), (third, 1e-7))),
        ("D5", governor, ((third, 1e-4),)),  # its implicit methods take seconds
        ("C1", balls, ((third, 1e-3), (third, 1e-4), (third, 1e-5), (third, 1e-6))),
        ("C2", cam, ((third, 1e-4), (third, 1e-5), (third, 3e-7), (third, 1e-7))),
    ):
        for scheme, accuracy in settings:
            yield case, f"{scheme}, accuracy {accuracy:g}", partial(run, scheme, accuracy)
    for case in trials.FOUR_BARS:
        yield case, "discrete, h = 0.001 s", partial(four_bars, case, 1e-3)
    yield "E1", "cannot: limits of joints are nearly rigid springs of discrete steps", cannot
    yield "D3", "discrete, h = 1e-05 s", partial(squeezer, 1e-5)
    for case, n in trials.CHAINS.items():
        for scheme, accuracy in ((third, 1e-4), (fifth, 1e-9)) if n < 1000 else ((third, 1e-4),):
            yield case, f"{scheme}, accuracy {accuracy:g}", partial(chain, case, scheme, accuracy)


measure(f"Drake {version('drake')}", runs())
