"""Bricard's mechanism under gravity."""

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_in_space import triple
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import Inertia
from kempe.joints import Revolute

THICK = 0.1  # of a rod, in lengths
CORNERS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = "yzxyzx"


@let_go(10.0, "rod3.P")
def falling_bricard(*, link: float = 1.0, mass: float = 1.0) -> Mechanism:
    """Five equal rods along the edges of a cube, hinged in a loop, that fall and rise for ever.

    By count it could not move at all; of its thirty rows one says nothing new, whatever the
    position, so it moves with one freedom. Square rods a tenth as thick as they are long.

    Source: [IFToMM] A04; [Bricard].

    Examples:
        >>> import kempe
        >>> fall = kempe.gallery.falling_bricard().simulate(until=10.0)
        >>> fall.outcome.name, len(fall.redundant)
        ('Done', 1)
    """
    m = Builder("Bricard's mechanism", gravity=(0, -G, 0))
    corners = link * np.array(CORNERS, dtype=np.float64)
    rods = []
    for k in range(5):
        way = corners[k + 1] - corners[k]
        thin = (THICK * link) ** 2
        across = np.where(np.abs(way) > 0.0, thin + thin, thin + link**2)
        points = {"start": (0.0, 0.0, 0.0), "P" if k == 2 else "end": triple(way)}
        rods.append(
            m.body(
                f"rod{k + 1}",
                points=points,
                outline=tuple(points),
                at=triple(corners[k]),
                inertia=Inertia(mass, way / 2.0, np.diag(mass * across / 12.0)),
            )
        )
    for k, axis in enumerate(AXES):
        z = tuple(float(axis == letter) for letter in "xyz")
        before = rods[k - 1].at(*triple(corners[k] - corners[k - 1])) if k else m.ground.at(0, 0, 0)
        after = rods[k].start if k < 5 else m.ground.at(*triple(corners[5]))
        m.add(Revolute(before.facing(z), after.facing(z)), f"hinge{k + 1}")
    return m.build()
