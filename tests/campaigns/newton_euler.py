"""Promise: reported reactions of joints, couplers and drives are those of Newton and Euler.

Oracle: numpy alone, from the reported motion and the parts' own formulas. For every body the forces
and torques add up to mass times acceleration; what a joint exerts is a combination of the gradients
of its rows, by differences; a component is marked unique just where no combination of rows that
does nothing has a part in it, by singular values.

The parts are samples of every exported joint (every kind of curve among them) and coupler, one or
two of them between the ground and two or three bodies anywhere, in the plane and in space, swept by
drives or simulated.
"""

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kempe as kp
from kempe.compile.layout.layout import Layout
from kempe.couplers import AbstractCoupler
from kempe.drives import Drive, Ramp
from kempe.equations import equations_of
from kempe.errors import KempeError
from kempe.geometry import Inertia, Marker, Pose, Rotation, Twist, Vector, X, Y, Z
from kempe.geometry.curves import AbstractCurve, Arc, BSpline, Circle, Ellipse, Helix, Line
from kempe.joints import AbstractJoint
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.placement import body_pose
from kempe.measures import Coordinate, Displacement, Gauge, Turn
from kempe.model import Body, Model
from kempe.readings.part_readings import reactions_of
from tests.laws.conftest import every

FloatArray = NDArray[np.float64]
Part = AbstractJoint | AbstractCoupler

CASES = 15
STEP = 1e-5  # of central differences of formulas whose lengths are about 1: errors of 1e-10
FINER = 1e-6  # another step, at which differences are the same where formulas are smooth
BALANCE = 1e-6  # of the largest force: those differences, times the condition of the rows
# Parts of a unit vector that a null space has: below, none; above the second, certainly some.
NOTHING, SOMETHING = 1e-6, 1e-3
CURVES: tuple[AbstractCurve, ...] = (
    Circle((0.2, -0.1), 1.3),
    Ellipse((0.1, 0.2), (1.5, 0.0), (0.0, 0.9)),
    Arc((0.0, 0.1), 1.2, -3.0, 3.0),
    Line((0.1, 0.3), (0.8, 0.6)),
    Helix((0.1, 0.0, 0.0), 0.8, 0.5, 2.0),
    BSpline(((0, 0), (1, 1), (2, 0), (3, 1), (4, -1)), weights=(1.0, 2.0, 1.0, 0.7, 1.0)),
)
WORLD = Marker("ground")


# -- a model of one or two parts ---------------------------------------------------------------


@functools.cache
def parts() -> tuple[Part, ...]:
    """Samples of every joint and coupler that kempe exports."""
    return (*every(AbstractJoint), *every(AbstractCoupler))


def kinds() -> dict[str, list[Part]]:
    """The samples by the name of their class."""
    found: dict[str, list[Part]] = {}
    for part in parts():
        found.setdefault(type(part).__name__, []).append(part)
    return found


def attempt(rng: np.random.Generator) -> list[str]:
    """One or two parts, of any kind."""
    pool = kinds()
    names = rng.choice(sorted(pool), rng.integers(1, 3)).tolist()
    return judged(rng, names) or []


def judged(rng: np.random.Generator, names: list[str]) -> list[str] | None:
    """What is wrong with the reactions of parts of these kinds, in a random place.

    None where they did not go together there, or could not be set in motion.
    """
    plane, driven = bool(rng.random() < 0.4), bool(rng.random() < 0.5)
    model = some_model(rng, names, plane)
    if model is None:
        return None
    mechanism = kp.Mechanism(model)
    turn = swept(mechanism) if driven else simulated(mechanism)
    if turn is None:
        return None
    case = f"{', '.join(names)} in {'the plane' if plane else 'space'}"
    way = "swept" if driven else "simulated"
    return [f"{fault} ({case}, {way})" for fault in faults(turn)]


