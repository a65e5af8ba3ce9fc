"""What a room gives out, for the reference: names that its `__init__` imports from its own files.

A room exports a name by one line, `from kempe.joints.rod import Rod as Rod`. griffe, which reads
the sources without running them, asks for a list in `__all__`, which kempe makes when it runs.
"""

from typing import Any

import griffe


class Exports(griffe.Extension):
    """Lists the exports of every package."""

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Called for every module as soon as its members are known."""
        if "__all__" in mod.members and not mod.exports:
            mod.exports = [
                name
                for name, member in mod.members.items()
                if isinstance(member, griffe.Alias)
                and member.target_path.startswith(f"{mod.path}.")
            ]
