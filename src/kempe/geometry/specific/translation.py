"""What coordinates of places do: velocities and accelerations from them, and back."""

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.array import floats, one_to_one
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.specific.abstract import AbstractTranslator
from kempe.geometry.specific.solving import applied, solved
from kempe.geometry.specific.traced import Quantities, Tracing


@final
@dataclass(frozen=True, slots=True)
class TranslationCoordinates:
    """Everything that follows from a translator's r(s), on arrays of coordinates (..., 3).

    Source: [Pissanetzky] sec. 3.6: H = dr/ds; derived by the tracer.
    """

    translator: AbstractTranslator

    def position(self, s: ArrayLike) -> Floats:
        """r (..., 3) in m."""
        return _quantities(self.translator)("r", s)

    def H(self, s: ArrayLike) -> Floats:
        """dr/ds (..., 3, 3), so that r' = H s'."""
        return _quantities(self.translator)("H", s)

    def H_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of H (..., 3, 3)."""
        return _quantities(self.translator)("H_rate", s, rate)

    def velocity(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """v = H s' (..., 3) in m/s."""
        return applied(self.H(s), rate)

    def acceleration(self, s: ArrayLike, rate: ArrayLike, second: ArrayLike) -> Floats:
        """a = H s'' + H' s' (..., 3) in m/s^2."""
        return np.asarray(applied(self.H(s), second) + applied(self.H_rate(s, rate), rate))

    def rates(self, s: ArrayLike, v: ArrayLike) -> Floats:
        """s' = H^-1 v (..., 3)."""
        return self._solved(self.H(s), floats(v))

    def accelerations(self, s: ArrayLike, rate: ArrayLike, a: ArrayLike) -> Floats:
        """s'' = H^-1 (a - H' s') (..., 3)."""
        rest = floats(a) - applied(self.H_rate(s, rate), rate)
        return self._solved(self.H(s), rest)

    def coordinates(self, positions: ArrayLike) -> Floats:
        """s (..., 3) of positions (..., 3) in m."""
        return self.translator.coordinates(floats(positions))

    def _solved(self, H: Floats, b: Floats) -> Floats:
        if b.shape[-1:] != (3,):
            raise BadNumber(f"velocities are (..., 3), these are {b.shape}.")
        lead = one_to_one(H.shape[:-2], b.shape[:-1])
        found, bad = solved(np.broadcast_to(H, (*lead, 3, 3)), np.broadcast_to(b, (*lead, 3)))
        if bad is None:
            return found
        raise SingularCoordinates(
            f"{self.translator!r} cannot follow the motion of row {bad}: it is on the axis, where"
            " the azimuth means nothing. Use Cartesian() there.",
            row=bad,
        )


@lru_cache(maxsize=64)
def _quantities(translator: AbstractTranslator) -> Quantities:
    n = len(translator.names)
    tracing = Tracing(n)
    r = tracing.lifted(list(translator.position(tracing.s)))
    columns = [tracing.along(r, k) for k in range(n)]
    H = [column[i] for i in range(3) for column in columns]
    return Quantities(
        tracing, {"r": (r, (3,)), "H": (H, (3, n)), "H_rate": (tracing.in_time(H), (3, n))}
    )
