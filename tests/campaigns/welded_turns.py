"""Promise: welded bodies turn as one, whole turns counted, and a planet on them rolls as it must.

A crank on a hinge whose markers are turned, one to three bodies welded to it in a row, and often a
sun and a planet on the last of them, in the plane and in space, with any masses. The crank's angle,
the hinge's or that of the last welded body is driven for up to a thousand turns, or in the plane
given a rate and let go. All angles, rates and places are compared.

Oracle: closed forms. Every angle is its first value plus speed times time, places turn about the
hinge, and the planet follows from Willis' formula.
"""

import math
from typing import Any, NamedTuple

import numpy as np

import kempe as kp
from kempe.couplers import GearPair

CASES = 12
SWEPT = 1e-11  # of the way: what a sweep may be off by
SIMULATED = 1e-6
RATES = 1e-9


class Weld(NamedTuple):
    """A body of the row, as the crank sees it."""

    body: Any
    turn: float
    place: np.ndarray


class Planet(NamedTuple):
    """A planet on the last body, and the sun that it meshes with."""

    teeth: tuple[int, int]
    internal: bool
    sun_speed: float


def turned(a: float, p: np.ndarray) -> np.ndarray:
    """A place in the plane, turned by a."""
    c, s = math.cos(a), math.sin(a)
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


class Row:
    """A mechanism under construction: bodies are placed in the plane, or in space at z = 0."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.plane = bool(rng.random() < 0.6)
        self.builder = kp.Builder("row", plane=self.plane)
        mass, moment = 10.0 ** rng.uniform(-3.0, 3.0, 2)
        self.inertia = kp.Inertia(float(mass), (0, 0, 0), np.eye(3) * float(moment))
        self.start = float(rng.uniform(-3.0, 3.0) if rng.random() < 0.6 else rng.uniform(-20, 20))
        self.bent = [float(x) for x in rng.uniform(-3.0, 3.0, 2) * (rng.random(2) < 0.5)]
        self.crank = self.body("crank", np.zeros(2), self.start)
        on_ground = self.at(self.builder.ground).turned(self.bent[0])
        hinge = (on_ground, self.at(self.crank).turned(self.bent[1]))
        self.hinge = self.builder.revolute(*hinge, name="hinge")
        self.welds: list[Weld] = []
        for k in range(int(rng.integers(1, 4))):
            self.weld(k)

    def body(self, name: str, place: np.ndarray, angle: float) -> Any:
        """A body at a place, turned about z."""
        x, y = (float(v) for v in place)
        if self.plane:
            return self.builder.body(name, at=(x, y), angle=angle, inertia=self.inertia)
        about = kp.Rotation.about((0, 0, 1), angle)
        return self.builder.body(name, at=(x, y, 0.0), rotation=about, inertia=self.inertia)

    def at(self, body: Any, place: np.ndarray | None = None) -> Any:
        """A marker of a body, at its origin unless said."""
        x, y = (0.0, 0.0) if place is None else (float(v) for v in place)
        return body.at(x, y) if self.plane else body.at(x, y, 0.0)

    def weld(self, k: int) -> None:
        """One more body, welded to the last; both markers are turned."""
        rng = self.rng
        last = self.welds[-1] if self.welds else Weld(self.crank, 0.0, np.zeros(2))
        p = rng.uniform(-1.0, 1.0, 2) * (rng.random() < 0.7)
        by, both = float(rng.uniform(-3.1, 3.1)), float(rng.uniform(-2.0, 2.0))
        turn, place = last.turn + by, last.place + turned(last.turn, p)
        body = self.body(f"body{k}", turned(self.start, place), self.start + turn)
        markers = self.at(last.body, p).turned(by + both), self.at(body).turned(both)
        self.builder.fixed(*markers, name=f"weld{k}")
        self.welds.append(Weld(body, turn, place))

    def planet(self) -> Planet:
        """A sun about the hinge's axis, driven, and a planet on the last body."""
        rng, last = self.rng, self.welds[-1]
        sun_start, q = float(rng.uniform(-3.0, 3.0)), rng.uniform((0.3, -0.5), (1.0, 0.5))
        sun = self.body("sun", np.zeros(2), sun_start)
        self.builder.revolute(self.at(self.builder.ground), self.at(sun), name="sun_axle")
        place = turned(self.start, last.place + turned(last.turn, q))
        planet = self.body("planet", place, float(rng.uniform(-3.0, 3.0)))
        self.builder.revolute(self.at(last.body, q), self.at(planet), name="axle")
        teeth = int(rng.integers(10, 60)), int(rng.integers(10, 60))
        internal = bool(rng.random() < 0.3)
        angles = (sun.angle, planet.angle, last.body.angle)
        self.builder.couple(GearPair(angles, teeth=teeth, internal=internal), "mesh")
        speed = float(rng.uniform(-5.0, 5.0)) if rng.random() < 0.5 else 0.0
        self.builder.drive(sun.angle, start=sun_start, speed=speed)
        return Planet(teeth, internal, speed)


