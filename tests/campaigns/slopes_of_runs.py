"""Promise: slopes of a simulation by parameters are those of its equations: of places, rates,
accelerations, forces and energies, by masses, springs, dampers, weight, places and speeds at the
start, forwards and as an objective.

Oracle: two masses on springs by the matrix exponential, a step in the imaginary direction.
"""

import numpy as np

from kempe.errors import GradientError
from tests.campaigns._masses_on_springs import NAMES, drawn, masses, readings

CASES = 1
NEAR = 2e-6  # of the largest slope by a parameter, of its share of the parameter
STEP = 1e-30


def attempt(rng: np.random.Generator) -> list[str]:
    """Masses, springs and starts of all sizes, readings and parameters, in either way to ask."""
    p, until = drawn(rng), float(rng.uniform(0.1, 2.0))
    along = float(rng.choice([0.0, 0.5 * np.pi, rng.uniform(-3.0, 3.0)]))
    made = masses(**p, along=along, plane=bool(rng.uniform() < 0.6))
    steps = int(rng.integers(2, 12))
    by = [name for name in NAMES if rng.uniform() < 0.4] or ["m1"]
    run = made.simulate(until=until, steps=steps, tolerance=1e-11)
    names = list(readings(run.t, p))
    wrong = []
    case = f"{p}, along {along}, until {until} in {steps}, "
    for name in rng.permutation(names)[:3]:
        name = str(name)
        try:
            found = run.gradient(name, by)
        except GradientError as refused:
            return [case + f"{name} was refused: {refused}"]
        plain = readings(run.t, p)[name]
        if not np.abs(found.value - plain).max() <= 1e-7 * max(np.abs(plain).max(), _size(name, p)):
            wrong.append(f"{name} itself is off by {np.abs(found.value - plain).max():.3g}")
        true = {one: _slope(run.t, p, name, one) for one in by}
        for one in by:
            largest = np.abs(true[one]).max() + _size(name, p) / max(abs(p[one]), 1.0)
            off = np.abs(found[one] - true[one]).max()
            if not off <= NEAR * largest:
                wrong.append(f"the slope of {name} by {one} is off by {off:.3g} of {largest:.3g}")
    return [case + one for one in wrong[:2]]


def _slope(t, p, name, by):
    """The derivative of a reading, by a step in the imaginary direction."""
    return np.imag(readings(t, {**p, by: p[by] + 1j * STEP})[name]) / STEP


def _size(name, p):
    """What is usual for a reading: m, s, and the masses of the case."""
    mass = max(p["m1"], p["m2"])
    kinds = {"effort": 10.0 * mass, "kinetic": 10.0 * mass, "acceleration": 10.0}
    return kinds.get(name.rpartition(".")[2], 1.0)
