"""Promise: `interference` knows what shapes do between samples, however few there are, or says not.

An arm on a driven hinge that goes round many times, swings, or strikes out and back between two
samples, a slider on a rail, and an arm that falls freely; boxes, discs and convex plates on them
and on the ground, in the plane, and balls in space about a hinge of any axis. One to a dozen steps
for up to forty turns.

Oracle: the motions in closed form (that of the falling arm integrated by SciPy), every pair
measured in NumPy at thousands of instants between which nothing moves further than speed times
time.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.drives import TextFormula
from kempe.geometry import Rotation
from kempe.geometry.solids import Sphere
from kempe.results.interference import Interference, ShapePair
from tests.campaigns.touching_shapes import Outline, any_solid, gap

Array = NDArray[np.float64]

CASES = 3
INSTANTS = 6000
SURE = 1e-5  # m: touches less deep than that need not be told
ROUNDING = 1e-7  # m: what a simulation at a tolerance of 1e-10 may be off, and more


class Law(NamedTuple):
    """A law of time as text with its numbers, and as a function of times (n,)."""

    text: str
    names: tuple[str, ...]
    numbers: tuple[float, ...]
    at: Callable[[Array], Array]

    def drive(self) -> TextFormula:
        """As a drive takes it."""
        return TextFormula(self.text, self.names, self.numbers)


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine in the plane, one in space, or one that falls."""
    kind = int(rng.integers(0, 4))
    return (in_the_plane, in_the_plane, in_space, falling)[kind](rng)


def any_law(rng: np.random.Generator, until: float) -> Law:
    """Even turning, swinging, both at once, or a stroke in a small part of the time."""
    w, a, u = (float(x) for x in rng.uniform((1, 0.3, 1), (60, 2, 40)))
    c, d = float(rng.uniform(0.1, 0.9)) * until, float(rng.uniform(0.003, 0.1)) * until
    kind = int(rng.integers(0, 4))
    if kind == 0:
        return Law("w * t", ("w",), (w,), lambda t: w * t)
    if kind == 1:
        return Law("a * sin(u * t)", ("a", "u"), (a, u), lambda t: a * np.sin(u * t))
    if kind == 2:
        names, numbers = ("w", "a", "u"), (w / 4, a, u / 4)
        return Law(
            "w * t + a * cos(u * t)", names, numbers,
            lambda t: numbers[0] * t + a * np.cos(numbers[2] * t),
        )  # fmt: skip
    return Law(
        "a * exp(0 - ((t - c) / d) ** 2)", ("a", "c", "d"), (a, c, d),
        lambda t: a * np.exp(-(((t - c) / d) ** 2)),
    )  # fmt: skip


def in_the_plane(rng: np.random.Generator) -> list[str]:
    """An arm and a slider."""
    until, steps = float(rng.uniform(0.5, 4)), int(rng.integers(1, 13))
    turn, slide = any_law(rng, until), any_law(rng, until)
    if slide.text.startswith("w"):
        slide = Law("0 * t", (), (), lambda t: 0.0 * t)
    m = kp.Builder("arm", plane=True)
    arm, car = m.bar("arm", 1.0, at=(0, 0)), m.body("car", at=(0, 0.8))
    hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    rail = m.prismatic(m.ground.at(0, 0.8), car.at(0, 0), name="rail")
    m.drive(hinge.angle, turn.drive())
    m.drive(rail.displacement, slide.drive())
    shapes: dict[str, tuple[str, Outline]] = {}
    for body, x, y in (("arm", 0.9, 0.0), ("car", 0.0, 0.1), ("ground", 0.5, 1.0)):
        solid, outline = any_solid(rng, 1.0)
        at, angle = np.array([x, y]) + rng.uniform(-0.3, 0.3, 2), float(rng.uniform(-3, 3))
        part = {"arm": arm, "car": car, "ground": m.ground}[body]
        m.shape(part, solid, at=(float(at[0]), float(at[1])), angle=angle, name="s")
        shapes[f"{body}.s"] = (body, outline.placed(at, angle))
    found = m.build().kinematics(until=until, steps=steps).interference(joined=True)
    t = np.linspace(0, until, INSTANTS + 1)
    place = {
        "arm": (np.zeros((len(t), 2)), turn.at(t)),
        "car": (np.column_stack([slide.at(t), np.full_like(t, 0.8)]), 0.0 * t),
        "ground": (np.zeros((len(t), 2)), 0.0 * t),
    }
    said = f"{until=} {steps=} {turn[:3]} {slide[:3]} {shapes}"
    return compared(found, shapes, place, t, said)


