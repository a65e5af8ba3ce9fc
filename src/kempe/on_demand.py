"""Rooms whose files are imported when one of their names is first asked for."""

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any, final


@final
class Room(ModuleType):
    """A room in which a name stands for what its file gives out, never for the file itself.

    Python puts a file that is imported into its room under the file's own name, which many share
    with what they give out.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        asked = self.__dict__.get("__getattr__")
        if isinstance(value, ModuleType) and isinstance(asked, OnDemand):
            is_own = asked.where.get(name) == value.__name__
            value = getattr(value, name) if is_own else value
        super().__setattr__(name, value)


@final
class OnDemand:
    """The names of a room whose files are imported when one of their names is first asked for.

    Takes the room's module name and, file by file, the names it gives out: {"graph.graph":
    "FrameGraph"}. A room has `__getattr__ = OnDemand(...)`, and the same lines of imports under
    TYPE_CHECKING, so that editors know what is there.
    """

    def __init__(self, room: str, files: Mapping[str, str]) -> None:
        self.room = room
        self.where = {
            name: f"{room}.{file}" for file, names in files.items() for name in names.split()
        }
        sys.modules[room].__class__ = Room

    @property
    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self.where)

    def __call__(self, name: str) -> Any:
        """What the room gives out under a name; an AttributeError where there is nothing."""
        if name not in self.where:
            raise AttributeError(f"{self.room} has no {name!r}")
        found = getattr(importlib.import_module(self.where[name]), name)
        setattr(sys.modules[self.room], name, found)
        return found
