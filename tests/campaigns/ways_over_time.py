"""Promise: with time as an unknown all ways to put a mechanism together are followed, and every
moment at which two of them are born or die is found, whatever laws the drives follow.

Oracle: two bars between two driven places have two assemblies where the distance of these lies
between the difference and the sum of their lengths; roots of that by 20,001 instants and Brent.
"""

import itertools

import numpy as np
from scipy.optimize import brentq

import kempe as kp
from kempe.drives import TextFormula

CASES = 6
INSTANTS = 20_001
TOUCH = 1e-4  # of a length: of touches without crossing, and of ends of the span
NEAR = 1e-6  # s


def attempt(rng: np.random.Generator) -> list[str]:
    """A crank and a slide, or two cranks, by laws of several kinds; a dyad between them."""
    a, b, c, d = (float(x) for x in rng.uniform(0.5, 1.5, 4))
    until = float(rng.uniform(0.3, 2.0))
    one, first = _law(rng, 0.4 * np.pi)
    two, second = _law(rng, 0.4)
    has_slide = bool(rng.uniform() < 0.5)
    e = 0.0 if has_slide else float(rng.uniform(0.3, 1.0))
    m = kp.Builder("over time", plane=True)
    crank = m.bar("crank", a)
    m.revolute(m.ground.at(0, 0), crank.start)
    left, right = m.bar("left", b), m.bar("right", c)
    m.revolute(crank.end, left.start)
    m.revolute(left.end, right.start)
    m.drive(crank.angle, one)
    if has_slide:
        foot = m.body("foot")
        way = m.prismatic(m.ground.at(d, 0), foot.at(0, 0), along=(1, 0), name="way")
        m.revolute(foot.at(0, 0), right.end)
        m.drive(way.displacement, two)
    else:
        arm = m.bar("arm", e)
        m.revolute(m.ground.at(d, 0), arm.start)
        m.revolute(arm.end, right.end)
        m.drive(arm.angle, two)

    def gaps(t):
        """How much the dyad has to spare (< 0: it does not close)."""
        t = np.asarray(t, dtype=float)
        B = a * np.exp(1j * first(t))
        D = d + second(t) if has_slide else d + e * np.exp(1j * second(t))
        r = np.abs(D - B)
        return b + c - r, r - abs(b - c)

    t = np.linspace(0.0, until, INSTANTS)
    margins = gaps(t)
    case = f"a, b, c, d, e = {a, b, c, d, e}, {one}, {two}, until {until}: "
    events = []
    for k, margin in enumerate(margins):
        turns = (np.diff(np.sign(np.diff(margin))) != 0).nonzero()[0] + 1
        if np.abs(margin[[0, -1, *turns]]).min() < TOUCH:
            return []  # a touch: two moments within a breath, or none
        for j in (np.diff(np.sign(margin)) != 0).nonzero()[0]:
            at = brentq(lambda s, k=k: float(gaps(s)[k]), t[j], t[j + 1], xtol=1e-13)
            events.append((at, "birth" if margin[j] < 0 else "death"))
    events.sort()
    if any(y[0] - x[0] < 1e-4 for x, y in itertools.pairwise(events)):
        return []
    try:
        found = m.build().timeline(0, until)
    except kp.KempeError as refused:
        return [case + f"refused: {refused}"]
    if str(found.outcome) != "complete":
        return (
            []
            if str(found.outcome) == "certified_partial"
            else [case + f"{found.outcome}: {found.message}"]
        )
    seen = sorted((x.t, "birth" if x.is_birth else "death") for x in found.events)
    wrong = []
    if [k for _, k in seen] != [k for _, k in events] or any(
        abs(x - y) > NEAR for (x, _), (y, _) in zip(seen, events, strict=False)
    ):
        wrong.append(f"events {seen}, not {events}")
    for s in rng.uniform(0.0, until, 5):
        if min((abs(s - x) for x, _ in events), default=1.0) < 1e-4:
            continue
        true = 2 if min(float(g) for g in gaps(s)) > 0 else 0
        if found.count(float(s)) != true:
            wrong.append(f"{found.count(float(s))} ways at {s}, not {true}")
    if not found.is_proved:
        wrong.append(f"it is not proved: {found.message}")
    return [case + one for one in wrong[:2]]


def _law(rng, size):
    """A law as kempe takes it, and as NumPy computes it."""
    at, s, w = float(rng.normal() * size), float(rng.normal() * 2 * size), float(rng.uniform(1, 8))
    p = float(rng.uniform(-3, 3))
    kinds = [
        (f"{at!r} + {s!r} * t", lambda t: at + s * t),
        (f"{at!r} + {s!r} * sin({w!r} * t + {p!r})", lambda t: at + s * np.sin(w * t + p)),
        (f"{at!r} + {s!r} * t - {0.7 * s!r} * t^2", lambda t: at + s * t - 0.7 * s * t * t),
        (f"{at!r}", lambda t: at + 0.0 * t),
        (f"{at!r} + {s!r} * tanh({w!r} * (t - 0.5))", lambda t: at + s * np.tanh(w * (t - 0.5))),
    ]
    text, law = kinds[int(rng.integers(len(kinds)))]
    return TextFormula(text), law
