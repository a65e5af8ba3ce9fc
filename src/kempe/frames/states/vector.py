"""Vectors and tensors that know the frame they are expressed in, and refuse to be mixed."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from kempe.errors import BadNumber, FrameMismatch
from kempe.frames.states.arrays import TOO_FAR, FloatArray, cross, is_in_reach, transposed, turned
from kempe.frames.states.state import KinematicState
from kempe.geometry.array import floats


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class FramedVector:
    """A free vector, (3,) or (n, 3), with components along the axes of `frame`.

    Examples:
        >>> from kempe.frames import FramedVector
        >>> FramedVector([1, 0, 0], "boom") + FramedVector([0, 1, 0], "crane")
        Traceback (most recent call last):
        ...
        kempe.errors.FrameMismatch: a vector in 'boom' and one in 'crane' cannot be added: \
express one in the other's frame first, vector.expressed(state).
    """

    components: FloatArray
    frame: str

    def __init__(self, components: ArrayLike, frame: str) -> None:
        object.__setattr__(self, "components", _finite(components, 1))
        object.__setattr__(self, "frame", frame)

    def __add__(self, other: "FramedVector") -> "FramedVector":
        same_frame("vector", self, other, "added")
        return FramedVector(self.components + other.components, self.frame)

    def __sub__(self, other: "FramedVector") -> "FramedVector":
        same_frame("vector", self, other, "subtracted")
        return FramedVector(self.components - other.components, self.frame)

    def __neg__(self) -> "FramedVector":
        return FramedVector(-self.components, self.frame)

    def __mul__(self, factor: float) -> "FramedVector":
        return FramedVector(self.components * factor, self.frame)

    __rmul__ = __mul__

    def __matmul__(self, other: "FramedVector") -> FloatArray:
        """The dot product."""
        same_frame("vector", self, other, "multiplied")
        return np.asarray((self.components * other.components).sum(axis=-1))

    def cross(self, other: "FramedVector") -> "FramedVector":
        """The vector product."""
        same_frame("vector", self, other, "multiplied")
        return FramedVector(cross(self.components, other.components), self.frame)

    @property
    def norm(self) -> FloatArray:
        """The length, which no frame changes."""
        return np.asarray(np.linalg.norm(self.components, axis=-1))

    def expressed(self, state: KinematicState) -> "FramedVector":
        """The same vector along the axes of `state.reference` or `state.frame`, the other one.

        v_A = R_AB v_B,  v_B = R_BA v_A
        """
        R, frame = _turn(self.frame, state)
        return FramedVector(turned(R, self.components), frame)


@final
@dataclass(frozen=True, slots=True, eq=False, init=False)
class FramedTensor:
    """A tensor, (3, 3) or (n, 3, 3), such as an inertia, along the axes of `frame`."""

    components: FloatArray
    frame: str

    def __init__(self, components: ArrayLike, frame: str) -> None:
        object.__setattr__(self, "components", _finite(components, 2))
        object.__setattr__(self, "frame", frame)

    def __add__(self, other: "FramedTensor") -> "FramedTensor":
        same_frame("tensor", self, other, "added")
        return FramedTensor(self.components + other.components, self.frame)

    def __sub__(self, other: "FramedTensor") -> "FramedTensor":
        same_frame("tensor", self, other, "subtracted")
        return FramedTensor(self.components - other.components, self.frame)

    def __mul__(self, factor: float) -> "FramedTensor":
        return FramedTensor(self.components * factor, self.frame)

    __rmul__ = __mul__

    def __matmul__(self, vector: FramedVector) -> FramedVector:
        """The tensor applied to a vector."""
        same_frame("tensor", self, vector, "multiplied")
        return FramedVector(turned(self.components, vector.components), self.frame)

    def expressed(self, state: KinematicState) -> "FramedTensor":
        """The same tensor along the axes of the other frame of `state`: T_A = R_AB T_B R_BA."""
        R, frame = _turn(self.frame, state)
        return FramedTensor(R @ self.components @ transposed(R), frame)


def same_frame(
    what: str,
    one: FramedVector | FramedTensor,
    other: FramedVector | FramedTensor,
    verb: str,
) -> None:
    """Refuse two things that are given in different frames, naming both."""
    if one.frame != other.frame:
        raise FrameMismatch(
            f"a {what} in {one.frame!r} and one in {other.frame!r} cannot be {verb}: express one in"
            " the other's frame first, vector.expressed(state).",
            first=one.frame,
            second=other.frame,
        )


def _turn(frame: str, state: KinematicState) -> tuple[FloatArray, str]:
    if frame == state.frame:
        return state.rotation, state.reference
    if frame == state.reference:
        return transposed(state.rotation), state.frame
    raise FrameMismatch(
        f"this is given in {frame!r}, and the state is of {state.frame!r} seen from"
        f" {state.reference!r}: it says nothing about {frame!r}.",
        first=frame,
        second=state.reference,
    )


def _finite(components: ArrayLike, rank: int) -> FloatArray:
    x = np.array(floats(components, "components"))
    if x.ndim not in (rank, rank + 1) or x.shape[-rank:] != (3,) * rank:
        raise BadNumber(f"components are {(3,) * rank} or (n, ...), these are {x.shape}.")
    if not np.isfinite(x).all():
        raise BadNumber(f"components must be finite, these are {x.tolist()}.")
    if not is_in_reach(x):
        raise BadNumber(f"components have {TOO_FAR}")
    x.flags.writeable = False
    return x
