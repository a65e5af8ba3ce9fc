"""Promise: every place and motion of a composed planar mechanism is listed, once, and no other.

Cranks with dyads of hinges, slides, slots, gears, tracks and tangent bars on top of each other
(four-bars to eight-bars of Watt's and Stephenson's kinds, quick returns, legs that slide), bars of
equal length that fold flat, bodies drawn at odd angles, constraints said again in another word,
limits of any width, scales of 1e-6 to 1e6.

Oracle: brute force from the geometry alone: Newton's method from hundreds of random starts, steps
along every curve it meets, ranks by singular values. Whole results are compared: every place that
was met lies on what is listed, what one regular curve joins lies on one component, every component
is one such curve, and all that is listed closes.
"""

import cmath
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.couplers import GearPair
from kempe.geometry.curves import Circle, Ellipse, Segment
from kempe.joints import NoRotation, PinInSlot, Rod
from tests.campaigns._curves_by_newton import GRAZE, SINGULAR, Array, Curve, Rows, System

CASES = 4
REMEMBERED = (16, 20)  # a component that was not told, by limits of angles and by tracks
STARTS = 160
SAME = 1e-6  # of a length of 1, a cosine or a sine
SAMPLE = 0.1  # between samples of a component
FREE = 1e-7  # a singular value of what is free
PLACE = 0.02  # about a singular place: nothing is said there
LOOKED_AT = 20  # places of one case that are put on curves
EFFORT = kp.Effort(seconds=12.0)
ANGLES = (0.0, 15.0, 30.0, 37.0, 45.0, 73.3, 90.0, 120.0, 135.0, 200.0, -30.0, 17.123, 271.0)
GROUND = -1

Rng = np.random.Generator
Values = NDArray[np.generic]


