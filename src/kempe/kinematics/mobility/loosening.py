"""What to loosen or to change a little: joints that hold more than they need, lengths that shake.

Links pulled straight, or a rod at its full length, hold by the last bit of their lengths: at first
order they let go. Every change is tried before it is proposed: with it, what moves at first order
really moves, and not less of it than before.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.native import core
from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.equations import equations_of
from kempe.equations.rank import REDUNDANT
from kempe.errors import KempeError
from kempe.geometry import GROUND, Axis, Marker, Rotation, X, Y, Z
from kempe.joints import (
    AbstractJoint,
    Cylindrical,
    Kind,
    PinInSlot,
    PointOnLine,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from kempe.kinematics.closing.closing import DENSE
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.mobility.finite_motion import (
    PartFreedom,
    part_freedoms,
    part_layout,
    released_at,
)
from kempe.model import Model
from kempe.results import Looser

FloatArray = NDArray[np.float64]
Freedom = tuple[str, Axis]  # "turn" about or "slide" along an axis of marker J
# A looser joint, what it leaves free besides, and the axis of J that a cross turns about too, or
# that a slot runs along.
Choice = tuple[type, tuple[Freedom, ...]] | tuple[type, tuple[Freedom, ...], str]

TURN_X, TURN_Y, TURN_Z = ("turn", X), ("turn", Y), ("turn", Z)
SLIDE_X, SLIDE_Y, SLIDE_Z = ("slide", X), ("slide", Y), ("slide", Z)
# What a joint is -> looser ones and the freedoms they have beside its own, most of them first.
IN_SPACE: dict[Kind | None, tuple[Choice, ...]] = {
    Kind.HINGE: (
        (PointOnLine, (TURN_X, TURN_Y, SLIDE_Z)),
        (Spherical, (TURN_X, TURN_Y)),
        (Cylindrical, (SLIDE_Z,)),
        (Universal, (TURN_X,), "x"),
        (Universal, (TURN_Y,), "y"),
    ),
    Kind.SLIDER: ((PointOnLine, (TURN_X, TURN_Y, TURN_Z)), (Cylindrical, (TURN_Z,))),
    Kind.SLEEVE: ((PointOnLine, (TURN_X, TURN_Y)),),
    Kind.BALL: ((PointOnLine, (SLIDE_Z,)),),
    Kind.WELD: (
        (Spherical, (TURN_X, TURN_Y, TURN_Z)),
        (Revolute, (TURN_Z,)),
        (Prismatic, (SLIDE_Z,)),
    ),
}
IN_THE_PLANE: dict[Kind | None, tuple[Choice, ...]] = {
    Kind.HINGE: ((PinInSlot, (SLIDE_X,), "x"), (PinInSlot, (SLIDE_Y,), "y")),
    Kind.SLIDER: ((PinInSlot, (TURN_Z,)),),
    Kind.WELD: ((Revolute, (TURN_Z,)),),
}
WORDS_OF = (PinInSlot, PointOnLine, Spherical, Cylindrical, Universal, Revolute, Prismatic)

SHARES = (0.01, -0.01)  # of a length, by which it is changed
MOST_TRIALS = 24
MOST_BODIES = 12  # of a part that is asked for: each trial moves all of them
SHAKEN = 0.02  # rad, and share of the machine's size: a saddle is left before it is closed again


def looser_joints(
    layout: Layout,
    q: FloatArray,
    J: FloatArray,
    rows: Sequence[int],
    excess: int,
    t: float,
    mobility: int,
) -> tuple[Looser, ...]:
    """Joints to loosen until no row is redundant; `rows` are the elements that rows of J belong to.

    A new freedom s of a joint is harmless where its column J_J s is no combination of the columns
    of J: then the mechanism does not move by it at first order. Each is tried before it is told:
    with it the mechanism has the freedoms it had, and fewer redundant rows. Own.
    """
    found: list[Looser] = []
    element = np.array(rows)
    held, rank = J, _rank(J)
    gauges = [drive.gauge for drive in layout.model.drives]
    driven = {j.name for g in gauges for j in layout.model.joints if g.I is j.I and g.J is j.J}
    joints = sorted(enumerate(layout.model.joints), key=lambda pair: pair[1].name in driven)
    if layout.n_v > DENSE:
        return ()
    model, refused = layout.model, set[tuple[str, str, str]]()
    while excess > 0:
        best = None
        for k, joint in joints:
            if joint.name in (looser.joint for looser in found):
                continue
            for into, freedoms, *crosses in _choices(joint, layout.model.plane):
                if len(freedoms) > excess or (best is not None and len(freedoms) <= best[0].rows):
                    continue
                names = (type(joint).__name__, into.__name__)
                cross = "".join(crosses)
                if (joint.name, into.__name__, cross) in refused:
                    continue
                new = [_column(layout, q, J, element == k, (joint.J, joint.I), f) for f in freedoms]
                wider = np.column_stack([held, *(c / max(size, 1e-300) for c, size in new)])
                if _rank(wider) == rank + len(freedoms):
                    best = Looser(joint.name, *names, len(freedoms), cross), wider
        if best is None:
            break
        trial = _loosened(model, best[0])
        if not _moves_alike(trial, q, t, mobility, excess - best[0].rows):
            refused.add((best[0].joint, best[0].into, best[0].cross))
            continue
        found.append(best[0])
        model = trial
        held, rank, excess = best[1], rank + best[0].rows, excess - best[0].rows
    return tuple(found)


def _choices(joint: AbstractJoint, plane: bool) -> tuple[Choice, ...]:
    """Looser joints that could stand at a joint's markers as these lie."""
    ways = joint.ways(plane=plane)
    if not (ways.has_z or ways.kind is Kind.BALL or (ways.kind is Kind.WELD and ways.is_level)):
        return ()
    return (IN_THE_PLANE if plane else IN_SPACE).get(ways.kind, ())


