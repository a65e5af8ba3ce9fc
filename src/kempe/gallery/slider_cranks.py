"""Slider-cranks: in the plane, in space, and as an engine."""

import math
from typing import Any

import numpy as np

from kempe.errors import BadNumber
from kempe.events import Direction, Switch
from kempe.forces import Control, DcMotor, JournalInBearing, SpringDamper, hertz_stiffness
from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart, JointPart
from kempe.gallery.sketch import entry, root
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS, frame, placed, triple
from kempe.gallery.sketch_of_masses import let_go, slender
from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector
from kempe.geometry.number import positive
from kempe.geometry.solids import Cuboid, Cylinder, Plate
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
CLOSED = "((room + stroke) / (room + top - x)) ** 1.3"
BURNT = "boost * 0.5 * (1 - tanh(6 * cos(a)))"
GAS = f"area * outside * (1 - {CLOSED} * (1 + {BURNT}))"
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
    m = Builder("engine", plane=True)
    a, guide = _running_gear(m, (crank, rod, bore), flywheel, math.radians(30.0), spin)
    constants = _constants(crank, rod, bore) | {"boost": boost}
    gas = Control(
        guide.displacement, GAS, (a.angle,), ("a",), tuple(constants), tuple(constants.values())
    )
    m.force(gas, "gas")
    m.force(SpringDamper(a.angle, damping=load), "brake")
    return m.build()


def _running_gear(
    m: Builder, sizes: tuple[float, float, float], flywheel: float, start: float, spin: float = 0.0
) -> tuple[BodyPart, JointPart[Any]]:
    """Crank with flywheel, rod and piston of an upright engine; the crank and the cylinder.

    `sizes` are those of crank, rod and bore (m); the crank is at the angle `start`, with `spin`.
    """
    for name, length in zip(("crank", "rod", "bore"), sizes, strict=True):
        positive(length, f"engine: {name}")
    crank, rod, bore = sizes
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
    return a, m.prismatic(m.ground.at(0, 0), c.P, along=(0, 1, 0), name="cylinder")


def _constants(crank: float, rod: float, bore: float) -> dict[str, float]:
    """The numbers of the gas: m, m^2 and Pa."""
    return {
        "area": math.pi * (0.5 * bore) * (0.5 * bore),
        "outside": OUTSIDE,
        "room": 2.0 * crank / (COMPRESSION - 1.0),
        "stroke": 2.0 * crank,
        "top": crank + rod,
    }


@let_go(4.0)
def engine_with_flywheel(
    *, crank: float = 0.04, rod: float = 0.13, bore: float = 0.08, flywheel: float = 0.2,
    load: float = 0.2, boost: float = 1.5, starter: float = 60.0,
) -> Mechanism:  # fmt: skip
    """An engine is started from rest: a starter turns it over, it fires, and its flywheel evens it.

    A `starter` (stall torque in N m, no-load speed 60 rad/s) presses the gas together, eight times,
    p V^1.3 = const. At 25 rad/s the engine fires: going down the gas then has 1 + `boost` times the
    pressure. At 55 rad/s the starter lets go, and a brake `load` (N m s/rad) takes the work. Within
    a turn the speed w varies by about (largest - smallest energy) / (flywheel w^2), `flywheel` in
    kg m^2: the coefficient of fluctuation.

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> run = kempe.gallery.engine_with_flywheel().simulate(until=4.0, steps=4000)
        >>> [event.name for event in run.events]
        ['fires', 'lets_go']
        >>> last = run["crank.angle"].rate[-200:]
        >>> print(f"{(last.max() - last.min()) / last.mean():.3f}")
        0.048
    """
    m = Builder("engine with flywheel", plane=True)
    a, guide = _running_gear(m, (crank, rod, bore), flywheel, math.radians(-80.0))
    disc = Cylinder(2.2 * crank, 0.02)
    m.shape(a, disc)
    m.shape(a, Plate(_web(crank), 0.02))
    constants = _constants(crank, rod, bore)
    for name, text, more in (
        ("gas", f"area * outside * (1 - {CLOSED})", {}),
        ("fire", f"-area * outside * {CLOSED} * {BURNT}", {"boost": boost}),
    ):
        numbers = {word: x for word, x in (constants | more).items() if word in text}
        given = tuple(numbers), tuple(numbers.values())
        m.force(Control(guide.displacement, text, (a.angle,), ("a",), *given), name)
    m.force(DcMotor(a.angle, positive(starter, "the starter's torque"), 60.0), "starter")
    m.force(SpringDamper(a.angle, damping=load), "brake")
    turns = Direction.RISING
    m.event(Switch("crank.angle.rate - 25", on=("fire",), direction=turns), "fires")
    m.event(Switch("crank.angle.rate - 55", off=("starter",), direction=turns), "lets_go")
    return m.build()