class Drawing:
    """A mechanism twice: as kempe's builder gets it, and as rows of (x, y, angle) of bodies."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.scale = float(10.0 ** rng.integers(-6, 7)) if rng.random() < 0.5 else 1.0
        self.b = kp.Builder("drawing", plane=True)
        self.parts: list[Any] = []
        self.names: list[str] = []
        self.at: list[complex] = []
        self.lean: list[float] = []
        self.rows: list[Rows] = []
        self.limits: list[tuple[Rows, float, float, float]] = []
        self.measures: dict[str, tuple[Rows, float, float]] = {}  # rows, period, unit
        self.held: dict[str, float] = {}
        self.said: list[str] = []
        self.hinges: list[tuple[int, complex, int, complex]] = []
        self.guides: list[tuple[int, int, complex, complex, float]] = []

    # -- bodies and places ---------------------------------------------------------------------

    def body(self, at: complex, lean: float | None = None) -> int:
        """A body whose frame lies there, at an odd angle if none is given."""
        lean = self.angle() if lean is None else lean
        k = len(self.parts)
        name = f"b{k}"
        guess: dict[str, Any] = {}
        if self.rng.random() < 0.3:
            guess = {"at": self.xy(at), "angle": lean}
        self.parts.append(self.b.body(name, **guess))
        return self.known(name, at, lean)

    def bar(self, length: float, at: complex, lean: float) -> int:
        """A bar: its length is kept to the last digit."""
        name = f"b{len(self.parts)}"
        self.parts.append(self.b.bar(name, length * self.scale))
        return self.known(name, at, lean)

    def point(self, at: complex, curve: Any = None, of: int = GROUND) -> int:
        """A kinematic point, which never turns, perhaps on a curve."""
        name = f"b{len(self.parts)}"
        of_body = {} if of == GROUND else {"of": self.parts[of]}
        on = {} if curve is None else {"on": curve}
        self.parts.append(self.b.point(name, **on, **of_body))
        k = self.known(name, at, 0.0)
        del self.measures[f"{name}.angle"]
        self.rows.append(lambda q: q[:, 3 * k + 2 : 3 * k + 3])
        return k

    def known(self, name: str, at: complex, lean: float) -> int:
        k = len(self.names)
        self.names.append(name)
        self.at.append(at)
        self.lean.append(lean)
        self.measures[f"{name}.angle"] = (lambda q: q[:, 3 * k + 2]), math.tau, 1.0
        self.measures[f"{name}.x"] = (lambda q: q[:, 3 * k]), 0.0, self.scale
        return k

    def angle(self) -> float:
        """Of a body or a guide: often a round number of degrees."""
        if self.rng.random() < 0.5:
            return math.radians(float(self.rng.choice(ANGLES)))
        return float(self.rng.uniform(-math.pi, math.pi))

    def spot(self, size: float = 1.6) -> complex:
        return complex(*self.rng.uniform(-size, size, 2))

    def xy(self, z: complex) -> tuple[float, float]:
        return z.real * self.scale, z.imag * self.scale

    def local(self, body: int, world: complex) -> complex:
        """A place of the drawing in a body's own axes."""
        if body == GROUND:
            return world
        return (world - self.at[body]) * cmath.exp(-1j * self.lean[body])

    def marker(self, body: int, p: complex) -> Any:
        part = self.b.ground if body == GROUND else self.parts[body]
        return part.at(*self.xy(p))

    def world(self, q: Values, body: int, p: complex) -> tuple[Any, Any]:
        """Where a body's place p is."""
        if body == GROUND:
            return np.full(len(q), p.real), np.full(len(q), p.imag)
        x, y, a = q[:, 3 * body], q[:, 3 * body + 1], q[:, 3 * body + 2]
        c, s = np.cos(a), np.sin(a)
        return x + c * p.real - s * p.imag, y + s * p.real + c * p.imag

    def turn(self, q: Values, body: int) -> Any:
        return np.zeros(len(q)) if body == GROUND else q[:, 3 * body + 2]

    # -- what holds them -----------------------------------------------------------------------

    def hinge(self, A: int, B: int, at: complex, name: str = "") -> None:
        self.hinged(A, self.local(A, at), B, self.local(B, at), name)

    def hinged(self, A: int, p: complex, B: int, r: complex, name: str = "") -> None:
        name = name or f"hinge{len(self.rows)}"
        self.b.revolute(self.marker(A, p), self.marker(B, r), name=name)
        self.hinges.append((A, p, B, r))
        turned = lambda q: self.turn(q, B) - self.turn(q, A)  # noqa: E731
        self.measures[f"{name}.angle"] = turned, math.tau, 1.0

        def rows(q: Values) -> Values:
            (x, y), (u, v) = self.world(q, A, p), self.world(q, B, r)
            return np.stack([u - x, v - y], axis=1)

        self.rows.append(rows)
        self.said.append(f"hinge {A}{p!r} {B}{r!r}")

    def along(self, q: Values, A: int, p: complex, lean: float, B: int, r: complex) -> Any:
        """(along, across): where r of B is, seen from p of A, with x at an angle."""
        (x, y), (u, v) = self.world(q, A, p), self.world(q, B, r)
        a = self.turn(q, A) + lean
        c, s = np.cos(a), np.sin(a)
        return c * (u - x) + s * (v - y), c * (v - y) - s * (u - x)

    def guide(self, name: str, reading: Any, what: tuple[Any, ...]) -> None:
        """Note a displacement along a guide: how it is read, and what is guided."""
        self.measures[f"{name}.displacement"] = (reading, 0.0, self.scale)
        self.guides.append(what)

    def slot(self, A: int, B: int, on: complex, at: complex, direction: float) -> str:
        """The place `at` of B lies on a slot of A through `on`, along a direction."""
        lean = direction - (0.0 if A == GROUND else self.lean[A])
        p, r = self.local(A, on), self.local(B, at)
        name = f"slot{len(self.rows)}"
        facing = (math.cos(lean), math.sin(lean), 0.0)
        self.b.add(PinInSlot(self.marker(A, p).facing(facing), self.marker(B, r)), name)
        self.rows.append(lambda q: self.along(q, A, p, lean, B, r)[1][:, None])
        self.guide(name, lambda q: self.along(q, A, p, lean, B, r)[0], (A, B, on, at, direction))
        self.said.append(f"slot {A}{p!r} at {lean!r} {B}{r!r}")
        return name

    def slide(self, A: int, B: int, on: complex, at: complex, direction: float) -> str:
        lean = direction - (0.0 if A == GROUND else self.lean[A])
        own = direction - self.lean[B]
        p, r = self.local(A, on), self.local(B, at)
        name = f"slide{len(self.rows)}"
        a, b = ((math.cos(w), math.sin(w), 0.0) for w in (lean, own))
        self.b.prismatic(self.marker(A, p), self.marker(B, r), along=a, along_b=b, name=name)

        def rows(q: Values) -> Values:
            turned = self.turn(q, A) + lean - self.turn(q, B) - own
            return np.stack([self.along(q, A, p, lean, B, r)[1], wrapped(turned)], axis=1)

        self.rows.append(rows)
        self.guide(name, lambda q: self.along(q, A, p, lean, B, r)[0], (A, B, on, at, direction))
        self.said.append(f"slide {A}{p!r} at {lean!r} {B}{r!r} at {own!r}")
        return name

    def rod(self, A: int, p: complex, B: int, r: complex, length: float) -> None:
        one, two, name = self.marker(A, p), self.marker(B, r), f"rod{len(self.rows)}"
        if self.rng.random() < 0.5:
            self.b.stick(name, one, two, length * self.scale)
        else:
            self.b.add(Rod(one, two, length=length * self.scale), name)

        def rows(q: Values) -> Values:
            (x, y), (u, v) = self.world(q, A, p), self.world(q, B, r)
            return (((u - x) ** 2 + (v - y) ** 2 - length**2) / (2.0 * length))[:, None]

        self.rows.append(rows)
        self.said.append(f"rod {A}{p!r} {B}{r!r} {length!r}")

    def weld(self, A: int, at: complex) -> int:
        """Another body welded on at an odd angle; perhaps said again."""
        lean = self.angle()
        B = self.body(at, self.lean[A] + lean)
        p = self.local(A, at)
        self.b.fixed(self.marker(A, p).turned(lean), self.marker(B, 0j))

        def rows(q: Values) -> Values:
            (x, y), (u, v) = self.world(q, A, p), self.world(q, B, 0j)
            turned = self.turn(q, A) + lean - self.turn(q, B)
            return np.stack([u - x, v - y, wrapped(turned)], axis=1)

        self.rows.append(rows)
        self.said.append(f"weld {A}{p!r} turned {lean!r} {B}")
        if self.rng.random() < 0.3:
            self.b.add(NoRotation(self.marker(A, p).turned(lean), self.marker(B, 0j)))
            self.said.append("weld again")
        return B

    def gear(self, A: int, B: int, carrier: int, teeth: tuple[int, int], internal: bool) -> None:
        """Wheels A and B seen from a carrier (or the ground), meshing as they are drawn."""
        m, n = teeth
        n *= -1 if internal else 1
        common = math.gcd(m, n)
        m, n = m // common, n // common
        c = 0.0 if carrier == GROUND else self.lean[carrier]
        constant = (self.lean[A] - c) + n / m * (self.lean[B] - c)
        angles = [self.parts[k].angle for k in (A, B, carrier) if k != GROUND]
        self.b.couple(GearPair(tuple(angles), teeth=teeth, internal=internal, constant=constant))

        def rows(q: Values) -> Values:
            a, b, c = (self.turn(q, k) for k in (A, B, carrier))
            return wrapped(m * (a - c) + n * (b - c) - m * constant)[:, None]

        self.rows.append(rows)
        self.said.append(f"gear {A} {B} on {carrier} {teeth} internal={internal} {constant!r}")

    def tangent(self, A: int, B: int, one: complex, two: complex, centre: complex) -> None:
        """The line through two places of B touches a circle of A; perhaps the bar itself does."""
        p, r, o = self.local(B, one), self.local(B, two), self.local(A, centre)
        radius = abs(((two - one).conjugate() * (centre - one)).imag) / abs(two - one)
        share = ((two - one).conjugate() * (centre - one)).real / abs(two - one) ** 2
        segment = 0.05 < share < 0.95 and self.rng.random() < 0.5
        name = f"touch{len(self.rows)}"
        bar = self.b.stick(f"{name}bar", self.marker(B, p), self.marker(B, r))
        if self.rng.random() < 0.5:
            of = None if A == GROUND else self.parts[A]
            circle = Circle(self.xy(o), radius * self.scale)
            bar.tangent_to(circle, of=of, segment=segment, name=name)
        else:
            bar.clear_of(self.marker(A, o), radius * self.scale, segment=segment, name=name)

        def feet(q: Values) -> tuple[Any, Any]:
            (x, y), (u, v), (s, t) = (
                self.world(q, B, p),
                self.world(q, B, r),
                self.world(q, A, o),
            )
            u, v, s, t = u - x, v - y, s - x, t - y
            size = abs(two - one)
            return (u * t - v * s) / size, (u * s + v * t) / size**2

        self.rows.append(lambda q: ((feet(q)[0] ** 2 - radius**2) / (2.0 * radius))[:, None])
        if segment:
            self.limits.append((lambda q: feet(q)[1], 0.0, 1.0, 0.0))
        self.said.append(f"touch {B}{p!r}{r!r} {A}{o!r} {radius!r} segment={segment}")

    def track(self, A: int, at: complex) -> int:
        """A point on an ellipse, a circle or a straight piece of body A."""
        kind = str(self.rng.choice(["circle", "ellipse", "segment"]))
        here = self.local(A, at)
        if kind == "segment":
            half = self.spot(1.0)
            start, end = here - half * float(self.rng.uniform(0.3, 1.0)), here + half
            P = self.point(at, Segment(self.xy(start), self.xy(end)), A)
            lean, length = cmath.phase(end - start), abs(end - start)
            self.rows.append(lambda q: self.along(q, A, start, lean, P, 0j)[1][:, None])
            measure = lambda q: self.along(q, A, start, lean, P, 0j)[0]  # noqa: E731
            self.limits.append((measure, 0.0, length, 0.0))
            self.said.append(f"track {A} {start!r} to {end!r}")
            return P
        a = self.spot(1.0)
        size = abs(a) if kind == "circle" else float(self.rng.uniform(0.3, 1.0))
        b = 1j * a / abs(a) * size
        t = float(self.rng.uniform(0.0, math.tau))
        centre = here - math.cos(t) * a - math.sin(t) * b
        shape: Any = Ellipse(self.xy(centre), self.xy(a), self.xy(b))
        if kind == "circle":
            shape = Circle(self.xy(centre), size * self.scale)
        P = self.point(at, shape, A)
        lean = cmath.phase(a)

        def rows(q: Values) -> Values:
            u, v = self.along(q, A, centre, lean, P, 0j)
            return (((u / abs(a)) ** 2 + (v / size) ** 2 - 1.0) / 2.0)[:, None]

        self.rows.append(rows)
        self.said.append(f"track {A} {kind} {centre!r} {a!r} {b!r}")
        return P

    # -- the question --------------------------------------------------------------------------

    def drawn(self) -> Array:
        """The drawing itself as (x, y, angle) of all bodies."""
        return np.array(
            [v for z, a in zip(self.at, self.lean, strict=True) for v in (z.real, z.imag, a)]
        )

    def system(self, held: dict[str, float], limits: dict[str, tuple[float, float]]) -> System:
        """Everything said so far, with measures held and limited (lengths of 1)."""
        rows = list(self.rows)
        for name, value in held.items():
            rows.append(self.kept(name, value))
        bounds = list(self.limits)
        for name, (low, high) in limits.items():
            measure, period, _ = self.measures[name]
            if not period or high - low < period:
                bounds.append((measure, low, high, period))

        def every(q: Values) -> Values:
            return np.concatenate([row(q) for row in rows], axis=1)

        is_angle = np.arange(3 * len(self.names)) % 3 == 2
        return System(every, bounds, is_angle)

    def kept(self, name: str, value: float) -> Rows:
        measure, period, _ = self.measures[name]

        def rows(q: Values) -> Values:
            off = measure(q) - value
            return (wrapped(off) if period else off)[:, None]

        return rows

    def unscaled(self, q: Array) -> Array:
        """kempe's coordinates, with lengths of 1."""
        return q / np.where(np.arange(q.shape[-1]) % 3 == 2, 1.0, self.scale)

    def scaled(self, q: Array) -> Array:
        return q * np.where(np.arange(q.shape[-1]) % 3 == 2, 1.0, self.scale)


