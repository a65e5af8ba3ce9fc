"""Promise: a simulation goes on from any position of another, with its turns and its velocities.

A flywheel on a torsion spring that swings through several turns, with a geared wheel (askew in
space), a rack, and in space a nut on a screw, each with a mass. It is run to t1; a sample, one of a
file, a pickled one, the trajectory itself and a sample in the middle start it again.

Oracle: the one freedom is a harmonic oscillator: a = w0 / w sin(w t), w^2 = k / I, I the sum of all
inertias by the squares of their ratios. Angles, ways, rates and the energy are compared.
"""

import math
import pickle
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import kempe as kp
from kempe.couplers import Combination, GearPair, RackAndPinion
from kempe.forces import SpringDamper, TorsionSpring
from kempe.joints import Revolute, Screw

CASES = 5
STEP = 1e-10  # the tolerance of a step
SIMULATED = 1e-6  # of the amplitude, at that tolerance
THREAD, TIE = 0.1, 0.8  # lead of the nut (m), turns of the flywheel for each of it


class Flywheel(NamedTuple):
    """A mechanism with one freedom, and what its motion has to be."""

    mechanism: kp.Mechanism
    ratios: dict[str, float]  # of every measure, to the flywheel's turn
    inertia: float  # of everything, as the flywheel feels it
    frequency: float  # rad/s
    speed: float  # of the flywheel, at first


def ball(mass: float, moment: float) -> kp.Inertia:
    """An inertia that is equal about all axes."""
    return kp.Inertia(mass, (0, 0, 0), np.eye(3) * moment)


def flywheel(rng: np.random.Generator, *, plane: bool) -> Flywheel:
    """A wheel, a rack and in space a nut behind a flywheel on a spring."""
    m = kp.Builder("flywheel", plane=plane)
    own, k, speed = (float(rng.uniform(*r)) for r in ((0.5, 2), (0.5, 3), (20, 60)))
    o, at = ((0, 0), (1, 1)) if plane else ((0, 0, 0), (1, 1, 1))
    a = m.body("a", at=o, inertia=ball(1.0, own))
    h = m.revolute(m.ground.at(*o), a.at(*o), name="h")
    askew = kp.Rotation.about(rng.normal(size=3), rng.uniform(0, 3))
    if plane:
        b = m.body("b", at=at, inertia=ball(1.0, 0.3))
        hb = m.revolute(m.ground.at(*at), b.at(*o), name="hb")
    else:
        m.body("b", at=at, inertia=ball(1.0, 0.3), rotation=askew)
        hb = m.add(Revolute(kp.Marker("ground", at, askew), kp.Marker("b")), "hb")
    teeth = [float(n) for n in rng.integers(10, 40, 2)]
    m.couple(GearPair((h.angle, hb.angle), teeth=(teeth[0], teeth[1])), "mesh")
    wheel, radius = -teeth[0] / teeth[1], float(rng.uniform(0.02, 0.1))
    s = m.body("s", at=o, inertia=ball(0.7, 0.1))
    slide = m.prismatic(m.ground.at(*o), s.at(*o), name="slide")
    m.couple(RackAndPinion((slide.displacement, hb.angle), radius=radius), "rack")
    ratios = {"h.angle": 1.0, "hb.angle": wheel, "slide.displacement": radius * wheel}
    inertia = own + 0.3 * wheel**2 + 0.7 * (radius * wheel) ** 2
    if not plane:
        m.body("n", at=o, inertia=ball(0.5, 0.2))
        nut = m.add(Screw(kp.Marker("ground"), kp.Marker("n"), lead=THREAD), "nut")
        pair = (h.angle, nut.angle)
        m.couple(Combination(pair, coefficients=(1.0, -TIE), constant=None), "tie")
        ways = {"nut.angle": 1 / TIE, "nut.displacement": THREAD / TIE / math.tau}
        ratios |= ways
        inertia += 0.2 * ways["nut.angle"] ** 2 + 0.5 * ways["nut.displacement"] ** 2
    sprung, ratio = ((h, 1.0), (hb, wheel))[rng.integers(2)]
    kind = (SpringDamper, TorsionSpring)[rng.integers(2)]
    m.force(kind(sprung.angle, stiffness=k), "spring")
    m.rate(h.angle, speed)
    return Flywheel(m.build(), ratios, inertia, math.sqrt(k * ratio**2 / inertia), speed)


def off(made: Flywheel, run: kp.Trajectory, since: float, what: str) -> list[str]:
    """Where a run that began at a time of the oscillation leaves the sine."""
    if not run.outcome.is_done or run.notes:
        return [f"{what}: {run.outcome} {run.notes}"]
    wrong, phase = [], made.frequency * (run.t + since)
    top = made.speed / made.frequency
    a, rate = top * np.sin(phase), made.speed * np.cos(phase)
    for name, r in made.ratios.items():
        if not np.abs(run[name].values - r * a).max() <= SIMULATED * top:
            wrong.append(f"{what}: {name} is {run[name].values[:2]}, due {(r * a)[:2]}")
        if not np.abs(run[name].rate - r * rate).max() <= SIMULATED * made.speed:
            wrong.append(f"{what}: rate of {name} is {run[name].rate[:2]}, due {(r * rate)[:2]}")
    energy = made.inertia * made.speed**2 / 2
    if not np.abs(run.energy.total - energy).max() <= 2 * SIMULATED * energy:
        wrong.append(f"{what}: energy is {run.energy.total}, due {energy}")
    return wrong


def attempt(rng: np.random.Generator) -> list[str]:
    """One flywheel, let go, and let go again from where it came."""
    plane = bool(rng.integers(2))
    made = flywheel(rng, plane=plane)
    period = math.tau / made.frequency
    until, on = float(rng.uniform(0.2, 0.9)) * period, 0.3 * period
    run = made.mechanism.simulate(until=until, steps=9, tolerance=STEP)
    wrong = off(made, run, 0.0, "first run")
    if run.outcome.is_done:
        here, middle = run.state(), run.at(float(run.t[5]))
        with tempfile.TemporaryDirectory() as folder:
            files = run.save(Path(folder) / "run.npz"), here.save(Path(folder) / "one.npz")
            loaded = [kp.Trajectory.load(file).state() for file in files]
        starts = {
            "a sample": (here, until),
            "a file": (loaded[0], until),
            "a position's file": (loaded[1], until),
            "the run": (run, until),
            "a pickled one": (pickle.loads(pickle.dumps(here)), until),  # after it was saved
            "the middle": (middle, middle.t),
        }
        for word, (start, since) in starts.items():
            again = made.mechanism.simulate(until=on, steps=5, start=start, tolerance=STEP)
            wrong += off(made, again, since, f"on from {word}")
    case = f"plane={plane}, {made[1:]}, let go again at {until!r}"
    return [f"{fault}: {case}" for fault in wrong]
