"""Rays: the branches that leave a singular position, each followed until it is clear of it."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.kinematics.singular.neighbourhood import LinearState, Neighbourhood
from kempe.kinematics.singular.singular_point import SingularPoint
from kempe.kinematics.singular.tangents import tangents

FloatArray = NDArray[np.float64]

REACH = 0.02  # rad, and share of the machine's size: far enough for the drive to take over
FIRST, SMALLEST = 1e-3, 1e-10  # steps
MOST_STEPS, MOST_CORRECTIONS = 200, 8
CLOSED = 1e-13  # rows
LEASH = 0.1  # all corrections together, shares of the step
STRAIGHT = 0.98  # cosine between the tangents before and after a step
STANDING = 1e-9  # units of time that pass along a ray on which the drive does not move
ALONG = 0.99  # cosine from which two directions are the same branch


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
