"""Published cases of path synthesis: four-bars by `design`, beside the best dimensions in print.

Usage: kempe bench path_synthesis [--json]

Sums of squared distances from the points, in the cases' own units. What is published is measured
here from the dimensions, by the law of cosines; the cases, their bounds and those dimensions are as
the program of Nguyen-Van and Gwak (Symmetry 14 (2022) 381) writes them out, of Kunjur and
Krishnamurty (1997), Cabrera, Simon and Prado (2002), Acharyya and Mandal (2009), Lin (2010) and
others. A crank turns fully, and the frame is at most as long as the bounds say. Times are of one
core.
"""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from yardsticks.report import Report

import kempe as kp
from kempe.synthesis import Follow, Trace

LINE = tuple((20.0, y) for y in (20.0, 25.0, 30.0, 35.0, 40.0, 45.0))
ARC = ((3.0, 3.0), (2.759, 3.363), (2.372, 3.663), (1.890, 3.862), (1.355, 3.943))
LOOP = (
    *((0.5, 1.1), (0.4, 1.1), (0.3, 1.1), (0.2, 1.0), (0.1, 0.9), (0.05, 0.75), (0.02, 0.6)),
    *((0.0, 0.5), (0.0, 0.4), (0.03, 0.3), (0.1, 0.25), (0.15, 0.2), (0.2, 0.3), (0.3, 0.4)),
    *((0.4, 0.5), (0.5, 0.7), (0.6, 0.9), (0.6, 1.0)),
)
SEMICIRCLE = (
    *((0.0, 0.0), (1.9098, 5.8779), (6.9098, 9.5106), (13.09, 9.5106), (18.09, 5.8779)),
    (20.0, 0.0),
)
OVAL = (
    *((20.0, 10.0), (17.66, 15.142), (11.736, 17.878), (5.0, 16.928), (0.60307, 12.736)),
    *((0.60307, 7.2638), (5.0, 3.0718), (11.736, 2.1215), (17.66, 4.8577)),
)


