"""The linkages of an atlas: how they are drawn at random, where they stand, and as mechanisms.

The crank is 1 long, turns about 0 and begins along x. Places are complex numbers, x + iy.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.front import Builder, Mechanism, parametric
from kempe.synthesis.candidate import four_bar_at

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
Columns = Mapping[str, FloatArray]
Joints = dict[str, ComplexArray]  # (..., angles): where each joint is

LONGEST: Final = 6.0  # cranks
LEEWAY: Final = 0.05  # cranks by which Grashof's rule is kept
SPARE: Final = 1.02  # of what a dyad has to reach
LOOKS: Final = 72  # angles of the crank at which a dyad must reach
FAR: Final = 5.0  # cranks: of a second ground pivot from the middle of the curve that drives it


class AbstractLinkage(ABC):
    """A kind of linkage that draws closed curves, one turn of its crank each."""

    word: ClassVar[str]  # what it is called in files and on the command line
    names: ClassVar[tuple[str, ...]]  # its numbers, in cranks
    point: ClassVar[str]  # that draws
    lines: ClassVar[tuple[tuple[str, ...], ...]]  # joints that bars connect, as drawn
    places: ClassVar[tuple[str, ...]]  # parameters of a mechanism that are coordinates
    bars: ClassVar[tuple[str, ...]]  # and those that are lengths

    @abstractmethod
    def drawn(self, rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
        """Numbers of `count` linkages whose cranks turn fully, at random."""

    @abstractmethod
    def joints(self, numbers: Columns, angles: FloatArray) -> Joints:
        """Where joints are at angles (n,) of the crank, for numbers with shapes (..., 1)."""

    @abstractmethod
    def mechanism(self, joints: Joints, units: str) -> Mechanism:
        """A mechanism whose joints are where these are first; its crank makes a turn a second."""

    @abstractmethod
    def home(self) -> Mechanism:
        """The linkage that all variants are led from."""

    @abstractmethod
    def parameters(self, numbers: Columns) -> dict[str, FloatArray]:
        """The numbers, by the names that `home` knows them under."""

    def lengths(self, joints: Joints) -> dict[str, float]:
        """Its bars as they are told."""
        one = {name: complex(np.ravel(z)[0]) for name, z in joints.items()}
        return {name: abs(one[b] - one[a]) for name, (a, b) in self.told.items()}

    told: ClassVar[Mapping[str, tuple[str, str]]]  # bars by the joints at their ends


def circles_meet(a: ComplexArray, b: ComplexArray, r: FloatArray, s: FloatArray) -> ComplexArray:
    """The place r from a and s from b, on the left of the way from a to b."""
    gap = b - a
    d = np.abs(gap)
    x = (r * r - s * s + d * d) / (2.0 * d)
    height = np.sqrt(np.maximum(r * r - x * x, 0.0))
    return np.asarray(a + gap / d * (x + 1j * height))


def _on(a: ComplexArray, b: ComplexArray, length: FloatArray, p: ComplexArray) -> ComplexArray:
    """A place p of the bar from a to b, along it and to its left."""
    return np.asarray(a + p * (b - a) / length)


def _bars(rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
    """Ground, coupler and rocker of crank-rockers by Grashof's rule, the crank (1) the shortest."""
    bars = np.zeros((0, 3))
    while len(bars) < count:
        some = rng.uniform(1.0 + LEEWAY, LONGEST, (4 * count, 3))
        longest = some.max(axis=1)
        turns = 1.0 + longest + LEEWAY < some.sum(axis=1) - longest
        bars = np.vstack([bars, some[turns]])
    ground, coupler, rocker = bars[:count].T
    return {"ground": ground, "coupler": coupler, "rocker": rocker}


def _place(rng: np.random.Generator, length: FloatArray, x: str, y: str) -> dict[str, FloatArray]:
    """A place on a bar or beside it."""
    return {
        x: rng.uniform(-1.0, 2.0, len(length)) * length,
        y: rng.uniform(-1.5, 1.5, len(length)) * length,
    }


def _angle(joints: Joints, a: str, b: str) -> float:
    return float(np.angle(_first(joints, b) - _first(joints, a)))


def _first(joints: Joints, name: str) -> complex:
    return complex(np.ravel(joints[name])[0])


