"""Numbers of a model: which become part of the structure and which stay run-time inputs.

0, 1 and -1 fold into the formulas; every other number is lifted to a run-time parameter, so that
mechanisms that differ in lengths share one program. The *pattern* of a list of numbers says which
is which, and is part of a program's key.
"""

import copy
import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from kempe.geometry import Marker, Pose, Rotation, Vector

LITERALS = {0.0: "0", 1.0: "+", -1.0: "-"}
LIFTED = "p"


def pattern(numbers: Sequence[float]) -> str:
    """One letter a number: 0, + and - for the literals, p for a parameter."""
    return "".join(LITERALS.get(x, LIFTED) for x in numbers)


def marker_numbers(marker: Marker) -> list[float]:
    """The numbers of X_BM: position, then cosine, sine and angle in the plane, or nine entries."""
    R = marker.rotation
    numbers = list(marker.position)
    if R.angle is not None:
        return [*numbers, R.x.x, R.x.y, R.angle]
    return [*numbers, *R.x, *R.y, *R.z]


def marker_pose(marker: Marker, numbers: Sequence[Any]) -> Pose:
    """X_BM from its numbers, traced or plain."""
    position = Vector(*numbers[:3])
    if marker.rotation.angle is not None:
        return Pose(position, Rotation.from_cosine_sine(*numbers[3:6]))
    x, y, z = (Vector(*numbers[3 + 3 * k : 6 + 3 * k]) for k in range(3))
    return Pose(position, Rotation(x, y, z))


def own_numbers(thing: Any) -> list[float]:
    """The float fields of a constraint, joint or law, in the order of its fields."""
    return [getattr(thing, name) for name in _float_fields(thing)]


def with_numbers(thing: Any, numbers: Iterator[Any]) -> Any:
    """A copy of the thing whose float fields are replaced by these (traced) numbers."""
    names = list(_float_fields(thing))
    if not names:
        return thing
    twin = copy.copy(thing)
    for name in names:
        object.__setattr__(twin, name, next(numbers))
    return twin


def _float_fields(thing: Any) -> Iterator[str]:
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            if isinstance(getattr(thing, field.name), float):
                yield field.name


def word(thing: Any) -> str:
    """What a thing is, apart from its floats: its class and every other field."""
    kind = type(thing)
    fields = []
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            value = getattr(thing, field.name)
            if not isinstance(value, (float, Marker)) and field.name != "name":
                fields.append(f"{field.name}={value!r}")
    return f"{kind.__module__}.{kind.__qualname__}({','.join(fields)})"
