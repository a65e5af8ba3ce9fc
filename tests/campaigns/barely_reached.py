"""Promise: what just goes together is put together, and what just does not is refused, with proof.

Planar chains of one to three dyads on a driven crank, joints in any order, at scales from 1e-3 to
1e3 m, in two units. The last dyad is stretched or folded to a share of 1e-3 to 1e-12 of its reach,
on this side or beyond; its base follows from one of the branches before it, so that most others
do not reach at all. Bodies have no first guess, or one of any quality; now and then one body alone
has. A sweep starts, or is refused with proof, or its start is called singular; `assemble` closes
every bar with the crank at its drive, and where a sweep starts.

Oracle: circles that cut circles, branch by branch, in 40 digits: whether any branch reaches, and by
how much. What is nearer to the border than rounding (1e-10 of a squared bar) is anybody's.
"""

import cmath
import math
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np

import kempe as kp

CASES = 8
ROUNDING = 1e-10  # of the squared height of a dyad, beside its bar's square
PROVABLE = 1e-8  # a smaller miss may be refused without a proof
CLOSED = 1e-9  # of the scale
SAME = 1e-6  # of the scale


@dataclass
class Chain:
    """A crank and the dyads behind it, in complex numbers of metres."""

    scale: float
    crank: float
    angle: float
    dyads: list[tuple[float, float, complex]] = field(default_factory=list)  # coupler, rocker, base
    poses: dict[str, tuple[complex, complex]] = field(default_factory=dict)  # start and end

    @property
    def lengths(self) -> dict[str, float]:
        """Of every bar by its name, m."""
        couplers = {f"c{k}": a for k, (a, _, _) in enumerate(self.dyads)}
        rockers = {f"r{k}": b for k, (_, b, _) in enumerate(self.dyads)}
        return {"crank": self.crank} | couplers | rockers


def attempt(rng: np.random.Generator) -> list[str]:
    """One chain at the border of what can be put together."""
    share = 10.0 ** int(rng.integers(-12, -2)) * float(rng.choice([-1.0, 1.0]))
    chain = _chain(rng, share)
    unit, per_metre = (("m", 1.0), ("mm", 1e3))[int(rng.integers(2))]
    m, guessed = _built(rng, chain, unit, per_metre)
    said = (
        f"share {share:g}, crank {chain.crank!r} at {chain.angle!r}, dyads {chain.dyads}, "
        f"in {unit}, guesses {guessed}"
    )
    reach = _best_height(chain)
    mechanism = m.build()
    try:
        sweep = mechanism.kinematics(until=1e-9, steps=1)
    except kp.errors.DriveError as error:
        if "singular" not in str(error):
            return [f"{error}: {said}"]
        sweep = None
    except kp.errors.AssemblyError as error:
        if reach > ROUNDING:
            return [f"refused ({error}), but a branch reaches by {reach:.2g}: {said}"]
        if reach < -PROVABLE and not error.facts["proved"]:
            return [f"refused without proof ({error}), misses by {-reach:.2g}: {said}"]
        return []
    if reach < -ROUNDING:
        return [f"put together, but every branch misses by {-reach:.2g}: {said}"]
    return [f"{fault}: {said}" for fault in _misplaced(mechanism.assemble(), sweep, chain)]


def _misplaced(put: Any, sweep: Any, chain: Chain) -> list[str]:
    """What is wrong with where `assemble` puts it, and with where a sweep starts."""
    wrong = []
    gap = max(
        abs(_complex(put[f"c{k}.end"]) - _complex(put[f"r{k}.end"]))
        for k in range(len(chain.dyads))
    )
    if gap > CLOSED * chain.scale:
        wrong.append(f"it gapes by {gap:.2g} m")
    off = abs(_complex(put["crank.end"]) - cmath.rect(chain.crank, chain.angle))
    if off > CLOSED * chain.scale:
        wrong.append(f"the crank's end is {off:.2g} m from where its drive puts it")
    if sweep is None:
        return wrong
    apart = max(
        abs(_complex(sweep[f"{name}.end"].position[0]) - _complex(put[f"{name}.end"]))
        for name in chain.poses
    )
    if apart > SAME * chain.scale:
        wrong.append(f"a sweep starts {apart:.2g} m away")
    return wrong


