"""Slider-cranks: in the plane, in space, and as an engine."""

import math

import numpy as np

from kempe.errors import BadNumber
from kempe.forces import Control, SpringDamper
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch import entry, root
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, frame, placed, triple
from kempe.gallery.sketch_of_masses import let_go, slender
from kempe.geometry import Inertia, Pose, Rotation, Vector
from kempe.geometry.number import positive
from kempe.joints import Spherical, Universal


@entry
def slider_crank(
    *, crank: float = 1.0, rod: float = 3.0, offset: float = 0.0, start: float | None = None,
    plane: bool = True, units: str = "m",
) -> Mechanism:  # fmt: skip
    """Crank, rod and a slider that moves along x at the height `offset`; one turn per second.

    The crank turns about (0, 0); the slider stays to its right. Lengths in `units`.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.slider_crank(crank=1, rod=3).kinematics(until=1.0)
        >>> print(turn["slider.x"].ptp())
        2 m
    """
    for name, length in (("crank", crank), ("rod", rod)):
        if not (math.isfinite(length) and length > 0):
            raise BadNumber(
                f"slider_crank: {name} is {length!r}: every length must be a positive number."
            )
    if not math.isfinite(offset):
        raise BadNumber(f"slider_crank: offset is {offset!r}: it must be a finite number.")
    angle = _start(crank, rod, offset) if start is None else float(start)
    end = (crank * math.cos(angle), crank * math.sin(angle))
    rise = offset - end[1]
    reach = math.sqrt(max(0.0, rod * rod - rise * rise))
    m = Builder("slider-crank", plane=plane, units=units)
    a = m.bar("crank", crank, at=(0, 0), angle=angle)
    b = m.bar("rod", rod, at=end, angle=math.atan2(rise, reach))
    c = m.body("slider", at=(end[0] + reach, offset))
    m.revolute(m.ground.at(0, 0), a.start, name="A")
    m.revolute(a.end, b.start, name="B")
    m.revolute(b.end, c.at(0, 0), name="C")
    m.prismatic(m.ground.at(0, offset), c.at(0, 0), name="guide")
    m.drive(a.angle, start=angle, rpm=60)
    return m.build()


def _start(crank: float, rod: float, offset: float) -> float:
    """0 where the rod reaches the guide from there with room to spare, else the best angle."""
    if abs(offset) < 0.95 * rod:
        return 0.0
    return math.asin(max(-1.0, min(1.0, offset / crank)))


@entry
def spatial_slider_crank(
    *,
    crank: float = 0.08,
    rod: float = 0.3,
    shaft: tuple[float, float] = (0.1, 0.12),
    start: float = 0.0,
) -> Mechanism:
    """A crank that turns about x, beside the x axis, drives a slider along it.

    The shaft lies at y, z = `shaft`; a ball joins crank and rod, a cross joins rod and slider. The
    crank points along z at angle 0, and the slider stands at
    x^2 = rod^2 - (shaft[0] - crank sin a)^2 - (shaft[1] + crank cos a)^2.

    Source: [Haug] the spatial slider-crank, with its dimensions.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.spatial_slider_crank().kinematics(until=1.0)
        >>> print(f"{turn['slider.x'].values[0]:.3f}")
        0.200
    """
    m = Builder("spatial slider-crank")
    turn = Rotation.about(X_AXIS, start)
    centre = Vector(0.0, float(shaft[0]), float(shaft[1]))
    pin = centre + turn.apply(Vector(0.0, 0.0, crank))
    along = root(rod * rod - pin.y * pin.y - pin.z * pin.z)
    to_slider = np.array([along - pin.x, -pin.y, -pin.z])
    a = placed(m, "crank", Pose(centre, turn), {"start": (0, 0, 0), "end": (0, 0, crank)})
    b = placed(
        m, "rod", Pose(pin, frame(to_slider, Y_AXIS)), {"start": (0, 0, 0), "end": (rod, 0, 0)}
    )
    c = m.body("slider", points={"P": (0, 0, 0)}, at=(along, 0, 0), rotation=Rotation.identity())
    axle = m.revolute(
        m.ground.at(*triple(centre)).facing(X_AXIS), a.start.facing(X_AXIS), name="axle"
    )
    m.add(Spherical(a.end, b.start), "ball")
    m.add(Universal(c.at(0, 0).facing(Y_AXIS), b.end), "cross")
    m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    m.drive(axle.angle, start=start, rpm=60)
    return m.build()


# Along the piston's height x: pressure outside, less the gas behind the piston on its other face.
GAS = (
    "area * outside * (1 - ((room + stroke) / (room + top - x)) ** 1.3"
    " * (1 + boost * 0.5 * (1 - tanh(6 * cos(a)))))"
)
OUTSIDE = 101325.0  # Pa
COMPRESSION = 8.0


@let_go(0.5)
def engine(
    *, crank: float = 0.04, rod: float = 0.13, bore: float = 0.08, flywheel: float = 0.05,
    load: float = 0.1, boost: float = 1.5, spin: float = 200.0,
) -> Mechanism:  # fmt: skip
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
