"""A car on two wheels, seen from above."""

import math

import numpy as np

from kempe.drives import TextFormula
from kempe.forces import Tire
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import Inertia
from kempe.geometry.number import positive

WHEEL = 0.33  # m, radius of what is drawn
PERIOD = 2.0  # s, of the steering


@let_go(4.0, "car.P")
def single_track_car(
    *, speed: float = 25.0, steer: float = math.radians(3.0), mass: float = 1500.0,
    inertia: float = 2500.0, front: float = 1.2, rear: float = 1.5, cornering: float = 80e3,
    friction: float = 0.9, relaxation: float = 0.4,
) -> Mechanism:  # fmt: skip
    """A car that changes lanes, seen from above, its wheels of each axle drawn together to one.

    It sets out at `speed` (m/s) and steers by one soft wave of `steer` (rad) and two seconds. The
    axles are `front` and `rear` (m) of its centre of mass, `inertia` is its moment about the
    vertical (kg m^2); both tires of an axle have `cornering` (N/rad), `friction` and `relaxation`.

    Source: [Riekert], the model of one track; [Fiala] for the tires.

    Examples:
        >>> import kempe
        >>> lanes = kempe.gallery.single_track_car().simulate(until=4.0)
        >>> bool(2.0 < lanes["car.y"].values[-1] < 8.0)  # m to the left
        True
    """
    m = Builder("single-track car", plane=True)
    side = 0.8
    points = {
        "nose": (front + 0.7, 0.5 * side),
        "left": (front - 0.4, side),
        "left_back": (-rear - 0.6, side),
        "right_back": (-rear - 0.6, -side),
        "right": (front - 0.4, -side),
        "snout": (front + 0.7, -0.5 * side),
    }
    whole = positive(mass, "mass")
    hub = 1e-3  # of the car: its front wheel, of which nobody wants to hear
    car = m.body(
        "car",
        points={"P": (0.0, 0.0), **points},
        outline=tuple(points),
        at=(0, 0),
        angle=0.0,
        inertia=Inertia((1.0 - hub) * whole, np.zeros(3), positive(inertia, "inertia") * np.eye(3)),
        velocity=(speed, 0.0),
    )
    wheel = m.body(
        "wheel",
        points={"a": (WHEEL, 0.1), "b": (-WHEEL, 0.1), "c": (-WHEEL, -0.1), "d": (WHEEL, -0.1)},
        outline=("a", "b", "c", "d"),
        at=(front, 0),
        angle=0.0,
        inertia=Inertia(hub * whole, np.zeros(3), hub * whole * WHEEL**2 * np.eye(3)),
        velocity=(speed, 0.0),
    )
    knuckle = m.revolute(car.at(front, 0), wheel.at(0, 0), name="knuckle")
    wave = f"{steer!r} * sin({2.0 * math.pi / PERIOD!r} * t)^3 if t < {PERIOD!r} else 0"
    m.drive(knuckle.angle, TextFormula(wave), name="steering")
    carried = whole * G / (positive(front, "front") + positive(rear, "rear"))
    road = m.ground.at(0, 0)
    tire = (cornering, friction, relaxation)
    m.force(Tire(road, wheel.at(0, 0), *tire, load=carried * rear), "front_tire")
    m.force(Tire(road, car.at(-rear, 0), *tire, load=carried * front), "rear_tire")
    return m.build()
