"""Four-bars from a synthesis, as mechanisms, and whether they really move through their positions.

A solution of the equations stands at every position; it need not get from one to the next. Three
defects are told apart, after McCarthy and Soh: the positions come in another order; a dead point of
the crank lies between them (branch); or they lie on two circuits, which are joined by taking it
apart alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import KempeError
from kempe.front import Builder, Mechanism, Solver, parametric
from kempe.front.solver import Snapshot
from kempe.results.maps.surface_map import SurfaceMap

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

TURN: Final = 2.0 * math.pi
AWAY: Final = 1e-6  # of the size: a joint that is as far from its place is on another branch
SAME_ANGLE: Final = 1e-9  # rad: two positions of a crank


@parametric
def four_bar_at(
    *, ax: float, ay: float, bx: float, by: float, crank: float, coupler: float, rocker: float,
    px: float, py: float, start: float, coupler_angle: float, rocker_angle: float,
    units: str = "m",
) -> Mechanism:  # fmt: skip
    """A four-bar on pivots (ax, ay) and (bx, by), with point P at (px, py) of its coupler.

    The crank starts at the angle `start` (rad) and makes one turn per second; the angles of coupler
    and rocker say which of two assemblies it is. Lengths are in `units`.
    """
    m = Builder("four-bar", plane=True, units=units)
    one = m.bar("crank", crank, at=(ax, ay), angle=start)
    two = m.bar("coupler", coupler, points={"P": (px, py)}, angle=coupler_angle)
    three = m.bar("rocker", rocker, at=(bx, by), angle=rocker_angle)
    m.revolute(m.ground.at(ax, ay), one.start, name="A")
    m.revolute(one.end, two.start, name="B")
    m.revolute(two.end, three.end, name="C")
    m.revolute(m.ground.at(bx, by), three.start, name="D")
    m.drive(one.angle, start=start, rpm=60)
    return m.build()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Where a four-bar stands at every position asked for: pivots (2,), joints and point (n,)."""

    pivots: ComplexArray
    B: ComplexArray
    C: ComplexArray
    P: ComplexArray

    @property
    def lengths(self) -> tuple[float, float, float, float]:
        """Crank, coupler, rocker and ground, in the first position."""
        A, D = self.pivots
        B, C = self.B[0], self.C[0]
        return abs(B - A), abs(C - B), abs(D - C), abs(D - A)

    @property
    def size(self) -> float:
        """The longest of its bars."""
        return float(max(self.lengths))

    @property
    def shortest(self) -> float:
        """The shortest of its bars."""
        return float(min(self.lengths))

    @property
    def crank_angles(self) -> FloatArray:
        """The angle of the crank at every position (rad), up to whole turns."""
        return np.asarray(np.angle(self.B - self.pivots[0]))

    @property
    def coupler_angles(self) -> FloatArray:
        """The angle of the coupler at every position (rad), up to whole turns."""
        return np.asarray(np.angle(self.C - self.B))

    def swapped(self) -> "Positions":
        """These positions, driven at the other ground pivot."""
        return Positions(self.pivots[::-1].copy(), self.C, self.B, self.P)

    def mechanism(self, units: str) -> Mechanism:
        """A mechanism that stands in the first position, its crank driven."""
        crank, coupler, rocker, _ = self.lengths
        A, D = self.pivots
        B, C, P = self.B[0], self.C[0], self.P[0]
        along = (C - B) / coupler
        p = (P - B) / along
        numbers = {
            "ax": A.real, "ay": A.imag, "bx": D.real, "by": D.imag, "crank": crank,
            "coupler": coupler, "rocker": rocker, "px": p.real, "py": p.imag,
            "start": float(np.angle(B - A)), "coupler_angle": float(np.angle(along)),
            "rocker_angle": float(np.angle(C - D)),
        }  # fmt: skip
        return four_bar_at(**{name: float(x) for name, x in numbers.items()}, units=units)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One four-bar of a synthesis: a `mechanism` with its drive, swept through its positions.

    `defects` are words of "order", "branch" and "circuit"; none if the crank moves it through all
    positions in their order. `crank_angles` (n,) are those at the positions, in rad, with the turns
    made on the way; `error` is how far the swept mechanism was from what was asked at most, in m
    (of the point) or rad (of angles); NaN if it does not come past all of them.
    """

    mechanism: Mechanism
    positions: Positions
    defects: tuple[str, ...]
    crank_angles: FloatArray
    error: float

    @property
    def is_sound(self) -> bool:
        """Whether it moves through all positions in order, without a dead point between them."""
        return not self.defects

    @property
    def lengths(self) -> dict[str, float]:
        """The four bars, in the units that were given."""
        return dict(
            zip(("crank", "coupler", "rocker", "ground"), self.positions.lengths, strict=True)
        )

    @property
    def turns_fully(self) -> bool:
        """Whether the crank goes all the way round, by Grashof's rule."""
        crank, coupler, rocker, ground = self.positions.lengths
        shortest, longest = min(self.positions.lengths), max(self.positions.lengths)
        others = crank + coupler + rocker + ground - shortest - longest
        return shortest + longest < others and shortest in (crank, ground)

    def __str__(self) -> str:
        bars = ", ".join(f"{name} {x:.6g}" for name, x in self.lengths.items())
        way = "turns fully" if self.turns_fully else "swings"
        defects = "no defect" if self.is_sound else "defects: " + ", ".join(self.defects)
        return f"{bars}; the crank {way}; {defects}"


