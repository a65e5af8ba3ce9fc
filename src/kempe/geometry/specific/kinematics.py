"""Kinematics of specific coordinates: velocities and accelerations from them, and back.

The coordinates' one formula is traced; its derivatives are run on whole arrays of coordinates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.algebra import Expression, Graph, record_formula, tangent
from kempe.algebra.expression import lifted
from kempe.algebra.native import native_tape
from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.number import Floats, floats, one_to_one
from kempe.geometry.specific.abstract import AbstractOrientator, AbstractTranslator
from kempe.geometry.specific.cartesian import Cartesian

Shape = tuple[int, ...]
# The determinant by the product of the columns' lengths, 1 at best: six digits are left at this.
SINGULAR = 1e-10
# The share of a velocity that coordinates with fewer freedoms may leave out: measured data's noise.
FOLLOWED = 1e-6
Axes = Literal["body", "reference"]
XYZ = Cartesian()


@final
class Tracing:
    """Coordinates s and their rates s' as traced values, and derivatives along them."""

    def __init__(self, count: int) -> None:
        self.graph = Graph()
        self.s = [Expression(self.graph, self.graph.input(f"s{k}")) for k in range(count)]
        self.rate = [Expression(self.graph, self.graph.input(f"ds{k}")) for k in range(count)]

    def lifted(self, values: Sequence[Any]) -> list[Expression]:
        """The values as traced ones; plain numbers are constants."""
        return [lifted(self.graph, value) for value in values]

    def along(self, outputs: Sequence[Expression], k: int) -> list[Expression]:
        """Partial derivatives with respect to coordinate k."""
        one = Expression(self.graph, self.graph.constant(1.0))
        return tangent(outputs, {self.s[k].node: one})

    def in_time(self, outputs: Sequence[Expression]) -> list[Expression]:
        """Time derivatives, coordinates moving at their rates."""
        return tangent(outputs, {s.node: rate for s, rate in zip(self.s, self.rate, strict=True)})


@final
class TracedArrays:
    """Named arrays of traced values; a tape for each is made when it is first asked for."""

    def __init__(
        self, tracing: Tracing, outputs: Mapping[str, tuple[Sequence[Expression], Shape]]
    ) -> None:
        self._tracing = tracing
        self._outputs = dict(outputs)
        self._runners: dict[str, Callable[[Floats], Floats]] = {}

    def __call__(self, name: str, s: ArrayLike, rate: ArrayLike | None = None) -> Floats:
        """The quantity (..., *shape) at coordinates (..., n) and, where needed, rates (..., n)."""
        count = len(self._tracing.s)
        where = _coordinates(s, count, "coordinates")
        speed = np.zeros(count) if rate is None else _coordinates(rate, count, "rates")
        lead = one_to_one(where.shape[:-1], speed.shape[:-1])
        rows = np.empty((*lead, 2 * count))
        rows[..., :count], rows[..., count:] = where, speed
        outputs, shape = self._outputs[name]
        if not outputs:
            return np.empty((*lead, *shape))
        if name not in self._runners:
            self._runners[name] = _runner(self._tracing, outputs)
        return self._runners[name](rows.reshape(-1, 2 * count)).reshape(*lead, *shape)


def _runner(tracing: Tracing, outputs: Sequence[Expression]) -> Callable[[Floats], Floats]:
    tape = record_formula([*tracing.s, *tracing.rate], outputs)
    native = native_tape(tape)

    def run(rows: Floats) -> Floats:
        few = len(rows) < 4  # lanes run eight at a time
        return (native.evaluate if few else native.evaluate_lanes)(rows, tape.outputs)

    return run


def _coordinates(numbers: ArrayLike, count: int, what: str) -> Floats:
    array = floats(numbers, what)
    if array.shape[-1:] != (count,):
        raise BadNumber(f"{count} {what} are needed (..., {count}), these have {array.shape}.")
    if not np.isfinite(array).all():
        raise BadNumber(f"the {what} have a value that is not finite.")
    return array


def applied(matrix: Floats, vector: ArrayLike) -> Floats:
    """M x, one vector for every matrix."""
    return np.asarray(np.einsum("...ij,...j->...i", matrix, floats(vector)))


def solved(M: Floats, b: Floats) -> tuple[Floats, int | None]:
    """x (..., n) with M x = b, M (..., m, n), m >= n; and the first row that has no answer."""
    lead, (m, n) = one_to_one(M.shape[:-2], b.shape[:-1]), M.shape[-2:]
    matrices = np.broadcast_to(M, (*lead, m, n)).reshape(-1, m, n)
    right = np.broadcast_to(b, (*lead, m)).reshape(-1, m)
    lengths = np.linalg.norm(matrices, axis=1)
    if m == n:
        good = np.abs(np.linalg.det(matrices)) > SINGULAR * lengths.prod(axis=1)
    else:
        good = (lengths > SINGULAR).all(axis=1)
    if not good.all():
        return np.empty(0), int(np.argmin(good))
    if m == n:
        x = np.linalg.solve(matrices, right[..., None])[..., 0]
        return floats(x).reshape(*lead, n), None
    x = (np.linalg.pinv(matrices) @ right[..., None])[..., 0]
    left_over = np.linalg.norm((matrices @ x[..., None])[..., 0] - right, axis=1)
    good = left_over <= FOLLOWED * np.linalg.norm(right, axis=1)
    return x.reshape(*lead, n), None if good.all() else int(np.argmin(good))