def some_model(rng: np.random.Generator, names: list[str], plane: bool) -> Model | None:
    """The parts between bodies anywhere; None where the plane has no place for them."""
    bodies = [f"b{k}" for k in range(int(rng.integers(1, 4)))]
    poses = {name: pose(rng, plane) for name in bodies}
    pool = kinds()
    joints, couplers = [], []
    for k, name in enumerate(names):
        choices = pool[name]
        part = choices[int(rng.integers(len(choices)))]
        if isinstance(part, AbstractCoupler):
            couplers.append(coupled(rng, part, f"part{k}", bodies, plane))
        else:
            joints.append(joined(rng, part, f"part{k}", bodies, plane))
    held = tuple(
        Body(name, guess=poses[name], inertia=inertia(rng), spin=(0.0, 0.0, 0.3)) for name in bodies
    )
    try:
        model = Model("parts", plane, held, tuple(joints), (), tuple(couplers))
        model = dataclasses.replace(model, gravity=(0.4, -9.81, 0.0 if plane else 1.0))
        layout = Layout(model)
        q = assemble(equations_of(layout), 0.0).q
    except KempeError:
        return None  # they do not go together as they were thrown, which is another promise
    put = tuple(dataclasses.replace(b, guess=body_pose(layout, q, b.name)) for b in held)
    return dataclasses.replace(model, bodies=put)


def joined(
    rng: np.random.Generator, joint: Any, name: str, bodies: list[str], plane: bool
) -> AbstractJoint:
    """The joint between two of the bodies and the ground; bars may end on a third."""
    one, two = rng.choice([*bodies, "ground"], 2, replace=False).tolist()
    places: dict[str, Any] = {"I": marker(rng, one, plane), "J": marker(rng, two, plane)}
    others = {f.name for f in dataclasses.fields(joint)}
    if "curve" in others:
        flat = [c for c in CURVES if c.is_planar or not plane]
        places["curve"] = flat[int(rng.integers(len(flat)))]
    on = {"K": two if "curve" in others else one, "L": two}
    for end, body in on.items():
        if end in others:
            third = [b for b in bodies if b not in (one, two)]
            if third and rng.random() < 0.3 and "curve" not in others:
                body = third[0]
            places[end] = marker(rng, body, plane)
    for length in ("bar", "first", "second"):
        if length in others:
            places[length] = None  # follows from its ends
    return dataclasses.replace(joint, name=name, **places)


def coupled(
    rng: np.random.Generator, coupler: Any, name: str, bodies: list[str], plane: bool
) -> AbstractCoupler:
    """The coupler between measures of the bodies, meshing as they lie."""
    gauges = []
    for k, gauge in enumerate(coupler.gauges):
        one, two = rng.choice([*bodies, "ground"], 2, replace=False).tolist()
        measure = Turn(Z) if gauge.unit == "rad" else Displacement(X)
        ends = marker(rng, one, plane), marker(rng, two, plane)
        gauges.append(Gauge(f"{name}_{k}", measure, *ends))
    return dataclasses.replace(coupler, gauges=tuple(gauges), name=name, constant=None)


def marker(rng: np.random.Generator, body: str, plane: bool) -> Marker:
    x, y, z = rng.uniform(-0.7, 0.7, 3).tolist()
    return Marker(body, (x, y, 0.0 if plane else z), rotation(rng, plane))


def pose(rng: np.random.Generator, plane: bool) -> Pose:
    x, y, z = rng.uniform(-1.0, 1.0, 3).tolist()
    return Pose(Vector(x, y, 0.0 if plane else z), rotation(rng, plane))


def rotation(rng: np.random.Generator, plane: bool) -> Rotation:
    if plane:
        return Rotation.planar(float(rng.uniform(-3.0, 3.0)))
    e = rng.normal(size=4)
    return Rotation.from_quaternion((e / np.linalg.norm(e)).tolist())


def inertia(rng: np.random.Generator) -> Inertia:
    masses, places = rng.uniform(0.2, 1.0, 5), rng.uniform(-0.5, 0.5, (5, 3))
    centre = masses @ places / masses.sum()
    off = places - centre
    tensor = sum(m * (d @ d * np.eye(3) - np.outer(d, d)) for m, d in zip(masses, off, strict=True))
    return Inertia(float(masses.sum()), centre, np.asarray(tensor))


def simulated(mechanism: kp.Mechanism) -> Any:
    """A moment of it under its weight; None where it has none."""
    try:
        turn = mechanism.simulate(until=1e-3, steps=2)
    except KempeError:
        return None
    return turn if len(turn) else None


