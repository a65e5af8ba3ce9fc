"""The history of a document: every step with its whole text and data, packed."""

import json
import zlib
from dataclasses import dataclass
from typing import Any, final

MOST_STEPS = 500
MOST_BYTES = 32_000_000  # of all steps, packed


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A document after a change: what was changed in words, its data and text, packed."""

    label: str
    packed: bytes
    merge: str = ""  # changes in a row with the same word are one step

    @classmethod
    def of(cls, label: str, data: dict[str, Any], text: str, merge: str = "") -> "Step":
        """A step that holds a document."""
        content = json.dumps([data, text], ensure_ascii=False, separators=(",", ":"))
        return cls(label, zlib.compress(content.encode(), 1), merge)

    def document(self) -> tuple[dict[str, Any], str]:
        """Data and text."""
        data, text = json.loads(zlib.decompress(self.packed))
        return data, text


@final
class History:
    """Steps and where in them the document stands; never empty.

    Examples:
        >>> history = History(Step.of("start", {}, ""))
        >>> history.add(Step.of("draw crank", {"a": 1}, "a: 1"))
        >>> history.undo, history.go(-1).document()
        ('draw crank', ({}, ''))
    """

    def __init__(self, first: Step) -> None:
        self.steps, self.at = [first], 0

    @property
    def now(self) -> Step:
        """The document as it stands."""
        return self.steps[self.at]

    @property
    def undo(self) -> str | None:
        """What going back would undo."""
        return self.now.label if self.at else None

    @property
    def redo(self) -> str | None:
        """What going forth would do again."""
        return self.steps[self.at + 1].label if self.at + 1 < len(self.steps) else None

    def add(self, step: Step) -> None:
        """A change; what was undone is forgotten, and what is too long ago."""
        is_merged = bool(step.merge) and step.merge == self.now.merge and self.at > 0
        kept = self.steps[: self.at + (not is_merged)]
        self.steps = [*kept, step][-MOST_STEPS:]
        size = sum(len(one.packed) for one in self.steps)
        while size > MOST_BYTES and len(self.steps) > 1:
            size -= len(self.steps.pop(0).packed)
        self.at = len(self.steps) - 1

    def go(self, by: int) -> Step:
        """Back or forth by so many steps, as far as there are any; the step it stands at then."""
        self.at = max(0, min(len(self.steps) - 1, self.at + by))
        if by:  # what follows is a step of its own
            here = self.now
            self.steps[self.at] = Step(here.label, here.packed)
        return self.now
