"""Random four-bars by their lengths: does assembly agree with the closed form?

Usage: python benchmarks/assembly_verdicts.py [--count 100000] [--seed 1] [--json]

Each four-bar is asked twice: whether it goes together at all (its longest link is no longer than
the others together), and whether it does with its crank at a random angle (the diagonal from the
crank's end to the rocker's pivot is within reach of coupler and rocker). A fifth of them miss the
border, or the reach, by as little as 1e-10 of their size. Exit code 1 where any verdict is wrong.
"""

import argparse
import json
import math
import sys
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import kempe
from kempe.algebra import Adjustable
from kempe.compile.layout.layout import Layout
from kempe.drives import Setting
from kempe.equations import Equations, equations_of
from kempe.geometry import Marker
from kempe.kinematics.closing.attempts import AGREEING, ATTEMPTS, SAME
from kempe.kinematics.closing.closing import ASSEMBLED, STATIONARY, close_many
from kempe.kinematics.closing.placement import NONE, first_guess
from kempe.kinematics.closing.winding import initial_turns
from kempe.model import Model

FloatArray = NDArray[np.float64]

SHORTEST = 0.02  # of the longest link
BORDERLINE = 0.2  # share of four-bars that are made to fit, or not, by very little
LEAST_MARGIN = 1e-10  # of the size: ten times what assembly can tell from rounding


@dataclass(frozen=True)
class Verdicts:
    """How many four-bars there were, how many fit, and how many verdicts were wrong."""

    count: int
    fit: int
    wrong: int
    reach: int
    wrong_reach: int


def lengths(count: int, rng: np.random.Generator) -> FloatArray:
    """Crank, coupler, rocker and ground of random four-bars, the longest being 1."""
    links = rng.uniform(SHORTEST, 1.0, (count, 4))
    n = int(BORDERLINE * count)
    margin = 10.0 ** rng.uniform(math.log10(LEAST_MARGIN), -1.0, n) * rng.choice([-1.0, 1.0], n)
    longest = rng.integers(0, 4, n)
    others = links[:n].sum(axis=1) - links[np.arange(n), longest]
    links[np.arange(n), longest] = others + margin
    return links / links.max(axis=1, keepdims=True)


def exists(links: FloatArray) -> NDArray[np.bool_]:
    """Whether a quadrilateral with these sides exists."""
    longest = links.max(axis=1)
    return np.asarray(longest <= links.sum(axis=1) - longest)


def reached(links: FloatArray, angle: FloatArray) -> NDArray[np.bool_]:
    """Whether coupler and rocker meet with the crank at that angle."""
    a, b, c, d = links.T
    diagonal = np.hypot(a * np.cos(angle) - d, a * np.sin(angle))
    return np.asarray((diagonal <= b + c) & (diagonal >= np.abs(b - c)))


