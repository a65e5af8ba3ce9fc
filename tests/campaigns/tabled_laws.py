"""Promise: forces whose laws are tables, pieces or jumps move a mass as they say.

A mass on a slide, a linear spring, and one to three laws of place (`NonlinearSpring`), of rate (its
damper) or of time (`Actuator`): tables of 2 to 200 points, open and periodic, rises and ramps in a
row, once and repeated, and formulas with `abs`, `min`, `max` and `if`. The run is `Done`, place,
rate and efforts are right, the energies balance, and what an open table stores is its integral.

Oracle: the laws piece by piece (SciPy's CubicSpline for tables), and DOP853 from break to break
with each law held on its piece in between; `quad` for what is stored. A second run from a start
that is off by 1e-8 says how much a small error grows.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import CubicSpline

import kempe as kp
from kempe.drives import Cycloidal, Harmonic, Piecewise, Polynomial, Ramp, Table, TextFormula
from kempe.forces import Actuator, NonlinearSpring, SpringDamper

CASES = 10
# Dampers that are the same at every rate; one that begins anew soon after a corner; a rate that is
# beyond a corner for less than one step of SciPy's; one that begins where it ends.
REMEMBERED = (29, 53, 81, 81000035, 91000029, 95000031)
SAME = 2e-6  # of place and rate, times what a small error grows by
MOST_GROWN = 1e4
MOST_BREAKS = 2000
WITHIN = np.linspace(0.0, 1.0, 11)[1:-1]  # of a step, where a piece may be left and found again
BALANCED = 1e-5  # of the largest kinetic energy

Piece = Callable[[float], float]
At = tuple[int, int]  # which period, which piece


@dataclass(frozen=True)
class Law:
    """A law on its pieces: without a period the first and the last go on for ever."""

    said: str
    law: Any
    breaks: tuple[float, ...]
    pieces: tuple[Piece, ...]
    period: float = 0.0
    jumps: bool = False
    stores: bool = False  # whether what it stores is compared

    def at(self, x: float) -> At:
        """The piece on which x lies."""
        turn = math.floor((x - self.breaks[0]) / self.period) if self.period else 0
        k = int(np.searchsorted(self.breaks, x - turn * self.period, side="right"))
        return turn, min(max(k - 1, 0), len(self.pieces) - 1) if self.period else k

    def ends(self, at: At) -> tuple[float, float]:
        """Where a piece begins and ends."""
        turn, k = at
        if self.period:
            return self.breaks[k] + turn * self.period, self.breaks[k + 1] + turn * self.period
        padded = (-math.inf, *self.breaks, math.inf)
        return padded[k], padded[k + 1]

    def next(self, at: At, way: int) -> At:
        """The piece beside it."""
        turn, k = at[0], at[1] + way
        return (turn + k // len(self.pieces), k % len(self.pieces)) if self.period else (turn, k)

    def value(self, at: At, x: float) -> float:
        """The law of one piece, also beyond its ends."""
        return self.pieces[at[1]](x - at[0] * self.period)


def table(rng: np.random.Generator, span: float, size: float) -> Law:
    """A spline through points, held at its ends, or repeated."""
    n, low = int(rng.choice([2, 3, 4, 5, 8, 40, 200])), span * float(rng.uniform(-1.0, 0.2))
    x = np.linspace(low, low + span * float(rng.uniform(0.3, 1.5)), n)
    if n < 40 and rng.random() < 0.6:  # anywhere, but not one upon another
        x[1:-1] += rng.uniform(-0.4, 0.4, n - 2) * (x[1] - x[0])
    y = size * rng.uniform(-1.0, 1.0, n)
    again = n > 3 and rng.random() < 0.3
    y[-1] = y[0] if again else y[-1]
    spline = CubicSpline(x, y, bc_type="periodic" if again else "not-a-knot")
    points = tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
    inner = tuple(lambda q, k=k: float(np.polyval(spline.c[:, k], q - x[k])) for k in range(n - 1))
    breaks = tuple(float(v) for v in x)
    if again:
        law = Table(points, periodic=True)
        return Law(f"periodic table of {n}", law, breaks, inner, breaks[-1] - breaks[0])
    pieces: tuple[Piece, ...] = (lambda q: float(y[0]), *inner, lambda q: float(y[-1]))
    return Law(f"table of {n}", Table(points), breaks, pieces, stores=True)


def rise(first: float, by: float, begin: float, lasts: float) -> Piece:
    """A cycloidal rise, at rest before and after."""

    def value(q: float) -> float:
        u = min(max((q - begin) / lasts, 0.0), 1.0)
        return first + by * (u - math.sin(2.0 * math.pi * u) / (2.0 * math.pi))

    return value


def pieces_in_a_row(rng: np.random.Generator, span: float, size: float) -> Law:
    """Ramps, parabolas and rises in a row, each from where the last one ended."""
    n, again = int(rng.integers(1, 5)), bool(rng.random() < 0.4)
    levels = [float(v) for v in size * rng.uniform(-1.0, 1.0, n + 1)]
    levels[-1] = levels[0] if again else levels[-1]
    breaks, laws, pieces = [0.0], [], []
    for k in range(n):
        first, by, begin = levels[k], levels[k + 1] - levels[k], breaks[-1]
        lasts, kind = span * float(rng.uniform(0.1, 0.6)), int(rng.integers(3))
        bend = size / span**2 * float(rng.uniform(-3.0, 3.0)) if kind == 1 else 0.0
        slope = by / lasts - bend * lasts / 2.0
        if kind == 2:
            laws.append((lasts, Cycloidal(rise=by, duration=lasts, start=first)))
            pieces.append(rise(first, by, begin, lasts))
        else:
            law = Ramp(first, slope, bend) if kind else Polynomial((first, slope))
            laws.append((lasts, law))
            pieces.append(
                lambda q, f=first, s=slope, b=bend, o=begin: f + s * (q - o) + b * (q - o) ** 2 / 2
            )
        breaks.append(begin + lasts)
    law = Piecewise(tuple(laws), repeats=again)
    if again:
        return Law(f"{n} pieces, again", law, tuple(breaks), tuple(pieces), breaks[-1])
    return Law(f"{n} pieces", law, tuple(breaks), (pieces[0], *pieces, pieces[-1]))


def formula(rng: np.random.Generator, span: float, size: float) -> Law:
    """A text with a corner or a jump."""
    a = span * float(rng.uniform(-0.5, 0.6))
    b = a + span * float(rng.uniform(0.1, 0.5))
    k, c = size / span * float(rng.uniform(0.1, 1.5)), size * float(rng.uniform(-1.0, 1.0))
    below, up, flat = (lambda q: -k * (q - a)), (lambda q: k * (q - a)), (lambda q: c)
    texts: list[tuple[str, dict[str, float], tuple[float, ...], tuple[Piece, ...]]] = [
        ("k * abs(t - a)", {"k": k, "a": a}, (a,), (below, up)),
        ("max(k * (t - a), c)", {"k": k, "a": a, "c": c}, (a + c / k,), (flat, up)),
        (
            "k * (min(max(t, a), b) - a)",
            {"k": k, "a": a, "b": b},
            (a, b),
            (lambda q: 0.0, up, lambda q: k * (b - a)),
        ),
        (
            "if(t < a, c, if(t < b, -c, k * (t - a)))",
            {"k": k, "a": a, "b": b, "c": c},
            (a, b),
            (flat, lambda q: -c, up),
        ),
    ]
    kind = int(rng.integers(len(texts)))
    text, given, breaks, pieces = texts[kind]
    law = TextFormula(text, tuple(given), tuple(given.values()))
    return Law(text, law, breaks, pieces, jumps=kind == 3)


def smooth(rng: np.random.Generator, span: float, size: float) -> Law:
    """A wave, or one rise after a dwell."""
    if rng.random() < 0.5:
        high, phase = size * float(rng.uniform(0.2, 1.0)), float(rng.uniform(-3.0, 3.0))
        often = float(rng.uniform(0.3, 2.0)) / span
        wave = Harmonic(amplitude=high, frequency=often, phase=phase)
        return Law("wave", wave, (), (lambda q: high * math.sin(2 * math.pi * often * q + phase),))
    first, by = (float(v) for v in size * rng.uniform(-1.0, 1.0, 2))
    lasts, dwell = span * float(rng.uniform(0.2, 0.8)), span * float(rng.uniform(-0.4, 0.4))
    law = Cycloidal(rise=by, duration=lasts, dwell=dwell, start=first)
    piece = rise(first, by, dwell, lasts)
    return Law("rise", law, (dwell, dwell + lasts), (piece, piece, piece))


@dataclass(frozen=True)
class Term:
    """A law, what it is one of ("t", "x" or "v"), and the sign of its force."""

    name: str
    law: Law
    of: str
    sign: float

    def argument(self, t: float, y: np.ndarray) -> float:
        """What the law sees."""
        return t if self.of == "t" else float(y[0] if self.of == "x" else y[1])


def crossing(of: str, end: float, way: int) -> Any:
    """An event of SciPy's: the motion leaves a piece."""

    def event(t: float, y: np.ndarray) -> float:
        return float(y[0] if of == "x" else y[1]) - end

    event.terminal = True  # type: ignore[attr-defined]
    event.direction = way  # type: ignore[attr-defined]
    return event


