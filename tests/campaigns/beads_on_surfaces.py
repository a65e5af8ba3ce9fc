"""Promise: what is held on a surface, or beside it, slides there as its equations say.

Planes, spheres, cylinders, cones and rings, as such and as revolutions, extrusions, ruled and
spline surfaces, askew, some with edges, some on a table that turns. A bead on them, a point at a
distance on either side, or a ball that touches; of any size, mass and time, by every method, some
through a file, some run on from their middle. Places, velocities, what holds the bead, the balance
of energies and where a run off an edge ends are compared.

Oracle: all of them are level sets d(p) = length of a distance with a normal n and a Hessian H by
hand: a = g - n (n . g + v . H v), by SciPy, in the frame of the table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import kempe as kp
from kempe.drives import TextFormula
from kempe.geometry import surfaces
from kempe.geometry.curves import Arc, Circle, Segment
from kempe.joints import PointFromSurface, PointOnSurface, SurfaceOnSurface
from tests.campaigns._round_trip import perhaps_reread

Array = NDArray[np.float64]

CASES = 8
REMEMBERED = (95000051,)
SAMPLES = 20
STRICT = 1e-12
METHODS = ("auto", "dop853", "tsit5", "rodas5p", "gear")
NEAR = {"gear": 3e-5}  # others 3e-7
TIP = 0.02  # nearer to an axis than that nothing is judged
LOW, HIGH, WIDE = -1.0, 1.5, 3.0  # edges
TRIPLE = tuple[float, float, float]


def plain(x: Array) -> TRIPLE:
    """Three floats."""
    return float(x[0]), float(x[1]), float(x[2])


class Units(NamedTuple):
    """One of the machine's own units, in SI."""

    length: float
    mass: float
    time: float


@dataclass(frozen=True)
class Shape:
    """A plane, sphere, cylinder, cone or ring about an axis z through c, in the machine's units."""

    base: str
    c: Array
    x: Array
    y: Array
    z: Array
    r: float
    R: float
    a: float  # half an angle of a cone

    def field(self, p: Array) -> tuple[float, Array, Array]:
        """The distance of p, its gradient and its Hessian."""
        w, z = p - self.c, self.z
        h = float(w @ z)
        e = w - h * z
        rho = float(np.linalg.norm(e))
        e = e / max(rho, 1e-300)
        around = np.outer(np.cross(z, e), np.cross(z, e))
        if self.base == "plane":
            return h, z, np.zeros((3, 3))
        if self.base == "sphere":
            far = float(np.linalg.norm(w))
            return far - self.r, w / far, (np.eye(3) - np.outer(w, w) / far**2) / far
        if self.base == "cylinder":
            return rho - self.r, e, around / rho
        if self.base == "cone":
            s, k = float(np.sin(self.a)), float(np.cos(self.a))
            return rho * k - h * s, k * e - s * z, k / rho * around
        far = float(np.hypot(rho - self.R, h))
        n = ((rho - self.R) * e + h * z) / far
        m = np.cross(np.cross(z, e), n)
        return far - self.r, n, np.outer(m, m) / far + (rho - self.R) / far / rho * around

    def any_place(self, rng: np.random.Generator) -> Array:
        """Somewhere on it, within all edges."""
        turn = float(rng.uniform(-np.pi, np.pi))
        e = np.cos(turn) * self.x + np.sin(turn) * self.y
        if self.base == "plane":
            return self.c + self.x * rng.uniform(-1, 1) + self.y * rng.uniform(-1, 1)
        if self.base == "sphere":
            tilt = float(rng.uniform(-1.4, 1.4))
            return np.asarray(self.c + self.r * (np.cos(tilt) * e + np.sin(tilt) * self.z))
        if self.base == "cylinder":
            return self.c + self.r * e + self.z * rng.uniform(LOW + 0.2, HIGH - 0.3)
        if self.base == "cone":
            way = np.sin(self.a) * e + np.cos(self.a) * self.z
            return np.asarray(self.c + way * rng.uniform(0.5, 1.4))
        b = float(rng.uniform(-np.pi, np.pi))
        return np.asarray(self.c + (self.R + self.r * np.cos(b)) * e + self.r * np.sin(b) * self.z)

    def room(self, kind: str, p: Array, length: float) -> float:
        """How far the foot of p is from the nearest edge of a surface of that kind."""
        w = p - self.c
        if kind in EDGED:
            h = float(w @ self.z)
            return min(h - LOW, HIGH - h)
        if self.base == "cone":
            h = float((w - length * self.field(p)[1]) @ self.z) / float(np.cos(self.a))
            return min(h - 0.2, HIGH - h) if kind == "short cone" else h
        if kind in FLAT:
            return WIDE - max(abs(float(w @ self.x)), abs(float(w @ self.y)))
        return 1.0