def _loosened(model: Model, looser: Looser) -> Model:
    """The model with one joint made looser."""
    old = model.joint(looser.joint)
    kind = next(k for k in WORDS_OF if k.__name__ == looser.into)
    I, J = old.I, old.J
    if model.plane and looser.cross:  # a slot is cut into the body of the hinge's second marker
        along = J.rotation.axis(X if looser.cross == "x" else Y)
        I, J = J.facing((along.x, along.y)), I
    elif model.plane and old.ways(plane=True).kind is Kind.SLIDER:  # its guide becomes the slot
        along = I.rotation.axis(Z)
        I, J = I.facing((along.x, along.y)), replace(J, rotation=Rotation.identity())
    elif looser.cross:  # a universal joint turns about z of marker J, which was square to it
        axis, angle = ((0.0, 1.0, 0.0), 0.5 * math.pi)
        if looser.cross == "y":
            axis, angle = ((1.0, 0.0, 0.0), -0.5 * math.pi)
        J = replace(J, rotation=J.rotation @ Rotation.about(axis, angle))
    new = kind(I, J, name=old.name)
    joints = tuple(new if joint is old else joint for joint in model.joints)
    return replace(model, joints=joints, drives=())


def _moves_alike(model: Model, q: FloatArray, t: float, mobility: int, excess: int) -> bool:
    """Whether a loosened mechanism has these freedoms and so many redundant rows."""
    layout = Layout(model)
    try:
        parts = part_freedoms(layout, q, t)
    except KempeError:
        return False
    rows = len(equations_of(layout).program.shape.rows)
    left = rows - (layout.n_v - mobility)
    return sum(part.mobility for part in parts) == mobility and left == excess


def _rank(A: FloatArray) -> int:
    return len(core.rank_revealing_rows(np.ascontiguousarray(A), REDUNDANT).independent)


def turn_column(
    layout: Layout,
    q: FloatArray,
    J: FloatArray,
    mine: NDArray[np.bool_],
    joint: AbstractJoint,
    body: str,
    axis: Axis,
) -> FloatArray:
    """dphi/dx of the joint's rows, x (rad) the turn of its marker on a body about an own axis."""
    on = joint.J if body == joint.J.body else joint.I
    other = joint.I if body == joint.J.body else joint.J
    way = -1.0 if body == GROUND else 1.0  # then its other body turns the other way
    return way * _column(layout, q, J, mine, (on, other), ("turn", axis))[0]


