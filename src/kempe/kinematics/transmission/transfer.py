"""How motion is handed on: from input to output of a loop, at which angle, at which ratio."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.geometry import GROUND, Axis, Marker, Pose
from kempe.joints import AbstractJoint, Kind, Ways
from kempe.kinematics.observe.observation import observe, observe_gauge
from kempe.kinematics.observe.relative_motion import AT_REST
from kempe.measures import Gauge
from kempe.model import Model
from kempe.results import Motion

FloatArray = NDArray[np.float64]
Hold = tuple[Marker, Axis | None]  # with the axis along which it slides

# Hinges whose axes differ by more (rad) belong to no planar loop.
PARALLEL = 1e-6


@final
@dataclass(frozen=True, slots=True)
class Transfer:
    """An input and an output held by the same base, with a coupler, a rod or a slot between them.

    A coupler is a body with two joints; a rod, or a pin in a slot, is one joint.
    """

    base: str
    input: str
    output: str
    coupler: str | None
    joints: tuple[AbstractJoint, ...]  # from the base through input and output back to the base
    plane: bool  # whether all this moves in the plane

    @property
    def ways(self) -> tuple[Ways, ...]:
        """What each of the joints leaves free."""
        return tuple(joint.ways(plane=self.plane) for joint in self.joints)

    def __str__(self) -> str:
        parts = (self.base, self.input, self.coupler or self.joints[1].name, self.output)
        return " - ".join(parts)


def transfer(
    model: Model, input: str | None = None, output: str | None = None, base: str | None = None
) -> Transfer:
    """The one loop of hinges and sliders that leads from the input to the output.

    Without an input it is the driven body; without an output there must be one choice only.
    """
    known = {GROUND, *(body.name for body in model.bodies)}
    for name in (input, output, base):
        if name is not None and name not in known:
            raise UnknownName(f"there is no body {name!r}.{nearest_name(name, known)}", name=name)
    if input is None:
        input, driven_from = _driven(model)
        base = base or driven_from
    bases = [base] if base is not None else sorted(known, key=lambda name: name != GROUND)
    for place in bases:
        found = [t for t in _transfers(model, place, input) if output in (None, t.output)]
        if len(found) == 1:
            return found[0]
        if found:
            choices = ", ".join(f"{str(t)!r}" for t in found)
            raise ModelError(
                f"there are {len(found)} loops that take the motion of {input!r} on: {choices}."
                " Say which by the name of its output.",
                outputs=tuple(t.output for t in found),
            )
    goal = f"to {output!r}" if output else "on"
    raise ModelError(
        f"no loop of four hinges or sliders hands the motion of {input!r} {goal}: name the input"
        " and the output of one, both joined to the same base.",
        input=input,
    )


def _driven(model: Model) -> tuple[str, str]:
    """The body the first drive moves, and the one it moves it against."""
    if not model.drives:
        raise ModelError(f"{model.name!r} has no drive: name the input body.")
    gauge = model.drives[0].gauge
    pair = (gauge.J.body, gauge.I.body)
    return (pair[1], pair[0]) if pair[0] == GROUND else pair


def _transfers(model: Model, base: str, input: str) -> Iterator[Transfer]:
    kinds = [joint.ways(plane=model.plane).kind for joint in model.joints]
    pairs = list(zip(model.joints, kinds, strict=True))
    simple = [joint for joint, kind in pairs if kind in (Kind.HINGE, Kind.SLIDER)]
    direct = [joint for joint, kind in pairs if kind in (Kind.ROD, Kind.SLOT)]
    for first, _ in _across(simple, base, input):
        for link, output in _across(direct, input):
            for last, _ in _across(simple, output, base):
                yield Transfer(base, input, output, None, (first, link, last), model.plane)
        for second, coupler in _across(simple, input):
            if coupler == base:
                continue
            for third, output in _across(simple, coupler):
                if output in (base, input):
                    continue
                for last, _ in _across(simple, output, base):
                    joints = (first, second, third, last)
                    yield Transfer(base, input, output, coupler, joints, model.plane)


def _across(
    joints: Sequence[AbstractJoint], here: str, there: str | None = None
) -> Iterator[tuple[AbstractJoint, str]]:
    """Joints of a body, each with the body on its other side."""
    for joint in joints:
        for a, b in ((joint.I, joint.J), (joint.J, joint.I)):
            if a.body == here and there in (None, b.body):
                yield joint, b.body


def marker_on(joint: AbstractJoint, body: str) -> Marker:
    """The joint's marker that rides on the body."""
    return joint.I if joint.I.body == body else joint.J


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


def velocity_ratio(layout: Layout, motion: Motion, output: Gauge, input: Gauge) -> FloatArray:
    """d output / d input (n,), in the output's unit per unit of the input.

    i = s_out' / s_in'

    Infinite where the input has come to an end of its range and the output moves on. Where both
    stand still it is the ratio of their accelerations, which is its limit; NaN where that says
    nothing either.
    """
    _, out, out_rate = observe_gauge(layout, motion, output)
    _, into, into_rate = observe_gauge(layout, motion, input)
    out_rests, into_rests = _rests(out), _rests(into)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(out_rests & into_rests, out_rate / into_rate, out / into)
    ratio[into_rests & ~out_rests] = np.inf
    return ratio


def _rests(rate: FloatArray) -> NDArray[np.bool_]:
    """Where a rate is nought, beside what it usually is."""
    size = np.abs(rate)
    rests: NDArray[np.bool_] = size <= AT_REST * (np.median(size) if len(size) else 0.0)
    return rests


def mechanical_advantage(layout: Layout, motion: Motion, output: Gauge, input: Gauge) -> FloatArray:
    """F_out / F_in (n,) of a mechanism that neither stores nor loses power.

    F_out s_out' = F_in s_in',  so  F_out / F_in = s_in' / s_out'

    F is the force along a length or the torque along an angle. It is infinite in a toggle
    position, where the output has come to an end of its range.
    """
    return velocity_ratio(layout, motion, input, output)
