"""The rotation about an axis, from the two factors of Rodrigues' formula."""

import numpy as np

from kempe.geometry.rotation import Rotation
from kempe.geometry.vector import Scalar, Vector


def rodrigues_rotation(a: Vector, first: Scalar, second: Scalar) -> Rotation:
    """1 + first skew(a) + second skew(a)^2, column by column."""

    def turned(axis: Vector) -> Vector:
        once = a.cross(axis)
        image: Vector = axis + once * first + a.cross(once) * second
        return image

    x, y, z = (Vector(*row) for row in np.eye(3).tolist())
    return Rotation(turned(x), turned(y), turned(z))
