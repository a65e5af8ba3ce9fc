"""The front door of the command line: finds the command and turns mistakes into one line."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from kempe.cli.assemble import assemble
from kempe.cli.assemblies import assemblies
from kempe.cli.bench import bench
from kempe.cli.centrodes import centrodes
from kempe.cli.check import check
from kempe.cli.circuits import circuits
from kempe.cli.convert import convert
from kempe.cli.demo import demo
from kempe.cli.doctor import doctor
from kempe.cli.drag import drag
from kempe.cli.frames import frames
from kempe.cli.gallery import gallery
from kempe.cli.interference import interference
from kempe.cli.modes import modes
from kempe.cli.motions import motions
from kempe.cli.names import names
from kempe.cli.options import grouped
from kempe.cli.path import path
from kempe.cli.plot import plot
from kempe.cli.run import run
from kempe.cli.schema import schema
from kempe.cli.simulate import simulate
from kempe.cli.statics import statics
from kempe.cli.terminal import guarded
from kempe.cli.transmission import transmission
from kempe.cli.verify import verify
from kempe.cli.version import version
from kempe.errors import KempeError, printable

MISTAKE = 2  # exit code: the command or its input was wrong
FAULT = 70  # exit code: kempe itself failed, as EX_SOFTWARE of sysexits.h
BROKEN_PIPE = 141  # exit code: nobody reads on, as a shell counts SIGPIPE
INTERRUPTED = 130  # exit code: Ctrl-C, as a shell counts SIGINT
DEBUG = "--debug"
LONGEST_FAULT = 300  # characters of an unexpected exception that are shown

app = typer.Typer(
    name="kempe",
    help="Mechanisms: it never jumps branch, it tells you why.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    demo,
    run,
    simulate,
    statics,
    modes,
    plot,
    names,
    transmission,
    interference,
    centrodes,
    check,
    assemble,
    drag,
    assemblies,
    motions,
    circuits,
    path,
    verify,
    convert,
    schema,
    gallery,
    frames,
    bench,
    doctor,
    version,
):
    app.command()(guarded(grouped(command)))


@app.callback()
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
        result = app(words, standalone_mode=False)
    except KempeError as mistake:
        if is_debug:
            traceback.print_exc()
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
            traceback.print_exc()
        return _fault(mistake)
    if result == INTERRUPTED:  # Typer makes this of Ctrl-C, and no command returns it
        print("kempe: interrupted.", file=sys.stderr)
    return int(result) if isinstance(result, int) else 0


def _mistake(said: str) -> int:
    """One line on stderr, whatever was said."""
    print(f"kempe: {printable(' '.join(said.split()))}", file=sys.stderr)
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
