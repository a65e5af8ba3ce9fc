"""Every four-bar for a few angles, poses or points, each moved through them."""

import itertools
import math
from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.design.exact.dyads import (
    WHOLE,
    Dyads,
    all_dyads,
    along,
    angle_row,
    only,
    pose_row,
)
from kempe.design.exact.points import PointProblem, all_paths
from kempe.errors import BadNumber
from kempe.motion.search.search import Effort
from kempe.results.maps.certificate import Promise
from kempe.synthesis.candidate import Candidate, Positions, Target, candidate, in_order
from kempe.synthesis.synthesis import Synthesis
from kempe.units import in_si

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
Pair = tuple[float, float]
Number = float | str

FEWEST, MOST = 3, 5  # positions that a four-bar can meet exactly, in general
SAME: Final = 1e-9  # of the size: positions as near are one
TINY: Final = 1e-7  # of the size: a bar as short is none
REACH: Final = 100.0  # sizes


def path_generators(
    points: Sequence[Pair],
    pivots: Sequence[Pair],
    *,
    crank: float | None = None,
    rocker: float | None = None,
    units: str = "m",
    reach: float = REACH,
    effort: Effort | None = None,
) -> Synthesis:
    """Every four-bar on two given ground pivots whose coupler point passes through the points.

    `points` are 3, 4 or 5 places (x, y), `pivots` those of crank and rocker, in `units`. Five
    points leave finitely many four-bars; with four the length of `crank` or `rocker` is given too,
    with three both. `reach` bounds the search: joints lie within as many sizes of
    what was given. `effort` says how long it may take.

    Source: [MorganWampler]; the proof that none is missing: the certified search.

    Examples:
        >>> from kempe.synthesis import path_generators
        >>> points = [(0.0, 1.0), (0.5, 1.2), (1.0, 1.1)]
        >>> found = path_generators(points, [(0, 0), (1, 0)], crank=0.5, rocker=0.9)
        >>> print(repr(found))
        path through 3 points: 10 four-bars - complete; 3 without defects.
    """
    p, g = _places(points, "points"), _places(pivots, "pivots")
    if len(g) != 2:
        raise BadNumber(f"`pivots` are two places, (x, y) of crank and rocker, not {len(g)}.")
    given = [_length(x, name) for x, name in ((crank, "crank"), (rocker, "rocker"))]
    missing = MOST - len(p)
    if sum(x is not None for x in given) != missing:
        wanted = ("no length", "the length of `crank` or of `rocker`", "`crank` and `rocker`")
        raise BadNumber(
            f"{len(p)} points and two pivots leave finitely many four-bars with"
            f" {wanted[missing]} given, not with {sum(x is not None for x in given)} lengths."
        )
    _refuse_one_place(g, "pivots")
    frame = _Frame.of(np.concatenate([p, g]))
    lengths = tuple(None if x is None else x / frame.size for x in given)
    problem = PointProblem(frame.inside(p), frame.inside(g), (lengths[0], lengths[1]))
    found = all_paths(problem, _reach(reach), effort or Effort())
    planned = []
    for w, turns in zip(found.w, found.turns, strict=True):
        e = np.exp(1j * turns)
        at = problem.points
        planned.append(Positions(problem.pivots, at + e * w[0], at + e * w[1], at))
    target = Target(points=p, scale=in_si(1.0, "m", units))
    task = f"path through {len(p)} points"
    return _judged(
        task, frame.outside(planned), target, units, (found.promise, found.message), reach
    )


