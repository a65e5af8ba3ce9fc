"""Where a sweep has come to a singular position, and the ways that lead on from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.kinematics.singular.neighbourhood import LinearState, Neighbourhood
from kempe.kinematics.singular.rays import Ray, heading, rays
from kempe.kinematics.singular.singular_point import SingularPoint, singular_point
from kempe.kinematics.stepping.ending import SweepEnd, singular_ending
from kempe.kinematics.stepping.preparation import Prepared
from kempe.outcome import Continuation, Outcome

FloatArray = NDArray[np.float64]
Drives = Literal["goes on", "turns back", "stands still"]

# Velocities up to which full matrices are taken apart in reasonable time.
DENSE = 600
# A body that turns by less than this share of a ray does not turn.
STILL = 1e-6


@final
@dataclass(frozen=True, slots=True)
class Clock:
    """How the time that the laws see runs with the time of the run: on, or backwards."""

    t: float = 0.0  # s, of the run
    law_t: float = 0.0  # s, of the laws
    way: int = 1

    def law(self, t: FloatArray) -> FloatArray:
        """The time that the laws see at times of the run."""
        if self.way > 0 and self.t == self.law_t:
            return t
        laws: FloatArray = self.law_t + self.way * (t - self.t)
        return laws

    def run(self, law_t: float) -> float:
        """The time of the run at which the laws see a time."""
        return self.t + self.way * (law_t - self.law_t)


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
