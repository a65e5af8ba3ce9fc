"""Promise: `auto` is right from a stiff start on, whatever dies away first.

One mass on a spring and a damper, stiff or not by up to nine decades, from any place and speed, to
a tolerance. What is rougher than 1e-3 is judged only where no note says that it is too rough.

Oracle: the two exponentials of the equation, in complex numbers.
"""

import cmath
import math

import numpy as np

import kempe as kp
from kempe.forces import SpringDamper

CASES = 20
MOST_WAVES = 300.0  # along a run
PER_TOLERANCE = 100.0  # of the largest displacement: errors of some hundred waves add up
ALIKE = 1e-6  # two rates as near as this leave the oracle no digits
ROUGH = 1e-3


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong with one mass."""
    mass = 10.0 ** rng.uniform(-2, 2)
    k, c = (mass * 10.0 ** rng.uniform(-1, 9) for _ in range(2))
    x0, v0 = rng.uniform(-1, 1), rng.uniform(-1, 1) * 10.0 ** rng.uniform(-1, 3)
    until, tolerance = (
        10.0 ** rng.uniform(-2, 1.5),
        10.0 ** float(rng.choice([-2, -4, -6, -8, -10])),
    )
    waves = math.sqrt(k / mass) * until / math.tau
    s1 = -(c / mass + cmath.sqrt((c / mass) ** 2 - 4.0 * k / mass)) / 2.0
    s2 = (k / mass) / s1
    if (waves > MOST_WAVES and c < math.sqrt(k * mass)) or abs(s1 - s2) < ALIKE * abs(s1):
        return []
    m = kp.Builder("mass on a spring", plane=True)
    inertia = kp.Inertia(mass, (0, 0, 0), np.eye(3))
    body = m.body("body", at=(x0, 0), angle=0.0, inertia=inertia, velocity=(v0, 0))
    m.prismatic(m.ground.at(0, 0), body.at(0, 0))
    m.force(SpringDamper(body.x, stiffness=k, damping=c), "spring")
    run = m.build().simulate(until=until, steps=8, method="auto", tolerance=tolerance)
    case = f"mass {mass}, k {k}, c {c}, from {x0} at {v0}, until {until}, tolerance {tolerance}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    t = np.asarray(run.t)
    first, second = (v0 - s2 * x0) / (s1 - s2), (s1 * x0 - v0) / (s1 - s2)
    x = (first * np.exp(s1 * t) + second * np.exp(s2 * t)).real
    off = np.abs(run["body.x"].values - x).max() / max(np.abs(x).max(), 1e-3 * abs(v0))
    if off > PER_TOLERANCE * tolerance and not (tolerance > ROUGH and run.notes):
        return [f"it is off by {off:.3g} of its way, notes {run.notes}: {case}"]
    return []