def candidate(positions: Positions, target: "Target", units: str) -> Candidate:
    """A solution as a mechanism, moved through its positions by kempe's own solver."""
    mechanism = positions.mechanism(units)
    angles = positions.crank_angles
    ways = [_unwrapped(angles, sign) for sign in (1.0, -1.0)]
    trials = [(way, abs(way[-1] - way[0]) < TURN) for way in ways]
    trials += [(way, False) for way in _within_a_turn(angles)]
    best: tuple[FloatArray, float] | None = None
    for way, is_in_order in trials:
        error = _swept(mechanism, positions, way, target)
        if error is None:
            continue
        if is_in_order:
            return Candidate(mechanism, positions, (), way, error)
        best = best or (way, error)
    if best is not None:
        return Candidate(mechanism, positions, ("order",), best[0], best[1])
    defect = "branch" if _on_one_circuit(mechanism, positions) else "circuit"
    return Candidate(mechanism, positions, (defect,), np.unwrap(angles), math.nan)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What is measured at every position: the point (complex) and turns of bodies (rad)."""

    points: ComplexArray | None = None
    turns: tuple[tuple[str, FloatArray], ...] = ()
    scale: float = 1.0  # of the units, in m

    def off(self, k: int, now: Snapshot, first: Snapshot) -> float:
        """How far the mechanism is from position number k."""
        errors = [0.0]
        if self.points is not None:
            errors.append(abs(_point(now, "coupler.P") - self.points[k] * self.scale))
        for body, turns in self.turns:
            turned = float(now[f"{body}.angle"]) - float(first[f"{body}.angle"])
            errors.append(abs(math.remainder(turned - (turns[k] - turns[0]), TURN)))
        return max(errors)


def _point(now: Snapshot, name: str) -> complex:
    x, y = np.asarray(now[name], dtype=np.float64).tolist()
    return complex(x, y)


def _unwrapped(angles: FloatArray, sign: float) -> FloatArray:
    """Angles that only grow, or only fall, from the first on."""
    steps = np.mod(sign * np.diff(angles), TURN)
    steps = np.where(steps > TURN - SAME_ANGLE, 0.0, steps)
    return np.asarray(angles[0] + sign * np.concatenate([[0.0], np.cumsum(steps)]))


def _within_a_turn(angles: FloatArray) -> list[FloatArray]:
    """Angles without the turns that a swinging crank cannot make, wherever its dead points lie.

    These leave a gap between two of its positions: one list for each gap it may be.
    """
    from_first = np.mod(angles - angles[0], TURN)
    return [
        np.asarray(angles[0] + np.where(from_first > last, from_first - TURN, from_first))
        for last in np.unique(from_first)[::-1]
    ]


def _swept(
    mechanism: Mechanism, positions: Positions, way: FloatArray, target: Target
) -> float | None:
    """The largest error while the crank goes that way; None where it does not come past."""
    try:
        solver = mechanism.solver()
        first = solver.state
        worst = 0.0
        for k, angle in enumerate(way.tolist()):
            now = _turned_to(solver, angle)
            if now is None:
                return None
            if (
                abs(_point(now, "rocker.end") / target.scale - positions.C[k])
                > AWAY * positions.size
            ):
                return None
            worst = max(worst, target.off(k, now, first))
        return worst
    except KempeError:
        return None


def _turned_to(solver: Solver, angle: float) -> Snapshot | None:
    """Where it stands with the crank at that angle; None where it cannot get there."""
    now = solver.update({"crank.angle": angle})
    return now if now.outcome.name == "Done" else None


def _on_one_circuit(mechanism: Mechanism, positions: Positions) -> bool:
    """Whether all positions lie on one component of the certified map of its motions."""
    try:
        motions = mechanism.motions()
        if isinstance(motions, SurfaceMap):
            return False
        states = [_state(mechanism, positions, k) for k in range(len(positions.B))]
        return len({motions.component_of(q) for q in states}) == 1
    except KempeError:
        return False


def _state(mechanism: Mechanism, positions: Positions, k: int) -> FloatArray:
    """Coordinates at a position: that of the mechanism assembled there."""
    near = {
        "crank.angle": float(positions.crank_angles[k]),
        "coupler.angle": float(positions.coupler_angles[k]),
        "rocker.angle": float(np.angle(positions.C[k] - positions.pivots[1])),
    }
    return mechanism.assemble(near).q


def in_order(found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates, sound ones first, then those with the shortest bars."""
    return sorted(found, key=lambda one: (len(one.defects), one.positions.size))