def wrapped(angle: Any) -> Any:
    """An angle without whole turns, also of complex numbers."""
    return angle - math.tau * np.round(np.real(angle) / math.tau)


# -- mechanisms ----------------------------------------------------------------------------------


def attempt(rng: Rng) -> list[str]:
    """One mechanism with one freedom, asked for its motions, or held and asked for its places."""
    d = Drawing(rng)
    if rng.random() < 0.25:
        equal_bars(d)
    else:
        crank = d.body(d.spot(0.3))
        d.hinge(GROUND, crank, d.spot(0.4))
        for _ in range(int(rng.choice([1, 2, 3], p=[0.45, 0.45, 0.1]))):
            FAMILIES[int(rng.integers(len(FAMILIES)))](d)
    if rng.random() < 0.35:
        say_again(d)
    if rng.random() < 0.2:
        d.weld(int(rng.integers(len(d.names))), d.spot())
    return judged(d, held_somewhere(d) if rng.random() < 0.4 else {})


def two_of(d: Drawing) -> tuple[int, int]:
    """Two bodies, one of them the newest that moves."""
    last = [k for k in range(len(d.names)) if f"{d.names[k]}.angle" in d.measures][-1]
    other = int(d.rng.integers(-1, last)) if last > 0 and d.rng.random() < 0.5 else GROUND
    return last, other


