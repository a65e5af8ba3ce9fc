"""Rings of six atoms: bonds of one length at one angle, each a hinge."""

import math

from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, swing
from kempe.gallery.sketch_in_space import Y_AXIS, in_place, marker, placed, shifted, turned
from kempe.geometry import GROUND, Pose, Rotation

ATOMS = 6
TETRAHEDRAL = math.acos(-1.0 / 3.0)


@entry
def cyclohexane(
    *,
    bond: float = 1.0,
    angle: float = TETRAHEDRAL,
    boat: bool = True,
    amplitude: float = math.radians(20.0),
) -> Mechanism:
    """The ring of six carbon atoms: stiff as a chair, and movable as a boat.

    Neighbours are `bond` (m) apart, and two bonds of an atom make `angle` (rad). Atoms are bodies
    with their two bonds; each bond is a hinge whose angle is its torsion. As a boat, torsions 0, t,
    -t, 0, t, -t with cos t = -cos(angle) / (1 + cos(angle)), the ring moves with one freedom though
    its count is none: boats go over into twists and on into other boats. As a chair, torsions t and
    -t in turn, it is stiff. Bond 1 of a boat swings by `amplitude` (rad), once per second.

    Source: [Sachse]; the hinges are those of [Bricard].

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.cyclohexane().kinematics(until=1.0)
        >>> turn.outcome.name, len(turn.redundant)
        ('Done', 1)
        >>> print(kempe.gallery.cyclohexane(boat=False).check())
        cyclohexane: DOF 0 - nothing redundant.
    """
    cosine = -math.cos(angle) / (1.0 + math.cos(angle)) if math.isfinite(angle) else angle
    if not abs(cosine) <= 1.0:
        raise BadNumber(
            f"cyclohexane: bonds at an angle of {math.degrees(angle):.6g} deg close no ring of six:"
            " more than 90 and less than 120 deg do."
        )
    t = math.acos(cosine)
    torsions = (0.0, t, -t, 0.0, t, -t) if boat else (t, -t) * 3
    m = Builder("cyclohexane")
    bent = in_place(Rotation.about(Y_AXIS, angle - math.pi))  # of the bond before, in an atom
    here, before = Pose.identity(), marker(GROUND, shifted(0.0, 0.0, bond))
    bonds = []
    for k in range(1, ATOMS):
        here = here @ shifted(0.0, 0.0, bond) @ turned(torsions[k - 1]) @ bent.inverse()
        back = (bond * math.sin(angle), 0.0, bond * math.cos(angle))
        points = {"last": back, "C": (0.0, 0.0, 0.0), "next": (0.0, 0.0, bond)}
        body = placed(m, f"atom{k}", here, points)
        bonds.append(m.revolute(before, marker(body.name, bent), name=f"bond{k}"))
        before = marker(body.name, shifted(0.0, 0.0, bond))
    m.revolute(before, marker(GROUND, bent), name=f"bond{ATOMS}")
    if boat:
        swing(m, bonds[0].angle, 0.0, amplitude)
    return m.build()
