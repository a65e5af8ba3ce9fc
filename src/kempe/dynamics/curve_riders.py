"""Curves in a simulation: every parameter of a curve rides along as a body without mass.

A joint such as a point on a curve finds a number of its own, where on the curve it is. Here that
number is how far a rider without mass has gone along a rail of its own: the joint sees where the
rider is instead of the number, and the equations of motion determine that as for any such body:

    M a + J_q^T lam = f,  J_s^T lam = 0,  J_q a + J_s s'' = gamma

The second line says that a curve without friction pushes across itself only.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.constraints import AbstractConstraint
from kempe.constraints.abstract import Rows
from kempe.dynamics.ending import Look, RunEnd, Stray
from kempe.equations import equations_of
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import AbstractJoint, Prismatic
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.curve_ends import first_exit_of, off_its_curve, run_off
from kempe.kinematics.closing.placement import Given, body_pose, moved_bodies
from kempe.measures import Held
from kempe.model import Body
from kempe.outcome import Ending, Outcome
from kempe.results import Motion

FloatArray = NDArray[np.float64]
ALONG = (1.0, 0.0, 0.0)  # of a rider's rail
SAMPLED = (  # what a motion has of every sample
    *("t", "q", "v", "a", "multipliers", "held", "rubbed", "gripped", "violation", "states"),
    *("kinetic", "potential", "dissipated", "driven"),
)
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

    @property
    def off(self) -> "RidersAtRest":
        """Riders have no mass: nothing else would say how they move."""
        return RidersAtRest(Marker(GROUND), self.riders[0], self.name, riders=self.riders)

    def moved(self, move: Callable[[Marker], Marker]) -> "CarriedJoint":
        inner: Any = self.inner.moved(move)
        return replace(self, I=move(self.I), J=move(self.J), inner=inner)


@final
@dataclass(frozen=True)
class RidersAtRest(AbstractJoint):
    """What is left of a joint that was let go: its riders stay where they are.

    psi = x'  of every rider
    """

    riders: tuple[Marker, ...] = field(kw_only=True)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The ground's, then the riders'."""
        return (self.I, *self.riders)

    @property
    def velocity_rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """One of every rider."""
        return ("m",) * len(self.riders)

    def psi(self, *XV: Any) -> Rows:
        return [V.v.x for V in XV[3::2]]


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


@final
@dataclass(frozen=True, slots=True)
class Followed:
    """A rider whose curve or surface ends somewhere: the integrator looks at it at every step."""

    rider: int  # which of the bodies
    q: int  # its way's place among the coordinates
    v: int  # and among the velocities
    low: float  # m, of its way
    high: float

    @property
    def native(self) -> tuple[int, int, float, float]:
        """What the integrator is told."""
        return self.q, self.v, self.low, self.high


def followed_riders(layout: Layout) -> list[Followed]:
    """The riders of a layout that may run off what they ride on, none where nothing rides."""
    found = []
    at = layout.coordinates
    for joint in layout.model.joints:
        if isinstance(joint, CarriedJoint):
            for unknown, marker in zip(joint.inner.unknowns, joint.riders, strict=True):
                domain, scale = unknown.domain, unknown.scale
                if not domain.period:
                    k = layout.body_index[marker.body]
                    q, v = at.place_of(k).start, at.way_of(k).start
                    bounds = scale * float(domain.low), scale * float(domain.high)
                    found.append(Followed(k, q, v, *bounds))
    return found


def strays_of(followed: Sequence[Followed], native: Iterable[Sequence[float]]) -> tuple[Stray, ...]:
    """Where a run's steps may have left the bounds of riders, which are told by their numbers."""
    found = []
    for which, *numbers in native:
        t, s, rate, bend, t_after, s_after, rate_after, bend_after = numbers
        rider = followed[int(which)].rider
        found.append(Stray(rider, (t, s, rate, bend), (t_after, s_after, rate_after, bend_after)))
    return tuple(found)


def last_ways(
    followed: Sequence[Followed], native: Iterable[Sequence[float]]
) -> dict[int, tuple[float, float]]:
    """Places and speeds of riders where a run ended, by their numbers; none if it never began."""
    return {f.rider: (one[1], one[2]) for f, one in zip(followed, native, strict=False)}


