"""The rows of a joint as a formula of poses."""

from collections.abc import Callable

from kempe.geometry import Pose
from kempe.joints import AbstractJoint


def rows_of(joint: AbstractJoint) -> Callable[[Pose, Pose], list[float]]:
    """All rows of a joint, those of its formula and those it holds, of the poses of I and J."""

    def phi(X_WI: Pose, X_WJ: Pose) -> list[float]:
        sums = [
            sum(c * m.number(X_WI, X_WJ) for c, m in zip(h.coefficients, h.measures, strict=True))
            - h.value
            for h in joint.held
        ]
        own = joint.phi(X_WI, X_WJ) if joint.constraints or not joint.held else []
        return [*map(float, own), *sums]

    return phi
