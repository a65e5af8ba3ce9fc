"""A disc that rolls round a circle, leaning inwards, as steadily as its closed form says."""

import math

import numpy as np

import kempe as kp
from kempe.joints import RollingDisc

G = 9.81


def leaning_disc(
    lean: float = 0.4, ring: float = 0.8, r: float = 0.5, mass: float = 1.3
) -> tuple[kp.Mechanism, float]:
    """A disc whose centre goes round a circle of radius `ring`, leaning inwards, and its rate.

    W^2 = m g r tan b / (m r R + C R / r + A sin b), by Newton and Euler about the contact point.
    """
    A, C = mass * r * r / 4, mass * r * r / 2
    below = mass * r * ring + C * ring / r + A * math.sin(lean)
    W = math.sqrt(mass * G * r * math.tan(lean) / below)
    axis = np.array([math.cos(lean), 0.0, math.sin(lean)])
    spin = W * np.array([0, 0, 1.0]) - W * (ring + r * math.sin(lean)) / r * axis
    m = kp.Builder("disc", gravity=(0, 0, -G))
    disc = m.body(
        "disc",
        at=(ring, 0, r * math.cos(lean)),
        rotation=kp.Rotation.with_z(tuple(axis)),
        inertia=kp.Inertia(mass, (0, 0, 0), np.diag([A, A, C])),
        velocity=(0, W * ring, 0),
        spin=tuple(spin),
    )
    m.add(RollingDisc(m.ground.at(0, 0, 0), disc.at(0, 0, 0), radius=r), name="roll")
    return m.build(), W