def stopped_at_an_end(origins: Layout, carried: Riding, motion: Motion, end: RunEnd) -> Motion:
    """The motion, its outcome told anew where it stopped because a curve or surface ends there.

    Beyond its end a curve may bend otherwise, so that the speed along it jumps: backward
    differences stop short there. Where it was going is seen where its last step ended.
    """
    t = motion.outcome.facts.get("t")
    first = float(motion.t[0]) if len(motion) else 0.0
    stops = motion.outcome.ending in (Ending.STEP_TOO_SMALL, Ending.DIVERGED, Ending.SINGULAR)
    if not stops or t != end.t or not end.t > first:
        return motion
    ahead = np.zeros((1, origins.n_own))
    for rider, (place, speed) in end.ways.items():
        k = rider - origins.n_bodies
        ahead[0, k] = (place + AHEAD * (t - first) * speed) / carried.scales[k]
    left = off_its_curve(origins, ahead, np.array([t]))
    if left is None:
        return motion
    return replace(motion, outcome=replace(left, facts=left.facts | {"samples": len(motion)}))


def dismounted(
    origins: Layout, carried: Riding, motion: Motion, strays: Sequence[Stray] | None = None
) -> Motion:
    """The motion as the layout without riders has it; it ends where a curve does.

    `strays` are the steps in which it may have run off one; omitted, that is seen at samples.
    """
    found = unridden(origins, carried, motion)
    n, n_own = len(motion), origins.n_own
    left = None
    if n and strays is None:
        left = off_its_curve(origins, found.q, found.t, (found.v, found.a))
    elif n:
        left = _strayed(origins, carried, motion, found.q[:, -n_own:], strays or ())
    if left is None:
        return found
    done, t = int(left.facts["samples"]), float(left.facts["t"])
    cut = {word: getattr(found, word) for word in SAMPLED}
    return replace(
        found,
        outcome=left,
        events=tuple(event for event in found.events if event.t <= t),
        **{word: x[:done].copy() if len(x) == n else x for word, x in cut.items()},
    )


def unridden(origins: Layout, carried: Riding, motion: Motion) -> Motion:
    """All samples of the motion as the layout without riders has them, on its curves or beyond."""
    q, v, a = _without_riders(origins, carried, motion)
    joints, n_own = len(origins.model.joints), origins.n_own
    mine = [
        k
        for k, row in enumerate(equations_of(carried.layout.moving).program.shape.rows)
        if not joints <= row.element < joints + n_own
    ]
    return replace(
        motion,
        q=q,
        v=v,
        a=a,
        notes=(*carried.notes, *motion.notes),
        multipliers=motion.multipliers[:, mine],
    )


def _strayed(
    origins: Layout, carried: Riding, motion: Motion, own: FloatArray, strays: Sequence[Stray]
) -> Outcome | None:
    """The ending of a motion that runs off a curve at its start or in a step; None otherwise.

    `own` (n, n_own) are the unknowns at its samples.
    """
    beyond = off_its_curve(origins, own[:1], motion.t[:1])
    if beyond is not None:
        return beyond
    until = motion.outcome.facts.get("t", np.inf)
    until = until if isinstance(until, float) else np.inf
    found: tuple[float, int, float] | None = None
    for k, (_, unknown) in enumerate(origins.own_unknowns):
        mine = [stray for stray in strays if stray.rider - origins.n_bodies == k]
        met = first_exit_of(
            [_unscaled(stray.before, carried.scales[k]) for stray in mine],
            [_unscaled(stray.after, carried.scales[k]) for stray in mine],
            (float(unknown.domain.low), float(unknown.domain.high)),
            float(np.ptp(own[:, k])),
        )
        if met is not None and met[0] <= until and (found is None or met[0] < found[0]):
            found = met[0], k, met[1]
    if found is None:
        return None
    t, k, value = found
    return run_off(origins, k, t, value, int(np.count_nonzero(motion.t <= t)))


def _unscaled(look: Look, scale: float) -> Look:
    t, *numbers = look
    place, rate, bend = (x / scale for x in numbers)
    return t, place, rate, bend


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
