"""Linkages swept dyad by dyad: where two circles meet, on the side where they met at the start.

Points are complex numbers. A dyad's hinge P lies at the distance r from A and s from B:

    P = A + (B - A) (x + i y),  x = (r^2 - s^2 + |AB|^2) / (2 |AB|^2),  y^2 = r^2 / |AB|^2 - x^2

y > 0 left of AB, y < 0 right of it; where y^2 = 0 the dyad is stretched or folded, a dead point of
whatever drives A and B. Nothing here knows of a solver.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Points = NDArray[np.complex128]

TURN = 2.0 * np.pi
# Angles at which a turn is looked at for dead points; between neighbours the room of a dyad is
# smooth enough that a dip below zero shows as a local minimum.
LOOKS = 1440


@final
@dataclass(frozen=True, slots=True)
class SixBar:
    """A four-bar O B C D, and perhaps a dyad between a point of it and another place.

    The crank is OB with O at 0, the coupler BC, the rocker DC. The second dyad's hinge E hangs on
    P, a place of `bodies[0]`, and on Q, a place of `bodies[1]`; a place is a factor of the body's
    vector (OB, BC, DC), or a point of the ground.
    """

    crank: float
    coupler: float
    rocker: float
    D: complex
    start: float  # rad, of the crank
    side: int  # of C, seen along BD: 1 left, -1 right
    bodies: tuple[str, str] | None = None
    places: tuple[complex, complex] = (0j, 0j)
    links: tuple[float, float] = (0.0, 0.0)  # PE, QE
    second_side: int = 1  # of E, seen along PQ

    def at(self, angle: Reals) -> dict[str, Points]:
        """All hinges at crank angles; not a number where there is no such position."""
        B = self.crank * np.exp(1j * angle)
        D = np.full_like(B, self.D)
        C = meeting(B, D, self.coupler, self.rocker, self.side)
        found = {"B": B, "C": C, "D": D}
        if self.bodies is not None:
            P, Q = (self._place(k, B, C, D) for k in (0, 1))
            E = meeting(P, Q, *self.links, self.second_side)
            found |= {"P": P, "Q": Q, "E": E}
        return found

    def _place(self, k: int, B: Points, C: Points, D: Points) -> Points:
        assert self.bodies is not None
        factor = self.places[k]
        body = self.bodies[k]
        if body == "ground":
            return np.full_like(B, factor)
        tail, vector = {"crank": (0.0 * B, B), "coupler": (B, C - B), "rocker": (D, C - D)}[body]
        return tail + factor * vector

    def rooms(self, angle: Reals) -> list[Reals]:
        """y^2 of each dyad at crank angles; not a number where an earlier one does not reach."""
        B = self.crank * np.exp(1j * angle)
        D = np.full_like(B, self.D)
        rooms = [room(B, D, self.coupler, self.rocker)]
        if self.bodies is not None:
            C = meeting(B, D, self.coupler, self.rocker, self.side)
            rooms.append(room(*(self._place(k, B, C, D) for k in (0, 1)), *self.links))
        return rooms


def room(A: Points, B: Points, r: float, s: float) -> Reals:
    """y^2 of a dyad: negative where it does not reach."""
    square = np.abs(B - A) ** 2
    x = (r * r - s * s + square) / (2.0 * square)
    return np.asarray(r * r / square - x * x)


def meeting(A: Points, B: Points, r: float, s: float, side: int) -> Points:
    """The hinge of a dyad on a side of AB."""
    square = np.abs(B - A) ** 2
    x = (r * r - s * s + square) / (2.0 * square)
    with np.errstate(invalid="ignore"):
        y = side * np.sqrt(r * r / square - x * x)
    return np.asarray(A + (B - A) * (x + 1j * y))


def side_of(A: Points, B: Points, P: Points) -> Reals:
    """1 where P lies left of AB, -1 where it lies right."""
    return np.sign(((P - A) * np.conj(B - A)).imag)


def dead_point(linkage: SixBar) -> float | None:
    """The first crank angle after the start at which a dyad no longer reaches, within one turn."""
    ends = [e for e in (_first_end(linkage), _second_end(linkage)) if e is not None]
    return min(ends, default=None)


def _first_end(linkage: SixBar) -> float | None:
    """Of the four-bar: |BD| = |coupler -+ rocker|, a cosine of the crank angle against OD."""
    a, d = linkage.crank, abs(linkage.D)
    angles = []
    for reach in (linkage.coupler - linkage.rocker, linkage.coupler + linkage.rocker):
        cosine = (a * a + d * d - reach * reach) / (2.0 * a * d)
        if abs(cosine) < 1.0:
            open_by = np.arccos(cosine)
            heading = np.angle(linkage.D)
            angles += [(s * open_by + heading - linkage.start) % TURN for s in (-1.0, 1.0)]
    return linkage.start + min(angles) if angles else None


def _second_end(linkage: SixBar) -> float | None:
    """Of the second dyad, before the four-bar's own end."""
    if linkage.bodies is None:
        return None
    limit = _first_end(linkage)
    span = (limit - linkage.start) if limit is not None else TURN
    # Near the four-bar's end everything moves with the square root of the way left: looks crowd
    # there, and at the start, which may be just behind another end.
    u = np.linspace(0.0, 1.0, LOOKS + 1)[:-1]
    way = span * np.sin(0.5 * np.pi * u) ** 2 if limit is not None else span * u

    def left(s: float) -> float:
        return float(linkage.rooms(np.array([linkage.start + s]))[1][0])

    rooms = linkage.rooms(linkage.start + way)[1]
    for k in range(1, len(way)):
        if rooms[k] < 0.0:
            return linkage.start + _root(left, way[k - 1], way[k])
        if k > 1 and rooms[k - 1] <= min(rooms[k - 2], rooms[k]):
            dip = _lowest(left, way[k - 2], way[k])
            if left(dip) < 0.0:
                return linkage.start + _root(left, way[k - 2], dip)
    return None


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f falls below zero, by halving."""
    for _ in range(100):
        middle = 0.5 * (low + high)
        if f(middle) < 0.0:
            high = middle
        else:
            low = middle
    return low


def _lowest(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f is least between two places, by thirds; the first place below zero will do."""
    for _ in range(120):
        one, two = low + (high - low) / 3.0, high - (high - low) / 3.0
        if f(one) < 0.0:
            return one
        low, high = (low, two) if f(one) < f(two) else (one, high)
    return 0.5 * (low + high)
