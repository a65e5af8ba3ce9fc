"""One body seen from another: its motion, instant centres and screw axes, and the centrodes."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.geometry import Marker, Pose
from kempe.kinematics.observe.observation import observe
from kempe.names import refuse_no_texts
from kempe.results import Motion

FloatArray = NDArray[np.float64]

# A twist below this share of the mechanism's speed is rounding: velocities come from a linear
# system and keep at least ten digits short of a singular position.
AT_REST = 1e-10

# A centre farther away than so many machines is at infinity: of the turning that would place it,
# rounding leaves no more than half the digits.
INFINITELY_FAR = 1e8

# How many machines away a centrode is still drawn by default.
IN_SIGHT = 10.0


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
    refuse_no_texts([body, base])
    for name in (body, base):
        if name not in layout.body_index:
            known = layout.body_index
            raise UnknownName(f"there is no body {name!r}.{nearest_name(name, known)}", name=name)
    if body == base:
        raise ModelError(f"body {body!r} does not move against itself: name two bodies.")
    values, rates, accelerations = observe(
        layout, motion, [Marker(base), Marker(body)], both_frames
    )
    p, R = values[:, :3], matrices(values[:, 3:12])
    turning = skew_part(matrices(rates[:, 3:12]), R)
    v, w, at_rest = _twists(
        np.hstack([rates[:, :3], turning]),
        np.hstack([accelerations[:, :3], skew_part(matrices(accelerations[:, 3:12]), R)]),
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
        base_rotation=matrices(values[:, 15:]),
        at_rest=at_rest,
    )


def both_frames(X: list[Pose]) -> list[Any]:
    """The numbers of X_AB, then those of X_WA, of the poses `X` = [X_WA, X_WB].

    Position first, then axis after axis, twelve numbers each.
    """
    X_WA, X_WB = X
    poses = (X_WA.inverse() @ X_WB, X_WA)
    return [e for X_ in poses for e in (*X_.position, *_axes(X_))]


def _axes(X: Pose) -> list[Any]:
    return [e for axis in (X.rotation.x, X.rotation.y, X.rotation.z) for e in axis]


def matrices(columns: FloatArray) -> FloatArray:
    """`columns` (n, 9), axis after axis, as matrices (n, 3, 3) whose columns are the axes."""
    return columns.reshape(-1, 3, 3).transpose(0, 2, 1)


def skew_part(derivative: FloatArray, R: FloatArray) -> FloatArray:
    """vee of the skew part of R' R^T, or of R'' R^T: w, or its rate.

    `derivative` (n, 3, 3) is R' or R'', and `R` (n, 3, 3) the rotation itself.
    """
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


@final
@dataclass(frozen=True, slots=True, eq=False)
class InstantCentre:
    """Where two bodies have no velocity against each other, in world axes.

    A body that is carried along without turning has its centre at infinity, square to the way it
    goes: there `point` is NaN and `direction` says where. NaN in both: no motion at all.
    """

    t: FloatArray  # (n,) s
    point: FloatArray  # (n, 2) m
    direction: FloatArray  # (n, 2) unit vectors, only for centres at infinity
    size: float  # m, of the machine

    @property
    def is_finite(self) -> NDArray[np.bool_]:
        """Where the centre is a point of the plane."""
        return np.isfinite(self.point[:, 0])

    @property
    def homogeneous(self) -> FloatArray:
        """(n, 3) unit vectors along (x, y, 1) in sizes of the machine, or (direction, 0).

        Three centres lie on one line where the determinant of their coordinates is zero, also
        where some of them are at infinity.
        """
        finite = np.column_stack([self.point / self.size, np.ones(len(self.t))])
        far = np.column_stack([self.direction, np.zeros(len(self.t))])
        all_of_them = np.where(self.is_finite[:, None], finite, far)
        unit: FloatArray = all_of_them / np.linalg.norm(all_of_them, axis=1, keepdims=True)
        return unit


def instant_centre(relative: RelativeMotion) -> InstantCentre:
    """The centre P of the relative turning, where v + w x (P - r) = 0.

    P = r + (-v_y, v_x) / w

    Source: [Bottema] ch. VIII.
    """
    if not relative.plane:
        raise ModelError(
            "an instant centre belongs to motion in the plane: ask for the screw axis of a"
            " spatial mechanism, or build it with plane=True."
        )
    w = relative.w[:, 2]
    arm = np.column_stack([-relative.v[:, 1], relative.v[:, 0], np.zeros(len(w))])
    reach = np.linalg.norm(arm, axis=1)
    finite = np.abs(w) * relative.size * INFINITELY_FAR > reach
    far = ~finite & (reach > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        point = relative.in_world(relative.p + arm / np.where(finite, w, np.nan)[:, None])
        direction = relative.turned(arm / np.where(far, reach, np.nan)[:, None])
    return InstantCentre(relative.t, point[:, :2], direction[:, :2], relative.size)


@final
@dataclass(frozen=True, slots=True, eq=False)
class ScrewAxis:
    """The line, in world axes, about which a body turns against another and along which it slides.

    Where the body only slides, `pitch` is infinite, `direction` the way it goes and `point` its
    origin. NaN: no motion at all.
    """

    t: FloatArray  # (n,) s
    point: FloatArray  # (n, 3) m, the axis's point nearest to the body's origin
    direction: FloatArray  # (n, 3) unit vectors; the body turns about them right-handedly
    pitch: FloatArray  # (n,) m/rad, negative for a left-handed screw


def screw_axis(relative: RelativeMotion) -> ScrewAxis:
    """Point, direction and pitch of the relative twist (v, w) at B's origin r.

    c = r + w x v / w^2,  s = w / |w|,  h = w . v / w^2

    Source: [Ball] ch. I; [Featherstone] section 2.5 for a screw's coordinates.
    """
    v, w = relative.v, relative.w
    turning, going = np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1)
    turns = turning * relative.size * INFINITELY_FAR > going
    square = np.where(turns, turning, np.nan) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        arm = np.cross(w, v) / square[:, None]
        pitch = np.einsum("ni,ni->n", w, v) / square
        direction = np.where(turns[:, None], w / turning[:, None], v / going[:, None])
    slides = ~turns & (going > 0.0)
    pitch[slides] = np.inf
    arm[slides] = 0.0
    return ScrewAxis(
        relative.t, relative.in_world(relative.p + arm), relative.turned(direction), pitch
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Centrode:
    """The path of the instant centre in one body's axes; NaN where it is at infinity."""

    points: FloatArray  # (n, 2) m
    size: float  # m, of the machine
    passes_infinity: NDArray[np.bool_]  # (n - 1,) between a sample and the next

    def pieces(self, within: float | None = None) -> list[FloatArray]:
        """The curve as polylines, cut where the centre runs to infinity or out of sight.

        `within` (m) is how far from the body's origin the curve is followed: ten times the size of
        the machine if omitted.
        """
        reach = IN_SIGHT * self.size if within is None else within
        seen = np.linalg.norm(self.points, axis=1) <= reach  # NaN is not
        cuts = np.flatnonzero(self.passes_infinity | ~seen[:-1] | ~seen[1:]) + 1
        runs = np.split(np.arange(len(self.points)), cuts)
        return [self.points[run] for run in runs if len(run) > 1]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Centrodes:
    """`fixed` in the axes of the base, `moving` in the axes of the body that rolls on it."""

    fixed: Centrode
    moving: Centrode


