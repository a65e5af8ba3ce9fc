"""Kinematic states: where a frame is and how it moves, seen from another.

States are added along a path, subtracted, inverted and re-expressed. Every rule is exact for frames
that rotate, and works on one instant or on a whole time series at once.
"""

from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, FrameMismatch
from kempe.frames.states.arrays import (
    FARTHEST,
    TOO_FAR,
    FloatArray,
    Parts,
    composed,
    inverted,
    is_in_reach,
    orthonormalised,
    six,
    transposed,
    turned,
    turned_back,
)
from kempe.geometry import Pose, Rotation, Vector
from kempe.geometry.number import floats
from kempe.notebook import in_cell, table_html

_VECTORS = ("position", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
STILL = (0.0, 0.0, 0.0)
ALL_RATES = 2  # what a state knows that has velocities and accelerations


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KinematicState:
    """Position, orientation and motion of `frame` B seen from `reference` A.

    Arrays are (3,) and (3, 3) for one instant, (n, 3) and (n, 3, 3) for many; SI units. `rotation`
    is R_AB, whose columns are the axes of B in A. Rates are those an observer in A sees. Components
    are along the axes of A, unless `expressed_in` names a third frame E; `axes` is then R_EA.
    `drift` says how far a given matrix was from orthonormal before it was put right, `known` which
    rates were given: 0 poses alone, 1 velocities too, 2 accelerations as well. Rates that were not
    given are zero: of one instant that is a frame at rest, of many it says nothing.

    Source: [Pissanetzky] ch. 3 and 4 for the operations; formulas: Own.

    Examples:
        >>> from kempe.frames import KinematicState
        >>> boom = KinematicState("boom", "crane", [0, 0, 2], angular_velocity=[0, 0, 1])
        >>> tip = KinematicState("tip", "boom", [10, 0, 0])
        >>> (boom + tip).velocity.tolist(), (boom + tip).acceleration.tolist()
        ([0.0, 10.0, 0.0], [-10.0, 0.0, 0.0])
    """

    frame: str
    reference: str
    position: FloatArray
    rotation: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    acceleration: FloatArray
    angular_acceleration: FloatArray
    expressed_in: str
    axes: FloatArray | None
    drift: float
    known: int

    def __init__(
        self,
        frame: str,
        reference: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | Rotation | None = None,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        angular_acceleration: ArrayLike | None = None,
    ) -> None:
        R = np.eye(3) if rotation is None else matrices(rotation)
        R, drift = orthonormalised(R)
        given = (position, velocity, angular_velocity, acceleration, angular_acceleration)
        rows = [
            vectors(word, STILL if x is None else x)
            for word, x in zip(_VECTORS, given, strict=True)
        ]
        known = _known(R, rows[0], given)
        shape = _common_shape(R, rows)
        if shape:
            rows = [np.broadcast_to(x, (*shape, 3)) for x in rows]
            R = np.broadcast_to(R, (*shape, 3, 3))
        p, v, w, a, alpha = rows
        _fill(self, frame, reference, p, R, v, w, a, alpha, reference, None, drift, known)

    # -- the operations ----------------------------------------------------------------------

    def __add__(self, other: "KinematicState") -> "KinematicState":
        """C seen from A, by way of B: the state of B in A plus that of C in B.

        p_AC = p + d                          d = R_AB p_BC
        v_AC = v + w x d + u                  u = R_AB v_BC
        a_AC = a + alpha x d + w x (w x d) + 2 w x u + R_AB a_BC
        w_AC = w + s                          s = R_AB w_BC
        alpha_AC = alpha + w x s + R_AB alpha_BC

        alpha x d is Euler's term, w x (w x d) the centripetal and 2 w x u the Coriolis one.
        """
        if not isinstance(other, KinematicState):
            return NotImplemented
        if self.frame != other.reference:
            raise FrameMismatch(
                f"the state of {self.frame!r} cannot be followed by one seen from"
                f" {other.reference!r}: a path goes on where it has come to. Add a state seen from"
                f" {self.frame!r}, or invert one of them.",
                first=self.frame,
                second=other.reference,
            )
        b, c = self.resolved(), other.resolved()
        parts = composed(b.parts, c.parts)
        known = min(b.known_rates, c.known_rates)
        return made(c.frame, b.reference, parts, known=known)

    def __sub__(self, last: "KinematicState") -> "KinematicState":
        """Direct subtraction: what comes before `last`, so that (a + b) - b = a.

        S_AB = S_AC - S_BC = S_AC + inverse(S_BC)
        """
        if not isinstance(last, KinematicState):
            return NotImplemented
        said = f"the state of {last.frame!r} cannot be subtracted from that of {self.frame!r}"
        require_same(self.frame, last.frame, f"{said}: both must end in the same frame.")
        return self + last.inverse()

    def after(self, first: "KinematicState") -> "KinematicState":
        """Transposed subtraction: what comes after `first`, so that (a + b).after(a) = b.

        S_BC = inverse(S_AB) + S_AC
        """
        said = f"a state seen from {first.reference!r} cannot be taken off one seen from"
        said += f" {self.reference!r}: both must start in the same frame."
        require_same(self.reference, first.reference, said)
        return first.inverse() + self

    def inverse(self) -> "KinematicState":
        """A seen from B, with components along B.

        Source: [Pissanetzky] 4.5; the terms follow from S_AB + S_BA = 0.
        """
        s = self.resolved()
        return made(s.reference, s.frame, inverted(s.parts), known=s.known)

    __neg__ = inverse

    def assigned(self, frame: str, reference: str) -> "KinematicState":
        """These numbers given to another pair of frames: the assignment of a state."""
        s = self.resolved()
        return made(frame, reference, s.parts, known=s.known)

    # -- whose axes --------------------------------------------------------------------------

    def expressed(self, axes: "KinematicState") -> "KinematicState":
        """This state with components along the axes of the frame that `axes` is of.

        `axes` is the state of E seen from A; only its orientation counts. Rates stay those that A
        sees: they are resolved in E, not differentiated there.
        """
        said = f"the state is seen from {self.reference!r}, but the axes of {axes.frame!r} are"
        said += f" given in {axes.reference!r}: give them as seen from {self.reference!r}."
        require_same(self.reference, axes.reference, said)
        s = self.resolved()
        R_EA = transposed(axes.rotation)
        parts = six(x if x is s.rotation else turned(R_EA, x) for x in s.parts)
        return made(s.frame, s.reference, parts, axes.frame, R_EA, known=s.known)

    def resolved(self) -> "KinematicState":
        """This state with components along the axes of its own reference."""
        if self.axes is None:
            return self
        back = six(x if x is self.rotation else turned_back(self.axes, x) for x in self.parts)
        return made(self.frame, self.reference, back, known=self.known)

    def orthonormalised(self) -> "KinematicState":
        """This state with its matrices put right; `drift` says by how much."""
        R, drift = orthonormalised(self.rotation)
        parts = (self.position, R, *self.parts[2:])
        return made(
            self.frame, self.reference, parts, self.expressed_in, self.axes, drift, self.known
        )

    # -- reading -----------------------------------------------------------------------------

    @property
    def parts(self) -> Parts:
        """Position, rotation, velocity, angular velocity, acceleration, angular acceleration."""
        return (
            self.position,
            self.rotation,
            self.velocity,
            self.angular_velocity,
            self.acceleration,
            self.angular_acceleration,
        )

    @property
    def known_rates(self) -> int:
        """`known`, with the frame of one instant at rest where its rates were not given."""
        return ALL_RATES if self.position.ndim == 1 else self.known

    @property
    def pose(self) -> Pose:
        """X_AB, of a state of one instant."""
        if self.rotation.ndim != 2:
            raise BadNumber(
                f"a pose is of one instant, and this state has {len(self)}: take one, state[k]."
            )
        s = self.resolved()
        x, y, z = (Vector(*column) for column in s.rotation.T.tolist())
        return Pose(Vector(*s.position.tolist()), Rotation(x, y, z))

    def __len__(self) -> int:
        return 1 if self.position.ndim == 1 else len(self.position)

    def __getitem__(self, k: int | slice) -> "KinematicState":
        parts = six(x[k] for x in self.parts)
        axes = self.axes if self.axes is None or self.axes.ndim == 2 else self.axes[k]
        return made(
            self.frame, self.reference, parts, self.expressed_in, axes, self.drift, self.known
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the vectors, at the last of the instants where there are many."""
        rows = []
        for word in _VECTORS:
            value = np.atleast_2d(getattr(self, word))[-1]
            rows.append([word.replace("_", " "), *(in_cell(float(c)) for c in value)])
        return table_html(["", "x", "y", "z"], rows, repr(self))

    def __repr__(self) -> str:
        many = "" if self.position.ndim == 1 else f", {len(self)} instants"
        axes = "" if self.axes is None else f", in the axes of {self.expressed_in!r}"
        worn = f", re-orthonormalised by {self.drift:.2g}" if self.drift else ""
        where = f" at {self.position.tolist()}" if self.position.ndim == 1 else ""
        return f"state of {self.frame!r} seen from {self.reference!r}{where}{axes}{many}{worn}"


_FIELDS = tuple(field.name for field in fields(KinematicState))


def require_same(first: str, second: str, said: str) -> None:
    """A FrameMismatch with this message where two frames are not one."""
    if first != second:
        raise FrameMismatch(said, first=first, second=second)


def _known(R: FloatArray, position: FloatArray, given: tuple[ArrayLike | None, ...]) -> int:
    """Which rates a state knows: those that were given, and the zero ones of what stays."""
    _, v, w, a, alpha = given
    if position.ndim == 1 and R.ndim == 2:
        return 2 if a is not None or alpha is not None else int(v is not None or w is not None)
    moving = [(v, a)] if position.ndim > 1 else []
    moving += [(w, alpha)] if R.ndim > 2 else []
    return min(0 if rate is None else 1 if second is None else ALL_RATES for rate, second in moving)


def made(
    frame: str,
    reference: str,
    parts: Parts,
    expressed_in: str | None = None,
    axes: FloatArray | None = None,
    drift: float = 0.0,
    known: int = ALL_RATES,
) -> KinematicState:
    """A state of arrays that are known to be sound, without looking at them again."""
    state = object.__new__(KinematicState)
    _fill(state, frame, reference, *parts, expressed_in or reference, axes, drift, known)
    return state


def _fill(state: KinematicState, *values: Any) -> None:
    """Set all fields of a frozen state, in their order, and close its six arrays to writing."""
    for name, value in zip(_FIELDS, values, strict=True):
        object.__setattr__(state, name, value)
    for array in values[2:8]:
        array.flags.writeable = False


def matrices(rotation: ArrayLike | Rotation) -> FloatArray:
    """A rotation, a matrix or many of them as an array of its own."""
    if isinstance(rotation, Rotation):
        return rotation.matrix()
    return np.array(floats(rotation, "a rotation matrix"))


def vectors(word: str, given: ArrayLike) -> FloatArray:
    """A vector within reach or many of them as an array of its own."""
    x = np.array(floats(given, f"a state's {word}"))
    if x.shape == (3,) and sum(map(abs, x.tolist())) < FARTHEST:
        return x  # the common case, without the long way round
    word = word.replace("_", " ")
    if x.ndim == 0 or x.shape[-1] != 3 or x.ndim > 2:
        raise BadNumber(f"a state's {word} is (3,) or (n, 3), this one is {x.shape}.")
    if not np.isfinite(x).all():
        raise BadNumber(f"a state's {word} must be finite, this one is {x.tolist()}.")
    if not is_in_reach(x):
        raise BadNumber(f"a state's {word} has {TOO_FAR}")
    return x


def _common_shape(R: FloatArray, vectors: list[FloatArray]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(R.shape[:-2], *(x.shape[:-1] for x in vectors))
    except ValueError:
        sizes = sorted({x.shape[0] for x in vectors if x.ndim == 2} | {*R.shape[:-2]})
        raise BadNumber(
            f"the parts of a state have different numbers of instants: {sizes}."
        ) from None
