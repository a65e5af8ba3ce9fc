"""Koh & Park's program for a double pendulum, statement by statement.

Each statement of their figure 10 stands as a comment above what says the same here. Lengths in m,
masses in kg, times in s; Euler parameters are (e1, e2, e3, e4) with the scalar last, as theirs.

Usage: koh_park_pendulum.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import kempe
from kempe import Inertia, Marker, Rotation, Z
from kempe.dynamics import Gear
from kempe.forces import SpringDamper
from kempe.geometry.specific import EulerParameters, OrientationCoordinates
from kempe.joints import Spherical
from kempe.measures import Gauge, Turn


def marker(on, xyz, e1234):
    """A place and an orientation on a body."""
    *vector, scalar = e1234
    return Marker(on, xyz, Rotation.from_quaternion((scalar, *vector)))


def part(m, name, *, mass, Jxx, Jyy, Jzz, qX, qE, qXdot, qEdot):
    """A body at its centre of mass, with the rates of its coordinates."""
    parameters, rates = ((e[3], *e[:3]) for e in (qE, qEdot))
    euler = OrientationCoordinates(EulerParameters())
    m.body(
        name,
        at=qX,
        rotation=Rotation.from_quaternion(parameters),
        inertia=Inertia(mass, (0, 0, 0), np.diag([Jxx, Jyy, Jzz])),
        velocity=qXdot,
        spin=tuple(euler.angular_velocity(parameters, rates, axes="reference")),
    )


def double_pendulum():
    """The statements that describe the mechanism."""
    # gravity := ConstantGravity new. gravity acceleration: #(0.0 -9.81d 0.0).
    m = kempe.Builder("double pendulum", gravity=(0.0, -9.81, 0.0))
    # ceilingMarker isOn: ceiling xyz: #(0.0 0.0 0.0) e1234: #(0.0 0.0 0.0 1.0d).
    ceiling_marker = marker("ground", xyz=(0.0, 0.0, 0.0), e1234=(0.0, 0.0, 0.0, 1.0))
    # bar mass: 1.0d Jxx: 8.33d-2 Jyy: 5.0d-5 Jzz: 8.33d-2.
    # bar qX: #(0.0 -0.5d 0.0) qE: #(0.0 0.0 0.0 1.0d)
    #     qXdot: #(5.0d 0.0 0.0) qEdot: #(0.0 0.0 5.0d 0.0).
    part(
        m, "bar", mass=1.0, Jxx=8.33e-2, Jyy=5.0e-5, Jzz=8.33e-2,
        qX=(0.0, -0.5, 0.0), qE=(0.0, 0.0, 0.0, 1.0),
        qXdot=(5.0, 0.0, 0.0), qEdot=(0.0, 0.0, 5.0, 0.0),
    )  # fmt: skip
    # barMarker isOn: bar xyz: #(0.0 0.5d 0.0) e1234: #(0.0 0.0 0.0 1.0d).
    bar_marker = marker("bar", xyz=(0.0, 0.5, 0.0), e1234=(0.0, 0.0, 0.0, 1.0))
    # barMarker2 isOn: bar xyz: #(0.0 -0.5d 0.0) e1234: #(0.0 0.0 0.0 1.0d).
    bar_marker_2 = marker("bar", xyz=(0.0, -0.5, 0.0), e1234=(0.0, 0.0, 0.0, 1.0))
    # bar2 mass: 1.0d Jxx: 8.33d-2 Jyy: 5.0d-5 Jzz: 8.33d-2.
    # bar2 qX: #(0.0 -1.5d 0.0) qE: #(0.0 0.0 0.0 1.0d)
    #      qXdot: #(15.0d 0.0 0.0) qEdot: #(0.0 0.0 5.0d 0.0).
    part(
        m, "bar2", mass=1.0, Jxx=8.33e-2, Jyy=5.0e-5, Jzz=8.33e-2,
        qX=(0.0, -1.5, 0.0), qE=(0.0, 0.0, 0.0, 1.0),
        qXdot=(15.0, 0.0, 0.0), qEdot=(0.0, 0.0, 5.0, 0.0),
    )  # fmt: skip
    # bar2Marker isOn: bar2 xyz: #(0.0 0.5d 0.0) e1234: #(0.0 0.0 0.0 1.0d).
    bar_2_marker = marker("bar2", xyz=(0.0, 0.5, 0.0), e1234=(0.0, 0.0, 0.0, 1.0))
    # balljoint connectsI: ceilingMarker toJ: barMarker.
    m.add(Spherical(ceiling_marker, bar_marker), "balljoint")
    # ball2joint connectsI: barMarker2 toJ: bar2Marker.
    m.add(Spherical(bar_marker_2, bar_2_marker), "ball2joint")
    # torSpr connectsI: barMarker toJ: ceilingMarker stiffness: 10.0d theta0: 0.0 thetaInit: 0.0.
    turn = Gauge("torSpr.angle", Turn(Z), ceiling_marker, bar_marker)
    m.watch(turn)
    m.force(SpringDamper(turn, stiffness=10.0, free=0.0), "torSpr")
    return m.build()


def run(folder=None):
    """The statements that run it: returns the motion, and writes what it puts out to a folder."""
    pendulum = double_pendulum()
    # System checkCompatibility.
    print(pendulum.check())
    # MaxOrder := 6. Tolerance := 1.0d-20. System simulateUntil: 2.0d inStepsOf: 0.01d.
    # Theirs is the square of an error; the steps between two that are put out are their own choice.
    motion = pendulum.simulate(until=2.0, steps=200, tolerance=1e-10, method=Gear(most_order=6))
    if folder is not None:
        # bar outputStates. bar2 outputStates. balljoint outputStates. ball2joint outputStates.
        # System closeOutputs.
        states = ("bar", "bar2", "balljoint.force", "ball2joint.force")
        motion.to_csv(Path(folder) / "states.csv", *states)
    return motion


mechanism = double_pendulum()

if __name__ == "__main__":
    whip = run(*sys.argv[1:])
    x, y, _ = whip["bar2"].position[180]
    wound = f"the spring was wound by {whip['torSpr.angle'].values.max():.2f} rad"
    print(f"At 1.8 s the lower bar is at ({x:.4f}, {y:.4f}) m; {wound}.")
    whip.animate("koh_park_pendulum.html")
