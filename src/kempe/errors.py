"""Mistakes: exceptions that say what, where, how much and what to do.

Every exception keeps its facts as fields and survives pickling, so that a worker process can
hand it back unchanged. How a *computation* ended is not a mistake: see `kempe.outcome`.
"""

import difflib
import numbers
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class KempeError(Exception):
    """Base of every mistake that kempe reports; `facts` holds what the message says as data."""

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts

    def __str__(self) -> str:
        return printable(self.message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.facts)


def printable(text: str) -> str:
    """A text that may be shown on a terminal: what cannot be printed is spelled by its number.

    Names and texts of files may hold escape sequences that clear a screen or forge a line; lines
    and tabs stay as they are.

    Example:
        >>> printable("bar\\x1b[2J")
        'bar\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _rebuild(kind: type[KempeError], message: str, facts: dict[str, object]) -> KempeError:
    return kind(message, **facts)


class ModelError(KempeError):
    """The model cannot mean anything: a wrong name, number, shape or connection."""


class UnknownName(ModelError):
    """A name that nothing in the mechanism carries."""


class UnknownPart(UnknownName, AttributeError):
    """A name after a dot that a part does not carry, as in crank.tip; hasattr understands it."""


class DuplicateName(ModelError):
    """A name given to two things of one mechanism."""


class BadNumber(ModelError):
    """A number that is not finite, not positive, not unit length, or of the wrong shape."""


class SingularCoordinates(ModelError):
    """Coordinates that cannot follow a motion where they are: a gimbal lock, a polar axis."""


class OutsideDomain(BadNumber):
    """A parameter that does not belong to the curve it was given to."""


class BadConnection(ModelError):
    """A joint, drive or coupler that connects what cannot be connected."""


class TracingError(KempeError):
    """A formula did something that cannot be traced."""


class FormulaError(KempeError):
    """A constraint's formula returned something other than its rows."""


class DriveError(KempeError):
    """Too many drives, too few, or drives that fight each other."""


class AssemblyError(KempeError):
    """The parts cannot be put together, or only the wrong way round."""


class UnitError(KempeError):
    """A unit that is unknown or measures something else."""


class ExpressionError(KempeError):
    """A formula in text that cannot be read, or has no value; `column` (from 1) says where."""


class FileError(KempeError):
    """A model file that cannot be read or written: where, what, and the nearest right spelling.

    `path` is the file, `line` and `column` count from 1 and are 0 where the file as a whole is
    meant.
    """

    def __str__(self) -> str:
        place = [self.path, *(str(n) for n in (self.line, self.column) if n)]
        said = f"{':'.join(p for p in place if p)}: {self.message}" if any(place) else self.message
        return printable(said)

    @property
    def path(self) -> str:
        """The file."""
        return str(self.facts.get("path", ""))

    @property
    def line(self) -> int:
        """The line, from 1; 0 for the file as a whole."""
        return int(str(self.facts.get("line", 0)))

    @property
    def column(self) -> int:
        """The column, from 1; 0 for the file as a whole."""
        return int(str(self.facts.get("column", 0)))


class CertificateError(KempeError):
    """Charts of a motion map that do not prove what they are said to: the file was changed."""


class FrameError(KempeError):
    """Frames, states or the graph between them were used in a way that means nothing."""


class FrameMismatch(FrameError):
    """Two things that are given in different frames were mixed."""


class UnknownFrame(FrameError, UnknownName):
    """A frame that the graph does not have."""


class TwoParents(FrameError):
    """A frame was hung on a second parent."""


class CyclicFrames(FrameError):
    """Frames that are each other's ancestors: no root is left to start from."""


class Disconnected(FrameError):
    """No path of edges leads from one frame to the other."""


class OutsideBuffer(FrameError):
    """A time before the first or after the last sample, beyond what may be extrapolated."""


class EdgeFailed(FrameError):
    """The function of an edge raised, or gave something that is no state."""


class NotOrthogonal(FrameError, BadNumber):
    """A matrix that is too far from a rotation to be taken for one."""


class UnsolvableKind(KempeError):
    """A mechanism of a kind that the certified solver cannot list the motions of."""


class Unbounded(KempeError):
    """Something that can move away without end: it needs a limit before motions can be listed."""


class SweepError(KempeError):
    """A sweep that cannot begin or go on: workers that are gone, a folder that holds another one.

    What was finished before stays where it is.
    """


class GradientError(KempeError):
    """A derivative that does not exist there, or of what has none that is known."""


class MissingPart(KempeError):
    """Something this machine lacks for what was asked."""


@contextmanager
def about(where: str) -> Iterator[None]:
    """Say where, in front of every mistake that is reported inside: "bar 'crank': ..."."""
    try:
        yield
    except KempeError as mistake:
        raise type(mistake)(f"{where}: {mistake.message}", **mistake.facts) from mistake


MOST_COMPARED = 500  # names: comparing takes a millisecond each
LONGEST_COMPARED = 200  # characters, as many as a name in a file may have


def _worth_comparing(name: str, names: list[str]) -> list[str]:
    """The names that may be what was meant; few enough to compare, whatever a file holds.

    Of many names those of about the same length come first that have most letters in common.
    """
    if len(name) > LONGEST_COMPARED:
        return []
    near = [n for n in names if len(n) <= LONGEST_COMPARED]
    if len(near) <= MOST_COMPARED:
        return near
    letters = set(name)
    alike = sorted(
        near, key=lambda n: (-len(letters & set(n[:LONGEST_COMPARED])), abs(len(n) - len(name)))
    )
    return alike[:MOST_COMPARED]


def whole_number(name: str, given: object, least: int) -> int:
    """The whole number that argument `name` gives; a BadNumber of none, or below `least`."""
    if isinstance(given, bool) or not isinstance(given, numbers.Integral) or given < least:
        raise BadNumber(f"`{name}` is a whole number from {least} on, not {given!r}.", name=name)
    return int(given)


def nearest_name(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: ' Did you mean ...?' or what there is."""
    if not isinstance(name, str):  # types are read by few who try something out
        return " A name is text."
    names = sorted(known)
    same = unicodedata.normalize("NFC", name)
    if same != name and same in names:  # the two look alike: to show them both would not help
        return f" There is {same!r} in Unicode's composed form (NFC): write it in that."
    close = difflib.get_close_matches(name, _worth_comparing(name, names), n=3, cutoff=0.5)
    if close:
        return f" Did you mean {' or '.join(repr(c) for c in close)}?"
    if not names:
        return " There are none."
    shown = ", ".join(repr(n) for n in names[:8])
    return f" There are: {shown}{f' and {len(names) - 8} more' if len(names) > 8 else ''}."
