"""What a model says about where its bodies start, and how far from that they stand."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.geometry import Pose
from kempe.kinematics.closing.placement import Guesses
from kempe.kinematics.closing.poses import body_pose

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A first guess is a rough one: what starts further from it than this is told.
TOLD_TURN = math.radians(2.0)
TOLD_WAY = 0.02  # of the machine's size
MOST_NAMED = 12
ROUNDING = 1e-9  # of the size: a way that is none


@final
@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Poses that were given, and which displacements from them count."""

    guesses: Guesses
    q: FloatArray  # (n_q,) the same as coordinates; of bodies that were not given: no matter what
    counts: Mask  # (n_v,)
    locked: Mask | None = None  # (n_v,) what stays where it is in q, whatever is closed

    def is_whole(self, layout: Layout) -> bool:
        """Whether the pose of every body was given, so that nothing is left to be placed."""
        return bool(self.counts[layout.coordinates.bodies_v].all())

    def distance(self, layout: Layout, q: FloatArray) -> float:
        """sqrt(sum d_k^2) over what was given: lengths in sizes of the machine, angles in rad."""
        d = layout.displacement(self.q, q) * layout.step_weights
        if layout.model.plane:  # whole turns lead back to where they began
            turns = d[layout.coordinates.angles]
            turns -= math.tau * np.round(turns / math.tau)
        return float(np.linalg.norm(d[self.counts]))

    def pinned(self, layout: Layout, q: FloatArray) -> FloatArray:
        """The configuration q with what is locked put where it was given."""
        return q if self.locked is None else _exchanged(layout, q, self.q, self.locked)

    def kept(self, layout: Layout, q: FloatArray) -> FloatArray:
        """The configuration q with everything that counts put where it was given."""
        return _exchanged(layout, q, self.q, self.counts)


def _exchanged(layout: Layout, q: FloatArray, other: FloatArray, which: Mask) -> FloatArray:
    """q with those coordinates of another configuration whose displacements are marked."""
    at, wished = layout.coordinates, q.copy()
    for k in range(layout.n_bodies):
        place, turn = at.place_of(k), at.turn_of(k)
        wished[place] = np.where(which[at.way_of(k)], other[place], q[place])
        if which[at.spin_of(k)].any():  # all four numbers of the quaternion, or none
            wished[turn] = other[turn]
    return wished


def given_poses(layout: Layout) -> Given | None:
    """The first guesses of a model's bodies; None where it has none."""
    guesses = Guesses.of(layout.model)
    return given_of(layout, guesses) if guesses.poses else None


def given_of(layout: Layout, guesses: Guesses) -> Given:
    """The same of poses from elsewhere, by body."""
    chart, at = layout.chart, layout.coordinates
    q = np.zeros(layout.n_q)
    counts = np.zeros(layout.n_v, dtype=bool)
    for k, body in enumerate(layout.model.moving):
        X_WB = guesses.poses.get(body.name)
        if X_WB is not None:
            q[at.q_of(k)] = chart.coordinates(X_WB)
            counts[at.way_of(k)] = body.name not in guesses.anywhere
            counts[at.spin_of(k)] = True
        else:
            q[at.q_of(k)] = chart.coordinates(Pose.identity())
    return Given(guesses, q, counts)


def moved_bodies(layout: Layout, q: FloatArray, guesses: Guesses | None = None) -> tuple[str, ...]:
    """One sentence for all bodies that start elsewhere than they were given; none if none do."""
    given = Guesses.of(layout.model) if guesses is None else guesses
    found = []
    for name, X_WB in given.poses.items():
        way, turn = _moved(X_WB, body_pose(layout, q, name))
        anywhere = name in given.anywhere
        if (way > TOLD_WAY * layout.size and not anywhere) or turn > TOLD_TURN:
            is_shifted = way > ROUNDING * layout.size and not anywhere
            told = [f"{way:.3g} m"] if is_shifted else []
            told += [f"{math.degrees(turn):.3g} deg"] if turn > ROUNDING else []
            found.append(f"{name!r} by {' and '.join(told)}")
    if not found:
        return ()
    more = len(found) - MOST_NAMED
    others = f" and {more} more bod{'y' if more == 1 else 'ies'}" if more > 0 else ""
    named = ", ".join(found[:MOST_NAMED]) + others
    where = "their first guess" if guesses is None else "where they were wished"
    return (f"the joints make bodies start away from {where}: {named}",)


def _moved(X: Pose, Y: Pose) -> tuple[float, float]:
    """How far (m) and by what angle (rad, at most half a turn) two poses are apart."""
    step = Y.position - X.position
    R = (X.rotation.inverse() @ Y.rotation).matrix()
    axial = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    turn = math.atan2(float(np.linalg.norm(axial)), float(np.trace(R)) - 1.0)
    return math.sqrt(float(step @ step)), turn
