"""What constraints between a point and a surface share."""

from abc import abstractmethod
from collections.abc import Sequence

from kempe.constraints.abstract import AbstractConstraint, Rows, Unknown
from kempe.errors import BadConnection
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.surfaces import AbstractSurface

SOMEWHERE = Vector(0.31, 0.57, 0.73)  # m, where a surface is asked whether it has an equation


def place_on(surface: AbstractSurface, u: str = "u", v: str = "v") -> tuple[Unknown, Unknown]:
    """The two parameters of a place on a `surface` as unknowns, called `u` and `v` or otherwise."""
    domains, speeds = surface.domains, surface.speeds
    for name, speed, other in (("u", speeds[0], "v"), ("v", speeds[1], "u")):
        if not speed > 0.0:
            raise BadConnection(
                f"a surface on which something is held has no width along its parameter {name}: all"
                f" of its points for one {other} are the same. It is a curve: use a joint on a"
                " curve, or move its control points apart."
            )
    return (
        Unknown(u, domains.u, speeds[0], "surface"),
        Unknown(v, domains.v, speeds[1], "surface"),
    )


class AbstractPointAndSurface(AbstractConstraint):
    """A formula of the origin of J and of a surface in the frame of I.

    phi = equation(p_IJ),  or  p_WJ - (p_WI + R_WI place(u, v)) with unknowns u, v of its own

    The first where the surface has an equation: one row, and no poles of parameters.
    """

    __slots__ = ()

    surface: AbstractSurface

    @abstractmethod
    def equation(self, p: Vector) -> Scalar | None:
        """A formula (m) of `p` = p_IJ, 0 where the point may be; None where there is none."""

    @abstractmethod
    def place(self, u: Scalar, v: Scalar) -> Vector:
        """p_IJ (m) where the point is at parameters `u`, `v` of the surface."""

    @property
    def rows(self) -> tuple[str, ...]:  # type: ignore[override]
        """Lengths: one of an equation, or one a coordinate."""
        return ("m", "m", "m") if self.unknowns else ("m",)

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return place_on(self.surface) if self.equation(SOMEWHERE) is None else ()

    def phi(self, X_WI: Pose, X_WJ: Pose, *uv: Scalar) -> Rows:
        if uv:
            return list(X_WJ.position - X_WI.point(self.place(*uv)))
        return [self.equation(X_WI.inverse().point(X_WJ.position))]

    def first_unknowns(self, X: Sequence[Pose]) -> list[float]:
        if not self.unknowns:
            return []
        seen = X[0].inverse().point(X[1].position)
        return list(self.surface.foot([float(c) for c in seen]))
