"""A linkage on paper: where its joints lie at the start, as complex numbers x + iy.

Every entry of the gallery that lies in the plane finds its first position with ruler and
compasses, so that putting it together is no more than a check.
"""

import cmath
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, final

from kempe.drives import Harmonic
from kempe.errors import BadNumber
from kempe.front import Builder, Mechanism, parametric
from kempe.front.parts import BodyPart
from kempe.geometry.number import finite
from kempe.measures import Gauge

TINY = 1e-12  # the distance of two points that should not have coincided
LARGEST = 1e9  # m, or rad
P = ParamSpec("P")


def entry(build: Callable[P, Mechanism]) -> Callable[P, Mechanism]:
    """A mechanism of the gallery: dimensions that are no sound numbers are refused at the door.

    What a length of the wrong sign does not fit is left to the builder, which names the bar.
    """
    expected = {n: p.default for n, p in inspect.signature(build).parameters.items()}

    @parametric
    @wraps(build)
    def checked(*args: P.args, **given: P.kwargs) -> Mechanism:
        for name, value in given.items():
            default = expected.get(name)
            if isinstance(default, float | tuple | None) and value is not default:
                for number in value if isinstance(value, tuple) else (value,):
                    _sound(number, f"{build.__name__}: {name}")
        return build(*args, **given)

    return checked


def _sound(number: object, what: str) -> None:
    size = abs(finite(number, what))
    if size > LARGEST:
        raise BadNumber(f"{what} is {size:g}: no machine is larger than {LARGEST:g} m.")


def xy(z: complex) -> tuple[float, float]:
    """The point as a pair."""
    return z.real, z.imag


def count(value: object, what: str, least: int, most: int = 1000) -> int:
    """A whole number between the two; a BadNumber where it is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadNumber(f"{what} is {value!r}: a whole number from {least} to {most}.")
    return value


def polar(length: float, angle: float) -> complex:
    """length e^(i angle)."""
    return cmath.rect(length, angle)


def root(square: float) -> float:
    """The square root of what a right triangle leaves; 0 where nothing is left."""
    return math.sqrt(square) if square > 0.0 else 0.0


def arc_cosine(cosine: float) -> float:
    """The angle whose cosine this is, or the nearest there is."""
    return math.acos(max(-1.0, min(1.0, cosine)))


def share(a: float, b: float) -> float:
    """a / b, or a very large number where b is zero, for what follows to refuse."""
    return a / b if abs(b) > TINY else math.copysign(abs(a) / TINY, a)


def opposite(a: float, b: float, c: float) -> float:
    """The angle between sides a and b of the triangle whose third side is c (law of cosines)."""
    return arc_cosine(share(a * a + b * b - c * c, 2.0 * a * b))


def dyad(a: complex, b: complex, r: float, s: float) -> complex:
    """The point at r from a and s from b, left of the line from a to b; nearest where none is.

    With d = |b - a| and u = (b - a) / d it is a + u (x + iy), x = (r^2 - s^2 + d^2) / 2d.
    """
    d = abs(b - a) or TINY
    x = (r * r - s * s + d * d) / (2.0 * d)
    return a + (b - a) / d * complex(x, root(r * r - x * x))


def bar(
    m: Builder,
    name: str,
    start: complex,
    towards: complex,
    length: float,
    points: Mapping[str, tuple[float, float]] | None = None,
) -> BodyPart:
    """A bar of that length that starts there and points towards another place."""
    angle = cmath.phase(towards - start)
    return m.bar(name, length, at=xy(start), angle=angle, points=points)


@final
@dataclass(frozen=True, slots=True)
class FourBar:
    """The three moving bars of a four-bar loop, and where its middle hinges lie at the start."""

    crank: BodyPart
    coupler: BodyPart
    rocker: BodyPart
    B: complex
    C: complex


def four_bar_loop(
    m: Builder,
    A: complex,
    D: complex,
    lengths: tuple[float, float, float],
    angle: float,
    *,
    names: tuple[str, str, str] = ("crank", "coupler", "rocker"),
    hinges: str = "ABCD",
    left: bool = True,
    points: tuple[Mapping[str, tuple[float, float]] | None, ...] = (None, None, None),
) -> FourBar:
    """Crank from A at that angle, coupler, and rocker from D, hinged; C lies left of B to D.

    `lengths`, `names` and `points` are in the order crank, coupler, rocker.
    """
    r, b, s = lengths
    B, D = A + polar(r, angle), complex(D)
    C = dyad(B, D, b, s) if left else dyad(D, B, s, b)
    crank = m.bar(names[0], r, at=xy(A), angle=angle, points=points[0])
    coupler = bar(m, names[1], B, C, b, points[1])
    rocker = bar(m, names[2], D, C, s, points[2])
    m.revolute(m.ground.at(*xy(A)), crank.start, name=hinges[0])
    m.revolute(crank.end, coupler.start, name=hinges[1])
    m.revolute(coupler.end, rocker.end, name=hinges[2])
    m.revolute(m.ground.at(*xy(D)), rocker.start, name=hinges[3])
    return FourBar(crank, coupler, rocker, B, C)


def four_bar_with_point(
    name: str,
    D: complex,
    lengths: tuple[float, float, float],
    angle: float,
    P: tuple[float, float],
    *,
    names: tuple[str, str, str] = ("crank", "coupler", "rocker"),
    left: bool = True,
) -> tuple[Builder, FourBar]:
    """A four-bar in the plane between (0, 0) and D, with P on its coupler."""
    m = Builder(name, plane=True)
    points = (None, {"P": P}, None)
    return m, four_bar_loop(m, 0, D, lengths, angle, names=names, left=left, points=points)


def swing(m: Builder, gauge: Gauge, at: float, amplitude: float, phase: float = 0.0) -> None:
    """Drive a measure to and fro, once per second, from where it stands.

    f = at + amplitude (sin(2 pi t + phase) - sin(phase))
    """
    mean = at - amplitude * math.sin(phase)
    m.drive(gauge, Harmonic(mean=mean, amplitude=amplitude, frequency=1.0, phase=phase))
