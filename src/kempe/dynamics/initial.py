"""Initial velocities that fit together: given ones kept where the joints let them be.

Three wishes, each granted as far as the ones before allow: the joints and drives (J v = -phi_t),
the rates of measures, the velocities and spins of bodies. What is then still free is chosen with
the least kinetic energy.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.centring import centre_of
from kempe.compile.dynamic_layout import DynamicLayout
from kempe.compile.layout import Layout
from kempe.geometry import Pose, Vector
from kempe.geometry.specific import SpecificRates
from kempe.kinematics.observation import observe_gauge
from kempe.kinematics.poses import body_pose
from kempe.model import Body
from kempe.model.body import Triple
from kempe.outcome import DONE
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# A wish counts as changed where it is missed by more than this share of the largest wish.
CHANGED = 1e-9
LITTLE = 1e-14
RANK = 1e-10  # singular values below this share of the largest count as zero


@final
@dataclass(frozen=True, slots=True)
class InitialVelocity:
    """Velocities of the centres of mass that fit, and what had to be changed, in words."""

    v: FloatArray
    changes: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Wish:
    """Rows that a velocity should satisfy, A v = b, each with what it is called and its unit."""

    A: FloatArray
    b: FloatArray
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


def initial_velocity(
    layout: DynamicLayout, q: FloatArray, t: float, joints: Wish
) -> InitialVelocity:
    """The velocities to start with at q (of the centres of mass), from what the model asks for."""
    rates, bodies = _rate_wish(layout, q, t), _body_wish(layout, q)
    n = layout.layout.n_v
    if not len(rates.b) and not len(bodies.b):
        return InitialVelocity(np.zeros(n), ())
    root = _mass_root(layout)  # v = root x, and |x|^2 / 2 is the kinetic energy
    x = nested_least_squares([(w.A @ root, w.b) for w in (joints, rates, bodies)], n)
    v = root @ x
    changes = []
    for wish in (rates, bodies):
        missed = wish.A @ v - wish.b
        floor = CHANGED * max(1e-300, float(np.abs(wish.b).max(initial=0.0)))
        for k in np.flatnonzero(np.abs(missed) > floor):
            changes.append(
                f"{wish.names[k]} starts with {wish.b[k] + missed[k]:.6g} {wish.units[k]} instead"
                f" of {wish.b[k]:.6g} {wish.units[k]}: the joints allow nothing nearer"
            )
    return InitialVelocity(v, tuple(changes))


def nested_least_squares(wishes: list[tuple[FloatArray, FloatArray]], n: int) -> FloatArray:
    """x (n,) that satisfies each A x = b as well as the wishes before it allow, shortest last."""
    x, free = np.zeros(n), np.eye(n)
    for A, b in wishes:
        if not len(b) or not free.shape[1]:
            continue
        scale = np.linalg.norm(A, axis=1)
        scale[scale == 0.0] = 1.0
        rows = (A / scale[:, None]) @ free
        u, s, vt = np.linalg.svd(rows, full_matrices=True)
        rank = int((s > RANK).sum())
        right = u[:, :rank].T @ (b / scale - (A / scale[:, None]) @ x)
        x = x + free @ (vt[:rank].T @ (right / s[:rank]))
        free = free @ vt[rank:].T
    return x


def _mass_root(layout: DynamicLayout) -> FloatArray:
    n, blocks = layout.layout.chart.n_v, layout.mass_blocks
    root = np.zeros((layout.layout.n_v, layout.layout.n_v))
    for k, block in enumerate(blocks):
        light = np.linalg.norm(block) or 1.0  # what has no mass moves as if it had little
        lower = np.linalg.cholesky(block + LITTLE * light * np.eye(n))
        root[k * n : (k + 1) * n, k * n : (k + 1) * n] = np.linalg.inv(lower).T
    return root


def _rate_wish(layout: DynamicLayout, q: FloatArray, t: float) -> Wish:
    inner = layout.layout
    n, rates = inner.n_v, inner.model.rates
    if not rates:
        return Wish(np.zeros((0, n)), np.zeros(0))
    units = np.eye(n)
    motion = Motion(np.full(n, t), np.tile(q, (n, 1)), units, np.zeros((n, n)), DONE)
    A = np.array([observe_gauge(inner, motion, rate.gauge)[1] for rate in rates])
    b = np.array([rate.rate for rate in rates], dtype=np.float64)
    names = tuple(rate.gauge.name for rate in rates)
    return Wish(A, b, names, tuple(f"{rate.gauge.unit}/s" for rate in rates))


def _body_wish(layout: DynamicLayout, q: FloatArray) -> Wish:
    """Velocities of origins and spins, in world axes or as rates of specific coordinates."""
    inner, plane = layout.layout, layout.model.plane
    parts = []
    for k, body in enumerate(layout.model.moving):
        if body.velocity is None and body.spin is None:
            continue
        seat = _Seat(body.name, _origin(inner, q, body), k * inner.chart.n_v, inner.n_v, plane)
        arm = seat.X.rotation.matrix() @ np.array(centre_of(body))
        if body.velocity is not None:
            parts.append(seat.wish(body.velocity, seat.moving(arm), "the velocity", "along", "m/s"))
        if body.spin is not None:
            parts.append(seat.wish(body.spin, seat.turning(), "the spin", "about", "rad/s"))
    if not parts:
        return Wish(np.zeros((0, inner.n_v)), np.zeros(0))
    return Wish(
        np.vstack([part.A for part in parts]),
        np.concatenate([part.b for part in parts]),
        tuple(name for part in parts for name in part.names),
        tuple(unit for part in parts for unit in part.units),
    )


def _origin(layout: Layout, q: FloatArray, body: Body) -> Pose:
    """Where the body's own frame is, whose coordinates are those of its centre of mass."""
    X = body_pose(layout, q, body.name)
    return Pose(X.position - X.rotation.apply(Vector(*centre_of(body))), X.rotation)


