"""How friction holds a joint: the measures that do not change while it sticks.

A hinge or a slider is held by its own measure. A ball is held by three turns of a marker of its J
that lies as I does where it sticks: there efforts along them are the torque in the axes of I. A
foot is held by x and y, and by its turn where something resists spin.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.forces import JointFriction
from kempe.geometry import Pose, Rotation, Z
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.reactions.loads import frictions_of
from kempe.measures import SLIDES, TURNS, Gauge, Turn
from kempe.model import Model
from kempe.results.state import FloatArray

Numbers = tuple[float, ...]
FOOT = (*SLIDES[:2], Turn(Z))


def grip_columns(model: Model) -> dict[str, slice]:
    """The columns of `Motion.gripped` that belong to each friction of a model, by its name."""
    found, first = {}, 0
    for friction in frictions_of(model):
        found[friction.name] = slice(first, first := first + len(friction.arms))
    return found


def foot_gauges(friction: JointFriction) -> tuple[Gauge, ...]:
    """The measures that hold a foot on a plane."""
    I, J = friction.gauge.I, friction.gauge.J
    kept = FOOT[: len(friction.arms)]
    return tuple(Gauge(f"{friction.gauge.name}.{m.word}", m, I, J) for m in kept)


def orientation(friction: JointFriction, layout: Layout, q: FloatArray) -> Numbers:
    """R_IJ of the joint of a friction where bodies' origins are at q, nine numbers by rows."""
    gauge = friction.gauge
    R_I, R_J = ((body_pose(layout, q, m.body) @ m.pose).rotation for m in (gauge.I, gauge.J))
    return tuple(np.asarray((R_I.inverse() @ R_J).matrix(), dtype=np.float64).ravel().tolist())


def ball_gauges(friction: JointFriction, R_IJ: Sequence[float]) -> tuple[Gauge, ...]:
    """The turns, all 0 there, that hold a ball where its J lies in I as nine numbers say."""
    gauge = friction.gauge
    back = Pose(gauge.J.pose.position, Rotation.from_matrix(np.reshape(R_IJ, (3, 3)))).rotation
    J = replace(gauge.J, rotation=gauge.J.rotation @ back.inverse())
    return tuple(Gauge(f"{gauge.name}.held_{turn.word}", turn, gauge.I, J) for turn in TURNS)


def gripping(friction: JointFriction, at: Numbers) -> Iterator[tuple[Gauge, float]]:
    """The measures that hold a joint, and at which values; `at` is what a mode knows of the place.

    That is R_IJ of a ball, and values of the measures of all others.
    """
    if friction.surface == "ball":
        yield from ((gauge, 0.0) for gauge in ball_gauges(friction, at))
    elif friction.surface == "plane":
        yield from zip(foot_gauges(friction), at, strict=True)
    else:
        yield friction.rubs, at[0]
