"""A compressor started by a motor."""

import math

import numpy as np

from kempe.forces import DcMotor, DryFriction, GasSpring
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import let_go, particle, slender
from kempe.geometry import Inertia, X
from kempe.measures import Displacement


@let_go(2.0)
def compressor_start(
    *, crank: float = 0.04, rod: float = 0.15, flywheel: float = 0.05, stall: float = 12.0,
    no_load: float = 100.0,
) -> Mechanism:  # fmt: skip
    """A motor with a flywheel starts a piston that compresses closed gas and rubs in its cylinder.

    The gas slows the crank before the dead centre and gives back after it; the `flywheel` (kg m^2)
    evens that out. `stall` (N m) and `no_load` (rad/s) are the motor's, `crank` and `rod` in m.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> start = kempe.gallery.compressor_start().simulate(until=2.0)
        >>> print(start.outcome.is_done)
        True
    """
    m = Builder("compressor", plane=True)
    wheel = Inertia(2.0, np.zeros(3), np.diag([flywheel / 2, flywheel / 2, flywheel]))
    a = m.bar("crank", crank, at=(0, 0), angle=math.pi, inertia=wheel)
    b = m.bar("rod", rod, at=(-crank, 0), angle=0.0, inertia=slender(0.3, rod))
    c = m.body("piston", at=(rod - crank, 0), inertia=particle(0.5))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    head = rod + 1.5 * crank  # a quarter of the stroke above the piston's highest place
    gap = m.gauge("gap", Displacement(X), c.at(0, 0), m.ground.at(head, 0))
    m.force(DcMotor(a.angle, stall, no_load), "motor")
    m.force(GasSpring(gap, 101325.0, 2e-3, 2.5 * crank, at=2.5 * crank), "gas")
    m.force(DryFriction(c.x, 5.0, 0.01), "rings")
    return m.build()
