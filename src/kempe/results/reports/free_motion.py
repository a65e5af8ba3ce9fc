"""Ways a mechanism can still move: the twist of every body that takes part."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

Triple = tuple[float, float, float]

STILL = 1e-9  # share of the largest part below which a velocity is rounding


@final
@dataclass(frozen=True, slots=True)
class BodyMotion:
    """How a body starts to move: the velocity of its origin and its spin, in world axes.

    The scale is free: of the bodies of one free motion, the fastest turns by 1 rad/s or goes one
    size of the machine per second.
    """

    body: str
    at: Triple  # m, where its origin is
    velocity: Triple  # m/s
    spin: Triple  # rad/s
    size: float  # m, of the machine: below a billionth of it per second nothing moves

    @property
    def turns(self) -> bool:
        """Whether it turns."""
        w, v = math.hypot(*self.spin), math.hypot(*self.velocity)
        return w > STILL * max(v / self.size, w)

    @property
    def pitch(self) -> float:
        """How far (m) it goes along its axis per radian; infinite where it does not turn."""
        if not self.turns:
            return math.inf
        w = np.array(self.spin)
        pitch = float(w @ np.array(self.velocity)) / float(w @ w)
        return 0.0 if abs(pitch) < STILL * self.size else pitch

    @property
    def direction(self) -> Triple:
        """Along its axis, or where it goes: a unit vector."""
        d = np.array(self.spin if self.turns else self.velocity)
        return _triple(d / max(float(np.linalg.norm(d)), 1e-300))

    @property
    def centre(self) -> Triple:
        """The point of its axis nearest to its origin (m); its origin where it does not turn.

        p = r + w x v / w^2

        Source: [LynchPark] sec. 3.3.2.
        """
        if not self.turns:
            return self.at
        r, v, w = (np.array(x) for x in (self.at, self.velocity, self.spin))
        return _triple(r + np.cross(w, v) / float(w @ w))

    def words(self, scale: float, unit: str, *, plane: bool) -> str:
        """What it does, for reading: lengths times scale in unit."""
        n = 2 if plane else 3
        way = f"({', '.join(_shown(c) for c in self.direction[:n])})"
        place = f"({', '.join(_shown(c * scale) for c in self.centre[:n])}) {unit}"
        if not self.turns:
            return f"slides along {way}"
        if plane:
            return f"turns about {place}"
        if self.pitch == 0.0:
            return f"turns about the axis {way} through {place}"
        screw = f"{_shown(self.pitch * scale)} {unit} per rad"
        return f"screws along the axis {way} through {place}, {screw}"


@final
@dataclass(frozen=True, slots=True)
class FreeMotion:
    """One way the mechanism can still move: the bodies that take part, fastest first."""

    motions: tuple[BodyMotion, ...]
    is_idle_spin: bool = False  # about the line of points a body is held by: needs no drive

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies, fastest first."""
        return tuple(motion.body for motion in self.motions)

    @property
    def twists(self) -> dict[str, tuple[float, ...]]:
        """(v, w) of every body that moves: m/s of its origin and rad/s, in world axes."""
        return {m.body: (*m.velocity, *m.spin) for m in self.motions}


def _triple(v: NDArray[np.float64]) -> Triple:
    x, y, z = (float(c) for c in v)
    return x, y, z


def _shown(number: float) -> str:
    return f"{0.0 if abs(number) < 5e-7 else number:.4g}"