def _seen(joints: Joints, a: str, b: str, place: str) -> complex:
    """A place in the axes of the bar from a to b."""
    A, B, P = (_first(joints, name) for name in (a, b, place))
    return (P - A) / ((B - A) / abs(B - A))


@final
class FourBar(AbstractLinkage):
    """Crank, coupler and rocker; a point of the coupler draws."""

    word = "four-bar"
    names = ("ground", "coupler", "rocker", "px", "py")
    point = "coupler.P"
    lines = (("A", "B"), ("B", "C", "P", "B"), ("C", "D"))
    places = ("ax", "ay", "bx", "by", "px", "py")
    bars = ("crank", "coupler", "rocker")
    told: ClassVar[Mapping[str, tuple[str, str]]] = {
        "crank": ("A", "B"),
        "coupler": ("B", "C"),
        "rocker": ("D", "C"),
        "ground": ("A", "D"),
    }

    def drawn(self, rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
        bars = _bars(rng, count)
        return bars | _place(rng, bars["coupler"], "px", "py")

    def joints(self, numbers: Columns, angles: FloatArray) -> Joints:
        B = np.exp(1j * angles)
        D = numbers["ground"] + 0.0j * B
        C = circles_meet(B, D, numbers["coupler"], numbers["rocker"])
        P = _on(B, C, numbers["coupler"], numbers["px"] + 1j * numbers["py"])
        return {"A": 0.0 * D, "B": B + 0.0 * D, "C": C, "D": D, "P": P}

    def mechanism(self, joints: Joints, units: str) -> Mechanism:
        A, D = (_first(joints, name) for name in "AD")
        p = _seen(joints, "B", "C", "P")
        bars = {n: x for n, x in self.lengths(joints).items() if n != "ground"}
        return four_bar_at(
            ax=A.real, ay=A.imag, bx=D.real, by=D.imag, px=p.real, py=p.imag, **bars,
            start=_angle(joints, "A", "B"), coupler_angle=_angle(joints, "B", "C"),
            rocker_angle=_angle(joints, "D", "C"), units=units,
        )  # fmt: skip

    def home(self) -> Mechanism:
        numbers = {"ground": 3.0, "coupler": 3.0, "rocker": 2.5, "px": 1.5, "py": 1.0}
        return self.mechanism(self.joints(_columns(numbers), np.zeros(1)), "m")

    def parameters(self, numbers: Columns) -> dict[str, FloatArray]:
        return _renamed(numbers, ground="bx")


@parametric
def slider_crank_at(
    *, ax: float, ay: float, sx: float, sy: float, tilt: float, crank: float, rod: float,
    px: float, py: float, start: float, rod_angle: float, units: str = "m",
) -> Mechanism:  # fmt: skip
    """A slider-crank on a pivot (ax, ay), whose slider moves through (sx, sy) at the angle `tilt`.

    Point P is at (px, py) of its rod. The crank starts at the angle `start` (rad) and makes one
    turn per second; the angle of the rod says which of two assemblies it is. Lengths are in
    `units`.
    """
    m = Builder("slider-crank", plane=True, units=units)
    one = m.bar("crank", crank, at=(ax, ay), angle=start)
    end = (ax + crank * math.cos(start), ay + crank * math.sin(start))
    two = m.bar("rod", rod, points={"P": (px, py)}, at=end, angle=rod_angle)
    pin = (end[0] + rod * math.cos(rod_angle), end[1] + rod * math.sin(rod_angle))
    slider = m.body("slider", at=pin)
    m.revolute(m.ground.at(ax, ay), one.start, name="A")
    m.revolute(one.end, two.start, name="B")
    m.revolute(two.end, slider.at(0, 0), name="C")
    along = (math.cos(tilt), math.sin(tilt))
    m.prismatic(m.ground.at(sx, sy), slider.at(0, 0), along=along, name="guide")
    m.drive(one.angle, start=start, rpm=60)
    return m.build()


@final
class SliderCrank(AbstractLinkage):
    """Crank, rod and a slider that moves along x; a point of the rod draws."""

    word = "slider-crank"
    names = ("rod", "offset", "px", "py")
    point = "rod.P"
    lines = (("A", "B"), ("B", "C", "P", "B"), ("S", "T"))
    places = ("ax", "ay", "sx", "sy", "px", "py")
    bars = ("crank", "rod")
    told: ClassVar[Mapping[str, tuple[str, str]]] = {"crank": ("A", "B"), "rod": ("B", "C")}

    def drawn(self, rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
        offset = rng.uniform(0.0, 0.5 * LONGEST, count)  # its mirror image has the other sign
        rod = rng.uniform(1.0 + offset + LEEWAY, 1.0 + offset + LONGEST)
        return {"rod": rod, "offset": offset} | _place(rng, rod, "px", "py")

    def joints(self, numbers: Columns, angles: FloatArray) -> Joints:
        B = np.exp(1j * angles)
        rise = numbers["offset"] - B.imag
        C = B.real + np.sqrt(numbers["rod"] ** 2 - rise * rise) + 1j * numbers["offset"]
        P = _on(B, C, numbers["rod"], numbers["px"] + 1j * numbers["py"])
        S, T = (x + 1j * numbers["offset"] + 0.0 * C for x in (0.0, 1.0 + numbers["rod"]))
        return {"A": 0.0 * C, "B": B + 0.0 * C, "C": C, "P": P, "S": S, "T": T}

    def mechanism(self, joints: Joints, units: str) -> Mechanism:
        A, S = (_first(joints, name) for name in "AS")
        p = _seen(joints, "B", "C", "P")
        return slider_crank_at(
            ax=A.real, ay=A.imag, sx=S.real, sy=S.imag, tilt=_angle(joints, "S", "T"),
            px=p.real, py=p.imag, **self.lengths(joints),
            start=_angle(joints, "A", "B"), rod_angle=_angle(joints, "B", "C"), units=units,
        )  # fmt: skip

    def home(self) -> Mechanism:
        numbers = {"rod": 3.0, "offset": 0.5, "px": 1.5, "py": 1.0}
        return self.mechanism(self.joints(_columns(numbers), np.zeros(1)), "m")

    def parameters(self, numbers: Columns) -> dict[str, FloatArray]:
        return _renamed(numbers, offset="sy")


@parametric
def six_bar_at(
    *, ax: float, ay: float, bx: float, by: float, ex: float, ey: float, crank: float,
    coupler: float, rocker: float, jx: float, jy: float, link: float, follower: float,
    px: float, py: float, start: float, coupler_angle: float, rocker_angle: float,
    link_angle: float, follower_angle: float, units: str = "m",
) -> Mechanism:  # fmt: skip
    """Stephenson's third six-bar: a four-bar whose coupler drives a link and a follower.

    The crank turns about (ax, ay), the rocker about (bx, by), the follower about (ex, ey). The link
    hangs on (jx, jy) of the coupler and holds the follower's end; its point (px, py) is P. The
    crank starts at the angle `start` (rad) and makes one turn per second; the other angles say
    which of its assemblies it is. Lengths are in `units`.
    """
    m = Builder("six-bar", plane=True, units=units)
    one = m.bar("crank", crank, at=(ax, ay), angle=start)
    two = m.bar("coupler", coupler, points={"J": (jx, jy)}, angle=coupler_angle)
    three = m.bar("rocker", rocker, at=(bx, by), angle=rocker_angle)
    four = m.bar("link", link, points={"P": (px, py)}, angle=link_angle)
    five = m.bar("follower", follower, at=(ex, ey), angle=follower_angle)
    m.revolute(m.ground.at(ax, ay), one.start, name="A")
    m.revolute(one.end, two.start, name="B")
    m.revolute(two.end, three.end, name="C")
    m.revolute(m.ground.at(bx, by), three.start, name="D")
    m.revolute(two.at(jx, jy), four.start, name="J")
    m.revolute(four.end, five.end, name="F")
    m.revolute(m.ground.at(ex, ey), five.start, name="E")
    m.drive(one.angle, start=start, rpm=60)
    return m.build()


@final
class SixBar(AbstractLinkage):
    """A four-bar whose coupler moves a link and a follower; a point of the link draws.

    Source: [NortonMachinery] ch. 2: Stephenson's third chain.
    """

    word = "six-bar"
    names = (
        *("ground", "coupler", "rocker", "jx", "jy"),
        *("ex", "ey", "link", "follower"),
        *("px", "py"),
    )
    point = "link.P"
    lines = (("A", "B"), ("B", "C", "J", "B"), ("C", "D"), ("J", "F", "P", "J"), ("F", "E"))
    places = ("ax", "ay", "bx", "by", "ex", "ey", "jx", "jy", "px", "py")
    bars = ("crank", "coupler", "rocker", "link", "follower")
    told: ClassVar[Mapping[str, tuple[str, str]]] = {
        "crank": ("A", "B"), "coupler": ("B", "C"), "rocker": ("D", "C"), "link": ("J", "F"),
        "follower": ("E", "F"),
    }  # fmt: skip

    def drawn(self, rng: np.random.Generator, count: int) -> dict[str, FloatArray]:
        bars = _bars(rng, count)
        numbers = bars | _place(rng, bars["coupler"], "jx", "jy")
        each = {name: x[:, None] for name, x in numbers.items()}
        turn = np.asarray(np.arange(LOOKS) * (2.0 * np.pi / LOOKS), dtype=np.float64)
        J = _driving(each, turn)[2]
        E = J.mean(axis=1) + FAR * np.sqrt(rng.uniform(0.0, 1.0, count)) * np.exp(
            2j * np.pi * rng.uniform(0.0, 1.0, count)
        )
        away = np.abs(J - E[:, None])
        both = SPARE * away.max(axis=1) * rng.uniform(1.0, 2.0, count)
        rest = away.min(axis=1) / SPARE * rng.uniform(-1.0, 1.0, count)
        link, follower = 0.5 * (both + rest), 0.5 * (both - rest)
        numbers |= {"ex": E.real, "ey": E.imag, "link": link, "follower": follower}
        return numbers | _place(rng, link, "px", "py")

    def joints(self, numbers: Columns, angles: FloatArray) -> Joints:
        B, C, J = _driving(numbers, angles)
        D, E = numbers["ground"] + 0.0 * J, numbers["ex"] + 1j * numbers["ey"] + 0.0 * J
        F = circles_meet(J, E, numbers["link"], numbers["follower"])
        P = _on(J, F, numbers["link"], numbers["px"] + 1j * numbers["py"])
        return {"A": 0.0 * J, "B": B + 0.0 * J, "C": C, "D": D, "E": E, "F": F, "J": J, "P": P}

    def mechanism(self, joints: Joints, units: str) -> Mechanism:
        A, D, E = (_first(joints, name) for name in "ADE")
        p, j = _seen(joints, "J", "F", "P"), _seen(joints, "B", "C", "J")
        return six_bar_at(
            ax=A.real, ay=A.imag, bx=D.real, by=D.imag, ex=E.real, ey=E.imag,
            jx=j.real, jy=j.imag, px=p.real, py=p.imag, **self.lengths(joints),
            start=_angle(joints, "A", "B"), coupler_angle=_angle(joints, "B", "C"),
            rocker_angle=_angle(joints, "D", "C"), link_angle=_angle(joints, "J", "F"),
            follower_angle=_angle(joints, "E", "F"), units=units,
        )  # fmt: skip

    def home(self) -> Mechanism:
        numbers = {
            "ground": 3.0, "coupler": 3.0, "rocker": 2.5, "jx": 1.5, "jy": 1.0, "ex": 4.0,
            "ey": 3.0, "link": 4.0, "follower": 3.5, "px": 2.0, "py": 1.0,
        }  # fmt: skip
        return self.mechanism(self.joints(_columns(numbers), np.zeros(1)), "m")

    def parameters(self, numbers: Columns) -> dict[str, FloatArray]:
        return _renamed(numbers, ground="bx")


def _driving(
    numbers: Columns, angles: FloatArray
) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
    """The four-bar that drives a six-bar: B, C and the place J of its coupler."""
    B = np.exp(1j * angles)
    D = numbers["ground"] + 0.0j * B
    C = circles_meet(B, D, numbers["coupler"], numbers["rocker"])
    return B, C, _on(B, C, numbers["coupler"], numbers["jx"] + 1j * numbers["jy"])


def _columns(numbers: Mapping[str, float]) -> dict[str, FloatArray]:
    return {name: np.array([float(x)]) for name, x in numbers.items()}


def _renamed(numbers: Columns, **names: str) -> dict[str, FloatArray]:
    return {names.get(name, name): x for name, x in numbers.items()}


LINKAGES: Final[Mapping[str, AbstractLinkage]] = {
    kind.word: kind for kind in (FourBar(), SliderCrank(), SixBar())
}
