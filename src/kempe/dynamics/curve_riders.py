"""Curves in a simulation: every parameter of a curve rides along as a body without mass.

A joint such as a point on a curve finds a number of its own, where on the curve it is. Here that
number is how far a rider without mass has gone along a rail of its own: the joint sees where the
rider is instead of the number, and the equations of motion determine that as for any such body:

    M a + J_q^T lam = f,  J_s^T lam = 0,  J_q a + J_s s'' = gamma

The second line says that a curve without friction pushes across itself only.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.constraints import AbstractConstraint
from kempe.constraints.abstract import Rows
from kempe.equations import equations_of
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, Prismatic
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.curve_ends import is_bounded, off_its_curve
from kempe.kinematics.closing.placement import Given, body_pose, moved_bodies
from kempe.measures import Held
from kempe.model import Body
from kempe.outcome import Ending
from kempe.results import Motion

FloatArray = NDArray[np.float64]
ALONG = (1.0, 0.0, 0.0)  # of a rider's rail
BEFORE = 1e-8  # of a run, before it stopped
MOST_LOOKS = 20_000  # at a motion, whether it still is on its curves
AHEAD = 1e-6  # of a run, within which a place that left its curve would have done so


@final
@dataclass(frozen=True, slots=True)
class Carried(AbstractConstraint):
    """A constraint whose own unknowns are places of riders: x / scale of the frames that follow."""

    inner: AbstractConstraint
    own_frames: int  # markers of the joint
    first: int  # which of the joint's riders is its first

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the constraint."""
        return self.inner.rows

    @property
    def frames(self) -> int:  # type: ignore[override]
        """The joint's own and the riders'."""
        return self.own_frames + self.first + len(self.inner.unknowns)

    def phi(self, *X: Pose) -> Rows:
        riders = X[self.own_frames + self.first :]
        pairs = zip(self.inner.unknowns, riders, strict=False)
        values = [rider.position.x * (1.0 / unknown.scale) for unknown, rider in pairs]
        return self.inner.phi(*X[: self.own_frames], *values)


@final
@dataclass(frozen=True)
class CarriedJoint(AbstractJoint):
    """A joint whose own unknowns are places of riders."""

    inner: AbstractJoint = field(kw_only=True)
    riders: tuple[Marker, ...] = field(kw_only=True)

    @property
    def markers(self) -> tuple[Marker, ...]:
        return (*self.inner.markers, *self.riders)

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """Those of the joint, each with its riders."""
        found: list[AbstractConstraint] = []
        first = 0
        for one in self.inner.constraints:
            found.append(Carried(one, len(self.inner.markers), first))
            first += len(one.unknowns)
        return tuple(found)

    @property
    def held(self) -> tuple[Held, ...]:
        return self.inner.held

    @property
    def velocity_rows(self) -> tuple[str, ...] | int:  # type: ignore[override]
        """Those of the joint, which sees riders as places alone."""
        return self.inner.velocity_rows

    def psi(self, *XV: Any) -> Rows:
        own = 2 * len(self.inner.markers)
        places = zip(self.inner.unknowns, XV[own::2], strict=True)
        return self.inner.psi(*XV[:own], *(X.position.x * (1.0 / u.scale) for u, X in places))

    def moved(self, move: Callable[[Marker], Marker]) -> "CarriedJoint":
        inner: Any = self.inner.moved(move)
        return replace(self, I=move(self.I), J=move(self.J), inner=inner)


@final
@dataclass(frozen=True, eq=False)
class Riding:
    """A layout without unknowns of its own, and what stands for them."""

    layout: Layout
    scales: FloatArray  # metres of a rider's way that a unit of its unknown is worth
    notes: tuple[str, ...]  # what was changed to put it together


def riding(origins: Layout, t: float, given: Given | None = None) -> Riding:
    """The layout with riders, put together at time t; kept as long as the layout lives."""
    if given is not None:
        return _made(origins, t, given)
    kept = origins.prepared(("riders", t), Riding)
    return kept or origins.keep(("riders", t), _made(origins, t, None))


def _made(origins: Layout, t: float, given: Given | None) -> Riding:
    q, model = assemble(equations_of(origins), t, given).q, origins.model
    scales = np.array([unknown.scale for _, unknown in origins.own_unknowns])
    ways = scales * q[len(q) - origins.n_own :]
    taken = {b.name for b in model.bodies} | {j.name for j in model.joints}
    names = [_free(f"place of {origins.elements[k].name}", taken) for k, _ in origins.own_unknowns]
    bodies = [_settled(origins, q, body) for body in model.bodies]
    bodies += [_rider(name, float(way)) for name, way in zip(names, ways, strict=True)]
    rails = [_rail(name, _free(f"rail of {name}", taken)) for name in names]
    riders = iter(Marker(name) for name in names)
    joints = [_carried(joint, riders) for joint in model.joints]
    moved = moved_bodies(origins, q, None if given is None else given.guesses)
    carried = replace(model, bodies=tuple(bodies), joints=(*joints, *rails), outputs=())
    return Riding(Layout(carried), scales, moved)


