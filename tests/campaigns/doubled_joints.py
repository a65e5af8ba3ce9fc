"""Promise: constraints that are said again, and bodies welded on, change nothing in a motion.

A crank-rocker of any size, in the plane or in space, driven or given a rate and let go under its
weight, with up to three of these: its hinges twice, a sleeve beside a hinge, a rod beside the
crank, massless bodies welded to the coupler (in a row, or twice). Angles, rates and the places of
the welded bodies are compared.

Oracle: closed forms of the crank-rocker without any of it: the cosine rule, and the crank's rate by
its energy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.joints import Cylindrical, Rod
from tests.campaigns._crank_rockers import Bars, CrankRocker

FloatArray = NDArray[np.float64]

CASES = 6
STEPS = 12
KINDS = ("twice", "sleeve", "rod", "row of welds", "two welds")
DRIVEN, FREE = 1e-9, 1e-6  # rad, of the rates, of the size
POINT = (0.3, 0.2)  # of the coupler, in its lengths


def attempt(rng: np.random.Generator) -> list[str]:
    """One crank-rocker with more said of it than it takes."""
    size = float(10.0 ** rng.uniform(-6, 6))
    g = 9.81
    linkage = CrankRocker.drawn(rng, size)
    plane, driven = bool(rng.integers(2)), bool(rng.integers(2))
    said = [str(kind) for kind in rng.permutation(KINDS)[: rng.integers(1, 4)]]
    m = kp.Builder("said again", plane=plane, gravity=(0, -g) if plane else (0, -g, 0))
    bars = linkage.built(m)
    rate = linkage.fast(rng, g)
    welded = said_again(m, linkage, bars, said)
    if driven:
        m.drive(bars.crank.angle, start=linkage.first, speed=rate)
    else:
        m.rate(bars.crank.angle, rate)
    machine, until = m.build(), 8.0 / abs(rate)
    run = (
        machine.kinematics(until=until, steps=STEPS)
        if driven
        else machine.simulate(until=until, steps=STEPS, tolerance=1e-10)
    )
    case = f"{said}, {linkage}, plane {plane}, driven {driven}, rate {rate!r}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    a = linkage.first + rate * run.t if driven else linkage.let_go(rate, g, run.t)
    speed = np.full(len(a), rate) if driven else linkage.speed(rate, g)(a)
    (b, c), (db, dc) = linkage.angles(a), linkage.slopes(a)
    off = {
        name: float(np.abs(run[name].values - true).max()) / max(1.0, float(np.abs(true).max()))
        for name, true in {"crank.angle": a, "coupler.angle": b, "rocker.angle": c}.items()
    }
    for name, slope in {"crank": 1.0, "coupler": db, "rocker": dc}.items():
        got = run[f"{name}.angle"].rate
        off[f"{name}'s rate"] = float(np.abs(got - slope * speed).max() / np.abs(speed).max())
    point = linkage.lengths[0] * np.exp(1j * a)
    point = point + linkage.lengths[1] * complex(*POINT) * np.exp(1j * b)
    for name in welded:
        got = run[name].position
        off[name] = float(np.abs(got[:, 0] + 1j * got[:, 1] - point).max()) / size
    close = DRIVEN if driven else FREE
    return [
        f"{name} is off by {much:.2g}: {case}" for name, much in off.items() if not much <= close
    ]


def said_again(m: kp.Builder, linkage: CrankRocker, bars: Bars, said: list[str]) -> list[str]:
    """Adds what is said; names of the bodies welded to the coupler's point, all of them there."""
    place = [x * linkage.lengths[1] for x in POINT]
    at: Any = bars.coupler.at(*place)
    if "twice" in said:
        m.revolute(bars.crank.end, bars.coupler.start, name="B again")
        m.revolute(m.ground.at(linkage.ground, 0), bars.rocker.start, name="D again")
    if "sleeve" in said:
        m.add(Cylindrical(bars.coupler.end, bars.rocker.end), "sleeve")
    if "rod" in said:
        m.add(Rod(m.ground.at(0, 0), bars.crank.end, length=linkage.lengths[0]), "rod")
    names = []
    if "row of welds" in said:
        first, second = m.body("first"), m.body("second")
        m.fixed(at, first.at(0, 0), name="weld")
        m.fixed(first.at(0, 0), second.at(0, 0), name="next weld")
        names += ["first", "second"]
    if "two welds" in said:
        extra = m.body("extra")
        m.fixed(at, extra.at(0, 0), name="one weld")
        m.fixed(at, extra.at(0, 0), name="other weld")
        names += ["extra"]
    return names