def integrated(
    mass: float, terms: list[Term], y: np.ndarray, times: np.ndarray
) -> np.ndarray | None:
    """Place and rate at the times; None where SciPy cannot follow the breaks."""
    at = [term.law.at(term.argument(0.0, y)) for term in terms]
    found, t, until = np.tile(y, (len(times), 1)), 0.0, float(times[-1])

    def rates(t: float, y: np.ndarray) -> list[float]:
        pushes = (
            term.sign * term.law.value(a, term.argument(t, y))
            for term, a in zip(terms, at, strict=True)
        )
        return [float(y[1]), sum(pushes) / mass]

    for _ in range(MOST_BREAKS):
        ends = [(k, way, e) for k in range(len(terms)) for way, e in both(terms[k].law, at[k])]
        timed = [(e, k) for k, way, e in ends if terms[k].of == "t" and way > 0]
        stop, timer = min([*timed, (until, -1)])
        met = [(k, w, crossing(terms[k].of, e, w)) for k, w, e in ends if terms[k].of != "t"]
        try:
            with np.errstate(all="ignore"):  # beyond a missed end a spline may grow without bounds
                run = solve_ivp(
                    rates,
                    (t, stop),
                    y,
                    method="DOP853",
                    rtol=1e-12,
                    atol=1e-13,
                    events=[event for _, _, event in met] or None,
                    dense_output=True,
                    max_step=until / 50.0,
                )
        except (OverflowError, ValueError):  # there, to where numbers end
            return None
        between = run.t[:-1] + np.multiply.outer(WITHIN, np.diff(run.t))
        seen = run.sol(between.ravel()) if between.size else run.y
        if strayed(terms, at, np.hstack([run.y, seen])):
            return None
        here = (times >= t) & (times <= run.t[-1])
        if here.any():
            found[here] = run.sol(times[here]).T
        t, y = float(run.t[-1]), run.y[:, -1]
        if run.status == 0 and timer < 0:
            return found
        if run.status == 0:
            at[timer] = terms[timer].law.next(at[timer], 1)
        for (k, way, _), hits in zip(met, run.t_events or [], strict=False):
            if len(hits):
                at[k] = terms[k].law.next(at[k], way)
    return None


