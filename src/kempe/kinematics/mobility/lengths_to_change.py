"""Which length to change where parts are stretched, so that what shakes moves, or holds.

Links pulled straight, or a rod at its full length, hold by the last bit of their lengths: at first
order they let go. Every change is tried before it is proposed: with it, what moves at first order
really moves, and not less of it than before.
"""

import itertools
from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import KempeError
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint
from kempe.kinematics.mobility.finite_motion import (
    PartFreedom,
    part_freedoms,
    part_layout,
    released_at,
)
from kempe.model import Model

FloatArray = NDArray[np.float64]

SHARES = (0.01, -0.01)  # of a length, by which it is changed
MOST_TRIALS = 24
MOST_BODIES = 12  # of a part that is asked for: each trial moves all of them
SHAKEN = 0.02  # rad, and share of the machine's size: a saddle is left before it is closed again


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
