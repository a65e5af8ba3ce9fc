"""Closure errors: how far every loop of a frame graph is from closing."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.frames.graph.edge import closing_parts
from kempe.frames.graph.graph import FrameGraph
from kempe.frames.states.arrays import FloatArray, transposed
from kempe.geometry.rotations import log_so3


@final
@dataclass(frozen=True, slots=True, eq=False)
class ClosureError:
    """By how much a loop fails to close: the closing edge against the tree's path.

    Each is a number, or (n,) where n times were asked for.
    """

    frames: tuple[str, ...]  # around the loop, from the closing edge's reference to its frame
    position: FloatArray  # m
    angle: FloatArray  # rad
    velocity: FloatArray  # m/s
    angular_velocity: FloatArray  # rad/s

    @property
    def largest(self) -> float:
        """The worst of all, in SI units, over all times."""
        parts = (self.position, self.angle, self.velocity, self.angular_velocity)
        return max(float(np.max(x)) for x in parts)

    def __str__(self) -> str:
        p, a, v, w = (
            float(np.max(x))
            for x in (self.position, self.angle, self.velocity, self.angular_velocity)
        )
        return f"{' - '.join(self.frames)}: {p:.3g} m, {a:.3g} rad, {v:.3g} m/s, {w:.3g} rad/s"


def closure_errors(graph: FrameGraph, t: float | ArrayLike = 0.0) -> list[ClosureError]:
    """The closure error of every loop, in the order the loops were closed.

    With S of the tree and S' of the closing edge, both of one frame seen from one other:
    |p - p'|,  the angle of R^T R',  |v - v'|,  |w - w'|
    """
    errors = []
    for edge in graph.closing:
        tree = graph.state(edge.frame, edge.reference, t)
        p, R, v, w, _, _ = closing_parts(edge, t)
        errors.append(
            ClosureError(
                tuple(graph.path(edge.reference, edge.frame)),
                _length(tree.position - p),
                _length(log_so3(transposed(tree.rotation) @ R)),
                _length(tree.velocity - v),
                _length(tree.angular_velocity - w),
            )
        )
    return errors


def _length(x: FloatArray) -> FloatArray:
    """|x|, also of speeds whose squares are beyond all numbers."""
    largest = np.abs(x).max(axis=-1, keepdims=True)
    unit = np.where(largest > 0.0, largest, 1.0)
    return np.asarray(unit[..., 0] * np.linalg.norm(x / unit, axis=-1))
