"""Where bodies are put before loops are closed: as they were given, or hung joint by joint.

A joint's home position is opened along its freedoms. The drives' start values are used where they
fix a freedom; other freedoms open by deterministic amounts, a different set for every attempt. A
body in a loop can be hung on the ground by several ways round: which joints are used, and which are
left open for a search to close, makes a difference as well.
"""

import math
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import GROUND_INDEX, Layout
from kempe.geometry import GROUND, Pose, Rotation, Vector, Z
from kempe.joints import AbstractJoint
from kempe.joints.ways import about, slid, swung, turned
from kempe.measures import AbstractMeasure, Back, Bearing, Displacement, Gauge, Heading, Turn
from kempe.model import Model

HALF_WAY = (-math.pi, math.pi)  # rad, and sizes of the machine
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A first guess is a rough one: what starts further from it than this is told.
TOLD_TURN = math.radians(2.0)
TOLD_WAY = 0.02  # of the machine's size
MOST_NAMED = 12
ROUNDING = 1e-9  # of the size: a way that is none


def body_pose(layout: Layout, q: NDArray[np.float64], body: str) -> Pose:
    """X_WB of a body in the configuration q."""
    k = layout.body_index[body]
    if k == GROUND_INDEX:
        return Pose.identity()
    return layout.chart.placed(q[layout.coordinates.q_of(k)])


def gauge_reading(layout: Layout, q: NDArray[np.float64], gauge: Gauge) -> float:
    """What a gauge reads (m or rad) in the configuration q, whole turns left out."""
    X = [body_pose(layout, q, m.body) @ m.pose for m in (gauge.I, gauge.J)]
    return gauge.measure.number(*X)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """X_WB of bodies as they were given; of those that are `anywhere` only the turn was."""

    poses: Mapping[str, Pose]
    anywhere: frozenset[str] = frozenset()

    @classmethod
    def of(cls, model: Model) -> "Guesses":
        """The first guesses of a model's bodies."""
        poses = {b.name: b.guess for b in model.moving if b.guess is not None}
        return cls(poses, frozenset(b.name for b in model.moving if b.anywhere))

    def only(self, body: str) -> "Guesses":
        """What was given of one body."""
        return Guesses({body: self.poses[body]}, self.anywhere & {body})


NONE = Guesses({})


def first_guess(
    layout: Layout,
    attempt: int,
    t: float,
    guesses: Guesses | None = None,
    *,
    backwards: bool = False,
) -> NDArray[np.float64]:
    """Coordinates of all bodies: given guesses (the model's own if omitted), and placed ones.

    Bodies are placed from the ground on; `backwards` goes from the last guess to the ground, and
    through joints in the opposite order.
    """
    given = Guesses.of(layout.model) if guesses is None else guesses
    poses = {name: X for name, X in given.poses.items() if name not in given.anywhere}
    if len(poses) < len(layout.model.moving):
        turns = {name: given.poses[name].rotation for name in given.anywhere}
        ways = _Placement(layout, attempt, t, turns, backwards=backwards)
        poses = ways.all_from({GROUND: Pose.identity()} | poses)
    return coordinates(layout, poses)


