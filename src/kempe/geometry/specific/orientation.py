"""What orientation coordinates do: angular velocities and accelerations from them, and back."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression
from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.array import floats, one_to_one
from kempe.geometry.rotations.abstract import Floats
from kempe.geometry.specific.abstract import AbstractOrientator
from kempe.geometry.specific.solving import applied, solved
from kempe.geometry.specific.traced import Quantities, Tracing

Axes = Literal["body", "reference"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Singularity:
    """How near coordinates are to a place where they cannot follow some motion."""

    condition: Floats  # (...), of G: largest by smallest singular value, 1 at best
    distance: Floats  # (...), smallest singular value of G, 0 at the singularity


@final
@dataclass(frozen=True, slots=True)
class OrientationCoordinates:
    """Everything that follows from an orientator's A(s), on arrays of coordinates (..., n).

    S turns in F: w is its angular velocity (rad/s), in the axes of S ("body") or F ("reference").

    Source: [Pissanetzky] eq. 3.42, 3.43; derived by the tracer.
    """

    orientator: AbstractOrientator

    def orientation(self, s: ArrayLike) -> Floats:
        """A (..., 3, 3)."""
        return _quantities(self.orientator)("A", s)

    def first_derivatives(self, s: ArrayLike) -> Floats:
        """dA/ds_k (..., n, 3, 3)."""
        return _quantities(self.orientator)("dA", s)

    def second_derivatives(self, s: ArrayLike) -> Floats:
        """d2A/ds_k ds_l (..., n, n, 3, 3)."""
        return _quantities(self.orientator)("d2A", s)

    def G(self, s: ArrayLike, *, axes: Axes = "body") -> Floats:
        """The matrix (..., 3, n) with w = G s': skew(G_k) = A^T dA/ds_k, or dA/ds_k A^T."""
        return _quantities(self.orientator)(f"G {_known(axes)}", s)

    def G_rate(self, s: ArrayLike, rate: ArrayLike, *, axes: Axes = "body") -> Floats:
        """The time derivative of G (..., 3, n)."""
        return _quantities(self.orientator)(f"G_rate {_known(axes)}", s, rate)

    def angular_velocity(self, s: ArrayLike, rate: ArrayLike, *, axes: Axes = "body") -> Floats:
        """w = G s' (..., 3)."""
        return applied(self.G(s, axes=axes), rate)

    def angular_acceleration(
        self, s: ArrayLike, rate: ArrayLike, second: ArrayLike, *, axes: Axes = "body"
    ) -> Floats:
        """alpha = G s'' + G' s' (..., 3)."""
        G, G_rate = self.G(s, axes=axes), self.G_rate(s, rate, axes=axes)
        return np.asarray(applied(G, second) + applied(G_rate, rate))

    def rates(self, s: ArrayLike, w: ArrayLike, *, axes: Axes = "body") -> Floats:
        """s' (..., n) of an angular velocity; kept on the constraint where there is one.

        G s' = w,  C s' = 0,  C = dc/ds
        """
        C = self.C(s)
        return self._solved(self.G(s, axes=axes), floats(w), C, np.zeros(C.shape[:-1]))

    def accelerations(
        self, s: ArrayLike, rate: ArrayLike, alpha: ArrayLike, *, axes: Axes = "body"
    ) -> Floats:
        """s'' (..., n) of an angular acceleration.

        G s'' = alpha - G' s',  C s'' = -C' s'
        """
        C = self.C(s)
        left = floats(alpha) - applied(self.G_rate(s, rate, axes=axes), rate)
        drift = -applied(self.C_rate(s, rate), rate)
        return self._solved(self.G(s, axes=axes), left, C, drift)

    def constraint(self, s: ArrayLike) -> Floats:
        """What must be zero (..., m): one row for Euler parameters, none for angles."""
        return _quantities(self.orientator)("c", s)

    def C(self, s: ArrayLike) -> Floats:
        """The constraint's derivatives dc/ds (..., m, n)."""
        return _quantities(self.orientator)("C", s)

    def C_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of C (..., m, n)."""
        return _quantities(self.orientator)("C_rate", s, rate)

    def singularity(self, s: ArrayLike) -> Singularity:
        """Condition and distance, by the singular values of G."""
        values = np.linalg.svd(self.G(s), compute_uv=False)
        with np.errstate(divide="ignore"):
            condition = np.asarray(values[..., 0] / values[..., -1], dtype=np.float64)
        return Singularity(condition, np.asarray(values[..., -1], dtype=np.float64))

    def coordinates(self, q: ArrayLike) -> Floats:
        """s (..., n) of unit quaternions (..., 4), scalar first."""
        return self.orientator.representation.of_quaternions(floats(q))

    def quaternions(self, s: ArrayLike) -> Floats:
        """Unit quaternions (..., 4), scalar first."""
        return self.orientator.representation.quaternions(s)

    def _solved(self, G: Floats, w: Floats, C: Floats, rest: Floats) -> Floats:
        if w.shape[-1:] != (3,):
            raise BadNumber(f"angular velocities are (..., 3), these are {w.shape}.")
        lead = one_to_one(G.shape[:-2], w.shape[:-1])
        M = np.concatenate([G, C], axis=-2)
        rest = np.broadcast_to(rest, (*lead, C.shape[-2]))
        b = np.concatenate([np.broadcast_to(w, (*lead, 3)), rest], axis=-1)
        found, bad = solved(np.broadcast_to(M, (*lead, *M.shape[-2:])), b)
        if bad is None:
            return found
        partner = self.orientator.partner
        advice = "Change to quaternions" if partner == self.orientator else f"Change to {partner!r}"
        raise SingularCoordinates(
            f"{self.orientator!r} cannot follow the motion of row {bad}: its G is singular there,"
            f" or the motion is outside its freedoms. {advice}, or use `followed`, which does.",
            row=bad,
        )


def _known(axes: str) -> str:
    if axes not in ("body", "reference"):
        raise BadNumber(f"angular velocities are in 'body' or 'reference' axes, not {axes!r}.")
    return axes


@lru_cache(maxsize=256)
def _quantities(orientator: AbstractOrientator) -> Quantities:
    n = len(orientator.names)
    tracing = Tracing(n)
    R = orientator.A(tracing.s)
    A = tracing.lifted([column[i] for i in range(3) for column in (R.x, R.y, R.z)])
    dA = [tracing.along(A, k) for k in range(n)]
    d2A = [tracing.along(dA[k], l) for k in range(n) for l in range(n)]
    body = _by_rows([_axial(_transposed(A), d) for d in dA])
    reference = _by_rows([_axial(d, _transposed(A)) for d in dA])
    c = tracing.lifted(orientator.constraint(tracing.s))
    C = _by_rows([tracing.along(c, k) for k in range(n)])
    return Quantities(
        tracing,
        {
            "A": (A, (3, 3)),
            "dA": ([e for d in dA for e in d], (n, 3, 3)),
            "d2A": ([e for d in d2A for e in d], (n, n, 3, 3)),
            "G body": (body, (3, n)),
            "G reference": (reference, (3, n)),
            "G_rate body": (tracing.in_time(body), (3, n)),
            "G_rate reference": (tracing.in_time(reference), (3, n)),
            "c": (c, (len(c),)),
            "C": (C, (len(c), n)),
            "C_rate": (tracing.in_time(C), (len(c), n)),
        },
    )


def _transposed(m: list[Expression]) -> list[Expression]:
    return [m[3 * j + i] for i in range(3) for j in range(3)]


def _by_rows(columns: list[list[Expression]]) -> list[Expression]:
    return [column[i] for i in range(len(columns[0])) for column in columns]


def _axial(a: list[Expression], b: list[Expression]) -> list[Expression]:
    """The axial vector of the skew part of the product a b."""

    def entry(i: int, j: int) -> Expression:
        return a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]

    return [0.5 * (entry(k, j) - entry(j, k)) for j, k in ((1, 2), (2, 0), (0, 1))]