def _column(
    layout: Layout,
    q: FloatArray,
    J: FloatArray,
    mine: NDArray[np.bool_],
    markers: tuple[Marker, Marker],
    freedom: Freedom,
) -> tuple[FloatArray, float]:
    """What a joint's rows see when the body of its first marker moves by a new freedom of that one.

    Where that is the ground the body of its other marker moves. Also how large that displacement
    is, in rad and sizes of the machine.
    """
    kind, axis = freedom
    marker, other = markers
    far = marker.body if marker.body != GROUND else other.body
    X_WJ = body_pose(layout, q, marker.body) @ marker.pose
    X_WB = body_pose(layout, q, far)
    e = np.array(list(X_WJ.axis(axis)), dtype=float)
    v, w = e, np.zeros(3)
    if kind == "turn":
        arm = np.array(list(X_WB.position - X_WJ.position), dtype=float)
        v, w = np.cross(e, arm), e
    if layout.model.plane:
        d = np.array([v[0], v[1], w[2]])
    else:
        d = np.concatenate([v, X_WB.rotation.matrix().T @ w])
    assert layout.body_index[far] != GROUND_INDEX
    columns = layout.coordinates.v_of(layout.body_index[far])
    seen = J[:, columns] @ (layout.step_weights[columns] * d)
    size = float(np.linalg.norm(layout.step_weights[columns] * d))
    return np.where(mine, seen, 0.0), size


def lengths_to_change(layout: Layout, part: PartFreedom, q: FloatArray, t: float) -> str:
    """What to change to be rid of the shaking, in words; "" where nothing that was tried helps."""
    if (part.mobility and not part.is_shaky) or len(part.bodies) > MOST_BODIES:
        return ""
    mine, start = part_layout(layout, part.bodies, q)
    for trial, (words, model) in enumerate(_changed(mine.model)):
        if trial == MOST_TRIALS:
            break
        if _is_better(Layout(model), start, t, part):
            return words
    return ""


def _is_better(layout: Layout, q: FloatArray, t: float, before: PartFreedom) -> bool:
    d = np.random.default_rng(1876).uniform(-SHAKEN, SHAKEN, layout.n_v)
    try:
        shaken = equations_of(layout).program.retract(q, d / layout.step_weights)
        free = released_at(layout, shaken, t)
        (after,) = part_freedoms(layout, free.start.q, t)
    except (KempeError, ValueError):
        return False
    return not after.is_singular and after.mobility >= max(1, before.mobility)


def _changed(model: Model) -> Iterator[tuple[str, Model]]:
    """Models with one length changed by a little, each with what was done."""
    for share in SHARES:
        more = "longer" if share > 0.0 else "shorter"
        apart = "further apart" if share > 0.0 else "nearer to each other"
        for k, joint in enumerate(model.joints):
            if "length" in {f.name for f in fields(joint)}:
                length = joint.length * (1.0 + share)  # type: ignore[attr-defined]
                changed: AbstractJoint = replace(joint, length=length)  # type: ignore[call-arg]
                yield f"make {joint.name!r} {abs(share):.0%} {more}", with_joint(model, k, changed)
        for body in (*(b.name for b in model.moving), GROUND):
            ends = [(k, m) for k, j in enumerate(model.joints) for m in j.markers if m.body == body]
            for (a, first), (b, second) in itertools.pairwise(ends):
                if a == b or first.position == second.position:
                    continue
                names = " and ".join(repr(model.joints[k].name) for k in (a, b))
                words = f"on {body!r} put {names} {abs(share):.0%} {apart}"
                moved = _moved(model.joints[b], first, second, share)
                yield words, with_joint(model, b, moved)


def _moved(joint: AbstractJoint, start: Marker, end: Marker, share: float) -> AbstractJoint:
    """The joint with a marker moved away from another by a share of their distance."""
    x, y, z = (b + share * (b - a) for a, b in zip(start.position, end.position, strict=True))
    return joint.moved(lambda m: replace(m, position=(x, y, z)) if m == end else m)


def with_joint(model: Model, number: int, joint: AbstractJoint) -> Model:
    """The model with another joint in place of one of its own."""
    joints = tuple(joint if k == number else j for k, j in enumerate(model.joints))
    return replace(model, joints=joints)
