"""Sheets that fold along creases: faces that stay flat, and a hinge along each crease."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import Y_AXIS, in_place, marker, placed, triple, turned
from kempe.geometry import GROUND, Pose, Rotation

FACES = ("left", "far_left", "far_right")


@entry
def miura_vertex(
    *,
    sector: float = math.radians(60.0),
    side: float = 0.1,
    start: float = math.radians(50.0),
    amplitude: float = math.radians(30.0),
) -> Mechanism:
    """Four parallelograms of paper about one corner: the fold that maps and solar sails have.

    The creases meet at angles of `sector`, `sector` and twice their supplement (rad); the faces
    have sides of that length (m). A fold is 0 where the paper is flat, and folds 1 and 3 lie on one
    line there. Either tan(fold0 / 2) = -tan(fold1 / 2) / cos(sector), fold2 = fold0 and
    fold3 = -fold1, or the paper is folded along one line alone; these ways meet where it lies flat.
    Fold 1 swings by `amplitude` about `start`, once per second.

    Source: [Miura]; the relation of the folds: [Chiang], of four axes that meet in one point.

    Examples:
        >>> import kempe
        >>> found = kempe.gallery.miura_vertex().motions(limits={"fold1.angle": (0.1, 3.0)})
        >>> print(found)
        Miura vertex: 2 arcs - complete.
    """
    if not 0.0 < sector < 0.5 * math.pi:
        raise BadNumber(
            f"miura_vertex: a sector of {math.degrees(sector):.6g} deg makes no such corner: more"
            " than 0 and less than 90 deg do."
        )
    m = Builder("Miura vertex")
    arcs = (sector, sector, math.pi - sector, math.pi - sector)
    other = 2.0 * math.atan2(-math.tan(0.5 * start), math.cos(sector))
    here, before = Pose.identity(), marker(GROUND, _beyond(arcs[0]))
    hinges = []
    for k, (name, fold) in enumerate(zip(FACES, (start, other, -start), strict=True), start=1):
        here = here @ _beyond(arcs[k - 1]) @ turned(fold)
        tip = _beyond(arcs[k]).rotation.z * side
        corner = triple(tip)
        far = (corner[0], corner[1], corner[2] + side)
        points = {"O": (0.0, 0.0, 0.0), "start": (0.0, 0.0, side), "far": far, "end": corner}
        body = placed(m, name, here, points)
        hinges.append(m.revolute(before, body.O, name=f"fold{k}"))
        before = marker(name, _beyond(arcs[k]))
    m.revolute(before, m.ground.at(0, 0, 0), name="fold0")
    swing(m, hinges[0].angle, start, amplitude)
    return m.build()


def _beyond(arc: float) -> Pose:
    """From one crease of a face to its next, at an angle of `arc`; each lies along z."""
    return in_place(Rotation.about(Y_AXIS, arc))
