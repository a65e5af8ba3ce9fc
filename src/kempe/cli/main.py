"""The front door of the command line: finds the command and turns mistakes into one line."""

import sys
from collections.abc import Sequence

import typer

from kempe.cli.assemble import assemble
from kempe.cli.assemblies import assemblies
from kempe.cli.bench import bench
from kempe.cli.centrodes import centrodes
from kempe.cli.check import check
from kempe.cli.convert import convert
from kempe.cli.demo import demo
from kempe.cli.doctor import doctor
from kempe.cli.drag import drag
from kempe.cli.frames import frames
from kempe.cli.gallery import gallery
from kempe.cli.motions import motions
from kempe.cli.plot import plot
from kempe.cli.run import run
from kempe.cli.schema import schema
from kempe.cli.simulate import simulate
from kempe.cli.transmission import transmission
from kempe.cli.verify import verify
from kempe.cli.version import version
from kempe.errors import KempeError

MISTAKE = 2  # exit code: the command or its input was wrong

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
    plot,
    transmission,
    centrodes,
    check,
    assemble,
    drag,
    assemblies,
    motions,
    verify,
    convert,
    schema,
    gallery,
    frames,
    bench,
    doctor,
    version,
):
    app.command()(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 fine, 1 the answer is no, 2 a mistake."""
    try:
        result = app(list(arguments) if arguments is not None else None, standalone_mode=False)
    except KempeError as mistake:
        return _mistake(str(mistake))
    except typer.Exit as ending:
        return int(ending.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        print("kempe: interrupted.", file=sys.stderr)
        return 130
    except Exception as mistake:
        if type(mistake).__module__.startswith(("click", "typer")):
            said = mistake.format_message() if hasattr(mistake, "format_message") else mistake
            return _mistake(f"{said} Try `kempe --help`.")
        raise
    return int(result) if isinstance(result, int) else 0


def _mistake(said: str) -> int:
    """One line on stderr, whatever was said."""
    print(f"kempe: {' '.join(said.split())}", file=sys.stderr)
    return MISTAKE
