"""Promise: `statics` finds where a machine rests and whether it stays, `equilibria` follows it.

A lever on a hinge with a weight, a torsion spring (perhaps of many turns, perhaps negative), a line
spring to a fixed point and a constant torque, in the plane or in space, of 1e-3 to 1e3 m and kg,
from any start: the rest is one, its verdict and its stiffness are right, what hinge and springs
exert is right; where nothing can hold the lever, `statics` says so. With `seek="nearest"` a balance
is a balance. `equilibria` over the spring's free angle or the torque follows one branch, step by
step, says which are stable, and ends where the branch ends.

Oracle: the potential energy of the lever, its two derivatives by hand, and all zeros of the first
by brute force on a grid refined by SciPy's brentq.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import kempe as kp
from kempe.forces import LineSpring, SpringDamper

Array = NDArray[np.float64]

CASES = 6
GRID = 4001
CLOSE = 1e-6  # rad
FLAT = 1e-3  # stiffnesses below this share of the largest possible are left to rounding


class Lever(NamedTuple):
    """Numbers of one lever, weight and length one."""

    k: float
    free: float
    torque: float
    pull: float  # of the line spring
    slack: float
    anchor: tuple[float, float]
    weight: float

    def slope(self, a: float) -> float:
        """dE/da."""
        s, c = math.sin(a), math.cos(a)
        dx, dy = c - self.anchor[0], s - self.anchor[1]
        length = math.hypot(dx, dy)
        along = (-s * dx + c * dy) / length
        return (
            self.weight * c
            + self.k * (a - self.free)
            - self.torque
            + self.pull * (length - self.slack) * along
        )

    def bend(self, a: float) -> float:
        """The second derivative."""
        s, c = math.sin(a), math.cos(a)
        dx, dy = c - self.anchor[0], s - self.anchor[1]
        length = math.hypot(dx, dy)
        along = (-s * dx + c * dy) / length
        turned = (1.0 - (c * dx + s * dy)) / length - along**2 / length
        return -self.weight * s + self.k + self.pull * (along**2 + (length - self.slack) * turned)

    def rests(self, low: float, high: float) -> list[float]:
        """All balances between two angles."""
        grid = np.linspace(low, high, GRID)
        values = np.array([self.slope(float(a)) for a in grid])
        zeros = [
            float(brentq(self.slope, grid[j], grid[j + 1], xtol=1e-14))
            for j in np.flatnonzero(values[1:] * values[:-1] < 0)
        ]
        return zeros + [float(a) for a, v in zip(grid, values, strict=True) if v == 0.0]


def attempt(rng: np.random.Generator) -> list[str]:
    """One lever."""
    wide = int(rng.integers(0, 2))
    length, mass, gravity = (float(x) for x in 10.0 ** (wide * rng.uniform(-3, 3, 3)))
    on = rng.integers(0, 2, 4)
    lever = Lever(
        float(rng.uniform(0.05, 2) * on[0] * (1 if rng.random() < 0.8 else -1)),
        float(rng.uniform(-3, 3) * rng.choice([1, 1, 8])),
        float(rng.normal() * on[1]),
        float(rng.uniform(0.2, 3) * on[2]),
        float(rng.uniform(0, 1.5)),
        (float(rng.uniform(1.2, 2.5)), float(rng.uniform(-2, 2))),
        1.0 if on[3] else 0.0,
    )
    plane, a = bool(rng.random() < 0.6), float(rng.uniform(-3, 3))
    said = f"{lever}, {length=!r}, {mass=!r}, {gravity=!r}, {plane=}, from {a!r}"
    mechanism = built(lever, length, mass, gravity, plane, a)
    torque = mass * gravity * length
    wrong = rested(mechanism, lever, a, torque, mass * gravity, length)
    if lever.k > 0:
        wrong += followed(mechanism, lever, torque, rng)
    return [f"{fault}: {said}" for fault in wrong]


def built(
    lever: Lever, length: float, mass: float, gravity: float, plane: bool, a: float
) -> kp.Mechanism:
    """The lever as a bar with a mass at its end, and something at its hinge."""
    down = (0.0, -gravity * lever.weight)
    m = kp.Builder("lever", plane=plane, gravity=down if plane else (*down, 0.0))
    zero = (0.0, 0.0) if plane else (0.0, 0.0, 0.0)
    way: dict[str, Any] = {"angle": a} if plane else {"rotation": kp.Rotation.about((0, 0, 1), a)}
    inertia = kp.Inertia(mass, (length, 0, 0), 0.1 * mass * length**2 * np.eye(3))
    body = m.body("arm", at=zero, inertia=inertia, points={"P": (length, *zero[1:])}, **way)
    hinge: Any = m.revolute(m.ground.at(*zero), body.at(*zero), name="hinge")
    torque = mass * gravity * length
    coil = SpringDamper(
        hinge.angle, stiffness=lever.k * torque, free=lever.free, preload=lever.torque * torque
    )
    m.force(coil, "coil")
    if lever.pull:
        there = m.ground.at(lever.anchor[0] * length, lever.anchor[1] * length, *zero[2:])
        spring = LineSpring(
            there,
            body.at(length, *zero[1:]),
            stiffness=lever.pull * mass * gravity / length,
            free=lever.slack * length,
        )
        m.force(spring, "line")
    return m.build()


def rested(
    mechanism: kp.Mechanism, lever: Lever, a: float, torque: float, force: float, length: float
) -> list[str]:
    """What is wrong with `statics`."""
    wrong = []
    for seek in ("stable", "nearest"):
        rest = mechanism.statics(seek=seek)
        zeros = lever.rests(-40.0, 40.0)
        if not rest.outcome.is_done:
            if seek == "stable" and _caught(lever, a, zeros):
                wrong.append(f"{seek}: there are balances at {zeros[:6]}, but {rest.outcome}")
            continue
        at = float(rest["hinge.angle"])
        size = 1.0 + abs(lever.k * at) + abs(lever.torque) + lever.pull
        stiff = lever.bend(at)
        if abs(lever.slope(at)) > CLOSE * size * max(1.0, abs(stiff)):
            wrong.append(
                f"{seek}: at {at!r} rad {lever.slope(at):.3g} still push, balances are {zeros[:6]}"
            )
            continue
        if abs(stiff) > FLAT and rest.stable is not bool(stiff > 0):
            wrong.append(f"{seek}: {rest.verdict} at {at!r}, where the stiffness is {stiff}")
        if seek == "stable" and stiff < -FLAT:
            wrong.append(f"stable: it rests on a top at {at!r}, {stiff}")
        if abs(stiff) > FLAT and rest.stiffness[0] * stiff <= 0.0:
            wrong.append(
                f"{seek}: stiffness {rest.stiffness[0] / torque} instead of {stiff} at {at}"
            )
        due = -lever.k * (at - lever.free) + lever.torque
        if abs(float(rest["coil.effort"]) / torque - due) > CLOSE * size:
            wrong.append(
                f"{seek}: coil.effort {float(rest['coil.effort']) / torque} instead of {due}"
            )
        pull = np.zeros(2)
        if lever.pull:
            d = np.array([math.cos(at) - lever.anchor[0], math.sin(at) - lever.anchor[1]])
            pull = -lever.pull * (np.linalg.norm(d) - lever.slack) * d / np.linalg.norm(d)
        held = np.asarray(rest["hinge.force"])[:2] / force
        if np.abs(held - ([0.0, lever.weight] - pull)).max() > CLOSE * size:
            wrong.append(f"{seek}: hinge.force {held} instead of {[0.0, lever.weight] - pull}")
    return wrong


def _caught(lever: Lever, a: float, zeros: list[float]) -> bool:
    """Whether going downhill from a leads to a rest."""
    down = -1.0 if lever.slope(a) > 0 else 1.0
    ahead = [z for z in zeros if (z - a) * down > 0]
    return bool(ahead) and abs(lever.slope(a)) > FLAT


def followed(
    mechanism: kp.Mechanism, lever: Lever, torque: float, rng: np.random.Generator
) -> list[str]:
    """What is wrong with a path over the free angle, or over the torque."""
    over_free = bool(rng.random() < 0.5)
    steps = int(rng.choice([1, 5, 30]))
    span = float(rng.uniform(-2, 2))
    one = lever.free if over_free else lever.torque
    other = one + span * (1.0 if over_free else lever.k)
    if over_free:
        path = mechanism.equilibria(("coil.free", one, other), steps=steps)
    else:
        path = mechanism.equilibria(("coil.preload", one * torque, other * torque), steps=steps)
    values = np.asarray(path.values) / (1.0 if over_free else torque)
    due = np.linspace(one, other, steps + 1)
    if not len(values):
        return [f"path: nothing, {path.outcome}"] if mechanism.statics().outcome.is_done else []
    if not np.allclose(values, due[: len(values)], atol=1e-9 * (1 + abs(one) + abs(other))):
        return [f"path: values {values} instead of {due}"]
    if path.outcome.is_done and len(values) != steps + 1:
        return [f"path: Done after {len(values)} of {steps + 1}"]
    angles = np.asarray(path["hinge.angle"])
    wrong = []
    here = float(mechanism.statics()["hinge.angle"])
    for k, (value, at) in enumerate(zip(values, angles, strict=True)):
        now = (
            lever._replace(free=float(value)) if over_free else lever._replace(torque=float(value))
        )
        size = 1.0 + abs(now.k * at) + abs(now.torque) + now.pull
        if abs(now.slope(at)) > CLOSE * size * max(1.0, abs(now.bend(at))):
            wrong.append(f"path: at {value!r} it is at {at!r}, where {now.slope(at):.3g} push")
            break
        if abs(now.bend(at)) > FLAT and bool(path.stable[k]) is not bool(now.bend(at) > 0):
            wrong.append(f"path: stable is {path.stable[k]} at {value!r}, stiffness {now.bend(at)}")
            break
    ends, here = traced(lever, over_free, one, other, here)
    if ends is None:
        if not path.outcome.is_done:
            wrong.append(f"path: the branch goes on, but {path.outcome}")
        elif abs(angles[-1] - here) > 1e-4:
            wrong.append(f"path: it ends at {angles[-1]!r}, the branch at {here!r}")
    elif path.outcome.is_done and steps >= 5:
        wrong.append(f"path: the branch ends near {ends!r}, but {path.outcome} at {angles[-1]!r}")
    return wrong


def traced(
    lever: Lever, over_free: bool, one: float, other: float, at: float
) -> tuple[float | None, float]:
    """Where a branch ends, None if it does not, and where it was last: Newton, tiny steps."""
    for value in np.linspace(one, other, 3000):
        now = (
            lever._replace(free=float(value)) if over_free else lever._replace(torque=float(value))
        )
        for _ in range(50):
            if now.bend(at) < 1e-3:
                return float(value), at
            step = now.slope(at) / now.bend(at)
            at -= max(-0.05, min(0.05, step))
            if abs(step) < 1e-12:
                break
        else:
            return float(value), at
    return None, at
