"""From any representation of rotations to any other."""

from numpy.typing import ArrayLike

from kempe.geometry.rotations.abstract import AbstractRepresentation, Floats


def converted(
    numbers: ArrayLike, source: AbstractRepresentation, target: AbstractRepresentation
) -> Floats:
    """Rotations written as `source`, written as `target`, however many stand in the array.

    >>> from kempe.geometry.rotations import Euler, Matrix, converted
    >>> converted([0.0, 0.0, 0.0], Euler("ZXZ"), Matrix()).shape
    (3, 3)
    """
    return target.of_quaternions(source.quaternions(numbers))
