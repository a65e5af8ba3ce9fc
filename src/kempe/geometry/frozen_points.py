"""Frozen bodies whose named points are a view that cannot be changed, and how they are pickled."""

from dataclasses import fields
from types import MappingProxyType
from typing import Any


def picklable(body: Any) -> dict[str, Any]:
    """The fields of a `body`, its points as a plain dictionary: a frozen view cannot be pickled."""
    state = {one.name: getattr(body, one.name) for one in fields(body)}
    return state | {"points": dict(body.points)}


def restore(body: Any, state: dict[str, Any]) -> None:
    """Gives an empty frozen `body` the fields of a pickled `state`, its points frozen again."""
    for name, value in (state | {"points": MappingProxyType(state["points"])}).items():
        object.__setattr__(body, name, value)
