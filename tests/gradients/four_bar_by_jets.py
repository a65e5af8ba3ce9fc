"""A four-bar in closed form, in arithmetic that carries rates and accelerations.

Numbers are jets (f, f', f'') over time whose entries may be complex, so that a step in the
imaginary direction gives slopes by parameters to the last digit: an oracle that shares nothing with
the code it judges.
"""

from dataclasses import dataclass

import numpy as np

TINY = 1e-200


@dataclass(frozen=True)
class Jet:
    """A function of time with its first two derivatives."""

    f: object
    d: object = 0.0
    e: object = 0.0

    @staticmethod
    def of(x):
        return x if isinstance(x, Jet) else Jet(x)

    def __add__(self, other):
        other = Jet.of(other)
        return Jet(self.f + other.f, self.d + other.d, self.e + other.e)

    def __neg__(self):
        return Jet(-self.f, -self.d, -self.e)

    def __sub__(self, other):
        return self + -Jet.of(other)

    def __rsub__(self, other):
        return Jet.of(other) - self

    def __mul__(self, other):
        o = Jet.of(other)
        return Jet(
            self.f * o.f,
            self.d * o.f + self.f * o.d,
            self.e * o.f + 2.0 * self.d * o.d + self.f * o.e,
        )

    __radd__, __rmul__ = __add__, __mul__

    def through(self, value, slope, bend):
        return Jet(value, slope * self.d, bend * self.d**2 + slope * self.e)

    def sqrt(self):
        root = np.sqrt(self.f)
        return self.through(root, 0.5 / root, -0.25 / root**3)

    def rec(self):
        return self.through(1.0 / self.f, -1.0 / self.f**2, 2.0 / self.f**3)

    def sin(self):
        return self.through(np.sin(self.f), np.cos(self.f), -np.sin(self.f))

    def cos(self):
        return self.through(np.cos(self.f), -np.sin(self.f), -np.cos(self.f))


def coupler_point(t, side, crank, coupler, rocker, px, py, ax, ay, bx, by, phase, speed):
    """P of the coupler at times t, as jets (x, y); the coupler bends to this side (1 or -1)."""
    turn = Jet(phase + speed * t, speed * np.ones_like(t), 0.0 * t)
    x, y = ax + crank * turn.cos(), ay + crank * turn.sin()
    dx, dy = bx - x, by - y
    square = dx * dx + dy * dy
    along = (square + (coupler**2 - rocker**2)) * (0.5 * square.rec())
    across = (square.rec() * coupler**2 - along * along).sqrt() * side
    ex = (along * dx - across * dy) * (1.0 / coupler)
    ey = (along * dy + across * dx) * (1.0 / coupler)
    return x + px * ex - py * ey, y + px * ey + py * ex


def by_complex_step(f, x):
    """df/dx_k of a function of a list of numbers, (..., k): exact to rounding."""
    columns = []
    for k in range(len(x)):
        moved = [complex(v) for v in x]
        moved[k] += 1j * TINY
        columns.append(np.imag(f(*moved)) / TINY)
    return np.stack(columns, axis=-1)
