"""Rotations: the matrix R_AB whose columns are the axes of B seen in A.

A rotation is made from a matrix, a unit quaternion (scalar first), an axis and an angle, or an
angle in the plane, and knows its way back. Entries may be numbers or traced values. A rotation of
the plane remembers its angle, unwrapped, so a turn in the plane needs no arc tangent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.errors import BadNumber
from kempe.geometry.axis import Axis
from kempe.geometry.vector import Scalar, Vector

# How far a given matrix or quaternion may be from a rotation before it is a mistake: a dozen
# digits are lost in most files, six are not.
ROTATION_TOLERANCE = 1e-6
# A number from here to its reciprocal has a square with all its digits.
SQUARES = 1e-140
# Direction cosines below this are rounding of rotations that were multiplied.
ROUNDED = 1e-14


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """R_AB by its columns x, y, z: the axes of B in A; `angle` where it is a turn in the plane."""

    x: Vector
    y: Vector
    z: Vector
    angle: Scalar | None = None

    @classmethod
    def identity(cls) -> "Rotation":
        """R_AB of frames whose axes coincide."""
        return cls.planar(0.0)

    @classmethod
    def planar(cls, angle: Scalar) -> "Rotation":
        """A turn by `angle` about z; quarter turns of plain numbers are exact.

        R = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        """
        c, s = cosine_sine(angle)
        return cls.from_cosine_sine(c, s, angle)

    @classmethod
    def from_cosine_sine(cls, c: Scalar, s: Scalar, angle: Scalar | None = None) -> "Rotation":
        """A turn about z by its cosine and sine, and by its angle (rad) where that is known."""
        zero, one = 0.0 * c, 0.0 * c + 1.0
        return cls(Vector(c, s, zero), Vector(-s, c, zero), Vector(zero, zero, one), angle)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> "Rotation":
        """From a 3 x 3 orthonormal matrix, right-handed."""
        m = np.asarray(matrix, dtype=np.float64)
        if m.shape != (3, 3):
            raise BadNumber(f"a rotation matrix is 3 x 3, this one is {m.shape}.", shape=m.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            error = float(np.abs(m.T @ m - np.eye(3)).max()) if np.isfinite(m).all() else math.inf
        if not error <= ROTATION_TOLERANCE:
            raise BadNumber(
                f"this is no rotation matrix: its columns are off from orthonormal by {error:.3g}."
                " Orthonormalise it, or give a quaternion or an axis and an angle.",
                error=error,
            )
        if np.linalg.det(m) < 0:
            raise BadNumber("this matrix mirrors (determinant -1): swap or negate one axis.")
        return cls(*(Vector(*(float(e) for e in column)) for column in m.T))

    @classmethod
    def from_quaternion(cls, quaternion: Sequence[Scalar]) -> "Rotation":
        """From a unit quaternion, scalar first.

        R v = v + 2 w (u x v) + 2 u x (u x v),  q = (w, u)
        """
        if len(quaternion) != 4:
            raise BadNumber(f"a quaternion has 4 components, this one has {len(quaternion)}.")
        w, a, b, c = quaternion
        if all(isinstance(e, (int, float, np.floating)) for e in quaternion):
            norm = math.sqrt(w * w + a * a + b * b + c * c)
            if not abs(norm - 1.0) <= ROTATION_TOLERANCE:
                raise BadNumber(
                    f"a rotation needs a quaternion of length 1, this one has length {norm:.9g}."
                    " Divide it by its length.",
                    norm=norm,
                )
            w, a, b, c = (float(e) / norm for e in quaternion)
        a2, b2, c2 = 2.0 * a, 2.0 * b, 2.0 * c
        aa, bb, cc = a * a2, b * b2, c * c2
        ab, ac, bc = a * b2, a * c2, b * c2
        wa, wb, wc = w * a2, w * b2, w * c2
        return cls(
            Vector(1.0 - (bb + cc), ab + wc, ac - wb),
            Vector(ab - wc, 1.0 - (aa + cc), bc + wa),
            Vector(ac + wb, bc - wa, 1.0 - (aa + bb)),
        )

    @classmethod
    def about(cls, axis: ArrayLike, angle: float) -> "Rotation":
        """A turn by `angle` (rad) about a direction: Rodrigues' formula, by the half angle."""
        direction, length = _direction(axis)
        if not math.isfinite(angle):
            raise BadNumber(f"an angle must be finite, this one is {angle}.")
        u = math.sin(0.5 * angle) * direction / length
        return cls.from_quaternion((math.cos(0.5 * angle), float(u[0]), float(u[1]), float(u[2])))

    @classmethod
    def with_z(cls, direction: ArrayLike) -> "Rotation":
        """A rotation whose z axis has this direction; the least turn from the z axis.

        A direction in the plane z = 0 gets its x axis square to that plane instead, so that the
        entries that are zero in the plane are zero exactly.
        """
        d, length = _direction(direction)
        z = d / length
        x = np.array([0.0, 0.0, 1.0]) if z[2] == 0 else np.array([1.0, 0.0, 0.0])
        if z[2] != 0:
            x = np.cross([0.0, 1.0, 0.0], z) if abs(z[1]) < 0.9 else np.cross(z, [1.0, 0.0, 0.0])
            x /= np.linalg.norm(x)
        if z[2] != 0 and z[0] == 0 and z[1] == 0:
            x = np.array([1.0, 0.0, 0.0])
        y = np.cross(z, x)
        return cls(*(Vector(*(float(e) + 0.0 for e in c)) for c in (x, y, z)))

    # -- what it does ------------------------------------------------------------------------

    def axis(self, which: Axis) -> Vector:
        """That axis of B, in A."""
        axes = (self.x, self.y, self.z)
        return axes[int(which.value)]

    def apply(self, v: Vector) -> Vector:
        """v, given in B, expressed in A."""
        x, y, z = self.x, self.y, self.z
        a, b, c = v.x, v.y, v.z
        return Vector(
            x.x * a + y.x * b + z.x * c, x.y * a + y.y * b + z.y * c, x.z * a + y.z * b + z.z * c
        )

    def __matmul__(self, other: "Rotation") -> "Rotation":
        """R_AC = R_AB R_BC."""
        both = self.angle is not None and other.angle is not None
        return Rotation(
            self.apply(other.x),
            self.apply(other.y),
            self.apply(other.z),
            self.angle + other.angle if both else None,  # type: ignore[operator]
        )

    def inverse(self) -> "Rotation":
        """R_BA, the axes of A in B."""
        a, b, c = self.x, self.y, self.z
        return Rotation(
            Vector(a.x, b.x, c.x),
            Vector(a.y, b.y, c.y),
            Vector(a.z, b.z, c.z),
            None if self.angle is None else -self.angle,
        )

    @property
    def is_about_z(self) -> bool:
        """Whether it turns about z, but for rounding; for plain numbers."""
        return bool(self.z.z > 0.0 and max(abs(self.z.x), abs(self.z.y)) <= ROUNDED)

    # -- the way back, for plain numbers -----------------------------------------------------

    def matrix(self) -> NDArray[np.float64]:
        """The matrix R_AB (3, 3)."""
        return np.array([list(self.x), list(self.y), list(self.z)], dtype=np.float64).T

    def quaternion(self) -> NDArray[np.float64]:
        """The unit quaternion (4,), scalar first and not negative.

        Source: [Shepperd]; the largest of the four squares is taken, so nothing is lost.
        """
        m = self.matrix()
        t = np.array([np.trace(m), m[0, 0], m[1, 1], m[2, 2]])
        k = int(np.argmax(t))
        if k == 0:
            q = np.array([1 + t[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
        else:
            i, j, l = k - 1, k % 3, (k + 1) % 3
            q = np.empty(4)
            q[0] = m[l, j] - m[j, l]
            q[1 + i] = 1 + m[i, i] - m[j, j] - m[l, l]
            q[1 + j] = m[j, i] + m[i, j]
            q[1 + l] = m[l, i] + m[i, l]
        q /= np.linalg.norm(q)
        return q if q[0] >= 0 else -q

    def axis_angle(self) -> tuple[NDArray[np.float64], float]:
        """Unit axis (3,) in A and angle in [0, pi], rad; the axis of no rotation is z."""
        q = self.quaternion()
        s = float(np.linalg.norm(q[1:]))
        if s == 0.0:
            return np.array([0.0, 0.0, 1.0]), 0.0
        return q[1:] / s, 2.0 * math.atan2(s, float(q[0]))


def _direction(axis: ArrayLike) -> tuple[NDArray[np.float64], float]:
    """A direction and its length, in numbers whose squares are neither zero nor infinite."""
    direction = np.asarray(axis, dtype=np.float64)
    largest = float(np.abs(direction).max()) if direction.shape == (3,) else 0.0
    if not (largest > 0 and math.isfinite(largest)):
        raise BadNumber(
            f"an axis is three numbers, not all zero: this one is {np.asarray(axis).tolist()}."
        )
    if not SQUARES < largest < 1.0 / SQUARES:
        direction = direction / largest
    return direction, float(np.linalg.norm(direction))


def cosine_sine(angle: Any) -> tuple[Any, Any]:
    """Cosine and sine; exact where a plain number is a quarter turn to the last digit."""
    if isinstance(angle, (int, float)):
        if not math.isfinite(angle):
            raise BadNumber(f"an angle must be finite, this one is {angle}.")
        quarters = angle / (0.5 * math.pi)
        if quarters == int(quarters) and abs(quarters) < 1e6:
            return [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(quarters) % 4]
        return math.cos(angle), math.sin(angle)
    return np.cos(angle), np.sin(angle)
