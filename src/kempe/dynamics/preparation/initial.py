"""Initial velocities that fit together: given ones kept where the joints let them be.

Three wishes, each granted as far as the ones before allow: the joints and drives (J v = -phi_t),
the rates of measures, the velocities and spins of bodies. Where those of bodies cannot be kept,
what changes has the least kinetic energy, m |dv|^2 + dw . I dw, whichever way the scene is turned.
What is then still free is chosen with the least kinetic energy too.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.dynamic_layout import DynamicLayout, centre_of
from kempe.compile.layout.layout import Layout
from kempe.geometry import Pose, Vector
from kempe.geometry.specific import SpecificRates
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.observe.observation import observe_gauge
from kempe.model import Body
from kempe.model.body import Triple
from kempe.outcome import DONE
from kempe.results import Motion

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# A wish counts as changed where it is missed by more than this share of the largest wish.
CHANGED = 1e-9
LITTLE = 1e-14
GRANTED = 1e-6  # of a wish that nothing stands against, to rounding of what stands beside it
RANK = 1e-10  # singular values below this count as zero, of rows about 1 long
# A speed below this share of the largest is what rounding left of none. It must go: a motion that
# is unstable out of its plane stays in it only if it starts there to the last bit.
ROUNDING = 1e-13


@final
@dataclass(frozen=True, slots=True)
class InitialVelocity:
    """Velocities of the centres of mass that fit, and what had to be changed, in words."""

    v: FloatArray
    changes: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class VelocityWish:
    """Rows that a velocity should satisfy, A v = b, each with what it is called and its unit.

    What cannot be satisfied is missed with the least |weight (A v - b)|; without a weight every row
    counts the same.
    """

    A: FloatArray
    b: FloatArray
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    weight: FloatArray | None = None

    def part(self, rows: BoolArray) -> "VelocityWish":
        """Some of the rows, each counting the same."""
        return VelocityWish(self.A[rows], self.b[rows])

    def weighed(self, root: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The rows for x, v = root x."""
        rows = self.A @ root
        if self.weight is not None:
            return self.weight @ rows, self.weight @ self.b
        scale = np.linalg.norm(rows, axis=1)
        scale[scale == 0.0] = 1.0
        return rows / scale[:, None], self.b / scale


def initial_velocity(
    layout: DynamicLayout,
    q: FloatArray,
    t: float,
    joints: VelocityWish,
    is_drive: BoolArray | None = None,
) -> InitialVelocity:
    """The velocities to start with at q (of the centres of mass), from what the model asks for.

    `joints` are rows of joints and of drives; `is_drive` says which.
    """
    rates, bodies = _rate_wish(layout, q, t), _body_wish(layout, q)
    n = layout.layout.n_v
    if not len(rates.b) and not len(bodies.b):
        return InitialVelocity(np.zeros(n), ())
    # What joints and rates allow is a matter of geometry: masses must not decide on their rank.
    lengths = np.diag(_neutral(layout))  # v = lengths u, all of u in m/s
    u, free = nested_solution([w.weighed(lengths) for w in (joints, rates)], n)
    v = _without_rounding(_lightest(layout, bodies, lengths @ u, lengths @ free), layout)
    changes = []
    alone = joints if is_drive is None else joints.part(~is_drive)
    for wish in (rates, bodies):
        missed = wish.A @ v - wish.b
        size = np.array([layout.layout.size if unit == "m/s" else 1.0 for unit in wish.units])
        floor = CHANGED * max(1e-300, float(np.abs(wish.b / size).max(initial=0.0)))
        for k in np.flatnonzero(np.abs(missed / size) > floor).tolist():
            began, asked = f"{wish.b[k] + missed[k]:.6g}", f"{wish.b[k]:.6g}"
            if began == asked:
                continue  # digits that places are not kept to either
            if not _is_granted(alone, wish, k, lengths):
                who = "the joints allow"
            elif not _is_granted(joints, wish, k, lengths):
                who = "the drives allow"
            else:
                who = "what else was asked for allows"
            changes.append(
                f"{wish.names[k]} starts with {began} {wish.units[k]} instead"
                f" of {asked} {wish.units[k]}: {who} nothing nearer"
            )
    return InitialVelocity(v, tuple(changes))


def _is_granted(first: VelocityWish, wish: VelocityWish, k: int, lengths: FloatArray) -> bool:
    """Whether row k of a wish could be had if nothing else were asked for but what comes first."""
    row, b = wish.part(np.arange(len(wish.b)) == k).weighed(lengths)
    u, _ = nested_solution([first.weighed(lengths), (row, b)], row.shape[1])
    return bool(abs(row @ u - b)[0] <= GRANTED * max(abs(b[0]), LITTLE))


