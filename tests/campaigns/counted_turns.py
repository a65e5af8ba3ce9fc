"""Promise: what angles read does not depend on how many samples were asked for.

A crank-rocker of any size, in the plane or in space, whose crank is driven for up to a thousand
turns, or given a rate and let go for up to thirty. Bodies, hinges and bearings are read at as few
as two samples, or at many: of the rocker's end from its hinge, of the crank's end from its own and
from places inside and outside its circle.

Oracle: closed forms. The rocker's angle follows from the cosine rule and never leaves its swing; a
bearing from inside the circle makes a turn with every turn of the crank, one from outside none. A
crank let go keeps its energy, which gives its rate at any angle, and by quadrature the time there.
"""

import cmath
import math

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.measures import Bearing
from tests.campaigns._crank_rockers import CrankRocker

FloatArray = NDArray[np.float64]

CASES = 10
STEPS = (1, 2, 3, 10, 40, 100, 360)
TURNS = (1, 7, 40, 300, 1000)  # of a driven crank
MOST = 30.0  # turns of one that is let go
DRIVEN = 1e-8  # rad
FREE = 1e-6  # of the angle turned: what steps leave of the energy adds up with every turn


def attempt(rng: np.random.Generator) -> list[str]:
    """One crank-rocker, read at some number of samples."""
    size = float(10.0 ** rng.uniform(-3, 3))
    linkage = CrankRocker.drawn(rng, size)
    plane, driven = bool(rng.integers(2)), bool(rng.integers(2))
    steps = int(rng.choice(STEPS))
    m = kp.Builder("crank-rocker", plane=plane)
    bars = linkage.built(m)
    radius = linkage.lengths[0]
    inside, outside = (
        cmath.rect(radius * float(rng.uniform(*near)), float(rng.uniform(-3, 3)))
        for near in ((0.1, 0.8), (1.2, 2.0))
    )
    for name, place in (("inside", inside), ("outside", outside), ("middle", 0j)):
        m.gauge(name, Bearing(), m.ground.at(place.real, place.imag), bars.crank.end)
    m.gauge("swing", Bearing(), m.ground.at(linkage.ground, 0), bars.rocker.end)
    if driven:
        turns = float(rng.choice(TURNS)) * float(rng.choice([-1, 1])) + float(rng.uniform(0, 1))
        m.drive(bars.crank.angle, start=linkage.first, speed=math.tau * turns)
        run = m.build().kinematics(until=1.0, steps=steps)
        a = linkage.first + math.tau * turns * run.t
    else:
        turns = float(rng.uniform(1, MOST)) * float(rng.choice([-1, 1]))
        rate = math.tau * turns
        m.rate(bars.crank.angle, rate)
        run = m.build().simulate(until=1.0, steps=steps, tolerance=1e-10)
        a = linkage.let_go(rate, 0.0, run.t)
    case = f"{linkage}, plane {plane}, driven {driven}, {turns!r} turns, {steps} steps, "
    case += f"seen from {inside} and {outside}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    rocker = linkage.angles(a)[1]
    due = {
        "crank.angle": a,
        "A.angle": a,
        "middle": a,
        "rocker.angle": rocker,
        "D.angle": rocker,
        "swing": rocker,
        "inside": a + np.angle(1.0 - inside / radius * np.exp(-1j * a)),
        "outside": cmath.phase(-outside) + np.angle(1.0 - radius / outside * np.exp(1j * a)),
    }
    close = DRIVEN if driven else FREE * max(1.0, float(np.abs(a).max()))
    return [
        f"{name} reads {run[name].values[[0, -1]]}, due {true[[0, -1]]}: {case}"
        for name, true in due.items()
        if not turned_off(run[name].values, true) <= close
    ]


def turned_off(got: FloatArray, due: FloatArray) -> float:
    """How far a reading is off; with which whole turn it begins is its own choice."""
    begins = round(float(got[0] - due[0]) / math.tau) * math.tau
    return float(np.abs(got - begins - due).max())