def swept(mechanism: kp.Mechanism) -> Any:
    """A moment of it with coordinates of bodies driven, as many as it takes."""
    model = mechanism.model
    candidates = list(coordinates(model))
    layout = mechanism.layout
    q = np.concatenate([layout.chart.coordinates(b.guess) for b in model.moving])
    own = layout.own_guess({b.name: b.guess for b in model.moving})
    held = gradients(layout, np.concatenate([q, own]), layout.elements)
    rows = np.concatenate([G for _, G in held]) if held else np.zeros((0, layout.n_v))
    drives: list[Drive] = []
    rank = np.linalg.matrix_rank(rows, NOTHING)
    for gauge in candidates:
        drive = Drive(gauge, Ramp(0.0, 0.1, 0.2))
        tried = Model("trial", model.plane, model.bodies, (), (drive,))
        row = gradients(type(layout)(tried), q, type(layout)(tried).elements)[0][1]
        row = np.concatenate([row, np.zeros((1, len(own)))], axis=1)
        longer = np.concatenate([rows, row])
        if np.linalg.matrix_rank(longer, SOMETHING) > rank:
            X = [frame(model, m) for m in (gauge.I, gauge.J)]
            start = gauge.measure.number(*X)
            drives.append(Drive(gauge, Ramp(start, 0.1, 0.2)))
            rows, rank = longer, rank + 1
    if not drives:
        return None
    try:
        turn = kp.Mechanism(dataclasses.replace(model, drives=tuple(drives))).kinematics(1e-3, 2)
    except KempeError:
        return None  # singular as thrown, or too near to it
    return turn if len(turn) else None


def frame(model: Model, m: Marker) -> Pose:
    guess = Pose.identity() if m.body == "ground" else model.body(m.body).guess
    assert guess is not None
    return guess @ m.pose


def coordinates(model: Model) -> Iterator[Gauge]:
    for body in model.moving:
        here = Marker(body.name)
        for axis in (X, Y) if model.plane else (X, Y, Z):
            yield Gauge(f"{body.name}.{axis.name.lower()}", Coordinate(axis), WORLD, here)
        for axis in (Z,) if model.plane else (Z, X, Y):
            yield Gauge(f"{body.name}.turn_{axis.name.lower()}", Turn(axis), WORLD, here)


# -- the oracle --------------------------------------------------------------------------------