def _neutral(layout: DynamicLayout) -> FloatArray:
    """What 1 m/s is in every velocity: a turn moves what is as far away as the machine is large."""
    inner = layout.layout
    return np.where(inner.coordinates.is_angular, 1.0 / inner.size, 1.0)


def _lightest(
    layout: DynamicLayout, bodies: VelocityWish, v: FloatArray, free: FloatArray
) -> FloatArray:
    """v + free y that grants the wishes of bodies, and has the least kinetic energy beyond that."""
    if not free.shape[1]:
        return v
    root = np.linalg.inv(_mass_root(layout))  # |root v|^2 / 2 is the kinetic energy
    Q, T = np.linalg.qr(root @ free)
    away = free @ np.linalg.inv(T)
    kept = Q.T @ (root @ v)  # v + away (z - kept) has the energy |z|^2 / 2 and what no y changes
    wishes = []
    if len(bodies.b):
        A, b = bodies.weighed(np.eye(len(v)))
        wishes.append((A @ away, b - A @ v + (A @ away) @ kept))
    return np.asarray(v + away @ (nested_least_squares(wishes, free.shape[1]) - kept))


def nested_least_squares(wishes: list[tuple[FloatArray, FloatArray]], n: int) -> FloatArray:
    """x (n,) that satisfies each A x = b as well as the wishes before it allow, shortest last."""
    return nested_solution(wishes, n)[0]


def nested_solution(
    wishes: list[tuple[FloatArray, FloatArray]], n: int
) -> tuple[FloatArray, FloatArray]:
    """x (n,) that grants each wish as the ones before allow; directions (n, m) that none minds."""
    x, free = np.zeros(n), np.eye(n)
    for A, b in wishes:
        if not len(b) or not free.shape[1]:
            continue
        u, s, vt = np.linalg.svd(A @ free, full_matrices=True)
        rank = int((s > RANK).sum())
        right = u[:, :rank].T @ (b - A @ x)
        x = x + free @ (vt[:rank].T @ (right / s[:rank]))
        free = free @ vt[rank:].T
    return x, free


def _without_rounding(v: FloatArray, layout: DynamicLayout) -> FloatArray:
    inner = layout.layout
    speeds = np.abs(v) * np.where(inner.coordinates.is_angular, inner.size, 1.0)  # m/s
    return np.where(speeds > ROUNDING * speeds.max(initial=0.0), v, 0.0)


def _mass_root(layout: DynamicLayout) -> FloatArray:
    root = np.zeros((layout.layout.n_v, layout.layout.n_v))
    for k, block in enumerate(layout.mass_blocks):
        mine = layout.layout.coordinates.v_of(k)
        root[mine, mine] = np.linalg.inv(_lower(layout.layout, block)).T
    return root


def _lower(layout: Layout, block: FloatArray) -> FloatArray:
    """L L^T of a body's mass matrix; what has no mass moves as if it had little.

    Inertias are compared with masses at the machine's size (m), whatever the unit of length.
    """
    unit = np.ones(len(block))
    unit[layout.chart.n_linear :] = layout.size
    light = float(np.linalg.norm(block / np.outer(unit, unit))) or 1.0
    return np.asarray(np.linalg.cholesky(block + LITTLE * light * np.diag(unit * unit)))


def _rate_wish(layout: DynamicLayout, q: FloatArray, t: float) -> VelocityWish:
    inner = layout.layout
    n, rates = inner.n_v, inner.model.rates
    if not rates:
        return VelocityWish(np.zeros((0, n)), np.zeros(0))
    units = np.eye(n)
    motion = Motion(np.full(n, t), np.tile(q, (n, 1)), units, np.zeros((n, n)), DONE)
    A = np.array([observe_gauge(inner, motion, rate.gauge)[1] for rate in rates])
    b = np.array([rate.rate for rate in rates], dtype=np.float64)
    names = tuple(rate.gauge.name for rate in rates)
    return VelocityWish(A, b, names, tuple(f"{rate.gauge.unit}/s" for rate in rates))


