"""Specific coordinates of a whole body: those of a place and those of an orientation."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber
from kempe.geometry.array import floats
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.specific.abstract import AbstractOrientator, AbstractTranslator
from kempe.geometry.specific.cartesian import Cartesian
from kempe.geometry.specific.orientation import OrientationCoordinates
from kempe.geometry.specific.solving import applied
from kempe.geometry.specific.translation import TranslationCoordinates

XYZ = Cartesian()


@final
@dataclass(frozen=True, slots=True)
class BodyCoordinates:
    """s (..., n): three coordinates of the body's origin, then those of its orientation.

    Its motion is the twist V = (v, w): v of the origin (m/s) in the axes of the reference, w
    (rad/s) in the body's own.

    V = B s',  V' = B s'' + B' s',  B = [[H, 0], [0, G]]

    Source: [Pissanetzky] sec. 3.6 and 3.7.
    """

    orientator: AbstractOrientator
    translator: AbstractTranslator = XYZ

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coordinates, in their order."""
        return (*self.translator.names, *self.orientator.names)

    @property
    def count(self) -> int:
        """How many coordinates there are."""
        return len(self.names)

    def place(self, s: ArrayLike) -> tuple[Floats, Floats]:
        """Position r (..., 3) in m and orientation A (..., 3, 3)."""
        near, far = self._split(s)
        return self._places.position(near), self._turns.orientation(far)

    def coordinates(self, positions: ArrayLike, q: ArrayLike) -> Floats:
        """s of positions (..., 3) in m and unit quaternions (..., 4), scalar first."""
        return _beside(self._places.coordinates(positions), self._turns.coordinates(q))

    def B(self, s: ArrayLike) -> Floats:
        """The matrix (..., 6, n) with V = B s'."""
        near, far = self._split(s)
        return _diagonal(self._places.H(near), self._turns.G(far))

    def B_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of B (..., 6, n)."""
        (near, far), (slow, fast) = self._split(s), self._split(rate)
        return _diagonal(self._places.H_rate(near, slow), self._turns.G_rate(far, fast))

    def twist(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """V = B s' (..., 6)."""
        return applied(self.B(s), rate)

    def twist_rate(self, s: ArrayLike, rate: ArrayLike, second: ArrayLike) -> Floats:
        """V' = B s'' + B' s' (..., 6)."""
        return np.asarray(applied(self.B(s), second) + applied(self.B_rate(s, rate), rate))

    def rates(self, s: ArrayLike, twist: ArrayLike) -> Floats:
        """s' of a twist."""
        (near, far), V = self._split(s), floats(twist)
        return _beside(self._places.rates(near, V[..., :3]), self._turns.rates(far, V[..., 3:]))

    def accelerations(self, s: ArrayLike, rate: ArrayLike, twist_rate: ArrayLike) -> Floats:
        """s'' of the rate of a twist."""
        (near, far), (slow, fast) = self._split(s), self._split(rate)
        a = floats(twist_rate)
        return _beside(
            self._places.accelerations(near, slow, a[..., :3]),
            self._turns.accelerations(far, fast, a[..., 3:]),
        )

    def C(self, s: ArrayLike) -> Floats:
        """What the coordinates must keep, differentiated (..., m, n): C s' = 0."""
        return _padded(self._turns.C(self._split(s)[1]))

    def C_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of C (..., m, n)."""
        return _padded(self._turns.C_rate(self._split(s)[1], self._split(rate)[1]))

    @property
    def _places(self) -> TranslationCoordinates:
        return TranslationCoordinates(self.translator)

    @property
    def _turns(self) -> OrientationCoordinates:
        return OrientationCoordinates(self.orientator)

    def _split(self, s: ArrayLike) -> tuple[Floats, Floats]:
        numbers = floats(s)
        if numbers.shape[-1:] != (self.count,):
            raise BadNumber(
                f"a body in these coordinates has {self.count} numbers"
                f" ({', '.join(self.names)}), these are {numbers.shape}."
            )
        return numbers[..., :3], numbers[..., 3:]


def _beside(a: Floats, b: Floats) -> Floats:
    lead = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    both = [np.broadcast_to(x, (*lead, x.shape[-1])) for x in (a, b)]
    return np.concatenate(both, axis=-1)


def _diagonal(a: Floats, b: Floats) -> Floats:
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (i, j), (k, l) = a.shape[-2:], b.shape[-2:]
    M = np.zeros((*lead, i + k, j + l))
    M[..., :i, :j], M[..., i:, j:] = a, b
    return M


def _padded(C: Floats) -> Floats:
    """Rows of the orientation with zeros before them, for the place."""
    return np.concatenate([np.zeros((*C.shape[:-1], 3)), C], axis=-1)
