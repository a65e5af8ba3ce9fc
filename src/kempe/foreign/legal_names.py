"""Names of other programs as kempe can read them: no dots, nothing unseen, each one once."""

import unicodedata
from collections.abc import Iterable
from typing import final

from kempe.errors import printable
from kempe.files.syntax.source import LONGEST_NAME
from kempe.foreign.imported import Ledger
from kempe.geometry import GROUND
from kempe.model.body import MEASURED, READ
from kempe.names import BUILT_IN, flaw_of

ROOMY = LONGEST_NAME - 24  # letters of a name that words are put after, as in "pin.displacement"
RESERVED = frozenset((*MEASURED, *READ))  # what is read off a body, and no point of one


@final
class LegalNames:
    """Gives every part of one model a name of its own, as near as possible to the foreign one."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._parts = OwnNames((GROUND, *BUILT_IN))
        self.called: dict[tuple[str, str], str] = {}  # (what it is, foreign name) -> name here

    def part(self, name: str, what: str, line: int) -> str:
        """A name for a body, joint, coupler, drive, force or event; a change of it is noted."""
        legal = self._parts.new(legalized(name[:ROOMY], what.replace(" ", "_")))
        self.called[what, name] = legal
        if legal != name:
            self._ledger.note(line, f"{what} {shown(name)}", f"is called {legal!r} here")
        return legal

    def points(self, names: list[str]) -> list[str]:
        """Names for the points of one body."""
        own = OwnNames()
        found = []
        for name in names:
            legal = legalized(name, "point")
            found.append(own.new(f"{legal}_point" if legal in RESERVED else legal))
        return found


@final
class OwnNames:
    """Names of which each is given once: where it is taken a number is put after it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}  # the last one that was put after a name

    def new(self, name: str) -> str:
        """The name, or the name with a number; never longer than a file may hold."""
        found, number = name, self._numbers.get(name, 1)
        while found in self._taken:
            number += 1
            end = f"_{number}"
            found = f"{name[: LONGEST_NAME - len(end)].rstrip(' ')}{end}"
        self._numbers[name] = number
        self._taken.add(found)
        return found


def unique(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where it is taken already; never longer than a file may hold."""
    return OwnNames(taken).new(name)


def legalized(name: str, otherwise: str) -> str:
    """The name without what kempe's names may not hold; `otherwise` where nothing is left."""
    name = unicodedata.normalize("NFC", name[:LONGEST_NAME]).replace(".", "_").replace("`", "'")
    name = "".join(c if not flaw_of(f"a{c}a") else "_" for c in name).strip(" ")
    name = unicodedata.normalize("NFC", name)[:LONGEST_NAME].rstrip(" ")  # some marks come apart
    return otherwise if flaw_of(name) else name


def shown(name: str) -> str:
    """A foreign name in a message: short and safe to print."""
    return printable(repr(name if len(name) <= 60 else f"{name[:57]}..."))
