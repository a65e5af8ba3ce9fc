"""A slider-crank engine."""

import math

import numpy as np

from kempe.forces import Control, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import root
from kempe.gallery.sketch_of_masses import let_go, slender
from kempe.geometry import Inertia
from kempe.geometry.number import positive

# Along the piston's height x: pressure outside, less the gas behind the piston on its other face.
GAS = (
    "area * outside * (1 - ((room + stroke) / (room + top - x)) ** 1.3"
    " * (1 + boost * 0.5 * (1 - tanh(6 * cos(a)))))"
)
OUTSIDE = 101325.0  # Pa
COMPRESSION = 8.0


@let_go(0.5)
def engine(
    *,
    crank: float = 0.04,
    rod: float = 0.13,
    bore: float = 0.08,
    flywheel: float = 0.05,
    load: float = 0.1,
    boost: float = 1.5,
    spin: float = 200.0,
) -> Mechanism:
    """An upright two-stroke engine: gas drives the piston down, a flywheel carries it up again.

    The gas is pressed together eight times, p V^1.3 = const, and burns on top: going down its
    pressure is 1 + `boost` times that going up. `flywheel` is in kg m^2, `load`, a brake, in
    N m s/rad. Started at `spin` (rad/s) it runs up to where the brake takes what the gas gives.

    Own.

    Examples:
        >>> import kempe
        >>> run = kempe.gallery.engine().simulate(until=0.5)
        >>> bool(run["crank.angle"].rate[-1] > 250.0)
        True
    """
    for name, length in (("crank", crank), ("rod", rod), ("bore", bore)):
        positive(length, f"engine: {name}")
    m = Builder("engine", plane=True)
    start = math.radians(30.0)
    end = crank * math.cos(start), crank * math.sin(start)
    pin = end[1] + root(rod * rod - end[0] * end[0])
    wheel = Inertia(2.0, np.zeros(3), np.diag([0.5 * flywheel, 0.5 * flywheel, flywheel]))
    a = m.bar("crank", crank, at=(0, 0), angle=start, inertia=wheel, spin=spin)
    lean = math.atan2(pin - end[1], -end[0])
    b = m.bar("rod", rod, at=end, angle=lean, inertia=slender(0.3, rod))
    half, up = 0.5 * bore, 0.3 * bore
    crown = {"a": (-half, -up), "b": (half, -up), "c": (half, up), "d": (-half, up)}
    block = Inertia(0.4, np.zeros(3), 0.4 * half * half * np.eye(3))
    points = {"P": (0.0, 0.0), **crown}
    c = m.body("piston", points=points, outline=tuple(crown), at=(0, pin), angle=0.0, inertia=block)
    m.revolute(m.ground.at(0, 0), a.start, name="main")
    m.revolute(a.end, b.start, name="big_end")
    m.revolute(b.end, c.P, name="small_end")
    guide = m.prismatic(m.ground.at(0, 0), c.P, along=(0, 1, 0), name="cylinder")
    constants = {
        "area": math.pi * half * half,
        "outside": OUTSIDE,
        "room": 2.0 * crank / (COMPRESSION - 1.0),
        "stroke": 2.0 * crank,
        "top": crank + rod,
        "boost": boost,
    }
    gas = Control(
        guide.displacement, GAS, (a.angle,), ("a",), tuple(constants), tuple(constants.values())
    )
    m.force(gas, "gas")
    m.force(SpringDamper(a.angle, damping=load), "brake")
    return m.build()
