"""Vectors and tensors that know the frame they are expressed in, and refuse to be mixed."""

from dataclasses import dataclass
from typing import ClassVar, Self, final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, FrameMismatch
from kempe.frames.states.arrays import TOO_FAR, FloatArray, cross, is_in_reach, transposed, turned
from kempe.frames.states.state import KinematicState, require_same
from kempe.geometry.number import floats


@dataclass(frozen=True, slots=True, eq=False, init=False)
class AbstractFramed:
    """Components along the axes of `frame`; one such thing, or many, one an instant."""

    word: ClassVar[str]
    rank: ClassVar[int]

    components: FloatArray
    frame: str

    def __init__(self, components: ArrayLike, frame: str) -> None:
        x = np.array(floats(components, "components"))
        if x.ndim not in (self.rank, self.rank + 1) or x.shape[-self.rank :] != (3,) * self.rank:
            raise BadNumber(f"components are {(3,) * self.rank} or (n, ...), these are {x.shape}.")
        if not np.isfinite(x).all():
            raise BadNumber(f"components must be finite, these are {x.tolist()}.")
        if not is_in_reach(x):
            raise BadNumber(f"components have {TOO_FAR}")
        x.flags.writeable = False
        object.__setattr__(self, "components", x)
        object.__setattr__(self, "frame", frame)

    def __add__(self, other: Self) -> Self:
        self._require_frame_of(other, "added")
        return type(self)(self.components + other.components, self.frame)

    def __sub__(self, other: Self) -> Self:
        self._require_frame_of(other, "subtracted")
        return type(self)(self.components - other.components, self.frame)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.components * factor, self.frame)

    __rmul__ = __mul__

    def _require_frame_of(self, other: "AbstractFramed", verb: str) -> None:
        """Refuse what is given in another frame, naming both."""
        said = f"a {self.word} in {self.frame!r} and one in {other.frame!r} cannot be {verb}:"
        said += " express one in the other's frame first, vector.expressed(state)."
        require_same(self.frame, other.frame, said)

    def _turn(self, state: KinematicState) -> tuple[FloatArray, str]:
        """The rotation to the other frame of a state, and that frame's name."""
        if self.frame == state.frame:
            return state.rotation, state.reference
        if self.frame == state.reference:
            return transposed(state.rotation), state.frame
        raise FrameMismatch(
            f"this is given in {self.frame!r}, and the state is of {state.frame!r} seen from"
            f" {state.reference!r}: it says nothing about {self.frame!r}.",
            first=self.frame,
            second=state.reference,
        )


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class FramedVector(AbstractFramed):
    """A free vector, (3,) or (n, 3), with components along the axes of `frame`.

    Examples:
        >>> from kempe.frames import FramedVector
        >>> FramedVector([1, 0, 0], "boom") + FramedVector([0, 1, 0], "crane")
        Traceback (most recent call last):
        ...
        kempe.errors.FrameMismatch: a vector in 'boom' and one in 'crane' cannot be added: \
express one in the other's frame first, vector.expressed(state).
    """

    word: ClassVar[str] = "vector"
    rank: ClassVar[int] = 1

    def __neg__(self) -> "FramedVector":
        return FramedVector(-self.components, self.frame)

    def __matmul__(self, other: "FramedVector") -> FloatArray:
        """The dot product, a number or (n,)."""
        self._require_frame_of(other, "multiplied")
        return np.asarray((self.components * other.components).sum(axis=-1))

    def cross(self, other: "FramedVector") -> "FramedVector":
        """The vector product."""
        self._require_frame_of(other, "multiplied")
        return FramedVector(cross(self.components, other.components), self.frame)

    @property
    def norm(self) -> FloatArray:
        """The length, which no frame changes: a number or (n,)."""
        return np.asarray(np.linalg.norm(self.components, axis=-1))

    def expressed(self, state: KinematicState) -> "FramedVector":
        """This vector along the axes of `state.reference` or `state.frame`, the other one.

        v_A = R_AB v_B,  v_B = R_BA v_A
        """
        R, frame = self._turn(state)
        return FramedVector(turned(R, self.components), frame)


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class FramedTensor(AbstractFramed):
    """A tensor, (3, 3) or (n, 3, 3), such as an inertia, along the axes of `frame`."""

    word: ClassVar[str] = "tensor"
    rank: ClassVar[int] = 2

    def __matmul__(self, vector: FramedVector) -> FramedVector:
        """The tensor applied to a vector."""
        self._require_frame_of(vector, "multiplied")
        return FramedVector(turned(self.components, vector.components), self.frame)

    def expressed(self, state: KinematicState) -> "FramedTensor":
        """This tensor along the axes of the other frame of `state`: T_A = R_AB T_B R_BA."""
        R, frame = self._turn(state)
        return FramedTensor(R @ self.components @ transposed(R), frame)