def hinges(d: Drawing) -> None:
    """A dyad of three hinges."""
    A, B = two_of(d)
    P, M, Q = d.spot(), d.spot(), d.spot()
    C, D = d.body(d.spot()), d.body(d.spot())
    d.hinge(A, C, P)
    d.hinge(C, D, M)
    d.hinge(D, B, Q)


def slider(d: Drawing) -> None:
    """A rod to a slider, or to a slot, on a guide at an odd angle."""
    A, B = two_of(d)
    P, M, way = d.spot(), d.spot(), d.angle()
    C = d.body(d.spot())
    d.hinge(A, C, P)
    if d.rng.random() < 0.5:
        d.slot(B, C, M + cmath.exp(1j * way) * float(d.rng.uniform(-1, 1)), M, way)
        return
    D = d.body(d.spot())
    d.hinge(C, D, M)
    d.slide(B, D, M, M, way)


def sleeve(d: Drawing) -> None:
    """A lever that slides through a sleeve, or over a pin: a quick return, a leg."""
    A, B = two_of(d)
    P, Q = d.spot(), d.spot()
    C = d.body(d.spot())
    d.hinge(B, C, Q)
    way = cmath.phase(P - Q) if d.rng.random() < 0.5 else d.angle()
    if d.rng.random() < 0.5:
        d.slot(C, A, P - cmath.exp(1j * way) * float(d.rng.uniform(-1, 1)), P, way)
        return
    D = d.body(d.spot())
    d.hinge(A, D, P)
    d.slide(C, D, P + cmath.exp(1j * way), P, way)


