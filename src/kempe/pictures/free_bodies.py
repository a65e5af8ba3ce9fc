"""What joints and drives do to bodies along a motion, as arrows: any body drawn by itself."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import on_its_body
from kempe.compile.layout.layout import Layout
from kempe.draw import Load, PoseSeries
from kempe.geometry import GROUND, Marker
from kempe.kinematics.reactions.loads import applied_force
from kempe.kinematics.reactions.reactions import Reactions
from kempe.results import ActingLoad, Motion, Subject
from kempe.results.subject import Triple

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]
Places = Callable[[str, Triple], FloatArray]  # of a point of a body, (n, 3)
MOST = 16  # joints whose reactions are told: more arrows than that say little
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ARROW = "arrow"  # the symbol of a load that is drawn as it is
BALANCE = 1e-6  # of the largest that acts, N or N m: what is left over is round-off
FAINT = 1e-9  # of the largest: what is smaller is round-off


def acting_loads(
    layout: Layout, motion: Motion, subject: Subject, reactions: Reactions, *, most: int = MOST
) -> list[ActingLoad]:
    """What joints, drives, springs and weights do to bodies at every sample of a motion.

    There is nothing where joints are more than `most`, and nothing of a joint or drive whose
    reaction is not determined. Springs act about their ends, weights about the centre of mass.
    """
    if len(subject.joints) > most:
        return []
    return [
        *_of_joints(layout, reactions),
        *_of_drives(layout, reactions),
        *_of_springs(layout, motion, subject),
        *_of_weights(motion, subject),
    ]


def reaction_arrows(
    trajectory: "Trajectory",
    places: Places,
    pick: Picked,
    longest: float,
    acting: Sequence[ActingLoad] | None = None,
) -> list[Load]:
    """Reactions of joints and efforts of drives, the largest of each kind as long as that (m).

    An arrow is what acts on its `body`; what acts on its `back` is opposite. There are none where
    no forces follow from the motion, where they are not determined, or where there are too many,
    unless all that is `acting` is given.
    """
    acting = trajectory.acting if acting is None else acting
    arrows, least = [], 0.0  # N m, of a torque that is not round-off of the forces
    for word in ("force", "torque"):
        values = [(load.force if word == "force" else load.torque)[pick] for load in acting]
        sizes = [float(np.linalg.norm(rows, axis=1).max(initial=0.0)) for rows in values]
        largest = max(sizes, default=0.0)
        faint, least = FAINT * max(largest, least), largest * longest
        for load, rows, size in zip(acting, values, sizes, strict=True):
            if size > faint:
                newtons, where = largest / longest, places(load.body, load.point)
                body, other = (None if b == GROUND else b for b in (load.body, load.other))
                way, is_torque = rows / newtons, word == "torque"
                arrows.append(Load(load.name, where, way, newtons, is_torque, body, other))
    return arrows


def balanced(
    trajectory: "Trajectory", places: Places, pick: Picked, arrows: Sequence[Load]
) -> tuple[str, ...]:
    """The bodies on which the `arrows` add up to what moves them: nothing that acts is missing.

    sum F = m a_C and sum (T + (p_WP - p_WC) x F) = T_C, at every sample; 0 without a mass
    """
    found = []
    for body in trajectory.subject.bodies:
        mine = [load for load in arrows if body.name in (load.body, load.back)]
        middle = places(body.name, body.centre)
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


def _acting(name: str, at: Marker, other: str, force: FloatArray, torque: FloatArray) -> ActingLoad:
    x, y, z = (float(c) for c in at.position)
    push, turn = _spatial(force, "force"), _spatial(torque, "torque")
    return ActingLoad(name, at.body, (x, y, z), other, push, turn)


def _of_joints(layout: Layout, reactions: Reactions) -> Iterator[ActingLoad]:
    """What every joint of two bodies does to that of its marker J, and the other one."""
    for joint in layout.model.joints:
        if {marker.body for marker in joint.markers} == {joint.I.body, joint.J.body}:
            does = reactions.of_joint(joint.name)
            if does.determined.all():
                yield _acting(joint.name, joint.J, joint.I.body, does.force, does.torque)


def _of_drives(layout: Layout, reactions: Reactions) -> Iterator[ActingLoad]:
    """What every drive does to the bodies of its markers that move, one by one."""
    for drive in layout.model.drives:
        gauge = drive.gauge
        for marker in (gauge.I, gauge.J):
            if marker.body != GROUND:
                does = reactions.of_drive_on(gauge.name, marker)
                name = drive.name or f"drive of {gauge.name}"
                if does.determined.all():
                    yield _acting(name, marker, marker.body, does.force, does.torque)


def _of_springs(layout: Layout, motion: Motion, subject: Subject) -> Iterator[ActingLoad]:
    """What springs, dampers and the like do to every body that they touch.

    T_P = R T_B - (p_WP - p_WB) x F, about the end P of the spring, from B, the body's origin.
    """
    symbols = {force.name: force for force in subject.forces}
    at = subject.coordinates
    for force in layout.model.forces:
        shown = symbols[force.name]
        if shown.symbol == ARROW:  # is drawn anyway
            continue
        load = applied_force(layout, motion, on_its_body(layout.model, force)).load
        for k, body in enumerate(layout.model.moving):
            wrench = load[:, layout.coordinates.v_of(k)]
            if not wrench.any():
                continue
            turned = motion.q[:, at.turn_of(k)]
            poses = PoseSeries(
                motion.q[:, at.place_of(k)], turned[:, 0] if subject.plane else turned
            )
            ends = [end.position for end in (shown.J, shown.I) if end.body == body.name]
            end = Marker(body.name, ends[0] if ends else (0.0, 0.0, 0.0))
            drawn = poses.carried(np.array([(0.0, 0.0, 0.0), end.position, *IDENTITY]))
            arm, axes = drawn[:, 1] - drawn[:, 0], drawn[:, 2:] - drawn[:, :1]
            n = layout.chart.n_linear
            push, turn = _spatial(wrench[:, :n], "force"), _spatial(wrench[:, n:], "torque")
            turn = np.einsum("ni,nij->nj", turn, axes) - np.cross(arm, push)
            yield _acting(force.name, end, body.name, push, turn)


def _of_weights(motion: Motion, subject: Subject) -> Iterator[ActingLoad]:
    """What the earth does to bodies; of a simulation it is among the loads."""
    for weight in () if motion.is_simulated else subject.weights:
        pull = np.tile(weight.pull, (len(motion), 1))
        where = Marker(weight.body, weight.position)
        none = np.zeros_like(pull)
        yield _acting(f"weight of {weight.body}", where, weight.body, pull, none)


def _spatial(values: FloatArray, word: str) -> FloatArray:
    """Forces of the plane with a third component, its torques with two more; (n, 3) as it is."""
    missing = np.zeros((len(values), 3 - values.shape[1]))
    return np.hstack([missing, values] if word == "torque" else [values, missing])