def falling(rng: np.random.Generator) -> list[str]:
    """An arm that falls from rest or spins freely, past what stands on the ground."""
    until, steps = float(rng.uniform(0.5, 6)), int(rng.integers(1, 9))
    first, speed = float(rng.uniform(-3, 3)), float(rng.choice([0.0, 3.0, 15.0]))
    m = kp.Builder("falling arm", plane=True, gravity=(0, -9.81))
    inertia = kp.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    arm = m.bar("arm", 1.0, at=(0, 0), angle=first, inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
    m.rate(hinge.angle, speed)
    shapes: dict[str, tuple[str, Outline]] = {}
    for body, part, x, y in (("arm", arm, 0.9, 0.0), ("ground", m.ground, -0.8, -0.4)):
        solid, outline = any_solid(rng, 1.0)
        at, angle = np.array([x, y]) + rng.uniform(-0.3, 0.3, 2), float(rng.uniform(-3, 3))
        m.shape(part, solid, at=(float(at[0]), float(at[1])), angle=angle, name="s")
        shapes[f"{body}.s"] = (body, outline.placed(at, angle))
    run = m.build().simulate(until=until, steps=steps, tolerance=1e-10)
    t = np.linspace(0, until, INSTANTS + 1)
    pull = 9.81 * 0.5 / (0.1 + 0.25)
    path = solve_ivp(
        lambda _, y: [y[1], -pull * np.cos(y[0])], (0, until), [first, speed],
        t_eval=t, rtol=1e-11, atol=1e-11, method="DOP853",
    ).y[0]  # fmt: skip
    place = {"arm": (np.zeros((len(t), 2)), path), "ground": (np.zeros((len(t), 2)), 0.0 * t)}
    said = f"{until=} {steps=} {first=} {speed=} {shapes}"
    return compared(run.interference(joined=True), shapes, place, t, said)


def compared(
    found: Interference,
    shapes: dict[str, tuple[str, Outline]],
    place: dict[str, tuple[Array, Array]],
    t: Array,
    said: str,
) -> list[str]:
    """What of every pair is not so."""
    faults = []
    names = sorted(shapes)
    for i, first in enumerate(names):
        for second in names[:i]:
            poses = []
            speed = 0.0
            for name in (first, second):
                body, outline = shapes[name]
                x, angle = place[body]
                poses.append([outline.placed(x[k], float(angle[k])) for k in range(len(t))])
                far = float(np.linalg.norm(outline.corners, axis=1).max()) + outline.radius
                moves = np.linalg.norm(np.diff(x, axis=0), axis=1) + far * np.abs(np.diff(angle))
                speed += float(moves.max())
            gaps = np.array([gap(a, b) for a, b in zip(*poses, strict=True)])
            faults += [
                f"{first} - {second}: {fault}; {said}"
                for fault in judged(found[first, second], t, gaps, 1.2 * speed)
            ]
    return faults


def in_space(rng: np.random.Generator) -> list[str]:
    """A ball on an arm about any axis, and balls that stand still."""
    until, steps = float(rng.uniform(0.5, 4)), int(rng.integers(1, 13))
    law = any_law(rng, until)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    m = kp.Builder("arm in space")
    arm = m.body("arm", at=(0, 0, 0))
    z = np.array([0.0, 0.0, 1.0])
    across = np.cross(z, axis)
    angle = float(np.arctan2(np.linalg.norm(across), axis[2]))
    way = across / np.linalg.norm(across)
    tilt = Rotation.about((float(way[0]), float(way[1]), float(way[2])), angle)
    hinge = m.revolute(
        kp.Marker("ground", (0, 0, 0), tilt), kp.Marker("arm", (0, 0, 0), tilt), name="hinge"
    )
    m.drive(hinge.angle, law.drive())
    r, R = (float(x) for x in rng.uniform(0.02, 0.2, 2))
    p, s = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    m.shape(arm, Sphere(r), at=tuple(float(x) for x in p), name="s")
    m.shape(m.ground, Sphere(R), at=tuple(float(x) for x in s), name="s")
    t = np.linspace(0, until, 10 * INSTANTS + 1)
    turn = law.at(t)[:, None]
    # Rodrigues' formula
    c = p * np.cos(turn) + np.cross(axis, p) * np.sin(turn) + axis * (axis @ p) * (1 - np.cos(turn))
    gaps = np.linalg.norm(c - s, axis=1) - r - R
    found = m.build().kinematics(until=until, steps=steps).interference(joined=True)
    moved = float(np.linalg.norm(np.diff(c, axis=0), axis=1).max())
    said = f"{until=} {steps=} {law[:3]} {axis=} {r=} {R=} {p=} {s=}"
    faults = judged(found["arm", "ground"], t, gaps, 1.2 * moved)
    return [f"{fault}; {said}" for fault in faults]


def judged(pair: ShapePair, t: Array, gaps: Array, moved: float) -> list[str]:
    """What of the least gap and of the touches is not so; between instants gaps change so much."""
    faults = []
    least = float(gaps.min())
    sure = pair.uncertainty + ROUNDING
    if not pair.is_known:
        faults.append("it is not known")
    if not pair.gap - sure <= least:
        faults.append(f"they are {least} apart, less than {pair.gap} - {pair.uncertainty}")
    if not least - moved / 2 - ROUNDING <= pair.gap <= least + ROUNDING + SURE:
        faults.append(f"the least gap is {least}, not {pair.gap}")
    if pair.uncertainty > 1e-3:
        faults.append(f"the uncertainty is {pair.uncertainty}")
    inside = np.zeros(len(t), bool)
    for touch in pair.touches:
        inside |= (t >= touch.start - 1e-9) & (t <= touch.end + 1e-9)
    missed = (gaps < -SURE) & ~inside
    if missed.any():
        faults.append(f"at {t[missed][0]} s they are {gaps[missed][0]} apart: not told")
    apart = (gaps > ROUNDING + SURE) & inside
    if apart.any():
        faults.append(f"at {t[apart][0]} s they are {gaps[apart][0]} apart: told as touching")
    return faults