def on_track(d: Drawing) -> None:
    """A point on a curve, and a rod to it."""
    A, B = two_of(d)
    P, Q = d.spot(), d.spot()
    point = d.track(B, Q)
    d.rod(A, d.local(A, P), point, 0j, abs(P - Q))


def touching(d: Drawing) -> None:
    """A bar on a hinge that touches a circle."""
    A, B = two_of(d)
    P, centre = d.spot(), d.spot()
    one, two = d.spot(), d.spot(2.0)
    if abs(one - two) < 0.4:
        return hinges(d)
    if abs(((two - one).conjugate() * (centre - one)).imag) / abs(two - one) < 0.1:
        return hinges(d)
    C = d.body(d.spot())
    d.hinge(A, C, P)
    d.tangent(B, C, one, two, centre)


def wheels(d: Drawing) -> None:
    """A wheel on a body, in mesh with a wheel that stands, turns or is another body."""
    A, B = two_of(d)
    C = d.body(d.spot())
    d.hinge(A, C, d.spot())
    teeth = tuple(int(t) for t in d.rng.choice([1, 2, 3, 4, 6], 2))
    internal = bool(d.rng.random() < 0.4) and teeth[0] != teeth[1]
    if B == GROUND or d.rng.random() < 0.5:
        sun = d.body(d.spot())
        d.hinge(GROUND, sun, d.spot())
        d.gear(sun, C, A, (teeth[0], teeth[1]), internal)
        d.rows.append(d.kept(f"{d.names[sun]}.angle", d.lean[sun]))
        d.b.hold(d.parts[sun], angle=d.lean[sun])
        d.said.append(f"held {sun}")
    else:
        d.gear(C, B, A, (teeth[0], teeth[1]), internal)


