"""Promise: bars, faces, rims and round bodies that touch a surface in space move by mechanics.

One free body, held on the ground by one joint: a bar or a face that touches a sphere, a cylinder,
a ring or an ellipsoid or keeps a distance, a rim on a plane or a ball, rings, ellipsoids, cylinders
and balls on each other, points beside curves and bars. Places, turns, and what the joint exerts.

Oracle: each of these contacts is one equation phi(pose) = 0 that is written here by hand, from
distances and support functions; Newton and Euler with its gradient by SciPy.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation as Turn

import kempe as kp
from kempe import joints
from kempe.geometry import curves, surfaces

Array = NDArray[np.float64]
Condition = Callable[[Any, Any], Any]  # of the origin and the axes of the body

CASES = 6
REMEMBERED = (81000028,)  # a bar that was put on its surface exactly
SAMPLES = 12
G = np.array([0.3, -0.4, -9.0])
TIGHT = 1e-10
NEAR = 3e-6  # of a size of 1, in runs of about a second
FORCE = 3e-5  # of the largest force
FAR = 3.0  # sizes of the body: of a lever on which a joint acts
METHODS = ("auto", "dop853", "tsit5", "rodas5p")


class Contact(NamedTuple):
    """A joint by name, and its equation by hand."""

    name: str
    joint: Callable[[Any, Any], Any]  # of the builder and the body
    phi: Condition


def unit(v: Any) -> Any:
    """A vector of length 1, of complex numbers too."""
    return v / length(v)


def length(v: Any) -> Any:
    """Of complex numbers too, so that a step along i derives it."""
    return np.sqrt(v @ v)


def line_and_quadric(p: Any, d: Any, c: Array, A: Array) -> Any:
    """The discriminant of (x - c) A (x - c) = 1 along the line p + s d: 0 where it touches."""
    m = p - c
    return (d @ A @ m) ** 2 - (d @ A @ d) * (m @ A @ m - 1.0)


def ring_gap(p: Any, c: Array, a: Any, R: float) -> Any:
    """How far a point is from a circle of radius R about c, square to a."""
    d = p - c
    h = d @ a
    rho = np.sqrt(d @ d - h * h)
    return np.sqrt((rho - R) ** 2 + h * h)


def tuple_of(v: Any) -> tuple[float, ...]:
    """Plain floats."""
    return tuple(float(x) for x in v)


def contacts(rng: np.random.Generator) -> list[Contact]:
    """One of every kind, with random numbers."""
    c = rng.uniform(-0.3, 0.3, 3)
    a = rng.normal(size=3)
    a /= np.linalg.norm(a)
    b = np.cross(a, [0.3, 0.5, -0.8])
    b /= np.linalg.norm(b)
    R, r, off = rng.uniform(0.6, 1.0), rng.uniform(0.15, 0.35), rng.uniform(0.05, 0.3)
    pJ, pK, pL = (rng.uniform(-0.6, 0.6, 3) for _ in range(3))
    pK = pJ + 1.2 * unit(pK - pJ)
    C = tuple_of(c)
    sphere = surfaces.SphereSurface(C, float(R))
    tube = surfaces.CylinderSurface(C, float(R), tuple_of(a))
    torus = surfaces.TorusSurface(C, float(R), float(r), tuple_of(a))
    plane = surfaces.PlaneSurface(C, tuple_of(a))
    long = float(rng.uniform(0.5, 1.4))
    egg = surfaces.RevolutionSurface(
        curves.Ellipse(C, tuple_of(R * b), tuple_of(long * a)), C, tuple_of(a)
    )
    A = (np.eye(3) - np.outer(a, a)) / R**2 + np.outer(a, a) / long**2

    def ground(m: Any) -> Any:
        return m.ground.at(0, 0, 0)

    def bar(kind: Any, **more: Any) -> Any:
        return lambda m, body: kind(ground(m), body.at(*pJ), K=body.at(*pK), **more)

    def face(**more: Any) -> Any:
        return lambda m, body: joints.FaceOnSurface(
            ground(m), body.at(*pJ), K=body.at(*pK), L=body.at(*pL), **more
        )

    def rim(surface: Any, curve: Any) -> Any:
        return lambda m, body: joints.CurveOnSurface(
            ground(m), body.at(*pJ), surface=surface, other=curve
        )

    def both(surface: Any, other: Any, **more: Any) -> Any:
        return lambda m, body: joints.SurfaceOnSurface(
            ground(m), body.at(*pJ), surface=surface, other=other, **more
        )

    def ends(x: Any, Q: Any) -> tuple[Any, Any]:
        return x + Q @ pJ, unit(Q @ (pK - pJ))

    def normal(Q: Any) -> Any:
        return unit(np.cross(Q @ (pK - pJ), Q @ (pL - pJ)))

    def from_line(x: Any, Q: Any) -> Any:
        p, d = ends(x, Q)
        return length(np.cross(p - c, d))

    def crossed(x: Any, Q: Any) -> Any:
        p, d = ends(x, Q)
        n = unit(np.cross(d, a))
        return np.sqrt(((p - c) @ n) ** 2)

    def to_face(x: Any, Q: Any) -> Any:
        n = normal(Q)
        return np.sqrt((n @ (x + Q @ pJ - c)) ** 2)

    def leaning(n: Any, e: Any) -> Any:
        return np.sqrt(1.0 - (n @ e) ** 2)

    e1 = np.array([0.0, 0.0, 1.0])
    at = pJ
    circle = curves.Circle((0.0, 0.0, 0.0), float(R))
    oval = curves.Ellipse((0, 0, 0), (float(R), 0, 0), (0, float(long), 0))
    small = surfaces.SphereSurface((0, 0, 0), float(r) * 0.6)
    own_ring = surfaces.TorusSurface((0, 0, 0), float(R), float(r))
    own_egg = surfaces.RevolutionSurface(
        curves.Ellipse((0, 0, 0), (float(R), 0, 0), (0, 0, long)), (0, 0, 0)
    )
    own_tube = surfaces.CylinderSurface((0, 0, 0), float(r))
    s = float(r) * 0.6
    made = [
        Contact(
            "bar on sphere",
            bar(joints.BarOnSurface, surface=sphere),
            lambda x, Q: from_line(x, Q) - R,
        ),
        Contact(
            "bar off sphere",
            bar(joints.BarOffSurface, surface=sphere, length=float(off)),
            lambda x, Q: from_line(x, Q) - R - off,
        ),
        Contact(
            "bar in sphere",
            bar(joints.BarOffSurface, surface=sphere, length=float(-off)),
            lambda x, Q: from_line(x, Q) - R + off,
        ),
        Contact(
            "bar on cylinder",
            bar(joints.BarOnSurface, surface=tube),
            lambda x, Q: crossed(x, Q) - R,
        ),
        Contact(
            "bar off cylinder",
            bar(joints.BarOffSurface, surface=tube, length=float(off)),
            lambda x, Q: crossed(x, Q) - R - off,
        ),
        Contact(
            "bar on egg",
            bar(joints.BarOnSurface, surface=egg),
            lambda x, Q: line_and_quadric(*ends(x, Q), c, A),
        ),
        Contact("face on sphere", face(surface=sphere), lambda x, Q: to_face(x, Q) - R),
        Contact(
            "face off sphere",
            face(surface=sphere, length=float(off)),
            lambda x, Q: to_face(x, Q) - R - off,
        ),
        Contact(
            "face on ring",
            face(surface=torus),
            lambda x, Q: to_face(x, Q) - r - R * leaning(normal(Q), a),
        ),
        Contact(
            "face off ring",
            face(surface=torus, length=float(off)),
            lambda x, Q: to_face(x, Q) - r - off - R * leaning(normal(Q), a),
        ),
        Contact(
            "face on egg",
            face(surface=egg),
            lambda x, Q: (
                to_face(x, Q)
                - np.sqrt(R**2 * leaning(normal(Q), a) ** 2 + long**2 * (normal(Q) @ a) ** 2)
            ),
        ),
        Contact(
            "rim on plane",
            rim(plane, circle),
            lambda x, Q: (x + Q @ at - c) @ a - R * leaning(Q @ e1, a),
        ),
        Contact(
            "oval on plane",
            rim(plane, oval),
            lambda x, Q: (
                (x + Q @ at - c) @ a
                - np.sqrt((R * (Q[:, 0] @ a)) ** 2 + (long * (Q[:, 1] @ a)) ** 2)
            ),
        ),
        Contact(
            "rim on sphere",
            rim(surfaces.SphereSurface(C, float(r)), circle),
            lambda x, Q: ring_gap(Q.T @ (c - x) - at, np.zeros(3), e1, R) - r,
        ),
        Contact(
            "ring on plane",
            both(plane, own_ring),
            lambda x, Q: (x + Q @ at - c) @ a - r - R * leaning(Q @ e1, a),
        ),
        Contact(
            "egg on plane",
            both(plane, own_egg),
            lambda x, Q: (
                (x + Q @ at - c) @ a
                - np.sqrt(R**2 * leaning(Q @ e1, a) ** 2 + (long * (Q[:, 2] @ a)) ** 2)
            ),
        ),
        Contact(
            "ball on ring",
            both(torus, small),
            lambda x, Q: ring_gap(x + Q @ at, c, a, R) - r - s,
        ),
        Contact(
            "ball in ring",
            both(torus, small, inside=True),
            lambda x, Q: ring_gap(x + Q @ at, c, a, R) - r + s,
        ),
        Contact(
            "ring on ball",
            both(surfaces.SphereSurface(C, s), own_ring),
            lambda x, Q: ring_gap(Q.T @ (c - x) - at, np.zeros(3), e1, R) - r - s,
        ),
        Contact(
            "crossed cylinders",
            both(tube, own_tube),
            lambda x, Q: np.sqrt(((x + Q @ at - c) @ unit(np.cross(Q @ e1, a))) ** 2) - R - r,
        ),
        Contact(
            "point from circle",
            lambda m, body: joints.PointFromCurve(
                ground(m),
                body.at(*pJ),
                curve=curves.Circle(C, float(R), tuple_of(a)),
                length=float(off),
            ),
            lambda x, Q: ring_gap(x + Q @ pJ, c, a, R) - off,
        ),
        Contact(
            "bar and plane",
            lambda m, body: joints.BarPlaneAngle(
                ground(m), body.at(*pJ), K=body.at(*pK), angle=float(off)
            ),
            lambda x, Q: unit(Q @ (pK - pJ))[2] - np.sin(off),
        ),
        Contact(
            "point from bar",
            lambda m, body: joints.PointFromBar(
                m.ground.at(*c), body.at(*pJ), K=m.ground.at(*(c + a)), length=float(R)
            ),
            lambda x, Q: length(np.cross(x + Q @ pJ - c, a)) - R,
        ),
    ]
    return made


def turned(Q: Any, w: Any) -> Any:
    """Q exp(w), to second order in complex w; only steps of 1e-20 are taken along i."""
    skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return Q @ (np.eye(3) + skew)


def gradient(phi: Condition, x: Array, Q: Array) -> Array:
    """By steps along i: (6,), along the world's axes and turns about the body's."""
    h, grad = 1e-20, np.zeros(6)
    for k in range(3):
        step = np.zeros(3, complex)
        step[k] = 1j * h
        grad[k] = np.imag(phi(x + step, Q + 0j)) / h
        grad[3 + k] = np.imag(phi(x + 0j, turned(Q + 0j, step))) / h
    return grad


def curvature(phi: Condition, x: Array, Q: Array, v: Array, w: Array) -> float:
    """The second derivative of phi along x + v s, Q exp(w s)."""

    def rate(s: float) -> float:
        return float(
            gradient(phi, x + s * v, Q @ Turn.from_rotvec(s * w).as_matrix()) @ np.r_[v, w]
        )

    h = 2e-5 / (1.0 + np.linalg.norm(v) + np.linalg.norm(w))
    return (8.0 * (rate(h) - rate(-h)) - (rate(2 * h) - rate(-2 * h))) / (12.0 * h)


def accelerations(body: kp.Inertia, phi: Condition, y: Array) -> tuple[Array, Array]:
    """(6,) accelerations of the origin and of the spin, and the force of the joint (6,)."""
    x, Q, v, w = y[:3], y[3:12].reshape(3, 3), y[12:15], y[15:]
    m, c = body.mass, np.array(tuple_of(body.centre))
    tensor = np.array(body.tensor)
    cross = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    M = np.zeros((6, 6))
    M[:3, :3] = m * np.eye(3)
    M[:3, 3:] = -m * Q @ cross
    M[3:, :3] = M[:3, 3:].T
    M[3:, 3:] = tensor - m * cross @ cross
    still = np.r_[m * Q @ np.cross(w, np.cross(w, c)), np.cross(w, M[3:, 3:] @ w)]
    load = np.r_[m * G, np.cross(c, Q.T @ (m * G))] - still
    J = gradient(phi, x, Q)
    free = np.linalg.solve(M, load)
    along = np.linalg.solve(M, J)
    lam = -(J @ free + curvature(phi, x, Q, v, w)) / (J @ along)
    return free + lam * along, lam * J


def moved(body: kp.Inertia, phi: Condition, y0: Array, times: Array) -> Array:
    """(n, 18) x, Q, v, w at the times."""

    def rates(_: float, y: Array) -> Array:
        Q, w = y[3:12].reshape(3, 3), y[15:]
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.r_[y[12:15], (Q @ skew).ravel(), accelerations(body, phi, y)[0]]

    done = solve_ivp(rates, (0, times[-1]), y0, "DOP853", times, rtol=1e-11, atol=1e-12)
    assert done.success
    return np.asarray(done.y.T)


def placed(rng: np.random.Generator, phi: Condition) -> tuple[Array, Array] | None:
    """A place and axes where phi is 0, by Newton's steps in the place; None where it fails."""
    Q = Turn.random(random_state=int(rng.integers(2**31))).as_matrix()
    x = rng.normal(size=3)
    for _ in range(60):
        value = float(np.real(phi(x + 0j, Q + 0j)))
        g = gradient(phi, x, Q)[:3]
        if not np.isfinite(value) or not np.isfinite(g).all():
            return None
        if abs(value) < 1e-13:
            return x, Q
        if g @ g < 1e-8:  # an equation of the turn alone
            g = gradient(phi, x, Q)[3:]
            Q = Q @ Turn.from_rotvec(-value * g / (g @ g)).as_matrix()
        else:
            x = x - value * g / (g @ g)
    return None


