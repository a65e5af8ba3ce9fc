"""Promise: every variant of a batch moves as its lengths say, on the branch of the mechanism
itself, ends where it must, and is never mixed up with another, however the function that builds it
decides by its parameters.

Oracle: dyads by cuts of circles in complex numbers, over all variants and samples at once.
"""

import math

import numpy as np

import kempe as kp

CASES = 12
NEAR = 1e-5  # of the sum of lengths: nearer to a dead point two arithmetics may differ
TOLERANCE = 1e-7  # of the sum of lengths


@kp.parametric
def linkage(crank=0.3, coupler=0.9, rocker=0.7, ground=1.0, lift=0.0, px=0.4, py=0.3,
            limit=math.inf, start=0.0, scale=1.0, turns=1.0):  # fmt: skip
    """A four-bar; where the crank is beyond the limit its coupler is longer."""
    if crank > limit:
        coupler = coupler + 0.125 * crank
    m = kp.Builder("linkage", plane=True)
    first = m.bar("crank", crank * scale, angle=start)
    middle = m.bar("coupler", coupler * scale, points={"P": (px * scale, py * scale)}, angle=0.9)
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    last = m.bar("rocker", rocker * scale, angle=1.5)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(ground * scale, lift * scale))
    m.drive(first.angle, start=start, rpm=60.0 * turns)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """A linkage at a scale from 1e-6 to 1e6, some tens of variants, one turn or several."""
    scale, turns = 10.0 ** rng.integers(-6, 7), float(rng.integers(1, 5))
    fixed = {"scale": scale, "turns": turns, "start": float(rng.uniform(-1.0, 1.0))}
    home = linkage(**fixed)
    count, steps = int(rng.integers(1, 60)), int(rng.integers(30, 300)) * int(turns)
    spread = rng.uniform(0.0, 0.5)
    usual = {"crank": 0.3, "coupler": 0.9, "rocker": 0.7, "ground": 1.0, "px": 0.4, "py": 0.3}
    columns = {
        name: value * (1.0 + spread * rng.uniform(-1.0, 1.0, count))
        for name, value in usual.items()
        if rng.uniform() < 0.7
    }
    columns["lift"] = spread * rng.uniform(-0.5, 0.5, count) * rng.integers(0, 2, count)
    if rng.uniform() < 0.4:
        home = linkage(**fixed, limit=0.31)
    threads = int(rng.integers(1, 3))
    found = home.batch(
        columns, until=1.0, steps=steps, outputs=["coupler.P", "crank.angle"], threads=threads
    )
    return _compared(home, found, columns, count)


def _compared(home, found, columns, count) -> list[str]:
    given = {**home.parameters, **columns}
    a, b, c, d, e, px, py = (
        np.broadcast_to(np.asarray(given[name], dtype=float), (count,))[:, None]
        for name in ("crank", "coupler", "rocker", "ground", "lift", "px", "py")
    )
    b = np.where(a > given["limit"], b + 0.125 * a, b)
    size, scale = a + b + c + d, given["scale"]
    angle = given["start"] + 2.0 * np.pi * given["turns"] * found.t
    B = a * np.exp(1j * angle)
    way = d + 1j * e - B
    r = np.abs(way)
    margin = np.minimum(b + c - r, r - np.abs(b - c)) / size
    closes = margin > 0.0
    until = np.where(closes.all(axis=1), closes.shape[1], (~closes).argmax(axis=1))
    # whole turns pass the ends of the diagonal's range, though perhaps between two samples
    far = np.abs(d + 1j * e)
    ends = np.concatenate([b + c - far - a, np.abs(far - a) - np.abs(b - c)], axis=1) / size
    between = (until == closes.shape[1]) & (ends < NEAR).any(axis=1)
    doubtful = (np.abs(margin) < NEAR).any(axis=1) | between
    with np.errstate(invalid="ignore"):
        turned = np.exp(1j * _branch(home) * np.arccos((b * b + r * r - c * c) / (2.0 * b * r)))
    P = (B + (px + 1j * py) * way / r * turned) * scale
    wrong = []
    for k in np.flatnonzero(~doubtful).tolist():
        n = int(until[k])
        word = "Done" if n == len(found.t) else "DeadPoint" if n else "NotReached"
        if (found.samples[k], found.outcomes[k]) != (n, word):
            wrong.append(f"variant {k} is {found.why(k)}, and should be {word} after {n} samples")
            continue
        seen = found["coupler.P"].values[k, :n] @ (1.0, 1.0j)
        off = np.abs(seen - P[k, :n]).max(initial=0.0) / (size[k, 0] * scale)
        if not off < TOLERANCE:
            wrong.append(f"P of variant {k} is off by {off:.2g} of its size")
        if np.abs(found["crank.angle"].values[k, :n] - angle[:n]).max(initial=0.0) > 1e-9:
            wrong.append(f"the crank of variant {k} is not where its drive has it")
    return wrong[:3]


def _branch(home) -> float:
    """1 where the coupler lies left of the way from the crank's end to the rocker's pivot."""
    poses = home.assemble().poses
    B, crank = poses["coupler"].position, home.parameters
    end = complex(crank["ground"], crank["lift"]) * crank["scale"]
    x = poses["coupler"].rotation.x
    return math.copysign(1.0, ((end - complex(B.x, B.y)).conjugate() * complex(x.x, x.y)).imag)