def second_crank(d: Drawing) -> None:
    """Another crank and two bars between: a five-bar with one drive held, or with wheels."""
    A = two_of(d)[0]
    crank = d.body(d.spot(0.3))
    d.hinge(GROUND, crank, d.spot())
    P, M, Q = d.spot(), d.spot(), d.spot()
    C, D = d.body(d.spot()), d.body(d.spot())
    d.hinge(A, C, P)
    d.hinge(C, D, M)
    d.hinge(D, crank, Q)
    if d.rng.random() < 0.4:
        d.gear(0, crank, GROUND, (int(d.rng.integers(1, 5)), int(d.rng.integers(1, 5))), False)
    else:
        d.held[f"{d.names[crank]}.angle"] = d.lean[crank]


FAMILIES = (hinges, hinges, slider, sleeve, on_track, touching, wheels, second_crank)


def equal_bars(d: Drawing) -> None:
    """A four-bar or crank-slider of given lengths, which may fold flat, perhaps with a dyad."""
    choice = [1.0, 2.0, 1.5, 3.0, 1.25, math.sqrt(2.0), 0.1 + 0.2, 2.0 / 3.0]
    a, b, c, g = (float(x) for x in d.rng.choice(choice, 4))
    kind = int(d.rng.integers(4))
    if kind == 0:  # a parallelogram, perhaps with a third crank
        c, g = a, b
    elif kind == 1:  # a kite
        b, g = a, c
    turn = cmath.exp(1j * d.angle())
    if kind == 3:  # in line: the rod may be as long as the crank
        b = a if d.rng.random() < 0.5 else b
        crank, rod = d.bar(a, 0j, 0.3), d.bar(b, a * cmath.exp(0.3j), 1.0)
        block = d.body(0j)
        d.hinged(GROUND, 0j, crank, 0j)
        d.hinged(crank, a + 0j, rod, 0j)
        d.hinged(rod, b + 0j, block, 0j)
        d.slide(GROUND, block, 0j, 0j, cmath.phase(turn))
        return
    crank, coupler, rocker = (d.bar(x, 0j, k) for k, x in enumerate((a, b, c)))
    d.hinged(GROUND, 0j, crank, 0j)
    d.hinged(crank, a + 0j, coupler, 0j)
    d.hinged(coupler, b + 0j, rocker, c + 0j)
    d.hinged(rocker, 0j, GROUND, g * turn)
    if kind == 0 and d.rng.random() < 0.3:
        share = float(d.rng.choice([0.5, 0.25, 1.0 / 3.0]))
        third = d.bar(a, 0j, 0.0)
        d.hinged(GROUND, share * g * turn, third, 0j)
        d.hinged(third, a + 0j, coupler, share * b + 0j)


def say_again(d: Drawing) -> None:
    """Something that follows from the drawing, exactly or but for roundings."""
    word = str(d.rng.choice(["point", "rod", "marked", "shadow", "bar", "guide", "guide"]))
    moving = [k for k in range(len(d.names)) if f"{d.names[k]}.angle" in d.measures]
    A = int(d.rng.choice(moving))
    if word == "point":
        P = d.point(0j)
        d.hinged(A, complex(0.3, 0.4), P, 0j, "again point")
        if d.rng.random() < 0.5:
            d.hinged(A, complex(0.3, 0.4), P, 0j, "again")
    elif word == "rod":
        P, at = d.point(0j), complex(0.75, 1.0) if d.rng.random() < 0.5 else d.spot()
        d.hinged(A, at, P, 0j, "marked")
        d.rod(A, 0j, P, 0j, abs(at))
    elif word == "marked":
        B = d.body(0j, 0.0)
        d.hinged(A, complex(0.5, 0.25), B, 0.5 + 0j, "marked")
        d.hinged(A, complex(-0.5, 0.25), B, -0.5 + 0j, "marked again")
    elif word == "shadow":  # a body that slides on A but is pinned to it
        B = d.body(d.at[A], d.lean[A])
        d.slide(A, B, d.at[A], d.at[A], d.lean[A] + 0.5)
        d.hinged(A, 0j, B, 0j, "pin")
    elif word == "guide" and d.guides:
        A, B, on, at, way = d.guides[int(d.rng.integers(len(d.guides)))]
        d.slot(A, B, on + cmath.exp(1j * way) * float(d.rng.choice([0.0, 0.7, -0.31])), at, way)
    else:
        say_bar_again(d)