def body_poses(layout: Any, q: FloatArray) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Place and axes (as columns) of every body, the ground among them."""
    found = {"ground": (np.zeros(3), np.eye(3))}
    n = 3 if layout.model.plane else 7
    for k, body in enumerate(layout.model.moving):
        mine = q[k * n : (k + 1) * n]
        if layout.model.plane:
            c, s = np.cos(mine[2]), np.sin(mine[2])
            found[body.name] = (
                np.array([mine[0], mine[1], 0.0]),
                np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]),
            )
        else:
            w, x, y, z = mine[3:]
            R = [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
            found[body.name] = (mine[:3].copy(), np.array(R))
    return found


def formula(element: Any, X: list[Pose], own: list[float], t: float) -> FloatArray:
    """The rows of an element as numbers, angles between -pi and pi."""
    readings = element.rows([*X, *own], iter(element.numbers), t, lambda value, _: value)
    return np.array([float(row) for row in readings])


def gradients(
    layout: Any, q: FloatArray, elements: Any, step: float = STEP
) -> list[tuple[Any, FloatArray]]:
    """d phi / d (displacement, turn about the world's origin) of bodies, then own unknowns.

    In the plane the columns of a body are x, y and the turn about z.
    """
    model = layout.model
    poses = body_poses(layout, q)
    n_q, moving = (3 if model.plane else 7), [b.name for b in model.moving]
    own = q[n_q * len(moving) :]
    ways = [0, 1, 5] if model.plane else list(range(6))
    found, used = [], 0
    for element in elements:
        mine = own[used : used + len(element.unknowns)].tolist()
        columns = []
        for body in moving:
            for way in ways:
                ends = [
                    formula(element, moved(element, poses, body, way, h), mine, 0.0)
                    for h in (step, -step)
                ]
                columns.append((ends[0] - ends[1]) / (2.0 * step))
        for k in range(len(own)):
            if not used <= k < used + len(mine):
                columns.append(0.0 * columns[0])
                continue
            ends = []
            for h in (step, -step):
                there = [*mine]
                there[k - used] += h
                ends.append(formula(element, moved(element, poses, "", 0, 0.0), there, 0.0))
            columns.append((ends[0] - ends[1]) / (2.0 * step))
        used += len(mine)
        joint = getattr(element, "joint", None)
        rolling = joint is not None and bool(joint.velocity_units)
        rows = np.array(columns).T
        if rolling:
            along = [velocities(joint, poses, body, way, mine) for body in moving for way in ways]
            along += [np.zeros(len(joint.velocity_units))] * len(own)
            rows = np.vstack([rows, np.array(along).T])
        found.append((element, rows))
    return found


def velocities(joint: Any, poses: Any, body: str, way: int, own: list[float]) -> FloatArray:
    """The rows of velocities of a joint, one body moving at a unit rate, the others at rest."""
    e, still = np.eye(3)[way % 3], Vector(0.0, 0.0, 0.0)
    rates = []
    for twisted in (True, False):
        seen: list[Any] = []
        for m, X_WM in zip(joint.markers, moved(joint, poses, "", 0, 0.0), strict=True):
            v, w = (e, 0 * e) if way < 3 else (np.cross(e, np.array([*X_WM.position])), e)
            moves = twisted and m.body == body
            seen += [X_WM, Twist(Vector(*v), Vector(*w)) if moves else Twist(still, still)]
        rates.append(np.array([float(row) for row in joint.psi(*seen, *own)]))
    return rates[0] - rates[1]


def moved(element: Any, poses: Any, body: str, way: int, h: float) -> list[Pose]:
    """Frames of an element's markers, one body displaced or turned about the world's origin."""
    found = []
    for m in element.markers:
        p, R = poses[m.body]
        if m.body == body and way < 3:
            p = p + h * np.eye(3)[way]
        elif m.body == body:
            turn = np.array(Rotation.about(tuple(np.eye(3)[way - 3]), h).matrix(), dtype=float)
            p, R = turn @ p, turn @ R
        place = Vector(*(float(c) for c in p))
        axes = Rotation.from_matrix(R)
        found.append(Pose(place, axes) @ m.pose)
    return found


def faults(turn: Any) -> list[str]:
    """What Newton, Euler and the formulas say against the reported reactions."""
    layout, motion = turn.layout, turn.motion
    found = reactions_of(layout, motion)
    wrong: list[str] = []
    for k in sorted({0, len(motion) - 1}):
        wrong += _faults_at(layout, motion, found, k)
    return wrong[:3]


def _faults_at(layout: Any, motion: Any, found: Any, k: int) -> list[str]:
    model = layout.model
    moving = [b.name for b in model.moving]
    n = 3 if model.plane else 6
    ways = [0, 1, 5] if model.plane else list(range(6))
    held = gradients(layout, motion.q[k], layout.elements)
    J = np.concatenate([G for _, G in held])
    if not np.isfinite(J).all() or np.abs(J).max(initial=0.0) > 1e3:
        return []  # a formula near where it is not defined: differences say nothing
    finer = np.concatenate([G for _, G in gradients(layout, motion.q[k], layout.elements, FINER)])
    if np.abs(finer - J).max(initial=0.0) > BALANCE:
        return []  # a spline's knot lies within the step, where its rows have a kink
    sigma = np.linalg.svd(J, compute_uv=False)
    if ((sigma > NOTHING) & (sigma < SOMETHING)).any():
        return []  # too near to a singular position for differences
    null = null_space(J.T)
    poses = body_poses(layout, motion.q[k])
    total = {name: np.zeros(6) for name in moving}
    scale, wrong, place = 0.0, [], 0
    for element, G in held:
        rows = slice(place, place + len(G))
        place += len(G)
        idle = null[:, rows]
        joint = next((j for j in model.joints if j.name == element.name), None)
        if joint is None:
            drives = {d.gauge.name for d in model.drives}
            name = element.name
            if name in drives:
                values, unique = found.of_drive(name)
            else:
                values, unique = found.of_coupler(name)
            acts = G[0] * values[k]
            scale = max(scale, float(np.abs(acts).max()))
            for b, body in enumerate(moving):
                total[body][ways] += acts[b * n : (b + 1) * n]
            free = float(np.abs(idle).max(initial=0.0))
            if unique and free > SOMETHING:
                wrong.append(f"the effort of {name!r} is marked unique and is not")
            continue
        acts = np.zeros(J.shape[1])
        arm = poses[joint.J.body][0] + poses[joint.J.body][1] @ np.array(joint.J.position)
        for body in sorted({m.body for m in joint.markers}):
            said = found.of_joint(joint.name, on=body)
            w = np.zeros(6)
            if model.plane:
                w[[0, 1, 5]] = *said.force[k], *said.torque[k]
            else:
                w[:] = *said.force[k], *said.torque[k]
            w[3:] += np.cross(arm, w[:3])
            if body in total:
                b = moving.index(body)
                own = slice(b * n, (b + 1) * n)
                total[body] += w
                acts[own] = w[ways]
                marks = said.determined[k]
                wrong += _wrongly_marked(joint.name, body, marks, idle @ G[:, own], arm, ways)
        scale = max(scale, float(np.abs(acts).max()))
        lam = np.linalg.lstsq(G.T, acts, rcond=None)[0]
        left = float(np.abs(G.T @ lam - acts).max(initial=0.0))
        if left > BALANCE * max(1.0, float(np.abs(acts).max())):
            wrong.append(f"{joint.name!r} exerts what its rows cannot: {left:.3g} is left")
    for b, body in enumerate(model.moving):
        need = _needed(layout, motion, k, b, poses[body.name])
        off = np.abs(total[body.name] - need)[ways]
        if off.max() > BALANCE * max(1.0, scale, float(np.abs(need).max())):
            wrong.append(
                f"on {body.name!r} forces and torques are off by {off.max():.3g} of"
                f" {max(scale, float(np.abs(need).max())):.3g} from Newton and Euler"
            )
    return wrong


def _wrongly_marked(
    name: str, body: str, determined: Any, idle: FloatArray, arm: FloatArray, ways: list[int]
) -> list[str]:
    """Marks of a joint's components that combinations doing nothing, (k, n) on a body, refute."""
    if not len(idle):
        free = np.zeros(6)
    else:
        w = np.zeros((len(idle), 6))
        w[:, ways] = idle
        w[:, 3:] -= np.cross(arm, w[:, :3])  # about the marker again
        free = np.abs(w).max(axis=0)
    wrong = []
    for part, is_unique in zip(free[ways], determined, strict=True):
        if is_unique and part > SOMETHING:
            wrong.append(f"a component of {name!r} on {body!r} is marked unique and is not")
        if not is_unique and part < NOTHING:
            wrong.append(f"a component of {name!r} on {body!r} is unique and not marked so")
    return wrong


def null_space(A: FloatArray) -> FloatArray:
    """Unit vectors x, one a row, with A x = 0."""
    _, sigma, Vt = np.linalg.svd(A)
    return np.asarray(Vt[int((sigma > NOTHING).sum()) :])


def _needed(layout: Any, motion: Any, k: int, b: int, X: tuple[FloatArray, FloatArray]) -> Any:
    """Force and torque about the world's origin that joints and drives must exert on a body."""
    body = layout.model.moving[b]
    n = 3 if layout.model.plane else 6
    v, a = (s[k, b * n : (b + 1) * n] for s in (motion.v, motion.a))
    p, R = X
    if layout.model.plane:
        w, alpha, origin = np.array([0, 0, v[2]]), np.array([0, 0, a[2]]), np.array([*a[:2], 0.0])
    else:
        w, alpha, origin = R @ v[3:], R @ a[3:], a[:3]
    arm = R @ np.asarray(body.inertia.centre)
    centre = origin + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
    force = body.inertia.mass * (centre - np.array(layout.model.gravity))
    tensor = R @ body.inertia.tensor @ R.T
    torque = tensor @ alpha + np.cross(w, tensor @ w) + np.cross(p + arm, force)
    return np.concatenate([force, torque])