@dataclass(frozen=True)
class Case:
    """A published case: points, crank angles (rad) if they are given, bounds, what is in print.

    `published` are ground, crank, coupler, rocker, the point on the coupler, the first pivot and
    the turn of the frame; `at` the angles of the crank that belong to them.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    angles: tuple[float, ...]  # from the frame; empty: whenever
    shortest: float
    largest: float
    published: tuple[float, ...]
    at: tuple[float, ...]
    is_in_place: bool = False  # the first pivot in the origin, the frame along x
    is_first_free: bool = False  # the angles are counted from any


CASES = (
    Case(
        "six points on a line, no angles",
        LINE,
        (),
        0.5,
        60.0,
        (14.201369, 8.0143127, 16.309922, 12.253871, 27.797721, 11.305412, -2.309531, 45.695083,
         4.5172417),
        (6.2532447, 2.4038981, 2.9362397, 3.4905751, 4.0650776, 5.2095019),
    ),
    Case(
        "five points at five angles",
        ARC,
        tuple(math.pi * x for x in (1 / 6, 1 / 4, 1 / 3, 5 / 12, 1 / 2)),
        0.5,
        50.0,
        (3.77326856, 2.00000403, 4.11697104, 2.74615671, 1.67848787, 1.67098007, 0.0, 0.0, 0.0),
        tuple(math.pi * x for x in (1 / 6, 1 / 4, 1 / 3, 5 / 12, 1 / 2)),
        is_in_place=True,
    ),
    Case(
        "18 points at even angles",
        LOOP,
        tuple(k * math.pi / 9 for k in range(18)),
        0.05,
        50.0,
        (49.800886, 0.28817159, 48.476138, 1.633642, -23.41281, 7.6644886, -14.836153, 20.140223,
         2.5286091),
        tuple(5.0644224 + k * math.pi / 9 for k in range(18)),
        is_first_free=True,
    ),
    Case(
        "six points on a semicircle at even angles, bars of 5 to 50",
        SEMICIRCLE,
        tuple(k * math.pi / 6 for k in range(1, 7)),
        5.0,
        50.0,
        (50.0, 5.0, 7.031047, 48.134183, 16.976687, 12.952139, 12.197494, -15.998203, 0.0428247),
        tuple(k * math.pi / 6 for k in range(1, 7)),
    ),
    Case(
        "the same, bars of 0.5 to 50",
        SEMICIRCLE,
        tuple(k * math.pi / 6 for k in range(1, 7)),
        0.5,
        50.0,
        (49.999217, 1.3476638, 1.3476825, 49.999235, 11.383058, 4.4426855, 10.1944353, -3.6925458,
         6.2157809),
        tuple(k * math.pi / 6 for k in range(1, 7)),
    ),
    Case(
        "nine points of an oval, no angles",
        OVAL,
        (),
        1.0,
        80.0,
        (80.0, 8.045662, 50.81902, 42.20801, -10.63697, -2.29109, 8.494813, -0.7579678, 3.88921),
        (2.449437, 3.153969, 3.837114, 4.520171, 5.204799, 5.898536, 0.316204, 1.023555, 1.738992),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """How much is tried in every case."""

    starts: int
    keep: int
    cases: tuple[Case, ...] = CASES
    seconds: float = 600.0


FULL = Sizes(4000, 64)


@kp.parametric
def four_bar(
    ax=0.0, ay=0.0, turned=0.5, ground=30.0, crank=6.0, coupler=25.0, rocker=28.0,
    px=10.0, py=5.0, first=0.0,
):  # fmt: skip
    """A four-bar on a frame that is put at (ax, ay) and turned; the crank begins at `first`."""
    m = kp.Builder("four-bar", plane=True)
    frame = m.bar("frame", ground, angle=turned)
    one = m.bar("crank", crank, angle=turned + first)
    two = m.bar("coupler", coupler, points={"P": (px, py)}, angle=turned + 0.5)
    three = m.bar("rocker", rocker, angle=turned + 2.0)
    m.revolute(m.ground.at(ax, ay), frame.start)
    A = m.revolute(frame.start, one.start, name="A")
    m.revolute(one.end, two.start)
    m.revolute(two.end, three.end)
    m.revolute(frame.end, three.start)
    m.drive(frame.angle, start=turned, speed=0.0)
    m.drive(A.angle, start=first, rpm=60)
    return m.build()


def sum_of_squares(numbers: tuple[float, ...], at: Any, points: Any) -> float:
    """Of dimensions as `Case` has them, by the law of cosines, on the better branch."""
    ground, crank, coupler, rocker, px, py, x0, y0, turned = numbers
    B = crank * np.exp(1j * np.array(at))
    gap = ground - B
    d = np.abs(gap)
    along = (coupler**2 - rocker**2 + d * d) / (2.0 * d)
    sums = []
    for side in (1.0, -1.0):
        C = B + gap / d * (along + 1j * side * np.sqrt(coupler**2 - along**2 + 0.0j))
        P = complex(x0, y0) + np.exp(1j * turned) * (B + complex(px, py) * (C - B) / coupler)
        sums.append(float((np.abs(P - np.array(points) @ [1.0, 1.0j]) ** 2).sum()))
    return min(sums)


def bounds_of(case: Case) -> dict[str, tuple[float, float]]:
    """What is sought, and between which bounds."""
    far = case.largest
    bars = dict.fromkeys(("ground", "crank", "coupler", "rocker"), (case.shortest, far))
    bounds = {**bars, **dict.fromkeys(("px", "py"), (-far, far))}
    if not case.is_in_place:
        bounds |= {**dict.fromkeys(("ax", "ay"), (-far, far)), "turned": (0.0, 2.0 * math.pi)}
    if case.is_first_free:
        bounds["first"] = (0.0, 2.0 * math.pi)
    return bounds


def designed(case: Case, sizes: Sizes) -> tuple[Any, float]:
    """The best four-bar of a case, and the seconds of one core that it took."""
    first = case.angles[0] if case.angles else 0.0
    begun = four_bar(first=first, turned=0.0 if case.is_in_place else 0.5, **_own(case))
    target: Any = Trace("coupler.P", case.points)
    if case.angles:
        times = [(x - case.angles[0]) / (2.0 * math.pi) for x in case.angles]
        target = Follow("coupler.P", case.points, times)
    start = time.process_time()
    found = begun.design(
        bounds_of(case), target, until=1.0, steps=72, starts=sizes.starts, keep=sizes.keep,
        seconds=sizes.seconds, threads=1,
    )  # fmt: skip
    return found, time.process_time() - start


def _own(case: Case) -> dict[str, float]:
    """Dimensions that a search begins with, within the bounds."""
    size = max(case.shortest, 0.1 * case.largest)
    shares = {"crank": 1.0, "ground": 4.0, "coupler": 3.0, "rocker": 3.5, "px": 1.0, "py": 1.0}
    return {name: share * size for name, share in shares.items()}


def measure(sizes: Sizes = FULL) -> dict[str, Any]:
    """Rows (case, who, seconds, per, error) and goals (goal, wanted, got, met)."""
    report = Report()
    for case in sizes.cases:
        known = sum_of_squares(case.published, case.at, case.points)
        report.row(case.name, "published dimensions, measured here", None, "", known)
        found, seconds = designed(case, sizes)
        report.row(case.name, "kempe", seconds, "search", found.square_sum)
        at_most = max(known * (1.0 + 1e-6), 1e-12)
        report.at_most(f"{case.name}: sum of squares", at_most, found.square_sum)
    return {"rows": report.rows, "goals": report.goals}
