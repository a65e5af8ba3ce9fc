"""Where things are and how they move: rotations, poses, twists, wrenches, inertias."""

from kempe.geometry.axis import Axis, X, Y, Z
from kempe.geometry.inertia import Inertia
from kempe.geometry.marker import GROUND, Marker
from kempe.geometry.pose import Pose
from kempe.geometry.rotation import Rotation
from kempe.geometry.twist import Twist
from kempe.geometry.vector import Scalar, Vector
from kempe.geometry.wrench import Wrench

__all__ = [
    "GROUND",
    "Axis",
    "Inertia",
    "Marker",
    "Pose",
    "Rotation",
    "Scalar",
    "Twist",
    "Vector",
    "Wrench",
    "X",
    "Y",
    "Z",
]