EDGED = ("short cylinder", "turned line", "drawn circle", "ruled circles")
FLAT = ("drawn line", "ruled lines", "spline")
KINDS = {
    "plane": "plane",
    "sphere": "sphere",
    "cylinder": "cylinder",
    "cone": "cone",
    "ring": "ring",
    "short cylinder": "cylinder",
    "short cone": "cone",
    "turned line": "cylinder",
    "turned arc": "sphere",
    "turned circle": "ring",
    "drawn line": "plane",
    "drawn circle": "cylinder",
    "ruled lines": "plane",
    "ruled circles": "cylinder",
    "spline": "plane",
}


def surface_of(kind: str, s: Shape, unit: float) -> surfaces.AbstractSurface:
    """The shape as one of kempe's surfaces, in metres."""
    x, y, z = s.x, s.y, s.z

    def at(q: Array) -> TRIPLE:
        return plain((s.c + q) * unit)

    c, axis, r = at(0 * z), plain(z), s.r * unit
    makers: dict[str, Callable[[], surfaces.AbstractSurface]] = {
        "plane": lambda: surfaces.PlaneSurface(c, axis),
        "sphere": lambda: surfaces.SphereSurface(c, r),
        "cylinder": lambda: surfaces.CylinderSurface(c, r, axis),
        "cone": lambda: surfaces.ConeSurface(c, s.a, axis),
        "ring": lambda: surfaces.TorusSurface(c, s.R * unit, r, axis),
        "short cylinder": lambda: surfaces.CylinderSurface(c, r, axis, (LOW * unit, HIGH * unit)),
        "short cone": lambda: surfaces.ConeSurface(c, s.a, axis, (0.2 * unit, HIGH * unit)),
        "turned line": lambda: surfaces.RevolutionSurface(
            Segment(at(s.r * x + LOW * z), at(s.r * x + HIGH * z)), c, axis
        ),
        "turned arc": lambda: surfaces.RevolutionSurface(half_circle(s, c, r), c, axis),
        "turned circle": lambda: surfaces.RevolutionSurface(
            Circle(at(s.R * x), r, plain(-y)), c, axis
        ),
        "drawn line": lambda: surfaces.ExtrusionSurface(
            Segment(at(WIDE * (-x - y)), at(WIDE * (x - y))), plain(2 * WIDE * y * unit)
        ),
        "drawn circle": lambda: surfaces.ExtrusionSurface(
            Circle(at(LOW * z), r, axis), plain((HIGH - LOW) * z * unit)
        ),
        "ruled lines": lambda: surfaces.RuledSurface(
            Segment(at(WIDE * (-x - y)), at(WIDE * (x - y))),
            Segment(at(WIDE * (y - x)), at(WIDE * (x + y))),
        ),
        "ruled circles": lambda: surfaces.RuledSurface(
            Circle(at(LOW * z), r, axis), Circle(at(HIGH * z), r, axis)
        ),
        "spline": lambda: surfaces.BSplineSurface(
            tuple(
                tuple(at(WIDE * (u * x + v * y)) for v in (-1, -0.4, 0.5, 1))
                for u in (-1, -0.3, 0.3, 1)
            )
        ),
    }
    return makers[kind]()


def half_circle(s: Shape, c: TRIPLE, r: float) -> Arc:
    """From pole to pole: where on the circle the axis is tells the curve itself."""
    whole = Circle(c, r, plain(-s.y))
    top = (np.asarray(whole(0.0)) - np.array(c)) / r, (np.asarray(whole(np.pi / 2)) - c) / r
    pole = float(np.arctan2(top[1] @ s.z, top[0] @ s.z))
    return Arc(c, r, pole - np.pi, pole, plain(-s.y))


