"""Fourier descriptors of closed curves in the plane, x + iy over the share of their length.

z(s) = sum over k of c_k e^(2 pi i k s). A move changes c_0, a turn by a and a size r multiply all
by r e^(ia), another beginning multiplies c_k by e^(ikb), the other sense swaps c_k and c_-k. So c_0
is left out, all are divided by their norm, the sense has |c_1| >= |c_-1|, and a and b make c_1 and
c_-1 real and positive. That leaves b + pi: every curve has two forms, of which c_k for even k
differ by their signs.

Source: [KuhlGiardina], whose coefficients are those of x and y; as complex numbers and over the
length: Own.
"""

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

HARMONICS: Final = 8
KS: Final = np.array([k for k in range(-HARMONICS, HARMONICS + 1) if k])
RESAMPLED: Final = 128  # places, evenly along a curve
FEWEST: Final = 3


@final
@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Curves by their descriptors: `c` (curves, 16) normalised, and what was taken out.

    A curve is centre + size e^(-i turn) times that of its descriptors, begun elsewhere.
    """

    c: ComplexArray
    centre: ComplexArray  # (curves,)
    size: FloatArray
    turn: FloatArray

    @property
    def vectors(self) -> FloatArray:
        """The descriptors as real vectors (curves, 32)."""
        return np.hstack([self.c.real, self.c.imag])

    def other_form(self) -> "Described":
        """Each curve begun half a turn of its first harmonic later: what else it may be like."""
        sign = np.where(KS % 2 == 0, -1.0, 1.0)
        return Described(self.c * sign, self.centre, self.size, self.turn + np.pi)

    def mirrored(self) -> "Described":
        """The curves seen in a mirror: of z, its conjugate."""
        return Described(self.c.conj(), self.centre.conj(), self.size, -self.turn)


def described(curves: ComplexArray) -> Described:
    """Descriptors of closed curves (curves, n), whose last place may repeat the first."""
    z = _along(curves)
    spectrum = np.fft.fft(z, axis=1) / z.shape[1]
    c = spectrum[:, KS]
    size = np.linalg.norm(c, axis=1)
    if not (size > 0.0).all():
        raise BadNumber("a curve whose places are all the same has no shape.")
    c = c / size[:, None]
    first, last = np.searchsorted(KS, 1), np.searchsorted(KS, -1)
    back = np.abs(c[:, first]) < np.abs(c[:, last])
    c[back] = c[back, ::-1]
    plus, minus = np.angle(c[:, first]), np.angle(c[:, last])
    turn, later = -0.5 * (plus + minus), -0.5 * (plus - minus)
    c = c * np.exp(1j * (turn[:, None] + later[:, None] * KS))
    return Described(c, spectrum[:, 0], size, turn)


def _along(curves: ComplexArray) -> ComplexArray:
    """Curves at places evenly along their lengths, closed."""
    if curves.shape[1] < FEWEST:
        raise BadNumber(f"a closed curve needs {FEWEST} places or more, not {curves.shape[1]}.")
    closed = np.hstack([curves, curves[:, :1]])
    length = np.abs(np.diff(closed, axis=1))
    s = np.hstack([np.zeros((len(curves), 1)), np.cumsum(length, axis=1)])
    even = np.arange(RESAMPLED) / RESAMPLED
    return np.array(
        [
            np.interp(even * way[-1], way, z.real) + 1j * np.interp(even * way[-1], way, z.imag)
            for way, z in zip(s, closed, strict=True)
        ]
    )