def attempt(rng: np.random.Generator) -> list[str]:
    """One row of welds, swept or simulated."""
    row = Row(rng)
    planet = row.planet() if rng.random() < 0.6 else None
    speed = float(rng.choice([-1.0, 1.0]) * rng.uniform(1.0, 50.0))
    swept = bool(rng.random() < 0.6) or not row.plane
    turns = float(rng.choice([0.7, 3.0, 20.0, 1000.0] if swept else [0.7, 3.0, 20.0, 100.0]))
    until, steps = turns * 2.0 * math.pi / abs(speed), int(rng.choice([3, 37, 360]))
    firsts = {"crank.angle": row.start, "hinge.angle": row.start + row.bent[1] - row.bent[0]}
    firsts |= {f"body{k}.angle": row.start + weld.turn for k, weld in enumerate(row.welds)}
    gauges = (row.crank.angle, row.hinge.angle, row.welds[-1].body.angle)
    gauge = gauges[int(rng.integers(3))]
    if swept:
        row.builder.drive(gauge, start=firsts[gauge.name], speed=speed)
        motion = row.builder.build().kinematics(until=until, steps=steps)
    else:
        row.builder.rate(gauge, speed)
        motion = row.builder.build().simulate(until=until, steps=steps)
    said = f"{'plane' if row.plane else 'space'}, {len(row.welds)} welds, {gauge.name} at {speed!r}"
    said += f" for {turns} turns in {steps} steps, {'swept' if swept else 'simulated'}, {planet}"
    if not motion.outcome.is_done:
        return [f"{motion.outcome}: {said}"]
    close = SWEPT * max(1.0, 2 * math.pi * turns) if swept else SIMULATED * max(1.0, turns)
    loose = RATES * abs(speed) + (0.0 if swept else SIMULATED)
    wrong = angles_off(motion, firsts, speed, close, loose)
    wrong += places_off(motion, row, speed, 3.0 * close + 1e-9)
    if planet is not None:
        wrong += planet_off(motion, planet, speed, (close, loose))
    return [f"{w}: {said}" for w in wrong]


def angles_off(
    motion: kp.Trajectory, firsts: dict[str, float], speed: float, close: float, loose: float
) -> list[str]:
    """Angles and rates that are not those of one body; the first may be whole turns off."""
    wrong = []
    for name, first in firsts.items():
        off = motion[name].values - first - speed * motion.t
        off = off - 2.0 * math.pi * np.round(off[0] / (2.0 * math.pi))
        if not np.abs(off).max() < close:
            wrong.append(f"{name} is off by {np.abs(off).max():.3g} rad")
        if not np.abs(motion[name].rate - speed).max() < loose:
            wrong.append(f"the rate of {name} is off")
    return wrong


def places_off(motion: kp.Trajectory, row: Row, speed: float, close: float) -> list[str]:
    """Bodies of the row that are not where the crank's turn puts them."""
    angle, wrong = row.start + speed * motion.t, []
    c, s = np.cos(angle), np.sin(angle)
    for k, weld in enumerate(row.welds):
        x, y = weld.place
        off = motion[f"body{k}"].position[:, :2] - np.column_stack([c * x - s * y, s * x + c * y])
        if not np.abs(off).max() < close:
            wrong.append(f"body{k} is off by {np.abs(off).max():.3g} m")
    return wrong


def planet_off(
    motion: kp.Trajectory, planet: Planet, carrier: float, limits: tuple[float, float]
) -> list[str]:
    """The planet, by Willis: (sun - carrier) z_sun = -+ (planet - carrier) z_planet."""
    ratio = planet.teeth[0] / planet.teeth[1] * (-1.0 if planet.internal else 1.0)
    speed = carrier - (planet.sun_speed - carrier) * ratio
    wrong, more = [], 5.0 * (1.0 + abs(ratio)) * (1.0 + abs(planet.sun_speed / carrier))
    for name, rate in (("planet.angle", speed), ("axle.angle", speed - carrier)):
        values = motion[name].values
        off = np.abs(values - values[0] - rate * motion.t).max()
        if not off < limits[0] * more:
            wrong.append(f"{name} is off by {off:.3g} rad")
        if not np.abs(motion[name].rate - rate).max() < limits[1] * more:
            wrong.append(f"the rate of {name} is off")
    return wrong