@dataclass(frozen=True)
class Bead:
    """Where it starts and what acts, in the machine's units and in the frame of the table."""

    shape: Shape
    kind: str
    length: float  # along the gradient of the distance
    p: Array
    v: Array
    g: Array
    turning: float
    axis: Array

    def turned(self, angle: float, x: Array) -> Array:
        """Rodrigues' formula about the axis of the table."""
        k = self.axis
        c, s = float(np.cos(angle)), float(np.sin(angle))
        return np.asarray(x * c + np.cross(k, x) * s + k * (k @ x) * (1 - c))

    def acceleration(self, t: float, p: Array, v: Array) -> tuple[Array, Array]:
        """In the table's frame, and the share of it that the surface makes."""
        w = self.turning * self.axis
        g = self.turned(-self.turning * t, self.g)
        g = g - 2 * np.cross(w, v) - np.cross(w, np.cross(w, p))
        _, n, H = self.shape.field(p)
        held = -n * (n @ g + v @ H @ v)
        return g + held, held

    def moved(self, until: float) -> Any:
        """SciPy's answer at the samples, up to an edge."""

        def edge(_: float, y: Array) -> float:
            return self.shape.room(self.kind, y[:3], self.length)

        edge.terminal = True  # type: ignore[attr-defined]
        return solve_ivp(
            lambda t, y: np.concatenate([y[3:], self.acceleration(t, y[:3], y[3:])[0]]),
            (0, until),
            np.concatenate([self.p, self.v]),
            method="DOP853",
            rtol=STRICT,
            atol=STRICT,
            t_eval=np.linspace(0, until, SAMPLES + 1),
            events=edge,
        )


def any_bead(rng: np.random.Generator) -> Bead:
    """A bead of any kind."""
    kind = str(rng.choice(list(KINDS)))
    z = rng.normal(size=3) if rng.integers(0, 2) else np.array([0.0, 0.0, 1.0])
    z = z / np.linalg.norm(z)
    x = np.cross(z, [0.3, 0.5, -0.8])
    x /= np.linalg.norm(x)
    r = float(rng.uniform(0.3, 1.5))
    shape = Shape(
        KINDS[kind],
        rng.normal(size=3) * rng.integers(0, 2),
        x,
        np.cross(z, x),
        z,
        r,
        r * float(rng.uniform(1.3, 4)),
        float(rng.uniform(0.2, 1.3)),
    )
    length = r * float(rng.uniform(-0.25, 0.5)) * int(rng.integers(0, 2))
    foot = shape.any_place(rng)
    n = shape.field(foot)[1]
    v = rng.normal(size=3) * rng.integers(0, 2)
    axis = rng.normal(size=3)
    return Bead(
        shape,
        kind,
        length,
        foot + length * n,
        v - (v @ n) * n,
        rng.normal(size=3) * float(rng.choice([0.0, 1.0, 3.0])),
        float(rng.uniform(-2, 2)) * int(rng.random() < 0.3),
        axis / np.linalg.norm(axis),
    )


