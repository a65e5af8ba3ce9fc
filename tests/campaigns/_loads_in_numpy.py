"""Loads of every kind on two bodies, and the power that each of them has, written out in NumPy."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import kempe as kp
from kempe.drives import AbstractLaw, Cycloidal, Formula, Polynomial, TextFormula
from kempe.forces import Action, AppliedLoad, Axes, Callback, FormulaLoad, Instant
from kempe.geometry import Marker, Vector, Wrench
from kempe.measures import Distance, Gauge
from tests.campaigns._moved_bodies import Acts, Motion

Powers = Callable[[np.ndarray, list[Motion]], np.ndarray]
Components = Callable[[np.ndarray], np.ndarray]  # of times (n,): (n,)


def load(
    rng: np.random.Generator, m: kp.Builder, bodies: list[Any], places: np.ndarray, k: int
) -> Acts:
    """A load on body k, perhaps against the other one or the ground; it stores nothing."""
    place = rng.normal(size=3) * 0.3
    at = bodies[k].at(*place.tolist())
    make = (_applied, _by_formula, _called, _called_along)[rng.integers(0, 4)]
    force, takes = make(rng, m, Loaded(k, place, at, bodies, places))
    return Acts(force, lambda move: 0.0, False, takes)


@dataclass(frozen=True)
class Loaded:
    """Where a load acts."""

    k: int
    place: np.ndarray  # in body axes
    at: Marker
    bodies: list[Any]
    places: np.ndarray


@dataclass(frozen=True)
class Line:
    """A load in its line: on body k, against another one (None: against nothing, or the ground)."""

    k: int
    place: np.ndarray
    other: int | None
    turns: bool  # given in axes of the marker, which are the body's

    def power(self, force: np.ndarray, torque: np.ndarray, moves: list[Motion]) -> np.ndarray:
        """f . (v_I - v_J) + m . (w_I - w_J), all at the place of I, in world axes."""
        move = moves[self.k]
        if self.turns:
            force, torque = (np.einsum("kij,kj->ki", move.R, x) for x in (force, torque))
        v, w = move.speed(self.place), np.einsum("kij,kj->ki", move.R, move.w)
        if self.other is not None:
            there = moves[self.other]
            spin = np.einsum("kij,kj->ki", there.R, there.w)
            v = v - there.v - np.cross(spin, move.at(self.place) - there.p)
            w = w - spin
        return (force * v).sum(axis=1) + (torque * w).sum(axis=1)


def _line(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[Line, Marker | None, Axes]:
    against: Marker | None = None
    other = None
    draw = rng.random()
    if draw < 0.3:
        other = 1 - on.k
        against = on.bodies[other].at(*(rng.normal(size=3) * 0.3).tolist())
    elif draw < 0.5:
        against = m.ground.at(*rng.normal(size=3).tolist())
    axes = Axes.MARKER if rng.random() < 0.5 else Axes.WORLD
    return Line(on.k, on.place, other, axes is Axes.MARKER), against, axes


def _law(rng: np.random.Generator) -> tuple[AbstractLaw, Components]:
    """A law of time of any kind, and the same in NumPy."""
    a, b, c = (float(x) for x in rng.normal(size=3))
    w = float(rng.uniform(1.0, 20.0))
    kind = rng.integers(0, 4)
    if kind == 0:
        return Polynomial((a, b, c)), lambda t: a + t * (b + c * t)
    if kind == 1:
        return TextFormula(f"{a!r} * sin({w!r} * t) + {b!r}"), lambda t: a * np.sin(w * t) + b
    if kind == 2:
        return Formula(lambda t: a * kp.exp(-t) + b * t), lambda t: a * np.exp(-t) + b * t
    rise, last = 3.0 * a, 2.0  # longer than the run
    return (
        Cycloidal(rise=rise, duration=last),
        lambda t: rise * (t / last - np.sin(2.0 * math.pi * t / last) / (2.0 * math.pi)),
    )


def _three(rng: np.random.Generator) -> tuple[tuple[AbstractLaw, ...], list[Components]]:
    pairs = [_law(rng) for _ in range(3)]
    return tuple(law for law, _ in pairs), [mine for _, mine in pairs]


def _applied(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[AppliedLoad, Powers]:
    line, against, axes = _line(rng, m, on)
    (force, f), (torque, n) = _three(rng), _three(rng)
    which = rng.integers(0, 3)  # both, a force alone, a torque alone
    given = AppliedLoad(
        on.at,
        () if which == 2 else force,
        () if which == 1 else torque,
        against=against,
        axes=axes,
    )

    def takes(t: np.ndarray, moves: list[Motion]) -> np.ndarray:
        pushes = np.stack([one(t) for one in f], axis=1) * (which != 2)
        turns = np.stack([one(t) for one in n], axis=1) * (which != 1)
        return -line.power(pushes, turns, moves)

    return given, takes


def _gauge(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[Gauge, Any]:
    """How far a place on the body is from a hook, and the same with its rate in NumPy."""
    hook = on.places[on.k] + rng.normal(size=3) + 2.0
    off = rng.normal(size=3) * 0.3
    marker = on.bodies[on.k].at(*off.tolist())
    gauge = Gauge("reach", Distance(), m.ground.at(*hook.tolist()), marker)

    def reading(moves: list[Motion]) -> tuple[np.ndarray, np.ndarray]:
        away = moves[on.k].at(off) - hook
        x = np.linalg.norm(away, axis=1)
        return x, (away * moves[on.k].speed(off)).sum(axis=1) / x

    return gauge, reading


def _by_formula(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[FormulaLoad, Powers]:
    line, against, axes = _line(rng, m, on)
    gauge, reading = _gauge(rng, m, on)
    a, b = (float(x) for x in rng.normal(size=2))
    texts = ("a * x - b * x_rate", "a * sin(7 * t) * x", "b * x^2 + t")
    torque = ("0", "a * cos(x)", "-0.1 * x_rate")
    given = FormulaLoad(
        on.at,
        texts,
        torque if rng.random() < 0.5 else (),
        seen=(gauge,),
        names=("x",),
        constants=("a", "b"),
        values=(a, b),
        against=against,
        axes=axes,
    )

    def takes(t: np.ndarray, moves: list[Motion]) -> np.ndarray:
        x, rate = reading(moves)
        force = np.stack([a * x - b * rate, a * np.sin(7 * t) * x, b * x**2 + t], axis=1)
        turn = np.stack([0 * x, a * np.cos(x), -0.1 * rate], axis=1)
        return -line.power(force, turn * bool(given.torque), moves)

    return given, takes


def _called(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[Callback, Powers]:
    """Air that resists, a wind that blows, and a torque that turns it about where it is."""
    c, blows = float(rng.uniform(0.1, 2.0)), rng.normal(size=3)

    def function(now: Instant) -> Action:
        v = np.array([float(x) for x in now.V[0].v])
        p = np.array([float(x) for x in now.X[0].position])
        force = -c * np.sqrt(1.0 + v @ v) * v + blows * np.sin(3.0 * now.t)
        return Action.on(Wrench(Vector(*force.tolist()), Vector(*np.cross(blows, p).tolist())))

    line = Line(on.k, on.place, None, False)

    def takes(t: np.ndarray, moves: list[Motion]) -> np.ndarray:
        v, p = moves[on.k].speed(on.place), moves[on.k].at(on.place)
        drag = -c * np.sqrt(1.0 + (v * v).sum(axis=1))[:, None] * v
        force = drag + np.outer(np.sin(3.0 * t), blows)
        return -line.power(force, np.cross(blows, p), moves)

    return Callback(function, at=on.at), takes


def _called_along(rng: np.random.Generator, m: kp.Builder, on: Loaded) -> tuple[Callback, Powers]:
    """An effort along a distance that depends on it, on its rate, and on the other body."""
    gauge, reading = _gauge(rng, m, on)
    a, b = (float(x) for x in rng.normal(size=2))
    other = 1 - on.k

    def function(now: Instant) -> float:
        x = now.gauges[0]
        return a * math.tanh(float(x.value)) - b * float(x.rate) + float(now.X[0].position.z)

    def takes(t: np.ndarray, moves: list[Motion]) -> np.ndarray:
        x, rate = reading(moves)
        return -(a * np.tanh(x) - b * rate + moves[other].p[:, 2]) * rate

    seen = on.bodies[other].at(0, 0, 0)
    return Callback(function, along=gauge, seen=seen), takes