def at_the_border(links: FloatArray, angle: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Some couplers made so long that they reach, or do not, by very little."""
    links = links.copy()
    n = int(BORDERLINE * len(links))
    a, _, c, d = links[:n].T
    diagonal = np.hypot(a * np.cos(angle[:n]) - d, a * np.sin(angle[:n]))
    margin = 10.0 ** rng.uniform(math.log10(LEAST_MARGIN), -1.0, n) * rng.choice([-1.0, 1.0], n)
    near = diagonal + margin - c
    links[:n, 1] = np.where(near > SHORTEST, near, diagonal + margin + c)
    return links


def model() -> Model:
    """A four-bar whose lengths and crank angle are inputs of its program, even where they are 0."""
    built = kempe.gallery.four_bar(crank=1, coupler=1, rocker=1, ground=1).model

    def loose(marker: Marker) -> Marker:
        x, y, z = marker.position
        return replace(marker, position=(Adjustable(x), Adjustable(y), z))

    joints = tuple(replace(j, I=loose(j.I), J=loose(j.J)) for j in built.joints)
    drive = replace(built.drives[0], law=Setting(1.0, 1.0))
    return replace(built, joints=joints, drives=(drive,))


def parameters(layout: Layout, links: FloatArray, angle: FloatArray | None) -> FloatArray:
    """The numbers of every four-bar, in the layout's order: linear in lengths and angle."""

    def numbers(a: float, b: float, c: float, d: float, at: float) -> FloatArray:
        ends = {("crank", "B"): a, ("coupler", "C"): b, ("rocker", "C"): c, ("ground", "D"): d}
        joints = []
        for joint in layout.model.joints:
            for side in ("I", "J"):
                marker = getattr(joint, side)
                x = ends.get((marker.body, joint.name), 0.0)
                place = (Adjustable(x), Adjustable(0.0), 0.0)
                joint = replace(joint, **{side: replace(marker, position=place)})
            joints.append(joint)
        drives = tuple(replace(d, law=Setting(at, at)) for d in layout.model.drives)
        varied = replace(layout.model, joints=tuple(joints), drives=drives)
        return Layout(varied).parameters

    origin = numbers(0.0, 0.0, 0.0, 0.0, 0.0)
    basis = np.array([numbers(*row) - origin for row in np.eye(5)])
    turn = np.zeros(len(links)) if angle is None else angle
    return origin + np.column_stack([links, turn]) @ basis


def verdicts(count: int, seed: int) -> Verdicts:
    """The campaign."""
    rng = np.random.default_rng(seed)
    driven = Layout(model())
    free = Layout(replace(driven.model, drives=()))
    links = lengths(count, rng)
    closes = variant_residuals(equations_of(free), parameters(free, links, None)) <= ASSEMBLED
    wrong = closes != exists(links)
    angle = rng.uniform(-math.pi, math.pi, count)
    near = at_the_border(links, angle, rng)
    p = parameters(driven, near, angle)
    reaches = variant_residuals(equations_of(driven), p) <= ASSEMBLED
    wrong_reach = reaches != reached(near, angle)
    return Verdicts(
        count, int(closes.sum()), int(wrong.sum()), int(reaches.sum()), int(wrong_reach.sum())
    )


def variant_residuals(equations: Equations, parameters: FloatArray, t: float = 0.0) -> FloatArray:
    """The smallest weighted residual of every variant; closed where it is at most `ASSEMBLED`.

    Row k of `parameters` are the numbers of variant k in the layout's order. All start from the
    placements of the layout's own bodies, one after the other until they close, and are measured
    by its size: give variants of about that size.
    """
    rows, columns = equations.row_weights, 1.0 / equations.layout.step_weights
    best = np.full(len(parameters), np.inf)
    agreeing = np.zeros(len(parameters), dtype=int)
    for attempt in range(ATTEMPTS):
        open_ones = np.flatnonzero((best > ASSEMBLED) & (agreeing < AGREEING))
        if not len(open_ones):
            break
        q = first_guess(equations.layout, attempt, t, NONE)
        last = initial_turns(equations, t, q)
        starts, turns = (np.tile(x, (len(open_ones), 1)) for x in (q, last))
        ends = close_many(equations, parameters[open_ones], starts, t, turns, rows, columns)
        before, found = best[open_ones], ends.residual
        better = found < before * (1.0 - SAME)
        same = (found <= before * (1.0 + SAME)) & (ends.slope <= STATIONARY)
        agreeing[open_ones] = np.where(better, 1, agreeing[open_ones] + same)
        best[open_ones] = np.minimum(before, found)
    return best


def main() -> int:
    """Run the campaign and say how it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    start = time.process_time()
    found = verdicts(asked.count, asked.seed)
    seconds = time.process_time() - start
    facts = {**found.__dict__, "seed": asked.seed, "seconds": round(seconds, 2)}
    print(json.dumps(facts) if asked.json else "\n".join(f"{k}: {v}" for k, v in facts.items()))
    return 1 if found.wrong or found.wrong_reach else 0


if __name__ == "__main__":
    sys.exit(main())