def _carried(joint: AbstractJoint, riders: Any) -> AbstractJoint:
    if not joint.unknowns:
        return joint
    mine = tuple(next(riders) for _ in joint.unknowns)
    return CarriedJoint(joint.I, joint.J, joint.name, inner=joint, riders=mine)


def _settled(origins: Layout, q: FloatArray, body: Body) -> Body:
    if body.name == GROUND:
        return body
    return replace(body, guess=body_pose(origins, q, body.name), anywhere=False)


def _rider(name: str, way: float) -> Body:
    return Body(name, guess=Pose(Vector(way, 0.0, 0.0), Rotation.identity()))


def _rail(rider: str, name: str) -> AbstractJoint:
    return Prismatic(Marker(GROUND).facing(ALONG), Marker(rider).facing(ALONG), name)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def stopped_at_an_end(
    origins: Layout, carried: Riding, motion: Motion, again: Callable[[FloatArray], Motion]
) -> Motion:
    """The motion, its outcome told anew where it stopped because a curve or surface ends there.

    Beyond its end a curve may bend otherwise, so that the speed along it jumps: backward
    differences stop short there. Where it was going is seen at a sample just before, made `again`.
    """
    t = motion.outcome.facts.get("t")
    first = float(motion.t[0]) if len(motion) else 0.0
    stops = motion.outcome.ending in (Ending.STEP_TOO_SMALL, Ending.DIVERGED, Ending.SINGULAR)
    if not stops or not isinstance(t, float) or not t > first:
        return motion
    before = again(np.array([first, t - BEFORE * (t - first)]))
    if len(before) < 2:
        return motion
    ride = carried.layout.coordinates
    q, v = ride.q_by_body(before.q)[-1], ride.v_by_body(before.v)[-1]
    ahead = q[origins.n_bodies :, 0] + AHEAD * (t - first) * v[origins.n_bodies :, 0]
    places = np.concatenate([before.q[-1, origins.coordinates.bodies_q], ahead / carried.scales])
    left = off_its_curve(origins, places[None, :], np.array([t]))
    if left is None:
        return motion
    return replace(motion, outcome=replace(left, facts=left.facts | {"samples": len(motion)}))


def finer_times(origins: Layout, motion: Motion) -> FloatArray | None:
    """Times (s) about as close as the steps of a motion, where its samples are further apart.

    None where they are not, or where no curve ends anywhere.
    """
    steps, gaps = motion.counts.get("steps", 0), len(motion) - 1
    if gaps < 1 or steps <= gaps or not is_bounded(origins):
        return None
    times = min(-(-steps // gaps), max(1, MOST_LOOKS // gaps))
    parts = np.arange(gaps * times) / times
    nodes = np.arange(gaps + 1.0)
    return np.append(np.interp(parts, nodes, motion.t), motion.t[-1])


def dismounted(
    origins: Layout, carried: Riding, motion: Motion, seen: Motion | None = None
) -> Motion:
    """The motion as the layout without riders has it; it ends where a curve does.

    `seen` is the same motion at closer times, at which it is looked whether it still is on all of
    its curves; at its own samples if omitted.
    """
    n, n_own = len(motion), origins.n_own
    q, v, a = _without_riders(origins, carried, motion)
    looks = motion if seen is None or not len(seen) else seen
    along = (q, v, a) if looks is motion else _without_riders(origins, carried, looks)
    left = off_its_curve(origins, along[0], looks.t, along[1:]) if n else None
    if left is not None and looks is not motion:
        t = float(left.facts["t"])
        before = motion.t < t if left.facts["samples"] == 0 else motion.t <= t
        left = replace(left, facts=left.facts | {"samples": int(np.count_nonzero(before))})
    done = slice(0, n if left is None else int(left.facts["samples"]))
    joints = len(origins.model.joints)
    mine = [
        k
        for k, row in enumerate(equations_of(carried.layout.moving).program.shape.rows)
        if not joints <= row.element < joints + n_own
    ]
    return replace(
        motion,
        t=motion.t[done].copy(),
        q=q[done].copy(),
        v=v[done].copy(),
        a=a[done].copy(),
        outcome=left or motion.outcome,
        notes=(*carried.notes, *motion.notes),
        multipliers=motion.multipliers[done][:, mine],
        **{
            word: getattr(motion, word)[done].copy()
            for word in ("kinetic", "potential", "dissipated", "driven", "violation", "states")
        },
    )


def _without_riders(
    origins: Layout, carried: Riding, motion: Motion
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Places (n, n_q), velocities and accelerations (n, n_v) with unknowns in place of riders."""
    at, ride, first = origins.coordinates, carried.layout.coordinates, origins.n_bodies
    gone = [ride.q_by_body(motion.q), ride.v_by_body(motion.v), ride.v_by_body(motion.a)]
    own = [x[:, first:, 0] / carried.scales for x in gone]  # riders move along x
    q = np.hstack([motion.q[:, at.bodies_q], own[0]])
    v, a = (np.hstack([x[:, at.bodies_v], u]) for x, u in ((motion.v, own[1]), (motion.a, own[2])))
    return q, v, a
