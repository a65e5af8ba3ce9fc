"""A bead on a bent wire."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import xy
from kempe.gallery.sketch_of_masses import DOWN, bob, let_go
from kempe.geometry.curves import BSpline
from kempe.geometry.number import positive
from kempe.joints import PointOnCurve

# Of the size: a hill, a dip, a loop and the way back under it all.
BENDS = (
    *((0.0, 1.35), (0.35, 1.25), (0.7, 0.35), (1.3, 0.02), (1.95, 0.02), (2.35, 0.45)),
    *((2.1, 0.85), (1.7, 0.75), (1.6, 0.35), (2.0, 0.0), (2.6, -0.02), (3.1, 0.3), (3.4, 0.9)),
    *((3.2, 1.2), (2.95, 0.7), (2.6, -0.3), (1.8, -0.45), (0.7, -0.4), (-0.3, -0.2), (-0.4, 0.8)),
)
BEAD = 0.035  # radius in pictures, of the size


@let_go(6.0, "bead.P")
def bead_on_wire(*, size: float = 1.0, mass: float = 0.1, push: float = 0.5) -> Mechanism:
    """A bead that slides along a closed wire without friction: over a hill, through a loop.

    It starts on top of the hill, `push` (m/s) fast, and comes back there as fast as it left.

    Own.

    Examples:
        >>> import kempe
        >>> ride = kempe.gallery.bead_on_wire().simulate(until=3.0)
        >>> bool(abs(ride.energy.mechanical - ride.energy.mechanical[0]).max() < 1e-6)
        True
    """
    positive(size, "bead_on_wire: size")
    m = Builder("bead on a wire", plane=True, gravity=DOWN)
    wire = BSpline(tuple((size * x, size * y) for x, y in BENDS), closed=True)
    places = np.linspace(wire.domain.low, wire.domain.high, 401)
    top = float(places[int(np.argmax(wire(places)[:, 1]))])
    start, way = wire(top), wire(top, 1)
    speed = push / math.hypot(float(way[0]), float(way[1]))
    at, velocity = xy(complex(*start[:2])), xy(complex(*(speed * way[:2])))
    mass = positive(mass, "bead_on_wire: mass", "kg")
    bead = bob(m, BEAD * size, mass, at, name="bead", velocity=velocity)
    m.add(PointOnCurve(m.ground.at(0, 0), bead.P, curve=wire), "wire")
    return m.build()