def strayed(terms: list[Term], at: list[At], y: np.ndarray) -> bool:
    """Whether a run of SciPy's went past the end of a piece and did not notice."""
    for term, a in zip(terms, at, strict=True):
        low, high = term.law.ends(a)
        seen = y["xv".index(term.of)] if term.of != "t" else np.zeros(0)
        if ((seen < low - 1e-9) | (seen > high + 1e-9)).any():
            return True
    return False


def both(law: Law, at: At) -> list[tuple[int, float]]:
    """The ends of a piece that can be reached, with the way out."""
    low, high = law.ends(at)
    return [(way, e) for way, e in ((-1, low), (1, high)) if math.isfinite(e)]


LAWS = (table, table, pieces_in_a_row, formula, formula, smooth)


def law_of(rng: np.random.Generator, span: float, size: float, *, jumps: bool) -> Law:
    """Any law; without jumps where they would stick."""
    while True:
        law = LAWS[int(rng.integers(len(LAWS)))](rng, span, size)
        if jumps or not law.jumps:
            return law


def attempt(rng: np.random.Generator) -> list[str]:
    """One mass with its laws."""
    mass = float(10.0 ** rng.uniform(-1.0, 1.0))
    size, stiffness = mass * float(rng.uniform(1.0, 20.0)), mass * float(rng.uniform(2.0, 30.0))
    x, v = float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-2.0, 2.0))
    m = kp.Builder("mass", plane=True)
    inertia = kp.Inertia(mass, (0, 0, 0), np.eye(3))
    car = m.body("car", at=(x, 0), angle=0.0, inertia=inertia, velocity=(v, 0))
    m.prismatic(m.ground.at(0, 0), car.at(0, 0), name="rail")
    m.force(SpringDamper(car.x, stiffness=stiffness), "base")
    terms = [Term("base", Law("spring", None, (), (lambda q: stiffness * q,)), "x", -1.0)]
    for k in range(int(rng.integers(1, 4))):
        kind, name = int(rng.integers(4)), f"law{k}"
        damps = kind == 3
        law = law_of(rng, 3.0 if damps else 1.0, size * (0.3 if damps else 1.0), jumps=not damps)
        if kind < 2:
            m.force(NonlinearSpring(car.x, law.law), name)
        elif kind == 2:
            m.force(Actuator(car.x, law.law), name)
        else:
            m.force(NonlinearSpring(car.x, Polynomial((0.0,)), damper=law.law), name)
        terms.append(Term(name, law, "xxtv"[kind], 1.0 if kind == 2 else -1.0))
    until, steps = float(rng.uniform(1.0, 4.0)), int(rng.choice([7, 60, 200]))
    times = np.linspace(0.0, until, steps + 1)
    known = integrated(mass, terms, np.array([x, v]), times)
    moved = integrated(mass, terms, np.array([x + 1e-8, v]), times)
    if known is None or moved is None:
        return []
    grown = np.maximum.accumulate(np.abs(moved - known).max(axis=1)) / 1e-8
    if grown.max() > MOST_GROWN:
        return []
    motion = m.build().simulate(until=until, steps=steps, tolerance=1e-9)
    said = ", ".join(f"{term.law.said} of {term.of}" for term in terms)
    if not motion.outcome.is_done:
        return [f"{motion.outcome}: {said}"]
    return [f"{w}: {said}" for w in judged(motion, terms, known, grown, size)]


