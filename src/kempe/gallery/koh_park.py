"""Koh & Park's double pendulum."""

import numpy as np

from kempe.forces import SpringDamper
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import Inertia, Z
from kempe.joints import Spherical
from kempe.measures import Turn

ACROSS = 8.33e-2  # of m l^2: the paper's figure for 1/12
RADIUS = 0.01  # m
ACROSS_THE_PLANE = (0.0, -1.0, 0.0)


@let_go(1.8, "bar.cm", "bar2.cm")
def koh_park_pendulum(
    *, length: float = 1.0, mass: float = 1.0, stiffness: float = 10.0, spin: float = 10.0
) -> Mechanism:
    """Two slender bars on ball joints that whip about, a torsion spring at the upper one.

    Both hang and swing like one body at `spin` (rad/s); the spring (N m/rad) winds up beyond half a
    turn. The first example of a program that was built from objects, statement by statement; its Y
    is z here and its Z is -y, so that up is up.

    Source: [KohPark] fig. 10 and 11.

    Examples:
        >>> import kempe
        >>> whip = kempe.gallery.koh_park_pendulum().simulate(until=1.8)
        >>> print(f"{whip['torSpr.angle'].values.max():.3f} rad")
        4.871 rad
    """
    m = Builder("Koh & Park's double pendulum", gravity=(0.0, 0.0, -G))
    across, along = ACROSS * mass * length * length, 0.5 * mass * RADIUS * RADIUS
    half = 0.5 * length
    points = {"cm": (0.0, 0.0, 0.0), "top": (0.0, 0.0, half), "end": (0.0, 0.0, -half)}
    bars = [
        m.body(
            name,
            points=points,
            outline=("top", "end"),
            at=(0.0, 0.0, -middle * length),
            inertia=Inertia(mass, np.zeros(3), np.diag([across, across, along])),
            velocity=(middle * length * spin, 0.0, 0.0),
            spin=(0.0, -spin, 0.0),
        )
        for name, middle in (("bar", 0.5), ("bar2", 1.5))
    ]
    ceiling = m.ground.at(0, 0, 0)
    m.add(Spherical(ceiling, bars[0].top), "balljoint")
    m.add(Spherical(bars[0].end, bars[1].top), "ball2joint")
    ends = (ceiling.facing(ACROSS_THE_PLANE), bars[0].top.facing(ACROSS_THE_PLANE))
    turn = m.gauge("torSpr.angle", Turn(Z), *ends)
    m.force(SpringDamper(turn, stiffness=stiffness), "torSpr")
    return m.build()
