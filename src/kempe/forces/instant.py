"""What a force sees of the mechanism at an instant."""

from dataclasses import dataclass
from typing import final

from kempe.geometry import Pose, Scalar, Twist, Vector, Wrench


@final
@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What a gauge shows, whole turns counted, and how fast that changes."""

    value: Scalar  # m or rad
    rate: Scalar  # per second


@final
@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """The markers and gauges of one force, traced or in numbers, at time t.

    `X` are the poses X_WM of its markers; `V` are their twists: velocity of the marker's origin and
    angular velocity of its body, in world axes. `states` are those that the force has of its own.
    """

    t: Scalar  # s
    X: tuple[Pose, ...] = ()
    V: tuple[Twist, ...] = ()
    gauges: tuple[Observed, ...] = ()
    states: tuple[Scalar, ...] = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """What a force does: a wrench on every marker, an effort along every gauge.

    A wrench is a force (N) and a torque (N m) at the marker's origin, in world axes. An effort
    (N, or N m for an angle) is positive where it makes the gauge's reading grow.
    """

    wrenches: tuple[Wrench, ...] = ()
    efforts: tuple[Scalar, ...] = ()

    @classmethod
    def along(cls, *efforts: Scalar) -> "Action":
        """The `efforts` (N, N m) along the gauges, in order."""
        return cls((), efforts)

    @classmethod
    def on(cls, *wrenches: Wrench) -> "Action":
        """The `wrenches` (N, N m, world axes) on the markers, in order."""
        return cls(wrenches)

    @classmethod
    def between(cls, now: Instant, force: Vector, torque: Vector | None = None) -> "Action":
        """A `force` (N), `torque` (N m) on the second of two markers at `now`, back on the first.

        The reaction acts where the force does, so that action and reaction have one line:
        on J (f, m), on I (-f, -m - p_IJ x f).
        """
        zero = force * 0.0
        moment = zero if torque is None else torque
        arm = now.X[1].position - now.X[0].position
        return cls((Wrench(-force, -moment - arm.cross(force)), Wrench(force, moment)))
