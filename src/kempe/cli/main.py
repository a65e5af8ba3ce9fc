"""The front door of the command line: finds the command and turns mistakes into one line."""

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from kempe.cli.options import grouped
from kempe.cli.spelling import as_options
from kempe.cli.terminal import guarded
from kempe.errors import KempeError, printable

MISTAKE = 2  # exit code: the command or its input was wrong
FAULT = 70  # exit code: kempe itself failed, as EX_SOFTWARE of sysexits.h
BROKEN_PIPE = 141  # exit code: nobody reads on, as a shell counts SIGPIPE
INTERRUPTED = 130  # exit code: Ctrl-C, as a shell counts SIGINT
DEBUG = "--debug"
LONGEST_FAULT = 300  # characters of an unexpected exception that are shown

# In the order of the help; a command is the function of that name in the file of that name.
COMMANDS = (
    "demo",
    "new",
    "run",
    "simulate",
    "animate",
    "plot",
    "report",
    "names",
    "check",
    "statics",
    "modes",
    "transmission",
    "gradient",
    "tolerances",
    "dexterity",
    "interference",
    "sweep",
    "centrodes",
    "polygon",
    "assemble",
    "drag",
    "assemblies",
    "motions",
    "circuits",
    "timeline",
    "path",
    "verify",
    "design",
    "identify",
    "balance",
    "atlas",
    "convert",
    "schema",
    "gallery",
    "studio",
    "frames",
    "bench",
    "doctor",
    "version",
)


def app_of(commands: Sequence[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands; nothing of the others is imported."""
    app = typer.Typer(
        name="kempe",
        help="Mechanisms: it never jumps branch, it tells you why.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    for name in commands:
        command = getattr(importlib.import_module(f"kempe.cli.{name}"), name)
        app.command()(guarded(grouped(command)))
    return app


def options(
    *,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="Show the traceback of a failure; anywhere in the line.")
    ] = False,
) -> None:
    """Mechanisms: it never jumps branch, it tells you why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 fine, 1 the answer is no, 2 a mistake, 70 a fault of
    kempe's own.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    own = words[: words.index("--")] if "--" in words else words
    is_debug = DEBUG in own
    words = [word for word in own if word != DEBUG] + words[len(own) :]
    try:
        result = app_of(_wanted(words))(words, standalone_mode=False)
    except KempeError as mistake:
        if is_debug:
            _show_traceback()
        return _mistake(str(mistake))
    except typer.Exit as ending:
        return int(ending.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        result = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return BROKEN_PIPE
    except Exception as mistake:
        if type(mistake).__module__.startswith(("click", "typer")):
            said = mistake.format_message() if hasattr(mistake, "format_message") else mistake
            return _mistake(f"{said} Try `kempe --help`.")
        if is_debug:
            _show_traceback()
        return _fault(mistake)
    if result == INTERRUPTED:  # Typer makes this of Ctrl-C, and no command returns it
        print("kempe: interrupted.", file=sys.stderr)
    return int(result) if isinstance(result, int) else 0


def _wanted(words: Sequence[str]) -> Sequence[str]:
    """The command of a line, or all of them where it is none: for the help, and for completion."""
    return words[:1] if words and words[0] in COMMANDS else COMMANDS


def _show_traceback() -> None:
    """Where the exception that is handled came from; names in it cannot steer the terminal."""
    print(printable(traceback.format_exc()), file=sys.stderr, end="")


def _mistake(said: str) -> int:
    """One line on stderr, whatever was said."""
    print(f"kempe: {printable(as_options(' '.join(said.split())))}", file=sys.stderr)
    return MISTAKE


def _fault(trouble: Exception) -> int:
    """One line about a failure that nobody foresaw: neither an answer nor the user's mistake."""
    if isinstance(trouble, MemoryError):
        said = "there is not enough memory for this: ask for fewer steps or a smaller model."
    else:
        what = " ".join(f"{type(trouble).__name__}: {trouble}".split())
        said = f"kempe failed ({what[:LONGEST_FAULT]}). This is a fault of kempe, not of yours."
    print(f"kempe: {printable(said)} Run it again with {DEBUG} to see where.", file=sys.stderr)
    return FAULT
