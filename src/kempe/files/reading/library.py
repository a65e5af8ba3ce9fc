"""What a document may bring in: mechanisms by name, within limits shared with all it merges.

`use: gallery/four_bar` names a library, a mapping from names to functions that make a mechanism. It
is announced as an entry point of the group `kempe.mechanisms`, so that other packages can bring
their own.
"""

import inspect
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, final

from kempe.errors import FileError, KempeError, ModelError, UnitError, UnknownName, nearest_name
from kempe.files.reading.scope import AtPath, Scope, located
from kempe.files.syntax.source import (
    LARGEST_FILE,
    LARGEST_YAML,
    MOST_FILES,
    MOST_MEMBERS,
    MOST_USED,
    Path,
    shown,
)
from kempe.model import Model
from kempe.units import Dimension


@final
@dataclass(slots=True)
class Budget:
    """What is left while a model is built; files that are merged into each other share one."""

    files: int = MOST_FILES
    size: int = LARGEST_FILE  # bytes
    yaml: int = LARGEST_YAML  # bytes, of those
    members: int = MOST_MEMBERS
    used: int = MOST_USED

    def read(self, name: str, size: int) -> None:
        """One more file of that many bytes; a FileError where that is too much in all."""
        self.files -= 1
        self.size -= size
        self.yaml -= size if pathlib.PurePath(name).suffix.lower() != ".json" else 0
        if self.files < 0:
            message = f"a document reads {MOST_FILES} other files at most, each as often as merged."
            raise FileError(message, path=name)
        if self.size < 0 or self.yaml < 0:
            raise FileError(
                f"what a document is merged from has at most {LARGEST_FILE / 1e6:g} MB in all,"
                f" {LARGEST_YAML / 1e6:g} MB of it YAML: this is more.",
                path=name,
            )

    def member(self) -> None:
        """One more mechanism that is used or merged."""
        self.members -= 1
        if self.members < 0:
            raise ModelError(f"a document is made of {MOST_MEMBERS} mechanisms at most, in all.")

    def use(self, count: int) -> None:
        """So many links, loops or teeth more of mechanisms from a library."""
        self.used -= count
        if self.used < 0:
            raise ModelError(
                f"whole numbers of dimensions may add up to {MOST_USED} in a document, with all it"
                " is merged from."
            )


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
    with located((*path, "use")):
        make = mechanism_maker(name)
    known = inspect.signature(make).parameters
    values: dict[str, Any] = {}
    for word, data in dimensions.items():
        where = (*path, "dimensions", word)
        if word not in known:
            message = f"{name} has no dimension {shown(word)}.{nearest_name(word, known)}"
            raise AtPath(where, UnknownName(message))
        values[word] = _dimension(data, known[word], scope, where)
        if known[word].annotation is int:
            with located(where):
                budget.use(_whole(values[word]))
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
    with located(path):
        found = scope.quantity(data)
    if found.is_share:
        message = (
            f"{shown(data)} is a share of something, where a dimension is needed: write"
            f" {found.value:g} where that is meant."
        )
        raise AtPath(path, UnitError(message))
    if found.dimension == LENGTH:  # makers take lengths in the document's unit
        return found.value / scope.units.in_si(1.0, LENGTH)
    return found.value
