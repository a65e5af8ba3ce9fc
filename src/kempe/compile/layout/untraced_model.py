"""What is traced in place of a formula that cannot be: a model of it about where its markers are.

    phi = c + sum_k g_k s_k + h/2 sum_k s_k^2,

s_k what the markers have moved and turned since their poses X_0, in world axes. Its numbers c, g, h
and X_0 are inputs of the program that are found anew at every evaluation, with X_0 where the
markers are: there the model has the value, the slopes and, along the motion, the bend of phi.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from kempe.geometry import Pose, Vector
from kempe.joints import AbstractJoint

POSE = 12  # numbers of X_0: position, then the three axes
ROOM = 0.5  # neither 0 nor 1, so that the numbers stay inputs of the program


def room_for_model(joint: AbstractJoint) -> list[float]:
    """Room for X_0 of all markers, then for c, h and g of every row."""
    n = len(joint.markers)
    return [ROOM] * (POSE * n + (2 + 6 * n) * len(joint.row_units))


def modelled_rows(joint: AbstractJoint, X: Sequence[Pose], numbers: Iterator[Any]) -> list[Any]:
    """The rows of the model, traced, its markers at `X`."""
    moved: list[Any] = []
    for X_WM in X:
        p, *axes = (Vector(*(next(numbers) for _ in range(3))) for _ in range(POSE // 3))
        R = X_WM.rotation
        turned = [a.cross(b) for a, b in zip(axes, (R.x, R.y, R.z), strict=True)]
        moved += [*(X_WM.position - p), *((turned[0] + turned[1] + turned[2]) * 0.5)]
    square = sum(s * s for s in moved)
    rows = []
    for _ in joint.row_units:
        c, h = next(numbers), next(numbers)
        rows.append(sum((next(numbers) * s for s in moved), c) + h * (0.5 * square))
    return rows
