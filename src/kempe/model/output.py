"""What somebody wants to see of a motion."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from kempe.errors import ModelError
from kempe.names import refuse_unreadable

# A name with a dot, or one of letters; between back quotes it may hold anything.
NAME = re.compile(r"`([^`]+)`|[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@final
@dataclass(frozen=True, slots=True)
class Output:
    """A column, a part with all that can be read off it, or a formula of columns under a name.

    Output("rod"), Output("hinge.force"), Output("0.5 * 40 * spring.length^2", "stored", "J")
    """

    text: str
    name: str = ""  # of a formula
    unit: str = ""  # of a formula; SI

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ModelError("an output says what is wanted: a name, or a formula of names.")
        if self.unit and not self.name:
            raise ModelError(f"the output {self.text!r} has a unit but no name: give it one.")

        if self.name:
            refuse_unreadable(self.name, "no output")

    @property
    def title(self) -> str:
        """What its column is called."""
        return self.name or self.text

    def mentions(self, part: str) -> bool:
        """Whether a part's name stands in it."""
        words = (found.group(1) or found.group(0) for found in NAME.finditer(self.text))
        return any(word == part or word.startswith(f"{part}.") for word in words)

    def renamed(self, name: Callable[[str], str]) -> "Output":
        """The output with other names of parts."""

        def changed(found: re.Match[str]) -> str:
            whole = found.group(1) or found.group(0)
            part, dot, rest = whole.partition(".")
            text = f"{name(part)}{dot}{rest}"
            return f"`{text}`" if found.group(1) else text

        return Output(NAME.sub(changed, self.text), self.name, self.unit)
