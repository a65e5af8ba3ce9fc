"""Promise: contacts press, lose and let go as their laws say, whichever surfaces meet.

Two bodies, or one and the ground, meet head-on, in the plane or in space, in any direction, at any
size and ratio of masses, both carried along by a common velocity: balls, capsules, cylinders,
boxes, corners and cams; a spring, a spring and damper, any power, Hunt and Crossley's loss; with
friction that has nothing to do. Touch and lift-off, speeds after, what is lost, and the balance of
energies are compared, by every method; some go through a file, and some start in the very moment
of touch.

Oracle: closed forms of an impact of two bodies along a line.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import kempe as kp
from kempe.forces import (
    AbstractContact,
    BoxOnPlane,
    CapsuleOnCapsule,
    CapsuleOnPlane,
    CornersOnPlane,
    CylinderOnPlane,
    FlatOnCam,
    RollerOnCam,
    SphereOnCapsule,
    SphereOnPlane,
    SphereOnSphere,
)
from kempe.geometry.curves import Circle
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 15
REMEMBERED = (5013, 20014)  # springs met by backward differences
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 3e-4}  # beside the speed of the impact; others 3e-6
FLAT = 0.5  # of critical damping at most


@dataclass(frozen=True)
class Meeting:
    """Two surfaces: how far apart their markers are where they touch, and how many places do."""

    word: Callable[..., AbstractContact]
    fields: dict[str, Any]
    apart: float
    places: int = 1
    crossed: bool = False  # J turned by a quarter about the line


def meetings(rng: np.random.Generator, space: bool) -> list[Meeting]:
    """Every pair of surfaces, some lengths about 1 each."""
    a, b, l, k = (float(x) for x in rng.uniform(0.3, 1.5, 4))
    found = [
        Meeting(SphereOnPlane, {"normal": kp.Y, "radius": a}, a),
        Meeting(SphereOnSphere, {"radius_I": a, "radius_J": b}, a + b),
        Meeting(CapsuleOnPlane, {"normal": kp.Y, "along": kp.X, "radius": a, "length": l}, a, 2),
        Meeting(
            SphereOnCapsule,
            {"along": kp.X, "radius_I": a, "length": l, "radius_J": b},
            a + b,
        ),
        Meeting(BoxOnPlane, {"normal": kp.Y, "x": a, "y": b, "z": l}, b / 2, 4),
        Meeting(CornersOnPlane, {"normal": kp.Y, "corners": ((0.0, -a, 0.0), (k, b, 0.0))}, a),
        Meeting(RollerOnCam, {"curve": Circle((0.0, 0.0, 0.0), a), "radius": b}, a + b),
        Meeting(FlatOnCam, {"curve": Circle((0.0, 0.0, 0.0), a), "normal": kp.Y}, a),
    ]
    if space:
        bars = {"along": kp.X, "radius_I": a, "length_I": l, "radius_J": b, "length_J": k}
        rolls = {"normal": kp.Y, "along": kp.X, "radius": a, "length": l}
        found += [
            Meeting(CapsuleOnCapsule, bars, a + b, crossed=True),
            Meeting(CylinderOnPlane, rolls, a, 2),
        ]
    return found


@dataclass(frozen=True)
class Law:
    """What they meet with, in units of the reduced mass, the speed and the length of the case."""

    stiffness: float
    exponent: float = 1.0
    damping: float | None = None
    dissipation: float | None = None

    @property
    def restitution(self) -> float:
        """The speed after over that before, 1."""
        if self.damping is not None:
            return float(np.exp(-self.damping / 2 * self.pressed))
        b = self.dissipation
        if not b:
            return 1.0
        return float(
            brentq(
                lambda e: b * (1 + e) - np.log((1 + b) / (1 - b * e)), 1e-9, min(1, (1 - 1e-12) / b)
            )
        )

    @property
    def pressed(self) -> float:
        """How long a linear spring with a damper pushes."""
        half, w0 = (self.damping or 0.0) / 2, np.sqrt(self.stiffness)
        w = np.sqrt(w0**2 - half**2)
        return float((np.pi - np.arctan2(2 * half * w, w0**2 - 2 * half**2)) / w)

    @property
    def lasts(self) -> float | None:
        """From touch to lift-off, where there is a closed form."""
        if self.exponent != 1.0 or self.dissipation is not None:
            return None
        return self.pressed + (self.damping or 0.0) / self.stiffness


def law(rng: np.random.Generator) -> Law:
    """Any of them."""
    # depths from 1e-3 to 0.05 of the length
    depth, n = float(10.0 ** rng.uniform(-3, -1.3)), float(rng.choice([1.0, 1.0, 1.5, 2.2]))
    k = (n + 1) / 2 / depth ** (n + 1)
    what = int(rng.integers(0, 3))
    if what == 0:
        return Law(k, n)
    if what == 1:
        return Law(1 / depth**2, damping=float(rng.uniform(0, 2 * FLAT)) / depth)
    return Law(k, n, dissipation=float(10.0 ** rng.uniform(-2, 0.7)))


def attempt(rng: np.random.Generator) -> list[str]:
    """One impact."""
    space = bool(rng.random() < 0.5)
    choices = meetings(rng, space)
    meeting, push = choices[int(rng.integers(0, len(choices)))], law(rng)
    wide = int(rng.integers(0, 2))
    size, heavy, time = (float(10.0**p) for p in wide * rng.uniform(-2, 2, 3))
    grounded = bool(rng.random() < 0.4)
    m_I = None if grounded else heavy * float(10.0 ** rng.uniform(-2, 2))
    m_J = heavy
    reduced = m_J if m_I is None else m_I * m_J / (m_I + m_J)
    gap = float(rng.choice([0.0, rng.uniform(0.05, 0.3)]))
    run, line, before = ran(rng, meeting, push, space, (size, reduced, time), (m_I, m_J), gap)
    said = f"{meeting} {push} {space=} {size=} {heavy=} {time=} {grounded=} {m_I=} {gap=}"
    said += f" method={run.motion.recipe.method}"
    if run.outcome.name != "Done" or run.notes:
        return [f"{run.outcome} {run.notes}; {said}"]
    e, near = push.restitution, NEAR.get(run.motion.recipe.method, 3e-6)
    speed = size / time
    faults = []
    share = 1.0 if m_I is None else m_I / (m_I + m_J)
    due = before + line * (1 + e) * share * speed
    got = run["J"].velocity[-1]
    if np.max(np.abs(got - due)) > near * speed * (1 + np.max(np.abs(before)) / speed):
        faults.append(f"J flies off at {got}, not {due} m/s")
    lost, moved = reduced * speed**2 * (1 - e * e) / 2, reduced * speed**2 / 2
    if abs(run.energy.dissipated[-1] - lost) > 10 * near * moved:
        faults.append(f"{run.energy.dissipated[-1]} J were lost, not {lost}")
    kinetic = float(np.max(run.energy.kinetic))
    if np.ptp(run.energy.total) > near * (10 * moved + kinetic):
        faults.append(f"the energies are off by {np.ptp(run.energy.total):.1e} J of {moved}")
    kinds = [event.kind for event in run.events]
    if set(kinds) - {"touch", "lift-off"} or kinds[-1:] != ["lift-off"]:
        faults.append(f"{kinds} happened")
    else:
        faults += timed(run, push, gap * time, time, near)
    return [f"{fault}; {said}" for fault in faults]


def timed(run: Any, push: Law, touch: float, time: float, near: float) -> list[str]:
    """Speeds and times of touch and lift-off."""
    faults = []
    for event in run.events:
        at = touch if event.kind == "touch" else None
        at = touch + push.lasts * time if event.kind == "lift-off" and push.lasts else at
        if at is not None and abs(event.t - at) > 10 * near * time:
            faults.append(f"{event.kind} at {event.t} s, not {at} s")
    if touch and sum(event.kind == "touch" for event in run.events) < 1:
        faults.append("no touch is told")
    return faults


def ran(
    rng: np.random.Generator,
    meeting: Meeting,
    push: Law,
    space: bool,
    units: tuple[float, float, float],
    masses: tuple[float | None, float],
    gap: float,
) -> tuple[Any, Array, Array]:
    """The run, the line of the impact (world), and the velocity of J before it."""
    size, _, time = units
    speed = size / time
    angle = float(rng.uniform(-3, 3))
    whole = kp.Rotation.about((0, 0, 1), angle)
    if space and masses[0] is not None:
        axis = rng.uniform(-1, 1, 3)
        whole = kp.Rotation.about(tuple(axis / np.linalg.norm(axis)), angle)
    matrix = np.array(whole.matrix(), dtype=float)
    line = matrix[:, 1]
    drift = np.zeros(3) if masses[0] is None else rng.uniform(-1, 1, 3) * speed
    if not space:
        drift[2] = 0.0
    m = kp.Builder("impact", plane=not space)
    n = 3 if space else 2
    turned = {"rotation": whole} if space else {"angle": angle}
    if masses[0] is None:
        I = (m.ground.at(0, 0, 0) if space else m.ground.at(0, 0)).turned(angle)
    else:
        inertia = kp.Inertia(masses[0], (0, 0, 0), masses[0] * size**2 * np.eye(3))
        body = m.body("I", at=(0,) * n, inertia=inertia, velocity=tuple(drift[:n]), **turned)
        I = body.at(0, 0, 0) if space else body.at(0, 0)
    v = drift - line * speed
    quarter = kp.Rotation.from_matrix(matrix @ np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]))
    inertia = kp.Inertia(masses[1], (0, 0, 0), masses[1] * size**2 * np.eye(3))
    J = m.body(
        "J",
        at=tuple((line * (meeting.apart + gap) * size)[:n]),
        inertia=inertia,
        velocity=tuple(v[:n]),
        **({"rotation": quarter} if meeting.crossed else turned),
    )
    place = J.at(0, 0, 0) if space else J.at(0, 0)
    m.force(
        meeting.word(I, place, **_sized(meeting.fields, size), **_in_SI(rng, push, meeting, units)),
        "c",
    )
    longest = 6.0 * (2 / push.stiffness) ** (1 / (push.exponent + 1)) / push.restitution
    until = (gap + longest + (push.lasts or 0.0)) * time
    run = perhaps_reread(rng, m.build()).simulate(
        until=until, steps=40, method=str(rng.choice(METHODS)), tolerance=1e-9
    )
    return run, line[:n], v[:n]


def _sized(fields: dict[str, Any], size: float) -> dict[str, Any]:
    sized: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, float):
            sized[name] = value * size
        elif isinstance(value, Circle):
            sized[name] = replace(value, radius=value.radius * size)
        elif isinstance(value, tuple):
            sized[name] = tuple(tuple(x * size for x in corner) for corner in value)
        else:
            sized[name] = value
    return sized


def _in_SI(
    rng: np.random.Generator, push: Law, meeting: Meeting, units: tuple[float, float, float]
) -> dict[str, float]:
    size, mass, time = units
    n = meeting.places
    words = {
        "stiffness": push.stiffness * mass * size / time**2 / size**push.exponent / n,
        "exponent": push.exponent,
    }
    if push.damping is not None:
        words["damping"] = push.damping * mass / time / n
    if push.dissipation is not None:
        words["dissipation"] = push.dissipation * time / size
    if rng.random() < 0.4:
        words |= {"friction": float(rng.uniform(0, 1)), "creep": 0.01 * size / time}
    return words
