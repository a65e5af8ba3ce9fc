"""`kempe sweep`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from kempe.cli.motion import (
    STEPS,
    UNTIL,
    as_far_as_it_got,
    first_given,
    mechanism_of,
    named_values,
    over_of,
)
from kempe.cli.options import AsJson, Model, Over, Steps, Until, output_option
from kempe.cli.terminal import ProgressLine, answer
from kempe.endings import refuse_unwritable
from kempe.errors import ModelError

if TYPE_CHECKING:
    from kempe.front import Mechanism
    from kempe.front.sweep import Sweep
    from kempe.sweeps import AbstractAnalysis, SweepProgress

ANALYSES = ("kinematics", "simulation", "statics", "modes", "assemblies")
MOST_SHOWN = 8  # columns of numbers that are summed up in words


@final
@dataclass(frozen=True, slots=True)
class Variants:
    """Which variants are asked."""

    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="PARAMETER=VALUES, in its unit: crank=20..40in11, crank=20..40, crank=20,25,30, or"
            " crank=normal(30,0.1); given again for each.",
        ),
    ] = None
    sampling: Annotated[
        str | None,
        typer.Option(help="grid, list, random, latin, sobol or saltelli (for Sobol' indices)."),
    ] = None
    count: Annotated[int | None, typer.Option(help="How many; of a grid it follows.")] = None
    seed: Annotated[int | None, typer.Option(help="Where random numbers begin; else 0.")] = None


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each."""

    analysis: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(ANALYSES)}; what the file says, or kinematics."),
    ] = None
    read: Annotated[
        list[str] | None,
        typer.Option(
            help="What is read, such as 'max(rocker.angle)': max, min, mean, range, rms, std, first"
            " or last of a column, or the whole column; may be repeated."
        ),
    ] = None
    until: Until = None
    steps: Steps = None
    over: Over = None
    held: Annotated[
        list[str] | None, typer.Option("--held", "--hold", help="MEASURE=VALUE, of assemblies.")
    ] = None


@final
@dataclass(frozen=True, slots=True)
class SweepPlace:
    """Where it is computed, and where it is kept."""

    executor: Annotated[
        str | None,
        typer.Option(help="processes, threads, serial, dask:ADDRESS, ray or ray:ADDRESS."),
    ] = None
    workers: Annotated[int | None, typer.Option(help="How many; else one a core.")] = None
    chunk: Annotated[int | None, typer.Option(help="Variants that go out together.")] = None
    memory: Annotated[
        str | None, typer.Option(help="The most that is held at a time, such as '2 GB'.")
    ] = None
    folder: Annotated[
        Path | None, typer.Option(help="Keep every chunk that is finished in this folder.")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the sweep in the folder.")
    ] = False


