"""A first guess for bodies nobody placed: hang every body on a placed one, joint by joint.

The drives' start values are used where they fix a turn; other hinges open at deterministic angles,
a different set for every attempt.
"""

import math
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout import Layout
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint
from kempe.measures import Displacement, Turn
from kempe.model import Model

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


def first_guess(layout: Layout, attempt: int, t: float) -> NDArray[np.float64]:
    """Coordinates of all bodies: given guesses, and placed ones for the rest."""
    model = layout.model
    if all(b.guess is not None for b in model.moving):
        given = [layout.chart.coordinates(b.guess) for b in model.moving if b.guess]
        return np.concatenate(given)
    poses = {b.name: b.guess for b in model.moving if b.guess is not None}
    poses[GROUND] = Pose.identity()
    queue = deque([GROUND, *(b.name for b in model.moving if b.guess is not None)])
    starts = _driven_values(model, t)
    joints_of: dict[str, list[AbstractJoint]] = {}
    for joint in model.joints:
        for marker in (joint.I, joint.J):
            joints_of.setdefault(marker.body, []).append(joint)
    while queue:
        placed = queue.popleft()
        for joint in joints_of.get(placed, ()):
            pair = _across(joint, placed, poses)
            if pair is not None:
                here, there = pair
                k = layout.body_index[there.body]
                poses[there.body] = _hang(model, joint, here, there, poses, starts, attempt, k)
                queue.append(there.body)
    for k, body in enumerate(model.moving):  # not connected to anything placed
        poses.setdefault(body.name, Pose(Vector(0.1 * k, 0.1 * k, 0.0), Rotation.identity()))
    return np.concatenate([layout.chart.coordinates(poses[b.name]) for b in model.moving])


def _driven_values(model: Model, t: float) -> dict[tuple[str, str], tuple[Any, float]]:
    """(body I, body J) -> (measure, value at t) of every drive and of every held measure."""
    values: dict[tuple[str, str], tuple[Any, float]] = {}
    for drive in model.drives:
        gauge = drive.gauge
        values[gauge.I.body, gauge.J.body] = (gauge.measure, float(drive.law.value(t)))
    return values


def _across(
    joint: AbstractJoint, placed: str, poses: dict[str, Pose]
) -> tuple[Marker, Marker] | None:
    for here, there in ((joint.I, joint.J), (joint.J, joint.I)):
        if here.body == placed and there.body not in poses:
            return here, there
    return None


def _hang(
    model: Model,
    joint: AbstractJoint,
    here: Marker,
    there: Marker,
    poses: dict[str, Pose],
    starts: dict[tuple[str, str], tuple[Any, float]],
    attempt: int,
    k: int,
) -> Pose:
    """X_WB of the new body: its marker on the placed one, turned or shifted as far as is free."""
    X_WH, X_BT = poses[here.body] @ here.pose, there.pose
    turns = any(isinstance(m, Turn) for m in joint.freedom)
    slides = any(isinstance(m, Displacement) for m in joint.freedom)
    sense = 1.0 if here is joint.I else -1.0
    turn, shift = 0.0, 0.0
    driven = starts.get((joint.I.body, joint.J.body))
    if turns:
        turn = sense * driven[1] if driven and isinstance(driven[0], Turn) else 0.0
        if driven is None and model.plane:
            level = (X_WH @ X_BT.inverse()).rotation
            angle = math.atan2(level.x.y, level.x.x)
            given = starts.get((GROUND, there.body))
            is_turn = given is not None and isinstance(given[0], Turn)
            turn = (given[1] if given and is_turn else _opening(attempt, k)) - angle
            turn *= 1.0 if X_WH.rotation.z.z > 0 else -1.0
        elif driven is None:
            turn = _opening(attempt, k)
    if slides and driven and isinstance(driven[0], Displacement):
        shift = sense * driven[1]
    elif slides:
        shift = _opening(attempt, k) - math.pi / 3
    move = Pose(Vector(0.0, 0.0, shift), Rotation.planar(turn))
    return X_WH @ move @ X_BT.inverse()


def _opening(attempt: int, k: int) -> float:
    """60 degrees at first; later attempts spread over the circle, differently for each body."""
    spread = (attempt * GOLDEN * (1 + 0.37 * k)) % 1.0
    return math.pi / 3 + 0.05 * k + 2.0 * math.pi * spread
