"""What reaches the terminal: text that can be printed, and nothing that steers the terminal.

A mechanism's name, a file's text or a library's message may hold escape sequences. Whatever a
command prints goes through here; its own line of progress goes past it.
"""

import functools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, TypeVar, final

from kempe.errors import printable

T = TypeVar("T")

ANSWER_IS_NO = 1  # exit code: what was asked for is not so, cannot be, or was reached in part


@final
class Printable:
    """A stream of text that spells out what cannot be printed."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; its length as it was given."""
        self.stream.write(printable(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def plain_stream(stream: Any) -> TextIO:
    """The stream behind one that is watched, for what the command line writes itself."""
    inner: TextIO = stream.stream if isinstance(stream, Printable) else stream
    return inner


def progress(text: str) -> None:
    """A line on stderr that the next one overwrites; nothing where nobody looks."""
    stream = plain_stream(sys.stderr)
    if stream.isatty():
        print(f"\r{printable(text)}", end="\r", file=stream, flush=True)


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