def say_bar_again(d: Drawing) -> None:
    """A body with two hinges, as a rod between the bodies that it hangs on."""
    ends = [(B, r, A, p) for A, p, B, r in d.hinges] + list(d.hinges)
    pairs = [
        (one, two)
        for k, one in enumerate(ends)
        for two in ends[:k]
        if one[0] == two[0] != GROUND and one[2] != two[2] and abs(one[1] - two[1]) > 0.1
    ]
    if pairs:
        (_, p, A, a), (_, q, B, b) = pairs[int(d.rng.integers(len(pairs)))]
        d.rod(A, a, B, b, abs(p - q))


def held_somewhere(d: Drawing) -> dict[str, float]:
    """A measure held where it is drawn, or elsewhere."""
    names = [n for n in d.measures if not n.endswith(".x") and n not in d.held]
    name = str(d.rng.choice(names))
    measure, period, _ = d.measures[name]
    here = float(np.real(measure(d.drawn()[None]))[0])
    if d.rng.random() < 0.5:
        here = float(d.rng.uniform(-3, 3)) if period else here + float(d.rng.uniform(-0.5, 0.5))
    elif period and d.rng.random() < 0.5:
        here = math.radians(float(d.rng.choice(ANGLES)))
    return {name: here}


def limited_somewhere(d: Drawing, places: Array) -> dict[str, tuple[float, float]]:
    """Up to two measures within limits that hold one of the places."""
    limits = {}
    if len(places) and d.rng.random() < 0.5:
        q = places[int(d.rng.integers(len(places)))]
        for name in d.rng.choice(list(d.measures), int(d.rng.integers(1, 3))):
            measure, period, _ = d.measures[str(name)]
            here = float(np.real(measure(q[None]))[0])
            width = float(d.rng.uniform(0.2, 8.0 if period else 3.0))
            low = here - width * float(d.rng.uniform(0.1, 0.9))
            limits[str(name)] = (low, low + width)
    return limits


# -- judgement -----------------------------------------------------------------------------------


def judged(d: Drawing, held: dict[str, float]) -> list[str]:
    """What is wrong with kempe's answer to the question."""
    fully = bool(held)
    held = {**d.held, **held}
    places = d.system(held, {}).places(d.rng, STARTS, d.drawn())
    limits = limited_somewhere(d, places)
    system = d.system(held, limits)
    places = np.array([q for q in places if system.slack(q) > 0.0]).reshape(-1, 3 * len(d.names))
    units = {n: d.measures[n][2] for n in d.measures}
    ask: dict[str, Any] = {
        "held": {n: v * units[n] for n, v in held.items()},
        "limits": {n: (v * units[n], w * units[n]) for n, (v, w) in limits.items()},
        "effort": EFFORT,
    }
    case = f"x {d.scale:g}, {len(d.names)} bodies, {d.said}, held {held}, limits {limits}"
    mechanism = d.b.build()
    try:
        found = mechanism.assemblies(**ask) if fully else mechanism.motions(**ask)
    except kp.errors.UnsolvableKind as error:
        return refused(system, places, fully, f"{error}", case)
    except kp.errors.Unbounded:
        return []
    listed = found.states if fully else found.components
    said = f"{len(places)} places met, {found.outcome}, {len(listed)} listed: {case}: {found}"
    if fully:
        return places_judged(d, system, places, found, said)
    return motions_judged(d, system, places, found, said)


def refused(system: System, places: Array, held: bool, words: str, case: str) -> list[str]:
    """Whether a refusal is true: how much freedom the places have that were met."""
    if not len(places):
        return []
    free = [int((system.singular_values(q) < FREE).sum()) for q in places[:LOOKED_AT]]
    weak = [
        system.singular_values(q)[-1 - f] < SINGULAR for q, f in zip(places, free, strict=False)
    ]
    sure = {f for f, w in zip(free, weak, strict=True) if not w}
    asked = 0 if held else 1
    if sure == {asked}:
        return [f"refused ({words}) with {asked} free at all places: {case}"]
    return []


