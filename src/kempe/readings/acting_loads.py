"""What acts on bodies along a run beside joints, couplers and drives: forces and holds."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import on_its_body
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.dynamics.events.grips import grip_columns
from kempe.dynamics.events.modes import acting, held_measures
from kempe.errors import ModelError
from kempe.forces import JointFriction
from kempe.geometry import Pose, Vector
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.observe.observation import Formula, Gradient
from kempe.kinematics.reactions.loads import applied_force, frictions_of
from kempe.measures import Gauge, Wrapped
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def acting_loads(layout: Layout, motion: Motion) -> FloatArray:
    """Generalised forces (n, n_v) of all that acts: world axes, torques in body axes.

    f = sum of forces that no event has off + G^T e, e the efforts along measures m(q) of stops and
    latches that hold and of joints that friction holds, G = dm/dq
    """
    loads = np.zeros((len(motion), layout.n_v))
    for force in layout.model.forces if len(motion) else ():
        on = acting(layout.model, motion, force.name) if motion.is_simulated else None
        own = applied_force(layout, motion, on_its_body(layout.model, force)).load
        loads += own if on is None else on[:, None] * own
        if on is not None and force.off is not None and not on.all():
            left = applied_force(layout, motion, on_its_body(layout.model, force.off)).load
            loads += (1.0 - on)[:, None] * left
    for gauge, efforts in _holding(layout, motion):
        gradient = Gradient(layout, [gauge.I, gauge.J], _value_of(gauge))
        for k in np.flatnonzero(efforts):
            loads[k] += efforts[k] * gradient(motion.q[k])[1][0]
    for friction in frictions_of(layout.model) if motion.gripped.size else ():
        if friction.surface is not None:
            loads += _grip_loads(layout, motion, friction)
    return loads


def grip_wrench(layout: Layout, motion: Motion, friction: JointFriction) -> FloatArray:
    """What friction that sticks does to J of a ball or a foot (n, 6): force and torque, world."""
    gripped = motion.gripped[:, grip_columns(layout.model)[friction.name]]
    found, I = np.zeros((len(motion), 6)), friction.gauge.I
    for k in np.flatnonzero(gripped.any(axis=1)):
        turn = (body_pose(layout, motion.q[k], I.body) @ I.pose).rotation
        force, torque = friction.wrench((gripped[k] / friction.arms).tolist())
        found[k] = [*turn.apply(force), *turn.apply(torque)]
    return found


def _grip_loads(layout: Layout, motion: Motion, friction: JointFriction) -> FloatArray:
    """Generalised forces (n, n_v) of friction that holds a ball or a foot."""
    wrench, loads = grip_wrench(layout, motion, friction), np.zeros((len(motion), layout.n_v))
    I, J = friction.gauge.I, friction.gauge.J
    for k in np.flatnonzero(wrench.any(axis=1)):
        force, torque = Vector(*wrench[k, :3].tolist()), Vector(*wrench[k, 3:].tolist())
        at = (body_pose(layout, motion.q[k], J.body) @ J.pose).position
        for marker, sign in ((I, -1.0), (J, 1.0)):
            if layout.body_index[marker.body] == GROUND_INDEX:
                continue
            X_WB = body_pose(layout, motion.q[k], marker.body)
            moment = torque + (at - X_WB.position).cross(force)
            turned = X_WB.rotation.inverse().apply(moment)
            first = 6 * layout.body_index[marker.body]
            loads[k, first : first + 6] += sign * np.array([*force, *turned], dtype=np.float64)
    return loads


def refuse_changing_rows(layout: Layout, motion: Motion, what: str) -> None:
    """A ModelError where an event lets go of a joint, a coupler or a drive, or switches it on."""
    model = layout.model
    parts = [*(j.name for j in model.joints), *(c.name for c in model.couplers)]
    parts += [drive.gauge.name for drive in model.drives]
    for name in parts if model.events and motion.is_simulated else ():
        off = np.flatnonzero(acting(model, motion, name) == 0.0)
        if len(off):
            raise ModelError(
                f"{name!r} does not act at all samples of this run, first not at t ="
                f" {motion.t[off[0]]:.9g} s, for an event has it off: a motion {what} has the same"
                " rows at all times. Simulate up to that event, or without it."
            )


def _holding(layout: Layout, motion: Motion) -> Iterator[tuple[Gauge, FloatArray]]:
    """Measures along which something holds at some sample, and its efforts (n,)."""
    held = [gauge for _, gauge in held_measures(layout.model)]
    if motion.held.size and motion.held.shape[1] == len(held):
        yield from zip(held, motion.held.T, strict=True)
    columns = grip_columns(layout.model)
    for friction in frictions_of(layout.model) if motion.gripped.size else ():
        if friction.surface is None:
            yield friction.gauge, motion.gripped[:, columns[friction.name].start]


def _value_of(gauge: Gauge) -> Formula:
    """The formula of a measure; of an angle up to whole turns."""

    def formula(X: list[Pose]) -> list[Any]:
        value = gauge.measure.value(X[0], X[1])
        return [value.angle if isinstance(value, Wrapped) else value]

    return formula
