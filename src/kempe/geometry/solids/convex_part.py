"""Convex parts: what a solid is made of where distances are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.errors import BadNumber
from kempe.geometry import Pose
from kempe.geometry.number import Floats

UPRIGHT = 1e-9  # rad: an axis so near to a direction is along it


@final
@dataclass(frozen=True, slots=True, eq=False)
class ConvexPart:
    """The convex hull of points, rounded: a ball of `radius` is rolled over it, a disc along it.

    part = hull(points) + ball(radius) + disc(rim),  the disc square to `axis`

    A ball is one point with a radius, a round bar two points with a rim.
    """

    points: Floats  # (n, 3), m
    radius: float = 0.0  # m
    rim: float = 0.0  # m
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)  # of the disc, a unit vector

    def seen_from(self, at: Pose) -> "ConvexPart":
        """The part in another frame, in which its own lies at `at`."""
        R = np.array(at.rotation.matrix(), dtype=float)
        p = np.array([float(c) for c in at.position])
        x, y, z = (R @ np.array(self.axis)).tolist()
        return ConvexPart(self.points @ R.T + p, self.radius, self.rim, (x, y, z))

    @property
    def centre(self) -> Floats:
        """The middle (3,) of its points (m)."""
        return np.asarray((self.points.min(axis=0) + self.points.max(axis=0)) / 2.0)

    @property
    def reach(self) -> float:
        """How far it reaches from its centre, at most (m)."""
        far = float(np.linalg.norm(self.points - self.centre, axis=1).max())
        return far + self.radius + self.rim

    @property
    def height(self) -> tuple[float, float]:
        """From where to where it reaches along z (m)."""
        z, tilt = self.points[:, 2], float(np.hypot(self.axis[0], self.axis[1]))
        more = self.radius + self.rim * tilt
        return float(z.min()) - more, float(z.max()) + more

    def footprint(self) -> "ConvexPart":
        """What it covers of the plane z = 0: points with a radius, the disc gone.

        A disc lies flat or stands on its edge: what is tilted covers an ellipse.
        """
        flat = self.points * [1.0, 1.0, 0.0]
        ax, ay, az = self.axis
        if self.rim == 0.0 or np.hypot(ax, ay) < UPRIGHT:
            return ConvexPart(flat, self.radius + self.rim)
        if abs(az) > UPRIGHT:
            raise BadNumber(
                "a round solid in a planar mechanism has its axis along z or in the plane; this one"
                f" is tilted by {np.degrees(np.arccos(min(abs(az), 1.0))):.3g} deg."
            )
        aside = self.rim * np.array([-ay, ax, 0.0])
        return ConvexPart(np.vstack([flat + aside, flat - aside]), self.radius)


def prisms(polygons: Sequence[Floats], thickness: float) -> tuple[ConvexPart, ...]:
    """Plates over convex polygons (n, 2), half the thickness (m) on either side of z = 0."""
    half = thickness / 2.0
    return tuple(
        ConvexPart(
            np.vstack([np.column_stack([p, np.full(len(p), z)]) for z in (-half, half)]),
        )
        for p in polygons
    )
