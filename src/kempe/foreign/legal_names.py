"""Names of other programs as kempe can read them: no dots, nothing unseen, each one once."""

import unicodedata
from typing import final

from kempe.errors import printable
from kempe.foreign.imported import Ledger
from kempe.geometry import GROUND
from kempe.model.body import MEASURED, READ
from kempe.names import BUILT_IN, flaw_of

LONGEST = 200  # characters of a name in a file
RESERVED = frozenset((*MEASURED, *READ))  # what is read off a body, and no point of one


@final
class LegalNames:
    """Gives every part of one model a name of its own, as near as possible to the foreign one."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._taken = {GROUND, *BUILT_IN}
        self.called: dict[tuple[str, str], str] = {}  # (what it is, foreign name) -> name here

    def part(self, name: str, what: str, line: int) -> str:
        """A name for a body, joint, coupler, drive, force or event; a change of it is noted."""
        legal = unique(legalized(name, what.replace(" ", "_")), self._taken)
        self._taken.add(legal)
        self.called[what, name] = legal
        if legal != name:
            self._ledger.note(line, f"{what} {shown(name)}", f"is called {legal!r} here")
        return legal

    def points(self, names: list[str]) -> list[str]:
        """Names for the points of one body."""
        taken: set[str] = set()
        found = []
        for name in names:
            legal = legalized(name, "point")
            legal = unique(f"{legal}_point" if legal in RESERVED else legal, taken)
            taken.add(legal)
            found.append(legal)
        return found


def legalized(name: str, otherwise: str) -> str:
    """The name without what kempe's names may not hold; `otherwise` where nothing is left."""
    name = unicodedata.normalize("NFC", name[:LONGEST]).replace(".", "_").replace("`", "'")
    name = "".join(c if not flaw_of(f"a{c}a") else "_" for c in name).strip(" ")
    name = unicodedata.normalize("NFC", name)
    return otherwise if flaw_of(name) else name


def unique(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken already."""
    if name not in taken:
        return name
    k = 2
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"


def shown(name: str) -> str:
    """A foreign name in a message: short and safe to print."""
    return printable(repr(name if len(name) <= 60 else f"{name[:57]}..."))
