"""Closed forms of loops in space with one freedom: how many pieces, how far cranks turn."""

import math

import numpy as np

import kempe
from kempe.geometry import GROUND, Marker, Pose, Rotation, Vector
from kempe.joints import Cylindrical, Revolute, Rod, Spherical, Universal
from tests.motion._machines_in_space import random_turn

TOUCHING = 1e-3  # of what a loop has to spare: nearer, pieces nearly meet


def rssr(crank, rocker, rod, at, turn):
    """A crank about z, a rocker about z of a frame (at, turn), and a rod between their ends."""
    m = kempe.Builder("RSSR")
    first = m.body("crank", points={"start": (0, 0, 0), "end": (float(crank), 0, 0)})
    second = m.body("rocker", points={"start": (0, 0, 0), "end": (float(rocker), 0, 0)})
    m.revolute(Marker(GROUND), first.start, name="first")
    base = Marker(GROUND, tuple(map(float, at)), Rotation.from_matrix(turn))
    m.revolute(base, second.start, name="second")
    m.add(Rod(first.end, second.end, length=float(rod)), "rod")
    return m.build()


def four_bar(crank, rocker, coupler, ground, turn):
    """A planar four-bar of hinges whose plane is turned in space."""
    m = kempe.Builder("four-bar in space")
    R = Rotation.from_matrix(turn)
    far = Marker(GROUND, tuple(map(float, turn @ np.array([ground, 0.0, 0.0]))), R)
    lengths = {"crank": crank, "coupler": coupler, "rocker": rocker}
    bodies = [
        m.body(name, points={"start": (0, 0, 0), "end": (float(length), 0, 0)})
        for name, length in lengths.items()
    ]
    m.revolute(Marker(GROUND, rotation=R), bodies[0].start, name="first")
    m.revolute(bodies[0].end, bodies[1].start, name="second")
    m.revolute(bodies[2].end, bodies[1].end, name="third")
    m.revolute(far, bodies[2].start, name="fourth")
    return m.build()


def pieces(spare):
    """Where a function of an angle, given at equal steps over a turn, is positive: arcs (a, b).

    A whole turn is the one arc (-inf, inf). None where it comes so near to zero, without crossing
    it, that steps do not tell.
    """
    k = len(spare)
    angles = math.tau * np.arange(k) / k
    size = np.abs(spare).max()
    turns_back = (spare - np.roll(spare, 1)) * (np.roll(spare, -1) - spare) <= 0.0
    if (np.abs(spare[turns_back]) < TOUCHING * size).any():
        return None
    if (spare > 0).all():
        return [(-math.inf, math.inf)]
    begins = np.flatnonzero((spare > 0) & (np.roll(spare, 1) <= 0))
    found = []
    for k0 in begins:
        k1 = k0
        while spare[(k1 + 1) % k] > 0:
            k1 += 1
        found.append((_root(spare, angles, k0 - 1), _root(spare, angles, k1)))
    return found


def _root(spare, angles, before):
    """The angle between two steps at which the function vanishes, counted on from `before`."""
    k = len(spare)
    a, b = spare[before % k], spare[(before + 1) % k]
    return math.tau / k * (before + a / (a - b))


def turn_of_crank(sides):
    """What a spherical four-bar has to spare at every angle of its crank.

    Sides are the arcs (rad) of crank, coupler, rocker and base. The end of the crank is at the arc
    e from the rocker's axis, and the triangle of e, coupler and rocker closes where

        cos(coupler + rocker) < cos e < cos(coupler - rocker).
    """
    crank, coupler, rocker, base = sides
    angles = math.tau * np.arange(20_000) / 20_000
    # with the base turned by -base about x and the crank's end by +crank, they lie opposite at 0
    cosine = math.cos(crank) * math.cos(base) - math.sin(crank) * math.sin(base) * np.cos(angles)
    above, below = math.cos(coupler - rocker) - cosine, cosine - math.cos(coupler + rocker)
    return above * below


def turn_of_rssr(crank, rocker, rod, at, turn):
    """What an RSSR has to spare at every angle t of its crank: A^2 + B^2 - C^2.

    The rocker's angle b fulfils A cos b + B sin b = C, with A, B and C linear in cos t and sin t.
    """
    angles = math.tau * np.arange(20_000) / 20_000
    ends = crank * np.column_stack([np.cos(angles), np.sin(angles), 0.0 * angles])
    d = at - ends
    A, B = 2.0 * rocker * (d @ turn[:, 0]), 2.0 * rocker * (d @ turn[:, 1])
    C = rod**2 - rocker**2 - (d * d).sum(axis=1)
    return A**2 + B**2 - C**2


def loops(arcs):
    """How many loops stand over arcs of an angle that has two positions each: two over a turn."""
    return 2 if arcs == [(-math.inf, math.inf)] else len(arcs)


def ranges(mechanism, found, measure, step=0.01):
    """The least and the greatest angle on every component, whole turns as (-inf, inf)."""
    made = []
    for component in found.components:
        angle = mechanism.follow(component, step)[measure].values
        if component.closed and abs(angle[-1] - angle[0]) > math.pi:
            made.append((-math.inf, math.inf))
        else:
            made.append((angle.min(), angle.max()))
    return made


def unlike(some, others, near):
    """What of two lists of ranges has no partner in the other, whole turns apart or not."""
    left, missing = list(others), []
    for a in some:
        fits = [b for b in left if _same(a, b, near)]
        if fits:
            left.remove(fits[0])
        else:
            missing.append(a)
    return missing + left


def _same(a, b, near):
    if math.isinf(a[0]) or math.isinf(b[0]):
        return a == b
    turns = round((a[0] - b[0]) / math.tau) * math.tau
    return abs(a[0] - b[0] - turns) < near and abs(a[1] - b[1] - turns) < near


