"""Arguments and options that several commands have in common, each said once.

Options of one subject are the fields of a dataclass: a command takes it as one argument, and
`grouped` makes an option of every field.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

T = TypeVar("T")

_SOURCES = (
    "A model file (.yaml, .json), a file of another program (.asmt, .urdf, .sdf, .xml), a Python"
    " file that defines `mechanism`"
)


def entries(incomplete: str) -> list[str]:
    """Names of the gallery that begin so, for a shell that completes a line."""
    from kempe.gallery import MECHANISMS

    return [name for name in MECHANISMS if name.startswith(incomplete)]


def sources(incomplete: str) -> list[str]:
    """Names of the gallery, and files of mechanisms in that folder, that begin so."""
    from kempe.foreign.opening import ENDINGS

    endings = (".yaml", ".yml", ".json", ".py", ".npz", *ENDINGS)
    head, slash, tail = incomplete.rpartition("/")
    folder = Path(f"{head}{slash}" or ".")
    try:
        beside = [p for p in sorted(folder.iterdir()) if p.name.startswith(tail)]
    except OSError:
        beside = []
    files = [f"{head}{slash}{p.name}{'/' * p.is_dir()}" for p in beside]
    return [*(f for f in files if f.endswith(("/", *endings))), *entries(incomplete)]


Entry = Annotated[
    str,
    typer.Argument(
        help="A name of the gallery: `kempe gallery` lists them.",
        metavar="NAME",
        autocompletion=entries,
    ),
]
Model = Annotated[
    str,
    typer.Argument(
        help=f"{_SOURCES}, or a name of the gallery.", metavar="FILE|NAME", autocompletion=sources
    ),
]
Moved = Annotated[
    str,
    typer.Argument(
        help=f"{_SOURCES}, a name of the gallery, or a saved .npz.",
        metavar="FILE|NAME",
        autocompletion=sources,
    ),
]
Until = Annotated[
    str | None, typer.Option(help="End time, such as 1 or '500 ms'; what the file says, or 1.")
]
Steps = Annotated[
    int | None, typer.Option(help="Steps; one sample more is written. What the file says, or 360.")
]
Over = Annotated[
    str | None, typer.Option(help="Sweep a measure instead: 'crank.angle, 0, 360 deg'.")
]
Tolerance = Annotated[
    float | None,
    typer.Option(
        help="Error of a step of a simulation that is accepted; what the file says, or 1e-8."
    ),
]
HeldAt = Annotated[str | None, typer.Option(help="Hold the drives as at this time; else 0.")]
Dark = Annotated[bool, typer.Option("--dark", help="On dark paper.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def output_option(help: str) -> Any:
    """The option -o of a command that writes a file, and what `help` says of it."""
    return typer.Option("-o", "--output", help=help)


def grouped(command: Callable[..., T]) -> Callable[..., T]:
    """The command with an option for every field of those of its arguments that are dataclasses."""
    signature = inspect.signature(command)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if not is_dataclass(parameter.annotation):
            parameters.append(parameter)
            continue
        groups[name] = parameter.annotation
        parameters += [
            parameter.replace(name=field.name, default=field.default, annotation=field.type)
            for field in fields(parameter.annotation)
        ]

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> T:
        for name, group in groups.items():
            given = {field.name: options.pop(field.name) for field in fields(group)}
            options[name] = group(**given)
        return command(*arguments, **options)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