def motion_generators(
    poses: Sequence[tuple[float, float, Number]],
    *,
    pivots: Sequence[Pair] | None = None,
    pivots_on: tuple[Pair, Pair] | None = None,
    units: str = "m",
    reach: float = REACH,
    effort: Effort | None = None,
) -> Synthesis:
    """Every four-bar whose coupler takes the given poses: Burmester's problem.

    `poses` are 3, 4 or 5 of (x, y, angle), in `units` and rad or text such as "30 deg"; P of the
    coupler comes to (x, y). Five poses leave at most four bars, and a four-bar is two of them; with
    four poses ground pivots lie on the line through the two points of `pivots_on`, with three they
    are the two `pivots`. `reach` bounds the search in sizes of what was given, `effort` its time.
    `coupler_angles` of a candidate's positions turn as the poses do.

    Source: [McCarthySoh] ch. 5; the proof that none is missing: the certified search.

    Examples:
        >>> from kempe.synthesis import motion_generators
        >>> poses = [(0, 1, 0), (0.5, 1.2, "10 deg"), (1.0, 1.1, "30 deg")]
        >>> found = motion_generators(poses, pivots=[(0, 0), (1, 0)])
        >>> print(repr(found))
        motion through 3 poses: 1 four-bar - complete; 1 without defects.
    """
    p = _places([(x, y) for x, y, _ in poses], "poses", apart=False)
    turns = np.array([in_si(angle, "rad") for *_, angle in poses])
    _refuse_equal_poses(p, turns)
    wanted = {3: "pivots", 4: "pivots_on", 5: ""}[len(p)]
    given = {"pivots": pivots, "pivots_on": pivots_on}
    for name, value in given.items():
        if (value is not None) != (name == wanted):
            raise BadNumber(
                f"{len(p)} poses go with {'`' + wanted + '`' if wanted else 'no pivots'} given;"
                f" `{name}` is {'missing' if value is None else 'one too many'}."
            )
    g = _places(pivots or pivots_on or [], wanted) if wanted else np.zeros(0, dtype=complex)
    frame = _Frame.of(np.concatenate([p, g]))
    at, ground = frame.inside(p), frame.inside(g)
    relative = turns - turns[0]
    rows = [
        pose_row(angle, point - np.exp(1j * angle) * at[0])
        for angle, point in zip(relative[1:], at[1:], strict=True)
    ]
    bases = {3: [only(x) for x in ground], 4: [], 5: [WHOLE]}[len(p)]
    if len(p) == 4:
        _refuse_one_place(g, "pivots_on")
        bases = [along(ground[0], ground[1] - ground[0])]
    far, limit = _reach(reach), effort or Effort()
    found = [all_dyads(rows, (WHOLE, basis), far, limit) for basis in bases]
    bars = [(w, b) for one in found for w, b in zip(one.w, one.b, strict=True)]
    e = np.exp(1j * relative)
    planned = []
    for (w1, b1), (w2, b2) in itertools.combinations(bars, 2):
        B, C = (at + e * (w - at[0]) for w in (w1, w2))
        one = Positions(np.array([b1, b2]), B, C, at)
        planned += [one, one.swapped()]
    target = Target(p, (("coupler", relative),), in_si(1.0, "m", units))
    task = f"motion through {len(p)} poses"
    return _judged(task, frame.outside(planned), target, units, _surest(found), reach)


def function_generators(
    inputs: Sequence[Number],
    outputs: Sequence[Number],
    *,
    input_start: Number | None = None,
    output_start: Number | None = None,
    ground: float = 1.0,
    units: str = "m",
    reach: float = REACH,
    effort: Effort | None = None,
) -> Synthesis:
    """Every four-bar whose crank and rocker turn together as given: Freudenstein's problem.

    `inputs` and `outputs` are 3, 4 or 5 angles of crank and rocker (rad, or text with a unit), of
    which the turns from the first on count. Five leave finitely many four-bars on a ground of
    length `ground` (in `units`); with four, one of `input_start` and `output_start` is given too,
    the angle of that bar in the first position (or half a turn from it), with three both. `reach`
    bounds crank and rocker in grounds, `effort` the time.

    Source: [Freudenstein1955] (the equation); the proof that none is missing: the certified search.

    Examples:
        >>> from kempe.synthesis import function_generators
        >>> angles = ["0 deg", "30 deg", "60 deg"], ["0 deg", "20 deg", "50 deg"]
        >>> found = function_generators(*angles, input_start="45 deg", output_start="80 deg")
        >>> print(repr(found))
        function of 3 angles: 1 four-bar - complete; 1 without defects.
    """
    x, y = (np.array([in_si(angle, "rad") for angle in angles]) for angles in (inputs, outputs))
    if len(x) != len(y):
        raise BadNumber(
            f"there are {len(x)} `inputs` and {len(y)} `outputs`: give as many of both."
        )
    _refuse_count(len(x), "angles")
    if len(np.unique(np.round(x / SAME))) < len(x):
        raise BadNumber("two of the `inputs` are equal: every position needs an angle of its own.")
    starts = [None if s is None else in_si(s, "rad") for s in (input_start, output_start)]
    if sum(s is not None for s in starts) != MOST - len(x):
        raise BadNumber(
            f"{len(x)} angles leave finitely many four-bars with {MOST - len(x)} of `input_start`"
            f" and `output_start` given, not with {sum(s is not None for s in starts)}."
        )
    length = _length(ground, "ground")
    assert length is not None
    rows = [angle_row(a, b) for a, b in zip(x[1:] - x[0], y[1:] - y[0], strict=True)]
    ends = [WHOLE if s is None else along(0.0, complex(np.exp(1j * s))) for s in starts]
    found = all_dyads(rows, (ends[0], ends[1]), _reach(reach), effort or Effort())
    pivots = np.array([0.0, length], dtype=np.complex128)
    planned = []
    for w, b in zip(found.w, found.b, strict=True):
        B = pivots[0] + length * w * np.exp(1j * (x - x[0]))
        C = pivots[1] + length * b * np.exp(1j * (y - y[0]))
        planned.append(Positions(pivots, B, C, 0.5 * (B + C)))
    target = Target(turns=(("crank", x), ("rocker", y)), scale=in_si(1.0, "m", units))
    task = f"function of {len(x)} angles"
    return _judged(task, planned, target, units, (found.promise, found.message), reach)


