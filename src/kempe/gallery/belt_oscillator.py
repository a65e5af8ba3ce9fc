"""A block on a belt: it sticks and slips."""

import math

import numpy as np

from kempe.errors import BadNumber
from kempe.forces import JointFriction, LineSpring
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import DOWN, let_go
from kempe.geometry import Inertia
from kempe.geometry.number import positive

REACH = 0.8  # m, from the wall to the block, where the spring is loose


@let_go(10.0, "block.P")
def belt_oscillator(
    *,
    mass: float = 2.0,
    stiffness: float = 40.0,
    speed: float = 0.1,
    sliding: float = 0.2,
    static: float = 0.35,
) -> Mechanism:
    """A block on a belt that moves on, held back by a spring: it sticks, and it slips.

    The belt carries the block along until the spring pulls more than static friction holds. Then
    it slides back, half a swing and a little more, until it is as fast as the belt again. With
    A = (mu_s - mu_k) m g / k and w^2 = k / m it sticks for 2 A / v and slides for
    2 / w (pi - atan(A w / v)).

    Own: masses and sizes.

    Examples:
        >>> import kempe
        >>> rub = kempe.gallery.belt_oscillator().simulate(until=5.0)
        >>> [event.kind for event in rub.events]
        ['slip', 'stick', 'slip', 'stick']
        >>> print(round(rub.events[1].t - rub.events[0].t, 4))
        0.8344
    """
    m = Builder("belt oscillator", plane=True, gravity=DOWN)
    for value, what in ((speed, "the speed"), (stiffness, "the stiffness"), (mass, "the mass")):
        positive(value, what)
    if not static > sliding:
        raise BadNumber(
            f"static friction, {static:g}, must be more than sliding friction, {sliding:g}: else"
            " the block slides back to where both hold each other, and stays there."
        )
    side = 0.1 * math.cbrt(mass)
    weight = Inertia(mass, np.zeros(3), np.diag([mass * side**2 / 6.0] * 3))
    outline = {"A": (-side, 0), "B": (side, 0), "C": (side, 2 * side), "D": (-side, 2 * side)}
    corners = {**outline, "P": (0, side)}
    belt = m.body("belt", points={"start": (-1, 0), "end": (1, 0)}, inertia=weight)
    block = m.body(
        "block", points=corners, at=(0, 0), inertia=weight, outline=tuple(outline),
        velocity=(speed, 0),
    )  # fmt: skip
    rollers = m.prismatic(m.ground.at(0, 0), belt.at(0, 0), name="rollers")
    m.drive(rollers.displacement, speed=speed)
    contact = m.prismatic(belt.at(0, 0), block.at(0, 0), name="contact")
    wall = m.ground.at(-REACH, side)
    m.force(LineSpring(wall, block.P, stiffness, free=REACH), "spring")
    m.force(JointFriction(contact.displacement, sliding, static=static), "rub")
    return m.build()
