"""The text of an ASMT file as an outline: every line with the lines that are indented below it.

A label stands on a line of its own and its value on the next ones, one tab deeper. The time series
after the line `TimeSeries` are no outline and are kept as lines.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from kempe.errors import FileError
from kempe.files.syntax.source import shown

DEEPEST = 40  # tabs; the format itself needs 12
MOST_LINES = 2_000_000
SERIES = "TimeSeries"
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


@final
@dataclass(slots=True)
class Entry:
    """A line of the outline: its text, its number from 1, and the entries below it."""

    text: str
    line: int
    path: str  # of the file
    entries: list["Entry"] = field(default_factory=list)

    def mistake(self, message: str) -> FileError:
        """A mistake in this line."""
        return FileError(message, path=self.path, line=self.line)

    def below(self, label: str) -> "Entry | None":
        """The entry with this label one level deeper, None where there is none."""
        found = [entry for entry in self.entries if entry.text == label]
        if len(found) > 1:
            raise found[1].mistake(f"{shown(label)} stands here a second time.")
        return found[0] if found else None

    def must(self, label: str) -> "Entry":
        """The entry with this label one level deeper, which there must be."""
        found = self.below(label)
        if found is None:
            raise self.mistake(f"{shown(self.text)} lacks its {label}.")
        return found

    def members(self, label: str) -> list["Entry"]:
        """What stands below this label; nothing where the label is missing."""
        found = self.below(label)
        return found.entries if found is not None else []

    def value(self, label: str) -> str:
        """The text below a label; "" where the line is empty."""
        found = self.must(label)
        if len(found.entries) > 1:
            raise found.entries[1].mistake(f"{label} has one line, this is a second one.")
        return found.entries[0].text if found.entries else ""

    def number(self, label: str) -> float:
        """The one number below a label."""
        return self.numbers(label, 1)[0]

    def numbers(self, label: str, count: int) -> tuple[float, ...]:
        """The numbers in the one line below a label, of which there must be `count`."""
        found = self.must(label)
        if len(found.entries) != 1:
            raise found.mistake(f"{label} has one line of numbers, here are {len(found.entries)}.")
        return numbers_in(found.entries[0], count)

    def matrix(self, label: str) -> list[tuple[float, ...]]:
        """Three lines of three numbers below a label."""
        found = self.must(label)
        if len(found.entries) != 3:
            raise found.mistake(f"{label} has 3 lines of 3 numbers, here are {len(found.entries)}.")
        return [numbers_in(row, 3) for row in found.entries]


def numbers_in(entry: Entry, count: int) -> tuple[float, ...]:
    """The numbers of one line."""
    words = entry.text.split()
    if len(words) != count:
        some = f"{count} number{'s' * (count != 1)}"
        raise entry.mistake(f"this line must have {some}, it is {shown(entry.text)}.")
    return tuple(number_of(word, entry) for word in words)


def number_of(word: str, entry: Entry) -> float:
    """A finite number as these files write it: 1.0e-9, also 2.0d."""
    plain = word[:-1] if word[-1:] in "dD" and word[:-1] else word
    if not NUMBER.match(plain):
        raise entry.mistake(f"{shown(word)} is no number.")
    value = float(plain)
    if value in (float("inf"), float("-inf")):
        raise entry.mistake(f"{shown(word)} is too large a number.")
    return value


@final
@dataclass(frozen=True, slots=True)
class Outline:
    """The assembly of a file, and the numbered lines of its time series."""

    assembly: Entry
    series: tuple[tuple[int, str], ...]


def outline_of(content: bytes, path: str) -> Outline:
    """The outline of a file; a FileError says in which line it is none."""
    lines = _text(content).split("\n")
    if len(lines) > MOST_LINES:
        raise FileError(f"such a file has at most {MOST_LINES} lines.", path=path)
    end = next((k for k, line in enumerate(lines) if line.strip() == SERIES), len(lines))
    if len(lines) < 2 or lines[1].strip() != "Assembly":
        message = "this is no ASMT file: its second line must be 'Assembly'."
        raise FileError(message, path=path, line=min(2, len(lines)))
    top = Entry("", 1, path)
    open_at = [top]  # the entry that is open at every depth
    for number, line in _written(lines[1:end]):
        depth = len(line) - len(line.lstrip("\t"))
        if depth > DEEPEST or depth >= len(open_at):
            message = f"this line is indented by {depth} tabs, below one with {len(open_at) - 2}."
            raise FileError(message, path=path, line=number)
        entry = Entry(line.strip(), number, path)
        open_at[depth].entries.append(entry)
        open_at[depth + 1 :] = [entry]
    if len(top.entries) != 1:
        raise top.entries[1].mistake(f"{shown(top.entries[1].text)} stands outside the assembly.")
    series = [(k + 2, line) for k, line in enumerate(lines[end + 1 :], end)]
    return Outline(top.entries[0], tuple((k, line) for k, line in series if line.strip()))


def _text(content: bytes) -> str:
    """UTF-8 where it is that, else Latin-1, which every file is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _written(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; the first is line 2."""
    for k, line in enumerate(lines, 2):
        if line.strip():
            yield k, line