def _web(crank: float) -> tuple[tuple[float, float], ...]:
    """The outline of a crank's web with its counterweight."""
    ends = ((1.0, 0.3, -1.0, 1.0), (0.0, 0.9, 2.0, 4.2))  # centre, radius, from and to, in rad
    return tuple(
        (crank * (x + r * math.cos(t)), crank * r * math.sin(t))
        for x, r, low, high in ends
        for t in np.linspace(low, high, 9).tolist()
    )


@let_go(0.024, "slider.P")
def slider_crank_with_clearance(
    *, clearance: float = 5e-4, crank: float = 0.05, rod: float = 0.12, speed: float = 5000.0,
    restitution: float = 0.8, friction: float = 0.0,
) -> Mechanism:  # fmt: skip
    """A fast slider-crank whose crank pin is loose in its bore: it flies, hits and rattles.

    The pin, of radius 9.5 mm, has a radial `clearance` (m) in the rod; the crank is driven at
    `speed` (rpm), and the rest starts as fast as a tight pin would have it, half a clearance to the
    right. Steel on steel by the law of Hertz, `restitution` at an impact of 1 m/s, `friction` on
    the pin.

    Source: [Flores2006] for sizes, masses and steel, whose restitution is 0.9. Own: that the pin is
    the loose one, and a damping by Hunt and Crossley.

    Examples:
        >>> import kempe
        >>> turn = kempe.gallery.slider_crank_with_clearance().simulate(until=0.006)
        >>> turn.events[0].kind
        'touch'
    """
    for name, length in (("crank", crank), ("rod", rod), ("clearance", clearance)):
        positive(length, f"slider_crank_with_clearance: {name}")
    spin, pin, right = speed * math.pi / 30.0, 0.0095, crank + 0.5 * clearance
    m = Builder("slider-crank with clearance", plane=True)
    a = m.bar("crank", crank, at=(0, 0), angle=0.0, inertia=_thin(0.30, 1.0e-4, 0.5 * crank))
    b = m.body(
        "rod",
        points={"start": (0, 0), "end": (rod, 0)},
        outline=("start", "end"),
        at=(right, 0),
        angle=0.0,
        inertia=_thin(0.21, 2.5e-4, 0.5 * rod),
        velocity=(0.0, crank * spin),
        spin=-crank * spin / rod,
    )
    half, up = 0.2 * rod, 0.12 * rod
    box = {"a": (-half, -up), "b": (half, -up), "c": (half, up), "d": (-half, up)}
    c = m.body(
        "slider",
        points={"P": (0, 0), **box},
        outline=tuple(box),
        at=(right + rod, 0),
        angle=0.0,
        inertia=_thin(0.14, 1.0e-4, 0.0),
    )
    m.shape(a, Cuboid((crank, pin, 0.5 * pin)), at=(0.5 * crank, 0), name="web")
    m.shape(a, Cylinder(pin, 2.0 * pin), at=(crank, 0), name="pin")
    main = m.revolute(m.ground.at(0, 0), a.start, name="main")
    m.revolute(b.end, c.P, name="small_end")
    m.prismatic(m.ground.at(0, 0), c.P, name="guide")
    m.drive(main.angle, rpm=speed)
    m.force(_steel_pin(b.start, a.end, clearance, pin, restitution, friction), "pin")
    return m.build()


STEEL = 207e9 / (2.0 * (1.0 - 0.3**2))  # Pa, E* of steel on steel


def _steel_pin(
    bore: Marker, pin: Marker, clearance: float, radius: float, restitution: float, friction: float
) -> JournalInBearing:
    """A steel pin in a steel bore that is wider by the clearance, by the law of Hertz; all in m."""
    return JournalInBearing(
        bore,
        pin,
        clearance,
        radius,
        stiffness=hertz_stiffness(radius, STEEL, other=-(radius + clearance)),
        exponent=1.5,
        restitution=restitution,
        impact_speed=1.0,
        friction=friction or None,
        creep=1e-2 if friction else None,
    )


def _thin(mass: float, moment: float, centre: float) -> Inertia:
    """Mass (kg) and moment (kg m^2) about z of a part that lies along x."""
    return Inertia(
        mass, np.array([centre, 0.0, 0.0]), np.diag([0.5 * moment, 0.5 * moment, moment])
    )
