"""Where a sweep has come to a singular position, and the branches (rays) that lead on from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.singular.singular_point import (
    LinearState,
    Neighbourhood,
    SingularPoint,
    singular_point,
    tangents,
)
from kempe.kinematics.stepping.ending import SweepEnd, singular_ending
from kempe.kinematics.stepping.stretch import Clock
from kempe.kinematics.stepping.sweep_start import Prepared
from kempe.outcome import Continuation, Outcome

FloatArray = NDArray[np.float64]

REACH = 0.02  # rad, and share of the machine's size: far enough for the drive to take over
FIRST, SMALLEST = 1e-3, 1e-10  # steps
MOST_STEPS, MOST_CORRECTIONS = 200, 8
CLOSED = 1e-13  # rows
LEASH = 0.1  # all corrections together, shares of the step
STRAIGHT = 0.98  # cosine between the tangents before and after a step
STANDING = 1e-9  # units of time that pass along a ray on which the drive does not move
ALONG = 0.99  # cosine from which two directions are the same branch

Drives = Literal["goes on", "turns back", "stands still"]

# Velocities up to which full matrices are taken apart in reasonable time.
DENSE = 600
# A body that turns by less than this share of a ray does not turn.
STILL = 1e-6


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ray:
    """A branch that leaves a singular position."""

    direction: FloatArray  # (n + 1,) unit tangent there
    clear: LinearState  # on the branch, at some distance
    way: int  # 1 where the time of the laws rises along it, -1 where it falls, 0 where it stands
    is_straight: bool  # it keeps the direction in which the motion came
    is_return: bool  # it is the way the motion came


def heading(place: LinearState, way: int) -> FloatArray:
    """The unit tangent of the motion at a regular place where time runs forwards or backwards."""
    x: FloatArray = np.linalg.svd(place.extended)[2][-1]
    return x if x[-1] * way > 0.0 else -x


def rays(around: Neighbourhood, point: SingularPoint, arrival: FloatArray) -> list[Ray]:
    """All rays: straight on first, then those on which time goes on, the way back last."""
    directions = [side * x for x in tangents(around, point) for side in (1.0, -1.0)]
    nearest = max((float(x @ arrival) for x in directions), default=0.0)
    if point.is_crossing and nearest < ALONG:  # the way it came is a branch whatever the forms say
        directions += [arrival, -arrival]
    straight = max(range(len(directions)), key=lambda k: float(directions[k] @ arrival))
    back = min(range(len(directions)), key=lambda k: float(directions[k] @ arrival))
    found = []
    for k, x in enumerate(directions):
        clear = _followed(around, point.place, x)
        if clear is not None:
            passed = (clear.t - point.place.t) / around.unit
            way = 0 if abs(passed) <= STANDING else int(np.sign(passed))
            found.append(Ray(x, clear, way, k == straight, k == back))
    came = int(np.sign(arrival[-1]))
    return sorted(found, key=lambda ray: (not ray.is_straight, ray.is_return, -came * ray.way))


def _followed(around: Neighbourhood, place: LinearState, x: FloatArray) -> LinearState | None:
    """Along the branch by arc length; None where there is none in that direction.

    Source: [Keller], pseudo-arclength continuation.
    """
    start, total, step, reached = place, 0.0, FIRST, None
    for _ in range(MOST_STEPS):
        found = _stepped(around, place, step * x)
        turned = None if found is None else _tangent(found, x)
        if found is None or turned is None:
            step *= 0.5
            if step < SMALLEST:
                return reached
            continue
        if reached is not None and (found.t - start.t) * (reached.t - start.t) < 0.0:
            return reached
        if reached is not None and abs(found.t - start.t) < abs(reached.t - start.t):
            return reached  # the next dead point has been passed
        place, reached, x = found, found, turned
        total += step
        if total >= REACH:
            break
        step = min(2.0 * step, REACH - total + SMALLEST)
    return reached


def _tangent(place: LinearState, x: FloatArray) -> FloatArray | None:
    """The tangent at a place a step away along x, unless it has turned too much."""
    right = np.append(np.zeros(len(place.F)), 1.0)
    new = _solution(np.vstack([place.extended, x]), right)
    length = float(np.linalg.norm(new))  # the reciprocal of the cosine between the two
    return new / length if length * STRAIGHT <= 1.0 else None


def _solution(A: FloatArray, b: FloatArray) -> FloatArray:
    """x with A x = b; the nearest where rows repeat each other, nan where A is singular."""
    if len(A) != A.shape[1]:
        return np.asarray(np.linalg.lstsq(A, b, rcond=None)[0], dtype=np.float64)
    try:
        return np.asarray(np.linalg.solve(A, b), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.full(len(b), np.nan)


def _stepped(around: Neighbourhood, place: LinearState, step: FloatArray) -> LinearState | None:
    """The place on the branch in the plane across the end of a step."""
    found, moved = around.moved(place, step), 0.0
    size = float(np.linalg.norm(step))
    for _ in range(MOST_CORRECTIONS):
        if found.misfit <= CLOSED:
            return found
        A = np.vstack([found.extended, step / size])
        d = -_solution(A, np.append(found.F, 0.0))
        moved += float(np.linalg.norm(d))
        if not moved <= LEASH * size:
            return None
        found = around.moved(found, d)
    return found if found.misfit <= CLOSED else None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Junction:
    """A singular position at the end of a stretch, with its rays in the order of their numbers."""

    point: SingularPoint
    rays: tuple[Ray, ...]
    outcome: Outcome

    @property
    def place(self) -> LinearState:
        """The position."""
        return self.point.place


def junction(
    prepared: Prepared, ended: SweepEnd, clock: Clock, *, ways_on: bool
) -> Junction | None:
    """The singular position at which a sweep has ended; None where it is none that can be told.

    Without `ways_on` it is located only.
    """
    layout = prepared.equations.layout
    if layout.n_v > DENSE:
        return None
    around = Neighbourhood(prepared, ended.at.t)
    with np.errstate(all="ignore"):
        end = around.at(ended.at)
        if not (np.isfinite(end.J).all() and np.isfinite(end.f_t).all()):
            return None
        point = singular_point(around, end)
        if point is None:
            return None
        found = tuple(rays(around, point, heading(end, clock.way))) if ways_on else ()
    now = clock.run(point.place.t)
    ways = continuations(layout, around, point, found, now, clock.way)
    # Where branches meet and none of them lets the drive go on, it is at its end: a dead point.
    goes_on = not found or any(ray.way == clock.way for ray in found)
    outcome = singular_ending(
        layout.model.drives[0],
        point.place.t,
        now,
        ended,
        ways,
        is_crossing=point.is_crossing and goes_on,
    )
    return Junction(point, found, outcome)


def continuations(
    layout: Layout,
    around: Neighbourhood,
    point: SingularPoint,
    found: Sequence[Ray],
    t: float,
    way: int,
) -> tuple[Continuation, ...]:
    """The rays as data and in words."""
    straight = next((ray.direction for ray in found if ray.is_straight), None)
    ways = []
    for number, ray in enumerate(found, start=1):
        drive: Drives = "stands still"
        if ray.way != 0:
            drive = "goes on" if ray.way == way else "turns back"
        ways.append(
            Continuation(
                number,
                _words(layout, point, ray, drive, straight),
                drive,
                ray.is_straight,
                ray.is_return,
                t,
                tuple(point.place.q.tolist()),
                tuple((around.scale * ray.direction[:-1]).tolist()),
            )
        )
    return tuple(ways)


def _words(
    layout: Layout, point: SingularPoint, ray: Ray, drive: Drives, straight: FloatArray | None
) -> str:
    driven = " and ".join(d.gauge.name for d in layout.model.drives[:2])
    goes = f"{driven} {drive}"
    if len(layout.model.drives) > 1:
        goes = goes.replace("goes", "go").replace("turns", "turn").replace("stands", "stand")
    if ray.is_return:
        return f"back the way it came, {goes}"
    if not point.is_crossing:
        return f"it swings through, {goes}"
    if ray.is_straight:
        return f"straight on, {goes}"
    like = straight if drive == "goes on" or straight is None else -straight
    others = _differing(layout, ray.direction, like)
    return f"another branch, {goes}" + (f", {others}" if others else "")


def _differing(layout: Layout, x: FloatArray, straight: FloatArray | None) -> str:
    """The bodies of a plane that turn otherwise than they would straight on."""
    if straight is None or not layout.model.plane:
        return ""
    at = layout.coordinates
    names = []
    for k, body in enumerate(layout.model.moving):
        here, there = x[at.angle_of(k)], straight[at.angle_of(k)]
        if here * there < -(STILL**2):
            names.append(body.name)
    if not names:
        return ""
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"{shown} {'turns' if len(names) == 1 else 'turn'} the other way"