def places_judged(d: Drawing, system: System, places: Array, found: Any, said: str) -> list[str]:
    """Places that are not listed, listed ones that do not close, or are listed twice."""
    wrong = []
    listed = [d.unscaled(state.q) for state in found]
    for k, q in enumerate(listed):
        if system.residual(q[None])[0] > SAME or system.slack(q) < -SAME:
            wrong.append(f"listed place {k} is none ({system.residual(q[None])[0]:g}): {said}")
        if any(system.apart(q, r) < SAME for r in listed[:k]):
            wrong.append(f"listed place {k} comes twice: {said}")
    if str(found.outcome) == "certified_partial" or found.unsearched.boxes:
        return wrong
    others = np.array(listed).reshape(len(listed), places.shape[1])
    for q in places:
        regular = system.singular_values(q)[-1] > SINGULAR
        near = len(others) and float(system.apart(q, others).min()) < (SAME if regular else PLACE)
        if near or system.slack(q) < SAME or in_a_place(d, system, found, q):
            continue
        wrong.append(f"place {q.tolist()!r} is not listed: {said}")
        break
    return wrong


def in_a_place(d: Drawing, system: System, found: Any, q: Array) -> bool:
    """Whether a place lies in or by one about which nothing is promised."""
    for place in found.singular:
        near = system.apart(q, d.unscaled(place.q)) < PLACE + 2.0 * place.size
        if near or place.is_sheet:
            return True
    return False


def motions_judged(d: Drawing, system: System, places: Array, found: Any, said: str) -> list[str]:
    """Places off all components, curves on two, components of two curves, ends that are none."""
    wrong: list[str] = []
    sampled = [d.unscaled(c.sample(SAMPLE).q) for c in found.components]
    for k, q in enumerate(sampled):
        off = float(system.residual(q).max())
        out = min(system.slack(one) for one in q)
        if off > SAME or out < -SAME:
            wrong.append(f"component {k} is none (off by {off:g}, outside by {-out:g}): {said}")
    if wrong or str(found.outcome) == "certified_partial" or found.unsearched.boxes:
        return wrong
    curves: list[Curve] = []
    owners: list[int] = []
    skipped = 0  # components whose middle is no place to start from
    seeds = [q[len(q) // 2] for q in sampled] + list(places[:LOOKED_AT])
    for number, seed in enumerate(seeds):
        values = system.singular_values(seed)
        if values[-1] > FREE or values[-2] < SINGULAR or system.slack(seed) < GRAZE:
            skipped += number < len(sampled)
            continue
        if any(system.on(seed, curve) for curve in curves):
            continue
        curve = system.follow(seed)
        curves.append(curve)
        on = passed_by(d, system, found, sampled, curve, wrong, said)
        owners += on
        is_regular = not (curve.why or found.singular)
        if is_regular and len(on) > 1:
            wrong.append(f"one curve lies on components {on}, from {seed.tolist()!r}: {said}")
        elif is_regular and on and found.components[on[0]].closed != curve.closed:
            wrong.append(f"component {on[0]} is closed or not, the curve the other: {said}")
        if wrong:
            return wrong
    whole = not (skipped or found.singular or any(c.why for c in curves))
    if whole and sorted(owners) != list(range(len(sampled))):
        wrong.append(f"{len(curves)} curves, on components {owners}: {said}")
    return wrong


def passed_by(
    d: Drawing,
    system: System,
    found: Any,
    sampled: list[Array],
    curve: Curve,
    wrong: list[str],
    said: str,
) -> list[int]:
    """The components on which a curve lies; places of it that are on none are wrong."""
    on: set[int] = set()
    for q in curve.q[:: max(1, len(curve.q) // 12)]:
        if in_a_place(d, system, found, q):
            continue
        own, named = owner(system, sampled, q), found.component_of(d.scaled(q))
        if own < 0:
            wrong.append(f"no component passes {q.tolist()!r}: {said}")
            break
        on.add(own)
        if named != own and system.slack(q) > SAME:
            wrong.append(f"component_of says {named}, not {own}, of {q.tolist()!r}: {said}")
            break
    return sorted(on)


def owner(system: System, sampled: list[Array], q: Array) -> int:
    """Which component passes a place; -1 where none does."""
    far = [float(system.apart(q, s).min()) for s in sampled]
    for k in np.argsort(far):
        nearest = sampled[k][int(system.apart(q, sampled[k]).argmin())]
        if far[k] < 1.0 and system.lies_by(q, nearest):
            return int(k)
    return -1
