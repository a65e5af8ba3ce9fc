"""Promise: motors, cylinders, magnets and friction push as their published laws say.

A slide or a hinge between stops under up to three of them at once, together with a spring: motors
on direct and alternating current (geared, with losses, started softly), oil and gas in cylinders, a
coil that closes a gap, dry friction with creep, Stribeck's bump and viscous drag; of any size, by
every method. Samples,
efforts, powers, what is stored, what is lost and every impact are compared, as in `stops.py`.

Oracle: the formulas of the docstrings in plain Python, integrated by `_one_freedom.py` with SciPy.
"""

import math
from collections.abc import Callable

import numpy as np

from kempe.drives import TextFormula
from kempe.forces import (
    DcMotor,
    DryFriction,
    Electromagnet,
    GasSpring,
    HydraulicCylinder,
    InductionMotor,
    PneumaticCylinder,
)
from tests.campaigns._one_freedom import Law, Load
from tests.campaigns.stops import Put, Scale, spring, tried

CASES = 6
REMEMBERED = (
    15_000_033,
    110_000_050,
)  # many elastic impacts by backward differences; a jump at rest
MU_0 = 1.25663706127e-6  # N/A^2
OUTSIDE = 101325.0


def attempt(rng: np.random.Generator) -> list[str]:
    """One freedom under published laws."""
    powers = 10.0 ** (rng.uniform(-3, 3, 3) * int(rng.integers(0, 2)))
    one = Scale(float(powers[0]), float(powers[1]), float(powers[2]), bool(rng.random() < 0.5))
    laws = (
        (dc_motor, induction_motor, friction)
        if one.turns
        else (hydraulic, pneumatic, gas, magnet, friction)
    )
    makers = [laws[int(k)] for k in rng.integers(0, len(laws), int(rng.integers(1, 4)))]
    puts = [make(rng, one) for make in makers]
    if rng.random() < 0.5:
        puts.append(spring(rng, one))
    return tried(rng, one, puts, *((-1.0, 1.0) if one.turns else (0.05, 1.0)))


def scaled(one: Scale, force: Callable[[float, float, float], float]) -> Law:
    """A formula in SI as one in the machine's own units."""
    return lambda t, x, v: force(t * one.time, x * one.measure, v * one.rate) / one.effort


def started(
    rng: np.random.Generator, one: Scale
) -> tuple[TextFormula | None, Callable[[float], float]]:
    """A supply: full from the start, or one that comes and swings smoothly."""
    if rng.random() < 0.5:
        return None, lambda t: 1.0
    w = float(rng.uniform(0.3, 4)) / one.time
    return TextFormula(
        "0.6 + 0.5 * sin(w * t)", ("w",), (w,)
    ), lambda t: 0.6 + 0.5 * math.sin(w * t)


def dc_motor(rng: np.random.Generator, one: Scale) -> Put:
    """T = stall (u - i w / no_load), f = i T, times e where it drives, over e where driven."""
    i = float(10.0 ** rng.uniform(-1, 2))
    stall, no_load = (
        float(rng.uniform(1, 10)) * one.effort / i,
        float(rng.uniform(0.5, 5)) * one.rate * i,
    )
    supply, u = started(rng, one)
    e = float(rng.uniform(0.5, 1)) if rng.random() < 0.3 else None

    def force(t: float, x: float, v: float) -> float:
        T = stall * (u(t) - i * v / no_load)
        if e is None:
            return i * T
        return e * i * T if T * v >= 0.0 else i * T / e

    corners: tuple[Law, ...] = ()
    if e is not None:
        corners = (
            lambda t, x, v: v,
            lambda t, x, v: u(t * one.time) - i * v * one.rate / no_load,
        )
    said = f"DcMotor {stall=!r} {no_load=!r} gear={i!r} {e=!r} {supply}"
    return Put(
        said,
        Load(scaled(one, force), None, corners),
        lambda g: DcMotor(g, stall, no_load, supply, i, e),
    )


def induction_motor(rng: np.random.Generator, one: Scale) -> Put:
    """T = 2 u^2 breakdown / (s / s_b + s_b / s)."""
    most, bump = float(rng.uniform(1, 10)) * one.effort, float(rng.uniform(0.05, 0.8))
    synchronous = float(rng.uniform(0.5, 5)) * one.rate
    supply, u = started(rng, one)

    def force(t: float, x: float, v: float) -> float:
        s = 1.0 - v / synchronous
        way = 2.0 * u(t) ** 2 * most * s * bump / (s * s + bump * bump)
        return way

    said = f"InductionMotor {most=!r} {bump=!r} {synchronous=!r} {supply}"
    return Put(
        said, Load(scaled(one, force)), lambda g: InductionMotor(g, most, bump, synchronous, supply)
    )


def friction(rng: np.random.Generator, one: Scale) -> Put:
    """f = -(F_c + (F_s - F_c) exp(-(v / v_s)^2)) tanh(v / v_d) - c v."""
    slide = float(rng.uniform(0, 4)) * one.effort
    creep = float(10.0 ** rng.uniform(-3, -0.5)) * one.rate
    bump = bool(rng.random() < 0.5)
    stick = slide * float(rng.uniform(1, 2)) if bump else slide
    fading = float(rng.uniform(0.05, 1)) * one.rate
    drag = float(rng.choice([0.0, rng.uniform(0, 1)])) * one.effort / one.rate

    def force(t: float, x: float, v: float) -> float:
        dry = slide + (stick - slide) * math.exp(-((v / fading) ** 2))
        return -dry * math.tanh(v / creep) - drag * v

    said = f"DryFriction {slide=!r} {creep=!r} {stick=!r} {fading=!r} {drag=!r} {bump=}"
    more = {"breakaway": stick, "fading": fading} if bump else {}
    return Put(
        said, Load(scaled(one, force)), lambda g: DryFriction(g, slide, creep, viscous=drag, **more)
    )