def _chain(rng: np.random.Generator, share: float) -> Chain:
    """Dyad after dyad from a crank; the last one just reaches, or just not."""
    scale = 10.0 ** rng.uniform(-3.0, 3.0)
    crank, angle = float(rng.uniform(0.5, 1.5) * scale), float(rng.uniform(-3.0, 3.0))
    chain = Chain(scale, crank, angle)
    tip = cmath.rect(crank, angle)
    chain.poses["crank"] = (0j, tip)
    count = int(rng.integers(1, 4))
    for k in range(count):
        a, b = (float(x) for x in rng.uniform(1.0, 3.0, 2) * scale)
        far = rng.uniform(1.05 * abs(a - b), 0.95 * (a + b))
        if k == count - 1:
            folded = rng.random() < 0.5 and abs(a - b) > 0.1 * scale
            far = abs(a - b) * (1.0 + share) if folded else (a + b) * (1.0 - share)
        base = tip + cmath.rect(far, rng.uniform(-math.pi, math.pi))
        along = (a * a - b * b + far * far) / (2.0 * far)
        height = math.sqrt(max(a * a - along * along, 0.0)) * float(rng.choice([-1.0, 1.0]))
        knee = tip + (base - tip) / far * complex(along, height)
        chain.dyads.append((a, b, base))
        chain.poses[f"c{k}"], chain.poses[f"r{k}"] = (tip, knee), (base, knee)
        tip = knee
    return chain


def _built(
    rng: np.random.Generator, chain: Chain, unit: str, per_metre: float
) -> tuple[kp.Builder, dict[str, Any]]:
    m = kp.Builder("chain", plane=True, units=unit)
    alone = str(rng.choice(list(chain.poses))) if rng.random() < 0.4 else None
    guessed, bars = {}, {}
    for name, (start, end) in chain.poses.items():
        guess = _guess(rng, chain.scale, start, end, per_metre, name == alone)
        if alone is not None and name != alone:
            guess = {}
        if guess:
            guessed[name] = guess
        bars[name] = m.bar(name, chain.lengths[name] * per_metre, **guess)

    def pivot(z: complex) -> Any:
        return m.ground.at(z.real * per_metre, z.imag * per_metre)

    ends = [(pivot(0j), bars["crank"].start)]
    before = bars["crank"].end
    for k, (_, _, base) in enumerate(chain.dyads):
        coupler, rocker = bars[f"c{k}"], bars[f"r{k}"]
        ends += [(before, coupler.start), (coupler.end, rocker.end), (pivot(base), rocker.start)]
        before = rocker.end
    for k in rng.permutation(len(ends)):
        m.revolute(*ends[k])
    m.drive(bars["crank"].angle, start=chain.angle, speed=1.0)
    return m, guessed


def _guess(
    rng: np.random.Generator,
    scale: float,
    start: complex,
    end: complex,
    per_metre: float,
    certain: bool,
) -> dict[str, Any]:
    """A place and an angle, either alone, or nothing; exact, noisy or far off; turns off."""
    kind = "both" if certain else str(rng.choice(["none", "at", "angle", "both"]))
    noise = float(rng.choice([0.0, 1e-6, 0.05, 0.5, 2.0]))
    place = (start + scale * noise * complex(*rng.normal(size=2))) * per_metre
    angle = cmath.phase(end - start) + noise * rng.normal() + math.tau * int(rng.integers(-2, 3))
    at = {"at": (place.real, place.imag)} if kind in ("at", "both") else {}
    return at | ({"angle": float(angle)} if kind in ("angle", "both") else {})


def _best_height(chain: Chain) -> float:
    """The largest squared height of the last dyad over all branches, beside its bar's square."""
    with mp.workdps(40):
        tips = [mp.mpf(chain.crank) * mp.expj(mp.mpf(chain.angle))]
        best = mp.mpf(-1)
        for k, (a_, b_, base_) in enumerate(chain.dyads):
            a, b, base = mp.mpf(a_), mp.mpf(b_), mp.mpc(base_)
            knees = []
            for tip in tips:
                far = abs(base - tip)
                along = (a * a - b * b + far * far) / (2 * far)
                square = a * a - along * along
                if k == len(chain.dyads) - 1:
                    best = max(best, square / (a * a))
                elif square >= 0:
                    height = mp.sqrt(square)
                    knees += [
                        tip + (base - tip) / far * mp.mpc(along, sign * height) for sign in (-1, 1)
                    ]
            tips = knees
        return float(best)


def _complex(place: Any) -> complex:
    return complex(place[0], place[1])