def attempt(rng: np.random.Generator) -> list[str]:
    """What is wrong with one body on one surface."""
    some = contacts(rng)
    contact = some[int(rng.integers(len(some)))]
    start = placed(rng, contact.phi)
    if start is None:
        return []
    x, Q = start
    spread = rng.uniform(0.05, 0.2, 3)
    tensor = np.diag([spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]])
    body = kp.Inertia(float(rng.uniform(0.5, 3.0)), tuple_of(rng.uniform(-0.2, 0.2, 3)), tensor)
    J = gradient(contact.phi, x, Q)
    speed = rng.normal(size=6)
    speed -= J * (J @ speed) / (J @ J)
    m = kp.Builder("body on a surface", gravity=tuple_of(G))
    b = m.body(
        "b",
        at=tuple_of(x),
        rotation=kp.Rotation.from_matrix(Q),
        inertia=body,
        velocity=tuple_of(speed[:3]),
        spin=tuple_of(Q @ speed[3:]),
    )
    m.add(contact.joint(m, b), "touch")
    method = str(rng.choice(METHODS))
    case = f"{contact.name} by {method}"
    run = m.build().simulate(until=0.6, steps=SAMPLES, method=method, tolerance=TIGHT)
    y0 = np.r_[x, Q.ravel(), speed]
    return [f"{fault}: {case}" for fault in judged(run, body, contact.phi, y0)]


