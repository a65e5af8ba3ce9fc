"""Conversions of rotations against SciPy, from array to array."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation as Scipy

from kempe.geometry.rotations import (
    AbstractRepresentation,
    Euler,
    Matrix,
    ModifiedRodrigues,
    Quaternion,
    RotationVector,
    converted,
    distance,
    product,
    turned,
    uniform,
)
from yardsticks.clock import least_seconds
from yardsticks.report import Report

COUNT = 1_000_000
REPEATS = 3

Reader, Writer = Callable[[Any], Scipy], Callable[[Scipy], Any]
CONTESTS: dict[str, tuple[AbstractRepresentation, Reader, Writer]] = {
    "matrix": (Matrix(), Scipy.from_matrix, Scipy.as_matrix),
    "rotation vector": (RotationVector(), Scipy.from_rotvec, Scipy.as_rotvec),
    "modified Rodrigues": (ModifiedRodrigues(), Scipy.from_mrp, Scipy.as_mrp),
    "Euler ZXZ": (
        Euler("ZXZ"),
        lambda x: Scipy.from_euler("ZXZ", x),
        lambda r: r.as_euler("ZXZ"),
    ),
    "Euler xyz": (
        Euler("xyz"),
        lambda x: Scipy.from_euler("xyz", x),
        lambda r: r.as_euler("xyz"),
    ),
}


def measure_rotations(report: Report, share: float) -> None:
    """Quaternion arrays into every representation and back, products, turned vectors."""
    count, repeats = max(10, int(COUNT * share)), max(1, int(REPEATS * share))
    rng = np.random.default_rng(1840)
    q, v = uniform(count, rng), rng.standard_normal((count, 3))
    last = np.ascontiguousarray(Quaternion("last").of_quaternions(q))
    theirs = Scipy.from_quat(last)
    slowest = float("inf")
    for name, (representation, read, write) in CONTESTS.items():
        numbers = write(theirs)
        ours = converted(q, Quaternion(), representation)
        forward = {
            "kempe": lambda r=representation: converted(q, Quaternion(), r),
            "scipy": lambda w=write: w(Scipy.from_quat(last)),
        }
        back = {
            "kempe": lambda r=representation, x=numbers: converted(x, r, Quaternion()),
            "scipy": lambda f=read, x=numbers: f(x).as_quat(),
        }
        off = float(abs(ours - numbers).max())
        slowest = min(slowest, _contest(report, f"quaternion to {name}", forward, repeats, off))
        off = float(distance(representation.quaternions(numbers), q).max())
        slowest = min(slowest, _contest(report, f"{name} to quaternion", back, repeats, off))
    pairs = {
        "product": ({"kempe": lambda: product(q, q), "scipy": lambda: theirs * theirs}, None),
        "turned vectors": (
            {"kempe": lambda: turned(q, v), "scipy": lambda: theirs.apply(v)},
            float(abs(turned(q, v) - theirs.apply(v)).max()),
        ),
    }
    for name, (contestants, error) in pairs.items():
        slowest = min(slowest, _contest(report, name, contestants, repeats, error))
    goal = f"rotations, {count} at a time: times as fast as scipy, worst case"
    report.at_least(goal, 1.0, slowest)


def _contest(
    report: Report,
    case: str,
    contestants: dict[str, Callable[[], Any]],
    repeats: int,
    error: float | None,
) -> float:
    """How many times kempe's time scipy takes."""
    seconds = least_seconds(contestants, repeats)
    sample = contestants["kempe"]()
    for who, spent in seconds.items():
        report.row(case, who, spent / len(sample), "rotation", error if who == "kempe" else None)
    return seconds["scipy"] / max(seconds["kempe"], 1e-9)