def centrodes(relative: RelativeMotion) -> Centrodes:
    """The paths of the instant centre in both bodies: p_AP and R^T (p_AP - p_AB).

    Source: [Bottema] ch. VIII: the moving centrode rolls on the fixed one without slip.
    """
    centre = instant_centre(relative)
    flat = np.column_stack([centre.point, np.zeros(len(centre.t))])
    in_base = np.einsum("nji,nj->ni", relative.base_rotation, flat - relative.base_position)
    passes = _passes_infinity(relative, centre)
    return Centrodes(
        Centrode(in_base[:, :2], relative.size, passes),
        Centrode(relative.in_body(in_base)[:, :2], relative.size, passes),
    )


def _passes_infinity(relative: RelativeMotion, centre: InstantCentre) -> NDArray[np.bool_]:
    """Where the turning changes sign and the motion does not turn back.

    A motion that turns back reverses the whole twist, and its centre stays where it is.

    Own: the sign of the scalar product of neighbouring twists tells the two apart.
    """
    twist = np.column_stack([relative.v[:, :2] / relative.size, relative.w[:, 2]])
    onward = np.einsum("ni,ni->n", twist[:-1], twist[1:]) > 0.0
    turns_over = twist[:-1, 2] * twist[1:, 2] < 0.0
    gap = ~(centre.is_finite[:-1] & centre.is_finite[1:])
    passes: NDArray[np.bool_] = (turns_over & onward) | gap
    return passes