def is_far(phi: Condition, run: Any) -> bool:
    """Whether a run ended with a bar nearly parallel to a cylinder, which then touch nowhere."""
    last = run.state(len(run.t) - 1).pose("b")
    x, Q = np.array(tuple_of(last.position)), np.array(last.rotation.matrix())
    grad = gradient(phi, x, Q)
    return bool(np.linalg.norm(grad[3:]) > FAR * np.linalg.norm(grad[:3]))


def judged(run: Any, body: kp.Inertia, phi: Condition, y0: Array) -> list[str]:
    """Places, turns and the joint's force against the oracle."""
    wrong = []
    if len(run.t) < SAMPLES + 1 and not is_far(phi, run):
        wrong.append(f"outcome {run.outcome} at {run.t[-1]}")
        if len(run.t) < 2:
            return wrong
    if len(run.t) < 2:
        return wrong
    if run.notes:
        wrong.append(f"notes {run.notes}")
    true = moved(body, phi, y0, np.asarray(run.t))
    forces = np.array([accelerations(body, phi, y)[1] for y in true])
    off = np.abs(run["b"].position - true[:, :3]).max()
    size = 1.0 + np.abs(true[:, :3]).max()
    if off > NEAR * size:
        wrong.append(f"the place is off by {off}")
    axes = np.array([run.state(k).pose("b").rotation.matrix() for k in range(len(run.t))])
    off = np.abs(axes - true[:, 3:12].reshape(-1, 3, 3)).max()
    if off > 2 * NEAR:
        wrong.append(f"the turn is off by {off}")
    off = np.abs(run["touch.force"].values - forces[:, :3]).max()
    most = np.abs(forces[:, :3]).max() + 1.0
    if off > FORCE * most:
        wrong.append(f"the force is off by {off} of {most}")
    return wrong