def hydraulic(rng: np.random.Generator, one: Scale) -> Put:
    """f = A p(t) - A_r p_r - rho (A^3 + A_r^3) v |v| / (2 (C_d a)^2)."""
    area = float(10.0 ** rng.uniform(-3, 0)) * one.length**2
    ring = float(rng.choice([0.0, rng.uniform(0, 1)])) * area
    p = float(rng.uniform(1, 10)) * one.effort / area
    back = float(rng.uniform(0, 5)) * one.effort / area
    supply, u = started(rng, one)
    if supply is None:
        law = TextFormula("p", ("p",), (p,))
    else:
        law = TextFormula("p * (0.6 + 0.5 * sin(w * t))", ("p", "w"), (p, supply.values[0]))
    rho = float(rng.choice([870.0, 1000.0]))
    drag = float(10.0 ** rng.uniform(-2, 1)) * one.effort / one.rate**2
    hole = math.sqrt(rho * (area**3 + ring**3) / 2 / drag) / 0.61

    def force(t: float, x: float, v: float) -> float:
        return (
            area * p * u(t)
            - ring * back
            - rho * (area**3 + ring**3) * v * abs(v) / (2 * (0.61 * hole) ** 2)
        )

    said = f"HydraulicCylinder {law} {area=!r} {hole=!r} {ring=!r} {back=!r} {rho=!r}"
    corner: Law = lambda t, x, v: v  # noqa: E731
    return Put(
        said,
        Load(scaled(one, force), None, (corner,)),
        lambda g: HydraulicCylinder(g, law, area, hole, ring, back, rho),
    )


def pneumatic(rng: np.random.Generator, one: Scale) -> Put:
    """Gas on both sides of a piston."""
    area = float(rng.uniform(0.5, 3)) * one.effort / OUTSIDE
    ring = area * float(rng.uniform(0, 1))
    p, q = (float(x) * OUTSIDE for x in rng.uniform(0.5, 3, 2))
    l, r = (float(x) * one.length for x in rng.uniform((0.2, 1.5), (2, 3)))
    at, n = (
        float(rng.uniform(0, 0.2)) * one.length,
        (None if rng.random() < 0.4 else float(rng.uniform(1.1, 1.6))),
    )
    c = float(rng.choice([0.0, 0.5])) * one.effort / one.rate
    power = 1.0 if n is None else n

    def force(t: float, x: float, v: float) -> float:
        s = x - at
        ahead = area * (p * (l / (l + s)) ** power - OUTSIDE)
        return ahead - ring * (q * (r / (r - s)) ** power - OUTSIDE) - c * v

    def chamber(A: float, p0: float, l0: float, s: float) -> float:
        if n is None:
            return A * (p0 * l0 * math.log(l0 / (l0 + s)) + OUTSIDE * s)
        return A * (p0 * l0 / (n - 1) * (l0 / (l0 + s)) ** (n - 1) + OUTSIDE * s)

    def stored(x: float) -> float:
        s = x * one.length - at
        return (chamber(area, p, l, s) + chamber(ring, q, r, -s)) / one.energy

    said = (
        f"PneumaticCylinder {area=!r} {p=!r} {l=!r} {ring=!r} {q=!r} {r=!r} {n=!r} {at=!r} {c=!r}"
    )
    return Put(
        said,
        Load(scaled(one, force), stored),
        lambda g: PneumaticCylinder(g, area, p, l, ring, q, r, exponent=n, at=at, damping=c),
    )


def gas(rng: np.random.Generator, one: Scale) -> Put:
    """f = A (p (l0 / l)^n - outside) - c m'."""
    area = float(rng.uniform(0.5, 3)) * one.effort / OUTSIDE
    p, l0 = float(rng.uniform(0.5, 4)) * OUTSIDE, float(rng.uniform(0.5, 2)) * one.length
    at, n = float(rng.uniform(0, 0.3)) * one.length, float(rng.uniform(1.05, 1.6))

    def force(t: float, x: float, v: float) -> float:
        return area * (p * (l0 / (l0 + x - at)) ** n - OUTSIDE)

    def stored(x: float) -> float:
        l = l0 + x * one.length - at
        return (area * p * l0 / (n - 1) * (l0 / l) ** (n - 1) + area * OUTSIDE * l) / one.energy

    said = f"GasSpring {p=!r} {area=!r} {l0=!r} {at=!r} {n=!r}"
    return Put(said, Load(scaled(one, force), stored), lambda g: GasSpring(g, p, area, l0, at, n))


def magnet(rng: np.random.Generator, one: Scale) -> Put:
    """f = -mu_0 N^2 I^2 A / (2 (m + residual)^2)."""
    gap, turns = float(rng.uniform(0.05, 0.5)) * one.length, float(rng.uniform(10, 2000))
    area = float(10.0 ** rng.uniform(-3, 0)) * one.length**2
    amperes = math.sqrt(
        2 * float(rng.uniform(0.2, 2)) * one.effort * one.length**2 / (MU_0 * turns**2 * area)
    )
    w = float(rng.uniform(0.5, 3)) / one.time
    law = TextFormula("i * cos(w * t)", ("i", "w"), (amperes, w))

    def force(t: float, x: float, v: float) -> float:
        return -MU_0 * (turns * amperes * math.cos(w * t)) ** 2 * area / (2 * (x + gap) ** 2)

    said = f"Electromagnet {turns=!r} {area=!r} {law} {gap=!r}"
    return Put(said, Load(scaled(one, force)), lambda g: Electromagnet(g, turns, area, law, gap))
