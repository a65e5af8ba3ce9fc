"""Numbers of a model: which become part of the structure and which stay run-time inputs.

0 folds into the formulas, and so do 1 and -1 where a number is a direction cosine; every other
number is lifted to a run-time parameter, so that mechanisms that differ in lengths share one
program, whatever the lengths: a bar of exactly 1 m is no other structure than one of 1.001 m. The
*pattern* of a list of numbers says which is which, and is part of a program's key.
"""

import copy
import dataclasses
from collections.abc import Collection, Iterator, Sequence
from typing import Any, final

from kempe.algebra import Adjustable
from kempe.geometry import Marker, Pose, Rotation, Vector

LETTERS = {0.0: "0", 1.0: "+", -1.0: "-"}
LIFTED = "p"


@final
class Cosine(float):
    """A number that is a direction cosine: 1 and -1 are structure, not chance."""

    __slots__ = ()


def is_literal(number: float) -> bool:
    """Whether a number of a model folds into the formulas."""
    if isinstance(number, Adjustable):
        return False
    return number == 0.0 or (isinstance(number, Cosine) and abs(number) == 1.0)


def pattern(numbers: Sequence[float]) -> str:
    """One letter a number: 0, + and - for the literals, p for a parameter."""
    return "".join(LETTERS[x] if is_literal(x) else LIFTED for x in numbers)


def marker_numbers(marker: Marker) -> list[float]:
    """The numbers of X_BM: position, then cosine, sine and angle in the plane, or nine entries."""
    R = marker.rotation
    numbers = list(marker.position)
    if R.angle is not None:
        return [*numbers, Cosine(R.x.x), Cosine(R.x.y), R.angle]
    return [*numbers, *(Cosine(e) for axis in (R.x, R.y, R.z) for e in axis)]


def marker_pose(marker: Marker, numbers: Sequence[Any]) -> Pose:
    """X_BM from its numbers, traced or plain."""
    position = Vector(*numbers[:3])
    if marker.rotation.angle is not None:
        return Pose(position, Rotation.from_cosine_sine(*numbers[3:6]))
    x, y, z = (Vector(*numbers[3 + 3 * k : 6 + 3 * k]) for k in range(3))
    return Pose(position, Rotation(x, y, z))


def own_numbers(thing: Any) -> list[float]:
    """The numbers of a constraint, joint, coupler or law, in the order of its fields."""
    values = (getattr(thing, name) for name in _float_fields(thing))
    return [x for value in values for x in (value if isinstance(value, tuple) else (value,))]


def with_numbers(thing: Any, numbers: Iterator[Any]) -> Any:
    """A copy of the thing whose numbers are replaced by these (traced) ones."""
    names = list(_float_fields(thing))
    if not names:
        return thing
    twin = copy.copy(thing)
    for name in names:
        value = getattr(thing, name)
        new = tuple(next(numbers) for _ in value) if isinstance(value, tuple) else next(numbers)
        object.__setattr__(twin, name, new)
    return twin


def _float_fields(thing: Any) -> Iterator[str]:
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            if _is_number(getattr(thing, field.name)):
                yield field.name


def _is_number(value: Any) -> bool:
    """Whether a field is a number of the model, or a tuple of such."""
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(x, float) for x in value)
    return isinstance(value, float)


def word(thing: Any, but: Collection[str] = ()) -> str:
    """What a thing is, apart from its numbers: its class and every other field but those named."""
    kind = type(thing)
    fields = []
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            value = getattr(thing, field.name)
            if _is_number(value):
                fields.append(f"{field.name}#{len(value) if isinstance(value, tuple) else 1}")
            elif not isinstance(value, Marker) and field.name not in ("name", "gauges", *but):
                fields.append(f"{field.name}={value!r}")
    return f"{kind.__module__}.{kind.__qualname__}({','.join(fields)})"
