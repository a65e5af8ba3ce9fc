"""Promise: crank-rockers side by side move each as it would alone, however many there are.

One to twelve of them, of any lengths and masses, in the plane or in space, apart or all in one
place, so that the plan of the analysis changes over among them. They are swept at speeds of their
own, or given rates and let go under their weight. Angles, rates and places of every one, the number
of freedoms and the energies are compared.

Oracle: closed forms of one crank-rocker: the cosine rule, and the crank's rate by its energy.
"""

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from tests.campaigns._crank_rockers import CrankRocker

FloatArray = NDArray[np.float64]

CASES = 3
MOST = 12
CHECKED = 4  # copies whose freedoms are counted
G = 9.81
STEPS = 12
DRIVEN, FREE = 1e-9, 1e-6  # rad, of the rates, of the size
DRIFT = 1e-7  # of the largest kinetic energy


def attempt(rng: np.random.Generator) -> list[str]:
    """Some crank-rockers in one mechanism."""
    n, plane, driven = int(rng.integers(1, MOST + 1)), bool(rng.integers(2)), bool(rng.integers(2))
    apart = float(rng.choice([0.0, 3.7]))
    linkages = [CrankRocker.drawn(rng, 1.0) for _ in range(n)]
    m = kp.Builder("copies", plane=plane, gravity=(0, -G) if plane else (0, -G, 0))
    bars = [one.built(m, f"_{k}", apart * k) for k, one in enumerate(linkages)]
    rates = [one.fast(rng, G) for one in linkages]
    case = f"{linkages}, {apart} m apart, plane {plane}, rates {rates}"
    for one, of, rate in zip(linkages, bars, rates, strict=True):
        if driven:
            m.drive(of.crank.angle, start=one.first, speed=rate)
        else:
            m.rate(of.crank.angle, rate)
    machine = m.build()
    run = (
        machine.kinematics(until=1.0, steps=STEPS)
        if driven
        else machine.simulate(until=1.0, steps=STEPS, tolerance=1e-10)
    )
    case = f"{run.provenance.plan} plan, driven {driven}, {case}"
    if not run.outcome.is_done:
        return [f"{run.outcome}: {case}"]
    wrong = []
    for k, (one, rate) in enumerate(zip(linkages, rates, strict=True)):
        a = one.first + rate * run.t if driven else one.let_go(rate, G, run.t)
        speed = np.full(len(a), rate) if driven else one.speed(rate, G)(a)
        close = DRIVEN if driven else FREE
        wrong += compared(run, f"_{k}", one, a, speed, apart * k, close)
    if n <= CHECKED and machine.check().mobility != n:
        wrong.append(f"check counts {machine.check().mobility} freedoms of {n}")
    drift = 0.0 if driven else float(np.ptp(run.energy.total)) / float(run.energy.kinetic.max())
    if not drift <= DRIFT:
        wrong.append(f"the energy drifts by {drift:.2g} of the largest kinetic one")
    return [f"{fault}: {case}" for fault in wrong]


def compared(
    run: kp.Trajectory,
    mark: str,
    one: CrankRocker,
    a: FloatArray,
    speed: FloatArray,
    x: float,
    close: float,
) -> list[str]:
    """What of one crank-rocker is not as its crank's angles and rates say."""
    (b, c), (db, dc) = one.angles(a), one.slopes(a)
    tip = one.lengths[0] * np.exp(1j * a)
    end = tip + one.lengths[1] * np.exp(1j * b)
    due = {
        "crank{}.angle": a,
        "coupler{}.angle": b,
        "rocker{}.angle": c,
        "A{}.angle": a,
        "D{}.angle": c,
        "crank{}.angle.rate": speed,
        "coupler{}.angle.rate": db * speed,
        "rocker{}.angle.rate": dc * speed,
    }
    off = {
        name.format(mark): float(np.abs(run[name.format(mark)].values - true).max())
        / max(1.0, float(np.abs(true).max()))
        for name, true in due.items()
    }
    for name, place in (("crank", tip), ("coupler", end)):
        got = run[f"{name}{mark}.end"].position
        off[f"{name}{mark}.end"] = float(np.abs(got[:, 0] + 1j * got[:, 1] - x - place).max())
    return [f"{name} is off by {much:.2g}" for name, much in off.items() if not much <= close]