def built(rng: np.random.Generator, one: Bead, units: Units) -> kp.Mechanism:
    """The same in SI, held by one of the joints that can."""
    length, mass, time = units
    m = kp.Builder("bead", gravity=plain(one.g * length / time**2))
    heavy = kp.Inertia(mass, (0, 0, 0), 0.1 * mass * length**2 * np.eye(3))
    I = m.ground.at(0, 0, 0)
    if one.turning:
        table = m.body("table", at=(0, 0, 0), inertia=heavy)
        places = (x.at(0, 0, 0).facing(plain(one.axis)) for x in (m.ground, table))
        axle = m.revolute(*places, name="axle")
        m.drive(axle.angle, TextFormula("w * t", ("w",), (one.turning / time,)))
        I = table.at(0, 0, 0)
    v = one.v + one.turning * np.cross(one.axis, one.p)
    bead = m.body(
        "bead", at=plain(one.p * length), inertia=heavy, velocity=plain(v * length / time)
    )
    surface = surface_of(one.kind, one.shape, length)
    foot = surface.unit_normal(*surface.foot(one.p * length))
    side = float(np.sign(foot @ one.shape.field(one.p)[1]))  # S_u x S_v may point inwards
    off = side * one.length * length
    if not one.length:
        m.add(PointOnSurface(I, bead.at(0, 0, 0), surface=surface), name="held")
    elif rng.integers(0, 2):
        m.add(PointFromSurface(I, bead.at(0, 0, 0), surface=surface, length=off), name="held")
    else:
        ball = surfaces.SphereSurface((0, 0, 0), abs(off))
        joint = SurfaceOnSurface(I, bead.at(0, 0, 0), surface=surface, other=ball, inside=off < 0.0)
        m.add(joint, name="held")
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """One bead on one surface."""
    wide = int(rng.integers(0, 2))
    units = Units(*(float(p) for p in 10.0 ** (wide * rng.uniform((-3, -4, -2), (3, 4, 2)))))
    one, until = any_bead(rng), float(rng.uniform(0.5, 4))
    told = one.moved(until)
    beside = told.y[:3].T - one.shape.c
    across = beside - np.outer(beside @ one.shape.z, one.shape.z)
    if one.shape.base != "plane" and float(np.linalg.norm(across, axis=1).min()) < TIP:
        return []
    method = str(rng.choice(METHODS))
    mechanism = perhaps_reread(rng, built(rng, one, units))
    asked = {"steps": SAMPLES, "method": method, "tolerance": 1e-9}
    run = mechanism.simulate(until=until * units.time, **asked)
    faults = compared(run, one, units, told, NEAR.get(method, 3e-7))
    if told.status == 0 and not one.turning and not faults and rng.random() < 0.3:
        half = mechanism.simulate(until=until * units.time / 2, **asked)
        rest = mechanism.simulate(until=until * units.time / 2, start=half.state(-1), **asked)
        off = np.max(np.abs(rest["bead"].position[-1] - run["bead"].position[-1])) / units.length
        if not rest.outcome.is_done or off > 10 * NEAR.get(method, 3e-7) * (
            1 + np.abs(beside).max()
        ):
            faults.append(f"run on from its middle, {rest.outcome}, it is off by {off:.1e}")
    return [f"{fault}; {one} {units} {until=} {method=} {run.notes}" for fault in faults]


def compared(run: Any, one: Bead, units: Units, told: Any, near: float) -> list[str]:
    """What of outcome, places, velocities, force and energies is not so."""
    length, mass, time = units
    due = "LimitReached" if told.status == 1 else "Done"
    if run.outcome.name != due or run.notes:
        return [f"it ends with {run.outcome}, not {due}"]
    count, most = len(told.t), SAMPLES + 1
    if abs(len(run) - count) > (told.status == 1):  # a sample at the edge itself
        return [f"there are {len(run)} samples of {most}, not {count}"]
    count = min(count, len(run))
    rows: dict[str, list[Array]] = {"place": [], "velocity": [], "force": []}
    for t, y in zip(told.t[:count], told.y.T, strict=False):
        w, angle = one.turning * one.axis, one.turning * float(t)
        rows["place"].append(one.turned(angle, y[:3]))
        rows["velocity"].append(one.turned(angle, y[3:] + np.cross(w, y[:3])))
        rows["force"].append(one.turned(angle, one.acceleration(float(t), y[:3], y[3:])[1]))
    got = {
        "place": run["bead"].position / length,
        "velocity": run["bead"].velocity * time / length,
        "force": run["held.force"].values * time**2 / (length * mass),
    }
    faults = []
    for name, factor in (("place", 1.0), ("velocity", 10.0), ("force", 300.0)):
        off = float(np.max(np.abs(got[name][:count] - np.array(rows[name]))))
        if off > factor * near * (1 + float(np.max(np.abs(rows[name])))):
            faults.append(f"the {name} is off by {off:.1e}")
    energies = run.energy
    largest = np.max(np.abs([energies.kinetic, energies.potential, energies.driven]))
    if np.ptp(energies.total) > 1e-5 * largest:
        faults.append(f"the energies are off by {np.ptp(energies.total) / largest:.1e}")
    return faults
