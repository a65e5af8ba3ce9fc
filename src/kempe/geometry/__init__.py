"""Where things are and how they move: rotations, poses, twists, wrenches, inertias."""

from kempe.geometry.axis import Axis as Axis
from kempe.geometry.axis import X as X
from kempe.geometry.axis import Y as Y
from kempe.geometry.axis import Z as Z
from kempe.geometry.inertia import Inertia as Inertia
from kempe.geometry.marker import GROUND as GROUND
from kempe.geometry.marker import Marker as Marker
from kempe.geometry.pose import Pose as Pose
from kempe.geometry.rotation import Rotation as Rotation
from kempe.geometry.twist import Twist as Twist
from kempe.geometry.vector import Scalar as Scalar
from kempe.geometry.vector import Vector as Vector
from kempe.geometry.wrench import Wrench as Wrench
from kempe.names import exported

__all__ = exported(globals())
