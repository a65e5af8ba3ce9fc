"""Promise: `verify` confirms an honest map of motions, and never one that was made false.

Chains of dyads on a crank, at scales from 1e-6 to 1e6, with limits of turns or places now and then.

Oracle: the forger. An honest map was found by the search, whose counts other campaigns judge; one
that lost a component, a limit, a part of its domain, or speaks of a length that differs is false.
"""

from dataclasses import replace

import numpy as np

import kempe as kp
from kempe.results.maps.certificate import Promise

CASES = 3


def chain(rng: np.random.Generator, scale: float) -> kp.Mechanism:
    """A crank, and one or two dyads from the last joint to the ground."""
    m = kp.Builder("chain", plane=True)
    crank = m.bar("crank", float(rng.uniform(0.4, 1.2)) * scale)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    last = crank.end
    for k in range(int(rng.integers(1, 3))):
        one = m.bar(f"one{k}", float(rng.uniform(1.0, 3.0)) * scale)
        two = m.bar(f"two{k}", float(rng.uniform(1.0, 3.0)) * scale)
        m.revolute(last, one.start, name=f"B{k}")
        m.revolute(one.end, two.end, name=f"C{k}")
        x, y = (float(v) * scale for v in rng.uniform(-2.0, 2.0, 2))
        m.revolute(m.ground.at(x, y), two.start, name=f"D{k}")
        last = one.end if rng.random() < 0.5 else two.end
    return m.build()


def forged(rng: np.random.Generator, motions: kp.MotionMap) -> tuple[str, kp.MotionMap]:
    """A map that is false, and how it was made so."""
    count = len(motions.components)
    ways = ["outcome", "domain", "name"] + ["component", "chart", "all"] * (count > 0)
    way = str(rng.choice(ways))
    if way == "component":
        gone = int(rng.integers(count))
        left = [c for c in motions.components if c.number != gone]
        left = [replace(c, number=k) for k, c in enumerate(left)]
        return way, replace(motions, components=tuple(left))
    if way == "all":
        return way, replace(motions, components=())
    if way == "chart":
        k = int(rng.integers(count))
        one = motions.components[k]
        w = np.array(one.charts["w"])
        w[int(rng.integers(len(w)))] *= 50.0
        made = list(motions.components)
        made[k] = replace(one, charts=dict(one.charts) | {"w": w})
        return way, replace(motions, components=tuple(made))
    if way == "domain":
        old = motions.blocks[0]
        new = replace(old, high=np.where(np.isfinite(old.high), 0.5 * old.high, old.high))
        swap = [replace(c, block=new) if c.block is old else c for c in motions.components]
        return way, replace(motions, blocks=(new, *motions.blocks[1:]), components=tuple(swap))
    if way == "name":
        return way, replace(motions, unknowns=("another.c", *motions.unknowns[1:]))
    others = [p for p in Promise if p is not motions.outcome and p is not Promise.NUMERICAL]
    return way, replace(motions, outcome=others[int(rng.integers(len(others)))])


def attempt(rng: np.random.Generator) -> list[str]:
    """One map, confirmed; one that is false, refused."""
    scale = float(10.0 ** rng.integers(-6, 7))
    mechanism = chain(rng, scale)
    limits = {}
    if rng.random() < 0.4:
        low = float(rng.uniform(-3.0, 1.0))
        limits = {"crank.angle": (low, low + float(rng.uniform(0.3, 2.0)))}
    motions = mechanism.motions(limits=limits, effort=kp.Effort(seconds=10.0))
    case = f"{mechanism.model.joints} limits {limits}"
    wrong = []
    proved = motions.verify()
    if not proved.holds:
        wrong.append(f"an honest map of {motions} is not confirmed: {proved}: {case}")
    way, false = forged(rng, motions)
    if false.verify().holds:
        wrong.append(f"a map was forged ({way}) and confirmed: {motions}: {case}")
    return wrong
