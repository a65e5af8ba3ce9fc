"""A file as read: its data, and where in the text each of them stands; and how large it may be.

The limits are checked before anything is built from a file. They hold for a document as a whole,
with everything it brings in. Whatever goes beyond is refused within a second or two and 300 MB.
"""

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NoReturn

from kempe.errors import FileError

LARGEST_FILE = 25_000_000  # bytes, of a file with all it is merged from
LARGEST_YAML = 1_000_000  # bytes, likewise; YAML is read a hundred times slower than JSON
DEEPEST = 64  # mappings and lists inside each other
MOST_VALUES = 800_000  # of a file with all it is merged from
MOST_YAML_VALUES = 50_000
MOST_ALIASED = 100_000  # values that a YAML file may repeat by aliases
MOST_BODIES = 10_000  # 0.1 ms each, in time for a mistake that comes after all of them
MOST_ENTRIES = 100_000  # of one mapping or list
MOST_PARAMETERS = 2_000
MOST_FORMULAS = 200_000  # characters of all formulas of parameters
MOST_FILES = 16  # that one file may be merged from, each counted as often as it is read
MOST_MEMBERS = 100  # mechanisms that are used or merged, in all
MOST_USED = 1_000  # links, loops, teeth and the like that dimensions ask for, in all
LONGEST_NAME = 200  # characters
LONGEST_KEY = 10_000  # characters of a word before a colon, name or not


Key = str | int
Path = tuple[Key, ...]  # from the top of a document down to one of its values
LONGEST_SHOWN = 60  # characters of an offending value


_SHORT = reprlib.Repr()  # of a list of a million entries it looks at the first few
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxother = LONGEST_SHOWN
_SHORT.maxstring = 2 * LONGEST_SHOWN


class AbstractSource(ABC):
    """The data of a document and the way from a value back to its place in the text."""

    name: str  # of the file
    data: Any

    @abstractmethod
    def position(self, path: Path, *, of_key: bool = False) -> tuple[int, int]:
        """Line and column, from 1, of the value (or its key) at the path, or of what holds it."""

    def refuse(
        self, path: Iterable[Key], message: str, *, of_key: bool = False, value: object = None
    ) -> NoReturn:
        """FileError at a value."""
        line, column = self.position(tuple(path), of_key=of_key)
        where = ".".join(str(key)[:LONGEST_SHOWN] for key in path)
        facts = {"where": where, "value": shown(value)} if where else {"value": shown(value)}
        raise FileError(message, path=self.name, line=line, column=column, **facts)


def shown(value: object) -> str:
    """A value as messages show it: short, and safe to print."""
    if isinstance(value, str):
        text = repr(value[: 2 * LONGEST_SHOWN])
    elif value is None or isinstance(value, (bool, int, float)):
        text = repr(value)
    else:
        text = _SHORT.repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."
