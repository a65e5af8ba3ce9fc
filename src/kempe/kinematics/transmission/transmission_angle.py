"""Transmission angles: how squarely a coupler pushes its output."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError
from kempe.geometry import Marker, Pose, Vector, Z
from kempe.joints import PinInSlot, Prismatic, Revolute
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.transmission.transfer import Transfer, marker_on
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# Hinges whose axes differ by more (rad) belong to no planar loop.
PARALLEL = 1e-6


def only_slides(loop: Transfer) -> bool:
    """Whether what connects input and output slides on both: it pushes its output nowhere."""
    return all(isinstance(joint, Prismatic) for joint in loop.joints[1:-1])


def transmission_angle(
    layout: Layout, motion: Motion, loop: Transfer
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The angle (n,) between the push on the output and what the push cannot move; its rates.

    mu = angle(f, n),  0 <= mu <= pi,  best at pi / 2, nought or pi in a dead point

    f: along a rod or a coupler with two hinges, square to a slot or a slide;
    n: from the point Q that is pushed to the output's pivot, or square to the output's slide.
    In a four-bar it is the angle between coupler and rocker:
    cos mu = (b^2 + c^2 - a^2 - d^2 + 2 a d cos theta) / (2 b c).

    Source: [Alt] for the angle; couplers and outputs with sliders by the same rule, Own.
    """
    if only_slides(loop):
        raise ModelError(f"the coupler of {loop} only slides: it pushes its output nowhere.")
    _require_parallel(layout, motion, loop)
    push, blocked = _push_markers(loop), _output_marker(loop)
    hinge = next(j for j in loop.joints if isinstance(j, Revolute))

    def formula(X: list[Pose]) -> list[Any]:
        *pushing, held, axis = X
        k = axis.axis(Z)
        f, Q = _push(loop, pushing, k)
        out = loop.joints[-1]
        n = k.cross(held.axis(Z)) if isinstance(out, Prismatic) else held.position - Q
        across = f.cross(n) @ k
        along = f @ n - (f @ k) * (n @ k)
        return [np.arctan2(across, along)]

    markers = [*push, blocked, hinge.I]
    value, rate, acceleration = (x[:, 0] for x in observe(layout, motion, markers, formula))
    side = np.where(value < 0.0, -1.0, 1.0)
    return np.abs(value), side * rate, side * acceleration


def _push_markers(loop: Transfer) -> list[Marker]:
    """The markers at both ends of what pushes: on the input's side, on the output's.

    Of a slot: the slot's, then the pin's.
    """
    link = loop.joints[1]
    if isinstance(link, PinInSlot):
        return [link.I, link.J]
    if loop.coupler is None:
        return [marker_on(link, loop.input), marker_on(link, loop.output)]
    return [marker_on(joint, loop.coupler) for joint in loop.joints[1:3]]


def _output_marker(loop: Transfer) -> Marker:
    return marker_on(loop.joints[-1], loop.output)


def _push(loop: Transfer, ends: list[Pose], k: Vector) -> tuple[Vector, Vector]:
    """Direction of the push, and the point of the output it acts on."""
    near, far = ends
    if isinstance(loop.joints[1], (PinInSlot, Prismatic)):
        return k.cross(near.axis(Z)), far.position
    if loop.coupler is not None and isinstance(loop.joints[2], Prismatic):
        return k.cross(far.axis(Z)), near.position
    return near.position - far.position, far.position


def _require_parallel(layout: Layout, motion: Motion, loop: Transfer) -> None:
    """Refuse a loop whose hinges are not parallel or whose slides are not square to them."""
    if layout.model.plane or not len(motion):
        return
    hinges = [j.I for j in loop.joints if isinstance(j, Revolute)]
    slides = [j.I for j in loop.joints if isinstance(j, (PinInSlot, Prismatic))]

    def formula(X: list[Pose]) -> list[Any]:
        axes = [x.axis(Z) for x in X]
        leaning = [axes[0].cross(axis).square for axis in axes[1 : len(hinges)]]
        return [0.0, *leaning, *((axes[0] @ axis) ** 2 for axis in axes[len(hinges) :])]

    squares, _, _ = observe(layout, motion, [*hinges, *slides], formula)
    if squares[0].max() > PARALLEL**2:
        raise ModelError(
            f"the loop {loop} does not move in a plane: its hinges are not parallel, and a"
            " transmission angle says nothing about it. Look at the condition instead."
        )
