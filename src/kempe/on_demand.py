"""Rooms whose files are imported when one of their names is first asked for."""

import importlib
import sys
from collections.abc import Mapping
from typing import Any, final


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
