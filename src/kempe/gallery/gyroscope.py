"""The gyroscope."""

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_in_space import X_AXIS, Y_AXIS
from kempe.gallery.sketch_of_masses import G, let_go, ring
from kempe.geometry import Inertia, Rotation
from kempe.geometry.solids import Cylinder
from kempe.joints import Revolute

RIM = 12  # corners of the rotor's picture


@let_go(4.0, "frame.P")
def gyroscope(
    *,
    radius: float = 0.05,
    mass: float = 0.5,
    spin: float = 300.0,
    arm: float = 0.08,
    weight: float = 0.05,
) -> Mechanism:
    """A rotor in two rings with a weight on its axle: the axle goes round instead of down.

    The fork turns about the vertical, the frame in it about a level axis, the rotor in the frame
    about its axle; `weight` (kg) hangs on the axle `arm` from the middle. With `spin` (rad/s) high
    it goes round at about weight g arm / (I spin), with a quick little nod.

    Own.

    Examples:
        >>> import kempe
        >>> gyro = kempe.gallery.gyroscope().simulate(until=4.0)
        >>> turn = gyro["column.angle"].values
        >>> print(f"{(turn[-1] - turn[0]) / 4.0:.3f} rad/s")
        0.209 rad/s
    """
    m = Builder("gyroscope", gravity=(0, 0, -G))
    outer = 1.5 * radius
    # The axle lies along y; the frame turns about x; its z axis is up at the start.
    fork = m.body(
        "fork",
        points={"foot": (0, 0, -1.5 * outer), "left": (-outer, 0, 0), "right": (outer, 0, 0)},
        outline=("foot", "left", "right"),
        at=(0, 0, 0),
        inertia=Inertia(0.02, np.zeros(3), 0.02 * outer**2 * np.eye(3)),
    )
    hung = Inertia(weight, np.array([0.0, arm, 0.0]), np.zeros((3, 3)))
    light = Inertia(0.02, np.zeros(3), 0.02 * outer**2 * np.eye(3))
    frame = m.body(
        "frame",
        points={
            "P": (0, arm, 0),
            "end": (0, -arm, 0),
            "left": (-outer, 0, 0),
            "right": (outer, 0, 0),
        },
        outline=("P", "left", "end", "right"),
        at=(0, 0, 0),
        inertia=light + hung,
    )
    # The disc's own axis is its z, turned into the world's y.
    rotor = m.body(
        "rotor",
        points=ring(radius, RIM),
        outline=tuple(ring(radius, RIM)),
        at=(0, 0, 0),
        rotation=Rotation.with_z(Y_AXIS),
        inertia=Cylinder(radius, 0.3 * radius).inertia(mass=mass),
        spin=(0.0, spin, 0.0),
    )
    m.add(Revolute(m.ground.at(0, 0, -1.5 * outer), fork.foot), "column")
    m.add(Revolute(fork.right.facing(X_AXIS), frame.right.facing(X_AXIS)), "trunnion")
    m.add(Revolute(frame.at(0, 0, 0).facing(Y_AXIS), rotor.at(0, 0, 0)), "axle")
    return m.build()
