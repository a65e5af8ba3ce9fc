"""A slider-crank whose rod bends."""

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import count
from kempe.gallery.sketch_of_masses import let_go, slender
from kempe.geometry import Inertia
from kempe.geometry.section import Section


@let_go(0.08, "piston.P")
def flexible_slider_crank(
    *, crank: float = 0.15, rod: float = 0.3, thickness: float = 0.004, speed: float = 80.0,
    piston: float = 0.033, segments: int = 3,
) -> Mechanism:  # fmt: skip
    """A slider-crank whose connecting rod is a thin aluminium strip: it bends as it is swung.

    The crank turns at `speed` (rad/s); the rod is a beam of so many `segments`, `thickness` (m)
    high and 15 mm wide, and pushes a `piston` (kg). Without damping it goes on ringing.

    Source: Own dimensions.

    Examples:
        >>> import kempe
        >>> run = kempe.gallery.flexible_slider_crank().simulate(until=0.02)
        >>> bend = run["rod_1_bend.angle"]
        >>> bool(1e-3 < bend.values.max() < 0.2)
        True
    """
    m = Builder("slider-crank with a flexible rod", plane=True)
    strip = Section.rectangle(thickness, 0.015, young=70e9, density=2700.0)
    a = m.bar("crank", crank, at=(0, 0), angle=0.0, inertia=slender(0.2, crank))
    b = m.beam("rod", rod, strip, segments=count(segments, "segments", 1, 20), at=(crank, 0.0))
    block = Inertia(piston, np.zeros(3), piston * 1e-4 * np.eye(3))
    c = m.body("piston", points={"P": (0.0, 0.0)}, at=(crank + rod, 0.0), angle=0.0, inertia=block)
    main = m.revolute(m.ground.at(0, 0), a.start, name="main")
    m.revolute(a.end, b.start, name="big_end")
    m.revolute(b.end, c.P, name="small_end")
    m.prismatic(m.ground.at(0, 0), c.P, name="guide")
    m.drive(main.angle, speed=speed)
    return m.build()
