"""Promise: stops between bodies pass impulses on, at one moment or one after another.

Balls of any mass on one rail, in the plane or in space, without forces between impacts, with a stop
between neighbours and walls at the ends, of restitutions from 0 to 1: the moment, the name, the
speed, the impulse and the loss of every impact, where the balls are at every sample, how fast, and
the energies. Some start in touch, alike in mass and speed, or at mirrored places, so that impacts
fall on one moment and have to be put in order: the one approached fastest first (closing speed
times the root of the reduced mass), those approached alike together.

Oracle: the same game in fractions, without any rounding.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import kempe as kp
from kempe.events import Stop
from kempe.measures import Displacement

CASES = 20
MOST = 60  # impacts
CLOSE = 1e-9

Hit = tuple[Fraction, int, Fraction, Fraction, Fraction]  # moment, stop, speed, impulse, loss


class Line(NamedTuple):
    """Balls on a line, as fractions of the machine's size: one restitution more than balls."""

    masses: list[Fraction]
    places: list[Fraction]
    speeds: list[Fraction]
    e: list[Fraction]  # restitutions, of the wall before the first ball first
    walls: bool
    wall: Fraction  # the place of the last


class Unclear(Exception):
    """Who acts first is not said, or there is no end."""


def attempt(rng: np.random.Generator) -> list[str]:
    """One row of balls."""
    n = int(rng.integers(1, 6))
    size = float(10.0 ** (rng.uniform(-6, 6) * rng.integers(0, 2)))
    masses = [
        Fraction(int(k)) for k in (rng.integers(1, 6, n) if rng.random() < 0.6 else np.ones(n))
    ]
    gaps = [Fraction(int(k), 8) for k in rng.integers(0 if rng.random() < 0.4 else 1, 9, n + 1)]
    places = [sum(gaps[: k + 1], Fraction(0)) for k in range(n)]
    wall = places[-1] + gaps[-1]
    speeds = [Fraction(int(k), 2) for k in rng.integers(-4, 5, n)]
    if rng.random() < 0.3:
        speeds = [Fraction(3)] + [Fraction(0)] * (n - 1)
    e = [Fraction(int(k), 4) for k in rng.choice([0, 1, 2, 3, 4], n + 1)]
    if rng.random() < 0.5:
        e = [e[0]] * (n + 1)
    walls = bool(rng.random() < 0.7)
    until, steps = Fraction(int(rng.integers(1, 17)), 4), int(rng.choice([1, 5, 16]))
    method = str(rng.choice(["auto", "dop853", "tsit5", "rodas5p", "gear"]))
    said = (
        f"{masses=}, {places=}, {speeds=}, {e=}, {walls=}, {wall=}, {until=}, {steps=}, {method=}"
    )
    said += f", {size=!r}"
    said = said.replace("Fraction", "F")
    line = Line(masses, places, speeds, e, walls, wall)
    try:
        samples, hits = played(line, until, steps)
    except Unclear:
        return []
    m = kp.Builder("balls", plane=bool(rng.random() < 0.7))
    run = built(m, size, line).simulate(until=float(until), steps=steps, method=method)
    return [f"{fault}: {said}" for fault in compared(run, size, masses, samples, hits, until)]


def built(m: kp.Builder, size: float, line: Line) -> kp.Mechanism:
    """The balls as bodies on slides."""
    masses, places, speeds, e, walls, wall = line
    rest = (0.0,) if m.plane else (0.0, 0.0)
    turn: dict[str, Any] = {"angle": 0.0} if m.plane else {"rotation": kp.Rotation.identity()}
    slides = []
    for k, (mass, place, speed) in enumerate(zip(masses, places, speeds, strict=True)):
        inertia = kp.Inertia(float(mass), (0, 0, 0), float(mass) * size**2 * np.eye(3))
        body = m.body(f"ball{k}", at=(float(place) * size, *rest), inertia=inertia, **turn)
        slide = m.prismatic(m.ground.at(0.0, *rest), body.at(0.0, *rest), name=f"slide{k}")
        m.rate(slide.displacement, float(speed) * size)
        slides.append((body, slide))
    for k in range(1, len(masses)):
        gauge = m.gauge(
            f"gap{k}",
            Displacement(kp.X),
            slides[k - 1][0].at(0.0, *rest),
            slides[k][0].at(0.0, *rest),
        )
        m.event(Stop(gauge, low=0.0, restitution=float(e[k])), f"stop{k}")
    if walls:
        m.event(Stop(slides[0][1].displacement, low=0.0, restitution=float(e[0])), "stop0")
        last = Stop(slides[-1][1].displacement, high=float(wall) * size, restitution=float(e[-1]))
        m.event(last, f"stop{len(masses)}")
    return m.build()


