"""How one body moves as seen from another: pose, twist, and the twist's rate."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.geometry import Marker, Pose
from kempe.kinematics.observe.observation import observe
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# A twist below this share of the mechanism's speed is rounding: velocities come from a linear
# system and keep at least ten digits short of a singular position.
AT_REST = 1e-10


@final
@dataclass(frozen=True, slots=True, eq=False)
class RelativeMotion:
    """Body B seen from base A at every sample; vectors in A's axes, the twist at B's origin.

    v = p',  w = vee(R' R^T)

    Where B rests for an instant, `v` and `w` are the rates of the twist in its place: they are
    what it is about to become, and every centre and axis is the limit of its neighbours. Where B
    does not move against A at all they are NaN.
    """

    plane: bool
    size: float  # of the machine, m: what far and near mean
    t: FloatArray  # (n,) s
    p: FloatArray  # (n, 3) p_AB, m
    R: FloatArray  # (n, 3, 3) R_AB
    v: FloatArray  # (n, 3) m/s
    w: FloatArray  # (n, 3) rad/s
    base_position: FloatArray  # (n, 3) p_WA, m
    base_rotation: FloatArray  # (n, 3, 3) R_WA
    at_rest: NDArray[np.bool_]  # (n,)

    def in_world(self, places: FloatArray) -> FloatArray:
        """Places (n, 3) given in A, in the world."""
        return self.base_position + self.turned(places)

    def turned(self, vectors: FloatArray) -> FloatArray:
        """Vectors (n, 3) given in A's axes, in the world's."""
        turned: FloatArray = np.einsum("nij,nj->ni", self.base_rotation, vectors)
        return turned

    def in_body(self, places: FloatArray) -> FloatArray:
        """Places (n, 3) given in A, in B."""
        seen: FloatArray = np.einsum("nji,nj->ni", self.R, places - self.p)
        return seen


def relative_motion(layout: Layout, motion: Motion, body: str, base: str) -> RelativeMotion:
    """The motion of one body against another, from X_AB = X_WA^-1 X_WB and its derivatives."""
    for name in (body, base):
        if name not in layout.body_index:
            known = layout.body_index
            raise UnknownName(f"there is no body {name!r}.{nearest_name(name, known)}", name=name)
    if body == base:
        raise ModelError(f"body {body!r} does not move against itself: name two bodies.")
    values, rates, accelerations = observe(layout, motion, [Marker(base), Marker(body)], _frames)
    p, R = values[:, :3], _matrices(values[:, 3:12])
    turning = _skew_part(_matrices(rates[:, 3:12]), R)
    v, w, at_rest = _twists(
        np.hstack([rates[:, :3], turning]),
        np.hstack([accelerations[:, :3], _skew_part(_matrices(accelerations[:, 3:12]), R)]),
        layout,
        motion,
    )
    return RelativeMotion(
        plane=layout.model.plane,
        size=layout.size,
        t=motion.t,
        p=p,
        R=R,
        v=v,
        w=w,
        base_position=values[:, 12:15],
        base_rotation=_matrices(values[:, 15:]),
        at_rest=at_rest,
    )


def _frames(X: list[Pose]) -> list[Any]:
    """The numbers of X_AB, then those of X_WA."""
    X_WA, X_WB = X
    poses = (X_WA.inverse() @ X_WB, X_WA)
    return [e for X_ in poses for e in (*X_.position, *_axes(X_))]


def _axes(X: Pose) -> list[Any]:
    return [e for axis in (X.rotation.x, X.rotation.y, X.rotation.z) for e in axis]


def _matrices(columns: FloatArray) -> FloatArray:
    """(n, 9), axis after axis, as matrices (n, 3, 3) whose columns are the axes."""
    return columns.reshape(-1, 3, 3).transpose(0, 2, 1)


def _skew_part(derivative: FloatArray, R: FloatArray) -> FloatArray:
    """vee of the skew part of R' R^T, or of R'' R^T: w, or its rate."""
    W = np.einsum("nij,nkj->nik", derivative, R)
    return 0.5 * np.column_stack(
        [W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]]
    )


def _twists(
    twist: FloatArray, rate: FloatArray, layout: Layout, motion: Motion
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """v and w, taken from the twist's rate where the twist itself is rounding."""
    weights = np.repeat([1.0 / layout.size, 1.0], 3)
    speed, pace = (_pace(samples, layout) for samples in (motion.v, motion.a))
    at_rest = _sizes(twist, weights) <= AT_REST * speed
    # the rate of a twist that is zero has no centripetal part, so speed has no say in it
    still = at_rest & (_sizes(rate, weights) <= AT_REST * (pace + speed * speed))
    shown = np.where(at_rest[:, None], rate, twist)
    shown[still] = np.nan
    return shown[:, :3], shown[:, 3:], at_rest


def _sizes(twists: FloatArray, weights: FloatArray) -> FloatArray:
    sizes: FloatArray = np.abs(twists * weights).max(axis=1)
    return sizes


def _pace(samples: FloatArray, layout: Layout) -> FloatArray:
    """How fast the mechanism moves at every sample, but no less than it usually does."""
    sizes = np.abs(samples * layout.step_weights).max(axis=1, initial=0.0)
    usual = float(np.median(sizes)) if len(sizes) else 0.0
    pace: FloatArray = np.maximum(sizes, usual)
    return pace