def _judged(
    task: str,
    planned: Sequence[Positions],
    target: Target,
    units: str,
    sure: tuple[Promise, str],
    reach: float,
) -> Synthesis:
    """Each solution as a mechanism, moved; a pair driven at either pivot is told once."""
    real = [one for one in planned if one.shortest > TINY * one.size]
    judged = [candidate(one, target, units) for one in real]
    return Synthesis(task, tuple(in_order(_once(judged))), *sure, reach, len(planned) - len(real))


def _once(judged: Sequence[Candidate]) -> list[Candidate]:
    """Of a four-bar driven at one pivot and at the other, the one with fewer defects."""
    kept: list[Candidate] = []
    for one in judged:
        twin = kept[-1] if kept else None
        swapped = twin is not None and np.array_equal(
            twin.positions.pivots[::-1], one.positions.pivots
        )
        if twin is None or not swapped or not np.array_equal(twin.positions.C, one.positions.B):
            kept.append(one)
        elif len(one.defects) < len(twin.defects):
            kept[-1] = one
    return kept


def _surest(found: Sequence[Dyads]) -> tuple[Promise, str]:
    """Of several searches, the promise of the least sure."""
    order = list(Promise)
    worst = max(found, key=lambda one: order.index(one.promise))
    return worst.promise, worst.message


@final
class _Frame:
    """Where a problem is solved: about its middle, in sizes of it."""

    def __init__(self, centre: complex, size: float) -> None:
        self.centre, self.size = centre, size

    @classmethod
    def of(cls, places: ComplexArray) -> "_Frame":
        """The frame of some places; its size is a power of two, so that scaling does not round."""
        centre = complex(places.mean())
        size = float(np.abs(places - centre).max())
        if not 0.0 < size < math.inf:
            raise BadNumber("all places are the same: there is nothing to generate.")
        return cls(centre, 2.0 ** round(math.log2(size)))

    def inside(self, places: ComplexArray) -> ComplexArray:
        """Places as seen in this frame."""
        return np.asarray((places - self.centre) / self.size)

    def outside(self, planned: Sequence[Positions]) -> list[Positions]:
        """Positions found in this frame, in the units that were given."""
        return [
            Positions(*(x * self.size + self.centre for x in (one.pivots, one.B, one.C, one.P)))
            for one in planned
        ]


def _places(given: Sequence[Pair], name: str, *, apart: bool = True) -> ComplexArray:
    """Places (x, y) as complex numbers; a BadNumber where they are none, or not 3 to 5 points."""
    try:
        array: Any = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber(f"`{name}` are places (x, y), each of two numbers.") from None
    if array.ndim != 2 or array.shape[1] != 2 or not np.isfinite(array).all():
        raise BadNumber(f"`{name}` are places (x, y), each of two finite numbers.")
    places = np.asarray(array[:, 0] + 1j * array[:, 1])
    if name in ("points", "poses"):
        _refuse_count(len(places), name)
    if apart:
        _refuse_one_place(places, name)
    return places


def _refuse_count(count: int, what: str) -> None:
    if not FEWEST <= count <= MOST:
        raise BadNumber(
            f"a four-bar is found for {FEWEST} to {MOST} {what}, not for {count}: with more there"
            " is none in general; ask `Mechanism.design` for one that comes near."
        )


def _refuse_one_place(places: ComplexArray, name: str) -> None:
    for j, k in itertools.combinations(range(len(places)), 2):
        spread = np.abs(places - places.mean()).max()
        if abs(places[j] - places[k]) <= SAME * spread or spread == 0.0:
            raise BadNumber(
                f"`{name}` number {j + 1} and {k + 1} are one place: every one must differ."
            )


def _refuse_equal_poses(places: ComplexArray, turns: FloatArray) -> None:
    for j, k in itertools.combinations(range(len(places)), 2):
        spread = max(float(np.abs(places - places.mean()).max()), 1e-300)
        turned = abs(math.remainder(turns[j] - turns[k], 2.0 * math.pi))
        if abs(places[j] - places[k]) <= SAME * spread and turned <= SAME:
            raise BadNumber(f"`poses` number {j + 1} and {k + 1} are one pose.")


def _length(value: float | None, name: str) -> float | None:
    if value is not None and not 0.0 < value < math.inf:
        raise BadNumber(f"`{name}` is {value!r}: a length is a positive number.", name=name)
    return value


def _reach(reach: float) -> float:
    if not 1.0 < reach < math.inf:
        raise BadNumber(f"`reach` is {reach!r}: it must be a number above 1.", name="reach")
    return reach