@final
@dataclass(frozen=True, slots=True)
class TranslationCoordinates:
    """Everything that follows from a translator's r(s), on arrays of coordinates (..., 3).

    Source: [Pissanetzky] sec. 3.6: H = dr/ds; derived by the tracer.
    """

    translator: AbstractTranslator

    def position(self, s: ArrayLike) -> Floats:
        """r (..., 3) in m."""
        return _translation(self.translator)("r", s)

    def H(self, s: ArrayLike) -> Floats:
        """dr/ds (..., 3, 3), so that r' = H s'."""
        return _translation(self.translator)("H", s)

    def H_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of H (..., 3, 3)."""
        return _translation(self.translator)("H_rate", s, rate)

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
        found, bad = solved(H, b)
        if bad is None:
            return found
        raise SingularCoordinates(
            f"{self.translator!r} cannot follow the motion of row {bad}: it is on the axis, where"
            " the azimuth means nothing. Use Cartesian() there.",
            row=bad,
        )


@lru_cache(maxsize=64)
def _translation(translator: AbstractTranslator) -> TracedArrays:
    n = len(translator.names)
    tracing = Tracing(n)
    r = tracing.lifted(list(translator.position(tracing.s)))
    H = _by_rows([tracing.along(r, k) for k in range(n)])
    return TracedArrays(
        tracing, {"r": (r, (3,)), "H": (H, (3, n)), "H_rate": (tracing.in_time(H), (3, n))}
    )


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
        return _orientation(self.orientator)("A", s)

    def first_derivatives(self, s: ArrayLike) -> Floats:
        """dA/ds_k (..., n, 3, 3)."""
        return _orientation(self.orientator)("dA", s)

    def second_derivatives(self, s: ArrayLike) -> Floats:
        """d2A/ds_k ds_l (..., n, n, 3, 3)."""
        return _orientation(self.orientator)("d2A", s)

    def G(self, s: ArrayLike, *, axes: Axes = "body") -> Floats:
        """The matrix (..., 3, n) with w = G s': skew(G_k) = A^T dA/ds_k, or dA/ds_k A^T."""
        return _orientation(self.orientator)(f"G {_known(axes)}", s)

    def G_rate(self, s: ArrayLike, rate: ArrayLike, *, axes: Axes = "body") -> Floats:
        """The time derivative of G (..., 3, n)."""
        return _orientation(self.orientator)(f"G_rate {_known(axes)}", s, rate)

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
        return _orientation(self.orientator)("c", s)

    def C(self, s: ArrayLike) -> Floats:
        """The constraint's derivatives dc/ds (..., m, n)."""
        return _orientation(self.orientator)("C", s)

    def C_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of C (..., m, n)."""
        return _orientation(self.orientator)("C_rate", s, rate)

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
        rest = np.broadcast_to(rest, (*lead, C.shape[-2]))
        b = np.concatenate([np.broadcast_to(w, (*lead, 3)), rest], axis=-1)
        found, bad = solved(np.concatenate([G, C], axis=-2), b)
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
def _orientation(orientator: AbstractOrientator) -> TracedArrays:
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
    return TracedArrays(
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
        return diagonal([self._places.H(near), self._turns.G(far)])

    def B_rate(self, s: ArrayLike, rate: ArrayLike) -> Floats:
        """The time derivative of B (..., 6, n)."""
        (near, far), (slow, fast) = self._split(s), self._split(rate)
        return diagonal([self._places.H_rate(near, slow), self._turns.G_rate(far, fast)])

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


def diagonal(blocks: list[Floats]) -> Floats:
    """Matrices (..., i, j) one below and beside the other, zeros elsewhere."""
    lead = np.broadcast_shapes(*(block.shape[:-2] for block in blocks))
    rows, columns = (sum(block.shape[k] for block in blocks) for k in (-2, -1))
    M = np.zeros((*lead, rows, columns))
    i = j = 0
    for block in blocks:
        k, l = block.shape[-2:]
        M[..., i : i + k, j : j + l] = block
        i, j = i + k, j + l
    return M


def _padded(C: Floats) -> Floats:
    """Rows of the orientation with zeros before them, for the place."""
    return np.concatenate([np.zeros((*C.shape[:-1], 3)), C], axis=-1)
