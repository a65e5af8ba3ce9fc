"""Bodies that are rods: a ball at one end, a ball or a cross at the other.

Such a body keeps two points apart, and that is all it says. With two balls it can spin about its
line; with a cross it stands in one of two ways, half a turn about the line apart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.constraints import Perpendicular
from kempe.geometry import GROUND, Marker
from kempe.motion.equations.orientations import square_to
from kempe.motion.equations.rigid_parts import RigidParts
from kempe.motion.equations.spatial_joints import HERE, Frame, SpatialJoint

FloatArray = NDArray[np.float64]

SQUARE = 1e-9  # cosine of an arm of a cross that is square to its leg


@final
@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """A part that is a rod: its ends on other bodies, and how it is shown.

    `axes` are, in the part, the direction of the rod, one square to it, and their product. With a
    cross the second is its arm, square to the vector `crossed` (body, axis): `sign` times
    crossed x rod. With two balls the second is shown as near to `shown` (in the world) as it gets.
    """

    name: str
    part: str
    joints: tuple[SpatialJoint, SpatialJoint]
    ends: tuple[tuple[str, FloatArray], tuple[str, FloatArray]]  # body and point, on others
    start: FloatArray  # of the rod, in the part
    axes: FloatArray  # (3, 3), by columns
    length: float
    shown: FloatArray
    crossed: tuple[str, FloatArray] | None = None
    sign: float = 1.0


Guesses = Mapping[str, Frame]


def legs_of(
    rigid: RigidParts, joints: Sequence[SpatialJoint], busy: Iterable[str], guesses: Guesses
) -> list[Leg]:
    """All legs, but parts that are held by other means; `guesses` are where bodies were put."""
    at: dict[str, list[SpatialJoint]] = {}
    for joint in joints:
        for body in joint.bodies:
            at.setdefault(rigid.part(body)[0], []).append(joint)
    found: list[Leg] = []
    for part, own in at.items():
        taken = {leg.part for leg in found}
        others = {rigid.part(b)[0] for j in own for b in j.bodies} - {part}
        if part in (GROUND, *busy) or len(own) != 2 or others & taken or not others:
            continue
        if not rigid.is_turned_alone(part):
            continue
        leg = _leg(rigid, part, own, guesses)
        if leg is not None:
            found.append(leg)
    return found


def _leg(rigid: RigidParts, part: str, own: Sequence[SpatialJoint], guesses: Guesses) -> Leg | None:
    first, second = sorted(own, key=lambda j: not j.rest)  # the cross first
    is_plain = all(j.place == "point" and j.turn == "free" and not j.sides for j in own)
    if not is_plain or second.rest or len(first.rest) > 1:
        return None
    near, far = (_end(rigid, part, j) for j in (first, second))
    length = float(np.linalg.norm(far.mine - near.mine))
    if not length > 0.0:
        return None
    d = (far.mine - near.mine) / length
    leg = Leg(
        name=part,
        part=part,
        joints=(first, second),
        ends=((near.body, near.there), (far.body, far.there)),
        start=near.mine,
        axes=np.column_stack([d, *square_to(d)]),
        length=length,
        shown=guesses.get(part, HERE).R @ square_to(d)[0],
    )
    return _crossed(rigid, leg, near, guesses) if first.rest else leg


def _crossed(rigid: RigidParts, leg: Leg, near: "_End", guesses: Guesses) -> Leg | None:
    """The leg with the cross at its near end; None where an arm of that is not square to it."""
    (row,) = leg.joints[0].rest
    if not isinstance(row, Perpendicular):
        return None
    mine, other = (row.a, row.b) if near.is_first else (row.b, row.a)
    _, X = rigid.part(near.own.body)
    n = X.R @ np.array(near.own.rotation.axis(mine), dtype=np.float64)
    d = leg.axes[:, 0]
    if abs(n @ d) > SQUARE:
        return None
    v = np.array(near.other.rotation.axis(other), dtype=np.float64)
    as_put = [guesses.get(body, HERE).R for body in (near.body, leg.part)]
    sign = float(np.cross(as_put[0] @ v, as_put[1] @ d) @ (as_put[1] @ n))
    return replace(
        leg,
        axes=np.column_stack([d, n, np.cross(d, n)]),
        crossed=(near.body, v),
        sign=-1.0 if sign < 0.0 else 1.0,
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class _End:
    """One end of a leg: its marker, the other body's, and where both are."""

    own: Marker
    other: Marker
    is_first: bool  # whether the leg's marker is the joint's first
    mine: FloatArray  # in the leg's part

    @property
    def body(self) -> str:
        """The body at this end."""
        return self.other.body

    @property
    def there(self) -> FloatArray:
        """The end in that body."""
        return np.array(self.other.position, dtype=np.float64)


def _end(rigid: RigidParts, part: str, joint: SpatialJoint) -> _End:
    is_first = rigid.part(joint.I.body)[0] == part
    own, other = (joint.I, joint.J) if is_first else (joint.J, joint.I)
    _, X = rigid.part(own.body)
    return _End(own, other, is_first, X.p + X.R @ np.array(own.position, dtype=np.float64))
