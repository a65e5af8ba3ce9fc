"""Promise: bodies move as their masses and moments say, thin or thick, though they differ by 1e12.

Oracle: chains of one to four links in as many angles, by the recursion of Newton and Euler; loops
of four bars by hand-written rows. Both are solved in 60 digits.
"""

from typing import Any

import mpmath as mp
import numpy as np

import kempe as kp
from kempe.joints import Revolute

CASES = 16
REMEMBERED = (53, 60, 64, 161, 234, 289, 329, 91000678)
G = 9.81
# Of accelerations: what rounding leaves of them beside the largest of their terms. Where a body is
# thin it is one rounding of the forces that turn it.
EXACT = 1e-9
KEPT = 1e-6  # of the energies that a short run moves
DIGITS = 60
SHORT = 0.02  # s
# How much further than rounding of the geometry alone moves them accelerations may be off: a heavy
# body pulls a light one about by a lever that is nothing but rounding.
BY_ROUNDING = 100.0

Vector = list[Any]


def attempt(rng: np.random.Generator) -> list[str]:
    """A chain in the plane or in space, or a loop of four bars."""
    with mp.workdps(DIGITS):
        return _loop(rng) if rng.random() < 0.25 else _chain(rng)


def _masses(rng: np.random.Generator, count: int) -> list[float]:
    spread = rng.choice([0.0, 2.0, 6.0])
    return [float(10.0 ** rng.uniform(-spread, spread)) for _ in range(count)]


def _tensor(rng: np.random.Generator, mass: float, length: float, plane: bool) -> np.ndarray:
    """Thin, compact or any: moments are shares of m l^2."""
    share = float(10.0 ** -rng.choice([0.0, rng.uniform(0, 8)]))
    moment = mass * length**2 / 12.0 * share
    if plane:
        return moment * np.diag([0.5, 0.5, 1.0])
    if rng.random() < 0.5:
        axial = float(rng.choice([0.5, 10.0 ** -rng.uniform(0, 18)]))
        return moment * np.diag(np.roll([axial, 1.0, 1.0], rng.integers(3)))
    places = rng.normal(size=(5, 3))  # of equal point masses: no tensor but has some
    cross = np.einsum("ki,kj->ij", places, places)
    return moment * 0.2 * (np.trace(cross) * np.eye(3) - cross)


def _chain(rng: np.random.Generator) -> list[str]:
    plane, count = bool(rng.random() < 0.5), int(rng.integers(1, 5))
    lengths, masses = rng.uniform(0.3, 1.5, count), _masses(rng, count)
    ways = rng.normal(size=(count, 3)) * [1, 1, 0 if plane else 1]
    ways = ways / np.linalg.norm(ways, axis=1)[:, None] * lengths[:, None]
    axes = np.tile([0.0, 0.0, 1.0], (count, 1)) if plane else rng.normal(size=(count, 3))
    axes = axes / np.linalg.norm(axes, axis=1)[:, None]
    rates = rng.choice([0.0, 1.0]) * rng.normal(size=count) * 3.0
    inertias = [
        kp.Inertia(m, way * rng.uniform(0.2, 1.0), _tensor(rng, m, length, plane))
        for m, way, length in zip(masses, ways, lengths, strict=True)
    ]
    gravity = np.array([0.0, -G, 0.0]) if plane else G * _unit(rng.normal(size=3))

    b = kp.Builder("chain", plane=plane, gravity=tuple(gravity[:2] if plane else gravity))
    here, last, hinges = np.zeros(3), None, []
    for k, inertia in enumerate(inertias):
        at = tuple(here[:2] if plane else here)
        turned: dict[str, Any] = {"angle": 0.0} if plane else {}
        link = b.body(f"link{k}", at=at, inertia=inertia, **turned)
        before = b.ground.at(*at) if last is None else last.at(*_place(ways[k - 1], plane))
        after = link.at(*_place(np.zeros(3), plane))
        if plane:
            hinges.append(b.revolute(before, after, name=f"hinge{k}"))
        else:
            z = tuple(axes[k])
            hinges.append(b.add(Revolute(before.facing(z), after.facing(z)), f"hinge{k}"))
        b.rate(hinges[-1].angle, float(rates[k]))
        here, last = here + ways[k], link
    found = b.build().simulate(until=SHORT, steps=4, plan=str(rng.choice(["small", "large"])))
    told = f"chain of {count}, plane={plane}, masses {masses}"
    expected = _chain_accelerations(ways, axes, rates, inertias, gravity)
    shaken = [
        _chain_accelerations(_shaken(rng, ways), _shaken(rng, axes), rates, inertias, gravity)
        for _ in range(2)
    ]
    got = [found[f"hinge{k}.angle"].acceleration[0] for k in range(count)] if len(found) else []
    return _judged(found, got, expected, shaken, told, _thinness(axes, inertias))


