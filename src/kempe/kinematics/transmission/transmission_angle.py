"""Transmission angles: how squarely a coupler pushes its output."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError
from kempe.geometry import Axis, Marker, Pose
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.kinematics.observe.observation import observe
from kempe.kinematics.transmission.transfer import Transfer, marker_on
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Hold = tuple[Marker, Axis | None]  # with the axis along which it slides

# Hinges whose axes differ by more (rad) belong to no planar loop.
PARALLEL = 1e-6


def only_slides(loop: Transfer) -> bool:
    """Whether what connects input and output slides on both: it pushes its output nowhere."""
    return all(ways.kind is Kind.SLIDER for ways in loop.ways[1:-1])


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
    held = _hold(loop.joints[-1], loop.ways[-1], loop.output)
    (near, near_slide), (far, far_slide), (out, out_slide), (hinge, turn) = (
        *_push_ends(loop),
        held,
        _turning(loop),
    )

    def formula(X: list[Pose]) -> list[Any]:
        at_near, at_far, at_out, at_hinge = X
        k = at_hinge.axis(turn)
        Q = at_far.position
        if near_slide is not None:
            f = k.cross(at_near.axis(near_slide))
        elif far_slide is not None:
            f, Q = k.cross(at_far.axis(far_slide)), at_near.position
        else:
            f = at_near.position - Q
        n = at_out.position - Q if out_slide is None else k.cross(at_out.axis(out_slide))
        across = f.cross(n) @ k
        along = f @ n - (f @ k) * (n @ k)
        return [np.arctan2(across, along)]

    markers = [near, far, out, hinge]
    value, rate, acceleration = (x[:, 0] for x in observe(layout, motion, markers, formula))
    side = np.where(value < 0.0, -1.0, 1.0)
    return np.abs(value), side * rate, side * acceleration


def _push_ends(loop: Transfer) -> list[Hold]:
    """Both ends of what pushes, the input's first; of a slot that of the slot, then of the pin."""
    link, ways = loop.joints[1], loop.ways[1]
    if ways.kind is Kind.SLOT:
        return [_hold(link, ways, link.I.body), (link.J, None)]
    if loop.coupler is None:
        return [(marker_on(link, body), None) for body in (loop.input, loop.output)]
    return [_hold(loop.joints[k], loop.ways[k], loop.coupler) for k in (1, 2)]


def _hold(joint: AbstractJoint, ways: Ways, body: str) -> Hold:
    """The joint's marker on a body, with the axis it slides along; the other's where none does."""
    if ways.slide is None:
        return marker_on(joint, body), None
    axis = ways.slide[joint.J.body == body]
    return (joint.I, ways.slide[0]) if axis is None else (marker_on(joint, body), axis)


def _turning(loop: Transfer) -> tuple[Marker, Axis]:
    """A marker of the loop and the axis of it that is square to the plane of its motion."""
    joints = sorted(zip(loop.joints, loop.ways, strict=True), key=lambda j: j[1].kind != Kind.HINGE)
    found = ((joint.I, ways.turn[0]) for joint, ways in joints if ways.turn is not None)
    hinge = next(found, None)
    if hinge is None:
        raise ModelError(f"nothing says in which plane {loop} moves: it has no hinge.")
    return hinge


def _require_parallel(layout: Layout, motion: Motion, loop: Transfer) -> None:
    """Refuse a loop whose hinges are not parallel or whose slides are not square to them."""
    if loop.plane or not len(motion):
        return
    pairs = list(zip(loop.joints, loop.ways, strict=True))
    hinges = [(j.I, ways.turn[0]) for j, ways in pairs if ways.turn and not ways.slide]
    slides = [(j.I, ways.slide[0]) for j, ways in pairs if ways.slide]
    markers, which = zip(*hinges, *slides, strict=True)

    def formula(X: list[Pose]) -> list[Any]:
        axes = [x.axis(axis) for x, axis in zip(X, which, strict=True)]
        leaning = [axes[0].cross(axis).square for axis in axes[1 : len(hinges)]]
        return [0.0, *leaning, *((axes[0] @ axis) ** 2 for axis in axes[len(hinges) :])]

    squares, _, _ = observe(layout, motion, list(markers), formula)
    if squares[0].max() > PARALLEL**2:
        raise ModelError(
            f"the loop {loop} does not move in a plane: its hinges are not parallel, and a"
            " transmission angle says nothing about it. Look at the condition instead."
        )