def _body_wish(layout: DynamicLayout, q: FloatArray) -> VelocityWish:
    """Velocities of origins and spins, in world axes or as rates of specific coordinates."""
    inner, plane = layout.layout, layout.model.plane
    parts: list[VelocityWish] = []
    weights = []
    for k, body in enumerate(layout.model.moving):
        if body.velocity is None and body.spin is None:
            continue
        seat = _Seat(body.name, _origin(inner, q, body), k, inner)
        R = seat.X.rotation.matrix()
        arm = R @ np.array(centre_of(body))
        shares = []
        if body.velocity is not None:
            T = seat.wanted(body.velocity, turning=False)
            shares.append(T.share)
            parts.append(T.wish(seat.moving(arm)))
        if body.spin is not None:
            T = seat.wanted(body.spin, turning=True)
            shares.append(T.share)
            parts.append(T.wish(seat.turning()))
        lower = _lower(inner, layout.mass_blocks[k])
        twist = _weight(body, lower, np.eye(1) if plane else R, _across(arm, plane))
        back = _along_the_diagonal([np.asarray(np.linalg.pinv(s)) for s in shares])
        weights.append(np.asarray(twist @ back, dtype=np.float64))
    if not parts:
        return VelocityWish(np.zeros((0, inner.n_v)), np.zeros(0))
    return VelocityWish(
        np.vstack([part.A for part in parts]),
        np.concatenate([part.b for part in parts]),
        tuple(name for part in parts for name in part.names),
        tuple(unit for part in parts for unit in part.units),
        _along_the_diagonal(weights),
    )


def _origin(layout: Layout, q: FloatArray, body: Body) -> Pose:
    """Where the body's own frame is, whose coordinates are those of its centre of mass."""
    X = body_pose(layout, q, body.name)
    return Pose(X.position - X.rotation.apply(Vector(*centre_of(body))), X.rotation)


@final
@dataclass(frozen=True, slots=True)
class _Wanted:
    """Numbers that a velocity or a spin should have: share @ (its components) = b."""

    share: FloatArray  # (k, 3), or as many as the plane has
    b: FloatArray
    names: tuple[str, ...]
    unit: str

    def wish(self, rows: FloatArray) -> VelocityWish:
        """The wish as rows of all velocities; `rows` make the components of them."""
        return VelocityWish(self.share @ rows, self.b, self.names, (self.unit,) * len(self.b))


@final
@dataclass(frozen=True, slots=True)
class _Seat:
    """A body among the velocities: its number k in the layout, and its frame X."""

    name: str
    X: Pose
    k: int
    layout: Layout

    @property
    def plane(self) -> bool:
        """Whether the body moves in the plane."""
        return self.layout.model.plane

    def wanted(self, given: Triple | SpecificRates, *, turning: bool) -> _Wanted:
        """What is given of a velocity, or of a spin."""
        axes = ((2,) if turning else (0, 1)) if self.plane else (0, 1, 2)
        if isinstance(given, SpecificRates):
            kept = [k for k, rate in enumerate(given.rates) if rate is not None]
            rates = np.array([given.rates[k] for k in kept], dtype=np.float64)
            words = given.coordinates.names
            names = tuple(f"the rate of {words[k]} of {self.name!r}" for k in kept)
            share = given.matrix(self.X)[kept][:, list(axes)]
            return _Wanted(share, rates, names, "per second")
        what, way = ("the spin", "about") if turning else ("the velocity", "along")
        names = tuple(f"{what} of {self.name!r} {way} {'xyz'[k]}" for k in axes)
        b = np.array([given[k] for k in axes])
        return _Wanted(np.eye(len(axes)), b, names, "rad/s" if turning else "m/s")

    def turning(self) -> FloatArray:
        """The angular velocity in world axes, (3, n), or about z, (1, n)."""
        rows = np.zeros((1 if self.plane else 3, self.layout.n_v))
        spin = self.layout.coordinates.spin_of(self.k)
        rows[:, spin] = 1.0 if self.plane else self.X.rotation.matrix()
        return rows

    def moving(self, arm: FloatArray) -> FloatArray:
        """v_origin = v_centre - w x arm, (3, n), or (2, n) in the plane."""
        size = self.layout.chart.n_linear
        rows = np.zeros((size, self.layout.n_v))
        rows[:, self.layout.coordinates.way_of(self.k)] = np.eye(size)
        return rows + _across(arm, self.plane) @ self.turning()


def _along_the_diagonal(blocks: list[FloatArray]) -> FloatArray:
    total = np.zeros(np.sum([block.shape for block in blocks], axis=0, initial=0))
    row = column = 0
    for block in blocks:
        total[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return total


def _weight(body: Body, lower: FloatArray, R: FloatArray, across: FloatArray) -> FloatArray:
    """What a missed wish of a body counts: |weight missed|^2 = m |dv|^2 + dw . I dw.

    dv is of the centre where both are given, dv_centre = dv_origin - r x dw, else of the origin.
    """
    n = 3 - (R.shape[0] == 1)
    moving, turning = lower[:n, :n].T, lower[n:, n:].T @ R.T
    if body.spin is None:
        return moving
    if body.velocity is None:
        return turning
    return np.block([[moving, -moving @ across], [np.zeros((len(turning), n)), turning]])


def _across(arm: FloatArray, plane: bool) -> FloatArray:
    """The matrix of r x: of a vector, or of a turn about z."""
    x, y, z = arm
    if plane:
        return np.array([[y], [-x]])
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
