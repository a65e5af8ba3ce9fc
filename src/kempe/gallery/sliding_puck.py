"""A puck on a tilted table: friction is a vector."""

import math

from kempe.forces import JointFriction
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import Rotation
from kempe.geometry.solids import Cylinder
from kempe.joints import Planar


@let_go(2.5, "puck.P")
def sliding_puck(
    *,
    tilt: float = math.radians(12.0),
    friction: float = 0.3,
    radius: float = 0.06,
    mass: float = 0.5,
    speed: float = 2.0,
    spin: float = 20.0,
) -> Mechanism:
    """A puck thrown across a tilted table, spinning: it turns downhill while it slows, and stops.

    Friction mu N acts against the slip, a vector: while the puck moves across, only a small part of
    it points up the slope, and the puck slides down however small the slope is. Spin takes part of
    friction too. Slip and spin end together, and it stays there since tan(tilt) < mu.

    Own: sizes. The spin acts on a ring of 2/3 of the radius, as of a disc with even pressure.

    Examples:
        >>> import kempe
        >>> slide = kempe.gallery.sliding_puck().simulate(until=2.5)
        >>> [event.kind for event in slide.events]
        ['stick']
        >>> bool(slide["puck.P.z"].values[-1] < -0.05)
        True
    """
    m = Builder("sliding puck", gravity=(0, 0, -G))
    lean = Rotation.about((1.0, 0.0, 0.0), -tilt)
    across = (1.0, 0.0, 0.0)
    normal = tuple(float(x) for x in lean.z)
    body = Cylinder(radius, 0.4 * radius).inertia(mass=mass)
    rim = {
        name: (radius * math.cos(a), radius * math.sin(a), 0.0)
        for name, a in (("A", 0.0), ("B", math.tau / 3), ("C", 2 * math.tau / 3))
    }
    puck = m.body(
        "puck",
        points={"P": (0.0, 0.0, 0.0), **rim},
        outline=tuple(rim),
        at=(0, 0, 0),
        rotation=lean,
        inertia=body,
        velocity=tuple(speed * x for x in across),
        spin=tuple(spin * x for x in normal),
    )
    table = m.add(Planar(m.ground.at(0, 0, 0).facing(normal), puck.P), "table")
    m.force(JointFriction(table.x, friction, radius=2 * radius / 3, surface="plane"), "rub")
    return m.build()