def _thinness(axes: np.ndarray, inertias: Any) -> float:
    """How much larger a body's moment about its hinge can be than that about its centre.

    What turns it about its centre is what the forces at its hinges leave of each other.
    """
    return max(
        one.mass * float(np.sum(np.cross(u, one.centre) ** 2)) / float(u @ one.tensor @ u)
        for u, one in zip(axes, inertias, strict=True)
    )


def _shaken(rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
    """The same numbers, rounded otherwise."""
    return x + np.finfo(float).eps * rng.normal(size=x.shape) * np.abs(x).max()


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def _place(x: np.ndarray, plane: bool) -> tuple[float, ...]:
    return tuple(float(c) for c in (x[:2] if plane else x))


def _judged(
    found: Any,
    got: list[float],
    expected: list[Any],
    shaken: list[list[Any]],
    told: str,
    thinness: float = 1.0,
) -> list[str]:
    wrong = []
    if not found.outcome.is_done:
        return [f"{found.outcome}: {told}"]
    size = max(max(abs(float(e)) for e in expected), 1.0)
    moved = max(abs(float(a - b)) for one in shaken for a, b in zip(one, expected, strict=True))
    exact = max(EXACT, np.finfo(float).eps * thinness)
    for k, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        if not abs(mine - float(theirs)) <= exact * size + BY_ROUNDING * moved:
            wrong.append(f"acceleration {k} is {mine!r}, not {float(theirs)!r}: {told}")
    energy = found.energy
    moved = energy.kinetic.max() + np.ptp(energy.potential)
    if not np.ptp(energy.total) <= KEPT * moved:
        wrong.append(f"the energy is off by {np.ptp(energy.total)} of {moved}: {told}")
    return wrong


def _exact(x: Any) -> Vector:
    return [mp.mpf(float(c)) for c in x]


def _cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _sum(*vectors: Vector) -> Vector:
    return [mp.fsum(c) for c in zip(*vectors, strict=True)]


def _times(s: Any, a: Vector) -> Vector:
    return [s * c for c in a]


def _dot(a: Vector, b: Vector) -> Any:
    return mp.fsum(x * y for x, y in zip(a, b, strict=True))


def _chain_accelerations(
    ways: np.ndarray, axes: np.ndarray, rates: np.ndarray, inertias: Any, gravity: np.ndarray
) -> list[Any]:
    """M(q) q'' + h(q, q') = 0 where every link's axes are those of the world."""
    n = len(inertias)
    r, u, qd = [_exact(w) for w in ways], [_exact(a) for a in axes], _exact(rates)
    # kempe's markers have axes of length 1 to the last bit but one
    u = [_times(1 / mp.sqrt(_dot(a, a)), a) for a in u]
    c = [_exact(one.centre) for one in inertias]
    m = [mp.mpf(one.mass) for one in inertias]
    tensors = [[_exact(row) for row in one.tensor] for one in inertias]

    def torques(qdd: Vector, qd: Vector, g: Vector) -> Vector:
        w, alpha, a = [mp.mpf(0)] * 3, [mp.mpf(0)] * 3, _times(-1, g)
        loads, moments = [], []
        for k in range(n):
            turn = _times(qd[k], u[k])
            alpha = _sum(alpha, _times(qdd[k], u[k]), _cross(w, turn))
            w = _sum(w, turn)
            at = _sum(a, _cross(alpha, c[k]), _cross(w, _cross(w, c[k])))
            spin = [_dot(row, w) for row in tensors[k]]
            loads.append(_times(m[k], at))
            moments.append(_sum([_dot(row, alpha) for row in tensors[k]], _cross(w, spin)))
            a = _sum(a, _cross(alpha, r[k]), _cross(w, _cross(w, r[k])))
        force, moment, answer = [mp.mpf(0)] * 3, [mp.mpf(0)] * 3, [mp.mpf(0)] * n
        for k in reversed(range(n)):
            moment = _sum(moment, moments[k], _cross(c[k], loads[k]), _cross(r[k], force))
            force = _sum(force, loads[k])
            answer[k] = _dot(moment, u[k])
        return answer

    zero = [mp.mpf(0)] * n
    bias = torques(zero, qd, _exact(gravity))
    M = mp.matrix(n)
    for k in range(n):
        unit = [mp.mpf(int(j == k)) for j in range(n)]
        for j, x in enumerate(torques(unit, zero, [mp.mpf(0)] * 3)):
            M[j, k] = x
    return list(mp.lu_solve(M, mp.matrix([-x for x in bias])))


def _loop(rng: np.random.Generator) -> list[str]:
    """A four-bar that is let go."""
    crank, coupler = rng.uniform(0.5, 1.0), rng.uniform(1.2, 1.6)
    angles = [rng.uniform(0.5, 2.5), rng.uniform(-0.3, 0.3)]
    A = np.zeros(2)
    B = A + crank * np.array([np.cos(angles[0]), np.sin(angles[0])])
    C = B + coupler * np.array([np.cos(angles[1]), np.sin(angles[1])])
    D = np.array([C[0] + rng.uniform(-0.4, 0.4), C[1] - rng.uniform(0.7, 1.4)])
    rocker = float(np.linalg.norm(C - D))
    angles.append(float(np.arctan2(*(C - D)[::-1])))
    lengths, starts = [crank, coupler, rocker], [A, B, D]
    masses = _masses(rng, 3)
    b = kp.Builder("loop", plane=True, gravity=(0, -G))
    bars, inertias = [], []
    for k in range(3):
        tensor = _tensor(rng, masses[k], lengths[k], True)
        inertias.append(kp.Inertia(masses[k], (lengths[k] * rng.uniform(0.2, 0.8), 0, 0), tensor))
        at = tuple(float(x) for x in starts[k])
        bars.append(b.bar(f"bar{k}", lengths[k], at=at, angle=angles[k], inertia=inertias[k]))
    b.revolute(b.ground.at(0, 0), bars[0].start)
    b.revolute(bars[0].end, bars[1].start)
    b.revolute(bars[1].end, bars[2].end)
    b.revolute(b.ground.at(*map(float, D)), bars[2].start)
    found = b.build().simulate(until=SHORT, steps=4, plan=str(rng.choice(["small", "large"])))
    told = f"loop of {lengths} at {angles}, masses {masses}"
    if not len(found):
        return [f"{found.outcome}: {told}"]
    now = [mp.mpf(float(found[f"bar{k}.angle"].values[0])) for k in range(3)]
    place = [crank, coupler, rocker]
    expected = _loop_accelerations(place, now, inertias)
    shaken = [
        _loop_accelerations(place, [x * (1 + mp.mpf(rng.normal()) * 2**-52) for x in now], inertias)
        for _ in range(2)
    ]
    got = [float(found[f"bar{k}.angle"].acceleration[0]) for k in range(3)]
    return _judged(found, got, expected, shaken, told)


def _loop_accelerations(lengths: list[float], now: list[Any], inertias: Any) -> list[Any]:
    """Angular accelerations from rest: 9 unknowns of three bars and 8 rows of their pins."""
    crank, coupler, rocker = lengths
    K, f = mp.zeros(17), mp.zeros(17, 1)  # unknowns: centres and angles, then 8 multipliers
    row = 9
    for k, one in enumerate(inertias):
        K[3 * k, 3 * k] = K[3 * k + 1, 3 * k + 1] = mp.mpf(one.mass)
        K[3 * k + 2, 3 * k + 2] = mp.mpf(float(one.tensor[2, 2]))
        f[3 * k + 1] = -mp.mpf(one.mass) * mp.mpf(G)

    def arm(k: int, at: float) -> tuple[Any, Any]:
        """d/dangle of the point at that distance from the start, seen from the centre."""
        lever = mp.mpf(at) - mp.mpf(float(inertias[k].centre[0]))
        return -lever * mp.sin(now[k]), lever * mp.cos(now[k])

    pins = [
        ((0, 0.0, 1), None),
        ((0, crank, 1), (1, 0.0, -1)),
        ((1, coupler, 1), (2, rocker, -1)),
        ((2, 0.0, 1), None),
    ]
    for pin in pins:
        for part in pin:
            if part is None:
                continue
            k, at, sign = part
            for axis, slope in enumerate(arm(k, at)):
                for column, entry in ((3 * k + axis, mp.mpf(sign)), (3 * k + 2, sign * slope)):
                    K[row + axis, column] = K[column, row + axis] = entry
        row += 2
    found = mp.lu_solve(K, f)
    return [found[3 * k + 2] for k in range(3)]