def sweep(
    what: Model,
    *,
    variants: Variants,
    question: Question,
    place: SweepPlace,
    output: Annotated[
        list[Path] | None,
        output_option("Write the table (.csv, .parquet) or a scatter matrix (.png, .svg, .pdf)."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Ask one question of many variants of a mechanism, and keep what is found as one table.

    Example: kempe sweep four_bar --vary "crank=0.8..1.2 in 9" --read "range(rocker.angle)"
    """
    for path in output or []:
        refuse_unwritable(path, (".csv", ".parquet", ".png", ".svg", ".pdf"), "a sweep")
    from kempe.front.sweep import sweep as swept_over

    mechanism = mechanism_of(what)
    asked = _asked(what, mechanism, variants)
    with ProgressLine() as line:
        found = as_far_as_it_got(
            swept_over,
            mechanism,
            **asked,
            analysis=_analysis(mechanism, question),
            executor=place.executor or _executor(what),
            workers=place.workers,
            chunk=place.chunk,
            memory=place.memory,
            folder=place.folder,
            resume=place.resume,
            progress=lambda so_far: _show(line, so_far),
        )
    written = [str(found.write(path)) for path in output or []] if len(found) else []
    is_whole = found.is_complete and bool(found.is_done.any())
    return answer(
        _facts(found, written), _words(found), as_json=as_json, written=written, is_yes=is_whole
    )


def _executor(what: str) -> str:
    """Processes, but for a script: what it builds cannot be sent there."""
    return "threads" if Path(what).suffix == ".py" else "processes"


def _asked(what: str, mechanism: "Mechanism", variants: Variants) -> dict[str, Any]:
    own: dict[str, Any] = {}
    if mechanism.document is not None:
        own = mechanism.document.sweep
    given = named_values(variants.vary, "--vary", "'crank=20..40 in 11'")
    over = {**(own.get("over") or {}), **given}
    if not over:
        known = ", ".join(mechanism.parameters) or "none"
        raise ModelError(
            f"what is to vary? Give --vary 'crank=20..40 in 11'; parameters of {what}: {known}."
        )
    return {
        "over": over,
        "sampling": first_given(variants.sampling, own.get("sampling"), "auto"),
        "count": first_given(variants.count, own.get("count")),
        "seed": first_given(variants.seed, own.get("seed"), 0),
    }


def _analysis(mechanism: "Mechanism", question: Question) -> "AbstractAnalysis":
    from kempe import sweeps
    from kempe.cli.solving import held_values
    from kempe.errors import nearest_name

    document = mechanism.document
    own: dict[str, Any] = {} if document is None else document.sweep
    kind = first_given(question.analysis, own.get("analysis"), "kinematics")
    read = tuple(question.read or own.get("read") or ())
    until = question.until if document is None else first_given(question.until, document.run.until)
    steps = first_given(question.steps, None if document is None else document.run.steps, STEPS)
    if kind == "kinematics":
        over = None if question.over is None else over_of(question.over)
        if over is None and question.until is None and document is not None:
            over = document.run.over
        end = None if over is not None else first_given(until, UNTIL)
        return sweeps.Kinematics(read, until=end, steps=steps, over=over)
    if kind == "simulation":
        return sweeps.Simulation(read, until=first_given(until, UNTIL), steps=steps)
    if kind == "statics":
        return sweeps.Statics(read)
    if kind == "modes":
        return sweeps.Modes()
    if kind == "assemblies":
        return sweeps.Assemblies(held_values(mechanism, question.held) or None)
    raise ModelError(f"there is no analysis {kind!r} to sweep.{nearest_name(kind, ANALYSES)}")


def _show(line: ProgressLine, so_far: "SweepProgress") -> None:
    lost = f", {so_far.lost:,} lost" if so_far.lost else ""
    line.show(so_far.share, f"{so_far.done:,} of {so_far.total:,} variants{lost}")


def _numbers(found: "Sweep") -> dict[str, dict[str, float]]:
    """Of every column of numbers the least, the mean and the largest."""
    import numpy as np

    told = {}
    for name in found.results if len(found) else ():
        column = found[name]
        if column.ndim == 1 and column.dtype.kind in "fiub":
            x = column[np.isfinite(column.astype(float))].astype(float)
            if len(x):
                told[name] = {"min": float(x.min()), "mean": float(x.mean()), "max": float(x.max())}
    return told


def _facts(found: "Sweep", written: list[str]) -> dict[str, Any]:
    return {
        "mechanism": found.manifest["mechanism"],
        "size": found.size,
        "computed": len(found),
        "complete": found.is_complete,
        "outcomes": found.outcomes,
        "lost": {str(k): why for k, why in found.lost.items()},
        "columns": list(found.names) if len(found) else [],
        "numbers": _numbers(found),
        "written": written,
    }


def _words(found: "Sweep") -> str:
    lines = [repr(found)]
    numbers = _numbers(found)
    width = max(map(len, numbers), default=0)
    for name, x in list(numbers.items())[:MOST_SHOWN]:
        told = f"{x['min']:.6g} to {x['max']:.6g}, mean {x['mean']:.6g}"
        lines.append(f"  {name.ljust(width)}  {told}")
    lines += [f"  chunk {k} is lost: {why}" for k, why in found.lost.items()]
    return "\n".join(lines)
