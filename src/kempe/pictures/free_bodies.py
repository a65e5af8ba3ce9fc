"""What joints and drives do to bodies along a motion, as arrows: any body drawn by itself."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import on_its_body
from kempe.draw import Load
from kempe.errors import KempeError
from kempe.geometry import GROUND, Marker
from kempe.kinematics.reactions.loads import applied_force
from kempe.kinematics.reactions.reactions import Reactions

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]
Places = Callable[[str, tuple[float, float, float]], FloatArray]  # of a point of a body, (n, 3)
# What acts, on which body and where, and on which other one oppositely; force and torque (n, ...).
Acting = tuple[str, Marker, str, FloatArray, FloatArray]
MOST = 16  # joints whose reactions a page carries: more arrows than that say little
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ARROW = "arrow"  # the symbol of a load that is drawn as it is
BALANCE = 1e-6  # of the largest that acts, N or N m: what is left over is round-off
FAINT = 1e-9  # of the largest: what is smaller is round-off


def reaction_arrows(
    trajectory: "Trajectory", places: Places, pick: Picked, longest: float
) -> list[Load]:
    """Reactions of joints and efforts of drives, the largest of each kind as long as that (m).

    An arrow is what acts on its `body`; what acts on its `back` is opposite. There are none where
    no forces follow from the motion, where they are not determined, or where there are too many.
    """
    if len(trajectory.subject.joints) > MOST:
        return []
    try:
        reactions = trajectory.reactions  # unknown of a saved motion, or without masses
    except KempeError:
        return []
    acting = [
        *_of_joints(trajectory, reactions, pick),
        *_of_drives(trajectory, reactions, pick),
        *_of_springs(trajectory, places, pick),
        *_of_weights(trajectory, pick),
    ]
    arrows, least = [], 0.0  # N m, of a torque that is not round-off of the forces
    for word in ("force", "torque"):
        values = [_spatial(f if word == "force" else t, word) for *_, f, t in acting]
        sizes = [float(np.linalg.norm(rows, axis=1).max(initial=0.0)) for rows in values]
        largest = max(sizes, default=0.0)
        faint, least = FAINT * max(largest, least), largest * longest
        for (name, at, back, *_), rows, size in zip(acting, values, sizes, strict=True):
            if size > faint:
                newtons, where = largest / longest, places(at.body, at.position)
                body, other = (None if b == GROUND else b for b in (at.body, back))
                way, is_torque = rows / newtons, word == "torque"
                arrows.append(Load(name, where, way, newtons, is_torque, body, other))
    return arrows


def balanced(
    trajectory: "Trajectory", places: Places, pick: Picked, arrows: Sequence[Load]
) -> tuple[str, ...]:
    """The bodies on which the `arrows` add up to what moves them: nothing that acts is missing.

    sum F = m a_C and sum (T + (p_WP - p_WC) x F) = T_C, at every sample; 0 without a mass
    """
    found = []
    for body in trajectory.layout.model.moving:
        mine = [load for load in arrows if body.name in (load.body, load.back)]
        centre = body.inertia.centre if body.inertia is not None else (0.0, 0.0, 0.0)
        middle = places(body.name, (float(centre[0]), float(centre[1]), float(centre[2])))
        left = {word: -_moving(trajectory, body.name, word, pick) for word in ("force", "torque")}
        largest = max((float(np.abs(load.way).max()) * load.newtons for load in mine), default=0.0)
        for load in mine:
            does = (load.newtons if load.body == body.name else -load.newtons) * load.way
            left["torque" if load.is_torque else "force"] += does
            if not load.is_torque:
                left["torque"] += np.cross(load.at - middle, does)
        if mine and all(np.abs(rest).max() <= BALANCE * largest for rest in left.values()):
            found.append(body.name)
    return tuple(found)


def _moving(trajectory: "Trajectory", body: str, word: str, pick: Picked) -> FloatArray:
    """The force or torque that moves a body as it moves, (n, 3)."""
    if f"{body}.{word}" not in trajectory:
        return np.zeros((len(pick), 3))
    values = np.asarray(trajectory[f"{body}.{word}"].values)[pick]
    return _spatial(values.reshape(len(pick), -1), word)


def _of_joints(trajectory: "Trajectory", reactions: Reactions, pick: Picked) -> Iterator[Acting]:
    """What every joint of two bodies does to that of its marker J, and the other one."""
    for joint in trajectory.layout.model.joints:
        if {marker.body for marker in joint.markers} == {joint.I.body, joint.J.body}:
            does = reactions.of_joint(joint.name)
            if does.determined.all():
                yield joint.name, joint.J, joint.I.body, does.force[pick], does.torque[pick]


def _of_drives(trajectory: "Trajectory", reactions: Reactions, pick: Picked) -> Iterator[Acting]:
    """What every drive does to the bodies of its markers that move, one by one."""
    for drive in trajectory.layout.model.drives:
        gauge = drive.gauge
        for marker in (gauge.I, gauge.J):
            if marker.body != GROUND:
                does = reactions.of_drive_on(gauge.name, marker)
                name = drive.name or f"drive of {gauge.name}"
                if does.determined.all():
                    yield name, marker, marker.body, does.force[pick], does.torque[pick]


def _of_springs(trajectory: "Trajectory", places: Places, pick: Picked) -> Iterator[Acting]:
    """What springs, dampers and the like do to every body that they touch.

    T_P = R T_B - (p_WP - p_WB) x F, about the end P of the spring, from B, the body's origin.
    """
    layout, motion = trajectory.layout, trajectory.motion
    symbols = {force.name: force for force in trajectory.subject.forces}
    for force in layout.model.forces:
        shown = symbols[force.name]
        if shown.symbol == ARROW:  # is drawn anyway
            continue
        load = applied_force(layout, motion, on_its_body(layout.model, force)).load[pick]
        for k, body in enumerate(layout.model.moving):
            wrench = load[:, layout.coordinates.v_of(k)]
            if not wrench.any():
                continue
            ends = [end.position for end in (shown.J, shown.I) if end.body == body.name]
            at = Marker(body.name, ends[0] if ends else (0.0, 0.0, 0.0))
            origin = places(body.name, (0.0, 0.0, 0.0))
            n = layout.chart.n_linear
            push, turn = _spatial(wrench[:, :n], "force"), _spatial(wrench[:, n:], "torque")
            axes = [places(body.name, axis) - origin for axis in IDENTITY]
            turn = np.einsum("ni,inj->nj", turn, np.array(axes))
            turn = turn - np.cross(places(body.name, at.position) - origin, push)
            yield force.name, at, body.name, push, turn


def _of_weights(trajectory: "Trajectory", pick: Picked) -> Iterator[Acting]:
    """What the earth does to bodies; of a simulation it is among the loads."""
    for weight in () if trajectory.motion.is_simulated else trajectory.subject.weights:
        pull = np.tile(weight.pull, (len(pick), 1))
        at = Marker(weight.body, weight.position)
        yield f"weight of {weight.body}", at, weight.body, pull, np.zeros_like(pull)


def _spatial(values: FloatArray, word: str) -> FloatArray:
    """Forces of the plane with a third component, its torques with two more; (n, 3) as it is."""
    missing = np.zeros((len(values), 3 - values.shape[1]))
    return np.hstack([missing, values] if word == "torque" else [values, missing])
