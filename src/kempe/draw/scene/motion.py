"""Where one body is at every sample."""

from dataclasses import dataclass
from typing import final

import numpy as np

from kempe.draw.scene.coordinates import FloatArray, samples

UNIT_TOLERANCE = 1e-3  # a quaternion further from length 1 than this is a mistake, not round-off
TILT_TOLERANCE = 1e-6  # rad by which a body may lean out of the plane


@final
@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The pose X_WB of a body's frame over time.

    p_WP = position + R(rotation) p_BP
    """

    position: FloatArray  # (n, 3) or (n, 2), m, of the body's origin in the world
    rotation: FloatArray  # (n,) rad about z, or (n, 4) unit quaternion (w, x, y, z) of R_WB

    def __post_init__(self) -> None:
        position = samples(self.position, "position")
        rotation = samples(self.rotation, "rotation")
        if position.ndim != 2 or position.shape[1] not in (2, 3):
            raise ValueError(f"position must be (n, 2) or (n, 3), not {position.shape}.")
        if rotation.ndim not in (1, 2) or (rotation.ndim == 2 and rotation.shape[1] != 4):
            raise ValueError(
                f"rotation must be (n,) angles or (n, 4) quaternions, not {rotation.shape}."
            )
        if len(rotation) != len(position):
            raise ValueError(f"there are {len(position)} positions but {len(rotation)} rotations.")
        if position.shape[1] == 2:
            position = np.column_stack([position, np.zeros(len(position))])
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "rotation", _unit(rotation) if rotation.ndim == 2 else rotation)

    def __len__(self) -> int:
        return len(self.position)

    @property
    def quaternions(self) -> FloatArray:
        """Rotations (n, 4), each on the side of the one before it, so that they can be blended."""
        if self.rotation.ndim == 1:
            half = 0.5 * self.rotation
            zero = np.zeros_like(half)
            return np.column_stack([np.cos(half), zero, zero, np.sin(half)])
        turned = np.sum(self.rotation[1:] * self.rotation[:-1], axis=1) < 0.0
        sign = np.where(np.concatenate([[0], np.cumsum(turned)]) % 2 == 1, -1.0, 1.0)
        return self.rotation * sign[:, None]

    @property
    def lean(self) -> float:
        """The largest angle in rad between the body's z axis and the world's."""
        if self.rotation.ndim == 1:
            return 0.0
        half = np.hypot(self.rotation[:, 1], self.rotation[:, 2]).max(initial=0.0)
        return 2.0 * float(np.arcsin(min(half, 1.0)))

    @property
    def angles(self) -> FloatArray:
        """Turns (n,) about z in rad, unwrapped; what a body that leans does besides is lost."""
        if self.rotation.ndim == 1:
            return np.unwrap(self.rotation)
        return np.unwrap(2.0 * np.arctan2(self.rotation[:, 3], self.rotation[:, 0]))

    def matrix(self, index: int) -> FloatArray:
        """Rotation matrix R_WB (3, 3) at one sample."""
        one = Motion(self.position[index][None], self.rotation[index][None])
        return np.array(one.matrices()[0])

    def matrices(self) -> FloatArray:
        """Rotation matrices R_WB (n, 3, 3)."""
        w, x, y, z = self.quaternions.T
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return np.array(np.moveaxis(np.array(rows), -1, 0), dtype=float)

    def carried(self, points: FloatArray) -> FloatArray:
        """World positions (n, m, 3) of points (m, 3) of the body."""
        turned = np.einsum("nij,mj->nmi", self.matrices(), points)
        return np.array(self.position[:, None, :] + turned)


def _unit(quaternions: FloatArray) -> FloatArray:
    """Quaternions of length 1, refused where they are too far from it to be rotations."""
    length = np.linalg.norm(quaternions, axis=1)
    off = np.abs(length - 1.0)
    if (off > UNIT_TOLERANCE).any():
        worst = int(off.argmax())
        raise ValueError(
            f"the quaternion of sample {worst} has length {length[worst]:.6g}: "
            "rotations are unit quaternions (w, x, y, z)."
        )
    return np.array(quaternions / length[:, None])
