"""What loses or gains mass: a rocket, a bucket in the rain."""

import math

import numpy as np

from kempe.drives import Ramp
from kempe.forces import AppliedLoad, Axes, MassFlow
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import DOWN, let_go
from kempe.geometry import Inertia
from kempe.geometry.number import positive


@let_go(0.7, "rocket.nose")
def rocket(
    *, shell: float = 0.2, water: float = 0.6, flow: float = 1.5, jet: float = 20.0,
    length: float = 0.8, lean: float = math.radians(15.0),
) -> Mechanism:  # fmt: skip
    """A water rocket: it is driven by what it throws out, and then flies on like any stone.

    Its `shell` (kg) holds `water` (kg), which leaves by the nozzle at a rate `flow` (kg/s) and a
    speed `jet` (m/s) until a hundredth is left. It sets out `lean` off the vertical.

    Source: Konstantin Tsiolkovsky, 1903; [Meshchersky].

    Examples:
        >>> import kempe
        >>> import numpy as np
        >>> up = kempe.gallery.rocket(lean=0.0).simulate(until=0.2)
        >>> due = 20.0 * np.log(0.8 / 0.5) - 9.81 * 0.2  # Tsiolkovsky's formula
        >>> bool(abs(up["rocket.y"].rate[-1] - due) < 1e-6)
        True
    """
    m = Builder("rocket", plane=True, gravity=DOWN)
    reach, wide = length / 2.0, length / 12.0
    points = {
        "nose": (reach, 0.0),
        "left": (0.7 * reach, wide),
        "left_fin": (-reach, 2 * wide),
        "nozzle": (-reach, 0.0),
        "right_fin": (-reach, -2 * wide),
        "right": (0.7 * reach, -wide),
    }
    up = math.pi / 2.0 - lean
    hull = m.body(
        "rocket",
        points=points,
        outline=tuple(points),
        at=(0, 0),
        angle=up,
        inertia=_rod(shell, length),
    )
    tank = m.body("water", at=(0, 0), angle=up, inertia=_rod(water, 0.6 * length))
    m.fixed(hull.at(0, 0), tank.at(0, 0), name="bulkhead")
    m.force(
        MassFlow(
            tank.at(-reach, 0.0),
            "-flow if gained > most else 0",
            (-jet, 0.0, 0.0),
            constants=("flow", "most"),
            values=(positive(flow, "flow"), -0.99 * positive(water, "water")),
        ),
        "motor",
    )
    return m.build()


def _rod(mass: float, length: float) -> Inertia:
    moment = positive(mass, "a mass") * positive(length, "length") ** 2 / 12.0
    return Inertia(mass, np.zeros(3), np.diag([0.0, moment, moment]))


@let_go(20.0, "bucket.P")
def filling_bucket(
    *, mass: float = 2.0, rain: float = 0.5, fall: float = 4.0, pull: float = 3.0
) -> Mechanism:
    """A bucket on a rail, pulled by a constant force, that fills with rain and stops gaining speed.

    Rain falls straight at `fall` (m/s), `rain` (kg/s) of it into the bucket, and has to be brought
    to the bucket's speed: v = pull t / (mass + rain t), which never passes pull / rain.

    Source: [Meshchersky].

    Examples:
        >>> import kempe
        >>> ride = kempe.gallery.filling_bucket().simulate(until=20.0)
        >>> bool(abs(ride["bucket.x"].rate[-1] - 3.0 * 20.0 / 12.0) < 1e-6)
        True
    """
    m = Builder("filling bucket", plane=True, gravity=DOWN)
    corners = {"a": (-0.4, 0.5), "b": (-0.3, 0.0), "c": (0.3, 0.0), "d": (0.4, 0.5)}
    bucket = m.body(
        "bucket",
        points={"P": (0.0, 0.25), **corners},
        outline=tuple(corners),
        at=(0, 0),
        angle=0.0,
        inertia=Inertia(
            positive(mass, "mass"), np.array([0.0, 0.25, 0.0]), 0.05 * mass * np.eye(3)
        ),
    )
    m.prismatic(m.ground.at(0, 0), bucket.at(0, 0), name="rail")
    flow = MassFlow(
        bucket.P, "rain", (0.0, -fall, 0.0), Axes.WORLD, constants=("rain",), values=(rain,)
    )
    m.force(flow, "shower")
    m.force(AppliedLoad(bucket.P, (Ramp(pull), Ramp(0.0), Ramp(0.0))), "rope")
    return m.build()
