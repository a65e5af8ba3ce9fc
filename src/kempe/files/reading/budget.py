"""What a document may bring in: limits that it shares with everything it is merged from."""

import pathlib
from dataclasses import dataclass
from typing import final

from kempe.errors import FileError, ModelError
from kempe.files.syntax.limits import (
    LARGEST_FILE,
    LARGEST_YAML,
    MOST_FILES,
    MOST_MEMBERS,
    MOST_USED,
)


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