def scattered(layout: Layout, attempt: int) -> NDArray[np.float64]:
    """Coordinates of bodies thrown about: the same on every run, others in every attempt."""
    chance = np.random.default_rng((1876, attempt))
    places = layout.size * chance.uniform(-1.0, 1.0, (layout.n_bodies, 3))
    if layout.model.plane:
        turns = chance.uniform(-math.pi, math.pi, (layout.n_bodies, 1))
    else:
        turns = chance.normal(size=(layout.n_bodies, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    q = np.hstack([places[:, : layout.chart.n_linear], turns]).ravel()
    if not layout.n_own:
        return q
    poses = {body.name: body_pose(layout, q, body.name) for body in layout.model.moving}
    return np.concatenate([q, layout.own_guess(poses)])


def hung(layout: Layout, attempt: int, t: float, guesses: Guesses) -> NDArray[np.float64]:
    """Coordinates of bodies hung on each other by joints drawn by lot, all opened by lot.

    A joint that a body hangs on begins closed and the right way round, if its freedoms can be
    opened one after the other. All is the same on every run, and other in every attempt.
    """
    poses = {name: X for name, X in guesses.poses.items() if name not in guesses.anywhere}
    turns = {name: guesses.poses[name].rotation for name in guesses.anywhere}
    chance = np.random.default_rng((1885, attempt))
    ways = _Placement(layout, attempt, t, turns, backwards=False, chance=chance)
    return coordinates(layout, ways.all_by_lot({GROUND: Pose.identity()} | poses))


def coordinates(layout: Layout, poses: Mapping[str, Pose]) -> NDArray[np.float64]:
    """Coordinates of all bodies at these poses, and first values of the own unknowns."""
    bodies = [layout.chart.coordinates(poses[b.name]) for b in layout.model.moving]
    return np.concatenate([*bodies, layout.own_guess(poses)])


@final
class _Placement:
    """One attempt to place every body."""

    def __init__(
        self,
        layout: Layout,
        attempt: int,
        t: float,
        turns: Mapping[str, Rotation],
        *,
        backwards: bool,
        chance: "np.random.Generator | None" = None,
    ) -> None:
        self.layout = layout
        self.attempt = attempt
        self.chance = chance  # opens the joints, where there is one
        self.turns = turns  # of bodies whose place is not given
        self.backwards = backwards
        self.joints_of: dict[str, list[AbstractJoint]] = {}
        for joint in layout.model.joints[:: -1 if backwards else 1]:
            for marker in (joint.I, joint.J):
                self.joints_of.setdefault(marker.body, []).append(joint)
        self.number_of = self._numbered()
        # (body I, body J, measure) -> value of every drive at the start
        self.driven: dict[tuple[str, str, AbstractMeasure], float] = {}
        for drive in layout.model.drives:
            pair = (drive.gauge.I.body, drive.gauge.J.body)
            self.driven[*pair, drive.gauge.measure] = float(drive.law.value(t))

    def _numbered(self) -> dict[str, int]:
        """Which body of its part each is, counted in the model's order.

        A part is what hangs together without the ground: copies of one mechanism open alike.
        """
        part_of: dict[str, str] = {}
        for body in self.layout.model.moving:
            stack = [] if body.name in part_of else [body.name]
            while stack:
                here = stack.pop()
                if here != GROUND and here not in part_of:
                    part_of[here] = body.name
                    joints = self.joints_of.get(here, ())
                    stack += [m.body for joint in joints for m in (joint.I, joint.J)]
        count: Counter[str] = Counter()
        numbers = {}
        for body in self.layout.model.moving:
            part = part_of[body.name]
            numbers[body.name] = count[part]
            count[part] += 1
        return numbers

    def all_by_lot(self, poses: dict[str, Pose]) -> dict[str, Pose]:
        """Poses of all bodies, each on any joint to one that is placed already."""
        assert self.chance is not None
        reach = [(body, joint) for body in poses for joint in self.joints_of.get(body, ())]
        while reach:
            placed, joint = reach.pop(int(self.chance.integers(len(reach))))
            new = joint.J.body if joint.I.body == placed else joint.I.body
            if new not in poses:
                poses[new] = self._hang(joint, placed, poses[placed])
                reach += [(new, other) for other in self.joints_of.get(new, ())]
        return self.all_from(poses)

    def all_from(self, poses: dict[str, Pose]) -> dict[str, Pose]:
        """Poses of all bodies, breadth first from the placed ones."""
        queue = deque(reversed(poses) if self.backwards else poses)
        while queue:
            placed = queue.popleft()
            for joint in self.joints_of.get(placed, ()):
                new = joint.J.body if joint.I.body == placed else joint.I.body
                if new not in poses:
                    poses[new] = self._hang(joint, placed, poses[placed])
                    queue.append(new)
        for k, body in enumerate(self.layout.model.moving):  # not connected to anything placed
            step = 0.1 * k * self.layout.size
            turn = self.turns.get(body.name, Rotation.identity())
            poses.setdefault(body.name, Pose(Vector(step, step, 0.0), turn))
        return poses

    def _hang(self, joint: AbstractJoint, placed: str, X_WB: Pose) -> Pose:
        """X_WB of the body at the joint's other end."""
        new = joint.J.body if joint.I.body == placed else joint.I.body
        k = self.number_of[new]
        X_IJ = joint.home
        for number, measure in enumerate(joint.freedom):
            value = self.driven.get((joint.I.body, joint.J.body, measure))
            if value is not None:
                change = value - measure.number(Pose.identity(), X_IJ)
            elif self.layout.model.plane and measure == Turn(Z):
                change = self._level(joint, placed, X_WB, X_IJ, k)
            elif measure == Turn(Z):
                change = self._opening(k)
            else:
                change = self._opening(k + number) - (math.pi / 3 if self.chance is None else 0.0)
                change *= self.layout.size if measure.unit == "m" else 1.0
            if self.chance is None:
                X_IJ = _opened(X_IJ, measure, change)
            else:
                X_IJ = _opened_by_lot(X_IJ, measure, change)
        X_WN = _across(joint, placed, X_WB, X_IJ)
        return X_WN if new not in self.turns else self._turned(joint, new, X_WN)

    def _opening(self, k: int) -> float:
        return _opening(self.attempt, k) if self.chance is None else self.chance.uniform(*HALF_WAY)

    def _turned(self, joint: AbstractJoint, new: str, X_WN: Pose) -> Pose:
        """The pose turned as the body was given, about the joint's marker on it."""
        marker, turn = joint.J if joint.J.body == new else joint.I, self.turns[new]
        held = X_WN.point(Vector(*marker.position))
        return Pose(held - turn.apply(Vector(*marker.position)), turn)

    def _level(self, joint: AbstractJoint, placed: str, X_WB: Pose, X_IJ: Pose, k: int) -> float:
        """The turn that brings a planar body to the angle it is driven at, or opens it."""
        forward = joint.I.body == placed
        new = joint.J.body if forward else joint.I.body
        driven = self.driven.get((GROUND, new, Turn(Z)))
        wanted = self._opening(k) if driven is None else driven
        x = _across(joint, placed, X_WB, X_IJ).rotation.x
        marker = joint.I if forward else joint.J
        up = (X_WB @ marker.pose).rotation.z.z > 0
        return (wanted - math.atan2(x.y, x.x)) * (1.0 if up is forward else -1.0)


def _opened(X_IJ: Pose, measure: AbstractMeasure, change: float) -> Pose:
    """The pose moved along one freedom of its joint, where the freedom is of a kind known here."""
    if isinstance(measure, Displacement):
        return slid(X_IJ, measure.axis, change)
    if isinstance(measure, Turn):
        return turned(X_IJ, measure.axis, change)
    if isinstance(measure, Bearing):
        return swung(X_IJ, measure.axis, change)
    return X_IJ


def _opened_by_lot(X_IJ: Pose, measure: AbstractMeasure, change: float) -> Pose:
    """The pose moved along one freedom of its joint, those of a cross included."""
    if isinstance(measure, Heading):
        turn = about(measure.axis, change)
        return Pose(turn.apply(X_IJ.position), turn @ X_IJ.rotation)
    if isinstance(measure, Back):
        return _opened_by_lot(X_IJ.inverse(), measure.measure, change).inverse()
    return _opened(X_IJ, measure, change)


def _across(joint: AbstractJoint, placed: str, X_WB: Pose, X_IJ: Pose) -> Pose:
    """X_WB of the body at the joint's other end, J being at X_IJ of I."""
    if joint.I.body == placed:
        return X_WB @ joint.I.pose @ X_IJ @ joint.J.pose.inverse()
    return X_WB @ joint.J.pose @ X_IJ.inverse() @ joint.I.pose.inverse()


def _opening(attempt: int, k: int) -> float:
    """60 degrees at first; later attempts spread over the circle, differently for each body."""
    spread = (attempt * GOLDEN * (1 + 0.37 * k)) % 1.0
    return math.pi / 3 + 0.05 * k + 2.0 * math.pi * spread


@final
@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Poses that were given, and which displacements from them count."""

    guesses: Guesses
    q: FloatArray  # (n_q,) the same as coordinates; of bodies that were not given: no matter what
    counts: Mask  # (n_v,)
    locked: Mask | None = None  # (n_v,) what stays where it is in q, whatever is closed
    turned: Mapping[str, float] = field(default_factory=dict)  # rad: readings with their turns

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
    """Poses of bodies by name, as what is to be kept where they close."""
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