def judged(
    motion: kp.Trajectory, terms: list[Term], known: np.ndarray, grown: np.ndarray, size: float
) -> list[str]:
    """What is off in place, rate, energies, and in the efforts and stores of springs."""
    x, rate = motion["car.x"].values, motion["car.x"].rate
    off = np.abs(np.column_stack([x, rate]) - known).max(axis=1) / np.maximum(grown, 1.0)
    wrong = [f"the motion is off by {off.max():.3g}"] if not off.max() < SAME else []
    total, most = motion.energy.total, float(motion.energy.kinetic.max())
    if not np.ptp(total) < BALANCED * most + 1e-12:
        wrong.append(f"the energies are out of balance by {np.ptp(total):.3g} of {most:.3g} J")
    for term in terms[1:]:
        law = term.law
        if term.of != "x":
            continue
        inside = [min(abs(e - q) for e in law.ends(law.at(q))) > 1e-6 for q in x]
        effort = np.array([-law.value(law.at(q), q) for q in x])
        if not np.abs(motion[f"{term.name}.effort"].values - effort)[inside].max(initial=0) < (
            3e-5 * size
        ):
            wrong.append(f"the effort of {law.said} is off")
        if law.stores:
            some = slice(0, None, max(1, len(x) // 4))
            stored = np.array([integral(law, q) for q in x[some].tolist()])
            if not np.abs(motion[f"{term.name}.energy"].values[some] - stored).max() < 1e-8 * size:
                wrong.append(f"what {law.said} stores is off")
    return wrong


def integral(law: Law, q: float) -> float:
    """The law's integral from 0 to q."""
    marks = sorted([0.0, q, *(e for e in law.breaks if min(0.0, q) < e < max(0.0, q))])
    parts = [part(law, a, b) for a, b in pairwise(marks) if a < b]
    return math.copysign(1.0, q) * float(sum(parts))


def part(law: Law, a: float, b: float) -> float:
    """The integral over a span of one piece."""
    at = law.at((a + b) / 2.0)
    return float(quad(lambda z: law.value(at, z), a, b, epsabs=1e-13)[0])
