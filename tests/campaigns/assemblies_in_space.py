"""Promise: `assemblies` in space lists every assembly, and no other.

Oracle: of platforms and arms, Newton's method from many starts, in NumPy; of the RSSR and of the
spherical four-bar the equation A cos b + B sin b = C, which has two roots or none.
"""

import math

import numpy as np

import kempe as kp
from kempe.geometry import GROUND, Marker, Rotation
from kempe.joints import Rod
from tests.motion import _machines_in_space as machines

CASES = 6
ROWS = 1e-9  # of joints, in machines of the size of 1
NEAR = 1e-5  # of a position that is listed and one that Newton's method found
TOUCHING = 1e-6  # of C beside the hypotenuse: nearer, rounding decides how many roots there are


def attempt(rng: np.random.Generator) -> list[str]:
    """One machine of a random kind."""
    kinds = (_flat_platform, _platform, _arm, _rssr, _rssr, _spherical, _spherical)
    return kinds[int(rng.integers(len(kinds)))](rng)


def _flat_platform(rng: np.random.Generator) -> list[str]:
    return _platform(rng, flat=True)


def _platform(rng: np.random.Generator, *, flat: bool = False) -> list[str]:
    a, b, lengths = machines.random_platform(rng, flat=flat)
    mechanism = machines.platform(a, b, lengths)
    found = mechanism.assemblies()
    others = machines.platforms_by_newton(a, b, lengths, rng, starts=800)
    wrong = _missing(others, machines.all_poses(found, "plate"))
    if str(found.outcome) == "complete" and (len(found) % 2 or len(found) > 40):
        wrong.append(f"{len(found)} assemblies of a platform")
    return wrong + _off(mechanism, found)


def _arm(rng: np.random.Generator) -> list[str]:
    links, hand = machines.random_arm(rng)
    mechanism = machines.arm(links, hand)
    found = mechanism.assemblies()
    names = [f"hinge{k + 1}.angle" for k in range(6)]
    angles = np.array([[float(state[name]) for name in names] for state in found]).reshape(-1, 6)
    listed = np.hstack([np.cos(angles), np.sin(angles)])
    wrong = _missing(machines.arms_by_newton(links, hand, rng, starts=800), listed)
    if len(found) > 16:
        wrong.append(f"{len(found)} assemblies of an arm")
    return wrong + _off(mechanism, found)


def _rssr(rng: np.random.Generator) -> list[str]:
    crank, rocker, rod = rng.uniform(0.3, 2.0, 3)
    angle, at = float(rng.uniform(-3, 3)), rng.uniform(-1.5, 1.5, 3)
    R = machines.random_turn(rng)
    m = kp.Builder("RSSR")
    first = m.body("crank", points={"start": (0, 0, 0), "end": (crank, 0, 0)})
    second = m.body("rocker", points={"start": (0, 0, 0), "end": (rocker, 0, 0)})
    m.revolute(Marker(GROUND), first.start, name="first")
    base = Marker(GROUND, tuple(map(float, at)), Rotation.from_matrix(R))
    m.revolute(base, second.start, name="second")
    m.add(Rod(first.end, second.end, length=float(rod)), "rod")
    mechanism = m.build()
    d = at - crank * np.array([math.cos(angle), math.sin(angle), 0.0])
    A, B = 2.0 * rocker * (d @ R[:, 0]), 2.0 * rocker * (d @ R[:, 1])
    return _two_roots(mechanism, angle, A, B, rod**2 - rocker**2 - d @ d)


def _spherical(rng: np.random.Generator) -> list[str]:
    sides, angle = rng.uniform(0.3, 1.5, 4), float(rng.uniform(-3, 3))
    mechanism = machines.spherical_four_bar(tuple(sides), rng.normal(size=3))
    crank, coupler, rocker, base = sides
    end = Rotation.planar(angle).matrix() @ Rotation.about((1, 0, 0), crank).matrix()
    # the rocker's hinge on the coupler, at every angle b of the coupler against the crank
    far = Rotation.about((1, 0, 0), coupler).matrix()[:, 2]
    foot = end.T @ Rotation.about((1, 0, 0), -base).matrix()[:, 2]
    A = far[0] * foot[0] + far[1] * foot[1]
    B = far[0] * foot[1] - far[1] * foot[0]
    C = math.cos(rocker) - far[2] * foot[2]
    return _two_roots(mechanism, angle, A, B, C, "crank_hinge.angle", "coupler_hinge.angle")


def _two_roots(
    mechanism: kp.Mechanism,
    angle: float,
    A: float,
    B: float,
    C: float,
    held: str = "first.angle",
    read: str = "second.angle",
) -> list[str]:
    size = math.hypot(A, B)
    if abs(abs(C) - size) < TOUCHING * max(1.0, size):
        return []
    found = mechanism.assemblies({held: angle})
    wanted = 2 if abs(C) < size else 0
    if str(found.outcome) != "complete" or len(found) != wanted:
        return [f"{len(found)} assemblies, {found.outcome}, instead of {wanted}"]
    if not wanted:
        return []
    roots = [math.atan2(B, A) + side * math.acos(C / size) for side in (-1, 1)]
    listed = [float(state[read]) for state in found]
    apart = np.abs(np.exp(1j * np.subtract.outer(roots, listed)) - 1.0).min(axis=1)
    wrong = [f"no assembly at {b} rad" for b, off in zip(roots, apart, strict=True) if off > NEAR]
    return wrong + _off(mechanism, found)


def _missing(others: np.ndarray, listed: np.ndarray) -> list[str]:
    if not len(others):
        return []
    if not len(listed):
        return [f"nothing is listed, and Newton's method found {len(others)}"]
    return [f"not listed: {x}" for x in others if np.abs(listed - x).max(axis=1).min() > NEAR]


def _off(mechanism: kp.Mechanism, found: object) -> list[str]:
    off = machines.residual(mechanism, found)
    return [f"rows are off by {off}"] if off > ROWS else []