def played(
    line: Line, until: Fraction, steps: int
) -> tuple[list[tuple[list[Fraction], list[Fraction]]], list[Hit]]:
    """Places and speeds at the samples, and (moment, stop, speed, impulse, loss) of impacts."""
    masses, places, speeds, e, walls, wall = line
    n = len(masses)
    x, v, now = list(places), list(speeds), Fraction(0)
    hits: list[Hit] = []
    samples = []
    pairs = [k for k in range(n + 1) if walls or 0 < k < n]

    def gap(k: int) -> Fraction:
        return x[0] if k == 0 else wall - x[-1] if k == n else x[k] - x[k - 1]

    def closing(k: int) -> Fraction:
        return -v[0] if k == 0 else v[-1] if k == n else v[k - 1] - v[k]

    def ease(k: int) -> Fraction:
        return sum((1 / masses[j] for j in (k - 1, k) if 0 <= j < n), Fraction(0))

    def struck() -> None:
        """All impacts of this moment."""
        came = {k: max(closing(k), Fraction(0)) for k in pairs}
        for _ in range(MOST):
            near = [k for k in pairs if gap(k) == 0 and closing(k) > 0]
            if not near:
                return
            most = max(closing(k) ** 2 / ease(k) for k in near)
            first = [k for k in near if closing(k) ** 2 / ease(k) == most]
            if any(b - a == 1 for a, b in pairwise(first)):
                raise Unclear  # two stops of one ball, approached alike
            for k in first:
                impulse = (1 + e[k]) * closing(k) / ease(k)
                hits.append(
                    (now, k, came[k], impulse, (1 - e[k] ** 2) * closing(k) ** 2 / ease(k) / 2)
                )
                if k > 0:
                    v[k - 1] -= impulse / masses[k - 1]
                if k < n:
                    v[k] += impulse / masses[k]
        raise Unclear

    times = [until * k / steps for k in range(steps + 1)]
    struck()
    for _ in range(MOST):
        ahead = [(now + gap(k) / closing(k), k) for k in pairs if closing(k) > 0 and gap(k) > 0]
        end = min([t for t, _ in ahead], default=until + 1)
        if end in times:
            raise Unclear  # before or after it: rounding decides
        while times and times[0] < end:
            t = times.pop(0)
            samples.append(([a + b * (t - now) for a, b in zip(x, v, strict=True)], list(v)))
        if not times:
            return samples, hits
        x = [a + b * (end - now) for a, b in zip(x, v, strict=True)]
        now = end
        struck()
    raise Unclear


def compared(
    run: kp.Trajectory,
    size: float,
    masses: list[Fraction],
    samples: list[tuple[list[Fraction], list[Fraction]]],
    hits: list[Hit],
    until: Fraction,
) -> list[str]:
    """What differs between a run and the game in fractions."""
    if not run.outcome.is_done:
        return [f"{run.outcome}"]
    wrong = []
    if len(run) != len(samples):
        return [f"{len(run)} samples instead of {len(samples)}"]
    most = 1.0 + max(abs(float(u)) for _, v in samples for u in v)
    for k in range(len(masses)):
        reading: Any = run[f"slide{k}.displacement"]
        x = np.array([float(s[0][k]) for s in samples])
        v = np.array([float(s[1][k]) for s in samples])
        if not np.abs(reading.values / size - x).max() <= CLOSE * (1 + np.abs(x).max()):
            wrong.append(f"ball {k} is off by {np.abs(reading.values / size - x).max():.2g}")
        if not np.abs(reading.rate / size - v).max() <= CLOSE * most:
            wrong.append(f"speed of ball {k} is off by {np.abs(reading.rate / size - v).max():.2g}")
    impacts = [e for e in run.events if e.kind == "impact"]
    due = told(hits)
    got = sorted(
        (e.t, e.name, e.speed / size, abs(e.impulse) / size, e.lost / size**2) for e in impacts
    )
    if len(got) != len(due):
        return [*wrong, f"impacts {got[:8]} instead of {due[:8]}"]
    used = set()
    slowest = np.inf  # a slow ball is late or early by the rounding of its place over its speed
    for want in due:
        slowest = min(slowest, want[2] or np.inf)
        late = CLOSE * (1.0 + most / slowest * 1e-6)
        near = [
            k
            for k, is_ in enumerate(got)
            if k not in used
            and is_[1] == want[1]
            and abs(is_[0] - want[0]) <= late
            and np.allclose(is_[2:], want[2:], rtol=CLOSE, atol=CLOSE)
        ]
        if not near:
            wrong.append(f"no impact {want} among {got[:8]}")
        used.update(near[:1])
    kinetic = np.array(
        [
            sum(float(m) * float(u) ** 2 / 2 for m, u in zip(masses, s[1], strict=True))
            for s in samples
        ]
    )
    lost = float(sum(h[4] for h in hits))
    if not np.abs(run.energy.kinetic / size**2 - kinetic).max() <= CLOSE * (1 + kinetic.max()):
        wrong.append("kinetic energy")
    if not abs(run.energy.dissipated[-1] / size**2 - lost) <= CLOSE * (1 + lost):
        wrong.append(f"dissipated {run.energy.dissipated[-1] / size**2} instead of {lost}")
    return wrong


def told(hits: list[Hit]) -> list[tuple[float, str, float, float, float]]:
    """Impacts as they are listed: one a stop and moment, at the speed from before the moment."""
    found: dict[tuple[Fraction, int], Hit] = {}
    for hit in hits:
        before = found.get(hit[:2], (*hit[:3], Fraction(0), Fraction(0)))
        found[hit[:2]] = (*before[:3], before[3] + hit[3], before[4] + hit[4])
    return sorted(
        (float(t), f"stop{k}", float(s), float(p), float(d)) for t, k, s, p, d in found.values()
    )
