"""Crank-rockers of uniform bars: as kempe builds them, and their motion in closed form."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kempe as kp

FloatArray = NDArray[np.float64]
GRID = 1024  # angles of one turn


class Bars(NamedTuple):
    """The three bars of one of them, as the builder made them."""

    crank: Any
    coupler: Any
    rocker: Any


class CrankRocker(NamedTuple):
    """Lengths and masses of crank, coupler and rocker, the ground's length, and the first angle."""

    lengths: tuple[float, float, float]  # m
    ground: float  # m, along x
    masses: tuple[float, float, float]  # kg
    first: float  # rad, of the crank

    @classmethod
    def drawn(cls, rng: np.random.Generator, size: float) -> "CrankRocker":
        """One whose crank turns fully, and never comes near a dead point."""
        while True:
            crank = float(rng.uniform(0.2, 0.5))
            coupler, rocker, ground = (float(x) for x in rng.uniform(0.9, 1.6, 3))
            longest = max(coupler, rocker, ground)
            if crank + longest < coupler + rocker + ground - longest - 0.1:
                break
        masses = tuple(float(x) for x in 10.0 ** rng.uniform(-1, 1, 3))
        lengths = (crank * size, coupler * size, rocker * size)
        first = float(rng.uniform(-3, 3))
        return cls(lengths, ground * size, (masses[0], masses[1], masses[2]), first)

    def built(self, m: kp.Builder, mark: str = "", x: float = 0.0) -> Bars:
        """Its bars and hinges A, B, C, D in a builder, put where they are to start."""
        a = np.array([self.first])
        b, c = (float(angle[0]) for angle in self.angles(a))
        crank = self.lengths[0]
        tip = (x + crank * math.cos(self.first), crank * math.sin(self.first))

        def bar(k: int, name: str, at: tuple[float, float], angle: float) -> Any:
            length, mass = self.lengths[k], self.masses[k]
            moment = mass * length**2 / 12.0
            tensor = np.diag([0.1 * moment, moment, moment])
            inertia = kp.Inertia(mass, (length / 2.0, 0.0, 0.0), tensor)
            place = at if m.plane else (*at, 0.0)
            return m.bar(name + mark, length, at=place, angle=angle, inertia=inertia)

        bars = Bars(
            bar(0, "crank", (x, 0.0), self.first),
            bar(1, "coupler", tip, b),
            bar(2, "rocker", (x + self.ground, 0.0), c),
        )
        m.revolute(m.ground.at(x, 0), bars.crank.start, name="A" + mark)
        m.revolute(bars.crank.end, bars.coupler.start, name="B" + mark)
        m.revolute(bars.coupler.end, bars.rocker.end, name="C" + mark)
        m.revolute(m.ground.at(x + self.ground, 0), bars.rocker.start, name="D" + mark)
        return bars

    def angles(self, a: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Coupler's and rocker's angles by the cosine rule, without jumps."""
        crank, coupler, rocker = self.lengths
        to_hinge = self.ground - crank * np.exp(1j * a)  # from the crank's end
        gap, lean = np.abs(to_hinge), np.angle(to_hinge)
        at_tip = np.arccos((coupler**2 + gap**2 - rocker**2) / (2.0 * coupler * gap))
        at_hinge = np.arccos((rocker**2 + gap**2 - coupler**2) / (2.0 * rocker * gap))
        return lean + at_tip, lean + math.pi - at_hinge

    def slopes(self, a: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Derivatives of coupler's and rocker's angles by the crank's."""
        crank, coupler, rocker = self.lengths
        b, c = self.angles(a)
        across = np.sin(b - c)
        return (
            -crank * np.sin(a - c) / (coupler * across),
            -crank * np.sin(a - b) / (rocker * across),
        )

    def inertia(self, a: FloatArray) -> FloatArray:
        """M(a) of the kinetic energy M a'^2 / 2."""
        crank, coupler, rocker = self.lengths
        (b, _), (db, dc) = self.angles(a), self.slopes(a)
        middle = np.abs(crank * np.exp(1j * a) + 0.5 * coupler * db * np.exp(1j * b))
        moving = middle**2 + (coupler * db) ** 2 / 12.0
        m = self.masses
        return np.asarray(m[0] * crank**2 / 3.0 + m[1] * moving + m[2] * (rocker * dc) ** 2 / 3.0)

    def height(self, a: FloatArray) -> FloatArray:
        """Sum of masses times heights."""
        crank, coupler, rocker = self.lengths
        b, c = self.angles(a)
        m = self.masses
        return np.asarray(
            m[0] * crank / 2.0 * np.sin(a)
            + m[1] * (crank * np.sin(a) + coupler / 2.0 * np.sin(b))
            + m[2] * rocker / 2.0 * np.sin(c)
        )

    def speed(self, rate: float, gravity: float) -> Callable[[FloatArray], FloatArray]:
        """The crank's rate at any angle, by the energy that it has at first."""
        first = np.array([self.first])
        whole = self.inertia(first) * rate**2 / 2.0 + gravity * self.height(first)

        def at(a: FloatArray) -> FloatArray:
            moving = 2.0 * (whole - gravity * self.height(a)) / self.inertia(a)
            return np.asarray(math.copysign(1.0, rate) * np.sqrt(np.maximum(moving, 0.0)))

        return at

    def fast(self, rng: np.random.Generator, gravity: float) -> float:
        """A first rate of the crank with which it turns on and on."""
        round_ = np.linspace(0.0, math.tau, 100)
        lift = float(np.ptp(self.height(round_)))
        least = 2.0 * gravity * lift / float(self.inertia(np.array([self.first]))[0])
        own = gravity / self.lengths[0]
        return float(rng.choice([-1, 1]) * math.sqrt(rng.uniform(1.5, 4.0) * least + own))

    def let_go(self, rate: float, gravity: float, t: FloatArray) -> FloatArray:
        """The crank's angle at times: t = integral of da / a'(a), a Fourier series, inverted."""
        at, way = self.speed(rate, gravity), math.copysign(1.0, rate)
        u = np.linspace(0.0, math.tau, GRID + 1)
        series = np.fft.rfft(1.0 / np.abs(at(self.first + way * u[:-1]))) / GRID
        k = np.arange(1, len(series) // 2)
        waves = 2.0 * series[k] / (1j * k)

        def passed(u: FloatArray) -> FloatArray:
            turned = np.exp(1j * np.outer(u, k)) - 1.0
            return np.asarray(series[0].real * u + (turned @ waves).real)

        turns, rest = np.divmod(t, math.tau * series[0].real)
        found = np.interp(rest, passed(u), u)
        for _ in range(4):  # Newton's steps from a neighbour on the grid
            found += (rest - passed(found)) * np.abs(at(self.first + way * found))
        return np.asarray(self.first + way * (math.tau * turns + found))