def spherical_grashof(sides):
    """Whether one link of a spherical four-bar can turn round against its neighbours.

    For arcs that add up to less than a whole turn: the shortest and the longest together are
    shorter than the other two, as in the plane.
    """
    arcs = sorted(sides)
    return arcs[0] + arcs[3] < arcs[1] + arcs[2]


def within(spare, low, high):
    """(loops, arcs) over an interval of an angle that has two positions each where it has some.

    An arc that is cut at both sides is two, one that is cut at one side turns back at the other.
    None where steps do not tell.
    """
    found = pieces(spare)
    if found is None:
        return None
    count, closed = 0, 0
    for start, end in found:
        for turns in (-1, 0, 1):
            a, b = (x + turns * math.tau for x in (start, end))
            if math.isinf(a) and turns:
                continue
            if min(abs(a - low), abs(a - high), abs(b - low), abs(b - high)) < 10.0 * TOUCHING:
                return None
            if b <= low or a >= high:
                continue
            cuts = int(a < low) + int(b > high)
            count += cuts
            closed += cuts == 0
    return closed, count


# -- loops of any joints -----------------------------------------------------------------------

KINDS = {"R": Revolute, "S": Spherical, "C": Cylindrical, "U": Universal}
NEWTON_STEPS = 60
SOLVED = 1e-11  # of rows, in machines of the size of 1
SLOPE = 1e-7  # of differences


def random_loop(rng, kinds):
    """A closed chain of joints from ground to ground, such as "RSCR", built where it closes."""
    m = kempe.Builder("-".join(kinds))
    names = [GROUND, *(f"link{k}" for k in range(1, len(kinds)))]
    poses = {GROUND: (np.zeros(3), np.eye(3))}
    for name in names[1:]:
        m.body(name)
        poses[name] = rng.uniform(-1, 1, 3), random_turn(rng)
    for k, kind in enumerate(kinds):
        p, R = rng.uniform(-1, 1, 3), random_turn(rng)
        ends = []
        for body in (names[k], names[(k + 1) % len(names)]):
            q, Q = poses[body]
            at = tuple(float(c) for c in Q.T @ (p - q))
            ends.append(Marker(body, at, Rotation.from_matrix(Q.T @ R)))
            if kind == "U":  # the arms of a cross are square to each other
                R = R @ Rotation.about((1, 0, 0), math.pi / 2).matrix()
        m.add(KINDS[kind](*ends), f"joint{k}")
    return m.build()


def positions_by_newton(mechanism, rng, starts):
    """Coordinates q (k, 7 per body) of positions that Newton's method finds from random poses.

    It works on whole bodies, place and turn, with the joints' rows and their differences.
    """
    count = len(mechanism.layout.model.moving)
    found = []
    for _ in range(starts):
        p = rng.uniform(-1.5, 1.5, (count, 3))
        R = np.array([random_turn(rng) for _ in range(count)])
        q = _closed(mechanism, p, R)
        if q is not None:
            found.append(q)
    return found


def _closed(mechanism, p, R):
    n = len(p)
    for _ in range(NEWTON_STEPS):
        rows = _rows(mechanism, p, R)
        if np.abs(rows).max() < SOLVED:
            return _coordinates(mechanism, p, R)
        slopes = np.empty((len(rows), 6 * n))
        for k in range(6 * n):
            step = np.zeros(6 * n)
            step[k] = SLOPE
            slopes[:, k] = (_rows(mechanism, *_moved(p, R, step)) - rows) / SLOPE
        step = -np.linalg.lstsq(slopes, rows, rcond=1e-9)[0]
        p, R = _moved(p, R, step * min(1.0, 0.5 / np.abs(step).max()))
    return None


def _moved(p, R, step):
    d = step.reshape(-1, 6)
    turns = np.array([_turn(w) for w in d[:, 3:]])
    return p + d[:, :3], turns @ R


def _turn(w):
    angle = float(np.linalg.norm(w))
    return Rotation.about(w / angle, angle).matrix() if angle > 0.0 else np.eye(3)


def _poses(mechanism, p, R):
    poses = {GROUND: Pose(Vector(0.0, 0.0, 0.0), Rotation.identity())}
    for body, at, turn in zip(mechanism.layout.model.moving, p, R, strict=True):
        columns = (Vector(*map(float, column)) for column in turn.T)
        poses[body.name] = Pose(Vector(*map(float, at)), Rotation(*columns))
    return poses


def _rows(mechanism, p, R):
    poses, rows = _poses(mechanism, p, R), []
    for joint in mechanism.layout.model.joints:
        X = [poses[m.body] @ m.pose for m in (joint.I, joint.J)]
        rows += joint.phi(*X)
        for side in joint.sides:  # axes that are shared point the same way
            rows += list(X[0].axis(side.a) - X[1].axis(side.b))
    return np.array([float(row) for row in rows])


def _coordinates(mechanism, p, R):
    """(x, y, z, w, i, j, k) of every body; None where a joint is the wrong way round."""
    poses = _poses(mechanism, p, R)
    for joint in mechanism.layout.model.joints:
        X = [poses[m.body] @ m.pose for m in (joint.I, joint.J)]
        if any(float(side.value(*X)) <= 0.0 for side in joint.sides):
            return None
    return np.concatenate(
        [np.concatenate([at, quaternion(turn)]) for at, turn in zip(p, R, strict=True)]
    )


def quaternion(R):
    """(w, x, y, z) of a rotation matrix, by the eigenvector of its symmetric form."""
    K = np.array(
        [
            [np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    return np.linalg.eigh(K, UPLO="U")[1][:, -1]
