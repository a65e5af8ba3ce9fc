"""Promise: whatever forces, joints and couplers do, energies add up, over every switch of a force.

Oracle: kinetic energy from poses, velocities and masses; stored energy from the definition of each
force, both written here in NumPy. What is missing of their sum has been dissipated; where only
springs and dampers act, that never falls. Where every force says what it takes at an instant, as
loads do (a formula of time, places and speeds in NumPy), its integral over the samples is the same.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

import kempe as kp
from kempe.couplers import Belt, GearPair
from kempe.drives import Table
from kempe.forces import (
    Acting,
    Actuator,
    Attraction,
    Bushing,
    Control,
    GasSpring,
    LineSpring,
    NonlinearSpring,
    SpringDamper,
    TorsionSpring,
)
from kempe.geometry import Marker
from kempe.joints import Cylindrical, Planar, Prismatic, Revolute, Spherical, Universal
from kempe.measures import Distance, Gauge
from tests.campaigns._loads_in_numpy import load
from tests.campaigns._moved_bodies import Acts, Motion

CASES = 12
GRAVITY = np.array([1.0, -2.0, -9.0])
TOLERANCE = 1e-8
PER_STEP = 10.0  # errors of all steps add up at worst
ROUNDING = 1e-10  # of the sum of all energies: formulas here and there are not the same
JOINTS = (Revolute, Prismatic, Cylindrical, Spherical, Universal, Planar)
UNTIL, SAMPLES = 1.0, 200
FINELY = 10  # times as many samples where powers are integrated over them
DEGREE = 5  # of the spline through powers
RUNAWAY = 1e4  # m/s, rad/s: loads that feed what they push leave no steps to any end
LOADED = 0.5  # share of cases in which loads act


def attempt(rng: np.random.Generator) -> list[str]:
    """Two bodies on joints of any kind, perhaps geared, with one to three forces of any kind."""
    m = kp.Builder("forces", gravity=tuple(GRAVITY.tolist()))
    geared = bool(rng.random() < 0.25)
    kinds = [Revolute, Revolute] if geared else [JOINTS[k] for k in rng.integers(0, 6, 2)]
    places = rng.normal(size=(2, 3)) * 0.3
    bodies, joints, inertias = [], [], []
    for k, kind in enumerate(kinds):
        mass, centre = float(10.0 ** rng.uniform(-1, 1)), rng.normal(size=3) * 0.2
        inertias.append(kp.Inertia(mass, centre, mass * _tensor(rng)))
        at = tuple(places[k].tolist())
        bodies.append(m.body(f"body{k}", at=at, inertia=inertias[k]))
        z = (0.0, 0.0, 1.0) if geared else tuple(rng.normal(size=3).tolist())
        seat = m.ground.at(*at)
        if k and not geared and rng.random() < 0.5:
            seat = bodies[0].at(*(places[1] - places[0]).tolist())
        joint = kind(seat.facing(z), bodies[k].at(0, 0, 0).facing(z))
        joints.append(m.add(joint, f"joint{k}"))
    if geared:
        turns, ratio = (joints[0].angle, joints[1].angle), int(rng.integers(1, 4))
        coupler = (
            GearPair(turns, teeth=(10, 10 * ratio)) if ratio > 1 else Belt(turns, radii=(1, 2))
        )
        m.couple(coupler, "coupler")
    acting = []
    for number in range(int(rng.integers(1, 4))):
        k = int(rng.integers(0, 2))
        hinge = joints[k].angle if kinds[k] is Revolute else None
        hinge = hinge if hinge is not None and hinge.I.body == "ground" else None
        acting.append((k, _force(rng, m, bodies[k], k, places[k], hinge)))
        m.force(acting[-1][1].force, f"force{number}")
    is_loaded = bool(rng.random() < LOADED)
    for number in range(int(rng.integers(1, 3)) if is_loaded else 0):
        k = int(rng.integers(0, 2))
        acting.append((k, load(rng, m, bodies, places, k)))
        m.force(acting[-1][1].force, f"load{number}")
    plan = str(rng.choice(["small", "large"]))
    steps = SAMPLES * (FINELY if is_loaded else 1)
    run = m.build().simulate(until=UNTIL, steps=steps, tolerance=TOLERANCE, plan=plan)
    told = ", ".join(
        [k.__name__ for k in kinds] + [repr(one.force)[:300] for _, one in acting] + [plan]
    )
    return _judged(run, inertias, acting, told)


def _judged(
    run: Any, inertias: list[kp.Inertia], acting: list[tuple[int, Acts]], told: str
) -> list[str]:
    motion, energy = run.motion, run.energy
    if not run.outcome.is_done:
        runs_away = float(np.abs(motion.v).max(initial=0.0)) > RUNAWAY
        return [] if runs_away else [f"{run.outcome}: {told}"]
    moves = [
        Motion.of(motion.q[:, 7 * k : 7 * k + 7], motion.v[:, 6 * k : 6 * k + 6]) for k in (0, 1)
    ]
    kinetic = sum(move.kinetic(one) for move, one in zip(moves, inertias, strict=True))
    stored = sum(
        -one.mass * (move.at(one.centre) @ GRAVITY)
        for move, one in zip(moves, inertias, strict=True)
    )
    for k, one in acting:
        stored = stored + one.stored(moves[k])
    lost = -(kinetic + stored - kinetic[0] - stored[0])
    moved = kinetic.max() + np.ptp(stored) + np.abs(lost).max()
    steps = motion.counts["steps"] + 10
    size = np.abs(kinetic).max() + np.abs(stored).max()
    allowed = PER_STEP * TOLERANCE * steps * moved + ROUNDING * size
    wrong = []
    for word, mine, theirs in (
        ("kinetic", kinetic, energy.kinetic),
        ("potential", stored - stored[0], energy.potential - energy.potential[0]),
        ("dissipated", lost, energy.dissipated),
    ):
        off = float(np.abs(mine - theirs).max())
        if not off <= allowed:
            wrong.append(f"{word} is off by {off:.3g} of {moved:.3g} J: {told}")
    if all(one.takes is not None for _, one in acting):
        taken = sum(one.takes(run.t, moves) for _, one in acting if one.takes is not None)
        mine, doubt = _integral(run.t, taken)
        off = float(np.abs(mine - energy.dissipated).max())
        if not off <= allowed + doubt:
            wrong.append(f"the works of forces are off by {off:.3g} of {moved:.3g} J: {told}")
    if all(one.only_takes for _, one in acting):
        falls = float(-np.diff(energy.dissipated).min())
        if falls > allowed:
            wrong.append(f"dissipated falls by {falls:.3g} of {moved:.3g} J: {told}")
    return wrong


def _integral(t: np.ndarray, power: np.ndarray) -> tuple[np.ndarray, float]:
    """The integral of samples from the first one on, and what half as many samples doubt of it."""
    fine, rough = (
        make_interp_spline(t[::each], power[::each], DEGREE).antiderivative() for each in (1, 2)
    )
    values = fine(t) - fine(t[0])
    return values, float(np.abs(values - (rough(t) - rough(t[0]))).max())


def _tensor(rng: np.random.Generator) -> np.ndarray:
    places = rng.normal(size=(4, 3)) * 0.2
    cross = np.einsum("ki,kj->ij", places, places)
    return np.trace(cross) * np.eye(3) - cross


def _nothing(t: np.ndarray, moves: list[Motion]) -> np.ndarray:
    return np.zeros(len(t))


def _force(
    rng: np.random.Generator,
    m: kp.Builder,
    body: Any,
    number: int,
    at: np.ndarray,
    hinge: Gauge | None,
) -> Acts:
    """One force of any kind between the ground and a body, and its energy."""
    off, hook = rng.normal(size=3) * 0.3, at + rng.normal(size=3)
    I, J = m.ground.at(*hook.tolist()), body.at(*off.tolist())
    gauge = Gauge("distance", Distance(), I, J)
    k, c = float(10.0 ** rng.uniform(0, 3)), float(rng.choice([0.0, rng.uniform(0.1, 10)]))
    free = float(np.linalg.norm(at + off - hook) * rng.uniform(0.8, 1.2))

    def length(move: Motion) -> np.ndarray:
        return np.linalg.norm(move.at(off) - hook, axis=1)

    def damped(_: np.ndarray, moves: list[Motion]) -> np.ndarray:
        move = moves[number]
        line = move.at(off) - hook
        rate = (line * move.speed(off)).sum(axis=1) / np.linalg.norm(line, axis=1)
        return c * rate**2

    makers = [_line, _linear, _nonlinear, _gas, _attraction, _bushing, _blind]
    if hinge is not None and rng.random() < 0.3:
        theta = float(rng.normal())
        spring = TorsionSpring(hinge, k, c, theta)

        def damped_turn(_: np.ndarray, moves: list[Motion]) -> np.ndarray:
            axis = np.array([float(x) for x in hinge.I.pose.rotation.z])
            spin = np.einsum("kij,kj->ki", moves[number].R, moves[number].w)
            return c * (spin @ axis) ** 2

        return Acts(
            spring,
            lambda move: 0.5 * k * (_turned(move, hinge) - theta) ** 2,
            True,
            damped_turn,
        )
    make = makers[int(rng.integers(0, len(makers)))]
    made = make(rng, (I, J), gauge, (k, c, free), length)
    is_one_sided = getattr(made.force, "acting", Acting.BOTH) is not Acting.BOTH
    if make is _blind or (c and (is_one_sided or make is _bushing)):
        return made
    return replace(made, takes=_nothing if make is _attraction else damped)


Ends = tuple[Marker, Marker]
Numbers = tuple[float, float, float]
Length = Callable[[Motion], np.ndarray]


def _turned(move: Motion, hinge: Gauge) -> np.ndarray:
    """The angle of a hinge of the ground between its two markers, whole turns counted."""
    I, J = (np.array(m.rotation.matrix(), dtype=float) for m in (hinge.I, hinge.J))
    turned = I.T @ move.R @ J
    return np.unwrap(np.arctan2(turned[:, 1, 0], turned[:, 0, 0]))


def _part(acting: Acting, s: np.ndarray) -> np.ndarray:
    if acting is Acting.TENSION:
        return np.maximum(s, 0.0)
    return np.minimum(s, 0.0) if acting is Acting.COMPRESSION else s


def _line(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    k, c, free = numbers
    acting = list(Acting)[rng.integers(0, 3)]
    preload = float(rng.normal()) if acting is Acting.BOTH else 0.0

    def stored(move: Motion) -> np.ndarray:
        s = _part(acting, length(move) - free)
        return 0.5 * k * s * s + preload * length(move)

    return Acts(LineSpring(*ends, k, c, free, preload, acting), stored, True)


def _linear(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    k, c, free = numbers
    preload = float(rng.normal())
    spring = SpringDamper(gauge, k, c, free, preload)
    return Acts(spring, lambda x: 0.5 * k * (length(x) - free) ** 2 - preload * length(x), True)


def _nonlinear(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    k, c, free = numbers
    acting = list(Acting)[rng.integers(0, 3)]
    if rng.random() < 0.5:
        spring = NonlinearSpring(gauge, f"{k} * t + {k} * t^3", c, free, acting)

        def stored(move: Motion) -> np.ndarray:
            s = _part(acting, length(move) - free)
            return k * (0.5 * s**2 + 0.25 * s**4)

        return Acts(spring, stored, True)
    slope = k * 0.1  # two straight pieces and levels beyond them, drawn as a table of two points
    table = Table(((-0.1, -slope), (0.1, slope)))

    def area(move: Motion) -> np.ndarray:
        s = _part(acting, length(move) - free)
        inside = np.clip(s, -0.1, 0.1)
        return 0.5 * slope / 0.1 * inside**2 + slope * np.abs(s - inside)

    return Acts(NonlinearSpring(gauge, table, c, free, acting), area, True)


def _gas(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    _, c, free = numbers
    pressure, area, column, n, outside = 2e5, 1e-3, 3.0 * free, 1.3, 1e5

    def stored(move: Motion) -> np.ndarray:
        inside = column + length(move) - free
        packed = pressure * column / (n - 1) * (column / inside) ** (n - 1)
        return area * (packed + outside * inside)

    force = GasSpring(gauge, pressure, area, column, free, n, outside, c)
    return Acts(force, stored, True)


def _attraction(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    strength = -float(rng.uniform(0.1, 3.0))  # away from each other: they never meet
    return Acts(Attraction(*ends, strength), lambda move: -strength / length(move), True)


def _bushing(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    k, c, _ = numbers
    stiff = tuple(float(x) for x in k * rng.uniform(0.1, 1.0, 6))

    def stored(move: Motion) -> np.ndarray:
        hook = np.array([float(x) for x in ends[0].pose.position])
        off = np.array([float(x) for x in ends[1].pose.position])
        R = move.R
        axial = 0.5 * np.stack(
            [R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1
        )
        x = np.hstack([move.at(off) - hook, axial])
        return 0.5 * (x * x) @ np.array(stiff)

    return Acts(Bushing(*ends, stiff, (c,) * 6), stored, True)


def _blind(
    rng: np.random.Generator, ends: Ends, gauge: Gauge, numbers: Numbers, length: Length
) -> Acts:
    """Forces that store nothing, with switches in them."""
    k, c, free = numbers
    texts = [
        f"-{k} * max(x - {free}, 0) - {c} * max(x_rate, 0)",
        f"{c} - 0.5 * x_rate / max(abs(x_rate), 0.05)",
        f"-{k} * (abs(x - {free}) - 0.1)",
    ]
    if rng.random() < 0.3:
        points = tuple(zip((0.1, 0.3, 0.6, 0.8), rng.normal(size=4).tolist(), strict=True))
        return Acts(Actuator(gauge, Table(points)), lambda move: 0.0, False)
    return Acts(Control(gauge, texts[rng.integers(0, 3)]), lambda move: 0.0, False)
