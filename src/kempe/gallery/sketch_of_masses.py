"""What entries that move by their forces share: how long they are let go, and usual masses."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, final

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch import entry
from kempe.geometry import Inertia
from kempe.geometry.number import positive
from kempe.geometry.solids import SlenderBar

P = ParamSpec("P")
G = 9.81  # m/s^2
DOWN = (0.0, -G)
COURSE = "course"  # under which an entry says how it is let go


@final
@dataclass(frozen=True, slots=True)
class Course:
    """How long an entry is let go under its forces, and whose paths are worth drawing."""

    until: float  # s
    trace: tuple[str, ...] = ()


def let_go(until: float, *trace: str) -> Callable[[Callable[P, Mechanism]], Callable[P, Mechanism]]:
    """An entry that forces move: `simulate` shows it best up to `until` (s), with these paths."""

    def marked(build: Callable[P, Mechanism]) -> Callable[P, Mechanism]:
        checked = entry(build)
        checked.__dict__[COURSE] = Course(until, trace)
        return checked

    return marked


def particle(mass: float, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Inertia:
    """All mass (kg) in one point of the body."""
    return Inertia(mass, np.array([x, y, z]), np.zeros((3, 3)))


def slender(mass: float, length: float) -> Inertia:
    """A thin bar along x from the origin."""
    return SlenderBar(positive(length, "the length of a bar")).inertia(mass=mass)


def bob(
    m: Builder,
    radius: float,
    mass: float,
    at: tuple[float, ...],
    *,
    name: str = "bob",
    **moving: Any,
) -> BodyPart:
    """A point mass P (kg), drawn as a small ring, where `at` says, in the plane or in space."""
    n = len(at)
    corners = {corner: place[:n] for corner, place in ring(radius).items()}
    moving |= {"angle": 0.0} if n == 2 else {}
    points = {"P": (0.0,) * n, **corners}
    inertia = particle(mass)
    return m.body(name, points=points, outline=tuple(corners), at=at, inertia=inertia, **moving)


def ring(radius: float, corners: int = 8, z: float = 0.0) -> dict[str, tuple[float, float, float]]:
    """Points r1, r2, ... on a circle about z, for an outline."""
    angles = [2.0 * math.pi * k / corners for k in range(corners)]
    return {
        f"r{k + 1}": (radius * math.cos(a), radius * math.sin(a), z) for k, a in enumerate(angles)
    }


def arc(
    radius: float, low: float, high: float, *, centre: float = 0.0, corners: int = 24
) -> list[tuple[float, float]]:
    """Points (x, y) on a circle about (centre, 0), from an angle (rad) to another: an outline."""
    angles = [low + (high - low) * k / (corners - 1) for k in range(corners)]
    return [(centre + radius * math.cos(a), radius * math.sin(a)) for a in angles]


def toothed(teeth: int, *corners: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The outline of a wheel: every pitch has corners at a radius (m) and a share of the pitch."""
    pitch = 2.0 * math.pi / teeth
    return tuple(
        (r * math.cos((k + share) * pitch), r * math.sin((k + share) * pitch))
        for k in range(teeth)
        for r, share in corners
    )