@final
@dataclass(frozen=True, slots=True)
class _Seat:
    """A body among the velocities: where its own begin, and its frame X."""

    name: str
    X: Pose
    first: int
    n: int
    plane: bool

    def wish(
        self, given: Triple | SpecificRates, rows: FloatArray, what: str, way: str, unit: str
    ) -> Wish:
        """What is given of the three components that `rows` (3, n) make of the velocities."""
        if isinstance(given, SpecificRates):
            return self._of_coordinates(given, rows)
        kept = (2,) if self.plane and way == "about" else range(2 if self.plane else 3)
        names = tuple(f"{what} of {self.name!r} {way} {'xyz'[k]}" for k in kept)
        b = np.array([given[k] for k in kept])
        return Wish(rows[list(kept)], b, names, (unit,) * len(b))

    def _of_coordinates(self, given: SpecificRates, rows: FloatArray) -> Wish:
        kept = [k for k, rate in enumerate(given.rates) if rate is not None]
        A = (given.matrix(self.X) @ rows)[kept]
        b = np.array([given.rates[k] for k in kept], dtype=np.float64)
        names = given.coordinates.names
        called = tuple(f"the rate of {names[k]} of {self.name!r}" for k in kept)
        return Wish(A, b, called, ("per second",) * len(kept))

    def turning(self) -> FloatArray:
        """The angular velocity in world axes, (3, n)."""
        rows = np.zeros((3, self.n))
        if self.plane:
            rows[2, self.first + 2] = 1.0
        else:
            rows[:, self.first + 3 : self.first + 6] = self.X.rotation.matrix()
        return rows

    def moving(self, arm: FloatArray) -> FloatArray:
        """v_origin = v_centre - w x arm, (3, n)."""
        rows = np.zeros((3, self.n))
        size = 2 if self.plane else 3
        rows[:size, self.first : self.first + size] = np.eye(size)
        across = [[0.0, -arm[2], arm[1]], [arm[2], 0.0, -arm[0]], [-arm[1], arm[0], 0.0]]
        return rows + np.array(across) @ self.turning()
