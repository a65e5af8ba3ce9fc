"""Changing coordinates on the way, so that no singularity stops a motion."""

import warnings
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kempe.geometry.number import Floats, floats
from kempe.geometry.rotations.euler import GimbalLock
from kempe.geometry.rotations.quaternion import Quaternion
from kempe.geometry.specific.abstract import AbstractOrientator
from kempe.geometry.specific.kinematics import OrientationCoordinates

# Of G's smallest singular value: 1 at best for angles, 0.3 some 24 degrees from a gimbal lock. A
# rate of the angles is at most three times the angular velocity up to there.
LEAST_DISTANCE = 0.3


def carried(
    source: AbstractOrientator,
    target: AbstractOrientator,
    s: ArrayLike,
    rate: ArrayLike,
    second: ArrayLike,
) -> tuple[Floats, Floats, Floats]:
    """A motion (s, s', s'') of `source` coordinates in `target` ones, each (..., n).

    Own: by way of the rotation, w and alpha, which all coordinates share.
    """
    here, there = OrientationCoordinates(source), OrientationCoordinates(target)
    w = here.angular_velocity(s, rate)
    alpha = here.angular_acceleration(s, rate, second)
    new = there.coordinates(here.quaternions(s))
    new_rate = there.rates(new, w)
    return new, new_rate, there.accelerations(new, new_rate, alpha)


@final
@dataclass(frozen=True, slots=True, eq=False)
class WrittenOrientation:
    """Coordinates s (n,) of one orientation, and what they are the coordinates of."""

    orientator: AbstractOrientator
    s: Floats

    def regular(self, least: float = LEAST_DISTANCE) -> "WrittenOrientation":
        """This orientation, in the partner's coordinates if its own are nearly singular."""
        here = OrientationCoordinates(self.orientator)
        if here.singularity(self.s).distance >= least:
            return self
        partner = OrientationCoordinates(self.orientator.partner)
        return WrittenOrientation(
            self.orientator.partner, partner.coordinates(here.quaternions(self.s))
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A motion in coordinates that change on the way: sample k is in `orientators[which[k]]`."""

    orientators: tuple[AbstractOrientator, AbstractOrientator]
    which: NDArray[np.int64]
    s: Floats  # (k, n)
    rate: Floats  # (k, n)
    second: Floats  # (k, n)

    @property
    def switches(self) -> NDArray[np.int64]:
        """The samples that are the first in other coordinates."""
        return np.flatnonzero(np.diff(self.which)) + 1

    def orientation(self) -> Floats:
        """A (k, 3, 3)."""
        A = np.empty((len(self.s), 3, 3))
        for k, orientator in enumerate(self.orientators):
            mine = self.which == k
            A[mine] = OrientationCoordinates(orientator).orientation(self.s[mine])
        return A


def followed(
    orientator: AbstractOrientator,
    q: ArrayLike,
    w: ArrayLike,
    alpha: ArrayLike,
    *,
    least: float = LEAST_DISTANCE,
) -> Passage:
    """A sampled motion in these coordinates, and in their partner's where these are near singular.

    `q` (k, 4) are unit quaternions, `w` and `alpha` (k, 3) in body axes. Angles are unwrapped
    between two changes.

    Own: the choice is by the smallest singular value of G.
    """
    rotations = Quaternion().quaternions(q)
    signs = np.where(np.einsum("ij,ij->i", rotations[1:], rotations[:-1]) < 0, -1.0, 1.0)
    rotations[1:] *= np.cumprod(signs)[:, None]
    used = (orientator, orientator.partner)
    both = [OrientationCoordinates(one) for one in used]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GimbalLock)
        written = [one.coordinates(rotations) for one in both]
    which = (both[0].singularity(written[0]).distance < least).astype(np.int64)
    if used[0] == used[1]:
        which[:] = 0
    s = np.where(which[:, None] == 0, written[0], written[1])
    if orientator.period is not None:
        for piece in np.split(np.arange(len(s)), np.flatnonzero(np.diff(which)) + 1):
            s[piece] = np.unwrap(s[piece], axis=0, period=orientator.period)
    rate, second = np.empty_like(s), np.empty_like(s)
    w_all, alpha_all = (np.broadcast_to(floats(x), (len(s), 3)) for x in (w, alpha))
    for k, one in enumerate(both):
        mine = which == k
        rate[mine] = one.rates(s[mine], w_all[mine])
        second[mine] = one.accelerations(s[mine], rate[mine], alpha_all[mine])
    return Passage(used, which, s, rate, second)
