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
from weakref import WeakKeyDictionary

import numpy as np

from kempe.algebra import Adjustable
from kempe.drives import AbstractLaw
from kempe.geometry import Marker, Pose, Rotation, Vector
from kempe.geometry.rotation import ROUNDED

LETTERS = {0.0: "0", 1.0: "+", -1.0: "-"}
LIFTED = "p"
_FIELD_NAMES: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()


@final
class Cosine(float):
    """A number that is a direction cosine: 1 and -1 are structure, not chance."""

    __slots__ = ()


def is_literal(number: float) -> bool:
    """Whether a number of a model folds into the formulas."""
    if type(number) is float:
        return number == 0.0
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


def in_plane(marker: Marker) -> Marker:
    """The marker of a planar body, with axes that lie in the plane or across it to rounding.

    An axis that is off by 1e-16 would hold what the plane holds already, and never let go.
    """
    R = marker.rotation
    if R.angle is not None or not any(0.0 < abs(e) < ROUNDED for e in (*R.x, *R.y, *R.z)):
        return marker
    axes = [[e if abs(e) >= ROUNDED else 0.0 for e in axis] for axis in (R.x, R.y, R.z)]
    whole = [[float(np.sign(e)) for e in a] if a.count(0.0) == 2 else a for a in axes]
    return dataclasses.replace(marker, rotation=Rotation(*(Vector(*a) for a in whole)))


def marker_pose(marker: Marker, numbers: Sequence[Any]) -> Pose:
    """X_BM from its numbers, traced or plain."""
    position = Vector(*numbers[:3])
    if marker.rotation.angle is not None:
        return Pose(position, Rotation.from_cosine_sine(*numbers[3:6]))
    x, y, z = (Vector(*numbers[3 + 3 * k : 6 + 3 * k]) for k in range(3))
    return Pose(position, Rotation(x, y, z))


def own_numbers(thing: Any) -> list[float]:
    """The numbers of a constraint, joint, coupler or law, in the order of its fields.

    Laws inside a coupler or a law bring theirs: the pieces of a piecewise law, a cam's law.
    """
    return [x for name in _number_fields(thing) for x in _numbers(getattr(thing, name))]


def _numbers(value: Any) -> list[float]:
    if isinstance(value, float):
        return [value]
    if isinstance(value, tuple):
        return [x for entry in value for x in _numbers(entry)]
    return own_numbers(value) if isinstance(value, AbstractLaw) else []


def with_numbers(thing: Any, numbers: Iterator[Any]) -> Any:
    """A copy of the thing whose numbers are replaced by these (traced) ones."""
    names = list(_number_fields(thing))
    if not names:
        return thing
    twin = copy.copy(thing)
    for name in names:
        object.__setattr__(twin, name, _replaced(getattr(thing, name), numbers))
    return twin


def _replaced(value: Any, numbers: Iterator[Any]) -> Any:
    if isinstance(value, float):
        return next(numbers)
    if isinstance(value, tuple):
        return tuple(_replaced(entry, numbers) for entry in value)
    return with_numbers(value, numbers) if isinstance(value, AbstractLaw) else value


def field_names(kind: Any) -> tuple[str, ...]:
    """The names of a class's fields; none where it has no fields."""
    names = _FIELD_NAMES.get(kind)
    if names is None:
        is_record = dataclasses.is_dataclass(kind)
        names = tuple(f.name for f in dataclasses.fields(kind)) if is_record else ()
        _FIELD_NAMES[kind] = names
    return names


def _number_fields(thing: Any) -> Iterator[str]:
    for name in field_names(type(thing)):
        if _has_numbers(getattr(thing, name)):
            yield name


def _has_numbers(value: Any) -> bool:
    """Whether a field holds numbers of the model: a number, a tuple of them, or laws."""
    if isinstance(value, tuple):
        return bool(value) and (all(isinstance(x, float) for x in value) or _has_laws(value))
    return isinstance(value, float) or _has_laws(value)


def _has_laws(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_has_laws(entry) for entry in value)
    return isinstance(value, AbstractLaw)


def word(thing: Any, but: Collection[str] = ()) -> str:
    """What a thing is, apart from its numbers: its class and every other field but those named."""
    kind = type(thing)
    fields = []
    for name in field_names(kind):
        value = getattr(thing, name)
        if _has_numbers(value):
            fields.append(f"{name}{_form(value)}")
        elif not isinstance(value, Marker) and name not in ("name", "gauges", *but):
            fields.append(f"{name}={value!r}")
    return f"{kind.__module__}.{kind.__qualname__}({','.join(fields)})"


def _form(value: Any) -> str:
    """How many numbers there are and in what they stand."""
    if isinstance(value, tuple):
        if not _has_laws(value):
            return f"#{len(value)}"
        return f"[{','.join(_form(entry) for entry in value)}]"
    return "#1" if isinstance(value, float) else word(value)
