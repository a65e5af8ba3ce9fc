"""Second derivatives in the frame of a chart, bounded in whole numbers of few digits.

K_i = sum_q C_iq A^T H_q A is a sum of many terms, and its last digits do not matter: it is
multiplied by the size of the chart. So its factors are rounded to some 28 bits and multiplied
exactly as 64-bit integers; every array carries one bound of how far any of its entries may be off.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Integers = NDArray[np.int64]

SUMMABLE = 40  # bits of entries of which thousands are added up


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Numbers 2^-places (number +- off), all of them with the same bound."""

    number: Integers
    off: int
    places: int

    @classmethod
    def of(cls, x: FloatArray, bits: int) -> "Rounded":
        """Doubles, the largest of them with so many bits."""
        largest = float(np.abs(x).max(initial=0.0))
        places = bits - int(np.frexp(largest)[1]) if largest > 0.0 else 0
        return cls(np.rint(np.ldexp(x, places)).astype(np.int64), 1, places)

    def to(self, bits: int) -> "Rounded":
        """With fewer bits where it has more."""
        largest = int(np.abs(self.number).max(initial=0))
        shift = max(0, largest.bit_length() - bits)
        # what is cut off is less than 1, and so is what the bound is rounded by
        return Rounded(
            self.number >> shift, (self.off >> shift) + 2 * (shift > 0), self.places - shift
        )

    def __matmul__(self, other: "Rounded") -> "Rounded":
        inner = self.number.shape[-1]
        a, b = np.abs(self.number), np.abs(other.number)
        largest = inner * int(a.max(initial=0)) * int(b.max(initial=0))
        assert largest < 1 << 62, "the factors have too many bits"
        rows, columns = int(a.sum(axis=-1).max(initial=0)), int(b.sum(axis=-2).max(initial=0))
        off = rows * other.off + self.off * columns + inner * self.off * other.off
        return Rounded(self.number @ other.number, off, self.places + other.places)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bends:
    """Second derivatives of m rows by n unknowns, at most of size 2^exponent, dense."""

    H: Rounded  # (m, n, n)
    bits: int

    @classmethod
    def of(cls, H: FloatArray) -> "Bends":
        """From doubles that are the nearest to the true ones: rounding covers that as well."""
        bits = (61 - max(1, H.shape[-1]).bit_length()) // 2
        return cls(Rounded.of(H, bits), bits)

    def sums(self, A: FloatArray, C: FloatArray) -> list[tuple[int, int, int, int]]:
        """For every row i: sums of |K_i| over N by N, over N by T, over T by T, and their places.

        A is given by columns, T last where there are more columns than rows of C.
        """
        m, bits = len(C), self.bits
        frame = Rounded.of(A, bits)
        turned = Rounded(np.ascontiguousarray(frame.number.T), frame.off, frame.places)
        B = (frame @ (self.H @ turned).to(bits)).to(bits)  # A^T H_q A
        flat = Rounded(B.number.reshape(m, -1), B.off, B.places)
        found = []
        for row in C:
            K = (Rounded.of(row[None, :], bits) @ flat).to(SUMMABLE)
            size = (np.abs(K.number) + K.off).reshape(len(A), len(A))
            found.append(
                (
                    int(size[:m, :m].sum()),
                    int(size[:m, m:].sum()),
                    int(size[m:, m:].sum()),
                    K.places,
                )
            )
        return found
