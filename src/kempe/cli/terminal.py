"""What reaches the terminal: text that can be printed, and nothing that steers the terminal.

A mechanism's name, a file's text or a library's message may hold escape sequences. Whatever a
command prints goes through here; its own line of progress goes past it.
"""

import functools
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, TypeVar, final

from kempe.cli.spelling import as_options
from kempe.errors import printable

T = TypeVar("T")

ANSWER_IS_NO = 1  # exit code: what was asked for is not so, cannot be, or was reached in part


@final
class Printable:
    """A stream of text that spells out what cannot be printed, and advice as options."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; its length as it was given."""
        self.stream.write(printable(as_options(text)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def plain_stream(stream: Any) -> TextIO:
    """The stream behind one that is watched, for what the command line writes itself."""
    inner: TextIO = stream.stream if isinstance(stream, Printable) else stream
    return inner


CLEAR_LINE = "\x1b[2K"  # of a terminal: nothing is left of a longer line
QUIET = 1.0  # s before anything is said of how far it has come
MOST_LISTED = 60  # lines of a list on a terminal


@final
class ProgressLine:
    """A line on stderr that says how far a computation has come and how long it will take.

    Nothing is shown where nobody looks, nor of what takes less than a second; when it is done the
    line is gone: `with ProgressLine() as line: compute(progress=lambda t: line.show(t / end))`.
    """

    def __init__(
        self, *, is_wanted: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = plain_stream(sys.stderr)
        self._is_seen = is_wanted and self._stream.isatty()
        self._clock, self._began = clock, clock()
        self._is_shown = False

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._write("")
            self._is_shown = False

    def show(self, done: float | None, text: str = "") -> None:
        """Say that a share `done` (0 to 1) is done, None where nobody knows, and what of it."""
        passed = self._clock() - self._began
        if not self._is_seen or passed < QUIET:
            return
        parts = [text] if text else []
        if done is not None and 0.0 < done <= 1.0:
            parts.append(f"{100.0 * done:.0f} %, {in_time(passed * (1.0 - done) / done)} left")
        else:
            parts.append(in_time(passed))
        self._write(", ".join(parts))
        self._is_shown = True

    def _write(self, text: str) -> None:
        print(f"\r{CLEAR_LINE}{printable(text)}", end="\r", file=self._stream, flush=True)


def in_time(seconds: float) -> str:
    """A time as one says it: "8 s", "3 min 20 s", "2 h 5 min".

    Examples:
        >>> in_time(200.0), in_time(7500.0)
        ('3 min 20 s', '2 h 5 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def listed(lines: Sequence[str], keep: str) -> list[str]:
    """The lines of a long list, cut on a terminal; the last one says how to `keep` all.

    Where the list goes to a file or to another program, nothing is cut.
    """
    rest = len(lines) - MOST_LISTED
    if rest <= 1 or not plain_stream(sys.stdout).isatty():
        return list(lines)
    return [*lines[:MOST_LISTED], f"and {rest:,} more, {keep} to keep all"]


def answer(
    facts: Mapping[str, Any],
    words: object,
    *,
    as_json: bool,
    written: Iterable[object] = (),
    after: Iterable[str] = (),
    is_yes: bool = True,
) -> int:
    """Print what was found, as JSON or in words with the files that were written; the exit code."""
    if as_json:
        print(json.dumps(facts))
    else:
        if words:
            print(words)
        for file in written:
            print(f"wrote {file}")
        for line in after:
            print(line)
    return 0 if is_yes else ANSWER_IS_NO


@contextmanager
def watched() -> Iterator[None]:
    """Whatever is printed inside goes to the terminal without control characters."""
    with redirect_stdout(Printable(sys.stdout)), redirect_stderr(Printable(sys.stderr)):
        yield


def guarded(command: Callable[..., T]) -> Callable[..., T]:
    """A command that prints through `watched`."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> T:
        with watched():
            return command(*arguments, **options)

    return run
