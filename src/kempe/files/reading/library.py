"""Mechanisms by name: what `use: gallery/four_bar` finds.

A library is a mapping from names to functions that make a mechanism. It is announced as an entry
point of the group `kempe.mechanisms`, so that other packages can bring their own.
"""

import inspect
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

from kempe.errors import KempeError, ModelError, UnitError, UnknownName, nearest_name
from kempe.files.reading.budget import Budget
from kempe.files.reading.scope import AtPath, Scope
from kempe.files.syntax.source import Path, shown
from kempe.model import Model
from kempe.units import Dimension

GROUP = "kempe.mechanisms"
LENGTH = Dimension(length=1)


def mechanism_maker(name: str) -> Callable[..., Any]:
    """The function that makes "library/mechanism"."""
    shelf, slash, word = name.partition("/")
    libraries = {point.name: point for point in entry_points(group=GROUP)}
    if not slash or shelf not in libraries:
        near = nearest_name(shelf, libraries)
        raise UnknownName(f"{shown(name)} names no library, as gallery/four_bar does.{near}")
    makers: Mapping[str, Callable[..., Any]] = libraries[shelf].load()
    if word not in makers:
        raise UnknownName(f"{shelf} has no mechanism {shown(word)}.{nearest_name(word, makers)}")
    return makers[word]


def used_model(
    name: str, dimensions: Mapping[str, Any], scope: Scope, path: Path, budget: Budget
) -> Model:
    """The model of a mechanism from a library, with these dimensions in the document's units."""
    try:
        make = mechanism_maker(name)
    except KempeError as mistake:
        raise AtPath((*path, "use"), mistake) from None
    known = inspect.signature(make).parameters
    values: dict[str, Any] = {}
    for word, data in dimensions.items():
        where = (*path, "dimensions", word)
        if word not in known:
            message = f"{name} has no dimension {shown(word)}.{nearest_name(word, known)}"
            raise AtPath(where, UnknownName(message))
        values[word] = _dimension(data, known[word], scope, where)
        if known[word].annotation is int:
            try:
                budget.use(_whole(values[word]))
            except KempeError as mistake:
                raise AtPath(where, mistake) from None
    if "units" in known:
        values.setdefault("units", scope.units.length)
    try:
        model = make(**values).model
    except KempeError as mistake:
        raise AtPath((*path, "use"), mistake) from None
    except (TypeError, ValueError, ArithmeticError) as mistake:
        raise AtPath((*path, "use"), ModelError(f"{name} cannot be made: {mistake}.")) from None
    assert isinstance(model, Model)
    return model


def _whole(value: Any) -> int:
    """How much of the budget a number takes; what is no number is refused by the maker."""
    return abs(int(value)) if isinstance(value, (int, float)) else 0


def _dimension(data: Any, known: inspect.Parameter, scope: Scope, path: Path) -> Any:
    if data is None or isinstance(data, bool) or known.annotation is str:
        return data
    if isinstance(data, list):
        return tuple(_dimension(x, known, scope, (*path, i)) for i, x in enumerate(data))
    if isinstance(data, int):
        return data
    try:
        found = scope.quantity(data)
    except KempeError as mistake:
        raise AtPath(path, mistake) from None
    if found.is_share:
        message = (
            f"{shown(data)} is a share of something, where a dimension is needed: write"
            f" {found.value:g} where that is meant."
        )
        raise AtPath(path, UnitError(message))
    if found.dimension == LENGTH:  # makers take lengths in the document's unit
        return found.value / scope.units.in_si(1.0, LENGTH)
    return found.value
